/* SPDX-License-Identifier: MIT */
/* Limits at and one past, up to half a gigabyte.  The rows that take
 * gigabytes of memory or minutes run only with PLUMB_SLOW set. */
#include "envelope/tests/envelope_samples.h"

#define MIB      (UINT64_C(1) << 20)
#define CAP      (512 * MIB)
#define TOO_MANY (CAP + 1)

static void test_sizes_at_their_limits(void **state)
{
    (void)state;
    static const struct {
        uint64_t compressed, original;
        enum envelope_kind kind;
    } rows[] = {
        {0, 0, ENVELOPE_DECOMPRESSION_BOMB},
        {0, 1000, ENVELOPE_DECOMPRESSION_BOMB},
        {1, 0, ENVELOPE_OK},
        {1, 1000, ENVELOPE_OK},
        {1, 1001, ENVELOPE_DECOMPRESSION_BOMB},
        {1, 2000, ENVELOPE_DECOMPRESSION_BOMB},
        {100, 100000, ENVELOPE_OK},
        {100, 100001, ENVELOPE_DECOMPRESSION_BOMB},
        {1000, 209715200, ENVELOPE_DECOMPRESSION_BOMB},
        {1000, UINT32_MAX, ENVELOPE_INPUT_TOO_LARGE},
        {1000000, 1000000000, ENVELOPE_INPUT_TOO_LARGE},
        {CAP, CAP, ENVELOPE_OK},
        {TOO_MANY, 1, ENVELOPE_INPUT_TOO_LARGE},
        {1, TOO_MANY, ENVELOPE_INPUT_TOO_LARGE},
        /* 1000 times this passes 2^32, where 32 bits would see 704. */
        {4294968, CAP, ENVELOPE_OK},
        {536871, CAP, ENVELOPE_OK},
        {536870, CAP, ENVELOPE_DECOMPRESSION_BOMB},
        {UINT64_MAX, 1, ENVELOPE_INPUT_TOO_LARGE},
        {1, UINT64_MAX, ENVELOPE_INPUT_TOO_LARGE},
    };
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        CHECK_KIND(rows[i].kind, envelope_check_sizes(rows[i].compressed,
                                                      rows[i].original, NULL));
}

static void test_limits_are_readable(void **state)
{
    (void)state;
    CHECK_U64(CAP, envelope_max_uncompressed_size());
    CHECK_U64(CAP, envelope_max_compressed_size());
    CHECK_U64(1000, envelope_max_compression_ratio());
}

/* Judged before a byte is read: the pointer leads nowhere. */
static void test_an_oversized_envelope_is_not_read(void **state)
{
    (void)state;
    const uint8_t *in = guard_copy(NULL, 0);
    struct envelope_view view;

    check_all_reads(ENVELOPE_INPUT_TOO_LARGE, in, TOO_MANY, NULL);
    check_all_reads(ENVELOPE_INPUT_TOO_LARGE, in, SIZE_MAX, NULL);
    CHECK_KIND(ENVELOPE_INPUT_TOO_LARGE,
               envelope_decode(in, TOO_MANY, NULL, &view, NULL));
    CHECK_KIND(ENVELOPE_INPUT_TOO_LARGE,
               envelope_decode_full(in, TOO_MANY, NULL, &view, NULL));
    guard_free(in, 0);
}

static void test_an_oversized_payload_is_not_stored(void **state)
{
    (void)state;
    struct alloc_probe probe = {0};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct envelope_storage *s = new_storage(&alloc);
    const size_t calls = probe.calls;
    struct envelope_buffer out;
    size_t written;
    double ratio;
    uint8_t byte = 0, room[64];

    CHECK_KIND(ENVELOPE_INPUT_TOO_LARGE,
               envelope_store(s, &byte, TOO_MANY, NULL, 0, &out, NULL));
    CHECK_KIND(ENVELOPE_INPUT_TOO_LARGE,
               envelope_store_into(s, &byte, TOO_MANY, NULL, 0, room, 64,
                                   &written, NULL));
    CHECK_KIND(
        ENVELOPE_INPUT_TOO_LARGE,
        envelope_estimate_compression(s, &byte, TOO_MANY, &ratio, NULL));
    CHECK_SIZE(SIZE_MAX, envelope_store_bound(s, TOO_MANY, NULL, 0));
    CHECK_SIZE(calls, probe.calls);
    envelope_storage_free(s);
}

/* The envelope itself may be too long through its format. */
static void test_an_oversized_format_is_not_stored(void **state)
{
    (void)state;
    testkit_only_when_slow();
    struct envelope_storage *s = new_storage(NULL);
    struct envelope_buffer out;
    char *format = malloc(CAP);
    assert_non_null(format);
    memset(format, 'f', CAP);

    CHECK_KIND(ENVELOPE_INPUT_TOO_LARGE,
               envelope_store(s, NULL, 0, format, CAP, &out, NULL));
    /* 94, c4 01 00, the checksum of nothing in 13 bytes, 00, db and length */
    const size_t around = 1 + 3 + 13 + 1 + 5;
    CHECK_KIND(ENVELOPE_OK,
               envelope_store(s, NULL, 0, format, CAP - around, &out, NULL));
    CHECK_SIZE(CAP, out.size);
    envelope_buffer_free(NULL, &out);
    CHECK_KIND(
        ENVELOPE_INPUT_TOO_LARGE,
        envelope_store(s, NULL, 0, format, CAP - around + 1, &out, NULL));
    free(format);
    envelope_storage_free(s);
}

static void check_round_trip(const uint8_t *payload, size_t size)
{
    size_t envelope_size;
    uint8_t *envelope = store_new(payload, size, &envelope_size);
    struct envelope_buffer out;

    CHECK_KIND(ENVELOPE_OK, envelope_retrieve_data(envelope, envelope_size,
                                                   NULL, &out, NULL));
    CHECK_SIZE(size, out.size);
    assert_memory_equal(payload, out.data, size);
    envelope_buffer_free(NULL, &out);
    free(envelope);
}

static void check_big_round_trip(size_t size)
{
    uint8_t *payload = malloc(size);
    assert_non_null(payload);

    fill_words(payload, size, size);
    check_round_trip(payload, size);
    memset(payload, 'A', size);
    check_round_trip(payload, size);
    free(payload);
}

static void test_one_mebibyte(void **state)
{
    (void)state;
    check_big_round_trip(MIB - 1);
    check_big_round_trip(MIB);
}

static void test_sixty_four_mebibytes(void **state)
{
    (void)state;
    testkit_only_when_slow();
    check_big_round_trip(64 * MIB);
}

/* At the cap: one repeated byte fits, incompressible bytes do not, since
 * their block is longer than they are. */
static void test_half_a_gibibyte(void **state)
{
    (void)state;
    testkit_only_when_slow();
    struct envelope_storage *s = new_storage(NULL);
    struct envelope_buffer out;
    uint8_t *payload = malloc(CAP);
    assert_non_null(payload);

    memset(payload, 'A', CAP);
    check_round_trip(payload, CAP);
    fill_stream(payload, CAP);
    CHECK_KIND(ENVELOPE_INPUT_TOO_LARGE,
               envelope_store(s, payload, CAP, NULL, 0, &out, NULL));
    free(payload);
    envelope_storage_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_at_their_limits),
        cmocka_unit_test(test_limits_are_readable),
        cmocka_unit_test(test_an_oversized_envelope_is_not_read),
        cmocka_unit_test(test_an_oversized_payload_is_not_stored),
        cmocka_unit_test(test_an_oversized_format_is_not_stored),
        cmocka_unit_test(test_one_mebibyte),
        cmocka_unit_test(test_sixty_four_mebibytes),
        cmocka_unit_test(test_half_a_gibibyte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
