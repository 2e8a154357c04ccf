/* SPDX-License-Identifier: MIT */
/* When the map takes two keys for the same. */
#include "base/dethash.h"
#include "testkit/testkit.h"

#include <string.h>

static const struct dethash_seed seed = {.k0 = 11, .k1 = 12};

/* Sizes around the words of the comparison, each key one byte unlike another
 * and looked up through a copy against a guard page. */
static void test_keys_of_every_size(void **state)
{
    (void)state;
    enum { SIZES = 40 };
    uint8_t text[SIZES];
    struct dethash map;

    memset(text, 'x', sizeof(text));
    dethash_init(&map, seed, SIZE_MAX, NULL);
    for (size_t size = 0; size < SIZES; size++)
        CHECK_STATUS(ST_OK, dethash_insert(&map, text, size, size));
    CHECK_SIZE(SIZES, map.count);
    for (size_t size = 0; size < SIZES; size++) {
        const uint8_t *key = guard_copy(text, size);
        uint64_t value = 77;
        CHECK_BOOL(true, dethash_get(&map, key, size, &value));
        CHECK_U64(size, value);
        guard_free(key, size);
    }
    dethash_release(&map);
}

/* The entry of a map that has one. */
static struct dethash_slot *only_slot(struct dethash *map)
{
    size_t at = 0;

    CHECK_SIZE(1, map->count);
    assert_non_null(dethash_next(map, &at));
    return &map->slots[at - 1];
}

/* Two keys of one hash, which nobody can find for SipHash, are made by giving
 * an entry another key behind the map's back: each byte and the size of a key
 * decide. */
static void test_equal_hashes_are_told_apart_by_their_keys(void **state)
{
    (void)state;
    enum { SIZES = 34 };
    uint8_t text[SIZES], other[SIZES];

    memset(text, 'x', sizeof(text));
    memset(other, 'x', sizeof(other));
    for (size_t size = 1; size < SIZES; size++) {
        struct dethash map;
        uint64_t value = 0;
        dethash_init(&map, seed, SIZE_MAX, NULL);
        CHECK_STATUS(ST_OK, dethash_insert(&map, text, size, 5));
        struct dethash_slot *slot = only_slot(&map);
        slot->key = other;
        CHECK_BOOL(true, dethash_get(&map, text, size, &value));
        for (size_t i = 0; i < size; i++) {
            other[i] ^= 1;
            CHECK_BOOL(false, dethash_get(&map, text, size, &value));
            other[i] ^= 1;
        }
        slot->key_size = size - 1;
        CHECK_BOOL(false, dethash_get(&map, text, size, &value));
        dethash_release(&map);
    }
}

/* The entry's key is made unreadable; a key of the same slot and another hash
 * passes it by. */
static void test_unequal_hashes_compare_no_key(void **state)
{
    (void)state;
    const uint8_t *unreadable = guard_copy(NULL, 0);
    struct dethash map;
    uint64_t value = 0;
    size_t passed = 0;

    dethash_init(&map, seed, SIZE_MAX, NULL);
    CHECK_STATUS(ST_OK, dethash_insert(&map, "0", 1, 5));
    only_slot(&map)->key = unreadable;
    for (int c = 'A'; c <= 'z'; c++) {
        const char letter = (char)c;
        CHECK_BOOL(false, dethash_get(&map, &letter, 1, &value));
        passed += dethash_probe_count(&map, &letter, 1) == 2;
    }
    assert_in_range(passed, 1, 'z' - 'A'); /* some met it, some did not */
    dethash_release(&map);
    guard_free(unreadable, 0);
}

static void test_the_empty_key_may_be_null(void **state)
{
    (void)state;
    struct dethash map;
    uint64_t value = 0;

    dethash_init(&map, seed, SIZE_MAX, NULL);
    CHECK_STATUS(ST_OK, dethash_insert(&map, NULL, 0, 5));
    CHECK_STATUS(ST_OK, dethash_insert(&map, "x", 0, 6));
    CHECK_SIZE(1, map.count);
    CHECK_BOOL(true, dethash_get(&map, NULL, 0, &value));
    CHECK_U64(6, value);
    CHECK_BOOL(true, dethash_remove(&map, NULL, 0, NULL));
    CHECK_BOOL(false, dethash_get(&map, "", 0, &value));
    dethash_release(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_of_every_size),
        cmocka_unit_test(test_equal_hashes_are_told_apart_by_their_keys),
        cmocka_unit_test(test_unequal_hashes_compare_no_key),
        cmocka_unit_test(test_the_empty_key_may_be_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
