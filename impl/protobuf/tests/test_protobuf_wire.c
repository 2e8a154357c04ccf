/* SPDX-License-Identifier: MIT */
/* Varints, tags, lengths, fixed-width values, and skipping. */
#include "testkit/testkit.h"

#include <stdio.h>
#include <stdlib.h>

#include "protobuf/protobuf_wire.h"

#define CHECK_FAULT(expected, actual)                                         \
    CHECK_ENUM(protobuf_fault_name, expected, actual)

struct varint_row {
    const char *hex;
    enum protobuf_fault fault;
    uint64_t value;
    size_t size;
};

static const struct varint_row varint_rows[] = {
    {"00", PROTOBUF_OK, 0, 1},
    {"7f", PROTOBUF_OK, 127, 1},
    {"ac02", PROTOBUF_OK, 300, 2},
    {"8000", PROTOBUF_OK, 0, 2},
    {"80808080808080808000", PROTOBUF_OK, 0, 10},
    {"ffffffffffffffffff01", PROTOBUF_OK, UINT64_MAX, 10},
    {"80808080808080808001", PROTOBUF_OK, UINT64_C(1) << 63, 10},
    {"ffffffff0f05", PROTOBUF_OK, UINT32_MAX, 5},
    {"", PROTOBUF_TRUNCATED, 0, 0},
    {"80", PROTOBUF_TRUNCATED, 0, 0},
    {"ffffffffffffffffff", PROTOBUF_TRUNCATED, 0, 0},
    {"ffffffffffffffffff02", PROTOBUF_VARINT_TOO_LONG, 0, 0},
    {"8080808080808080808001", PROTOBUF_VARINT_TOO_LONG, 0, 0},
    {"80808080808080808080", PROTOBUF_VARINT_TOO_LONG, 0, 0},
};

static void test_varint_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(varint_rows); i++) {
        const struct varint_row *row = &varint_rows[i];
        size_t size;
        uint8_t *bytes = hex_new(row->hex, &size);
        const uint8_t *in = guard_copy(bytes, size);
        struct cursor c = cursor_init(in, size);
        uint64_t value = 77;

        CHECK_FAULT(row->fault, protobuf_take_varint(&c, &value));
        CHECK_U64(row->fault == PROTOBUF_OK ? row->value : 77, value);
        CHECK_SIZE(row->size, c.at);
        CHECK_FAULT(row->fault, protobuf_varint_fault(in, in + size));
        guard_free(in, size);
        free(bytes);
    }
}

static void test_varint_round_trip(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 64; bit++) {
        for (int off = -1; off <= 1; off++) {
            uint64_t v = (UINT64_C(1) << bit) + (uint64_t)(int64_t)off, got;
            uint8_t out[PROTOBUF_VARINT_SIZE_MAX];
            size_t n = protobuf_varint_size(v);
            struct sink small = sink_init(out, n - 1);
            struct sink s = sink_init(out, n);

            CHECK_STATUS(ST_NO_SPACE, protobuf_put_varint(&small, v));
            CHECK_SIZE(0, small.at);
            CHECK_STATUS(ST_OK, protobuf_put_varint(&s, v));
            CHECK_SIZE(n, s.at);
            struct cursor c = cursor_init(out, n);
            CHECK_FAULT(PROTOBUF_OK, protobuf_take_varint(&c, &got));
            CHECK_U64(v, got);
            CHECK_SIZE(n, c.at);
        }
    }
}

static void test_zigzag(void **state)
{
    (void)state;
    static const struct {
        int32_t plain;
        uint32_t coded;
    } rows[] = {
        {0, 0},
        {-1, 1},
        {1, 2},
        {25, 50},
        {-5, 9},
        {INT32_MIN, UINT32_MAX},
        {INT32_MAX, UINT32_MAX - 1},
    };

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        CHECK_U64(rows[i].coded, protobuf_zigzag32(rows[i].plain));
        CHECK_I64(rows[i].plain, protobuf_unzigzag32(rows[i].coded));
        CHECK_I64(rows[i].plain, protobuf_unzigzag64(rows[i].coded));
        CHECK_U64(rows[i].coded, protobuf_zigzag64(rows[i].plain));
    }
    CHECK_U64(UINT64_MAX, protobuf_zigzag64(INT64_MIN));
    CHECK_I64(INT64_MIN, protobuf_unzigzag64(UINT64_MAX));
    CHECK_I64(INT64_MAX, protobuf_unzigzag64(UINT64_MAX - 1));
}

struct tag_row {
    const char *hex;
    enum protobuf_fault fault;
    uint32_t tag;
    const char *text;
};

static const struct tag_row tag_rows[] = {
    {"1a", PROTOBUF_OK, 0x1a, NULL},
    {"9a00", PROTOBUF_OK, 0x1a, NULL},
    {"f8ffffff0f", PROTOBUF_OK, UINT32_MAX - 7, NULL},
    {"f8ffffff1f", PROTOBUF_FIELD_NUMBER, 0, "invalid field number"},
    {"8080808010", PROTOBUF_FIELD_NUMBER, 0, "invalid field number"},
    {"00", PROTOBUF_FIELD_NUMBER, 0, "invalid field number"},
    {"05", PROTOBUF_FIELD_NUMBER, 0, "invalid field number"},
    {"06", PROTOBUF_WIRE_TYPE, 0, "invalid wire type: 6"},
    {"07", PROTOBUF_WIRE_TYPE, 0, "invalid wire type: 7"},
    {"0f", PROTOBUF_WIRE_TYPE, 0, "invalid wire type: 7"},
    {"", PROTOBUF_TRUNCATED, 0, "unexpected end of buffer"},
    {"80", PROTOBUF_TRUNCATED, 0, "unexpected end of buffer"},
};

static void test_tag_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(tag_rows); i++) {
        const struct tag_row *row = &tag_rows[i];
        size_t size;
        uint8_t *bytes = hex_new(row->hex, &size);
        const uint8_t *in = guard_copy(bytes, size);
        struct cursor c = cursor_init(in, size);
        struct protobuf_error error = {.at = 99};
        uint32_t tag = 77;
        char text[64];

        CHECK_FAULT(row->fault, protobuf_take_tag(&c, &tag, &error));
        if (row->fault == PROTOBUF_OK) {
            CHECK_U64(row->tag, tag);
            CHECK_SIZE(size, c.at);
        } else {
            CHECK_U64(77, tag);
            CHECK_SIZE(0, c.at);
            CHECK_SIZE(0, error.at);
            protobuf_error_text(&error, text, sizeof(text));
            CHECK_STR(row->text, text);
        }
        guard_free(in, size);
        free(bytes);
    }
}

/* Values after the tag, and what stepping over them gives. */
struct skip_row {
    const char *hex;
    uint32_t tag;
    uint32_t depth;
    enum protobuf_fault fault;
    size_t at; /* behind the value, or of the token that failed */
};

static const struct skip_row skip_rows[] = {
    {"05ff", 0x20, 0, PROTOBUF_OK, 1},
    {"80", 0x20, 0, PROTOBUF_TRUNCATED, 0},
    {"ffffffffffffffffff02", 0x20, 0, PROTOBUF_VARINT_TOO_LONG, 0},
    {"010203040506070809", 0x21, 0, PROTOBUF_OK, 8},
    {"01020304050607", 0x21, 0, PROTOBUF_TRUNCATED, 0},
    {"0102030405", 0x25, 0, PROTOBUF_OK, 4},
    {"010203", 0x25, 0, PROTOBUF_TRUNCATED, 0},
    {"02aabbcc", 0x22, 0, PROTOBUF_OK, 3},
    {"02aa", 0x22, 0, PROTOBUF_TRUNCATED, 0},
    {"ffffffffffffffffff01", 0x22, 0, PROTOBUF_TRUNCATED, 0},
    {"2405", 0x23, 1, PROTOBUF_OK, 1},
    {"24", 0x23, 0, PROTOBUF_DEPTH, 0},
    {"2b2c24", 0x23, 2, PROTOBUF_OK, 3},
    {"2b2c24", 0x23, 1, PROTOBUF_DEPTH, 0},
    {"2c", 0x23, 1, PROTOBUF_END_GROUP, 0},
    {"2b242c", 0x23, 2, PROTOBUF_END_GROUP, 1},
    {"", 0x23, 1, PROTOBUF_TRUNCATED, 0},
    {"2801", 0x23, 1, PROTOBUF_TRUNCATED, 2},
    {"07", 0x23, 1, PROTOBUF_WIRE_TYPE, 0},
    {"00", 0x23, 1, PROTOBUF_FIELD_NUMBER, 0},
    {"", 0x24, 9, PROTOBUF_WIRE_TYPE, 0},
    /* every wire type inside a group, the end tag overlong */
    {"28012901020304050607082a01ff2d01020304a400", 0x23, 1, PROTOBUF_OK, 21},
};

static void test_skip_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(skip_rows); i++) {
        const struct skip_row *row = &skip_rows[i];
        size_t size;
        uint8_t *bytes = hex_new(row->hex, &size);
        const uint8_t *in = guard_copy(bytes, size);
        struct cursor c = cursor_init(in, size);
        struct protobuf_error error = {0};

        print_message("skip row %zu: %s\n", i, row->hex);
        CHECK_FAULT(row->fault,
                    protobuf_skip(&c, row->tag, row->depth, &error));
        if (row->fault == PROTOBUF_OK) {
            CHECK_SIZE(row->at, c.at);
        } else {
            CHECK_SIZE(0, c.at);
            CHECK_FAULT(row->fault, error.fault);
            /* the depth error is at the tag that opens too deep: the outer
             * one stands before the cursor */
            if (row->fault != PROTOBUF_DEPTH)
                CHECK_SIZE(row->at, error.at);
        }
        guard_free(in, size);
        free(bytes);
    }
}

static void test_skip_depth_limit(void **state)
{
    (void)state;
    uint8_t in[2 * PROTOBUF_DEPTH_MAX];
    struct protobuf_error error;
    struct cursor c;

    memset(in, 0x23, PROTOBUF_DEPTH_MAX - 1);
    memset(in + PROTOBUF_DEPTH_MAX - 1, 0x24, PROTOBUF_DEPTH_MAX);
    c = cursor_init(in, sizeof(in) - 1);
    CHECK_FAULT(PROTOBUF_OK,
                protobuf_skip(&c, 0x23, PROTOBUF_DEPTH_MAX, &error));
    CHECK_SIZE(sizeof(in) - 1, c.at);
    c = cursor_init(in, sizeof(in) - 1);
    CHECK_FAULT(PROTOBUF_DEPTH,
                protobuf_skip(&c, 0x23, PROTOBUF_DEPTH_MAX - 1, &error));
    CHECK_SIZE(PROTOBUF_DEPTH_MAX - 2, error.at);
}

static void test_bytes_and_fixed(void **state)
{
    (void)state;
    static const uint8_t in[] = {0x02, 0xaa, 0xbb, 1, 2, 3, 4, 1, 2,
                                 3,    4,    5,    6, 7, 8, 3, 0, 0};
    struct cursor c = cursor_init(in, sizeof(in));
    const uint8_t *bytes;
    uint64_t wide;
    uint32_t narrow;
    size_t size;

    CHECK_FAULT(PROTOBUF_OK, protobuf_take_bytes(&c, &bytes, &size));
    CHECK_BYTES(in + 1, 2, bytes, size);
    CHECK_FAULT(PROTOBUF_OK, protobuf_take_fixed32(&c, &narrow));
    CHECK_U64(0x04030201, narrow);
    CHECK_FAULT(PROTOBUF_OK, protobuf_take_fixed64(&c, &wide));
    CHECK_U64(UINT64_C(0x0807060504030201), wide);
    CHECK_FAULT(PROTOBUF_TRUNCATED, protobuf_take_bytes(&c, &bytes, &size));
    CHECK_FAULT(PROTOBUF_TRUNCATED, protobuf_take_fixed32(&c, &narrow));
    CHECK_FAULT(PROTOBUF_TRUNCATED, protobuf_take_fixed64(&c, &wide));
    CHECK_SIZE(15, c.at);
}

static void test_error_texts(void **state)
{
    (void)state;
    char text[160], small[8];
    struct protobuf_error error;

    CHECK_FAULT(PROTOBUF_MISMATCH, protobuf_mismatch(0x1b, 2, 7, &error));
    CHECK_SIZE(7, error.at);
    size_t size = protobuf_error_text(&error, text, sizeof(text));
    CHECK_STR("wire type mismatch on field 3: expected 2, got 3", text);
    CHECK_SIZE(strlen(text), size);
    CHECK_SIZE(size, protobuf_error_text(&error, NULL, 0));
    CHECK_SIZE(size, protobuf_error_text(&error, small, sizeof(small)));
    CHECK_STR("wire ty", small);

    error = (struct protobuf_error){.fault = PROTOBUF_END_GROUP, .field = 5};
    protobuf_error_text(&error, text, sizeof(text));
    CHECK_STR("invalid end-group tag: field number 5", text);
    error.fault = PROTOBUF_TOO_LARGE;
    protobuf_error_text(&error, text, sizeof(text));
    CHECK_STR("message length exceeds the size limit (2 GiB protobuf "
              "maximum, or a configured DecodeOptions limit)",
              text);
    error.fault = PROTOBUF_UTF8;
    protobuf_error_text(&error, text, sizeof(text));
    CHECK_STR("invalid UTF-8 in string field", text);
    error.fault = PROTOBUF_DEPTH;
    protobuf_error_text(&error, text, sizeof(text));
    CHECK_STR("recursion limit exceeded", text);
    error.fault = PROTOBUF_ELEMENT_MEMORY;
    protobuf_error_text(&error, text, sizeof(text));
    CHECK_STR("element memory limit exceeded", text);
    error.fault = PROTOBUF_UNKNOWN_FIELDS;
    protobuf_error_text(&error, text, sizeof(text));
    CHECK_STR("unknown field limit exceeded", text);
    for (int f = PROTOBUF_OK; f <= PROTOBUF_NO_SPACE; f++)
        assert_non_null(protobuf_fault_name((enum protobuf_fault)f));
}

static void test_utf8_at_every_size(void **state)
{
    (void)state;
    uint8_t text[40];

    for (size_t size = 0; size < sizeof(text); size++) {
        memset(text, 'a', sizeof(text));
        const uint8_t *ascii = guard_copy(text, size);
        assert_true(protobuf_is_ascii(ascii, size));
        assert_true(protobuf_is_utf8(ascii, size));
        guard_free(ascii, size);
        for (size_t at = 0; at < size; at++) {
            memset(text, 'a', sizeof(text));
            text[at] = 0xff;
            assert_false(protobuf_is_ascii(text, size));
            assert_false(protobuf_is_utf8(text, size));
            if (at + 1 < size) {
                text[at] = 0xc3;
                text[at + 1] = 0xa9;
                assert_false(protobuf_is_ascii(text, size));
                assert_true(protobuf_is_utf8(text, size));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_varint_table),
        cmocka_unit_test(test_varint_round_trip),
        cmocka_unit_test(test_zigzag),
        cmocka_unit_test(test_tag_table),
        cmocka_unit_test(test_skip_table),
        cmocka_unit_test(test_skip_depth_limit),
        cmocka_unit_test(test_bytes_and_fixed),
        cmocka_unit_test(test_error_texts),
        cmocka_unit_test(test_utf8_at_every_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
