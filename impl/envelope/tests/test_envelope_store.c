/* SPDX-License-Identifier: MIT */
/* Writing: round trips at every small size, header widths, formats, and that
 * nothing of one store shows in the next. */
#include "envelope/tests/envelope_samples.h"

static void check_round_trip(struct envelope_storage *s,
                             const uint8_t *payload, size_t size)
{
    const size_t bound = envelope_store_bound(s, size, NULL, 0);
    const uint8_t *in = guard_copy(payload, size);
    uint8_t *out = guard_new(bound), *back = guard_new(size);
    size_t written;
    struct envelope_entry entry;
    struct envelope_view once, full;

    CHECK_KIND(ENVELOPE_OK, envelope_store_into(s, in, size, NULL, 0, out,
                                                bound, &written, NULL));
    CHECK_BOOL(true, envelope_decode_once(out, written, &once));
    CHECK_KIND(ENVELOPE_OK,
               envelope_decode_full(out, written, NULL, &full, NULL));
    check_same_view(&full, &once);
    CHECK_KIND(ENVELOPE_OK, envelope_retrieve_into(out, written, NULL, back,
                                                   size, &entry, NULL));
    assert_ptr_equal(back, entry.payload);
    CHECK_BYTES(payload, size, entry.payload, entry.payload_size);
    guard_free(back, size);
    guard_free(out, bound);
    guard_free(in, size);
}

static void test_round_trip_of_every_small_size(void **state)
{
    (void)state;
    struct envelope_storage *s = new_storage(NULL);
    uint8_t payload[301];

    for (size_t size = 0; size <= 300; size++) {
        memset(payload, 'A', size);
        check_round_trip(s, payload, size);
        fill_stream(payload, size);
        check_round_trip(s, payload, size);
        fill_words(payload, size, size);
        check_round_trip(s, payload, size);
    }
    envelope_storage_free(s);
}

static void test_round_trip_around_64_kib(void **state)
{
    (void)state;
    struct envelope_storage *s = new_storage(NULL);
    uint8_t *payload = malloc(70000);
    assert_non_null(payload);

    for (size_t size = 65520; size <= 65550; size++) {
        fill_words(payload, size, size);
        check_round_trip(s, payload, size);
        fill_stream(payload, size);
        check_round_trip(s, payload, size);
    }
    free(payload);
    envelope_storage_free(s);
}

/* c4 up to 255 bytes of block, c5 up to 65,535, then c6. */
static void test_header_widths(void **state)
{
    (void)state;
    struct envelope_storage *s = new_storage(NULL);
    uint8_t *payload = malloc(70000);
    struct envelope_buffer out;
    size_t bin8 = 0, bin16 = 0;
    assert_non_null(payload);

    fill_stream(payload, 70000);
    CHECK_BYTES("\x99\x25\x9a\x8c\xa2\xd1\x03\x74", 8, payload, 8);
    for (size_t size = 230; size <= 270; size++) {
        struct envelope_view view;
        CHECK_KIND(ENVELOPE_OK,
                   envelope_store(s, payload, size, NULL, 0, &out, NULL));
        CHECK_BOOL(true, envelope_decode_once(out.data, out.size, &view));
        CHECK_U64(view.data_size <= 255 ? 0xc4 : 0xc5, out.data[1]);
        bin8 += view.data_size <= 255;
        bin16 += view.data_size > 255;
        envelope_buffer_free(NULL, &out);
    }
    assert_true(bin8 > 5 && bin16 > 5);
    static const struct {
        size_t size;
        uint8_t marker;
    } rows[] = {{4096, 0xc5}, {69632, 0xc6}};
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        CHECK_KIND(ENVELOPE_OK, envelope_store(s, payload, rows[i].size, NULL,
                                               0, &out, NULL));
        CHECK_U64(rows[i].marker, out.data[1]);
        envelope_buffer_free(NULL, &out);
    }
    free(payload);
    envelope_storage_free(s);
}

/* The headers alone at the widths' borders, whatever the block. */
static void test_encoded_header_widths(void **state)
{
    (void)state;
    static const struct {
        size_t data_size;
        const char *head;
        uint32_t original_size;
        const char *size;
        size_t format_size;
        const char *format;
    } rows[] = {
        {0, "94c400", 0, "00", 0, "a0"},
        {255, "94c4ff", 127, "7f", 31, "bf"},
        {256, "94c50100", 128, "cc80", 32, "d920"},
        {65535, "94c5ffff", 255, "ccff", 255, "d9ff"},
        {65536, "94c600010000", 256, "cd0100", 256, "da0100"},
        {70000, "94c600011170", 65535, "cdffff", 65535, "daffff"},
        {1, "94c401", 65536, "ce00010000", 65536, "db00010000"},
        {1, "94c401", UINT32_MAX, "ceffffffff", 1, "a1"},
    };
    uint8_t *bytes = calloc(1, 70000);
    assert_non_null(bytes);
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        const struct envelope_view view = {
            .data = bytes,
            .data_size = rows[i].data_size,
            .checksum = UINT64_C(0x007f80ff00000000),
            .original_size = rows[i].original_size,
            .format = (const char *)bytes,
            .format_size = rows[i].format_size,
        };
        size_t bound = envelope_encode_bound(view.data_size, view.format_size);
        uint8_t *out = guard_new(bound), want[64];
        size_t written = 0, size;

        CHECK_KIND(ENVELOPE_NO_SPACE,
                   envelope_encode(&view, out, bound - 1, &written, NULL));
        CHECK_SIZE(0, written);
        CHECK_KIND(ENVELOPE_OK,
                   envelope_encode(&view, out, bound, &written, NULL));
        size = hex_decode(rows[i].head, want, sizeof(want));
        CHECK_BYTES(want, size, out, size);
        const uint8_t *p = out + size + view.data_size;
        size =
            hex_decode("98 00 7f cc80 ccff 00 00 00 00", want, sizeof(want));
        CHECK_BYTES(want, size, p, size);
        p += size;
        size = hex_decode(rows[i].size, want, sizeof(want));
        CHECK_BYTES(want, size, p, size);
        p += size;
        size = hex_decode(rows[i].format, want, sizeof(want));
        CHECK_BYTES(want, size, p, size);
        CHECK_SIZE((size_t)(p - out) + size + view.format_size, written);
        guard_free(out, bound);
    }
    free(bytes);
}

/* What a writer has stored before leaves no trace, nor does its age. */
static void test_equal_input_gives_equal_bytes(void **state)
{
    (void)state;
    struct envelope_storage *old = new_storage(NULL);
    uint8_t *payload = malloc(200000);
    uint64_t seed = 5;
    assert_non_null(payload);

    for (int i = 0; i < 600; i++) {
        static const size_t limits[] = {100, 2000, 70000, 200000};
        size_t size = prng_below(&seed, limits[i % 4]);
        struct envelope_storage *fresh = new_storage(NULL);
        struct envelope_buffer a, b;

        if (i % 3 == 0)
            msgpack_sample_stream(seed, payload, size);
        else
            fill_words(payload, size, seed % 5);
        CHECK_KIND(ENVELOPE_OK,
                   envelope_store(old, payload, size, NULL, 0, &a, NULL));
        CHECK_KIND(ENVELOPE_OK,
                   envelope_store(fresh, payload, size, NULL, 0, &b, NULL));
        CHECK_BYTES(b.data, b.size, a.data, a.size);
        envelope_buffer_free(NULL, &a);
        envelope_buffer_free(NULL, &b);
        envelope_storage_free(fresh);
    }
    free(payload);
    envelope_storage_free(old);
}

static void check_format(struct envelope_storage *s, const char *given,
                         size_t given_size, const char *want, size_t want_size)
{
    struct envelope_buffer out;
    struct envelope_entry entry;

    CHECK_KIND(ENVELOPE_OK, envelope_store(s, (const uint8_t *)"x", 1, given,
                                           given_size, &out, NULL));
    CHECK_KIND(ENVELOPE_OK,
               envelope_retrieve(out.data, out.size, NULL, &entry, NULL));
    CHECK_BYTES(want, want_size, entry.format, entry.format_size);
    envelope_entry_free(NULL, &entry);
    envelope_buffer_free(NULL, &out);
}

static void test_formats(void **state)
{
    (void)state;
    struct envelope_storage *s = new_storage(NULL), *named = NULL;
    char *longest = malloc(70000);
    assert_non_null(longest);
    memset(longest, 'f', 70000);

    CHECK_KIND(ENVELOPE_OK,
               envelope_storage_new("arrow", 5, NULL, &named, NULL));
    check_format(s, NULL, 0, "msgpack", 7);
    check_format(named, NULL, 0, "arrow", 5);
    check_format(named, "", 0, "", 0);
    check_format(named, "json\0b", 6, "json\0b", 6);
    for (size_t size = 0; size < 40; size++)
        check_format(s, longest, size, longest, size);
    check_format(s, longest, 70000, longest, 70000);
    check_format(s, "\xc3\xa9\xf0\x9f\x98\x80", 6, "\xc3\xa9\xf0\x9f\x98\x80",
                 6);
    free(longest);
    envelope_storage_free(named);
    envelope_storage_free(s);
}

static void test_a_format_must_be_utf8(void **state)
{
    (void)state;
    static const char *const bad[] = {"\xff",
                                      "abcd\xff",
                                      "abcdefgh\xc0",
                                      "\xed\xa0\x80",
                                      "abc\xf4\x90\x80\x80",
                                      "abcdefghijklmnopq\x80"};
    struct envelope_storage *s = new_storage(NULL), *none = NULL;

    for (size_t i = 0; i < ARRAY_COUNT(bad); i++) {
        const size_t size = strlen(bad[i]);
        uint8_t room[256];
        size_t written;
        struct envelope_buffer out;
        struct envelope_error error;

        CHECK_KIND(ENVELOPE_SERIALIZATION_FAILED,
                   envelope_store(s, NULL, 0, bad[i], size, &out, &error));
        check_error("serialization failed: format is not valid utf-8", &error);
        CHECK_KIND(ENVELOPE_SERIALIZATION_FAILED,
                   envelope_store_into(s, NULL, 0, bad[i], size, room,
                                       sizeof(room), &written, NULL));
        CHECK_KIND(ENVELOPE_SERIALIZATION_FAILED,
                   envelope_storage_new(bad[i], size, NULL, &none, NULL));
    }
    assert_null(none);
    envelope_storage_free(s);
}

static void test_too_small_a_buffer_is_left_alone(void **state)
{
    (void)state;
    struct envelope_storage *s = new_storage(NULL);
    uint8_t out[256] = {0};
    size_t written = 77;
    size_t bound = envelope_store_bound(s, 5, NULL, 0);

    CHECK_KIND(ENVELOPE_NO_SPACE,
               envelope_store_into(s, (const uint8_t *)"hello", 5, NULL, 0,
                                   out, bound - 1, &written, NULL));
    CHECK_SIZE(77, written);
    for (size_t i = 0; i < sizeof(out); i++)
        CHECK_U64(0, out[i]);
    CHECK_KIND(ENVELOPE_OK,
               envelope_store_into(s, (const uint8_t *)"hello", 5, NULL, 0,
                                   out, bound, &written, NULL));
    CHECK_SIZE(31, written);
    envelope_storage_free(s);
}

static void test_estimated_compression(void **state)
{
    (void)state;
    struct envelope_storage *s = new_storage(NULL);
    uint8_t payload[1000];
    double ratio = 7;

    CHECK_KIND(ENVELOPE_OK,
               envelope_estimate_compression(s, NULL, 0, &ratio, NULL));
    assert_true(ratio == 0.0);
    memset(payload, 'A', sizeof(payload));
    CHECK_KIND(ENVELOPE_OK, envelope_estimate_compression(
                                s, payload, sizeof(payload), &ratio, NULL));
    assert_true(ratio > 50.0);
    fill_stream(payload, sizeof(payload));
    CHECK_KIND(ENVELOPE_OK, envelope_estimate_compression(
                                s, payload, sizeof(payload), &ratio, NULL));
    assert_true(ratio > 0.9 && ratio < 1.0);
    envelope_storage_free(s);
}

/* The published sizes of the record stream's envelopes are those of another
 * compressor; the payload's checksum is the same, and it reads back. */
static void test_record_stream_envelopes(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        uint64_t checksum;
    } rows[] = {
        {64, UINT64_C(0x67b4e827d647211b)},
        {1024, UINT64_C(0x87470688ac878bdb)},
        {65536, UINT64_C(0xba9b7a2d4cedf95c)},
    };
    struct envelope_storage *s = new_storage(NULL);
    uint8_t *payload = malloc(65536);
    assert_non_null(payload);

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        msgpack_sample_stream(0, payload, rows[i].size);
        CHECK_U64(rows[i].checksum, envelope_checksum(payload, rows[i].size));
        check_round_trip(s, payload, rows[i].size);
    }
    free(payload);
    envelope_storage_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip_of_every_small_size),
        cmocka_unit_test(test_round_trip_around_64_kib),
        cmocka_unit_test(test_header_widths),
        cmocka_unit_test(test_encoded_header_widths),
        cmocka_unit_test(test_equal_input_gives_equal_bytes),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_a_format_must_be_utf8),
        cmocka_unit_test(test_too_small_a_buffer_is_left_alone),
        cmocka_unit_test(test_estimated_compression),
        cmocka_unit_test(test_record_stream_envelopes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
