/* SPDX-License-Identifier: MIT */
/* The walk against its plain twin, on random and on damaged documents. */
#include "msgpack/tests/msgpack_expect.h"

#include <string.h>

#include "base/prng.h"
#include "msgpack/sample/msgpack_sample.h"

/* Compare the walks, and hold what is accepted to its word: the document
 * alone is accepted with the same size, and cut short by a byte it is not. */
static enum msgpack_fault compare(const uint8_t *in, size_t in_size,
                                  size_t max_depth)
{
    struct outcome outcome = walk_all(in, in_size, max_depth);

    if (outcome.error.fault == MSGPACK_OK) {
        CHECK_BOOL(true, outcome.size >= 1 && outcome.size <= in_size);
        expect_ok(in, outcome.size, max_depth, outcome.size);
        if (walk_all(in, outcome.size - 1, max_depth).error.fault ==
            MSGPACK_OK)
            CHECK_FAIL("accepted when cut to %zu", outcome.size - 1);
    } else {
        CHECK_BOOL(true, outcome.error.fault_at <= in_size);
    }
    return outcome.error.fault;
}

/* Random bytes end at once more often than not; markers of collections and
 * short content keep a walk going. */
static uint8_t lively_byte(uint64_t *state)
{
    static const uint8_t markers[] = {
        0x90, 0x91, 0x92, 0x93, 0x80, 0x81, 0x82, 0xa0, 0xa1, 0xc0, 0xc4,
        0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xcc, 0xcd, 0xd4, 0xd9, 0xda, 0xdb,
        0xdc, 0xdd, 0xde, 0xdf, 0x00, 0x00, 0x00, 0x01, 0x02, 0xff};

    if (prng_below(state, 16) == 0)
        return (uint8_t)prng_splitmix64(state);
    return markers[prng_below(state, sizeof(markers))];
}

static void test_random_bytes(void **state)
{
    (void)state;
    uint64_t random = 1;
    size_t counts[MSGPACK_OUT_OF_MEMORY + 1] = {0};
    uint8_t in[48];

    for (size_t i = 0; i < 40000; i++) {
        size_t size = prng_below(&random, sizeof(in) + 1);

        for (size_t k = 0; k < size; k++)
            in[k] = i % 2 == 0 ? (uint8_t)prng_splitmix64(&random)
                               : lively_byte(&random);
        counts[compare(in, size, prng_below(&random, 12))]++;
    }
    /* Every verdict came up, so that every verdict was compared. */
    for (size_t fault = 0; fault < MSGPACK_OUT_OF_MEMORY; fault++)
        CHECK_BOOL(true, counts[fault] > 0);
}

/* One array of one element around another, deep enough to spill. */
static void test_random_nests(void **state)
{
    (void)state;
    uint64_t random = 2;
    uint8_t in[64];

    for (size_t i = 0; i < 40000; i++) {
        size_t size = 8 + prng_below(&random, sizeof(in) - 8);

        for (size_t k = 0; k < size; k++)
            in[k] = prng_below(&random, 3) != 0 ? 0x91 : lively_byte(&random);
        compare(in, size, 7 + prng_below(&random, 8));
    }
}

/* Change a few bytes, or the end, of a copy of a sound document. */
static size_t damage(uint64_t *state, uint8_t *copy, size_t size)
{
    switch (prng_below(state, 4)) {
    case 0:
        return prng_below(state, size);
    case 1:
        copy[prng_below(state, size)] ^= (uint8_t)(1 << prng_below(state, 8));
        return size;
    case 2:
        copy[prng_below(state, size)] = lively_byte(state);
        return size;
    default: {
        size_t at = prng_below(state, size);
        memmove(copy + at, copy + at + 1, size - at - 1);
        return size - 1;
    }
    }
}

static void compare_damaged(uint64_t *state, const uint8_t *sound, size_t size,
                            size_t rounds)
{
    static uint8_t copy[1 << 16];

    CHECK_ENUM(msgpack_fault_text, MSGPACK_OK, compare(sound, size, 100));
    for (size_t i = 0; i < rounds; i++) {
        size_t now = size;

        memcpy(copy, sound, size);
        for (uint64_t k = prng_below(state, 3) + 1; k > 0 && now > 1; k--)
            now = damage(state, copy, now);
        compare(copy, now, prng_below(state, 2) ? 100 : 5);
    }
}

static void test_damaged_documents(void **state)
{
    (void)state;
    static uint8_t in[1 << 15];
    uint64_t random = 3;

    for (uint64_t seed = 0; seed < 40; seed++) {
        struct sink sink = sink_init(in, sizeof(in));
        CHECK_STATUS(ST_OK, msgpack_sample_mix(seed, 20, &sink));
        compare_damaged(&random, in, sink.at, 60);

        sink = sink_init(in, sizeof(in));
        CHECK_STATUS(ST_OK, msgpack_sample_records(seed, 3, &sink));
        compare_damaged(&random, in, sink.at, 30);

        sink = sink_init(in, sizeof(in));
        CHECK_STATUS(ST_OK, msgpack_sample_shape(
                                seed, 1, MSGPACK_SAMPLE_LEGACY, &sink));
        compare_damaged(&random, in, sink.at, 10);

        sink = sink_init(in, sizeof(in));
        CHECK_STATUS(ST_OK,
                     msgpack_sample_deep(seed % 2 ? MSGPACK_SAMPLE_MAPS
                                                  : MSGPACK_SAMPLE_ARRAYS,
                                         4 + seed, &sink));
        compare_damaged(&random, in, sink.at, 30);

        sink = sink_init(in, sizeof(in));
        CHECK_STATUS(ST_OK, msgpack_sample_ints(seed, 10 + seed, &sink));
        compare_damaged(&random, in, sink.at, 30);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_bytes),
        cmocka_unit_test(test_random_nests),
        cmocka_unit_test(test_damaged_documents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
