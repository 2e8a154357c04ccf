/* SPDX-License-Identifier: MIT */
/* Arenas: alignment, blocks, and what a reset keeps. */
#include "mvt/tests/mvt_check.h"

#define BLOCK_SIZE ((size_t)16384)

static void test_things_are_apart_and_aligned(void **state)
{
    (void)state;
    struct mvt_arena arena = {0};
    char *last = NULL;

    for (size_t size = 1; size < 200; size++) {
        char *p = mvt_arena_get(&arena, size);
        assert_non_null(p);
        CHECK_SIZE(0, (uintptr_t)p % alignof(max_align_t));
        memset(p, (int)size, size);
        if (last != NULL) /* the one before is whole */
            CHECK_U64(size - 1, (uint8_t)last[size - 2]);
        last = p;
    }
    assert_non_null(mvt_arena_get(&arena, 0));
    assert_null(mvt_arena_get(&arena, SIZE_MAX));
    assert_null(mvt_arena_array(&arena, SIZE_MAX / 2, 3));
    mvt_arena_free(&arena);
}

/* A small thing, a large one, and one that needs a third block. */
static void get_three(struct mvt_arena *arena, void *out[3])
{
    out[0] = mvt_arena_get(arena, 100);
    out[1] = mvt_arena_get(arena, 3 * BLOCK_SIZE);
    out[2] = mvt_arena_get(arena, BLOCK_SIZE);
    for (int i = 0; i < 3; i++)
        assert_non_null(out[i]);
}

static void test_a_reset_keeps_the_blocks(void **state)
{
    (void)state;
    struct alloc_probe probe = {0};
    struct alloc a = alloc_probe_alloc(&probe);
    struct mvt_arena arena = {.alloc = &a};
    void *first[3], *again[3];

    get_three(&arena, first);
    CHECK_SIZE(3, probe.calls);
    for (int round = 0; round < 3; round++) {
        mvt_arena_reset(&arena);
        get_three(&arena, again);
        assert_memory_equal(first, again, sizeof(first));
    }
    /* the large block is found behind two that are too small for it */
    mvt_arena_reset(&arena);
    assert_non_null(mvt_arena_get(&arena, BLOCK_SIZE));
    assert_ptr_equal(first[1], mvt_arena_get(&arena, 2 * BLOCK_SIZE));
    CHECK_SIZE(3, probe.calls);
    CHECK_SIZE(3, probe.live_count);
    assert_non_null(mvt_arena_get(&arena, 4 * BLOCK_SIZE));
    CHECK_SIZE(4, probe.calls);
    mvt_arena_free(&arena);
    CHECK_SIZE(0, probe.live_count);
    mvt_arena_free(&arena); /* once more, and use it again */
    assert_non_null(mvt_arena_get(&arena, 1));
    mvt_arena_free(&arena);
    CHECK_SIZE(0, probe.live_count);
}

static void test_a_reserve_is_one_block(void **state)
{
    (void)state;
    struct alloc_probe probe = {0};
    struct alloc a = alloc_probe_alloc(&probe);
    struct mvt_arena arena = {.alloc = &a};
    size_t room = 1000 * mvt_arena_room(33);

    CHECK_SIZE(48, mvt_arena_room(33));
    assert_true(mvt_arena_reserve(&arena, room));
    for (int i = 0; i < 1000; i++)
        assert_non_null(mvt_arena_get(&arena, 33));
    CHECK_SIZE(1, probe.calls);
    CHECK_SIZE(0, arena.left);
    assert_false(mvt_arena_reserve(&arena, SIZE_MAX));
    mvt_arena_free(&arena);
    probe = (struct alloc_probe){.fail_at = 1};
    assert_false(mvt_arena_reserve(&arena, 1));
    assert_non_null(mvt_arena_get(&arena, 1));
    mvt_arena_free(&arena);
    CHECK_SIZE(0, probe.live_count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_things_are_apart_and_aligned),
        cmocka_unit_test(test_a_reset_keeps_the_blocks),
        cmocka_unit_test(test_a_reserve_is_one_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
