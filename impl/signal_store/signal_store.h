/* SPDX-License-Identifier: MIT */
/*
 * A cache of identity keys by protocol address.
 *
 * Each address is unknown, known to have no identity, or known with its
 * bytes.  One lock stands before it; reading and writing never wait for it.
 * What the owner has still to write down is dirty (new bytes) or deleted;
 * everything else may be forgotten when there is too much of it.
 */
#ifndef SIGNAL_STORE_SIGNAL_STORE_H
#define SIGNAL_STORE_SIGNAL_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/dethash.h"
#include "base/status.h"
#include "wabin/wabin_str.h"

/** Entries that are kept when clean ones are dropped. */
#define SIGNAL_STORE_ENTRIES_MAX 2000

/** Entries above that before any is dropped: an eighth, at least 16. */
#define SIGNAL_STORE_SLACK 250

/** The seed of every map in a store, and whether a caller chose it: only then
 * the same calls cost the same on every run. */
struct signal_store_seed {
    struct dethash_seed seed;
    bool is_fixed;
};

/** A seed that somebody chose, for tests and measurements. */
static inline struct signal_store_seed signal_store_seed_fixed(uint64_t k0,
                                                               uint64_t k1)
{
    return (struct signal_store_seed){.seed = {.k0 = k0, .k1 = k1},
                                      .is_fixed = true};
}

/** A seed from the operating system, for keys that strangers choose.
 * ST_NO_MEMORY stands for a system that gives none. */
MUST_CHECK enum status signal_store_seed_random(
    struct signal_store_seed *seed);

struct signal_store;

/** An identity's bytes, counted by those who hold them. */
struct signal_store_bytes;

/** What is known of an address. */
enum signal_store_answer {
    SIGNAL_STORE_NOT_CACHED, /* nothing, or the lock is taken */
    SIGNAL_STORE_ABSENT,     /* that it has no identity */
    SIGNAL_STORE_BYTES,
};

/**
 * Make an empty store.
 *
 *   seed   of every map inside; there is no default
 *   alloc  outlives the store; safe in every thread that uses it.  NULL: the C
 *          library
 *   store  out: for signal_store_free
 *
 * ST_NO_MEMORY
 */
MUST_CHECK enum status signal_store_new(struct signal_store_seed seed,
                                        const struct alloc *alloc,
                                        struct signal_store **store);

/** End a store that nobody uses any more; bytes that are still held stay
 * until they are released.  store may be NULL. */
void signal_store_free(struct signal_store *store);

/** Whether its seed was chosen: whether its figures can gate anything. */
bool signal_store_is_repeatable(const struct signal_store *store);

/** Entries of any kind. */
size_t signal_store_count(struct signal_store *store);

/**
 * Look an address up, without waiting for the lock.
 *
 *   bytes  out, for SIGNAL_STORE_BYTES: held for the caller, to be released;
 *          not copied
 */
MUST_CHECK enum signal_store_answer signal_store_try_get(
    struct signal_store *store, struct wabin_str address,
    const struct signal_store_bytes **bytes);

/**
 * Set the bytes of an address, without waiting for the lock.  The same bytes
 * again change nothing; others are copied, and the address becomes dirty and
 * is no longer deleted.  May drop clean entries.
 *
 * Returns false when the lock is taken and when there is no memory; the store
 * is as it was then.
 */
MUST_CHECK bool signal_store_try_put(struct signal_store *store,
                                     struct wabin_str address,
                                     struct wabin_str bytes);

/** Make an address known to have no identity, and deleted.  Waits for the
 * lock.  ST_NO_MEMORY leaves the store as it was. */
MUST_CHECK enum status signal_store_delete(struct signal_store *store,
                                           struct wabin_str address);

/** Note what the owner has on record: bytes, or none where bytes.data is
 * NULL.  Clean; never in place of a dirty or deleted entry.  Waits for the
 * lock.  ST_NO_MEMORY leaves the store as it was. */
MUST_CHECK enum status signal_store_note(struct signal_store *store,
                                         struct wabin_str address,
                                         struct wabin_str bytes);

/** Where signal_store_flush hands an entry; bytes.data is NULL for a deleted
 * one.  Returns whether it is on record now. */
typedef bool signal_store_write_fn(void *ctx, struct wabin_str address,
                                   struct wabin_str bytes);

/** Hand on every dirty and every deleted entry; those that are on record then
 * are clean.  Holds the lock meanwhile.  Returns how many are not. */
size_t signal_store_flush(struct signal_store *store,
                          signal_store_write_fn *write, void *ctx);

/** Whether an address of this user, the text up to the first `@` or `:`, was
 * ever put or noted with bytes; entries that went do not change it.  Waits for
 * the lock. */
bool signal_store_has_user(struct signal_store *store, struct wabin_str user);

/** The bytes, as long as they are held. */
struct wabin_str signal_store_bytes_text(
    const struct signal_store_bytes *bytes);

/** Let go of bytes; may be NULL. */
void signal_store_bytes_release(const struct signal_store_bytes *bytes);

#endif
