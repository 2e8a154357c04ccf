/* SPDX-License-Identifier: MIT */
/* The parts of a walk that its loop leaves to calls: levels past the eighth,
 * and the ends of a walk that is rejected or had such levels. */
#include "msgpack/msgpack.h"

#include <stdbool.h>

#include "msgpack/msgpack_internal.h"

/* The first block: with the inline levels 128, more than the usual bound of
 * 100, in less than 1 KiB. */
#define FIRST_HEAP_LEVELS 120

/* By which the next blocks grow: so that the second holds whatever the bounds
 * of readers, 32 to 1024, let open. */
#define HEAP_GROWTH 16

static void heap_release(struct msgpack_walk *walk)
{
    if (walk->heap != NULL)
        alloc_put(walk->alloc, walk->heap,
                  walk->heap_count * sizeof(*walk->heap));
}

/* Memory for more levels: at most a count for each that the depth bound
 * leaves, and for each byte of the input. */
static bool heap_grow(struct msgpack_walk *walk)
{
    size_t old_count = walk->heap != NULL ? walk->heap_count : 0;
    size_t count = FIRST_HEAP_LEVELS;
    size_t size;
    uint64_t *heap;

    if (old_count != 0 && !size_mul(old_count, HEAP_GROWTH, &count))
        return false;
    if (count > walk->max_depth - MSGPACK_INLINE_LEVELS)
        count = walk->max_depth - MSGPACK_INLINE_LEVELS;
    if (count > walk->in_size)
        count = walk->in_size;
    if (!size_mul(count, sizeof(*heap), &size))
        return false;
    heap = old_count != 0 ? alloc_resize(walk->alloc, walk->heap,
                                         old_count * sizeof(*heap), size)
                          : alloc_get(walk->alloc, size);
    if (heap == NULL)
        return false;
    walk->heap = heap;
    walk->heap_count = count;
    return true;
}

/* True when the inline levels and the one about to open inside them owe more
 * items than there are bytes after its header. */
static bool is_unbacked(const struct msgpack_walk *walk)
{
    uint64_t owed = walk->left - 1 + walk->child_count;

    for (size_t i = 0; i < MSGPACK_INLINE_LEVELS; i++)
        owed += walk->own[i] - 1;
    return owed > walk->in_size - walk->at - walk->head_size;
}

enum msgpack_fault msgpack_reject(struct msgpack_walk *walk,
                                  enum msgpack_fault fault)
{
    size_t fault_at;

    heap_release(walk);
    fault = msgpack_explain(walk->in, walk->in_size, fault, (size_t)walk->at,
                            &fault_at);
    if (walk->error != NULL)
        *walk->error = (struct msgpack_error){.fault = fault,
                                              .max_depth = walk->max_depth,
                                              .fault_at = fault_at};
    return fault;
}

/*
 * A document that is known by now to be incomplete gets no memory, so that a
 * rejection costs some only where more than eight levels were open.
 */
enum msgpack_fault msgpack_open_outside(struct msgpack_walk *walk)
{
    bool is_own = walk->now.base != walk->heap;
    size_t used = (size_t)(walk->top - walk->now.base);

    if (used + (is_own ? 0 : MSGPACK_INLINE_LEVELS) == walk->max_depth)
        return msgpack_reject(walk, MSGPACK_TOO_DEEP);
    if (walk->child_count == 0) {
        walk->at += walk->head_size;
        walk->left--;
        return MSGPACK_OK;
    }
    if (is_own) {
        if (is_unbacked(walk))
            return msgpack_reject(walk, MSGPACK_ELEMENTS_OVERCLAIM);
        used = 0;
        walk->own_segment = walk->now;
    }
    if ((walk->heap == NULL || used == walk->heap_count) && !heap_grow(walk))
        return msgpack_reject(walk, MSGPACK_OUT_OF_MEMORY);
    walk->now.base = walk->heap;
    walk->now.limit = walk->heap + walk->heap_count;
    walk->top = walk->heap + used;
    *walk->top++ = walk->left;
    walk->left = walk->child_count;
    walk->at += walk->head_size;
    return MSGPACK_OK;
}

enum msgpack_fault msgpack_complete_outside(struct msgpack_walk *walk)
{
    if (walk->at > walk->in_size)
        return msgpack_reject(walk, MSGPACK_OK);
    heap_release(walk);
    if (walk->size != NULL)
        *walk->size = (size_t)walk->at;
    return MSGPACK_OK;
}
