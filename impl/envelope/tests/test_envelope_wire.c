/* SPDX-License-Identifier: MIT */
/* Published envelopes: what each gives, and which of them this writer makes
 * byte for byte. */
#include "envelope/tests/envelope_samples.h"
#include "msgpack/msgpack.h"

/* Small published envelopes in both encodings, with their payloads. */
static const struct {
    const char *legacy, *current, *payload;
} pairs[] = {
    {"949100982d06cc800538ccd3cc94ccc200a76d73677061636b",
     "94c40100982d06cc800538ccd3cc94ccc200a76d73677061636b", ""},
    {"949210ccff98ccd6ccbcccec3c6b29ccd72e01a76d73677061636b",
     "94c40210ff98ccd6ccbcccec3c6b29ccd72e01a76d73677061636b", "ff"},
    {"94dc0012ccf001 68656c6c6f2c2063616368656b697421 986dcc8a34ccb63a3c52"
     "ccd310a76d73677061636b",
     "94c412f001 68656c6c6f2c2063616368656b697421 986dcc8a34ccb63a3c52ccd3"
     "10a76d73677061636b",
     "68656c6c6f2c2063616368656b697421"},
};

static void check_payload(const uint8_t *in, size_t size,
                          const uint8_t *payload, size_t payload_size,
                          const char *format)
{
    struct envelope_entry entry;

    check_all_reads(ENVELOPE_OK, in, size, NULL);
    CHECK_KIND(ENVELOPE_OK, envelope_retrieve(in, size, NULL, &entry, NULL));
    CHECK_BYTES(payload, payload_size, entry.payload, entry.payload_size);
    CHECK_BYTES(format, strlen(format), entry.format, entry.format_size);
    envelope_entry_free(NULL, &entry);
}

/* Decoding and encoding again gives the same bytes. */
static void check_identity(const uint8_t *in, size_t size)
{
    struct envelope_view view;
    CHECK_KIND(ENVELOPE_OK, envelope_decode(in, size, NULL, &view, NULL));

    size_t bound = envelope_encode_bound(view.data_size, view.format_size);
    uint8_t *out = guard_new(bound);
    size_t written;
    CHECK_KIND(ENVELOPE_OK,
               envelope_encode(&view, out, bound, &written, NULL));
    CHECK_BYTES(in, size, out, written);
    guard_free(out, bound);
}

static void test_both_encodings_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(pairs); i++) {
        size_t legacy_size, current_size, payload_size;
        uint8_t *legacy = hex_new(pairs[i].legacy, &legacy_size);
        uint8_t *current = hex_new(pairs[i].current, &current_size);
        uint8_t *payload = hex_new(pairs[i].payload, &payload_size);

        check_payload(legacy, legacy_size, payload, payload_size, "msgpack");
        check_payload(current, current_size, payload, payload_size, "msgpack");
        check_identity(current, current_size);
        free(legacy);
        free(current);
        free(payload);
    }
}

static void test_checksum_values(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t sum;
    } rows[] = {
        {"", UINT64_C(0x2d06800538d394c2)},
        {"hello", UINT64_C(0x9555e8555c62dcfd)},
        {"cachekit-kat", UINT64_C(0xd123cc9bbe9da4b1)},
        {"payload bytes", UINT64_C(0x05f871f13914cf81)},
    };
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        const size_t size = strlen(rows[i].text);
        uint8_t wire[ENVELOPE_CHECKSUM_SIZE];

        CHECK_U64(rows[i].sum, envelope_checksum(rows[i].text, size));
        for (int k = 0; k < ENVELOPE_CHECKSUM_SIZE; k++)
            wire[k] = (uint8_t)(rows[i].sum >> (56 - 8 * k));
        CHECK_BOOL(true, envelope_verify_checksum(rows[i].text, size, wire));
        wire[7] ^= 1;
        CHECK_BOOL(false, envelope_verify_checksum(rows[i].text, size, wire));
    }
    CHECK_U64(rows[0].sum, envelope_checksum(NULL, 0));
}

/* Published envelopes that liblz4 compresses to other, equally valid blocks
 * than their author's compressor.  Everything else must come out the same. */
static bool other_block(const char *name)
{
    static const char *const names[] = {
        "large_compressible_bin",
        "json_like_bin",
    };
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static void check_store(struct envelope_storage *s, const char *name,
                        const uint8_t *envelope, size_t size,
                        const uint8_t *payload, size_t payload_size,
                        const char *format)
{
    struct envelope_buffer out;

    CHECK_KIND(ENVELOPE_OK, envelope_store(s, payload, payload_size, format,
                                           strlen(format), &out, NULL));
    if (other_block(name))
        assert_true(out.size != size || memcmp(out.data, envelope, size) != 0);
    else
        CHECK_BYTES(envelope, size, out.data, out.size);
    check_payload(out.data, out.size, payload, payload_size, format);
    envelope_buffer_free(NULL, &out);
}

static void check_vector(struct envelope_storage *s, struct json_object *row)
{
    size_t size, payload_size;
    uint8_t *in = vector_hex(row, "envelope_hex", &size);
    uint8_t *payload = vector_hex(row, "input_hex", &payload_size);
    const char *format = vector_text(row, "format");

    CHECK_SIZE(vector_u64(row, "envelope_size"), size);
    check_payload(in, size, payload, payload_size, format);
    if (json_object_object_get_ex(row, "envelope_encoding", NULL)) {
        check_identity(in, size);
        check_store(s, vector_text(row, "name"), in, size, payload,
                    payload_size, format);
        size_t legacy_size;
        uint8_t *legacy = legacy_new(in, size, &legacy_size);
        check_payload(legacy, legacy_size, payload, payload_size, format);
        free(legacy);
    }
    free(in);
    free(payload);
}

static struct json_object *wire_group(struct json_object *doc,
                                      const char *group, size_t count)
{
    struct json_object *rows = vector_field(doc, group);

    CHECK_SIZE(count, json_object_array_length(rows));
    return rows;
}

static void test_published_envelopes(void **state)
{
    (void)state;
    struct json_object *doc = testkit_vectors("cachekit/wire-format.json");
    struct json_object *rows = wire_group(doc, "vectors", 18);
    struct envelope_storage *s = new_storage(NULL);

    for (size_t i = 0; i < 18; i++)
        check_vector(s, json_object_array_get_idx(rows, i));
    envelope_storage_free(s);
    json_object_put(doc);
}

/* Repeat each segment and join them. */
static uint8_t *construct(struct json_object *segments, size_t *size)
{
    size_t room = 0, count = json_object_array_length(segments);
    uint8_t *out;

    *size = 0;
    for (size_t i = 0; i < count; i++) {
        struct json_object *s = json_object_array_get_idx(segments, i);
        room += strlen(vector_text(s, "hex")) / 2 * vector_u64(s, "count");
    }
    out = malloc(room + 1);
    assert_non_null(out);
    for (size_t i = 0; i < count; i++) {
        struct json_object *s = json_object_array_get_idx(segments, i);
        size_t piece_size;
        uint8_t *piece = vector_hex(s, "hex", &piece_size);
        for (uint64_t k = vector_u64(s, "count"); k != 0; k--) {
            memcpy(out + *size, piece, piece_size);
            *size += piece_size;
        }
        free(piece);
    }
    return out;
}

static void check_constructed(struct json_object *row)
{
    size_t size, payload_size;
    uint8_t *in = construct(vector_field(row, "envelope_construction"), &size);
    uint8_t *payload =
        construct(vector_field(row, "input_construction"), &payload_size);
    uint8_t sum[ENVELOPE_CHECKSUM_SIZE];
    struct envelope_view view;

    CHECK_SIZE(vector_u64(row, "envelope_size"), size);
    check_payload(in, size, payload, payload_size, vector_text(row, "format"));
    CHECK_KIND(ENVELOPE_OK, envelope_decode(in, size, NULL, &view, NULL));
    CHECK_SIZE(vector_u64(row, "compressed_size"), view.data_size);
    CHECK_U64(vector_u64(row, "original_size"), view.original_size);
    hex_decode(vector_text(row, "checksum_hex"), sum, sizeof(sum));
    CHECK_BOOL(true, envelope_verify_checksum(payload, payload_size, sum));
    if (view.array_span == 0)
        check_identity(in, size);
    free(in);
    free(payload);
}

static void test_constructed_envelopes(void **state)
{
    (void)state;
    struct json_object *doc = testkit_vectors("cachekit/wire-format.json");
    struct json_object *rows = wire_group(doc, "constructed_vectors", 4);

    for (size_t i = 0; i < 4; i++)
        check_constructed(json_object_array_get_idx(rows, i));
    json_object_put(doc);
}

static const struct reject {
    const char *name, *text;
} rejects[] = {
    {"reject_original_size_over_cap", "input exceeds maximum size"},
    {"reject_original_size_wraps_u32",
     "deserialization failed: invalid value: integer `4294967312`, expected "
     "u32"},
    {"reject_original_size_sign_bit",
     "deserialization failed: invalid value: integer `9223372036854775824`, "
     "expected u32"},
    {"reject_zero_length_compressed_data",
     "decompression ratio exceeds safety limit"},
    {"reject_ratio_bomb", "decompression ratio exceeds safety limit"},
    {"reject_ratio_float32_rounds",
     "decompression ratio exceeds safety limit"},
    {"reject_decompressed_length_mismatch", "size validation failed"},
    {"reject_checksum_mismatch", "integrity check failed"},
    {"reject_envelope_arity_5",
     "deserialization failed: array had incorrect length, expected 4"},
    {"reject_envelope_arity_3",
     "deserialization failed: invalid length 3, expected struct "
     "StorageEnvelope with 4 elements"},
    {"reject_checksum_nine_elements",
     "deserialization failed: array had incorrect length, expected 8"},
    {"reject_checksum_seven_elements",
     "deserialization failed: invalid length 7, expected an array of length "
     "8"},
    {"reject_legacy_element_above_255",
     "deserialization failed: invalid value: integer `360`, expected u8"},
    {"reject_envelope_slots_overclaim",
     "deserialization failed: decode pre-scan: declares more elements than "
     "the input can back"},
};

static void check_reject(struct json_object *row)
{
    const char *name = vector_text(row, "name");
    size_t size, i = 0;
    uint8_t *in = vector_hex(row, "envelope_hex", &size);
    struct envelope_error error;
    struct envelope_entry entry;
    enum envelope_kind kind =
        envelope_retrieve(in, size, NULL, &entry, &error);

    while (i < ARRAY_COUNT(rejects) && strcmp(rejects[i].name, name) != 0)
        i++;
    if (i == ARRAY_COUNT(rejects))
        CHECK_FAIL("no expectation for %s", name);
    check_error(rejects[i].text, &error);
    check_all_reads(kind, in, size, NULL);
    free(in);
}

static void test_published_rejections(void **state)
{
    (void)state;
    struct json_object *doc = testkit_vectors("cachekit/wire-format.json");
    struct json_object *rows = wire_group(doc, "reject_vectors", 14);

    for (size_t i = 0; i < 14; i++)
        check_reject(json_object_array_get_idx(rows, i));
    json_object_put(doc);
}

static void test_published_limits(void **state)
{
    (void)state;
    struct json_object *doc = testkit_vectors("cachekit/wire-format.json");
    struct json_object *limits = vector_field(doc, "limits");

    CHECK_U64(vector_u64(limits, "max_uncompressed_size"),
              envelope_max_uncompressed_size());
    CHECK_U64(vector_u64(limits, "max_compressed_size"),
              envelope_max_compressed_size());
    CHECK_U64(vector_u64(limits, "max_compression_ratio"),
              envelope_max_compression_ratio());
    json_object_put(doc);
}

/* A hostile payload in a sound envelope: the envelope reads, and the walk
 * over the payload is its reader's affair. */
static void test_hostile_payloads_still_read(void **state)
{
    (void)state;
    struct json_object *doc = testkit_vectors("cachekit/wire-format.json");
    struct json_object *rows = wire_group(doc, "payload_reject_vectors", 2);

    for (size_t i = 0; i < 2; i++) {
        struct json_object *row = json_object_array_get_idx(rows, i);
        size_t size, payload_size;
        uint8_t *in = vector_hex(row, "envelope_hex", &size);
        uint8_t *payload = vector_hex(row, "input_hex", &payload_size);
        struct msgpack_error walk;

        check_payload(in, size, payload, payload_size, "msgpack");
        CHECK_ENUM(msgpack_fault_text, MSGPACK_ELEMENTS_OVERCLAIM,
                   msgpack_check(payload, payload_size, 100, NULL, &walk));
        free(in);
        free(payload);
    }
    json_object_put(doc);
}

/* Documents that are bounded away before a decode; accepted ones are no
 * envelopes, which is another matter. */
static void check_bounds_row(struct json_object *row, bool accepted)
{
    static const char scan[] = "deserialization failed: decode pre-scan: ";
    size_t size;
    uint8_t *in = vector_hex(row, "input_hex", &size);
    struct envelope_error error;
    char text[256];

    CHECK_SIZE(vector_u64(row, "input_len"), size);
    check_all_reads(ENVELOPE_DESERIALIZATION_FAILED, in, size, &error);
    envelope_error_text(&error, text, sizeof(text));
    CHECK_BOOL(!accepted, strncmp(text, scan, strlen(scan)) == 0);
    free(in);
}

static void test_published_decode_bounds(void **state)
{
    (void)state;
    struct json_object *doc = testkit_vectors("cachekit/decode-bounds.json");
    struct json_object *rejected = wire_group(doc, "reject_vectors", 19);
    struct json_object *accepted = wire_group(doc, "accept_vectors", 3);

    for (size_t i = 0; i < 19; i++)
        check_bounds_row(json_object_array_get_idx(rejected, i), false);
    for (size_t i = 0; i < 3; i++)
        check_bounds_row(json_object_array_get_idx(accepted, i), true);
    json_object_put(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_encodings_read),
        cmocka_unit_test(test_checksum_values),
        cmocka_unit_test(test_published_envelopes),
        cmocka_unit_test(test_constructed_envelopes),
        cmocka_unit_test(test_published_rejections),
        cmocka_unit_test(test_published_limits),
        cmocka_unit_test(test_hostile_payloads_still_read),
        cmocka_unit_test(test_published_decode_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
