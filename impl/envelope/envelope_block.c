/* SPDX-License-Identifier: MIT */
/* One LZ4 block, decompressed by liblz4 and held to the format where liblz4
 * is wider: a match of offset 0 copies what is not there yet. */
#include "envelope/envelope_internal.h"
#include "envelope/envelope_offsets.h"

#include <lz4.h>

bool envelope_block_decode(const uint8_t *block, size_t block_size,
                           uint8_t *out, size_t out_size, size_t *produced)
{
    /* Both sizes have passed the limit of 512 MiB, so an int holds them. */
    int size = LZ4_decompress_safe((const char *)block, (char *)out,
                                   (int)block_size, (int)out_size);

    if (size < 0 || envelope_block_has_zero_offset(block, block_size))
        return false;
    *produced = (size_t)size;
    return true;
}
