/* SPDX-License-Identifier: MIT */
/* Packed strings: tables, all ways to unpack, and packing. */
#include "testkit/testkit.h"
#include "wabin/reference/wabin_ref.h"
#include "wabin/wabin.h"

#include <stdlib.h>

#define FRAME_SIZE 320

static const struct wabin_alphabet *const alphabets[] = {&wabin_nibbles,
                                                         &wabin_hex};

/* The characters of the format, written down a second time. */
static const char glyphs[2][17] = {"0123456789-.###", "0123456789ABCDEF"};

static int glyph(size_t alphabet, unsigned half)
{
    if (alphabet == 0 && half == 15)
        return '\0';
    char c = glyphs[alphabet][half];
    return c == '#' ? -1 : c;
}

static void test_tables_follow_the_rule(void **state)
{
    (void)state;
    for (size_t a = 0; a < 2; a++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            int high = glyph(a, byte >> 4), low = glyph(a, byte & 15);
            CHECK_U64((uint8_t)high, alphabets[a]->pairs[byte][0]);
            CHECK_U64((uint8_t)low, alphabets[a]->pairs[byte][1]);
            CHECK_U64((uint8_t)low, alphabets[a]->glyphs[byte & 15]);
        }
    }
}

/* ---- ways to unpack ---------------------------------------------------- */

/** One value in a frame, which ends at a guard page. */
struct value {
    const uint8_t *frame;
    size_t frame_size;
    size_t at;
    size_t size;
    size_t alphabet;
};

static bool unpack(wabin_unpack_fn *fn, const struct value *v, char *out)
{
    struct wabin_window window = {v->frame, v->frame + v->frame_size};
    const uint8_t *in = v->frame + v->at;
    const uint8_t *end = fn(in, v->size, &window, alphabets[v->alphabet], out);

    if (end != NULL && end != in + v->size)
        CHECK_FAIL("unpacking ends %td bytes on, not %zu", end - in, v->size);
    return end != NULL;
}

/* Same result as half by half, in exactly the room that may be used. */
static void check_way(wabin_unpack_fn *fn, const struct value *v)
{
    char want[2 * WABIN_PACKED_MAX];
    size_t room = 2 * v->size + WABIN_DOC_SLACK;
    uint8_t *out = guard_new(room);
    bool good = unpack(wabin_unpack_scalar, v, want);

    CHECK_BOOL(good, unpack(fn, v, (char *)out));
    if (good)
        CHECK_BYTES(want, 2 * v->size, out, 2 * v->size);
    guard_free(out, room);
}

static wabin_unpack_fn *const ways[] = {
    wabin_unpack_table,
#if defined(__x86_64__)
    wabin_unpack_ssse3,
#endif
};

static void check_ways(const struct value *v)
{
    for (size_t i = 0; i < ARRAY_COUNT(ways); i++)
        check_way(ways[i], v);
}

/* Every size, with every number of bytes before and behind it that matters
 * to what may be read too much. */
static void test_ways_agree_wherever_a_value_stands(void **state)
{
    (void)state;
    uint8_t bytes[FRAME_SIZE];

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(i * 37 % 10 << 4 | i * 11 % 10);
    for (size_t size = 1; size <= WABIN_PACKED_MAX; size++) {
        for (size_t before = 0; before <= 17; before += 1 + before / 4) {
            for (size_t behind = 0; behind <= 17; behind += 1 + behind / 4) {
                size_t frame_size = before + size + behind;
                struct value v = {
                    .frame = guard_copy(bytes, frame_size),
                    .frame_size = frame_size,
                    .at = before,
                    .size = size,
                    .alphabet = size & 1,
                };
                check_ways(&v);
                guard_free(v.frame, frame_size);
            }
        }
    }
}

/* A bad half in each place, and bad neighbours that do not count. */
static void test_ways_agree_on_bad_halves(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 7, 10, 15, 16, 17, 33, 127};

    for (size_t s = 0; s < ARRAY_COUNT(sizes); s++) {
        size_t size = sizes[s], frame_size = size + 40;
        uint8_t *frame = guard_new(frame_size);
        struct value v = {frame, frame_size, 20, size, 0};
        memset(frame, 0xee, frame_size);
        memset(frame + 20, 0x1f, size); /* 15 is a character */
        check_ways(&v);
        for (size_t at = 0; at < size; at++) {
            for (unsigned half = 12; half <= 14; half++) {
                frame[20 + at] = (uint8_t)(half << 4);
                check_ways(&v);
                frame[20 + at] = (uint8_t)half;
                check_ways(&v);
            }
            v.alphabet = 1; /* which has sixteen characters */
            check_ways(&v);
            v.alphabet = 0;
            frame[20 + at] = 0x1f;
        }
        guard_free(frame, frame_size);
    }
}

static void test_bad_half_names_the_first(void **state)
{
    (void)state;
    static const uint8_t both[] = {0x12, 0xde};
    static const uint8_t earlier[] = {0x1e, 0xc1};
    size_t at = 77;

    CHECK_U64(13, wabin_bad_half(both, 2, &wabin_nibbles, &at));
    CHECK_SIZE(1, at);
    CHECK_U64(14, wabin_bad_half(earlier, 2, &wabin_nibbles, &at));
    CHECK_SIZE(0, at);
}

static void test_fastest_is_one_of_them(void **state)
{
    (void)state;
    wabin_unpack_fn *fastest = wabin_unpack_fastest();
    bool known = false;

    for (size_t i = 0; i < ARRAY_COUNT(ways); i++)
        known |= fastest == ways[i];
    CHECK_BOOL(true, known);
}

/* ---- packing ----------------------------------------------------------- */

static void check_packing(enum wabin_packing want, const char *text)
{
    CHECK_U64(want, wabin_packing(wabin_str(text, strlen(text))));
}

static void test_packing(void **state)
{
    (void)state;
    check_packing(WABIN_NIBBLES, "0");
    check_packing(WABIN_NIBBLES, "-.0123456789");
    check_packing(WABIN_HEX, "12A");
    check_packing(WABIN_HEX, "0123456789ABCDEF");
    check_packing(WABIN_RAW, "abcdef");
    check_packing(WABIN_RAW, "ABCDEf");
    check_packing(WABIN_RAW, "A-B");
    check_packing(WABIN_RAW, "1.A");
    check_packing(WABIN_RAW, "G");
    CHECK_U64(WABIN_RAW, wabin_packing(wabin_str("1\0", 2)));
    for (unsigned byte = 0; byte < 256; byte++) {
        char c = (char)byte;
        bool nibble = byte != 0 && strchr("0123456789-.", c) != NULL;
        bool hex = byte != 0 && strchr("ABCDEF", c) != NULL;
        CHECK_U64(nibble ? WABIN_NIBBLES
                  : hex  ? WABIN_HEX
                         : WABIN_RAW,
                  wabin_packing(wabin_str(&c, 1)));
    }
}

/* One attribute value, there and back. */
static void check_round_trip(struct wabin_str text, uint8_t tag)
{
    struct wabin_attr attr = {WABIN_STR("v"), wabin_value_text(text)};
    struct wabin_node node = {
        .tag = WABIN_STR("t"), .attrs = &attr, .attr_count = 1};
    struct wabin_buf frame = {0};
    const struct wabin_node *root;
    struct wabin_doc doc;

    wabin_doc_init(&doc, NULL);
    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_marshal_exact(&node, &frame, NULL));
    if (wabin_token_find(text) == 0)
        CHECK_U64(tag, frame.data[5]);
    for (size_t i = 0; i < ARRAY_COUNT(ways); i++) {
        doc.unpack = ways[i];
        CHECK_ENUM(
            wabin_status_name, WABIN_OK,
            wabin_decode_frame(&doc, frame.data, frame.size, &root, NULL));
        struct wabin_str back = root->attrs[0].value.text;
        CHECK_BYTES(text.data, text.size, back.data, back.size);
    }
    wabin_doc_release(&doc);
    wabin_buf_release(&frame);
}

static void test_round_trips(void **state)
{
    (void)state;
    static const size_t sizes[] = {1,  2,  3,  15,  16,  17, 31,
                                   32, 33, 63, 100, 127, 128};
    static const struct {
        const char *cycle;
        uint8_t tag;
    } alphabet[] = {{"0123456789ABCDEF", 0xfb}, {"0123456789-.", 0xff}};

    for (size_t a = 0; a < 2; a++) {
        for (size_t i = 0; i < ARRAY_COUNT(sizes); i++) {
            char text[128];
            size_t period = strlen(alphabet[a].cycle);
            for (size_t k = 0; k < sizes[i]; k++)
                text[k] = alphabet[a].cycle[k % period];
            /* Short hex of digits alone is nibbles; 128 is too long. */
            uint8_t tag = sizes[i] > 127             ? 0xfc
                          : a == 0 && sizes[i] <= 10 ? 0xff
                                                     : alphabet[a].tag;
            check_round_trip(wabin_str(text, sizes[i]), tag);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_follow_the_rule),
        cmocka_unit_test(test_ways_agree_wherever_a_value_stands),
        cmocka_unit_test(test_ways_agree_on_bad_halves),
        cmocka_unit_test(test_bad_half_names_the_first),
        cmocka_unit_test(test_fastest_is_one_of_them),
        cmocka_unit_test(test_packing),
        cmocka_unit_test(test_round_trips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
