/* SPDX-License-Identifier: MIT */
/* The seeded documents are what they claim, and stay the same bytes. */
#include "msgpack/tests/msgpack_expect.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "msgpack/sample/msgpack_sample.h"

static uint8_t buffer[1 << 20];

static void test_stream_is_the_published_one(void **state)
{
    (void)state;
    static const char head[] =
        "87a26964ce000f4241a475736572ab757365725f643136663364a5656d61696c"
        "b3753836393531406578616d706c65362e636f6da573636f7265cb405160a3d7";
    static const struct {
        size_t size;
        uint64_t xxh3;
    } rows[] = {
        {0, UINT64_C(0x2d06800538d394c2)},
        {64, UINT64_C(0x67b4e827d647211b)},
        {1024, UINT64_C(0x87470688ac878bdb)},
        {65536, UINT64_C(0xba9b7a2d4cedf95c)},
    };
    uint8_t want[64];
    size_t want_size = hex_decode(head, want, sizeof(want));

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        buffer[rows[i].size] = 0xee; /* stays */
        msgpack_sample_stream(0, buffer, rows[i].size);
        CHECK_U64(rows[i].xxh3, XXH3_64bits(buffer, rows[i].size));
        CHECK_U64(0xee, buffer[rows[i].size]);
    }
    CHECK_BYTES(want, want_size, buffer, want_size);
}

static size_t records(uint64_t seed, uint32_t count)
{
    struct sink sink = sink_init(buffer, sizeof(buffer));

    CHECK_STATUS(ST_OK, msgpack_sample_records(seed, count, &sink));
    return sink.at;
}

static void test_records_are_the_stream_in_an_array(void **state)
{
    (void)state;
    static uint8_t stream[65536];

    msgpack_sample_stream(0, stream, sizeof(stream));
    CHECK_SIZE(1 + 127, records(0, 1));
    CHECK_BOOL(true, records(0, 8) < 1 + 1024);
    CHECK_BOOL(true, records(0, 9) >= 1 + 1024);
    CHECK_BOOL(true, records(0, 547) < 3 + sizeof(stream));
    size_t size = records(0, 548);
    CHECK_BOOL(true, size >= 3 + sizeof(stream));
    CHECK_BYTES("\xdc\x02\x24", 3, buffer, 3);
    CHECK_BYTES(stream, sizeof(stream), buffer + 3, sizeof(stream));
    expect_ok(buffer, size, 3, size);
    CHECK_BOOL(true, size <= 5 + 548 * MSGPACK_SAMPLE_RECORD_BOUND);
}

static void test_seeds_give_other_documents(void **state)
{
    (void)state;
    uint64_t seen[8];

    for (uint64_t seed = 0; seed < 8; seed++) {
        size_t size = records(seed, 548);

        expect_ok(buffer, size, 3, size);
        CHECK_BOOL(true, size <= 5 + 548 * MSGPACK_SAMPLE_RECORD_BOUND);
        seen[seed] = XXH3_64bits(buffer, size);
        for (uint64_t other = 0; other < seed; other++)
            CHECK_BOOL(false, seen[other] == seen[seed]);
    }
}

/* Marks each kind of marker in the accepted document at the start of in. */
static void note_markers(const uint8_t *in, size_t size, bool *seen)
{
    struct msgpack_head head;

    for (size_t at = 0; at < size;) {
        CHECK_ENUM(msgpack_fault_text, MSGPACK_OK,
                   msgpack_head_read(in, size, at, &head));
        seen[in[at]] = true;
        at += head.head_size + (size_t)head.payload_size;
    }
}

static void test_mix_has_every_marker(void **state)
{
    (void)state;
    bool seen[256] = {false};

    for (uint64_t seed = 0; seed < 4; seed++) {
        struct sink sink = sink_init(buffer, 320000);

        CHECK_STATUS(ST_OK, msgpack_sample_mix(seed, 5000, &sink));
        expect_ok(buffer, sink.at, MSGPACK_SAMPLE_MIX_DEPTH, sink.at);
        CHECK_ENUM(msgpack_fault_text, MSGPACK_TOO_DEEP,
                   msgpack_check(buffer, sink.at, MSGPACK_SAMPLE_MIX_DEPTH - 1,
                                 NULL, NULL));
        note_markers(buffer, sink.at, seen);
    }
    for (unsigned marker = 0; marker < 256; marker++) {
        /* Short fix collections only, and never the reserved marker. */
        bool is_due = marker != 0xc1 && !(marker >= 0x84 && marker <= 0x8f) &&
                      !(marker >= 0x94 && marker <= 0x9f);
        if (seen[marker] != is_due)
            CHECK_FAIL("marker %02x: seen %d", marker, seen[marker]);
    }
}

static void test_ints_and_nests(void **state)
{
    (void)state;
    struct sink sink = sink_init(buffer, sizeof(buffer));

    CHECK_STATUS(ST_OK, msgpack_sample_ints(0, 65000, &sink));
    CHECK_SIZE(3 + 65000, sink.at);
    expect_ok(buffer, sink.at, 1, sink.at);
    for (size_t i = 3; i < sink.at; i++)
        CHECK_BOOL(true, buffer[i] < 0x80);
    sink = sink_init(buffer, sizeof(buffer));
    CHECK_STATUS(ST_OK, msgpack_sample_ints(0, 65536, &sink));
    CHECK_BYTES("\xdd\x00\x01\x00\x00", 5, buffer, 5);
    sink = sink_init(buffer, sizeof(buffer));
    CHECK_STATUS(ST_OK, msgpack_sample_deep(MSGPACK_SAMPLE_MAPS, 2, &sink));
    CHECK_BYTES("\x81\xa0\x81\xa0\xc0", 5, buffer, sink.at);
    sink = sink_init(buffer, sizeof(buffer));
    CHECK_STATUS(ST_OK, msgpack_sample_deep(MSGPACK_SAMPLE_ARRAYS, 3, &sink));
    CHECK_BYTES("\x91\x91\x91\xc0", 4, buffer, sink.at);
}

/* Cases measure these documents: other bytes would be another case. */
static void test_digests_of_case_inputs(void **state)
{
    (void)state;
    struct sink sink = sink_init(buffer, sizeof(buffer));

    CHECK_U64(UINT64_C(0x97cf96f295875b29),
              XXH3_64bits(buffer, records(0, 548)));
    CHECK_STATUS(ST_OK, msgpack_sample_mix(0, 5000, &sink));
    CHECK_U64(UINT64_C(0xcec74af1dcb2740a), XXH3_64bits(buffer, sink.at));
    sink = sink_init(buffer, sizeof(buffer));
    CHECK_STATUS(ST_OK, msgpack_sample_ints(0, 65000, &sink));
    CHECK_U64(UINT64_C(0x15889742265c79f8), XXH3_64bits(buffer, sink.at));
    sink = sink_init(buffer, sizeof(buffer));
    CHECK_STATUS(ST_OK,
                 msgpack_sample_shape(0, 2, MSGPACK_SAMPLE_LEGACY, &sink));
    CHECK_U64(UINT64_C(0x8c09c6caa3b2b6ce), XXH3_64bits(buffer, sink.at));
}

static void test_full_sinks_are_told(void **state)
{
    (void)state;
    struct sink whole = sink_init(buffer, sizeof(buffer));

    CHECK_STATUS(ST_OK,
                 msgpack_sample_shape(0, 0, MSGPACK_SAMPLE_LEGACY, &whole));
    for (size_t size = 0; size < whole.at; size++) {
        struct sink sink = sink_init(buffer, size);
        CHECK_STATUS(ST_NO_SPACE,
                     msgpack_sample_shape(0, 0, MSGPACK_SAMPLE_LEGACY, &sink));
        CHECK_BOOL(true, sink.at <= size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stream_is_the_published_one),
        cmocka_unit_test(test_records_are_the_stream_in_an_array),
        cmocka_unit_test(test_seeds_give_other_documents),
        cmocka_unit_test(test_mix_has_every_marker),
        cmocka_unit_test(test_ints_and_nests),
        cmocka_unit_test(test_digests_of_case_inputs),
        cmocka_unit_test(test_full_sinks_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
