/* SPDX-License-Identifier: MIT */
/* The map's behaviour: entries, growth, removal, limits and memory. */
#include "base/dethash.h"
#include "testkit/testkit.h"

#include <string.h>

#include "base/prng.h"

#define KEYS_MAX   200
#define SLOT_BYTES sizeof(struct dethash_slot)

static const struct dethash_seed seed = {.k0 = 11, .k1 = 12};

/* Key number i as the two bytes of a table that outlives every map. */
static const uint8_t *key_of(size_t i)
{
    static uint8_t keys[KEYS_MAX][2];

    keys[i][0] = (uint8_t)i;
    keys[i][1] = (uint8_t)(i >> 8);
    return keys[i];
}

static void insert_keys(struct dethash *map, size_t count)
{
    for (size_t i = 0; i < count; i++)
        CHECK_STATUS(ST_OK, dethash_insert(map, key_of(i), 2, 100 + i));
}

static void test_an_empty_map_answers_without_a_table(void **state)
{
    (void)state;
    struct alloc_probe probe = {0};
    struct alloc a = alloc_probe_alloc(&probe);
    struct dethash map;
    uint64_t value = 77;
    size_t at = 0;

    dethash_init(&map, seed, SIZE_MAX, &a);
    CHECK_BOOL(false, dethash_get(&map, "k", 1, &value));
    CHECK_BOOL(false, dethash_remove(&map, "k", 1, &value));
    CHECK_SIZE(0, dethash_probe_count(&map, "k", 1));
    assert_null(dethash_next(&map, &at));
    dethash_release(&map);
    CHECK_U64(77, value);
    CHECK_SIZE(0, probe.calls);
}

static void test_a_zeroed_map_refuses_entries(void **state)
{
    (void)state;
    struct dethash map = {0};

    CHECK_STATUS(ST_LIMIT, dethash_insert(&map, "k", 1, 1));
    CHECK_SIZE(0, map.count);
}

static void test_insert_get_and_overwrite(void **state)
{
    (void)state;
    char first[] = "key", second[] = "key";
    struct dethash map;
    uint64_t value = 0;
    size_t at = 0;

    dethash_init(&map, seed, SIZE_MAX, NULL);
    CHECK_STATUS(ST_OK, dethash_insert(&map, first, 3, 1));
    CHECK_STATUS(ST_OK, dethash_insert(&map, second, 3, UINT64_MAX));
    CHECK_SIZE(1, map.count);
    CHECK_BOOL(true, dethash_get(&map, "key", 3, &value));
    CHECK_U64(UINT64_MAX, value);
    assert_ptr_equal(first, dethash_next(&map, &at)->key);
    CHECK_BOOL(false, dethash_get(&map, "ke", 2, &value));
    CHECK_BOOL(false, dethash_get(&map, "keys", 4, &value));
    dethash_release(&map);
}

static void test_enter_finds_or_makes(void **state)
{
    (void)state;
    struct dethash map;
    uint64_t *value = NULL;
    uint64_t got = 0;

    dethash_init(&map, seed, SIZE_MAX, NULL);
    CHECK_STATUS(ST_OK, dethash_enter(&map, "k", 1, 3, &value));
    CHECK_U64(3, *value);
    CHECK_STATUS(ST_OK, dethash_enter(&map, "k", 1, 4, &value));
    CHECK_U64(3, *value);
    CHECK_SIZE(1, map.count);
    *value = 9;
    CHECK_BOOL(true, dethash_get(&map, "k", 1, &got));
    CHECK_U64(9, got);
    dethash_release(&map);
}

/* Three quarters: the entry after 6, 12, 24, 48 and 96 doubles the table. */
static void test_growth_at_three_quarters(void **state)
{
    (void)state;
    struct dethash map;
    size_t want = 8, full = 6;

    dethash_init(&map, seed, SIZE_MAX, NULL);
    for (size_t i = 0; i < 100; i++) {
        if (i == full) {
            want *= 2;
            full *= 2;
        }
        CHECK_STATUS(ST_OK, dethash_insert(&map, key_of(i), 2, i));
        CHECK_SIZE(want, map.slot_count);
        /* an existing key never grows a full table */
        CHECK_STATUS(ST_OK, dethash_insert(&map, key_of(0), 2, 0));
        CHECK_SIZE(want, map.slot_count);
    }
    for (size_t i = 0; i < 100; i++)
        CHECK_BOOL(true, dethash_remove(&map, key_of(i), 2, NULL));
    CHECK_SIZE(0, map.count);
    CHECK_SIZE(256, map.slot_count);
    dethash_release(&map);
    CHECK_SIZE(0, map.slot_count);
}

static void test_a_limit_stops_growth_and_nothing_else(void **state)
{
    (void)state;
    struct dethash map;
    uint64_t value = 0;
    uint64_t *place = NULL;

    dethash_init(&map, seed, 8 * SLOT_BYTES - 1, NULL);
    CHECK_STATUS(ST_LIMIT, dethash_insert(&map, "k", 1, 1));
    dethash_init(&map, seed, 16 * SLOT_BYTES - 1, NULL);
    insert_keys(&map, 6);
    CHECK_STATUS(ST_LIMIT, dethash_insert(&map, key_of(6), 2, 6));
    CHECK_STATUS(ST_LIMIT, dethash_enter(&map, key_of(6), 2, 6, &place));
    assert_null(place);
    CHECK_SIZE(6, map.count);
    CHECK_STATUS(ST_OK, dethash_insert(&map, key_of(5), 2, 55));
    CHECK_BOOL(true, dethash_get(&map, key_of(5), 2, &value));
    CHECK_U64(55, value);
    CHECK_BOOL(true, dethash_remove(&map, key_of(0), 2, NULL));
    CHECK_STATUS(ST_OK, dethash_insert(&map, key_of(6), 2, 6));
    dethash_release(&map);
}

static void test_memory_is_one_table_and_two_while_growing(void **state)
{
    (void)state;
    struct alloc_probe probe = {0};
    struct alloc a = alloc_probe_alloc(&probe);
    struct dethash map;

    dethash_init(&map, seed, 16 * SLOT_BYTES, &a);
    insert_keys(&map, 12);
    CHECK_SIZE(2, probe.calls);
    CHECK_SIZE(16 * SLOT_BYTES, probe.live_size);
    CHECK_SIZE(24 * SLOT_BYTES, probe.peak_size);
    dethash_release(&map);
    CHECK_SIZE(0, probe.live_count);
    insert_keys(&map, 1); /* a released map may be used again */
    CHECK_SIZE(8 * SLOT_BYTES, probe.live_size);
    dethash_release(&map);
    CHECK_SIZE(0, probe.live_count);
}

static void test_a_cleared_map_keeps_its_table(void **state)
{
    (void)state;
    struct alloc_probe probe = {0};
    struct alloc a = alloc_probe_alloc(&probe);
    struct dethash map;
    uint64_t value = 77;
    size_t at = 0;

    dethash_init(&map, seed, SIZE_MAX, &a);
    dethash_clear(&map); /* nothing happens: there is no table */
    CHECK_SIZE(0, probe.calls);
    insert_keys(&map, 100);
    const struct dethash_slot *slots = map.slots;
    size_t calls = probe.calls;
    dethash_clear(&map);
    CHECK_SIZE(0, map.count);
    assert_null(dethash_next(&map, &at));
    CHECK_BOOL(false, dethash_get(&map, key_of(5), 2, &value));
    CHECK_U64(77, value);
    insert_keys(&map, 90);
    CHECK_SIZE(90, map.count);
    assert_ptr_equal(slots, map.slots);
    CHECK_SIZE(calls, probe.calls);
    CHECK_BOOL(true, dethash_get(&map, key_of(89), 2, &value));
    CHECK_U64(189, value);
    dethash_release(&map);
    CHECK_SIZE(0, probe.live_count);
}

/* The k-th allocation fails: that insertion reports it, all before it stand,
 * and the same insertion succeeds when it is tried again. */
static void test_every_allocation_failing_in_turn(void **state)
{
    (void)state;
    size_t k = 1;

    for (;; k++) {
        struct alloc_probe probe = {.fail_at = k};
        struct alloc a = alloc_probe_alloc(&probe);
        struct dethash map;
        size_t failures = 0;
        dethash_init(&map, seed, SIZE_MAX, &a);
        for (size_t i = 0; i < 50; i++) {
            enum status st = dethash_insert(&map, key_of(i), 2, i);
            CHECK_SIZE(st == ST_OK ? i + 1 : i, map.count);
            if (st != ST_OK) {
                CHECK_STATUS(ST_NO_MEMORY, st);
                failures++;
                st = dethash_insert(&map, key_of(i), 2, i);
            }
            CHECK_STATUS(ST_OK, st);
        }
        for (size_t i = 0; i < 50; i++) {
            uint64_t value = 0;
            CHECK_BOOL(true, dethash_get(&map, key_of(i), 2, &value));
            CHECK_U64(i, value);
        }
        dethash_release(&map);
        CHECK_SIZE(0, probe.live_count);
        CHECK_SIZE(probe.calls >= k, failures);
        if (probe.calls < k)
            break;
    }
    CHECK_SIZE(6, k); /* 8, 16, 32, 64 and 128 slots have each failed */
}

/* Equal calls make equal tables, wherever keys and table lie in memory. */
static void test_layout_follows_from_the_calls_alone(void **state)
{
    (void)state;
    static uint8_t moved[KEYS_MAX * 2 + 3];
    struct dethash here, there;

    dethash_init(&here, seed, SIZE_MAX, NULL);
    dethash_init(&there, seed, SIZE_MAX, NULL);
    for (size_t i = 0; i < KEYS_MAX; i++) {
        uint8_t *key = moved + 3 + 2 * i;
        memcpy(key, key_of(i), 2);
        CHECK_STATUS(ST_OK, dethash_insert(&here, key_of(i), 2, i));
        CHECK_STATUS(ST_OK, dethash_insert(&there, key, 2, i));
        if (i % 3 == 2) {
            CHECK_BOOL(true, dethash_remove(&here, key_of(i / 2), 2, NULL));
            CHECK_BOOL(true, dethash_remove(&there, key_of(i / 2), 2, NULL));
        }
    }
    CHECK_SIZE(here.slot_count, there.slot_count);
    for (size_t i = 0; i < here.slot_count; i++) {
        CHECK_BOOL(here.slots[i].key != NULL, there.slots[i].key != NULL);
        CHECK_U64(here.slots[i].value, there.slots[i].value);
    }
    dethash_release(&there);
    dethash_release(&here);
}

/* The map holds what a plain array says, is iterated in slot order, and every
 * key is reachable: no empty slot lies between its start and its place. */
static void check_against(const struct dethash *map, const uint64_t *values,
                          size_t count)
{
    const struct dethash_slot *slot;
    size_t at = 0, last = 0, seen = 0;

    CHECK_SIZE(count, map->count);
    while ((slot = dethash_next(map, &at)) != NULL) {
        size_t i = slot->key[0] | (size_t)slot->key[1] << 8;
        size_t probes = dethash_probe_count(map, slot->key, 2);
        CHECK_U64(values[i], slot->value);
        CHECK_SIZE(at - 1, (slot->hash + probes - 1) & (map->slot_count - 1));
        assert_true(seen == 0 || at > last);
        last = at;
        seen++;
    }
    CHECK_SIZE(count, seen);
    for (size_t i = 0; i < KEYS_MAX; i++) {
        uint64_t value = 0;
        CHECK_BOOL(values[i] != 0, dethash_get(map, key_of(i), 2, &value));
        CHECK_U64(values[i], value);
    }
}

/* Few keys in a small table make long runs, many make growth; both with
 * removals in between. */
static void test_random_operations_against_an_array(void **state)
{
    (void)state;
    static const size_t key_counts[] = {6, 12, 40, KEYS_MAX};

    for (size_t k = 0; k < 4 * ARRAY_COUNT(key_counts); k++) {
        uint64_t values[KEYS_MAX] = {0};
        uint64_t random = k;
        size_t count = 0;
        struct dethash map;
        dethash_init(&map, (struct dethash_seed){.k0 = k}, SIZE_MAX, NULL);
        for (uint64_t step = 1; step <= 600; step++) {
            size_t i = prng_below(&random, key_counts[k / 4]);
            bool there = values[i] != 0;
            if (prng_below(&random, 5) < 3) {
                CHECK_STATUS(ST_OK, dethash_insert(&map, key_of(i), 2, step));
                values[i] = step;
                count += !there;
            } else {
                uint64_t value = 0;
                CHECK_BOOL(there, dethash_remove(&map, key_of(i), 2, &value));
                CHECK_U64(values[i], value);
                values[i] = 0;
                count -= there;
            }
            if (step % 20 == 0)
                check_against(&map, values, count);
        }
        dethash_release(&map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_empty_map_answers_without_a_table),
        cmocka_unit_test(test_a_zeroed_map_refuses_entries),
        cmocka_unit_test(test_insert_get_and_overwrite),
        cmocka_unit_test(test_enter_finds_or_makes),
        cmocka_unit_test(test_growth_at_three_quarters),
        cmocka_unit_test(test_a_limit_stops_growth_and_nothing_else),
        cmocka_unit_test(test_memory_is_one_table_and_two_while_growing),
        cmocka_unit_test(test_a_cleared_map_keeps_its_table),
        cmocka_unit_test(test_every_allocation_failing_in_turn),
        cmocka_unit_test(test_layout_follows_from_the_calls_alone),
        cmocka_unit_test(test_random_operations_against_an_array),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
