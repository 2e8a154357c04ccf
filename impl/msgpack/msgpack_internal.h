/* SPDX-License-Identifier: MIT */
/* What the files of the walk share with each other, and with nobody else. */
#ifndef MSGPACK_MSGPACK_INTERNAL_H
#define MSGPACK_MSGPACK_INTERNAL_H

#include "msgpack/msgpack.h"

/** Open levels that need no memory. */
#define MSGPACK_INLINE_LEVELS 8

/** A piece of the stack of levels. */
struct msgpack_segment {
    uint64_t *base;  /* its first entry */
    uint64_t *limit; /* its end, or where the depth bound lies in it */
};

/**
 * What a walk keeps in memory.  The entry of an open level is what the level
 * around it owed when it opened, itself included; what the innermost level
 * owes is `left`.  Entries stand in two segments, `own` and then `heap`.
 */
struct msgpack_walk {
    struct msgpack_segment now;         /* the segment in use */
    struct msgpack_segment own_segment; /* while the heap is in use */
    uint64_t *heap;                     /* NULL until a ninth level opens */
    size_t heap_count;
    size_t max_depth;
    const struct alloc *alloc;
    size_t *size;
    struct msgpack_error *error;
    uint64_t own[MSGPACK_INLINE_LEVELS];
    /* Variables of the loop, which has them in registers, around a call.  The
     * loop keeps nothing else across one, so that it saves no registers. */
    const uint8_t *in;
    size_t in_size;
    uint64_t at;          /* of the next marker; no length can wrap it */
    uint64_t left;        /* items owed in the innermost level */
    uint64_t *top;        /* where the next level's entry goes */
    uint64_t child_count; /* of the collection about to open */
    uint64_t head_size;
};

/**
 * Open a collection for which there is no entry at top: in the other segment,
 * or in a larger one, if the depth bound allows it.  An empty one needs none,
 * only the bound's leave.  On a fault the walk is over, and told so.
 */
MUST_CHECK COLD enum msgpack_fault msgpack_open_outside(
    struct msgpack_walk *walk);

/** End a walk that used the heap and has no item left. */
MUST_CHECK COLD enum msgpack_fault msgpack_complete_outside(
    struct msgpack_walk *walk);

/**
 * End a walk that cannot go on at the marker at `at`.
 *
 *   fault  why, as far as only the walk can know: MSGPACK_TOO_DEEP,
 *          MSGPACK_ELEMENTS_OVERCLAIM or MSGPACK_OUT_OF_MEMORY when that
 *          marker is to blame, unless an earlier one was; MSGPACK_OK when the
 *          bytes say why
 */
MUST_CHECK COLD enum msgpack_fault msgpack_reject(struct msgpack_walk *walk,
                                                  enum msgpack_fault fault);

/**
 * Name the first rule that a rejected document breaks.
 *
 *   in, in_size  as given to the walk that rejected
 *   fault, stop_at  as for msgpack_reject: with a fault of its own, the
 *                rejection is due at the marker at stop_at at the latest
 *   fault_at     out: offset of the marker that breaks the rule
 *
 * Returns the fault, never MSGPACK_OK.
 *
 * Cost: one pass up to the fault, no levels, no allocation.
 */
MUST_CHECK COLD enum msgpack_fault msgpack_explain(const uint8_t *in,
                                                   size_t in_size,
                                                   enum msgpack_fault fault,
                                                   size_t stop_at,
                                                   size_t *fault_at);

#endif
