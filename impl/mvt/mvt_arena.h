/* SPDX-License-Identifier: MIT */
/* Memory for many small things that live and die together. */
#ifndef MVT_MVT_ARENA_H
#define MVT_MVT_ARENA_H

#include <stddef.h>

#include "base/alloc.h"
#include "base/macros.h"

/** Blocks from one allocator.  All zero but for alloc is an empty arena. */
struct mvt_arena {
    const struct alloc *alloc; /* outlives the arena; NULL: C library */
    struct mvt_arena_block *last;
    size_t left; /* bytes at the end of the last block */
};

/** size bytes, aligned for any type, until mvt_arena_free; NULL when there is
 * no memory.  Nothing that was given before moves.  size 0 gives a pointer
 * that must not be followed. */
MUST_CHECK void *mvt_arena_get(struct mvt_arena *arena, size_t size);

/** Like mvt_arena_get, for count things of a size each. */
MUST_CHECK void *mvt_arena_array(struct mvt_arena *arena, size_t count,
                                 size_t size);

/** Forget everything, but keep one block for what comes next. */
void mvt_arena_reset(struct mvt_arena *arena);

/** Give everything back; the arena is empty afterwards. */
void mvt_arena_free(struct mvt_arena *arena);

#endif
