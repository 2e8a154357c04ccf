/* SPDX-License-Identifier: MIT */
/* What a walk asks of its allocator: nothing up to eight open levels, counts
 * for the others after that, and all of it given back. */
#include "msgpack/tests/msgpack_expect.h"

#include <string.h>

#include "msgpack/sample/msgpack_sample.h"

#define COUNT_SIZE sizeof(uint64_t)

/* count arrays of one element around a nil. */
static size_t nest(uint8_t *out, size_t out_size, size_t count)
{
    struct sink sink = sink_init(out, out_size);

    CHECK_STATUS(ST_OK,
                 msgpack_sample_deep(MSGPACK_SAMPLE_ARRAYS, count, &sink));
    return sink.at;
}

static void test_eight_levels_are_free_and_nine_are_not(void **state)
{
    (void)state;
    CHECK_SIZE(0, expect_hex_ok("9191919191919191c0", 100, 9).requested);
    CHECK_SIZE(0, expect_hex_ok("9191919191919191c0", 8, 9).requested);
    /* The ninth is empty: no level of its own. */
    CHECK_SIZE(0, expect_hex_ok("919191919191919190", 100, 9).requested);
    CHECK_SIZE(0, expect_hex_ok("919191919191919180", 9, 9).requested);
    /* The control: the probe sees the walk's memory. */
    CHECK_BOOL(true,
               expect_hex_ok("919191919191919191c0", 100, 10).requested > 0);
    CHECK_BOOL(true,
               expect_hex_ok("919191919191919191c0", 9, 10).requested > 0);
    CHECK_BOOL(true,
               expect_hex_ok("81a081a081a081a081a081a081a081a081a0c0", 100, 19)
                       .requested > 0);
}

static void test_shallow_rejections_are_free(void **state)
{
    (void)state;
    static const struct {
        const char *hex;
        size_t max_depth;
        enum msgpack_fault fault;
        size_t fault_at;
    } rows[] = {
        {"", 100, MSGPACK_UNEXPECTED_END, 0},
        {"ddffffffff", 100, MSGPACK_ELEMENTS_OVERCLAIM, 0},
        {"c6ffffffff41", 100, MSGPACK_BYTES_OVERCLAIM, 0},
        {"9191919191919191c1", 100, MSGPACK_RESERVED_MARKER, 8},
        {"9191919191919191d9", 100, MSGPACK_TRUNCATED_PREFIX, 8},
        {"9191919191919191a1", 100, MSGPACK_BYTES_OVERCLAIM, 8},
        {"9191919191919191", 100, MSGPACK_ELEMENTS_OVERCLAIM, 7},
        {"919191919191919191c0", 8, MSGPACK_TOO_DEEP, 8},
        {"919191919191919190", 8, MSGPACK_TOO_DEEP, 8},
        {"919191", 1, MSGPACK_TOO_DEEP, 1},
        /* Known to be incomplete when the ninth opens. */
        {"919191919191919191", 100, MSGPACK_ELEMENTS_OVERCLAIM, 8},
        {"9f9191919191919191c0", 100, MSGPACK_ELEMENTS_OVERCLAIM, 0},
        {"92919191919191 92c0 91c0", 100, MSGPACK_ELEMENTS_OVERCLAIM, 9},
    };

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        CHECK_SIZE(0, expect_hex_fault(rows[i].hex, rows[i].max_depth,
                                       rows[i].fault, rows[i].fault_at)
                          .requested);
}

/* Each header fits what is left, and the sum overclaims: the shape that makes
 * eager decoders reserve gigabytes. */
static void test_deep_overclaims_are_free(void **state)
{
    (void)state;
    uint8_t in[3 * 2048];

    for (size_t i = 0; i < sizeof(in); i += 3) {
        in[i] = 0xdc;
        in[i + 1] = 0x07;
        in[i + 2] = 0xd0;
    }
    struct outcome outcome =
        expect_fault(in, sizeof(in), 1024, MSGPACK_ELEMENTS_OVERCLAIM, 9);
    CHECK_SIZE(0, outcome.requested);
}

/* Never more counts than levels the bound leaves, nor than input bytes. */
static void test_memory_is_bounded(void **state)
{
    (void)state;
    static uint8_t in[4096];

    for (size_t depth = 9; depth <= 2000; depth += depth < 300 ? 1 : 97) {
        size_t size = nest(in, sizeof(in), depth);
        struct outcome tight = expect_ok(in, size, depth, size);
        struct outcome loose = expect_ok(in, size, SIZE_MAX, size);

        CHECK_BOOL(true, tight.peak_size <= 2 * (depth - 8) * COUNT_SIZE);
        CHECK_BOOL(true, tight.requested <= 4 * (depth - 8) * COUNT_SIZE);
        CHECK_BOOL(true, tight.peak_size > 0);
        CHECK_BOOL(true, loose.peak_size <= 2 * size * COUNT_SIZE);
    }
    /* One block, exactly as large as the bound allows. */
    CHECK_SIZE(COUNT_SIZE,
               expect_ok(in, nest(in, sizeof(in), 9), 9, 10).requested);
    CHECK_SIZE(92 * COUNT_SIZE,
               expect_ok(in, nest(in, sizeof(in), 100), 100, 101).requested);
}

/* The block is kept while the levels drain and spill again. */
static void test_memory_is_used_again(void **state)
{
    (void)state;
    uint8_t in[16 * 20 + 3];
    struct sink sink = sink_init(in, sizeof(in));

    CHECK_STATUS(ST_OK, sink_put(&sink, "\xdc\x00\x10", 3));
    for (size_t i = 0; i < 16; i++)
        CHECK_STATUS(ST_OK,
                     msgpack_sample_deep(MSGPACK_SAMPLE_ARRAYS, 19, &sink));
    struct outcome outcome = expect_ok(in, sink.at, 20, sink.at);
    CHECK_SIZE(12 * COUNT_SIZE, outcome.requested);
}

static void test_deep_rejections_give_back(void **state)
{
    (void)state;
    static uint8_t in[4096];
    size_t size = nest(in, sizeof(in), 300);

    for (size_t cut = 1; cut < size; cut++)
        walk_all(in, cut, 1000); /* which looks at what is live */
    in[size - 1] = 0xc1;
    CHECK_BOOL(
        true,
        expect_fault(in, size, 1000, MSGPACK_RESERVED_MARKER, 300).requested >
            0);
}

static enum msgpack_fault walk_failing_at(size_t fail_at, const uint8_t *in,
                                          size_t in_size, size_t max_depth,
                                          size_t *fault_at, size_t *calls)
{
    struct alloc_probe probe = {.fail_at = fail_at};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct msgpack_error error = {.fault = MSGPACK_OK};
    size_t size = UNTOUCHED;
    enum msgpack_fault fault =
        msgpack_document_size(in, in_size, max_depth, &alloc, &size, &error);

    CHECK_ENUM(msgpack_fault_text, fault, error.fault);
    CHECK_SIZE(0, probe.live_count);
    if (fault != MSGPACK_OK)
        CHECK_SIZE(UNTOUCHED, size);
    *fault_at = error.fault_at;
    *calls = probe.calls;
    return fault;
}

static void test_each_allocation_failing(void **state)
{
    (void)state;
    /* The level that could not open: after 8 inline ones, and after each
     * block of 120 and 1920 counts. */
    static const size_t fault_at[] = {8, 128, 1928};
    static uint8_t in[4096];
    size_t size = nest(in, sizeof(in), 4000);
    size_t at, calls;

    for (size_t k = 1; k <= ARRAY_COUNT(fault_at); k++) {
        CHECK_ENUM(msgpack_fault_text, MSGPACK_OUT_OF_MEMORY,
                   walk_failing_at(k, in, size, 5000, &at, &calls));
        CHECK_SIZE(fault_at[k - 1], at);
        CHECK_SIZE(k, calls);
    }
    CHECK_ENUM(msgpack_fault_text, MSGPACK_OK,
               walk_failing_at(4, in, size, 5000, &at, &calls));
    CHECK_SIZE(3, calls);
}

static void test_missing_memory_never_hides_a_fault(void **state)
{
    (void)state;
    static const uint8_t claim[] = {0xdc, 0xff, 0xff};
    static uint8_t in[4096];
    size_t size = nest(in, sizeof(in), 300);
    size_t at, calls;

    /* An overclaim at level 21, seen before the second block is wanted. */
    memcpy(in + 20, claim, sizeof(claim));
    CHECK_ENUM(msgpack_fault_text, MSGPACK_ELEMENTS_OVERCLAIM,
               walk_failing_at(2, in, size, 1024, &at, &calls));
    CHECK_SIZE(20, at);
    CHECK_SIZE(2, calls);
    /* The depth bound needs no memory to be found broken. */
    size = nest(in, sizeof(in), 9);
    CHECK_ENUM(msgpack_fault_text, MSGPACK_TOO_DEEP,
               walk_failing_at(1, in, size, 8, &at, &calls));
    CHECK_SIZE(0, calls);
}

static void test_c_library_is_the_default(void **state)
{
    (void)state;
    static uint8_t in[4096];
    size_t size = nest(in, sizeof(in), 2000);
    size_t measured = 0;

    CHECK_ENUM(msgpack_fault_text, MSGPACK_OK,
               msgpack_document_size(in, size, 2000, NULL, &measured, NULL));
    CHECK_SIZE(size, measured);
    CHECK_ENUM(msgpack_fault_text, MSGPACK_TOO_DEEP,
               msgpack_check(in, size, 1999, NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eight_levels_are_free_and_nine_are_not),
        cmocka_unit_test(test_shallow_rejections_are_free),
        cmocka_unit_test(test_deep_overclaims_are_free),
        cmocka_unit_test(test_memory_is_bounded),
        cmocka_unit_test(test_memory_is_used_again),
        cmocka_unit_test(test_deep_rejections_give_back),
        cmocka_unit_test(test_each_allocation_failing),
        cmocka_unit_test(test_missing_memory_never_hides_a_fault),
        cmocka_unit_test(test_c_library_is_the_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
