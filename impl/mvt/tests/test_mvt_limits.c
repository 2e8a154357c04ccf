/* SPDX-License-Identifier: MIT */
/* Limits of opening: element memory, tile size, allocations. */
#include "mvt/tests/mvt_check.h"

#include "mvt/sample/mvt_sample.h"

/* A layer of count equal fields, in a tile to free(). */
static uint8_t *tile_of_fields(const char *hex, size_t count, size_t *size)
{
    size_t field_size;
    uint8_t *field = hex_new(hex, &field_size);
    uint8_t *fields = malloc(count * field_size);

    assert_non_null(fields);
    for (size_t i = 0; i < count; i++)
        memcpy(fields + i * field_size, field, field_size);
    uint8_t *tile = tile_of_layer(fields, count * field_size, size);
    free(fields);
    free(field);
    return tile;
}

static enum mvt_fault try_open(const uint8_t *tile, size_t size, size_t limit,
                               enum protobuf_fault *wire)
{
    struct mvt_options options = {.element_limit = limit};
    struct mvt_error error = {0};
    struct mvt_reader r;

    mvt_reader_init(&r, &options);
    enum mvt_fault fault = mvt_reader_open(&r, tile, size, &error);
    *wire = error.wire.fault;
    mvt_reader_free(&r);
    return fault;
}

static void check_limit(const char *hex, size_t accepted)
{
    enum protobuf_fault wire;
    size_t size;
    uint8_t *tile = tile_of_fields(hex, accepted, &size);

    CHECK_FAULT(MVT_OK, try_open(tile, size, 0, &wire));
    free(tile);
    tile = tile_of_fields(hex, accepted + 1, &size);
    CHECK_FAULT(MVT_DECODE, try_open(tile, size, 0, &wire));
    CHECK_U64(PROTOBUF_ELEMENT_MEMORY, wire);
    CHECK_FAULT(MVT_OK, try_open(tile, size, 64u << 20, &wire));
    free(tile);
}

static void test_element_limits(void **state)
{
    (void)state;
    check_limit("1200", 599185);
    check_limit("1a00", 2097148);
    check_limit("2200", 1398098);
}

static void test_layer_limit(void **state)
{
    (void)state;
    static const uint8_t layer[] = {0x1a, 0x05, 0x0a, 0x01, 0x61, 0x78, 0x02};
    const size_t accepted = 524288;
    uint8_t *tile = malloc((accepted + 1) * sizeof(layer));
    enum protobuf_fault wire;

    assert_non_null(tile);
    for (size_t i = 0; i <= accepted; i++)
        memcpy(tile + i * sizeof(layer), layer, sizeof(layer));
    CHECK_FAULT(MVT_OK, try_open(tile, accepted * sizeof(layer), 0, &wire));
    CHECK_FAULT(MVT_DECODE,
                try_open(tile, (accepted + 1) * sizeof(layer), 0, &wire));
    CHECK_U64(PROTOBUF_ELEMENT_MEMORY, wire);
    free(tile);
}

/* The limit is one for the whole tile, and the record that breaks it is the
 * one in whose place the error stands. */
static void test_limit_over_layers(void **state)
{
    (void)state;
    static const uint8_t tile[] = {
        0x1a, 0x0b, 0x0a, 0x01, 0x61, 0x78, 0x02, 0x12, 0x00, 0x1a, 0x00,
        0x22, 0x00, 0x1a, 0x07, 0x0a, 0x01, 0x62, 0x78, 0x02, 0x12, 0x00};
    /* charges:   64                               56          16
     *      24          64                               56 */
    static const struct {
        size_t limit;
        size_t at; /* of the error */
    } limits[] = {{63, 0},   {119, 7},  {135, 9},
                  {159, 11}, {223, 13}, {279, 20}};
    struct mvt_error error;
    struct mvt_reader r;

    for (size_t i = 0; i < ARRAY_COUNT(limits); i++) {
        struct mvt_options options = {.element_limit = limits[i].limit};
        mvt_reader_init(&r, &options);
        CHECK_FAULT(MVT_DECODE,
                    mvt_reader_open(&r, tile, sizeof(tile), &error));
        CHECK_U64(PROTOBUF_ELEMENT_MEMORY, error.wire.fault);
        CHECK_SIZE(limits[i].at, error.wire.at);
        mvt_reader_free(&r);
    }
    struct mvt_options options = {.element_limit = 280};
    mvt_reader_init(&r, &options);
    CHECK_FAULT(MVT_OK, mvt_reader_open(&r, tile, sizeof(tile), &error));
    CHECK_SIZE(2, mvt_reader_layer_count(&r));
    mvt_reader_free(&r);
}

/* Wire errors before the limit win, and so does the limit before them. */
static void test_limit_and_errors(void **state)
{
    (void)state;
    static const uint8_t bad_before[] = {0x1a, 0x09, 0x0a, 0x01, 0x61, 0x78,
                                         0x02, 0x07, 0x00, 0x12, 0x00};
    static const uint8_t bad_after[] = {0x1a, 0x09, 0x0a, 0x01, 0x61, 0x78,
                                        0x02, 0x12, 0x00, 0x07, 0x00};
    static const uint8_t bad_inside[] = {0x1a, 0x09, 0x0a, 0x01, 0x61, 0x78,
                                         0x02, 0x12, 0x01, 0x07, 0x00};
    static const uint8_t bad_key[] = {0x1a, 0x08, 0x0a, 0x01, 0x61,
                                      0x78, 0x02, 0x1a, 0x01, 0xff};
    enum protobuf_fault wire;

    CHECK_FAULT(MVT_DECODE,
                try_open(bad_before, sizeof(bad_before), 64, &wire));
    CHECK_U64(PROTOBUF_WIRE_TYPE, wire);
    CHECK_FAULT(MVT_DECODE, try_open(bad_after, sizeof(bad_after), 64, &wire));
    CHECK_U64(PROTOBUF_ELEMENT_MEMORY, wire);
    /* a message is charged before its content is read, a key after */
    CHECK_FAULT(MVT_DECODE,
                try_open(bad_inside, sizeof(bad_inside), 64, &wire));
    CHECK_U64(PROTOBUF_ELEMENT_MEMORY, wire);
    CHECK_FAULT(MVT_DECODE, try_open(bad_key, sizeof(bad_key), 64, &wire));
    CHECK_U64(PROTOBUF_UTF8, wire);
}

/* Refused by its size alone: there is no memory behind this length. */
static void test_tile_of_4_gib(void **state)
{
    (void)state;
    static const uint8_t byte = 0;
    const uint8_t *tile = guard_copy(&byte, 0);
    enum protobuf_fault wire;

    CHECK_FAULT(MVT_DECODE, try_open(tile, (size_t)1 << 32, 0, &wire));
    CHECK_U64(PROTOBUF_TOO_LARGE, wire);
    CHECK_FAULT(MVT_DECODE, try_open(tile, SIZE_MAX, 0, &wire));
    CHECK_U64(PROTOBUF_TOO_LARGE, wire);
    guard_free(tile, 0);
}

/* No allocation for a reader that has had a larger tile; and nothing in
 * proportion to a length that is only declared. */
static void test_allocations(void **state)
{
    (void)state;
    static const uint8_t declared[] = {0x1a, 0x80, 0x80, 0x80, 0x7f, 0x12};
    struct alloc_probe probe = {0};
    struct alloc a = alloc_probe_alloc(&probe);
    struct mvt_options options = {.alloc = &a};
    struct mvt_bytes large, small;
    struct mvt_error error;
    struct mvt_reader r;

    assert_true(mvt_sample_tile(1, 30000, &large));
    assert_true(mvt_sample_tile(2, 2000, &small));
    mvt_reader_init(&r, &options);
    CHECK_FAULT(MVT_DECODE,
                mvt_reader_open(&r, declared, sizeof(declared), &error));
    CHECK_SIZE(1, probe.calls);
    assert_true(probe.live_size < 2000);
    CHECK_FAULT(MVT_OK, mvt_reader_open(&r, large.data, large.size, &error));
    size_t calls = probe.calls;
    CHECK_FAULT(MVT_OK, mvt_reader_open(&r, small.data, small.size, &error));
    CHECK_FAULT(MVT_OK, mvt_reader_open(&r, large.data, large.size, &error));
    CHECK_SIZE(calls, probe.calls);
    mvt_reader_free(&r);
    CHECK_SIZE(0, probe.live_count);
    mvt_bytes_free(&large);
    mvt_bytes_free(&small);
}

/* Arrays that grow keep what is in them, wherever the block goes: many layers
 * of one kind of element after the other, on a fresh reader and on a used
 * one. */
static void test_growing_arrays(void **state)
{
    (void)state;
    static const char *const fields[] = {"1200", "1a00", "2200"};
    uint8_t *tile = malloc(400000);
    struct mvt_error error;
    struct mvt_reader r;
    size_t size = 0;

    assert_non_null(tile);
    for (size_t i = 0; i < 30; i++) {
        size_t layer_size;
        uint8_t *layer =
            tile_of_fields(fields[i % 3], 50 << i / 3 % 6, &layer_size);
        memcpy(tile + size, layer, layer_size);
        size += layer_size;
        free(layer);
    }
    mvt_reader_init(&r, NULL);
    for (int round = 0; round < 2; round++) {
        struct mvt_proto_tile message;
        struct protobuf_error wire;

        CHECK_FAULT(MVT_OK, mvt_reader_open(&r, tile, size, &error));
        assert_int_equal(PROTOBUF_OK,
                         mvt_proto_decode(tile, size, NULL, &message, &wire));
        assert_null(mvt_compare(&r, &message));
        mvt_proto_free(&message);
    }
    mvt_reader_free(&r);
    free(tile);
}

/* A block for the tile, one for split fields that grows once, one for the
 * array of elements. */
static void test_out_of_memory(void **state)
{
    (void)state;
    static const uint8_t tile[] = {0x1a, 0x19, 0x0a, 0x01, 0x61, 0x78, 0x02,
                                   0x12, 0x10, 0x18, 0x01, 0x22, 0x01, 0x09,
                                   0x10, 0x00, 0x22, 0x02, 0x02, 0x04, 0x12,
                                   0x03, 0x00, 0x01, 0x00, 0x1a, 0x00};
    struct mvt_elements e;

    for (size_t k = 1;; k++) {
        struct alloc_probe probe = {.fail_at = k};
        struct alloc a = alloc_probe_alloc(&probe);
        struct mvt_options options = {.alloc = &a};
        struct mvt_error error = {0};
        struct mvt_reader r;

        mvt_reader_init(&r, &options);
        enum mvt_fault fault = mvt_reader_open(&r, tile, sizeof(tile), &error);
        if (fault == MVT_OK) {
            struct mvt_feature f =
                mvt_layer_feature(mvt_reader_layer(&r, 0), 0);
            fault = mvt_feature_tags(&f, &e);
            if (fault == MVT_NO_MEMORY) /* a later call may try again */
                CHECK_FAULT(MVT_OK, mvt_feature_tags(&f, &e));
            CHECK_SIZE(4, e.count);
            CHECK_FAULT(MVT_OK, mvt_feature_commands(&f, &e));
            CHECK_SIZE(3, e.count);
        } else {
            CHECK_FAULT(MVT_NO_MEMORY, error.fault);
        }
        mvt_reader_free(&r);
        CHECK_SIZE(0, probe.live_count);
        if (probe.calls < k) {
            CHECK_SIZE(4, probe.calls);
            break;
        }
        CHECK_FAULT(MVT_NO_MEMORY, fault);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_element_limits),
        cmocka_unit_test(test_layer_limit),
        cmocka_unit_test(test_limit_over_layers),
        cmocka_unit_test(test_limit_and_errors),
        cmocka_unit_test(test_tile_of_4_gib),
        cmocka_unit_test(test_allocations),
        cmocka_unit_test(test_growing_arrays),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
