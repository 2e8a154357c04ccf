/* SPDX-License-Identifier: MIT */
/* Seeded tiles with a few bytes changed, 300,000 of them: all ways of reading
 * agree on each. */
#include "mvt/tests/mvt_check.h"

#include "base/prng.h"
#include "mvt/reference/mvt_agree.h"
#include "mvt/sample/mvt_sample.h"

#define MUTANT_COUNT    300000
#define MUTANT_SIZE_MAX 4096

/* Change, delete, insert or double a few bytes; returns the new size. */
static size_t mutate(uint64_t *seed, uint8_t *tile, size_t size)
{
    for (uint64_t n = 1 + prng_below(seed, 3); n != 0 && size > 1; n--) {
        size_t at = (size_t)prng_below(seed, size);
        switch (prng_below(seed, 4)) {
        case 0:
            tile[at] ^= (uint8_t)(1u << prng_below(seed, 8));
            break;
        case 1:
            tile[at] = (uint8_t)prng_splitmix64(seed);
            break;
        case 2:
            memmove(tile + at, tile + at + 1, size - at - 1);
            size--;
            break;
        default:
            memmove(tile + at + 1, tile + at, size - at);
            tile[at] = (uint8_t)prng_splitmix64(seed);
            size++;
        }
    }
    return size;
}

static void test_mutants(void **state)
{
    (void)state;
    /* one for all: a mapping for each would cost more than reading it */
    uint8_t *area = guard_new(MUTANT_SIZE_MAX);
    uint64_t seed = 41;
    size_t rounds = testkit_rounds(MUTANT_COUNT), opened = 0;

    for (size_t i = 0; i < rounds; i++) {
        struct mvt_bytes sample;
        struct mvt_error error;
        struct mvt_reader r;

        assert_true(mvt_sample_tile(prng_below(&seed, 500),
                                    100 + prng_below(&seed, 600), &sample));
        assert_true(mvt_bytes_reserve(&sample, 8));
        size_t size = mutate(&seed, sample.data, sample.size);
        assert_true(size <= MUTANT_SIZE_MAX);
        uint8_t *tile = area + MUTANT_SIZE_MAX - size;
        memcpy(tile, sample.data, size);
        const char *differs = mvt_agree(tile, size);
        if (differs != NULL)
            CHECK_FAIL("mutant %zu: %s differs", i, differs);
        mvt_reader_init(&r, NULL);
        opened += mvt_reader_open(&r, tile, size, &error) == MVT_OK;
        mvt_reader_free(&r);
        mvt_bytes_free(&sample);
    }
    guard_free(area, MUTANT_SIZE_MAX);
    print_message("%zu of %zu mutants open\n", opened, rounds);
    assert_true(opened > rounds / 10);
}

/* What protobuf-c refuses although the wire format allows it, one by one; and
 * what it accepts although the reader must not. */
static void test_named_differences(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        const char *hex;
        bool reader_accepts;
    } rows[] = {
        {"an unknown group", "1a09 0a0161 7802 a301 a401", true},
        {"a tag of six bytes", "1a0c 0a0161 7802 c88080808000 00", true},
        {"a length of six bytes", "1a0a 0a818080808000 61 7802", true},
        {"a string that is not UTF-8", "1a08 0a0161 7802 1a01ff", false},
        {"an empty name", "1a04 0a00 7802", false},
        {"version 9", "1a05 0a0161 7809", false},
    };

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        struct mvt_error error;
        struct mvt_reader r;
        size_t size;
        uint8_t *tile = hex_new(rows[i].hex, &size);

        print_message("%s\n", rows[i].what);
        mvt_reader_init(&r, NULL);
        CHECK_BOOL(rows[i].reader_accepts,
                   mvt_reader_open(&r, tile, size, &error) == MVT_OK);
        if (rows[i].reader_accepts)
            assert_true(mvt_has_what_protobuf_c_refuses(tile, size));
        assert_null(mvt_agree(tile, size));
        mvt_reader_free(&r);
        free(tile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mutants),
        cmocka_unit_test(test_named_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
