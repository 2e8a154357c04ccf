/* SPDX-License-Identifier: MIT */
/* Finding a match of offset 0 in a block that liblz4 has accepted. */
#include "envelope/envelope_internal.h"

#include "base/cursor.h"

/* LZ4 block format: a nibble of 15 goes on in bytes that are added up to and
 * including the first below 255.  Returns the offset after them. */
static size_t skip_extension(const uint8_t *block, size_t size, size_t at,
                             size_t *length)
{
    uint8_t byte = 255;

    while (byte == 255 && at < size) {
        byte = block[at++];
        *length += byte;
    }
    return at;
}

bool envelope_block_has_zero_offset(const uint8_t *block, size_t block_size,
                                    size_t output_size)
{
    size_t at = 0, length;
    (void)output_size;

    while (at < block_size) {
        uint8_t token = block[at++];
        length = token >> 4;
        if (length == 15)
            at = skip_extension(block, block_size, at, &length);
        if (length >= block_size - at)
            return false; /* the last literals */
        at += length;
        if (block_size - at < 2 || (block[at] == 0 && block[at + 1] == 0))
            return true;
        at += 2;
        if ((token & 15) == 15)
            at = skip_extension(block, block_size, at, &length);
    }
    return false;
}
