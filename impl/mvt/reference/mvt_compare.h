/* SPDX-License-Identifier: MIT */
/* A reader against the message of the same tile. */
#ifndef MVT_REFERENCE_MVT_COMPARE_H
#define MVT_REFERENCE_MVT_COMPARE_H

#include "mvt/mvt_proto.h"

/**
 * Compare all that a reader says of a tile, field for field, with the tile's
 * message.  Decodes the reader's array of elements.
 *
 * Returns NULL when they agree, or the name of what differs.
 */
const char *mvt_compare(const struct mvt_reader *reader,
                        const struct mvt_proto_tile *tile);

/** Like mvt_compare, for two readers of the same bytes on different paths:
 * besides, geometries and properties, with their errors. */
const char *mvt_compare_readers(const struct mvt_reader *a,
                                const struct mvt_reader *b);

#endif
