/* SPDX-License-Identifier: MIT */
/* The deterministic map: open addressing, linear probing, and removal that
 * shifts entries back instead of leaving tombstones. */
#include "base/dethash.h"

#include <assert.h>
#include <string.h>

/* Stands for a NULL key of size 0, since NULL marks an empty slot. */
static const uint8_t no_bytes[1];

static inline uint64_t hash_of(const struct dethash *map, const void *key,
                               size_t key_size)
{
    return dethash_siphash13(map->seed.k0, map->seed.k1, key, key_size);
}

static inline uint64_t word_at(const uint8_t *p)
{
    uint64_t word;

    memcpy(&word, p, sizeof(word));
    return word;
}

/* memcmp would be chosen by the processor at load time, and its cost with it;
 * keys are short, so words in line cost less than that call as well.  The
 * last word overlaps the one before. */
static inline bool same_bytes(const uint8_t *a, const uint8_t *b, size_t size)
{
    if (size < sizeof(uint64_t)) {
        for (size_t i = 0; i < size; i++) {
            if (a[i] != b[i])
                return false;
        }
        return true;
    }
    size_t last = size - sizeof(uint64_t);
    for (size_t i = 0; i < last; i += sizeof(uint64_t)) {
        if (word_at(a + i) != word_at(b + i))
            return false;
    }
    return word_at(a + last) == word_at(b + last);
}

static inline bool slot_holds(const struct dethash_slot *slot, uint64_t hash,
                              const void *key, size_t key_size)
{
    return slot->hash == hash && slot->key_size == key_size &&
           same_bytes(slot->key, key, key_size);
}

/* The key's slot, or the empty one that ends its probe.  The table exists and
 * has an empty slot: a quarter of it always is. */
static inline struct dethash_slot *probe(const struct dethash *map,
                                         uint64_t hash, const void *key,
                                         size_t key_size)
{
    struct dethash_slot *slots = map->slots;
    size_t mask = map->slot_count - 1;
    size_t i = (size_t)hash & mask;

    while (slots[i].key != NULL && !slot_holds(&slots[i], hash, key, key_size))
        i = (i + 1) & mask;
    return &slots[i];
}

/* The key's entry, or NULL. */
static inline struct dethash_slot *find(const struct dethash *map,
                                        const void *key, size_t key_size)
{
    if (map->slots == NULL)
        return NULL;
    struct dethash_slot *slot =
        probe(map, hash_of(map, key, key_size), key, key_size);
    return slot->key != NULL ? slot : NULL;
}

void dethash_init(struct dethash *map, struct dethash_seed seed,
                  size_t max_size, const struct alloc *alloc)
{
    *map =
        (struct dethash){.seed = seed, .max_size = max_size, .alloc = alloc};
}

void dethash_release(struct dethash *map)
{
    if (map->slots != NULL)
        alloc_put(map->alloc, map->slots,
                  map->slot_count * sizeof(*map->slots));
    dethash_init(map, map->seed, map->max_size, map->alloc);
}

void dethash_clear(struct dethash *map)
{
    if (map->count != 0)
        memset(map->slots, 0, map->slot_count * sizeof(*map->slots));
    map->count = 0;
}

bool dethash_get(const struct dethash *map, const void *key, size_t key_size,
                 uint64_t *value)
{
    const struct dethash_slot *slot = find(map, key, key_size);

    if (slot == NULL)
        return false;
    *value = slot->value;
    return true;
}

/* An empty slot for a hash that is not in the table. */
static struct dethash_slot *vacancy(struct dethash_slot *slots,
                                    size_t slot_count, uint64_t hash)
{
    size_t mask = slot_count - 1;
    size_t i = (size_t)hash & mask;

    while (slots[i].key != NULL)
        i = (i + 1) & mask;
    return &slots[i];
}

/* Fill a new table with the entries of the old one, in ascending order of
 * their old slot, which is part of the layout's definition. */
static void move_entries(struct dethash *map, struct dethash_slot *slots,
                         size_t slot_count)
{
    for (size_t i = 0; i < map->slot_count; i++) {
        const struct dethash_slot *old = &map->slots[i];
        if (old->key != NULL)
            *vacancy(slots, slot_count, old->hash) = *old;
    }
    alloc_put(map->alloc, map->slots, map->slot_count * sizeof(*map->slots));
}

/* Make the first table, or one of twice the slots. */
static enum status grow(struct dethash *map)
{
    size_t slot_count = DETHASH_SLOTS_MIN;
    size_t size;

    if (map->slots != NULL && !size_mul(map->slot_count, 2, &slot_count))
        return ST_LIMIT;
    if (!size_mul(slot_count, sizeof(struct dethash_slot), &size) ||
        size > map->max_size)
        return ST_LIMIT;
    struct dethash_slot *slots = alloc_get(map->alloc, size);
    if (slots == NULL)
        return ST_NO_MEMORY;
    memset(slots, 0, size);
    if (map->slots != NULL)
        move_entries(map, slots, slot_count);
    map->slots = slots;
    map->slot_count = slot_count;
    return ST_OK;
}

/* Whether one more entry would fill more than three quarters.  No product
 * wraps: the table's size in bytes is at least 8 times its slots. */
static inline bool is_full(const struct dethash *map)
{
    return (map->count + 1) * 4 > map->slot_count * 3;
}

enum status dethash_enter(struct dethash *map, const void *key,
                          size_t key_size, uint64_t fresh, uint64_t **value)
{
    uint64_t hash = hash_of(map, key, key_size);

    assert(key != NULL || key_size == 0);
    if (map->slots == NULL)
        TRY(grow(map));
    struct dethash_slot *slot = probe(map, hash, key, key_size);
    if (slot->key != NULL) {
        *value = &slot->value;
        return ST_OK;
    }
    if (is_full(map)) {
        TRY(grow(map));
        slot = vacancy(map->slots, map->slot_count, hash);
    }
    *slot = (struct dethash_slot){.hash = hash,
                                  .key = key != NULL ? key : no_bytes,
                                  .key_size = key_size,
                                  .value = fresh};
    map->count++;
    *value = &slot->value;
    return ST_OK;
}

enum status dethash_insert(struct dethash *map, const void *key,
                           size_t key_size, uint64_t value)
{
    uint64_t *place;

    TRY(dethash_enter(map, key, key_size, value, &place));
    *place = value;
    return ST_OK;
}

/* Fill the hole at an emptied slot: an entry further along moves into it
 * unless its probe starts behind the hole. */
static void close_hole(struct dethash *map, size_t hole)
{
    struct dethash_slot *slots = map->slots;
    size_t mask = map->slot_count - 1;

    for (size_t i = (hole + 1) & mask; slots[i].key != NULL;
         i = (i + 1) & mask) {
        size_t from_start = (i - (size_t)slots[i].hash) & mask;
        size_t from_hole = (i - hole) & mask;
        if (from_start >= from_hole) {
            slots[hole] = slots[i];
            hole = i;
        }
    }
    slots[hole] = (struct dethash_slot){.key = NULL};
}

bool dethash_remove(struct dethash *map, const void *key, size_t key_size,
                    uint64_t *value)
{
    const struct dethash_slot *slot = find(map, key, key_size);

    if (slot == NULL)
        return false;
    if (value != NULL)
        *value = slot->value;
    close_hole(map, (size_t)(slot - map->slots));
    map->count--;
    return true;
}

const struct dethash_slot *dethash_next(const struct dethash *map,
                                        size_t *slot_at)
{
    while (*slot_at < map->slot_count) {
        const struct dethash_slot *slot = &map->slots[(*slot_at)++];
        if (slot->key != NULL)
            return slot;
    }
    return NULL;
}

size_t dethash_probe_count(const struct dethash *map, const void *key,
                           size_t key_size)
{
    if (map->slots == NULL)
        return 0;
    uint64_t hash = hash_of(map, key, key_size);
    size_t end = (size_t)(probe(map, hash, key, key_size) - map->slots);
    return ((end - (size_t)hash) & (map->slot_count - 1)) + 1;
}
