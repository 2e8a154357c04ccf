/* SPDX-License-Identifier: MIT */
/* UTF-8: every character, every pair and triple of bytes, every prefix, and
 * each sequence at each place around the words of the fast path. */
#include "base/utf8.h"
#include "testkit/testkit.h"

#include <string.h>

/* Write one character by the bit layout; any value up to 21 bits. */
static size_t put_character(uint32_t value, uint8_t out[4])
{
    if (value < 0x80) {
        out[0] = (uint8_t)value;
        return 1;
    }
    size_t size = value < 0x800 ? 2 : value < 0x10000 ? 3 : 4;
    for (size_t i = size - 1; i > 0; i--) {
        out[i] = (uint8_t)(0x80 | (value & 0x3f));
        value >>= 6;
    }
    out[0] = (uint8_t)((0xf00 >> size) | value);
    return size;
}

static bool is_surrogate(uint32_t value)
{
    return value >= 0xd800 && value <= 0xdfff;
}

/* Every value of four bytes' layout: exactly Unicode's scalars are valid, and
 * no proper prefix is. */
static void test_every_character(void **state)
{
    (void)state;

    for (uint32_t value = 0; value <= 0x1fffff; value++) {
        uint8_t text[4];
        size_t size = put_character(value, text);
        bool want = value <= 0x10ffff && !is_surrogate(value);
        if (utf8_valid(text, size) != want)
            CHECK_FAIL("U+%06X: expected %d", value, want);
        for (size_t cut = 1; cut < size; cut++) {
            if (utf8_valid(text, cut))
                CHECK_FAIL("U+%06X valid at %zu bytes", value, cut);
        }
    }
}

/* The valid strings of up to three bytes, counted: characters of a size times
 * the ways to put them together. */
static void test_every_short_string(void **state)
{
    (void)state;
    const uint64_t ones = 128, twos = 1920, threes = 61440;
    uint64_t counts[4] = {0};

    for (uint32_t bits = 0; bits < 1 << 24; bits++) {
        const uint8_t text[] = {(uint8_t)(bits >> 16), (uint8_t)(bits >> 8),
                                (uint8_t)bits};
        counts[3] += utf8_valid(text, 3);
        counts[2] += bits < 1 << 16 && utf8_valid(text + 1, 2);
        counts[1] += bits < 1 << 8 && utf8_valid(text + 2, 1);
    }
    CHECK_U64(ones, counts[1]);
    CHECK_U64(ones * ones + twos, counts[2]);
    CHECK_U64(ones * ones * ones + 2 * ones * twos + threes, counts[3]);
}

/* Unicode, table 3-7, row by row: first and last of each range. */
static const char *const valid_texts[] = {
    "",
    "00",
    "7f",
    "c2 80",
    "df bf",
    "e0 a0 80",
    "e0 bf bf",
    "e1 80 80",
    "ec bf bf",
    "ed 80 80",
    "ed 9f bf",
    "ee 80 80",
    "ef bf bf",
    "f0 90 80 80",
    "f0 bf bf bf",
    "f1 80 80 80",
    "f3 bf bf bf",
    "f4 80 80 80",
    "f4 8f bf bf",
    "41 c3 a9 e2 82 ac f0 9f 98 80",
};

/* One step outside each of those ranges, in each byte. */
static const char *const invalid_texts[] = {
    "80",
    "bf",
    "c0 80",
    "c1 bf",
    "c2",
    "c2 7f",
    "c2 c0",
    "df c0",
    "e0 9f bf",
    "e0 a0",
    "e0 a0 7f",
    "e0 a0 c0",
    "e0 c0 80",
    "e1 7f 80",
    "ec c0 80",
    "ed a0 80",
    "ed bf bf",
    "ef bf",
    "ef bf c0",
    "f0 8f bf bf",
    "f0 90 80",
    "f0 90 7f 80",
    "f0 90 80 7f",
    "f0 90 c0 80",
    "f0 90 80 c0",
    "f0 c0 80 80",
    "f1 7f 80 80",
    "f3 c0 80 80",
    "f4 90 80 80",
    "f4 7f 80 80",
    "f5 80 80 80",
    "f8 88 80 80 80",
    "fe",
    "ff",
    "41 80",
    "c3 a9 a9",
    "ed a0 80 ed b0 80",
};

/* A text at each offset of a run of ASCII, so that it meets the word loop at
 * every alignment, before and after. */
static void check_at_every_place(const char *hex, bool want)
{
    uint8_t text[16];
    size_t size = hex_decode(hex, text, sizeof(text));

    for (size_t before = 0; before <= 17; before++) {
        for (size_t after = 0; after <= 17; after++) {
            size_t whole = before + size + after;
            uint8_t *in = guard_new(whole);
            memset(in, 'x', whole);
            memcpy(in + before, text, size);
            if (utf8_valid(in, whole) != want)
                CHECK_FAIL("%s between %zu and %zu letters: expected %d", hex,
                           before, after, want);
            guard_free(in, whole);
        }
    }
}

static void test_boundaries_of_each_range(void **state)
{
    (void)state;

    for (size_t i = 0; i < ARRAY_COUNT(valid_texts); i++)
        check_at_every_place(valid_texts[i], true);
    for (size_t i = 0; i < ARRAY_COUNT(invalid_texts); i++)
        check_at_every_place(invalid_texts[i], false);
}

/* A prefix is valid exactly when it ends with a character. */
static void test_every_prefix(void **state)
{
    (void)state;
    static const uint32_t characters[] = {'a',      0xe9,  0x20ac, 0x1f600,
                                          0x10ffff, 0x7ff, 'z',    0xffff};
    uint8_t text[64];
    bool ends[64] = {true};
    size_t size = 0;

    for (size_t i = 0; i < ARRAY_COUNT(characters); i++) {
        size += put_character(characters[i], text + size);
        ends[size] = true;
    }
    for (size_t cut = 0; cut <= size; cut++) {
        const uint8_t *in = guard_copy(text, cut);
        if (utf8_valid(in, cut) != ends[cut])
            CHECK_FAIL("prefix of %zu bytes: expected %d", cut, ends[cut]);
        guard_free(in, cut);
    }
}

static void test_no_text(void **state)
{
    (void)state;
    CHECK_BOOL(true, utf8_valid(NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_character),
        cmocka_unit_test(test_every_short_string),
        cmocka_unit_test(test_boundaries_of_each_range),
        cmocka_unit_test(test_every_prefix),
        cmocka_unit_test(test_no_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
