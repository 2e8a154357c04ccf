/* SPDX-License-Identifier: MIT */
/* Seeded tiles for tests and cases, in the proportions of real ones. */
#ifndef MVT_SAMPLE_MVT_SAMPLE_H
#define MVT_SAMPLE_MVT_SAMPLE_H

#include "mvt/mvt_bytes.h"

/**
 * Make a tile: points, lines and polygons as 58 to 13 to 29, about ten
 * properties a feature, most of them strings and integers, an id on one
 * feature in four, a layer for about 16 KiB.
 *
 *   seed  equal seeds give equal tiles on any machine
 *   size  the tile ends with the feature that takes it there, so it has at
 *         least so many bytes, and rarely 1 KiB more
 *   out   for mvt_bytes_free
 *
 * Returns false when there is no memory.
 */
MUST_CHECK bool mvt_sample_tile(uint64_t seed, size_t size,
                                struct mvt_bytes *out);

/**
 * Make a packed payload of valid varints: of one, two and three bytes as 63
 * to 23 to 14, which is how tags are.
 *
 *   out, size  filled whole; ends with an element of one byte at least
 */
void mvt_sample_packed(uint64_t seed, uint8_t *out, size_t size);

#endif
