/* SPDX-License-Identifier: MIT */
/* Hexadecimal text to bytes; a mistake in it is a mistake of the test. */
#include "testkit/hex.h"

#include <stdlib.h>
#include <string.h>

#include "testkit/testkit.h"

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

size_t hex_decode(const char *text, uint8_t *out, size_t out_size)
{
    size_t size = 0;

    for (const char *p = text; *p != '\0'; p++) {
        if (strchr(" \t\n", *p) != NULL)
            continue;
        int high = digit_value(p[0]);
        int low = high < 0 ? -1 : digit_value(p[1]);
        if (low < 0)
            CHECK_FAIL("hex_decode: no byte at offset %td of \"%s\"", p - text,
                       text);
        if (size == out_size)
            CHECK_FAIL("hex_decode: more than %zu bytes in \"%s\"", out_size,
                       text);
        out[size++] = (uint8_t)(high << 4 | low);
        p++;
    }
    return size;
}

uint8_t *hex_new(const char *text, size_t *size)
{
    size_t bound = strlen(text) / 2 + 1;
    uint8_t *bytes = malloc(bound);

    if (bytes == NULL)
        CHECK_FAIL("hex_new: no memory for %zu bytes", bound);
    *size = hex_decode(text, bytes, bound);
    return bytes;
}
