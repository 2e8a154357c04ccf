/* SPDX-License-Identifier: MIT */
/* Whole tiles to bytes, with a writer for one tile or for many. */
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

/**
 * Encode one tile after the other with one writer, which starts again with
 * each and keeps its memory.
 *
 *   w           begun by mvt_writer_init
 *   data, size  out: the writer's, until its next call; untouched on failure
 *
 * Fails like mvt_tile_encode, with the error in w->error; the writer may then
 * be used for the next tile.
 *
 * Cost: no allocation once the writer has grown to what its tiles need.
 */
MUST_CHECK enum mvt_fault mvt_writer_tile(struct mvt_writer *w,
                                          const struct mvt_tile *tile,
                                          const uint8_t **data, size_t *size);

/** Like mvt_writer_tile, but takes the tile over and frees it, also on
 * failure. */
MUST_CHECK enum mvt_fault mvt_writer_tile_owned(struct mvt_writer *w,
                                                struct mvt_tile *tile,
                                                const uint8_t **data,
                                                size_t *size);

/** Write a feature of an owned tile into the layer that is open. */
MUST_CHECK enum mvt_fault mvt_writer_tile_feature(
    struct mvt_writer *w, const struct mvt_tile_feature *feature);

#endif
