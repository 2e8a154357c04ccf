/* SPDX-License-Identifier: MIT */
/* Owned tiles: made from a reader, copied, compared. */
#include "mvt/tests/mvt_check.h"

#include "mvt/sample/mvt_sample.h"

static void check_to_tile(const char *hex, const char *want)
{
    struct mvt_error error;
    struct mvt_tile tile;
    struct mvt_reader r;
    char text[128] = "";
    size_t size;
    uint8_t *bytes = hex_new(hex, &size);

    open_ok(&r, PROTOBUF_PATH_BEST, bytes, size);
    if (mvt_reader_to_tile(&r, NULL, &tile, &error) == MVT_OK)
        mvt_tile_free(&tile);
    else
        mvt_error_text(&error, NULL, text, sizeof(text));
    CHECK_STR(want, text);
    mvt_reader_free(&r);
    free(bytes);
}

/* The first error, extent before features, properties before geometry. */
static void test_order_of_errors(void **state)
{
    (void)state;
    check_to_tile("1a05 0a0161 7802", "");
    check_to_tile("1a07 0a0161 7802 2800", "invalid extent 0");
    check_to_tile("1a09 0a0161 7802 1200 2800", "invalid extent 0");
    check_to_tile("1a07 0a0161 7802 1200", "invalid geometry command stream");
    check_to_tile("1a0a 0a0161 7802 1203 120107",
                  "invalid feature tags length: 1");
    check_to_tile("1a0b 0a0161 7802 1204 12020703", "invalid key index 7");
    check_to_tile("1a0e 0a0161 7802 1a016b 1204 12020003",
                  "invalid value index 3");
    /* the first layer's geometry before the second one's extent */
    check_to_tile("1a07 0a0161 7802 1200 1a07 0a0161 7802 2800",
                  "invalid geometry command stream");
}

static void test_null_properties_are_kept(void **state)
{
    (void)state;
    struct mvt_error error;
    struct mvt_tile tile;
    struct mvt_bytes out;
    struct mvt_reader r;
    size_t size;
    uint8_t *bytes = hex_new(
        "1a17 0a0161 7802 120b 12020000 1801 2203090204 1a016b 2200", &size);

    open_ok(&r, PROTOBUF_PATH_BEST, bytes, size);
    CHECK_FAULT(MVT_OK, mvt_reader_to_tile(&r, NULL, &tile, &error));
    CHECK_SIZE(1, tile.layers[0].features[0].property_count);
    CHECK_U64(MVT_NULL, tile.layers[0].features[0].properties[0].value.kind);
    CHECK_FAULT(MVT_OK, mvt_tile_encode(&tile, NULL, &out, &error));
    size_t want_size; /* the writer drops them, key and all */
    uint8_t *want =
        hex_new("1a11 0a0161 1207 1801 2203 090204 288020 7802", &want_size);
    CHECK_BYTES(want, want_size, out.data, out.size);
    free(want);
    mvt_bytes_free(&out);
    mvt_tile_free(&tile);
    mvt_reader_free(&r);
    free(bytes);
}

/* Every allocation of reading, copying and writing fails in turn. */
static void test_every_allocation_fails(void **state)
{
    (void)state;
    struct mvt_bytes sample;

    assert_true(mvt_sample_tile(3, 900, &sample));
    for (size_t k = 1;; k++) {
        struct alloc_probe probe = {.fail_at = k};
        struct alloc a = alloc_probe_alloc(&probe);
        struct mvt_options options = {.alloc = &a};
        struct mvt_writer_options writing = {.alloc = &a};
        struct mvt_tile tile = {0}, copy = {0};
        struct mvt_proto_tile message = {0};
        struct mvt_error error;
        struct mvt_bytes out = {0};
        struct mvt_reader r;

        mvt_reader_init(&r, &options);
        enum mvt_fault fault =
            mvt_reader_open(&r, sample.data, sample.size, &error);
        if (fault == MVT_OK)
            fault = mvt_reader_to_proto(&r, &a, false, &message);
        if (fault == MVT_OK)
            fault = mvt_reader_to_tile(&r, &a, &tile, &error);
        if (fault == MVT_OK)
            fault = mvt_tile_copy(&tile, &a, &copy);
        if (fault == MVT_OK)
            fault = mvt_tile_encode_owned(&copy, &writing, &out, &error);
        mvt_bytes_free(&out);
        mvt_tile_free(&copy);
        mvt_tile_free(&tile);
        mvt_proto_free(&message);
        mvt_reader_free(&r);
        CHECK_SIZE(0, probe.live_count);
        if (probe.calls < k) {
            CHECK_FAULT(MVT_OK, fault);
            break;
        }
        CHECK_FAULT(MVT_NO_MEMORY, fault);
    }
    mvt_bytes_free(&sample);
}

static void test_parts_of_a_tile(void **state)
{
    (void)state;
    struct mvt_arena memory = {0};
    struct mvt_tile_feature feature;
    struct mvt_tile_layer layer;
    struct mvt_error error;
    struct mvt_bytes sample;
    struct mvt_tile tile;
    struct mvt_reader r;

    assert_true(mvt_sample_tile(9, 4000, &sample));
    open_ok(&r, PROTOBUF_PATH_BEST, sample.data, sample.size);
    CHECK_FAULT(MVT_OK, mvt_reader_to_tile(&r, NULL, &tile, &error));
    CHECK_FAULT(MVT_OK, mvt_layer_to_layer(mvt_reader_layer(&r, 0), &memory,
                                           &layer, &error));
    struct mvt_feature f = mvt_layer_feature(mvt_reader_layer(&r, 0), 1);
    CHECK_FAULT(MVT_OK, mvt_feature_to_feature(&f, &memory, &feature, &error));
    mvt_reader_free(&r);
    memset(sample.data, 0xff, sample.size); /* nothing borrows it */
    struct mvt_tile one = {.layers = &layer, .layer_count = 1};
    struct mvt_tile first = {.layers = tile.layers, .layer_count = 1};
    assert_true(mvt_tile_equal(&one, &first));
    layer.features[1] = feature;
    assert_true(mvt_tile_equal(&one, &first));
    layer.features[1].id++;
    layer.features[1].has_id = true;
    assert_false(mvt_tile_equal(&one, &first));
    mvt_arena_free(&memory);
    mvt_tile_free(&tile);
    mvt_bytes_free(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_of_errors),
        cmocka_unit_test(test_null_properties_are_kept),
        cmocka_unit_test(test_every_allocation_fails),
        cmocka_unit_test(test_parts_of_a_tile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
