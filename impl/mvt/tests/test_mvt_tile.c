/* SPDX-License-Identifier: MIT */
/* Owned tiles, messages, split fields, callbacks, and threads. */
#include "mvt/tests/mvt_check.h"

#include <pthread.h>
#include <stdio.h>

#include "base/prng.h"
#include "mvt/reference/mvt_reference.h"
#include "mvt/sample/mvt_sample.h"

/* ---- to_tile -------------------------------------------------------------
 */

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

/* Elements of messages are not charged to a budget. */
static void test_message_of_340000_values(void **state)
{
    (void)state;
    const size_t count = 340000;
    struct mvt_proto_tile message;
    struct mvt_reader r;
    size_t size;
    uint8_t *fields = malloc(count * 4), *tile;

    assert_non_null(fields);
    static const uint8_t value[] = {0x22, 0x02, 0x20, 0x05};
    for (size_t i = 0; i < count; i++)
        memcpy(fields + 4 * i, value, sizeof(value));
    tile = tile_of_layer(fields, count * 4, &size);
    open_ok(&r, PROTOBUF_PATH_BEST, tile, size);
    CHECK_FAULT(MVT_OK, mvt_reader_to_proto(&r, NULL, true, &message));
    CHECK_SIZE(count, message.layers[0].value_count);
    CHECK_I64(5, message.layers[0].values[count - 1].int_value);
    CHECK_U64(4096, message.layers[0].extent);
    message.layers[0].has_extent = false; /* it was filled in */
    assert_null(mvt_compare(&r, &message));
    mvt_proto_free(&message);
    mvt_reader_free(&r);
    free(tile);
    free(fields);
}

/* ---- fields in several records -------------------------------------------
 */

/* Cut a packed field at random element boundaries into packed and single
 * records, with unknown fields between them. */
static uint8_t *put_split(uint64_t *seed, uint8_t *p, uint8_t field,
                          const uint32_t *elements, size_t count)
{
    for (size_t i = 0; i < count;) {
        size_t n = 1 + (size_t)prng_below(seed, count - i), size = 0;
        uint64_t how = prng_below(seed, 4);
        if (how == 0) {
            *p++ = (uint8_t)(field << 3);
            p = protobuf_put_varint_at(p, elements[i++]);
            continue;
        }
        if (how == 1) { /* an unknown field, or an empty record */
            *p++ = prng_below(seed, 2) == 0 ? 0x7a : (uint8_t)(field << 3 | 2);
            *p++ = 0;
        }
        for (size_t k = i; k < i + n; k++)
            size += protobuf_varint_size(elements[k]);
        *p++ = (uint8_t)(field << 3 | 2);
        p = protobuf_put_varint_at(p, size);
        for (; n != 0; n--)
            p = protobuf_put_varint_at(p, elements[i++]);
    }
    return p;
}

static uint8_t *split_tile(uint64_t *seed, const uint32_t *tags,
                           size_t tag_count, const uint32_t *commands,
                           size_t command_count, size_t *size)
{
    static const uint8_t tables[] = {0x1a, 0x01, 'k', 0x22, 0x02, 0x20, 0x05};
    uint8_t feature[4000], fields[4096], *p = feature, *q = fields;

    p = put_split(seed, p, 2, tags, tag_count);
    *p++ = 0x18;
    *p++ = 0x02;
    p = put_split(seed, p, 4, commands, command_count);
    *q++ = 0x12;
    q = protobuf_put_varint_at(q, (uint64_t)(p - feature));
    memcpy(q, feature, (size_t)(p - feature));
    q += p - feature;
    memcpy(q, tables, sizeof(tables));
    q += sizeof(tables);
    return tile_of_layer(fields, (size_t)(q - fields), size);
}

static void test_split_fields(void **state)
{
    (void)state;
    static const uint32_t tags[] = {0, 0, 0, 300, 70000, 0, 0};
    uint64_t seed = 17;
    uint32_t commands[64] = {9, 300, 5000, 2 | 30 << 3};

    for (size_t i = 4; i < 64; i++)
        commands[i] = (uint32_t)(i * i * i % 3000);
    for (int round = 0; round < 3000; round++) {
        struct mvt_proto_tile message;
        struct protobuf_error error;
        struct mvt_reader r;
        struct mvt_elements e;
        size_t size;
        uint8_t *bytes = split_tile(&seed, tags, 7, commands, 64, &size);
        const uint8_t *tile = guard_copy(bytes, size);

        open_ok(&r, mvt_paths[round % 3], tile, size);
        struct mvt_feature f = mvt_layer_feature(mvt_reader_layer(&r, 0), 0);
        CHECK_FAULT(MVT_OK, mvt_feature_tags(&f, &e));
        CHECK_BYTES(tags, sizeof(tags), e.data, e.count * sizeof(*e.data));
        CHECK_FAULT(MVT_OK, mvt_feature_commands(&f, &e));
        CHECK_BYTES(commands, sizeof(commands), e.data,
                    e.count * sizeof(*e.data));
        struct mvt_geometry g, want;
        CHECK_FAULT(MVT_OK, mvt_feature_geometry(&f, NULL, &g));
        CHECK_FAULT(MVT_OK, mvt_reference_geometry(MVT_TYPE_LINESTRING,
                                                   commands, 64, &want));
        assert_true(mvt_geometry_equal(&want, &g));
        mvt_geometry_free(&g, NULL);
        mvt_geometry_free(&want, NULL);
        assert_int_equal(PROTOBUF_OK,
                         mvt_proto_decode(tile, size, NULL, &message, &error));
        assert_null(mvt_compare(&r, &message));
        mvt_proto_free(&message);
        mvt_reader_free(&r);
        guard_free(tile, size);
        free(bytes);
    }
}

/* ---- threads -------------------------------------------------------------
 */

struct reading {
    const struct mvt_reader *reader;
    pthread_barrier_t *start;
    const uint32_t *data;
    uint64_t sum;
};

static void *read_elements(void *arg)
{
    struct reading *reading = arg;
    struct mvt_elements e;

    pthread_barrier_wait(reading->start);
    for (size_t i = 0; i < reading->reader->feature_count; i++) {
        struct mvt_feature f = {.reader = reading->reader,
                                .record = &reading->reader->features[i]};
        if (mvt_feature_commands(&f, &e) != MVT_OK)
            return NULL;
        if (i == 0)
            reading->data = e.data;
        for (size_t k = 0; k < e.count; k++)
            reading->sum += e.data[k];
    }
    return NULL;
}

/* Several first calls at once: one array for all of them. */
static void test_concurrent_first_use(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    struct mvt_bytes sample;

    assert_true(mvt_sample_tile(5, 40000, &sample));
    for (int round = 0; round < 20; round++) {
        struct reading readings[THREADS] = {0};
        pthread_t threads[THREADS];
        pthread_barrier_t start;
        struct mvt_reader r;

        open_ok(&r, PROTOBUF_PATH_BEST, sample.data, sample.size);
        pthread_barrier_init(&start, NULL, THREADS);
        for (int i = 0; i < THREADS; i++) {
            readings[i] = (struct reading){.reader = &r, .start = &start};
            assert_int_equal(0, pthread_create(&threads[i], NULL,
                                               read_elements, &readings[i]));
        }
        for (int i = 0; i < THREADS; i++) {
            pthread_join(threads[i], NULL);
            assert_non_null(readings[i].data);
            assert_ptr_equal(readings[0].data, readings[i].data);
            CHECK_U64(readings[0].sum, readings[i].sum);
        }
        pthread_barrier_destroy(&start);
        mvt_reader_free(&r);
    }
    mvt_bytes_free(&sample);
}

/* ---- callbacks -----------------------------------------------------------
 */

struct log {
    char text[400];
    size_t calls_left;
};

static bool note(struct log *log, const char *text)
{
    size_t size = strlen(log->text);
    snprintf(log->text + size, sizeof(log->text) - size, "%s", text);
    return log->calls_left-- != 0;
}

static bool on_layer(void *ctx, struct mvt_layer layer)
{
    (void)layer;
    return note(ctx, "layer ");
}

static bool on_feature(void *ctx, const struct mvt_feature *feature)
{
    (void)feature;
    return note(ctx, "feature ");
}

static bool on_geometry(void *ctx, enum mvt_geometry_kind kind)
{
    return note(ctx, kind == MVT_POLYGON ? "POLYGON " : "POINT ");
}

static bool on_polygon(void *ctx)
{
    return note(ctx, "polygon ");
}

static bool on_part(void *ctx, const struct mvt_point *points, size_t count)
{
    char text[32];
    snprintf(text, sizeof(text), "part:%zu@%d,%d ", count, points[0].x,
             points[0].y);
    return note(ctx, text);
}

static bool on_property(void *ctx, const struct mvt_string *key,
                        const struct mvt_value *value)
{
    (void)key;
    return note(ctx, value->kind == MVT_INT ? "int " : "other ");
}

static bool on_fault(void *ctx, enum mvt_fault fault, uint32_t number)
{
    char text[64];
    snprintf(text, sizeof(text), "fault:%d:%u ", fault, number);
    return note(ctx, text);
}

static void test_visitor(void **state)
{
    (void)state;
    struct log log = {.calls_left = SIZE_MAX};
    struct mvt_visitor v = {on_layer, on_feature,  on_geometry, on_polygon,
                            on_part,  on_property, on_fault,    &log};
    struct mvt_buffer buffer;
    struct mvt_reader r;
    char want[200];
    size_t size;
    uint8_t *tile = hex_new(
        "1a2c 0a0161 7802 1213 12040000 0900 1803 2209 09000012020202020f "
        "1207 1801 2203 090204 1200 1a016b 22022005",
        &size);

    snprintf(want, sizeof(want),
             "layer feature POLYGON polygon part:4@0,0 int fault:%d:9 "
             "feature POINT part:1@1,2 feature fault:%d:0 ",
             MVT_KEY_INDEX, MVT_INVALID_GEOMETRY);
    open_ok(&r, PROTOBUF_PATH_BEST, tile, size);
    mvt_buffer_init(&buffer, NULL);
    CHECK_FAULT(MVT_OK, mvt_reader_visit(&r, &buffer, &v));
    CHECK_STR(want, log.text);
    for (size_t calls = 0; calls < 11; calls++) {
        log = (struct log){.calls_left = calls};
        CHECK_FAULT(MVT_END, mvt_reader_visit(&r, &buffer, &v));
    }
    struct mvt_visitor nothing = {0};
    CHECK_FAULT(MVT_OK, mvt_reader_visit(&r, &buffer, &nothing));
    mvt_buffer_free(&buffer);
    mvt_reader_free(&r);
    free(tile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_of_errors),
        cmocka_unit_test(test_null_properties_are_kept),
        cmocka_unit_test(test_every_allocation_fails),
        cmocka_unit_test(test_parts_of_a_tile),
        cmocka_unit_test(test_message_of_340000_values),
        cmocka_unit_test(test_split_fields),
        cmocka_unit_test(test_concurrent_first_use),
        cmocka_unit_test(test_visitor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
