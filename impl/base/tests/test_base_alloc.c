/* SPDX-License-Identifier: MIT */
/* The allocator front, size arithmetic at its limits, and status texts. */
#include "base/alloc.h"
#include "testkit/testkit.h"

#include <string.h>

static void test_no_allocator_is_the_c_library(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {'a', 'b', 'c'};
    uint8_t *p = alloc_get(NULL, sizeof(bytes));

    assert_non_null(p);
    memcpy(p, bytes, sizeof(bytes));
    p = alloc_resize(NULL, p, sizeof(bytes), 3000);
    assert_non_null(p);
    CHECK_BYTES(bytes, sizeof(bytes), p, sizeof(bytes));
    alloc_put(NULL, p, 3000);
    alloc_put(NULL, NULL, 0);
}

static void test_size_zero_asks_nobody(void **state)
{
    (void)state;
    struct alloc_probe probe = {0};
    struct alloc a = alloc_probe_alloc(&probe);

    assert_null(alloc_get(&a, 0));
    assert_null(alloc_get(NULL, 0));
    CHECK_SIZE(0, probe.calls);
}

static void test_an_allocator_gets_the_calls(void **state)
{
    (void)state;
    struct alloc_probe probe = {0};
    struct alloc a = alloc_probe_alloc(&probe);

    void *p = alloc_get(&a, 3);
    p = alloc_resize(&a, p, 3, 9);
    CHECK_SIZE(2, probe.calls);
    CHECK_SIZE(9, probe.live_size);
    alloc_put(&a, p, 9);
    CHECK_SIZE(0, probe.live_count);
}

static void test_size_mul(void **state)
{
    (void)state;
    static const struct {
        size_t a, b;
        bool fits;
    } rows[] = {
        {0, SIZE_MAX, true},
        {1, SIZE_MAX, true},
        {SIZE_MAX / 2, 2, true},
        {SIZE_MAX / 2 + 1, 2, false},
        {SIZE_MAX / 3, 3, true},
        {SIZE_MAX / 3 + 1, 3, false},
        {UINT64_C(1) << 32, UINT64_C(1) << 32, false},
        {(UINT64_C(1) << 32) - 1, (UINT64_C(1) << 32) + 1, true},
        {SIZE_MAX, SIZE_MAX, false},
    };

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        size_t ab = 77, ba = 77;
        CHECK_BOOL(rows[i].fits, size_mul(rows[i].a, rows[i].b, &ab));
        CHECK_BOOL(rows[i].fits, size_mul(rows[i].b, rows[i].a, &ba));
        CHECK_SIZE(rows[i].fits ? rows[i].a * rows[i].b : 77, ab);
        CHECK_SIZE(ab, ba);
    }
}

static void test_size_add(void **state)
{
    (void)state;
    size_t sum = 77;

    CHECK_BOOL(true, size_add(SIZE_MAX - 5, 5, &sum));
    CHECK_SIZE(SIZE_MAX, sum);
    sum = 77;
    CHECK_BOOL(false, size_add(SIZE_MAX - 5, 6, &sum));
    CHECK_BOOL(false, size_add(SIZE_MAX, SIZE_MAX, &sum));
    CHECK_SIZE(77, sum);
    CHECK_BOOL(true, size_add(0, 0, &sum));
    CHECK_SIZE(0, sum);
}

static void test_each_status_has_its_own_text(void **state)
{
    (void)state;
    static const enum status all[] = {
#define X(name, text) name,
        STATUS_LIST(X)
#undef X
    };

    for (size_t i = 0; i < ARRAY_COUNT(all); i++) {
        assert_string_not_equal("", status_text(all[i]));
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(status_text(all[k]), status_text(all[i]));
    }
    CHECK_STR("ok", status_text(ST_OK));
    CHECK_STR("out of memory", status_text(ST_NO_MEMORY));
    CHECK_STR("unknown status", status_text((enum status)99));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_allocator_is_the_c_library),
        cmocka_unit_test(test_size_zero_asks_nobody),
        cmocka_unit_test(test_an_allocator_gets_the_calls),
        cmocka_unit_test(test_size_mul),
        cmocka_unit_test(test_size_add),
        cmocka_unit_test(test_each_status_has_its_own_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
