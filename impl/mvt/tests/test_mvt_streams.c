/* SPDX-License-Identifier: MIT */
/* Random streams of commands, 300,000 of them: each path decodes the geometry
 * that the plain decoder of reference/ does, or refuses it likewise. */
#include "mvt/tests/mvt_check.h"

#include "base/prng.h"
#include "mvt/reference/mvt_reference.h"

#define STREAM_COUNT 300000

/* Mostly sensible commands, some of them damaged, coordinates near and far. */
static size_t random_commands(uint64_t *seed, uint32_t *out, size_t max)
{
    size_t n = 0;
    uint64_t far = prng_below(seed, 8);

    while (n + 40 < max) {
        uint64_t kind = prng_below(seed, 12);
        uint32_t count = kind == 0 ? (uint32_t)prng_below(seed, 20) : 1;
        uint32_t word = 1u | count << 3;
        if (kind > 4) {
            count = (uint32_t)prng_below(seed, 9);
            word = kind > 9 ? 15 : 2u | count << 3;
            count = kind > 9 ? 0 : count;
        }
        if (prng_below(seed, 60) == 0)
            word = (uint32_t)prng_splitmix64(seed) >> prng_below(seed, 32);
        out[n++] = word;
        for (uint32_t i = 0; i < 2 * count; i++)
            out[n++] = (uint32_t)(prng_splitmix64(seed) >>
                                  (far == 0 ? 32 : 48 + prng_below(seed, 14)));
        if (prng_below(seed, 5) == 0)
            break;
    }
    return n;
}

/* A feature's geometry, in a block and in a buffer, is `want`. */
static void check_geometry(const struct mvt_feature *f, enum mvt_fault fault,
                           const struct mvt_geometry *want,
                           struct mvt_buffer *buffer)
{
    struct mvt_geometry own, shared;

    CHECK_FAULT(fault, mvt_feature_geometry(f, NULL, &own));
    CHECK_FAULT(fault, mvt_feature_geometry_buffer(f, buffer, &shared));
    if (fault != MVT_OK)
        return;
    assert_true(mvt_geometry_equal(want, &own));
    assert_true(mvt_geometry_equal(want, &shared));
    mvt_geometry_free(&own, NULL);
}

static void check_stream(const uint32_t *commands, size_t count, int type,
                         enum mvt_fault fault, const struct mvt_geometry *want)
{
    size_t size;
    uint8_t *tile = tile_of_commands(type, commands, count, &size);

    for (size_t p = 0; p < ARRAY_COUNT(mvt_paths); p++) {
        struct mvt_buffer buffer;
        struct mvt_reader r;

        open_ok(&r, mvt_paths[p], tile, size);
        mvt_buffer_init(&buffer, NULL);
        struct mvt_feature f = mvt_layer_feature(mvt_reader_layer(&r, 0), 0);
        check_geometry(&f, fault, want, &buffer);
        mvt_buffer_free(&buffer);
        mvt_reader_free(&r);
    }
    free(tile);
}

static void test_random_streams(void **state)
{
    (void)state;
    size_t rounds = testkit_rounds(STREAM_COUNT), valid = 0;
    uint64_t seed = 11;
    uint32_t commands[400];

    for (size_t i = 0; i < rounds; i++) {
        size_t count = random_commands(&seed, commands, 400);
        int type = 1 + (int)prng_below(&seed, 3);
        struct mvt_geometry want = {0};
        enum mvt_fault fault = mvt_reference_geometry((enum mvt_type)type,
                                                      commands, count, &want);

        check_stream(commands, count, type, fault, &want);
        valid += fault == MVT_OK;
        mvt_geometry_free(&want, NULL);
    }
    print_message("%zu of %zu streams are geometries\n", valid, rounds);
    assert_true(valid > rounds / 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
