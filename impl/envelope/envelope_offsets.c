/* SPDX-License-Identifier: MIT */
/* The walk over a block's sequences, in search of an offset 0. */
#include "envelope/envelope_offsets.h"

#include <string.h>

/* LZ4 block format: a nibble of 15 goes on in bytes that are added up to and
 * including the first below 255. */
#define NIBBLE_FULL 15
#define BYTE_FULL   255
#define OFFSET_SIZE 2

/* From a token to the byte after its offset, for tokens whose sequence has no
 * such bytes; 0 for the others. */
#define ROW(n) n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, 0
static const uint8_t advances[256] = {
    ROW(3),  ROW(4),  ROW(5),  ROW(6),  ROW(7),  ROW(8),  ROW(9), ROW(10),
    ROW(11), ROW(12), ROW(13), ROW(14), ROW(15), ROW(16), ROW(17)};
#define ADVANCE_MAX 17

/* Step over such bytes and add them up; at <= size before and after. */
static inline size_t take_extension(const uint8_t *block, size_t size,
                                    size_t at, size_t *length)
{
    uint8_t byte = BYTE_FULL;

    while (byte == BYTE_FULL && at < size) {
        byte = block[at++];
        *length += byte;
    }
    return at;
}

static inline bool is_zero_offset(const uint8_t *p)
{
    uint16_t offset;

    memcpy(&offset, p, sizeof(offset));
    return offset == 0;
}

/* Any sequence.  Returns the offset of the next token, the size after the
 * last literals, or 0 when this one's offset is 0. */
static inline size_t step(const uint8_t *block, size_t size, size_t at)
{
    uint8_t token = block[at++];
    size_t length = token >> 4;

    if (length == NIBBLE_FULL)
        at = take_extension(block, size, at, &length);
    if (length >= size - at)
        return size; /* the last literals */
    at += length;
    if (size - at < OFFSET_SIZE || is_zero_offset(block + at))
        return 0;
    at += OFFSET_SIZE;
    if ((token & NIBBLE_FULL) == NIBBLE_FULL)
        at = take_extension(block, size, at, &length);
    return at;
}

bool envelope_block_has_zero_offset(const uint8_t *block, size_t block_size)
{
    const uint8_t *const end = block + block_size;
    /* Up to here a usual token's sequence is in the block with its offset. */
    const uint8_t *const usual_end =
        block_size > ADVANCE_MAX ? end - ADVANCE_MAX : block;
    const uint8_t *p = block;

    while (p != end) {
        uint8_t advance;
        while (p < usual_end && (advance = advances[*p]) != 0) {
            p += advance;
            if (UNLIKELY(is_zero_offset(p - OFFSET_SIZE)))
                return true;
        }
        size_t at = step(block, block_size, (size_t)(p - block));
        if (at == 0)
            return true;
        p = block + at;
    }
    return false;
}
