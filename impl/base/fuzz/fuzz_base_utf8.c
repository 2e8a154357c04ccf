/* SPDX-License-Identifier: MIT */
/* utf8_valid agrees with a decoder that computes each character. */
#include "base/utf8.h"
#include "testkit/fuzz.h"

/* Decode the character at p by the bit layout alone and judge its value;
 * returns its size, or 0. */
static size_t decode(const uint8_t *p, size_t left)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t size = p[0] < 0x80             ? 1
                  : (p[0] & 0xe0) == 0xc0 ? 2
                  : (p[0] & 0xf0) == 0xe0 ? 3
                  : (p[0] & 0xf8) == 0xf0 ? 4
                                          : 0;
    if (size == 0 || size > left)
        return 0;
    uint32_t value = size == 1 ? p[0] : p[0] & (0xffu >> (size + 1));
    for (size_t i = 1; i < size; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (p[i] & 0x3f);
    }
    bool surrogate = value >= 0xd800 && value <= 0xdfff;
    return value >= least[size] && value <= 0x10ffff && !surrogate ? size : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t at = 0;
    size_t step = 1;

    while (at < size && step != 0) {
        step = decode(data + at, size - at);
        at += step;
        /* A text up to a character's end stands by itself. */
        if (step > 1)
            FUZZ_CHECK(utf8_valid(data, at));
    }
    FUZZ_CHECK(utf8_valid(data, size) == (step != 0));
    return 0;
}
