/* SPDX-License-Identifier: MIT */
/*
 * Short blocks, decompressed here.  What liblz4 needs to begin and to end is
 * most of what it spends on them, and its one fault, to let an offset 0 pass,
 * would have to be ruled out by another walk.
 *
 * Which blocks are taken is the same as for long ones.  So the rules that
 * liblz4 has for the end of a block are here too, with the places at which it
 * does not ask for them: it is in its quick way while both ends are far.
 */
#include "envelope/envelope_block.h"

/* LZ4 block format, "End of block conditions": the last bytes are literals,
 * and no match starts close to the end. */
#define LAST_LITERALS 5
#define MATCH_LIMIT   12
#define SEQUENCE_END  (OFFSETS_SIZE + 1 + LAST_LITERALS)

#define MATCH_MIN 4

/* liblz4's quick way: with less than 15 literals and a match without length
 * bytes, so much is copied at once. */
#define QUICK_LITERALS 16
#define QUICK_MATCH    18
#define QUICK_IN       (QUICK_LITERALS + 1)
#define QUICK_OUT      (14 + QUICK_MATCH)
#define QUICK_OFFSET   8

/* Add length bytes to *length, from *in on and up to `end` at most; so many
 * bytes do not reach the end of a size_t. */
static ALWAYS_INLINE bool take_length(const uint8_t *block, ptrdiff_t *in,
                                      ptrdiff_t end, ptrdiff_t *length)
{
    uint8_t byte;

    do {
        if (*in >= end)
            return false;
        byte = block[(*in)++];
        *length += byte;
    } while (byte == OFFSETS_BYTE_FULL);
    return true;
}

/* Bytes that repeat what is `offset` before them, each copy as long as what is
 * there of them. */
static inline void put_match(uint8_t *at, size_t offset, size_t length)
{
    const uint8_t *const from = at - offset;

    for (; UNLIKELY(length > offset); offset *= 2) {
        memcpy(at, from, offset);
        at += offset;
        length -= offset;
    }
    memcpy(at, from, length);
}

bool envelope_block_short(const uint8_t *block, size_t block_size,
                          uint8_t *out, size_t out_size, size_t *produced)
{
    const ptrdiff_t in_end = (ptrdiff_t)block_size;
    const ptrdiff_t out_end = (ptrdiff_t)out_size;
    ptrdiff_t in = 0, at = 0;

    if (out_size == 0) {
        *produced = 0;
        return block_size == 1 && block[0] == 0;
    }
    for (;;) {
        bool quick = in < in_end - QUICK_IN && at <= out_end - QUICK_OUT;
        ptrdiff_t literals, length, offset;

        if (UNLIKELY(!quick) && in == in_end)
            return false;
        length = block[in++];
        literals = length >> 4;
        length &= OFFSETS_NIBBLE_FULL;
        quick = quick && literals != OFFSETS_NIBBLE_FULL;
        if (LIKELY(quick)) {
            memcpy(out + at, block + in, QUICK_LITERALS);
        } else {
            if (literals == OFFSETS_NIBBLE_FULL &&
                !take_length(block, &in, in_end, &literals))
                return false;
            const ptrdiff_t in_left = in_end - in - literals;
            const ptrdiff_t out_left = out_end - at - literals;
            if ((in_left | out_left) < 0)
                return false;
            memcpy(out + at, block + in, (size_t)literals);
            if (in_left < SEQUENCE_END || out_left < MATCH_LIMIT) {
                /* No room for a match, so the block has to end. */
                *produced = (size_t)(at + literals);
                return in_left == 0;
            }
        }
        at += literals;
        in += literals;
        offset = offsets_load(block + in);
        in += OFFSETS_SIZE;
        /* One comparison for both: 0 - 1 is the largest there is. */
        if (UNLIKELY((size_t)offset - 1 >= (size_t)at))
            return false;
        if (LIKELY(quick && length != OFFSETS_NIBBLE_FULL &&
                   offset >= QUICK_OFFSET)) {
            memcpy(out + at, out + at - offset, 8);
            memcpy(out + at + 8, out + at + 8 - offset, 8);
            memcpy(out + at + 16, out + at + 16 - offset, QUICK_MATCH - 16);
            at += length + MATCH_MIN;
            continue;
        }
        if (length == OFFSETS_NIBBLE_FULL &&
            !take_length(block, &in, in_end - LAST_LITERALS + 1, &length))
            return false;
        length += MATCH_MIN;
        if (at + length > out_end - LAST_LITERALS)
            return false;
        put_match(out + at, (size_t)offset, (size_t)length);
        at += length;
    }
}
