/* SPDX-License-Identifier: MIT */
/* Whole tiles to bytes. */
#ifndef MVT_MVT_ENCODE_H
#define MVT_MVT_ENCODE_H

#include "mvt/mvt_tile.h"
#include "mvt/mvt_writer.h"

/**
 * Encode a tile through a writer: its layers and features, in order.
 *
 *   options  of the writer; NULL is the default
 *   out      for mvt_bytes_free; untouched on failure
 *   error    out: filled on failure
 *
 * The first failure of the writer; MVT_MISUSE for a layer of extent 0.
 */
MUST_CHECK enum mvt_fault mvt_tile_encode(
    const struct mvt_tile *tile, const struct mvt_writer_options *options,
    struct mvt_bytes *out, struct mvt_error *error);

/** Like mvt_tile_encode, but takes the tile over and frees it, also on
 * failure. */
MUST_CHECK enum mvt_fault mvt_tile_encode_owned(
    struct mvt_tile *tile, const struct mvt_writer_options *options,
    struct mvt_bytes *out, struct mvt_error *error);

/** Write a feature of an owned tile into the layer that is open. */
MUST_CHECK enum mvt_fault mvt_writer_tile_feature(
    struct mvt_writer *w, const struct mvt_tile_feature *feature);

#endif
