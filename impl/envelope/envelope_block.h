/* SPDX-License-Identifier: MIT */
/* One LZ4 block: a long one is decompressed by liblz4 and held to the format
 * where liblz4 is wider, a short one is decompressed here. */
#ifndef ENVELOPE_ENVELOPE_BLOCK_H
#define ENVELOPE_ENVELOPE_BLOCK_H

#include <lz4.h>

#include "envelope/envelope_offsets.h"

/** A block of less than this is short: above, the eight walks of
 * envelope_offsets_avx2.c have room. */
#define ENVELOPE_BLOCK_LONG 8192

/**
 * Decompress one block: check 7 of a read.  Takes what liblz4 takes, but no
 * match of offset 0.
 *
 *   block_size, out_size  within the limits of an envelope, so an int holds
 *                         them; out may be NULL when out_size is 0
 *   produced              out: bytes of output, at most out_size
 *
 * False when the block is malformed or longer; out then holds anything.
 *
 * Cost: about 40 instructions a sequence; some 30 to begin and to end.
 */
MUST_CHECK bool envelope_block_short(const uint8_t *block, size_t block_size,
                                     uint8_t *out, size_t out_size,
                                     size_t *produced);

/** Like envelope_block_short, but quicker for a long block. */
MUST_CHECK static inline bool envelope_block_decode(const uint8_t *block,
                                                    size_t block_size,
                                                    uint8_t *out,
                                                    size_t out_size,
                                                    size_t *produced)
{
    int size;

    if (block_size < ENVELOPE_BLOCK_LONG)
        return envelope_block_short(block, block_size, out, out_size,
                                    produced);
    size = LZ4_decompress_safe((const char *)block, (char *)out,
                               (int)block_size, (int)out_size);
    *produced = (size_t)size;
    return LIKELY(size >= 0 &&
                  !envelope_block_has_zero_offset(block, block_size));
}

#endif
