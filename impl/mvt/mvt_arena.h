/* SPDX-License-Identifier: MIT */
/* Memory for many small things that live and die together. */
#ifndef MVT_MVT_ARENA_H
#define MVT_MVT_ARENA_H

#include <stdalign.h>
#include <stddef.h>

#include "base/alloc.h"
#include "base/macros.h"

/** Blocks from one allocator.  All zero but for alloc is an empty arena. */
struct mvt_arena {
    const struct alloc *alloc; /* outlives the arena; NULL: C library */
    struct mvt_arena_block *last;
    char *at;                      /* the next thing's place in it */
    size_t left;                   /* bytes from there to its end */
    struct mvt_arena_block *spare; /* to be filled before others are made */
};

/** size bytes, aligned for any type, until the arena is reset or freed; NULL
 * when there is no memory.  Nothing that was given before moves.  size 0 gives
 * a pointer that must not be followed. */
MUST_CHECK void *mvt_arena_get(struct mvt_arena *arena, size_t size);

/** Like mvt_arena_get, for count things of a size each. */
MUST_CHECK void *mvt_arena_array(struct mvt_arena *arena, size_t count,
                                 size_t size);

/** What a thing of this size takes from an arena. */
static inline size_t mvt_arena_room(size_t size)
{
    const size_t mask = alignof(max_align_t) - 1;
    return (size + mask) & ~mask;
}

/** Have one block for things that take size bytes in all. */
MUST_CHECK bool mvt_arena_reserve(struct mvt_arena *arena, size_t size);

/** Forget everything, but keep the memory.  The same calls in the same order
 * are then given the same places, and allocate nothing. */
void mvt_arena_reset(struct mvt_arena *arena);

/** Give everything back; the arena is empty afterwards. */
void mvt_arena_free(struct mvt_arena *arena);

#endif
