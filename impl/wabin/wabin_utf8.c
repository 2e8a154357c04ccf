/* SPDX-License-Identifier: MIT */
/* The slow look at text that base/utf8.h has refused. */
#include "wabin/wabin_utf8.h"

#include <stdint.h>

/* Bytes of the sequence that a lead byte begins; 0 when it begins none. */
static size_t sequence_size(uint8_t lead)
{
    if (lead < 0x80)
        return 1;
    if (lead < 0xc2 || lead > 0xf4)
        return 0;
    return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

static int is_second(uint8_t lead, uint8_t byte)
{
    uint8_t low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    uint8_t high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    return byte >= low && byte <= high;
}

/* How many of the first bytes of p fit the sequence they begin. */
static size_t fitting(const uint8_t *p, size_t left, size_t sequence)
{
    size_t n = 1;

    if (sequence == 0)
        return 0;
    while (n < sequence && n < left &&
           (n == 1 ? is_second(p[0], p[1]) : (p[n] & 0xc0) == 0x80))
        n++;
    return n;
}

size_t wabin_utf8_valid_up_to(struct wabin_str text, size_t *bad)
{
    const uint8_t *p = (const uint8_t *)text.data;
    size_t at = 0;

    while (at < text.size) {
        size_t sequence = sequence_size(p[at]);
        size_t n = fitting(p + at, text.size - at, sequence);
        if (n != sequence || n == 0) {
            *bad = n == 0 ? 1 : at + n == text.size ? 0 : n;
            return at;
        }
        at += n;
    }
    return at;
}
