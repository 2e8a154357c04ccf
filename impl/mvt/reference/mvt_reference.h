/* SPDX-License-Identifier: MIT */
/* The plain way to read a tile: the whole message decoded by protobuf-c, and
 * geometry made from its arrays step by step.  An oracle for tests, and what
 * the reader is measured against. */
#ifndef MVT_REFERENCE_MVT_REFERENCE_H
#define MVT_REFERENCE_MVT_REFERENCE_H

#include "mvt/mvt_reader.h"

/** A decoded tile: protobuf-c's own struct. */
struct mvt_reference {
    struct VectorTile__Tile *tile;
};

/** Decode a tile, which is not borrowed.  false: protobuf-c refuses it, or
 * there is no memory. */
MUST_CHECK bool mvt_reference_open(struct mvt_reference *reference,
                                   const uint8_t *tile, size_t size);

void mvt_reference_free(struct mvt_reference *reference);

/**
 * Make a geometry of commands.
 *
 *   out  for mvt_geometry_free with the C library's memory; untouched on
 *        failure
 *
 * Like mvt_feature_geometry, with the same results and failures.
 */
MUST_CHECK enum mvt_fault mvt_reference_geometry(enum mvt_type type,
                                                 const uint32_t *commands,
                                                 size_t count,
                                                 struct mvt_geometry *out);

/** Read everything, as mvt_traverse does of a reader; the same sum. */
uint64_t mvt_reference_traverse(const struct mvt_reference *reference);

/**
 * Compare a reader with a decoded tile, field for field.  What protobuf-c
 * does not tell, it cannot be asked: a value with several kinds, and the
 * order of a type outside the enum.
 *
 * Returns NULL when they agree, or the name of what differs.
 */
const char *mvt_reference_compare(const struct mvt_reader *reader,
                                  const struct mvt_reference *reference);

#endif
