/* SPDX-License-Identifier: MIT */
/* A hash map whose every step follows from its keys, the order in which they
 * came, and a seed that its maker passes in: no address, clock or hidden
 * state enters a hash, so the same calls cost the same on any run. */
#ifndef BASE_DETHASH_H
#define BASE_DETHASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/macros.h"
#include "base/status.h"

/** Slots of a table when the first entry comes. */
#define DETHASH_SLOTS_MIN 8

/** Key of the hash.  Draw it at random where strangers choose the map's
 * keys; fix it where a figure must repeat. */
struct dethash_seed {
    uint64_t k0;
    uint64_t k1;
};

/** One place of the table: an entry, or empty when key is NULL. */
struct dethash_slot {
    uint64_t hash;
    const uint8_t *key; /* the caller's bytes */
    size_t key_size;
    uint64_t value;
};

/**
 * A map from byte strings to 64-bit values (numbers, or pointers through
 * uintptr_t).  Keys are borrowed: their bytes must stay unchanged as long as
 * their entry does.  The fields are open to reading only.  An all-zero struct
 * is an empty map that refuses insertions.
 */
struct dethash {
    struct dethash_slot *slots; /* NULL until the first insertion */
    size_t slot_count;          /* 0, or a power of two from 8 */
    size_t count;               /* entries */
    struct dethash_seed seed;
    size_t max_size; /* limit of the table, in bytes */
    const struct alloc *alloc;
};

/**
 * Start an empty map.  Allocates nothing.
 *
 *   map       the caller's struct; end it with dethash_release
 *   seed      of the hash; there is no default
 *   max_size  most bytes one table may have; while it grows, the old table
 *             and the new one stand side by side
 *   alloc     outlives the map; NULL is the C library
 */
void dethash_init(struct dethash *map, struct dethash_seed seed,
                  size_t max_size, const struct alloc *alloc);

/** Give the table back; the map is empty afterwards, with its old seed, and
 * may be used again.  Keys and values are the caller's business. */
void dethash_release(struct dethash *map);

/** Take every entry out, but keep the table for those that come.  Cost: one
 * pass over the table, none when it has no entry. */
void dethash_clear(struct dethash *map);

/**
 * Look a key up.
 *
 *   key, key_size  borrowed for the call; key may be NULL when key_size is 0
 *   value          out: the entry's value; untouched when there is none
 *
 * Returns whether the key has an entry.
 *
 * Cost: one hash (none when the map has no table), then slots up to the key
 *       or the next empty one; keys are compared only when hashes are equal.
 */
MUST_CHECK bool dethash_get(const struct dethash *map, const void *key,
                            size_t key_size, uint64_t *value);

/**
 * Set the value of a key.  An entry that exists keeps its slot and its old
 * key pointer; a new one borrows key.
 *
 * ST_NO_MEMORY  the table has to grow and there is no memory for it
 * ST_LIMIT      the table has to grow beyond max_size
 *
 * A map is unchanged by a failure.  Cost: that of dethash_get; a new entry
 * that takes the table above three quarters first doubles it, without hashing
 * again.
 */
MUST_CHECK enum status dethash_insert(struct dethash *map, const void *key,
                                      size_t key_size, uint64_t value);

/**
 * Find an entry or make one, for the price of one hash.  Like dethash_insert,
 * but an entry that exists keeps its value.
 *
 *   fresh  the value of a new entry
 *   value  out: where the entry's value is, to read or to change, until the
 *          next insertion or removal; map->count tells whether it is new
 */
MUST_CHECK enum status dethash_enter(struct dethash *map, const void *key,
                                     size_t key_size, uint64_t fresh,
                                     uint64_t **value);

/**
 * Take an entry out.  Entries behind it may move to fill the hole; the table
 * does not shrink.
 *
 *   value  out: the entry's value, untouched when there is none; may be NULL
 *
 * Returns whether the key had an entry.
 */
bool dethash_remove(struct dethash *map, const void *key, size_t key_size,
                    uint64_t *value);

/**
 * The next entry in slot order, which is the same for the same seed and
 * calls.
 *
 *   slot_at  slot to look at first, 0 to begin; moves behind the entry
 *
 * Returns NULL at the end.  An insertion or removal ends an iteration.
 */
const struct dethash_slot *dethash_next(const struct dethash *map,
                                        size_t *slot_at);

/** Slots that dethash_get looks at for this key, the last one included; 0
 * when the map has no table. */
size_t dethash_probe_count(const struct dethash *map, const void *key,
                           size_t key_size);

/**
 * SipHash-1-3 over a key followed by one byte 0xff.
 *
 *   k0, k1  halves of the 128-bit hash key, as little-endian numbers
 *
 * Source: J.-P. Aumasson and D. J. Bernstein, "SipHash: a fast short-input
 * PRF", 2012, with one round a block and three at the end.
 */
uint64_t dethash_siphash13(uint64_t k0, uint64_t k1, const void *key,
                           size_t key_size);

#endif
