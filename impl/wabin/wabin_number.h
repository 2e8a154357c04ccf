/* SPDX-License-Identifier: MIT */
/* Decimal numbers in text, and why a text is none. */
#ifndef WABIN_NUMBER_H
#define WABIN_NUMBER_H

#include <stdint.h>

#include "wabin/wabin_error.h"

/**
 * Read an optional `+` and decimal digits, leading zeros included.
 *
 *   max    the largest value accepted
 *   value  out: untouched on failure
 *
 * Returns the first fault from left to right; where a character is no digit
 * and the digits before it are too many, it is the character.
 */
static inline enum wabin_number_fault wabin_parse_u64(struct wabin_str text,
                                                      uint64_t max,
                                                      uint64_t *value)
{
    uint64_t n = 0;
    size_t i = text.size > 1 && text.data[0] == '+';

    if (text.size == 0)
        return WABIN_NUMBER_EMPTY;
    for (; i < text.size; i++) {
        unsigned digit = (unsigned char)text.data[i] - (unsigned)'0';
        if (digit > 9)
            return WABIN_NUMBER_DIGIT;
        if (n > (max - digit) / 10)
            return WABIN_NUMBER_LARGE;
        n = n * 10 + digit;
    }
    *value = n;
    return WABIN_NUMBER_OK;
}

/** Like wabin_parse_u64 over the whole range of int64_t, with `-` as a sign
 * too. */
static inline enum wabin_number_fault wabin_parse_i64(struct wabin_str text,
                                                      int64_t *value)
{
    uint64_t magnitude = 0;
    bool negative = text.size > 1 && text.data[0] == '-';
    uint64_t max = (uint64_t)INT64_MAX + negative;
    enum wabin_number_fault fault;

    if (negative) {
        text = wabin_str_from(text, 1);
        if (text.data[0] == '+') /* one sign at most */
            return WABIN_NUMBER_DIGIT;
    }
    fault = wabin_parse_u64(text, max, &magnitude);
    if (fault == WABIN_NUMBER_LARGE && negative)
        return WABIN_NUMBER_SMALL;
    if (fault == WABIN_NUMBER_OK)
        *value = (int64_t)(negative ? 0 - magnitude : magnitude);
    return fault;
}

/** Write a number in decimal, at most 20 bytes; returns their count. */
static inline size_t wabin_put_decimal(uint64_t number, char *out)
{
    char digits[20];
    size_t size = 0;

    do {
        digits[sizeof(digits) - ++size] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    memcpy(out, digits + sizeof(digits) - size, size);
    return size;
}

#endif
