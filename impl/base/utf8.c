/* SPDX-License-Identifier: MIT */
/* UTF-8 validation: words of ASCII, then one sequence at a time. */
#include "base/utf8.h"

#include <string.h>

#define WORD_SIZE  8
#define HIGH_BITS  UINT64_C(0x8080808080808080)
#define ASCII_LAST 0x7f

static inline bool is_continuation(uint8_t byte)
{
    return (byte & 0xc0) == 0x80;
}

static inline bool in_range(uint8_t byte, uint8_t low, uint8_t high)
{
    return (uint8_t)(byte - low) <= (uint8_t)(high - low);
}

/* Unicode, table 3-7: the second byte of a three-byte sequence.  E0 would be
 * overlong below A0, ED holds the surrogates from A0. */
static inline bool second_of_three(uint8_t lead, uint8_t second)
{
    uint8_t low = lead == 0xe0 ? 0xa0 : 0x80;
    uint8_t high = lead == 0xed ? 0x9f : 0xbf;
    return in_range(second, low, high);
}

/* Likewise of a four-byte sequence.  F0 would be overlong below 90, F4 passes
 * U+10FFFF from 90. */
static inline bool second_of_four(uint8_t lead, uint8_t second)
{
    uint8_t low = lead == 0xf0 ? 0x90 : 0x80;
    uint8_t high = lead == 0xf4 ? 0x8f : 0xbf;
    return in_range(second, low, high);
}

/* Size of the well-formed sequence at p, of which left >= 1 bytes may be
 * read; 0 when there is none. */
static inline size_t sequence_size(const uint8_t *p, size_t left)
{
    uint8_t lead = p[0];

    if (lead <= ASCII_LAST)
        return 1;
    if (in_range(lead, 0xc2, 0xdf))
        return left >= 2 && is_continuation(p[1]) ? 2 : 0;
    if (in_range(lead, 0xe0, 0xef))
        return left >= 3 && second_of_three(lead, p[1]) &&
                       is_continuation(p[2])
                   ? 3
                   : 0;
    if (in_range(lead, 0xf0, 0xf4))
        return left >= 4 && second_of_four(lead, p[1]) &&
                       is_continuation(p[2]) && is_continuation(p[3])
                   ? 4
                   : 0;
    return 0; /* a continuation byte, C0, C1 or F5 to FF */
}

static inline bool is_ascii_word(const uint8_t *p)
{
    uint64_t word;

    memcpy(&word, p, sizeof(word));
    return (word & HIGH_BITS) == 0;
}

bool utf8_valid(const uint8_t *text, size_t size)
{
    const uint8_t *p = text;
    size_t left = size;

    while (left != 0) {
        if (left >= WORD_SIZE && is_ascii_word(p)) {
            p += WORD_SIZE;
            left -= WORD_SIZE;
            continue;
        }
        size_t n = sequence_size(p, left);
        if (n == 0)
            return false;
        p += n;
        left -= n;
    }
    return true;
}
