/* SPDX-License-Identifier: MIT */
/* The identity cache: one map of entries, one set of users, one lock. */
#include "signal_store/signal_store.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/random.h>

/* One table of slots; far above what eviction lets the entries need. */
#define TABLE_SIZE_MAX ((size_t)1 << 30)

struct signal_store_bytes {
    atomic_size_t holds;
    const struct alloc *alloc;
    size_t size;
    char data[];
};

/** What is known of one address. */
struct entry {
    struct signal_store_bytes *bytes; /* NULL: known to have none */
    bool is_dirty;
    bool is_deleted;
    size_t key_size;
    char key[];
};

struct signal_store {
    pthread_mutex_t lock;
    const struct alloc *alloc;
    bool is_repeatable;
    struct dethash entries; /* address -> struct entry * */
    struct dethash users;   /* user -> its key, which is the store's */
};

enum status signal_store_seed_random(struct signal_store_seed *seed)
{
    struct signal_store_seed drawn = {.is_fixed = false};

    if (getrandom(&drawn.seed, sizeof(drawn.seed), 0) !=
        (ssize_t)sizeof(drawn.seed))
        return ST_NO_MEMORY;
    *seed = drawn;
    return ST_OK;
}

/* ---- bytes -------------------------------------------------------------- */

static struct signal_store_bytes *new_bytes(const struct alloc *alloc,
                                            struct wabin_str from)
{
    struct signal_store_bytes *bytes;
    size_t size;

    if (!size_add(sizeof(*bytes), from.size, &size))
        return NULL;
    bytes = alloc_get(alloc, size);
    if (bytes == NULL)
        return NULL;
    atomic_init(&bytes->holds, 1);
    bytes->alloc = alloc;
    bytes->size = from.size;
    if (from.size != 0)
        memcpy(bytes->data, from.data, from.size);
    return bytes;
}

struct wabin_str signal_store_bytes_text(
    const struct signal_store_bytes *bytes)
{
    return wabin_str(bytes->data, bytes->size);
}

void signal_store_bytes_release(const struct signal_store_bytes *held)
{
    /* The count is the module's own; callers only see what is counted. */
    struct signal_store_bytes *bytes =
        (struct signal_store_bytes *)(uintptr_t)held;

    if (bytes != NULL &&
        atomic_fetch_sub_explicit(&bytes->holds, 1, memory_order_acq_rel) == 1)
        alloc_put(bytes->alloc, bytes, sizeof(*bytes) + bytes->size);
}

/* ---- entries ------------------------------------------------------------ */

static struct entry *entry_of(uint64_t value)
{
    return (struct entry *)(uintptr_t)value;
}

static struct entry *find(const struct signal_store *store,
                          struct wabin_str address)
{
    uint64_t value;

    return dethash_get(&store->entries, address.data, address.size, &value)
               ? entry_of(value)
               : NULL;
}

static void free_entry(struct signal_store *store, struct entry *entry)
{
    signal_store_bytes_release(entry->bytes);
    alloc_put(store->alloc, entry, sizeof(*entry) + entry->key_size);
}

/* A new entry of an address that has none: known to have no bytes. */
static struct entry *add(struct signal_store *store, struct wabin_str address)
{
    struct entry *entry;
    size_t size;

    if (!size_add(sizeof(*entry), address.size, &size))
        return NULL;
    entry = alloc_get(store->alloc, size);
    if (entry == NULL)
        return NULL;
    *entry = (struct entry){.key_size = address.size};
    memcpy(entry->key, address.data, address.size);
    if (dethash_insert(&store->entries, entry->key, entry->key_size,
                       (uintptr_t)entry) != ST_OK) {
        free_entry(store, entry);
        return NULL;
    }
    return entry;
}

/* ---- users -------------------------------------------------------------- */

static struct wabin_str user_of(struct wabin_str address)
{
    size_t size = 0;

    while (size < address.size && address.data[size] != '@' &&
           address.data[size] != ':')
        size++;
    return wabin_str_first(address, size);
}

/* One block a user: its size is found in the slot. */
static bool add_user(struct signal_store *store, struct wabin_str user)
{
    uint64_t known;

    if (dethash_get(&store->users, user.data, user.size, &known))
        return true;
    char *copy = alloc_get(store->alloc, user.size + 1);
    if (copy == NULL)
        return false;
    memcpy(copy, user.data, user.size);
    if (dethash_insert(&store->users, copy, user.size, (uintptr_t)copy) ==
        ST_OK)
        return true;
    alloc_put(store->alloc, copy, user.size + 1);
    return false;
}

/* ---- eviction ----------------------------------------------------------- */

static bool is_clean(const struct entry *entry)
{
    return !entry->is_dirty && !entry->is_deleted;
}

/* Drop clean entries in slot order down to the limit: those without bytes, or
 * those with.  Where one went, the entry that fills the hole is next. */
static void drop_clean(struct signal_store *store, bool with_bytes)
{
    const struct dethash_slot *slot;
    size_t at = 0;

    while (store->entries.count > SIGNAL_STORE_ENTRIES_MAX &&
           (slot = dethash_next(&store->entries, &at)) != NULL) {
        struct entry *entry = entry_of(slot->value);
        if (!is_clean(entry) || (entry->bytes != NULL) != with_bytes)
            continue;
        dethash_remove(&store->entries, entry->key, entry->key_size, NULL);
        free_entry(store, entry);
        at--;
    }
}

static void evict(struct signal_store *store)
{
    if (store->entries.count <= SIGNAL_STORE_ENTRIES_MAX + SIGNAL_STORE_SLACK)
        return;
    drop_clean(store, false);
    drop_clean(store, true);
}

/* ---- the store ---------------------------------------------------------- */

enum status signal_store_new(struct signal_store_seed seed,
                             const struct alloc *alloc,
                             struct signal_store **store)
{
    struct signal_store *made = alloc_get(alloc, sizeof(*made));

    if (made == NULL)
        return ST_NO_MEMORY;
    if (pthread_mutex_init(&made->lock, NULL) != 0) {
        alloc_put(alloc, made, sizeof(*made));
        return ST_NO_MEMORY;
    }
    made->alloc = alloc;
    made->is_repeatable = seed.is_fixed;
    dethash_init(&made->entries, seed.seed, TABLE_SIZE_MAX, alloc);
    dethash_init(&made->users, seed.seed, TABLE_SIZE_MAX, alloc);
    *store = made;
    return ST_OK;
}

void signal_store_free(struct signal_store *store)
{
    const struct dethash_slot *slot;

    if (store == NULL)
        return;
    for (size_t at = 0; (slot = dethash_next(&store->entries, &at)) != NULL;)
        free_entry(store, entry_of(slot->value));
    for (size_t at = 0; (slot = dethash_next(&store->users, &at)) != NULL;)
        alloc_put(store->alloc, (char *)(uintptr_t)slot->value,
                  slot->key_size + 1);
    dethash_release(&store->entries);
    dethash_release(&store->users);
    pthread_mutex_destroy(&store->lock);
    alloc_put(store->alloc, store, sizeof(*store));
}

bool signal_store_is_repeatable(const struct signal_store *store)
{
    return store->is_repeatable;
}

size_t signal_store_count(struct signal_store *store)
{
    pthread_mutex_lock(&store->lock);
    size_t count = store->entries.count;
    pthread_mutex_unlock(&store->lock);
    return count;
}

enum signal_store_answer signal_store_try_get(
    struct signal_store *store, struct wabin_str address,
    const struct signal_store_bytes **bytes)
{
    enum signal_store_answer answer = SIGNAL_STORE_NOT_CACHED;

    if (pthread_mutex_trylock(&store->lock) != 0)
        return answer;
    const struct entry *entry = find(store, address);
    if (entry != NULL)
        answer = SIGNAL_STORE_ABSENT;
    if (entry != NULL && entry->bytes != NULL) {
        answer = SIGNAL_STORE_BYTES;
        atomic_fetch_add_explicit(&entry->bytes->holds, 1,
                                  memory_order_relaxed);
        *bytes = entry->bytes;
    }
    pthread_mutex_unlock(&store->lock);
    return answer;
}

static bool has_bytes(const struct entry *entry, struct wabin_str bytes)
{
    return entry != NULL && entry->bytes != NULL &&
           wabin_str_equal(signal_store_bytes_text(entry->bytes), bytes);
}

/* Give an address bytes, or none where bytes.data is NULL; NULL, with nothing
 * changed but perhaps a user more, when there is no memory. */
static struct entry *set(struct signal_store *store, struct wabin_str address,
                         struct wabin_str from)
{
    struct signal_store_bytes *bytes = NULL;
    struct entry *entry;

    if (from.data != NULL) {
        bytes = new_bytes(store->alloc, from);
        if (bytes == NULL || !add_user(store, user_of(address))) {
            signal_store_bytes_release(bytes);
            return NULL;
        }
    }
    entry = find(store, address);
    if (entry == NULL)
        entry = add(store, address);
    if (entry == NULL) {
        signal_store_bytes_release(bytes);
        return NULL;
    }
    signal_store_bytes_release(entry->bytes);
    entry->bytes = bytes;
    return entry;
}

bool signal_store_try_put(struct signal_store *store, struct wabin_str address,
                          struct wabin_str bytes)
{
    bool done = true;

    assert(bytes.data != NULL);
    if (pthread_mutex_trylock(&store->lock) != 0)
        return false;
    if (!has_bytes(find(store, address), bytes)) {
        struct entry *entry = set(store, address, bytes);
        done = entry != NULL;
        if (done) {
            entry->is_dirty = true;
            entry->is_deleted = false;
            evict(store);
        }
    }
    pthread_mutex_unlock(&store->lock);
    return done;
}

enum status signal_store_delete(struct signal_store *store,
                                struct wabin_str address)
{
    pthread_mutex_lock(&store->lock);
    struct entry *entry = set(store, address, (struct wabin_str){0});
    if (entry != NULL) {
        entry->is_dirty = false;
        entry->is_deleted = true;
        evict(store);
    }
    pthread_mutex_unlock(&store->lock);
    return entry != NULL ? ST_OK : ST_NO_MEMORY;
}

enum status signal_store_note(struct signal_store *store,
                              struct wabin_str address, struct wabin_str bytes)
{
    pthread_mutex_lock(&store->lock);
    const struct entry *known = find(store, address);
    bool done = true;
    if (known == NULL || is_clean(known)) {
        done = set(store, address, bytes) != NULL;
        evict(store); /* perhaps what was just noted */
    }
    pthread_mutex_unlock(&store->lock);
    return done ? ST_OK : ST_NO_MEMORY;
}

size_t signal_store_flush(struct signal_store *store,
                          signal_store_write_fn *write, void *ctx)
{
    const struct dethash_slot *slot;
    size_t left = 0;

    pthread_mutex_lock(&store->lock);
    for (size_t at = 0; (slot = dethash_next(&store->entries, &at)) != NULL;) {
        struct entry *entry = entry_of(slot->value);
        struct wabin_str bytes = {0};
        if (is_clean(entry))
            continue;
        if (entry->bytes != NULL)
            bytes = signal_store_bytes_text(entry->bytes);
        if (write(ctx, wabin_str(entry->key, entry->key_size), bytes))
            entry->is_dirty = entry->is_deleted = false;
        else
            left++;
    }
    pthread_mutex_unlock(&store->lock);
    return left;
}

bool signal_store_has_user(struct signal_store *store, struct wabin_str user)
{
    uint64_t known;

    pthread_mutex_lock(&store->lock);
    bool has = dethash_get(&store->users, user.data, user.size, &known);
    pthread_mutex_unlock(&store->lock);
    return has;
}
