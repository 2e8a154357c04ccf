/* SPDX-License-Identifier: MIT */
/* The two paths of a read never differ: what the short one accepts, the
 * complete one accepts with the same fields.  And no damage is missed. */
#include "envelope/tests/envelope_samples.h"

#define MUTATIONS 1000000
#define SEEDS     5

static void check_agreement(const uint8_t *in, size_t size)
{
    struct envelope_view once, full, either;
    struct envelope_error a, b;
    bool short_path = envelope_decode_once(in, size, &once);
    enum envelope_kind kind = envelope_decode_full(in, size, NULL, &full, &a);
    enum envelope_kind same = envelope_decode(in, size, NULL, &either, &b);

    if (short_path)
        CHECK_KIND(ENVELOPE_OK, kind);
    CHECK_KIND(kind, same);
    if (kind == ENVELOPE_OK) {
        check_same_view(&full, &either);
        if (short_path)
            check_same_view(&full, &once);
    } else {
        CHECK_KIND(a.kind, b.kind);
        CHECK_U64(a.detail, b.detail);
        CHECK_U64(a.what, b.what);
        CHECK_U64(a.expected, b.expected);
        CHECK_U64(a.number[0], b.number[0]);
        CHECK_U64(a.number[1], b.number[1]);
    }
}

static uint8_t *make_seed(size_t i, size_t *size)
{
    static const size_t payload_sizes[SEEDS] = {0, 5, 64, 300, 64};
    uint8_t payload[300];
    uint8_t *envelope, *legacy;

    msgpack_sample_stream(i, payload, payload_sizes[i]);
    envelope = store_new(payload, payload_sizes[i], size);
    if (i + 1 < SEEDS)
        return envelope;
    legacy = legacy_new(envelope, *size, size);
    free(envelope);
    return legacy;
}

/* Replace, insert or drop bytes, most of them markers that mean something. */
static size_t mutate(uint8_t *bytes, size_t size, uint64_t *rng)
{
    static const uint8_t likely[] = {
        0x00, 0x7f, 0x80, 0x84, 0x90, 0x93, 0x94, 0x95, 0x97, 0x98, 0x99,
        0xa0, 0xa7, 0xc0, 0xc1, 0xc4, 0xc5, 0xc6, 0xcc, 0xcd, 0xce, 0xcf,
        0xd0, 0xd1, 0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xde, 0xff};
    for (uint64_t n = 1 + prng_below(rng, 3); n != 0 && size != 0; n--) {
        size_t at = prng_below(rng, size);
        uint8_t byte = prng_below(rng, 2) != 0
                           ? likely[prng_below(rng, sizeof(likely))]
                           : (uint8_t)prng_splitmix64(rng);
        switch (prng_below(rng, 4)) {
        case 0:
            memmove(bytes + at, bytes + at + 1, size - at - 1);
            size--;
            break;
        case 1:
            memmove(bytes + at + 1, bytes + at, size - at);
            size++;
            bytes[at] = byte;
            break;
        default:
            bytes[at] = byte;
            break;
        }
    }
    return size;
}

static void test_a_million_mutations(void **state)
{
    (void)state;
    uint64_t rng = 2026;
    uint8_t *work = malloc(1024);
    assert_non_null(work);

    for (size_t i = 0; i < SEEDS; i++) {
        size_t size;
        uint8_t *seed = make_seed(i, &size);
        for (int k = 0; k < MUTATIONS / SEEDS; k++) {
            memcpy(work, seed, size);
            check_agreement(work, mutate(work, size, &rng));
        }
        free(seed);
    }
    free(work);
}

static void test_every_prefix_is_rejected(void **state)
{
    (void)state;
    for (size_t i = 0; i < SEEDS; i++) {
        size_t size;
        uint8_t *seed = make_seed(i, &size);
        for (size_t cut = 0; cut < size; cut++) {
            const uint8_t *in = guard_copy(seed, cut);
            struct envelope_view view;
            struct envelope_error error;

            CHECK_BOOL(false, envelope_decode_once(in, cut, &view));
            CHECK_KIND(ENVELOPE_DESERIALIZATION_FAILED,
                       envelope_decode_full(in, cut, NULL, &view, &error));
            check_all_reads(ENVELOPE_DESERIALIZATION_FAILED, in, cut, &error);
            guard_free(in, cut);
        }
        check_all_reads(ENVELOPE_OK, seed, size, NULL);
        free(seed);
    }
}

/* One byte changed: the right payload, or a failure. */
static void check_change(const uint8_t *in, size_t size,
                         const uint8_t *payload, size_t payload_size,
                         size_t *survivors)
{
    struct envelope_buffer out;

    check_agreement(in, size);
    if (envelope_retrieve_data(in, size, NULL, &out, NULL) != ENVELOPE_OK)
        return;
    CHECK_BYTES(payload, payload_size, out.data, out.size);
    envelope_buffer_free(NULL, &out);
    ++*survivors;
}

static void test_every_single_byte_change(void **state)
{
    (void)state;
    size_t survivors = 0;

    for (size_t i = 0; i < SEEDS; i++) {
        size_t size;
        uint8_t *in = make_seed(i, &size);
        struct envelope_buffer payload;
        CHECK_KIND(ENVELOPE_OK,
                   envelope_retrieve_data(in, size, NULL, &payload, NULL));
        for (size_t at = 0; at < size; at++) {
            uint8_t kept = in[at];
            for (unsigned byte = 0; byte < 256; byte++) {
                if (byte == kept)
                    continue;
                in[at] = (uint8_t)byte;
                check_change(in, size, payload.data, payload.size, &survivors);
            }
            in[at] = kept;
        }
        envelope_buffer_free(NULL, &payload);
        free(in);
    }
    /* At least the letters of each format, 127 ways each. */
    assert_true(survivors > (size_t)SEEDS * 7 * 100);
}

/* What the published files hold, both paths. */
static void check_file(const char *path, const char *const *groups,
                       const char *field)
{
    struct json_object *doc = testkit_vectors(path);

    for (; *groups != NULL; groups++) {
        struct json_object *rows = vector_field(doc, *groups);
        for (size_t i = 0; i < json_object_array_length(rows); i++) {
            size_t size;
            uint8_t *in =
                vector_hex(json_object_array_get_idx(rows, i), field, &size);
            check_agreement(in, size);
            free(in);
        }
    }
    json_object_put(doc);
}

static void test_published_documents(void **state)
{
    (void)state;
    static const char *const wire[] = {"vectors", "reject_vectors",
                                       "payload_reject_vectors", NULL};
    static const char *const matrix[] = {"cases", NULL};
    static const char *const bounds[] = {"reject_vectors", "accept_vectors",
                                         NULL};

    check_file("cachekit/wire-format.json", wire, "envelope_hex");
    check_file("cachekit/reader-matrix.json", matrix, "envelope_hex");
    check_file("cachekit/msgpack-walk.json", matrix, "input_hex");
    check_file("cachekit/decode-bounds.json", bounds, "input_hex");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_million_mutations),
        cmocka_unit_test(test_every_prefix_is_rejected),
        cmocka_unit_test(test_every_single_byte_change),
        cmocka_unit_test(test_published_documents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
