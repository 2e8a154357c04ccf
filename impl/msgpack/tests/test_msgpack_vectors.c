/* SPDX-License-Identifier: MIT */
/* Published vectors: cachekit's decode bounds and wire format, and the rows
 * made for this walk. */
#include "msgpack/tests/msgpack_expect.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "msgpack/sample/msgpack_sample.h"

/* Levels that need no memory. */
#define FREE_LEVELS 8

static void check_error_text(const char *expected,
                             const struct msgpack_error *error)
{
    char text[80];

    msgpack_error_text(error, text, sizeof(text));
    CHECK_STR(expected, text);
}

static void check_walk_row(struct json_object *row)
{
    size_t in_size;
    uint8_t *in = vector_hex(row, "input_hex", &in_size);
    size_t max_depth = (size_t)vector_u64(row, "max_depth");
    const char *result = vector_text(row, "result");
    struct outcome outcome = walk_all(in, in_size, max_depth);

    if (strcmp(result, "ok") == 0) {
        CHECK_ENUM(msgpack_fault_text, MSGPACK_OK, outcome.error.fault);
        CHECK_U64(vector_u64(row, "document_len"), outcome.size);
        CHECK_BOOL(vector_u64(row, "open_levels_peak") > FREE_LEVELS,
                   outcome.requested > 0);
    } else {
        check_error_text(result, &outcome.error);
    }
    free(in);
}

static void test_walk_rows(void **state)
{
    (void)state;
    struct json_object *document =
        testkit_vectors("cachekit/msgpack-walk.json");
    struct json_object *rows = vector_field(document, "cases");

    CHECK_SIZE(618, json_object_array_length(rows));
    for (size_t i = 0; i < json_object_array_length(rows); i++)
        check_walk_row(json_object_array_get_idx(rows, i));
    json_object_put(document);
}

/* A document of decode-bounds, built as its row says and compared with the
 * bytes it gives. */
static uint8_t *bounds_input(struct json_object *row, size_t *in_size)
{
    struct json_object *construction = vector_field(row, "construction");
    uint8_t *in = vector_hex(row, "input_hex", in_size);
    size_t unit_size, suffix_size, at = 0;
    uint8_t *unit = vector_hex(construction, "repeat_hex", &unit_size);
    uint8_t *suffix = vector_hex(construction, "suffix_hex", &suffix_size);
    uint64_t count = vector_u64(construction, "count");
    uint8_t *built = malloc(count * unit_size + suffix_size + 1);

    assert_non_null(built);
    for (uint64_t i = 0; i < count; i++, at += unit_size)
        memcpy(built + at, unit, unit_size);
    memcpy(built + at, suffix, suffix_size);
    CHECK_BYTES(in, *in_size, built, at + suffix_size);
    CHECK_U64(vector_u64(row, "input_len"), *in_size);
    free(built);
    free(suffix);
    free(unit);
    return in;
}

/* What each rejected document is rejected for at a bound of 100; all others
 * claim more elements than they have. */
static enum msgpack_fault bounds_fault(const char *name)
{
    static const struct {
        const char *name;
        enum msgpack_fault fault;
    } rows[] = {
        {"bin32_overclaim", MSGPACK_BYTES_OVERCLAIM},
        {"str32_overclaim", MSGPACK_BYTES_OVERCLAIM},
        {"ext32_overclaim", MSGPACK_BYTES_OVERCLAIM},
        {"nested_fixarray_depth_1025_complete", MSGPACK_TOO_DEEP},
        {"nested_fixmap_depth_1025_complete", MSGPACK_TOO_DEEP},
    };

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].fault;
    return MSGPACK_ELEMENTS_OVERCLAIM;
}

static const size_t wire_bounds[] = {32, 100, 1024};

static void check_bounds_reject(struct json_object *row)
{
    size_t in_size;
    uint8_t *in = bounds_input(row, &in_size);
    enum msgpack_fault fault = bounds_fault(vector_text(row, "name"));

    for (size_t i = 0; i < ARRAY_COUNT(wire_bounds); i++) {
        struct outcome outcome = walk_all(in, in_size, wire_bounds[i]);

        CHECK_ENUM(msgpack_fault_text, fault, outcome.error.fault);
        /* All but the two complete nests stop at the first few levels. */
        if (fault != MSGPACK_TOO_DEEP)
            CHECK_SIZE(0, outcome.requested);
    }
    free(in);
}

static void check_bounds_accept(struct json_object *row)
{
    size_t in_size;
    uint8_t *in = bounds_input(row, &in_size);

    for (size_t i = 0; i < ARRAY_COUNT(wire_bounds); i++)
        expect_ok(in, in_size, wire_bounds[i], in_size);
    free(in);
}

static void test_decode_bounds(void **state)
{
    (void)state;
    struct json_object *document =
        testkit_vectors("cachekit/decode-bounds.json");
    struct json_object *reject = vector_field(document, "reject_vectors");
    struct json_object *accept = vector_field(document, "accept_vectors");

    CHECK_STR("1.2.0", vector_text(document, "version"));
    CHECK_SIZE(19, json_object_array_length(reject));
    CHECK_SIZE(3, json_object_array_length(accept));
    for (size_t i = 0; i < 19; i++)
        check_bounds_reject(json_object_array_get_idx(reject, i));
    for (size_t i = 0; i < 3; i++)
        check_bounds_accept(json_object_array_get_idx(accept, i));
    json_object_put(document);
}

/* Real envelopes in both encodings: whole, free, and nothing but whole. */
static void check_envelope(struct json_object *row)
{
    size_t size;
    uint8_t *in = vector_hex(row, "envelope_hex", &size);
    size_t step = size < 2000 ? 1 : 199;

    CHECK_U64(vector_u64(row, "envelope_size"), size);
    CHECK_SIZE(0, expect_ok(in, size, 100, size).requested);
    for (size_t cut = 0; cut < size; cut += step)
        if (walk_all(in, cut, 100).error.fault == MSGPACK_OK)
            CHECK_FAIL("%s is accepted when cut to %zu",
                       vector_text(row, "name"), cut);
    free(in);
}

static void test_wire_format_envelopes(void **state)
{
    (void)state;
    struct json_object *document =
        testkit_vectors("cachekit/wire-format.json");
    struct json_object *rows = vector_field(document, "vectors");

    CHECK_SIZE(18, json_object_array_length(rows));
    for (size_t i = 0; i < 18; i++)
        check_envelope(json_object_array_get_idx(rows, i));
    json_object_put(document);
}

static void test_wire_format_payloads(void **state)
{
    (void)state;
    struct json_object *document =
        testkit_vectors("cachekit/wire-format.json");
    struct json_object *rows =
        vector_field(document, "payload_reject_vectors");

    CHECK_SIZE(2, json_object_array_length(rows));
    for (size_t i = 0; i < 2; i++) {
        struct json_object *row = json_object_array_get_idx(rows, i);
        size_t size;
        uint8_t *in = vector_hex(row, "input_hex", &size);

        CHECK_ENUM(msgpack_fault_text, MSGPACK_ELEMENTS_OVERCLAIM,
                   walk_all(in, size, 100).error.fault);
        free(in);
        check_envelope(row); /* which is sound */
    }
    json_object_put(document);
}

/* Sizes and checksums of the record stream at every published length. */
static void test_bench_payloads(void **state)
{
    (void)state;
    struct json_object *document =
        testkit_vectors("cachekit/bench-payload.json");
    struct json_object *rows = vector_field(document, "cases");

    CHECK_BOOL(true, json_object_array_length(rows) >= 8);
    for (size_t i = 0; i < json_object_array_length(rows); i++) {
        struct json_object *row = json_object_array_get_idx(rows, i);
        size_t size = (size_t)vector_u64(row, "size");
        uint8_t *stream = malloc(size + 1);
        char digest[17];

        assert_non_null(stream);
        msgpack_sample_stream(0, stream, size);
        snprintf(digest, sizeof(digest), "%016llx",
                 (unsigned long long)XXH3_64bits(stream, size));
        CHECK_STR(vector_text(row, "xxh3_64"), digest);
        free(stream);
    }
    json_object_put(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walk_rows),
        cmocka_unit_test(test_decode_bounds),
        cmocka_unit_test(test_wire_format_envelopes),
        cmocka_unit_test(test_wire_format_payloads),
        cmocka_unit_test(test_bench_payloads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
