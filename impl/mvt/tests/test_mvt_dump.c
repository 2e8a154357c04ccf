/* SPDX-License-Identifier: MIT */
/* The dump: numbers, escapes, and the layout. */
#include "mvt/tests/mvt_check.h"

#include <float.h>
#include <math.h>

static void check_number(const char *want, double number, bool is_float)
{
    char text[MVT_NUMBER_TEXT_MAX];

    CHECK_SIZE(strlen(want), mvt_number_text(number, is_float, text));
    CHECK_STR(want, text);
}

static void test_numbers(void **state)
{
    (void)state;
    check_number("1", 1, true);
    check_number("-0", -0.0, true);
    check_number("0", 0, false);
    check_number("3.1", (double)3.1f, true);
    check_number("3.0999999046325684", (double)3.1f, false);
    check_number("1000000000000000000000", 1e21, false);
    check_number("0.0000001", 1e-7, false);
    check_number("340282350000000000000000000000000000000", (double)FLT_MAX,
                 true);
    check_number("NaN", (double)NAN, true);
    check_number("inf", INFINITY, false);
    check_number("-inf", -INFINITY, false);
    check_number("1.23", 1.23, false);
    check_number("-1234.5", -1234.5, false);
    check_number("16777216", 16777216, true);
    check_number("9007199254740992", 9007199254740992.0, false);
}

/* Where the nearest short decimal misses: just above a power of two. */
static void test_powers_of_two(void **state)
{
    (void)state;
    char text[MVT_NUMBER_TEXT_MAX];

    for (int e = -1074; e <= 1023; e++) {
        double number = ldexp(1, e);
        mvt_number_text(number, false, text);
        assert_true(strtod(text, NULL) == number);
    }
    for (int e = -149; e <= 127; e++) {
        float number = ldexpf(1, e);
        mvt_number_text((double)number, true, text);
        assert_true(strtof(text, NULL) == number);
    }
    check_number("0.000000000000000000000000000000000000000000001", 0x1p-149,
                 true);
    /* 2^-44: 16 digits reach it only from above */
    check_number("0.00000000000005684341886080802", 0x1p-44, false);
    check_number("0.00000095367431640625", 0x1p-20, false);
}

static void test_escapes(void **state)
{
    (void)state;
    static const uint32_t escaped[] = {0x80,   0xa0,   0xad,     0x300,
                                       0x200b, 0x2028, 0x10ffff, 0xe000};
    static const uint32_t plain[] = {0xa1,    0xe9,  0x65e5,
                                     0x1f600, 0x2ff, 0x370};

    for (size_t i = 0; i < ARRAY_COUNT(escaped); i++)
        assert_true(mvt_is_escaped(escaped[i]));
    for (size_t i = 0; i < ARRAY_COUNT(plain); i++)
        assert_false(mvt_is_escaped(plain[i]));
    size_t count = 0;
    for (uint32_t c = 0x80; c <= 0x10ffff; c++)
        count += mvt_is_escaped(c);
    CHECK_SIZE(956601, count); /* all of the 905 ranges */
}

struct text {
    char *data;
    size_t size;
    size_t pieces_left;
};

static bool put(void *ctx, const char *data, size_t size)
{
    struct text *t = ctx;

    if (t->pieces_left-- == 0)
        return false;
    t->data = realloc(t->data, t->size + size + 1);
    assert_non_null(t->data);
    memcpy(t->data + t->size, data, size);
    t->size += size;
    t->data[t->size] = '\0';
    return true;
}

static void check_dump(const char *hex, const char *want)
{
    struct text t = {.pieces_left = SIZE_MAX};
    struct mvt_reader r;
    size_t size;
    uint8_t *tile = hex_new(hex, &size);

    open_ok(&r, PROTOBUF_PATH_BEST, tile, size);
    CHECK_FAULT(MVT_OK, mvt_dump(&r, put, &t, NULL));
    if (want[0] == '\0')
        assert_null(t.data);
    else
        CHECK_STR(want, t.data);
    free(t.data);
    mvt_reader_free(&r);
    free(tile);
}

static void test_layout(void **state)
{
    (void)state;
    check_dump("", "");
    check_dump("1a05 0a0161 7802 1a07 0a0162 7803 2805",
               "layer: 0\n  name: a\n  version: 2\n  extent: 4096\n"
               "============================================================="
               "\n"
               "layer: 1\n  name: b\n  version: 3\n  extent: 5\n");
    /* no id, no type, no tags */
    check_dump("1a07 0a0161 7802 1200",
               "layer: 0\n  name: a\n  version: 2\n  extent: 4096\n"
               "  feature: 0\n    id: (none)\n"
               "    geometry: <invalid geometry: invalid geometry command "
               "stream>\n"
               "    properties: (none)\n");
    /* a point without commands, id 0 */
    check_dump("1a0b 0a0161 7802 1204 0800 1801",
               "layer: 0\n  name: a\n  version: 2\n  extent: 4096\n"
               "  feature: 0\n    id: 0\n    geometry:\n"
               "    properties: (none)\n");
    /* two points; a wrong pair and a lone tag */
    check_dump("1a15 0a0161 7802 120e 1801 2205 110a0e0309 1203 050001",
               "layer: 0\n  name: a\n  version: 2\n  extent: 4096\n"
               "  feature: 0\n    id: (none)\n    geometry:\n"
               "      POINT(5,7)\n      POINT(3,2)\n    properties:\n"
               "      <invalid property: invalid key index 5>\n"
               "      <invalid property: invalid feature tags length: 1>\n");
    /* a polygon with one ring */
    check_dump("1a14 0a0161 7802 120d 1803 2209 09000012020202020f",
               "layer: 0\n  name: a\n  version: 2\n  extent: 4096\n"
               "  feature: 0\n    id: (none)\n"
               "    geometry: RING[count=4](0 0,1 1,2 2,0 0)[OUTER]\n"
               "    properties: (none)\n");
}

/* e + U+0301, U+00A0, U+200B and a kanji; quotes, controls, NUL. */
static void test_string_escapes(void **state)
{
    (void)state;
    check_dump(
        "1a2a 0a0161 7802 1206 1801 1202 0000 1a016b 2218 0a16 65cc81 c2a0 "
        "e2808b e697a5 225c0a0d0900017f20 2761",
        "layer: 0\n  name: a\n  version: 2\n  extent: 4096\n"
        "  feature: 0\n    id: (none)\n    geometry:\n    properties:\n"
        "      k = \"e\\u{301}\\u{a0}\\u{200b}\xe6\x97\xa5\\\"\\\\\\n\\r\\t\\0"
        "\\u{1}\\u{7f} 'a\"\n");
}

static void test_stops_and_memory(void **state)
{
    (void)state;
    struct text t = {.pieces_left = 0};
    struct mvt_reader r;
    size_t size;
    uint8_t *tile =
        hex_new("1a12 0a0161 7802 120b 1803 2207 0900000a02020f", &size);
    struct alloc_probe probe = {.fail_at = 1};
    struct alloc a = alloc_probe_alloc(&probe);

    open_ok(&r, PROTOBUF_PATH_BEST, tile, size);
    CHECK_FAULT(MVT_END, mvt_dump(&r, put, &t, NULL));
    CHECK_FAULT(MVT_NO_MEMORY, mvt_dump(&r, put, &t, &a));
    CHECK_SIZE(0, probe.live_count);
    mvt_reader_free(&r);
    free(tile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_powers_of_two),
        cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_string_escapes),
        cmocka_unit_test(test_stops_and_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
