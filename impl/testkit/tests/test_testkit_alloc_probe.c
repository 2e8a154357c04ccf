/* SPDX-License-Identifier: MIT */
/* The probing allocator counts, fails on demand and keeps contents. */
#include "testkit/testkit.h"

#include <string.h>

static const uint8_t bytes[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

static void test_counts_blocks_and_bytes(void **state)
{
    (void)state;
    struct alloc_probe probe = {0};
    struct alloc a = alloc_probe_alloc(&probe);

    char *p = alloc_get(&a, 10);
    char *q = alloc_get(&a, 30);
    assert_non_null(p);
    assert_non_null(q);
    memcpy(p, bytes, 10);
    p = alloc_resize(&a, p, 10, 20);
    assert_non_null(p);
    CHECK_BYTES(bytes, 10, p, 10);
    CHECK_SIZE(3, probe.calls);
    CHECK_SIZE(60, probe.requested);
    CHECK_SIZE(2, probe.live_count);
    CHECK_SIZE(50, probe.live_size);
    alloc_put(&a, q, 30);
    alloc_put(&a, p, 20);
    alloc_put(&a, NULL, 5);
    CHECK_SIZE(0, probe.live_count);
    CHECK_SIZE(0, probe.live_size);
    CHECK_SIZE(50, probe.peak_size);
}

static void test_fails_the_chosen_call_only(void **state)
{
    (void)state;
    struct alloc_probe probe = {.fail_at = 2};
    struct alloc a = alloc_probe_alloc(&probe);

    char *p = alloc_get(&a, 4);
    assert_non_null(p);
    memcpy(p, bytes, 4);
    assert_null(alloc_resize(&a, p, 4, 8));
    CHECK_BYTES(bytes, 4, p, 4);
    p = alloc_resize(&a, p, 4, 2);
    assert_non_null(p);
    CHECK_BYTES(bytes, 2, p, 2);
    alloc_put(&a, p, 2);
    CHECK_SIZE(3, probe.calls);
    CHECK_SIZE(6, probe.requested);
    CHECK_SIZE(0, probe.live_count);
}

static void test_resize_of_null_is_alloc(void **state)
{
    (void)state;
    struct alloc_probe probe = {0};
    struct alloc a = alloc_probe_alloc(&probe);
    char *p = alloc_resize(&a, NULL, 0, 7);

    assert_non_null(p);
    CHECK_SIZE(1, probe.live_count);
    CHECK_SIZE(1, probe.calls);
    alloc_put(&a, p, 7);
}

static void test_impossible_size_is_null(void **state)
{
    (void)state;
    struct alloc_probe probe = {0};
    struct alloc a = alloc_probe_alloc(&probe);

    assert_null(alloc_get(&a, SIZE_MAX));
    CHECK_SIZE(1, probe.calls);
    CHECK_SIZE(0, probe.requested);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_blocks_and_bytes),
        cmocka_unit_test(test_fails_the_chosen_call_only),
        cmocka_unit_test(test_resize_of_null_is_alloc),
        cmocka_unit_test(test_impossible_size_is_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
