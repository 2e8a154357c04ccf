/* SPDX-License-Identifier: MIT */
/* Properties: pairs, their errors, how many are left. */
#include "mvt/tests/mvt_check.h"

/* Layer `a` with keys k, l and values "v", null, int -3, and one feature with
 * these tags; for free(). */
static uint8_t *tile_of_tags(const uint32_t *tags, size_t count, size_t *size)
{
    static const uint8_t tables[] = {0x1a, 0x01, 'k',  0x1a, 0x01, 'l',  0x22,
                                     0x03, 0x0a, 0x01, 'v',  0x22, 0x00, 0x22,
                                     0x0b, 0x20, 0xfd, 0xff, 0xff, 0xff, 0xff,
                                     0xff, 0xff, 0xff, 0xff, 0x01};
    uint8_t fields[600], *p = fields;
    size_t payload = 0;

    for (size_t i = 0; i < count; i++)
        payload += protobuf_varint_size(tags[i]);
    memcpy(p, tables, sizeof(tables));
    p += sizeof(tables);
    *p++ = 0x12;
    p = protobuf_put_varint_at(p, payload + 1 + protobuf_varint_size(payload));
    *p++ = 0x12;
    p = protobuf_put_varint_at(p, payload);
    for (size_t i = 0; i < count; i++)
        p = protobuf_put_varint_at(p, tags[i]);
    return tile_of_layer(fields, (size_t)(p - fields), size);
}

static struct mvt_feature first_feature(const struct mvt_reader *r)
{
    return mvt_layer_feature(mvt_reader_layer(r, 0), 0);
}

static void test_values(void **state)
{
    (void)state;
    static const uint32_t tags[] = {0, 0, 1, 1, 0, 2};
    struct mvt_properties it, copy;
    struct mvt_property p = NO_PROPERTY;
    struct mvt_reader r;
    size_t size;
    uint8_t *tile = tile_of_tags(tags, 6, &size);

    open_ok(&r, PROTOBUF_PATH_BEST, tile, size);
    struct mvt_feature f = first_feature(&r);
    mvt_properties_init(&it, &f);
    CHECK_SIZE(3, mvt_properties_left(&it));
    CHECK_FAULT(MVT_OK, mvt_properties_next(&it, &p));
    check_text("k", *p.key);
    CHECK_U64(MVT_STRING, p.value->kind);
    CHECK_BYTES("v", 1, p.value->string, p.value->size);
    copy = it; /* copies are independent */
    CHECK_FAULT(MVT_OK, mvt_properties_next(&it, &p));
    check_text("l", *p.key);
    CHECK_U64(MVT_NULL, p.value->kind);
    CHECK_SIZE(1, mvt_properties_left(&it));
    CHECK_FAULT(MVT_OK, mvt_properties_next(&it, &p));
    CHECK_U64(MVT_INT, p.value->kind);
    CHECK_I64(-3, p.value->int_value);
    CHECK_SIZE(0, mvt_properties_left(&it));
    CHECK_FAULT(MVT_END, mvt_properties_next(&it, &p));
    CHECK_FAULT(MVT_END, mvt_properties_next(&it, &p));
    CHECK_SIZE(2, mvt_properties_left(&copy));
    CHECK_FAULT(MVT_OK, mvt_properties_next(&copy, &p));
    check_text("l", *p.key);
    mvt_reader_free(&r);
    free(tile);
}

/* An error is an item; the next step looks at the next pair. */
static void test_errors_are_items(void **state)
{
    (void)state;
    static const uint32_t tags[] = {2,   9,  1,           3, 0, 0,
                                    106, 77, 4294967295u, 0, 1};
    static const struct {
        enum mvt_fault fault;
        uint32_t number;
    } want[] = {{MVT_KEY_INDEX, 2},
                {MVT_VALUE_INDEX, 3},
                {MVT_OK, 0},
                {MVT_KEY_INDEX, 106},
                {MVT_KEY_INDEX, 4294967295u},
                {MVT_TAGS_LENGTH, 1},
                {MVT_END, 0}};
    struct mvt_properties it;
    struct mvt_property p = NO_PROPERTY;
    struct mvt_reader r;
    size_t size;
    uint8_t *tile = tile_of_tags(tags, 11, &size);

    open_ok(&r, PROTOBUF_PATH_BEST, tile, size);
    struct mvt_feature f = first_feature(&r);
    mvt_properties_init(&it, &f);
    for (size_t i = 0; i < ARRAY_COUNT(want); i++) {
        CHECK_SIZE(ARRAY_COUNT(want) - 1 - i, mvt_properties_left(&it));
        CHECK_FAULT(want[i].fault, mvt_properties_next(&it, &p));
        if (want[i].fault != MVT_OK && want[i].fault != MVT_END)
            CHECK_U64(want[i].number, p.number);
    }
    mvt_reader_free(&r);
    free(tile);
}

static void test_array(void **state)
{
    (void)state;
    static const uint32_t good[] = {0, 2, 1, 0}, bad[] = {0, 2, 1, 7},
                          odd[] = {0, 2, 1};
    struct alloc_probe probe = {0};
    struct alloc a = alloc_probe_alloc(&probe);
    struct mvt_pair *pairs = NULL;
    struct mvt_error error = {0};
    struct mvt_reader r;
    char text[64];
    size_t size, count = 77;
    uint8_t *tile = tile_of_tags(good, 4, &size);

    open_ok(&r, PROTOBUF_PATH_BEST, tile, size);
    struct mvt_feature f = first_feature(&r);
    CHECK_FAULT(MVT_OK,
                mvt_feature_properties(&f, &a, &pairs, &count, &error));
    CHECK_SIZE(2, count);
    CHECK_SIZE(2 * sizeof(*pairs), probe.live_size);
    check_text("l", pairs[1].key);
    CHECK_U64(MVT_STRING, pairs[1].value.kind);
    alloc_put(&a, pairs, count * sizeof(*pairs));
    probe = (struct alloc_probe){.fail_at = 1};
    CHECK_FAULT(MVT_NO_MEMORY,
                mvt_feature_properties(&f, &a, &pairs, &count, &error));
    mvt_reader_free(&r);
    free(tile);

    probe = (struct alloc_probe){0};
    tile = tile_of_tags(bad, 4, &size);
    open_ok(&r, PROTOBUF_PATH_BEST, tile, size);
    f = first_feature(&r);
    CHECK_FAULT(MVT_VALUE_INDEX,
                mvt_feature_properties(&f, &a, &pairs, &count, &error));
    mvt_error_text(&error, NULL, text, sizeof(text));
    CHECK_STR("invalid value index 7", text);
    CHECK_SIZE(0, probe.live_count);
    mvt_reader_free(&r);
    free(tile);

    tile = tile_of_tags(odd, 3, &size);
    open_ok(&r, PROTOBUF_PATH_BEST, tile, size);
    f = first_feature(&r);
    CHECK_FAULT(MVT_TAGS_LENGTH,
                mvt_feature_properties(&f, &a, &pairs, &count, &error));
    mvt_error_text(&error, NULL, text, sizeof(text));
    CHECK_STR("invalid feature tags length: 1", text);
    CHECK_SIZE(2, count); /* as it was */
    mvt_reader_free(&r);
    free(tile);

    tile = tile_of_tags(NULL, 0, &size);
    open_ok(&r, PROTOBUF_PATH_BEST, tile, size);
    f = first_feature(&r);
    CHECK_FAULT(MVT_OK,
                mvt_feature_properties(&f, &a, &pairs, &count, &error));
    CHECK_SIZE(0, count);
    assert_null(pairs);
    mvt_reader_free(&r);
    free(tile);
}

/* Equality of values: by kind and content, floats by bits. */
static void test_value_equality(void **state)
{
    (void)state;
    struct mvt_value int_1 = {.int_value = 1, .kind = MVT_INT};
    struct mvt_value sint_1 = {.int_value = 1, .kind = MVT_SINT};
    struct mvt_value uint_1 = {.uint_value = 1, .kind = MVT_UINT};
    struct mvt_value zero = {.double_value = 0.0, .kind = MVT_DOUBLE};
    struct mvt_value minus = {.double_value = -0.0, .kind = MVT_DOUBLE};
    struct mvt_value nan = {.float_value = __builtin_nanf(""),
                            .kind = MVT_FLOAT};
    struct mvt_value null = {.kind = MVT_NULL};
    struct mvt_value text = {.string = "ab", .size = 2, .kind = MVT_STRING};
    struct mvt_value longer = {.string = "abc", .size = 3, .kind = MVT_STRING};

    assert_true(mvt_value_equal(&int_1, &int_1));
    assert_false(mvt_value_equal(&int_1, &sint_1));
    assert_false(mvt_value_equal(&int_1, &uint_1));
    assert_false(mvt_value_equal(&zero, &minus));
    assert_true(mvt_value_equal(&nan, &nan));
    assert_true(mvt_value_equal(&null, &null));
    assert_true(mvt_value_equal(&text, &text));
    assert_false(mvt_value_equal(&text, &longer));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_errors_are_items),
        cmocka_unit_test(test_array),
        cmocka_unit_test(test_value_equality),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
