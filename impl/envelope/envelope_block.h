/* SPDX-License-Identifier: MIT */
/* One LZ4 block, decompressed by liblz4 and held to the format where liblz4
 * is wider: a match of offset 0 copies what is not there yet. */
#ifndef ENVELOPE_ENVELOPE_BLOCK_H
#define ENVELOPE_ENVELOPE_BLOCK_H

#include <lz4.h>

#include "envelope/envelope_offsets.h"

/**
 * Decompress one block: check 7 of a read.
 *
 *   block_size, out_size  within the limits of an envelope, so an int holds
 *                         them; out may be NULL when out_size is 0
 *   produced              out: bytes of output, at most out_size
 *
 * False when the block is malformed or longer; out then holds anything.
 */
MUST_CHECK static inline bool envelope_block_decode(const uint8_t *block,
                                                    size_t block_size,
                                                    uint8_t *out,
                                                    size_t out_size,
                                                    size_t *produced)
{
    int size = LZ4_decompress_safe((const char *)block, (char *)out,
                                   (int)block_size, (int)out_size);

    *produced = (size_t)size;
    return LIKELY(size >= 0) && LIKELY(!envelope_block_has_zero_offset(
                                    block, block_size, out_size));
}

#endif
