/* SPDX-License-Identifier: MIT */
/* Packed views: what each codec reads and writes, and refuses. */
#include "testkit/testkit.h"

#include <stdlib.h>
#include <string.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value_table),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
