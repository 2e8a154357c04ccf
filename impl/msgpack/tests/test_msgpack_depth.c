/* SPDX-License-Identifier: MIT */
/* The depth bound, exact at any bound and wherever the levels are stored. */
#include "msgpack/tests/msgpack_expect.h"

#include <string.h>

/* A document being put together. */
struct nest {
    uint8_t bytes[16384];
    size_t size;
};

static void put(struct nest *nest, const char *hex, size_t count)
{
    for (size_t i = 0; i < count; i++)
        nest->size += hex_decode(hex, nest->bytes + nest->size,
                                 sizeof(nest->bytes) - nest->size);
}

/* count collections with one child (the last child, for maps) around a leaf,
 * which is a document of its own. */
static struct nest nested(const char *head, size_t count, const char *leaf)
{
    struct nest nest = {.size = 0};

    put(&nest, head, count);
    put(&nest, leaf, 1);
    return nest;
}

static void expect_nest_ok(const struct nest *nest, size_t max_depth)
{
    expect_ok(nest->bytes, nest->size, max_depth, nest->size);
}

static void expect_nest_too_deep(const struct nest *nest, size_t max_depth,
                                 size_t fault_at)
{
    expect_fault(nest->bytes, nest->size, max_depth, MSGPACK_TOO_DEEP,
                 fault_at);
}

/* Headers of one child, with what stands before it. */
static const char *const heads[] = {
    "91", "81a0", "dc0001", "dd00000001", "de0001a0", "df00000001a0",
};

/* Empty collections, which are a level like any other. */
static const char *const empties[] = {
    "90", "80", "dc0000", "dd00000000", "de0000", "df00000000",
};

static size_t head_size(const char *head)
{
    return strlen(head) / 2;
}

static void test_bound_is_inclusive(void **state)
{
    (void)state;
    static const size_t bounds[] = {1,  2,  6,   7,   8,   9,   10,  31,
                                    32, 99, 100, 127, 128, 129, 1024};

    for (size_t b = 0; b < ARRAY_COUNT(bounds); b++) {
        for (size_t h = 0; h < ARRAY_COUNT(heads); h++) {
            size_t n = bounds[b];
            size_t size = head_size(heads[h]);
            struct nest at_bound = nested(heads[h], n, "c0");
            struct nest past = nested(heads[h], n + 1, "c0");
            struct nest empty_at_bound = nested(heads[h], n - 1, empties[h]);
            struct nest empty_past = nested(heads[h], n, empties[h]);

            expect_nest_ok(&at_bound, n);
            expect_nest_ok(&empty_at_bound, n);
            expect_nest_too_deep(&past, n, n * size);
            expect_nest_too_deep(&empty_past, n, n * size);
        }
    }
}

static void test_no_level_at_all(void **state)
{
    (void)state;
    expect_hex_ok("c0", 0, 1);
    expect_hex_ok("a3616263", 0, 4);
    expect_hex_ok("c403919191", 0, 5);
    for (size_t i = 0; i < ARRAY_COUNT(empties); i++)
        expect_hex_fault(empties[i], 0, MSGPACK_TOO_DEEP, 0);
    for (size_t i = 0; i < ARRAY_COUNT(heads); i++) {
        struct nest nest = nested(heads[i], 1, "c0");
        expect_nest_too_deep(&nest, 0, 0);
    }
}

static void test_huge_bounds_are_applied_as_given(void **state)
{
    (void)state;
    struct nest nest = nested("91", 5000, "c0");

    expect_nest_ok(&nest, SIZE_MAX);
    expect_nest_ok(&nest, 5000);
    expect_nest_too_deep(&nest, 4999, 4999);
}

static void test_worked_bounds(void **state)
{
    (void)state;
    expect_hex_ok("919190", 3, 3);
    expect_hex_fault("919190", 2, MSGPACK_TOO_DEEP, 2);
    expect_hex_ok("81a090", 2, 3);
    expect_hex_fault("81a090", 1, MSGPACK_TOO_DEEP, 2);
}

/* nil inside count arrays of one element, or an empty array inside them. */
static void put_subtree(struct nest *nest, size_t count, bool is_empty)
{
    if (is_empty && count > 0) {
        put(nest, "91", count - 1);
        put(nest, "90", 1);
    } else {
        put(nest, "91", count);
        put(nest, "c0", 1);
    }
}

/* Each sibling is measured from the root, however deep the one before went:
 * the levels spill, drain into the inline ones, and spill again. */
static void test_siblings_start_from_their_parent(void **state)
{
    (void)state;
    for (size_t a = 0; a <= 10; a++) {
        for (size_t b = 0; b <= 10; b++) {
            for (int is_empty = 0; is_empty <= 1; is_empty++) {
                struct nest nest = {.size = 0};

                put(&nest, "92", 1);
                put_subtree(&nest, a, is_empty);
                size_t second_at = nest.size;
                put_subtree(&nest, b, is_empty);
                if (a == 10)
                    expect_nest_too_deep(&nest, 10, 10);
                else if (b == 10)
                    expect_nest_too_deep(&nest, 10, second_at + 9);
                else
                    expect_nest_ok(&nest, 10);
            }
        }
    }
}

static void test_three_siblings(void **state)
{
    (void)state;
    for (size_t abc = 0; abc < 1331; abc++) {
        size_t depth[3] = {abc % 11, abc / 11 % 11, abc / 121};
        struct nest nest = {.size = 0};
        size_t fault_at = 0;

        put(&nest, "93", 1);
        for (size_t i = 0; i < 3; i++) {
            if (depth[i] == 10 && fault_at == 0)
                fault_at = nest.size + 9;
            put_subtree(&nest, depth[i], abc % 2 == 1);
        }
        if (fault_at != 0)
            expect_nest_too_deep(&nest, 10, fault_at);
        else
            expect_nest_ok(&nest, 10);
    }
}

/* A level that goes on after what it holds was deeper than the inline ones:
 * every level of the way keeps its own count. */
static void test_levels_go_on_after_a_spill(void **state)
{
    (void)state;
    for (size_t depth = 1; depth <= 40; depth++) {
        struct nest nest = {.size = 0};

        put(&nest, "93c0", depth); /* a nil, what is deeper, ... */
        put(&nest, "c0", 1);
        put(&nest, "91c0", depth); /* ... and an array at every level */
        expect_nest_ok(&nest, depth + 1);
        /* The array of the innermost level is the first that is too deep. */
        expect_nest_too_deep(&nest, depth, 2 * depth + 1);
        nest.size--;
        expect_fault(nest.bytes, nest.size, depth + 1,
                     MSGPACK_ELEMENTS_OVERCLAIM, nest.size - 1);
    }
}

/* A level's count may need more than 32 bits while it waits for its child,
 * but not in a document that is complete; so the faults must agree. */
static void test_wide_levels_wait_with_their_counts(void **state)
{
    (void)state;
    struct nest nest = nested("91", 12, "ddffffffff");

    put(&nest, "c0", 20);
    expect_fault(nest.bytes, nest.size, 100, MSGPACK_ELEMENTS_OVERCLAIM, 12);
}

static void test_runs_of_small_integers(void **state)
{
    (void)state;
    /* Around the length from which runs are skipped, and what ends one. */
    for (uint8_t count = 0; count <= 41; count++) {
        for (size_t odd_at = 0; odd_at <= count; odd_at++) {
            struct nest nest = {.bytes = {0xdc, 0, count}, .size = 3};

            for (size_t i = 0; i < count; i++)
                put(&nest, i == odd_at ? "91c2" : "7f", 1);
            expect_nest_ok(&nest, 2);
            if (odd_at < count)
                expect_nest_too_deep(&nest, 1, 3 + odd_at);
            for (size_t cut = odd_at; cut < nest.size; cut += 7)
                if (walk_all(nest.bytes, cut, 2).error.fault == MSGPACK_OK)
                    CHECK_FAIL("%u integers cut to %zu", count, cut);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bound_is_inclusive),
        cmocka_unit_test(test_no_level_at_all),
        cmocka_unit_test(test_huge_bounds_are_applied_as_given),
        cmocka_unit_test(test_worked_bounds),
        cmocka_unit_test(test_siblings_start_from_their_parent),
        cmocka_unit_test(test_three_siblings),
        cmocka_unit_test(test_levels_go_on_after_a_spill),
        cmocka_unit_test(test_wide_levels_wait_with_their_counts),
        cmocka_unit_test(test_runs_of_small_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
