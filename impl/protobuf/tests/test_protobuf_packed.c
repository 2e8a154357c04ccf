/* SPDX-License-Identifier: MIT */
/* Packed views: codecs, states, reading, canonical writing. */
#include "testkit/testkit.h"

#include <stdlib.h>
#include <string.h>

#include "base/prng.h"
#include "protobuf/protobuf_packed.h"

#define CHECK_FAULT(expected, actual)                                         \
    CHECK_ENUM(protobuf_fault_name, expected, actual)

#define CODECS(X)                                                             \
    X(int32, int32_t)                                                         \
    X(int64, int64_t)                                                         \
    X(uint32, uint32_t)                                                       \
    X(uint64, uint64_t)                                                       \
    X(sint32, int32_t)                                                        \
    X(sint64, int64_t)                                                        \
    X(bool, bool)

/* What each codec reads in a payload, and what it writes again. */
struct codec_value {
    const char *text;
    const char *canonical;
};
enum { INT32, INT64, UINT32, UINT64, SINT32, SINT64, BOOL, CODEC_COUNT };
static const struct {
    const char *payload;
    struct codec_value values[CODEC_COUNT];
} value_rows[] = {
    {"",
     {{"[]", ""},
      {"[]", ""},
      {"[]", ""},
      {"[]", ""},
      {"[]", ""},
      {"[]", ""},
      {"[]", ""}}},
    {"090204",
     {{"[9, 2, 4]", "090204"},
      {"[9, 2, 4]", "090204"},
      {"[9, 2, 4]", "090204"},
      {"[9, 2, 4]", "090204"},
      {"[-5, 1, 2]", "090204"},
      {"[-5, 1, 2]", "090204"},
      {"[true, true, true]", "010101"}}},
    {"ac02",
     {{"[300]", "ac02"},
      {"[300]", "ac02"},
      {"[300]", "ac02"},
      {"[300]", "ac02"},
      {"[150]", "ac02"},
      {"[150]", "ac02"},
      {"[true]", "01"}}},
    {"8000",
     {{"[0]", "00"},
      {"[0]", "00"},
      {"[0]", "00"},
      {"[0]", "00"},
      {"[0]", "00"},
      {"[0]", "00"},
      {"[false]", "00"}}},
    {"818080808000",
     {{"[1]", "01"},
      {"[1]", "01"},
      {"[1]", "01"},
      {"[1]", "01"},
      {"[-1]", "01"},
      {"[-1]", "01"},
      {"[true]", "01"}}},
    {"8080808010",
     {{"[0]", "00"},
      {"[4294967296]", "8080808010"},
      {"[0]", "00"},
      {"[4294967296]", "8080808010"},
      {"[0]", "00"},
      {"[2147483648]", "8080808010"},
      {"[true]", "01"}}},
    {"ffffffff0f",
     {{"[-1]", "ffffffffffffffffff01"},
      {"[4294967295]", "ffffffff0f"},
      {"[4294967295]", "ffffffff0f"},
      {"[4294967295]", "ffffffff0f"},
      {"[-2147483648]", "ffffffff0f"},
      {"[-2147483648]", "ffffffff0f"},
      {"[true]", "01"}}},
    {"ffffffff1f",
     {{"[-1]", "ffffffffffffffffff01"},
      {"[8589934591]", "ffffffff1f"},
      {"[4294967295]", "ffffffff0f"},
      {"[8589934591]", "ffffffff1f"},
      {"[-2147483648]", "ffffffff0f"},
      {"[-4294967296]", "ffffffff1f"},
      {"[true]", "01"}}},
    {"ffffffffffffffffff01",
     {{"[-1]", "ffffffffffffffffff01"},
      {"[-1]", "ffffffffffffffffff01"},
      {"[4294967295]", "ffffffff0f"},
      {"[18446744073709551615]", "ffffffffffffffffff01"},
      {"[-2147483648]", "ffffffff0f"},
      {"[-9223372036854775808]", "ffffffffffffffffff01"},
      {"[true]", "01"}}},
    {"80808080808080808001",
     {{"[0]", "00"},
      {"[-9223372036854775808]", "80808080808080808001"},
      {"[0]", "00"},
      {"[9223372036854775808]", "80808080808080808001"},
      {"[0]", "00"},
      {"[4611686018427387904]", "80808080808080808001"},
      {"[true]", "01"}}},
    {"80808080808080808000",
     {{"[0]", "00"},
      {"[0]", "00"},
      {"[0]", "00"},
      {"[0]", "00"},
      {"[0]", "00"},
      {"[0]", "00"},
      {"[false]", "00"}}},
};

/* One payload through one codec: elements, count, size, canonical bytes, and
 * the same again from an array and from the canonical bytes. */
#define DEFINE_VALUE_TEST(codec, T)                                           \
    static void check_values_##codec(const uint8_t *in, size_t size,          \
                                     const struct codec_value *want)          \
    {                                                                         \
        struct protobuf_packed_##codec view, copy, again;                     \
        uint8_t out[64];                                                      \
        char text[200];                                                       \
        struct alloc_probe probe = {0};                                       \
        struct alloc memory = alloc_probe_alloc(&probe);                      \
        T *elements;                                                          \
                                                                              \
        CHECK_FAULT(PROTOBUF_OK,                                              \
                    protobuf_packed_##codec##_from(&view, in, size, NULL));   \
        CHECK_SIZE(strlen(want->text), protobuf_packed_##codec##_text(        \
                                           &view, text, sizeof(text)));       \
        CHECK_STR(want->text, text);                                          \
        size_t canonical_size;                                                \
        uint8_t *canonical = hex_new(want->canonical, &canonical_size);       \
        struct sink s = sink_init(out, canonical_size);                       \
        CHECK_SIZE(canonical_size, protobuf_packed_##codec##_size(&view));    \
        CHECK_STATUS(ST_OK, protobuf_packed_##codec##_write(&view, &s));      \
        CHECK_BYTES(canonical, canonical_size, out, s.at);                    \
        if (canonical_size != 0) {                                            \
            s = sink_init(out, canonical_size - 1);                           \
            CHECK_STATUS(ST_NO_SPACE,                                         \
                         protobuf_packed_##codec##_write(&view, &s));         \
            CHECK_SIZE(0, s.at);                                              \
        }                                                                     \
        CHECK_FAULT(PROTOBUF_OK, protobuf_packed_##codec##_to_array(          \
                                     &view, &memory, &elements));             \
        CHECK_FAULT(PROTOBUF_OK, protobuf_packed_##codec##_from_array(        \
                                     &copy, elements, view.count, NULL));     \
        CHECK_FAULT(PROTOBUF_OK,                                              \
                    protobuf_packed_##codec##_from(&again, canonical,         \
                                                   canonical_size, NULL));    \
        assert_true(protobuf_packed_##codec##_equal(&view, &copy));           \
        assert_true(protobuf_packed_##codec##_equal(&again, &copy));          \
        alloc_put(&memory, elements, view.count * sizeof(T));                 \
        CHECK_SIZE(0, probe.live_count);                                      \
        protobuf_packed_##codec##_free(&copy);                                \
        protobuf_packed_##codec##_free(&view);                                \
        free(canonical);                                                      \
    }
CODECS(DEFINE_VALUE_TEST)

static void test_value_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(value_rows); i++) {
        size_t size;
        uint8_t *bytes = hex_new(value_rows[i].payload, &size);
        const uint8_t *in = guard_copy(bytes, size);
        const struct codec_value *values = value_rows[i].values;

        check_values_int32(in, size, &values[INT32]);
        check_values_int64(in, size, &values[INT64]);
        check_values_uint32(in, size, &values[UINT32]);
        check_values_uint64(in, size, &values[UINT64]);
        check_values_sint32(in, size, &values[SINT32]);
        check_values_sint64(in, size, &values[SINT64]);
        check_values_bool(in, size, &values[BOOL]);
        guard_free(in, size);
        free(bytes);
    }
}

static const struct {
    const char *payload;
    enum protobuf_fault fault;
} error_rows[] = {
    {"80", PROTOBUF_TRUNCATED},
    {"0980", PROTOBUF_TRUNCATED},
    {"ffffffffffffffffff", PROTOBUF_TRUNCATED},
    {"ffffffffffffffffff02", PROTOBUF_VARINT_TOO_LONG},
    {"8080808080808080808001", PROTOBUF_VARINT_TOO_LONG},
    {"ffffffffffffffffffff", PROTOBUF_VARINT_TOO_LONG},
    {"01ffffffffffffffffff7f80", PROTOBUF_VARINT_TOO_LONG},
};

/* A refused payload leaves a view as it was, in each state and codec. */
#define DEFINE_ERROR_TEST(codec, T)                                           \
    static void check_errors_##codec(const uint8_t *in, size_t size,          \
                                     enum protobuf_fault fault)               \
    {                                                                         \
        struct protobuf_packed_##codec view, before;                          \
        static const uint8_t one[] = {1};                                     \
                                                                              \
        protobuf_packed_##codec##_init(&view, NULL);                          \
        before = view;                                                        \
        CHECK_FAULT(fault,                                                    \
                    protobuf_packed_##codec##_from(&view, in, size, NULL));   \
        CHECK_FAULT(fault,                                                    \
                    protobuf_packed_##codec##_extend(&view, in, size));       \
        assert_memory_equal(&before, &view, sizeof(view));                    \
        CHECK_FAULT(PROTOBUF_OK,                                              \
                    protobuf_packed_##codec##_extend(&view, one, 1));         \
        before = view;                                                        \
        CHECK_FAULT(fault,                                                    \
                    protobuf_packed_##codec##_extend(&view, in, size));       \
        assert_memory_equal(&before, &view, sizeof(view));                    \
        CHECK_FAULT(PROTOBUF_OK, protobuf_packed_##codec##_push(&view, 1));   \
        before = view;                                                        \
        CHECK_FAULT(fault,                                                    \
                    protobuf_packed_##codec##_extend(&view, in, size));       \
        assert_memory_equal(&before, &view, sizeof(view));                    \
        protobuf_packed_##codec##_free(&view);                                \
    }                                                                         \
    static void check_error_rows_##codec(void)                                \
    {                                                                         \
        for (size_t i = 0; i < ARRAY_COUNT(error_rows); i++) {                \
            size_t size;                                                      \
            uint8_t *bytes = hex_new(error_rows[i].payload, &size);           \
            const uint8_t *in = guard_copy(bytes, size);                      \
            check_errors_##codec(in, size, error_rows[i].fault);              \
            guard_free(in, size);                                             \
            free(bytes);                                                      \
        }                                                                     \
    }
CODECS(DEFINE_ERROR_TEST)

static void test_errors(void **state)
{
    (void)state;
#define RUN_ERROR_TEST(codec, T) check_error_rows_##codec();
    CODECS(RUN_ERROR_TEST)
}

static void check_text(const struct protobuf_packed_uint32 *view,
                       const char *want)
{
    char text[64];

    protobuf_packed_uint32_text(view, text, sizeof(text));
    CHECK_STR(want, text);
}

static void test_states(void **state)
{
    (void)state;
    static const uint8_t first[] = {9, 2}, second[] = {4}, cut[] = {0x80};
    struct alloc_probe probe = {0};
    struct alloc a = alloc_probe_alloc(&probe);
    struct protobuf_packed_uint32 view;

    CHECK_FAULT(PROTOBUF_OK, protobuf_packed_uint32_from(&view, first, 2, &a));
    CHECK_FAULT(PROTOBUF_OK, protobuf_packed_uint32_extend(&view, NULL, 0));
    assert_ptr_equal(first, view.payload);
    CHECK_SIZE(2, view.count);
    CHECK_SIZE(0, probe.calls); /* one record never allocates */

    CHECK_FAULT(PROTOBUF_OK, protobuf_packed_uint32_extend(&view, second, 1));
    assert_null(view.payload);
    check_text(&view, "[9, 2, 4]");
    CHECK_FAULT(PROTOBUF_TRUNCATED,
                protobuf_packed_uint32_extend(&view, cut, 1));
    check_text(&view, "[9, 2, 4]");
    CHECK_FAULT(PROTOBUF_OK, protobuf_packed_uint32_push(&view, 7));
    check_text(&view, "[9, 2, 4, 7]");
    CHECK_SIZE(4, protobuf_packed_uint32_size(&view));
    protobuf_packed_uint32_free(&view);
    CHECK_SIZE(0, probe.live_count);
    CHECK_SIZE(0, view.count);
}

static void test_text_cuts(void **state)
{
    (void)state;
    static const uint8_t in[] = {9, 2, 4};
    struct protobuf_packed_uint32 view;
    char text[6];

    CHECK_FAULT(PROTOBUF_OK, protobuf_packed_uint32_from(&view, in, 3, NULL));
    CHECK_SIZE(9, protobuf_packed_uint32_text(&view, NULL, 0));
    CHECK_SIZE(9, protobuf_packed_uint32_text(&view, text, sizeof(text)));
    CHECK_STR("[9, 2", text);
}

static void test_equality(void **state)
{
    (void)state;
    static const uint8_t in[] = {9, 0x82, 0x00}, other[] = {9, 3};
    struct protobuf_packed_uint32 a, b, c;

    CHECK_FAULT(PROTOBUF_OK, protobuf_packed_uint32_from(&a, in, 3, NULL));
    CHECK_FAULT(PROTOBUF_OK, protobuf_packed_uint32_from(&b, other, 2, NULL));
    CHECK_FAULT(PROTOBUF_OK, protobuf_packed_uint32_from(&c, other, 1, NULL));
    assert_false(protobuf_packed_uint32_equal(&a, &b));
    assert_false(protobuf_packed_uint32_equal(&a, &c));
    CHECK_FAULT(PROTOBUF_OK, protobuf_packed_uint32_push(&c, 2));
    assert_true(protobuf_packed_uint32_equal(&a, &c));
    protobuf_packed_uint32_free(&c);
}

/* Any way of cutting a list into packed and single records gives the same
 * elements; every allocation failing in turn leaves the view as it was. */
static void test_any_cut(void **state)
{
    (void)state;
    uint64_t seed = 3;
    uint8_t in[60];
    size_t at[61];

    for (int round = 0; round < 300; round++) {
        struct protobuf_packed_sint32 whole, cut;
        struct alloc_probe probe = {.fail_at = (size_t)round % 5};
        struct alloc a = alloc_probe_alloc(&probe);
        size_t n = 0, size = 0;

        while (size < 50) {
            at[n++] = size;
            for (uint64_t more = prng_below(&seed, 4); more > 1; more--)
                in[size++] = 0x80 | (uint8_t)prng_below(&seed, 128);
            in[size++] = (uint8_t)prng_below(&seed, 128);
        }
        at[n] = size;
        CHECK_FAULT(PROTOBUF_OK,
                    protobuf_packed_sint32_from(&whole, in, size, NULL));
        CHECK_SIZE(n, whole.count);
        protobuf_packed_sint32_init(&cut, &a);
        struct protobuf_packed_sint32_iter iter =
            protobuf_packed_sint32_iter(&whole);
        for (size_t i = 0; i < n;) {
            size_t piece = 1 + (size_t)prng_below(&seed, n - i);
            enum protobuf_fault fault;
            int32_t element = 0;
            size_t count = cut.count;
            struct protobuf_packed_sint32_iter here = iter;

            if (prng_below(&seed, 3) == 0) {
                piece = 1;
                assert_true(protobuf_packed_sint32_next(&iter, &element));
                fault = protobuf_packed_sint32_push(&cut, element);
            } else {
                CHECK_SIZE(piece, protobuf_packed_sint32_skip(&iter, piece));
                fault = protobuf_packed_sint32_extend(&cut, in + at[i],
                                                      at[i + piece] - at[i]);
            }
            if (fault == PROTOBUF_NO_MEMORY) {
                CHECK_SIZE(count, cut.count);
                iter = here; /* once more, which does not fail */
                continue;
            }
            CHECK_FAULT(PROTOBUF_OK, fault);
            i += piece;
            CHECK_SIZE(n - i, iter.left);
        }
        assert_true(protobuf_packed_sint32_equal(&whole, &cut));
        protobuf_packed_sint32_free(&cut);
        CHECK_SIZE(0, probe.live_count);
    }
}

static void test_skip_past_the_end(void **state)
{
    (void)state;
    static const uint64_t elements[] = {1, 300, UINT64_MAX};
    struct protobuf_packed_uint64 view;
    uint64_t got = 0;

    CHECK_FAULT(PROTOBUF_OK,
                protobuf_packed_uint64_from_array(&view, elements, 3, NULL));
    struct protobuf_packed_uint64_iter iter =
        protobuf_packed_uint64_iter(&view);
    CHECK_SIZE(2, protobuf_packed_uint64_skip(&iter, 2));
    struct protobuf_packed_uint64_iter other = iter;
    CHECK_SIZE(1, protobuf_packed_uint64_skip(&iter, 5));
    assert_false(protobuf_packed_uint64_next(&iter, &got));
    assert_true(protobuf_packed_uint64_next(&other, &got));
    CHECK_U64(UINT64_MAX, got);
    protobuf_packed_uint64_free(&view);
}

static void test_to_array_out_of_memory(void **state)
{
    (void)state;
    static const uint8_t in[] = {1, 2, 3};
    struct alloc_probe probe = {.fail_at = 1};
    struct alloc a = alloc_probe_alloc(&probe);
    struct protobuf_packed_bool view;
    bool *out = NULL;
    static const bool two[] = {true, false};

    CHECK_FAULT(PROTOBUF_OK, protobuf_packed_bool_from(&view, in, 3, NULL));
    CHECK_FAULT(PROTOBUF_NO_MEMORY,
                protobuf_packed_bool_to_array(&view, &a, &out));
    assert_null(out);
    probe = (struct alloc_probe){.fail_at = 1};
    CHECK_FAULT(PROTOBUF_NO_MEMORY,
                protobuf_packed_bool_from_array(&view, two, 2, &a));
    CHECK_SIZE(3, view.count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value_table),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_text_cuts),
        cmocka_unit_test(test_equality),
        cmocka_unit_test(test_any_cut),
        cmocka_unit_test(test_skip_past_the_end),
        cmocka_unit_test(test_to_array_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
