/* SPDX-License-Identifier: MIT */
/* Packed strings by the rule of the format, one half byte at a time. */
#include "wabin/reference/wabin_ref.h"

static int nibble_character(unsigned half)
{
    if (half <= 9)
        return '0' + (int)half;
    switch (half) {
    case 10:
        return '-';
    case 11:
        return '.';
    case 15:
        return '\0';
    default:
        return -1;
    }
}

static int hex_character(unsigned half)
{
    return half <= 9 ? '0' + (int)half : 'A' + (int)half - 10;
}

static int character(const struct wabin_alphabet *alphabet, unsigned half)
{
    return alphabet == &wabin_hex ? hex_character(half)
                                  : nibble_character(half);
}

const uint8_t *wabin_unpack_scalar(const uint8_t *in, size_t in_size,
                                   const struct wabin_window *window,
                                   const struct wabin_alphabet *alphabet,
                                   char *out)
{
    (void)window;
    for (size_t i = 0; i < in_size; i++) {
        int high = character(alphabet, in[i] >> 4);
        int low = character(alphabet, in[i] & 15);
        if (high < 0 || low < 0)
            return NULL;
        out[2 * i] = (char)high;
        out[2 * i + 1] = (char)low;
    }
    return in + in_size;
}
