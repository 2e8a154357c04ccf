/* SPDX-License-Identifier: MIT */
/* The deterministic map, driven by a script of operations, agrees with a
 * plain list; its table stays reachable and within its load. */
#include "base/dethash.h"
#include "testkit/fuzz.h"

#include <string.h>

#define LIST_MAX 256

/* An operation is a byte that says what is done (bits 0 and 1) and how long
 * its key is (bits 2 and 3), and then two bytes for the key. */
#define KEY_MAX 2
#define OP_SIZE (1 + KEY_MAX)

struct pair {
    const uint8_t *key;
    size_t key_size;
    uint64_t value;
};

struct list {
    struct pair pairs[LIST_MAX];
    size_t count;
};

static struct pair *list_find(struct list *list, const uint8_t *key,
                              size_t key_size)
{
    for (size_t i = 0; i < list->count; i++) {
        struct pair *pair = &list->pairs[i];
        if (pair->key_size == key_size &&
            memcmp(pair->key, key, key_size) == 0)
            return pair;
    }
    return NULL;
}

static void list_insert(struct list *list, struct pair pair)
{
    struct pair *old = list_find(list, pair.key, pair.key_size);

    if (old != NULL)
        old->value = pair.value;
    else
        list->pairs[list->count++] = pair;
}

/* Both sides hold the same entries, and each is found where probing says. */
static void check_same(const struct dethash *map, struct list *list)
{
    const struct dethash_slot *slot;
    size_t at = 0, seen = 0;

    FUZZ_CHECK(map->count == list->count);
    FUZZ_CHECK(map->count * 4 <= map->slot_count * 3);
    while ((slot = dethash_next(map, &at)) != NULL) {
        struct pair *pair = list_find(list, slot->key, slot->key_size);
        size_t probes = dethash_probe_count(map, slot->key, slot->key_size);
        FUZZ_CHECK(pair != NULL && pair->value == slot->value);
        FUZZ_CHECK(((slot->hash + probes - 1) & (map->slot_count - 1)) ==
                   at - 1);
        seen++;
    }
    FUZZ_CHECK(seen == list->count);
}

static void step(struct dethash *map, struct list *list, const uint8_t *op,
                 uint64_t serial)
{
    struct pair pair = {
        .key = op + 1, .key_size = op[0] >> 2 & 3, .value = serial};
    struct pair *old;
    uint64_t value = 0;

    if (pair.key_size > KEY_MAX)
        pair.key_size = KEY_MAX;
    old = list_find(list, pair.key, pair.key_size);
    switch (op[0] & 3) {
    case 0:
    case 1:
        FUZZ_CHECK(dethash_insert(map, pair.key, pair.key_size, pair.value) ==
                   ST_OK);
        list_insert(list, pair);
        break;
    case 2:
        FUZZ_CHECK(dethash_remove(map, pair.key, pair.key_size, &value) ==
                   (old != NULL));
        FUZZ_CHECK(old == NULL || value == old->value);
        if (old != NULL)
            *old = list->pairs[--list->count];
        break;
    case 3:
        FUZZ_CHECK(dethash_get(map, pair.key, pair.key_size, &value) ==
                   (old != NULL));
        FUZZ_CHECK(old == NULL || value == old->value);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct list list = {.count = 0};
    struct dethash map;

    if (size == 0)
        return 0;
    dethash_init(&map, (struct dethash_seed){.k0 = data[0]}, SIZE_MAX, NULL);
    for (size_t at = 1; at + OP_SIZE <= size && list.count < LIST_MAX;
         at += OP_SIZE) {
        step(&map, &list, data + at, at);
        check_same(&map, &list);
    }
    dethash_release(&map);
    FUZZ_CHECK(map.count == 0 && map.slot_count == 0);
    return 0;
}
