/* SPDX-License-Identifier: MIT */
/*
 * plumb-heap.so, preloaded: the C library's allocator, with a count.
 *
 * Every live block's requested size is kept in a table beside the heap (not
 * in front of the block, which would move the alignment that programs see),
 * from the start of the process, so that a window also sees blocks made
 * before it.  Counting itself is on only inside a window.
 */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/heap.h"
#include "harness/heap_preload_sites.h"

#define EXPORT __attribute__((visibility("default")))

/* The C library's own entry points, which nothing can interpose. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t align, size_t size);
void __libc_free(void *p);

/* ---- the table: address -> requested size, linear probing -------------- */

struct entry {
    uintptr_t address; /* 0: free */
    size_t size;
};

static struct {
    struct entry *slots;
    size_t slot_count; /* a power of two */
    size_t used;
} table;

static struct heap_window window;
static int64_t live;
static int counting;
static int lock_word;
static struct heap_sites *watched; /* NULL: nobody asks for sites */
static int unwinding; /* the unwinder's own requests are not the case's */

static void lock(void)
{
    while (__atomic_test_and_set(&lock_word, __ATOMIC_ACQUIRE))
        ;
}

static void unlock(void)
{
    __atomic_clear(&lock_word, __ATOMIC_RELEASE);
}

static size_t home_of(uintptr_t address)
{
    uint64_t mixed = (uint64_t)(address >> 4) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(mixed >> 20) & (table.slot_count - 1);
}

static void table_put(uintptr_t address, size_t size);

static void table_grow(void)
{
    struct entry *old = table.slots;
    size_t old_count = table.slot_count;
    size_t count = old_count == 0 ? 4096 : 2 * old_count;
    void *fresh =
        mmap(NULL, count * sizeof(struct entry), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED)
        __builtin_trap(); /* a wrong count must not pass for a right one */
    table.slots = fresh;
    table.slot_count = count;
    table.used = 0;
    for (size_t i = 0; i < old_count; i++)
        if (old[i].address != 0)
            table_put(old[i].address, old[i].size);
    if (old != NULL)
        munmap(old, old_count * sizeof(struct entry));
}

static void table_put(uintptr_t address, size_t size)
{
    if (2 * (table.used + 1) > table.slot_count)
        table_grow();
    size_t at = home_of(address);
    while (table.slots[at].address != 0)
        at = (at + 1) & (table.slot_count - 1);
    table.slots[at] = (struct entry){.address = address, .size = size};
    table.used++;
}

/** Take an address out; gives its size, or 0 when it is not there. */
static size_t table_take(uintptr_t address)
{
    if (table.slot_count == 0)
        return 0;
    size_t mask = table.slot_count - 1;
    size_t hole = home_of(address);
    while (table.slots[hole].address != address) {
        if (table.slots[hole].address == 0)
            return 0;
        hole = (hole + 1) & mask;
    }
    size_t size = table.slots[hole].size;
    /* Move back what the hole would cut off from its home. */
    for (size_t at = (hole + 1) & mask; table.slots[at].address != 0;
         at = (at + 1) & mask) {
        size_t home = home_of(table.slots[at].address);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            table.slots[hole] = table.slots[at];
            hole = at;
        }
    }
    table.slots[hole].address = 0;
    table.used--;
    return size;
}

/* ---- counting ---------------------------------------------------------- */

static void note_request(void *p, size_t size)
{
    if (counting && !unwinding) {
        window.calls++;
        window.bytes += size;
    }
    if (p == NULL)
        return;
    table_put((uintptr_t)p, size);
    live += (int64_t)size;
    if (counting && live > window.peak)
        window.peak = live;
}

/** Outside the lock: finding the stack may itself request memory. */
static void note_site(size_t size)
{
    if (!counting || watched == NULL || unwinding)
        return;
    unwinding = 1;
    heap_preload_note_site(watched, size);
    unwinding = 0;
}

static void *requested(void *p, size_t size)
{
    note_site(size);
    lock();
    note_request(p, size);
    unlock();
    return p;
}

EXPORT void plumb_heap_watch(struct heap_sites *sites)
{
    watched = sites;
}

EXPORT void plumb_heap_begin(void)
{
    lock();
    if (watched != NULL)
        watched->count = 0;
    memset(&window, 0, sizeof(window));
    live = 0;
    counting = 1;
    unlock();
}

EXPORT void plumb_heap_end(struct heap_window *w)
{
    lock();
    counting = 0;
    window.live = live;
    *w = window;
    unlock();
}

/* ---- the allocator ----------------------------------------------------- */

EXPORT void *malloc(size_t size)
{
    return requested(__libc_malloc(size), size);
}

EXPORT void *calloc(size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        total = SIZE_MAX;
    return requested(__libc_calloc(count, size), total);
}

EXPORT void free(void *p)
{
    if (p == NULL)
        return;
    lock();
    live -= (int64_t)table_take((uintptr_t)p);
    unlock();
    __libc_free(p);
}

EXPORT void *realloc(void *p, size_t size)
{
    if (p == NULL)
        return malloc(size);
    if (size == 0) {
        free(p);
        return NULL;
    }
    note_site(size);
    /* One step under the lock: between the two, another thread may be
     * given the old address. */
    lock();
    size_t old = table_take((uintptr_t)p);
    live -= (int64_t)old;
    void *moved = __libc_realloc(p, size);
    if (moved == NULL) {
        live += (int64_t)old;
        table_put((uintptr_t)p, old);
    }
    note_request(moved, size);
    unlock();
    return moved;
}

EXPORT void *reallocarray(void *p, size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(p, total);
}

EXPORT void *memalign(size_t align, size_t size)
{
    return requested(__libc_memalign(align, size), size);
}

EXPORT void *aligned_alloc(size_t align, size_t size)
{
    return memalign(align, size);
}

EXPORT int posix_memalign(void **out, size_t align, size_t size)
{
    if (align < sizeof(void *) || (align & (align - 1)) != 0)
        return EINVAL;
    void *p = memalign(align, size);
    if (p == NULL)
        return ENOMEM;
    *out = p;
    return 0;
}
