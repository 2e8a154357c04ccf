/* SPDX-License-Identifier: MIT */
/* An arena: a chain of blocks, the newest of which is filled, and a chain of
 * those that wait to be. */
#include "mvt/mvt_arena.h"

#include <stdint.h>

#define BLOCK_SIZE_MIN 16384

struct mvt_arena_block {
    struct mvt_arena_block *before;   /* in its chain */
    size_t size;                      /* of data */
    alignas(max_align_t) char data[]; /* filled from its start */
};

static void begin_block(struct mvt_arena *arena, struct mvt_arena_block *block)
{
    block->before = arena->last;
    arena->last = block;
    arena->at = block->data;
    arena->left = block->size;
}

static bool add_block(struct mvt_arena *arena, size_t need)
{
    size_t size = need > BLOCK_SIZE_MIN ? need : BLOCK_SIZE_MIN;
    size_t whole;
    struct mvt_arena_block *block;

    if (!size_add(size, sizeof(*block), &whole))
        return false;
    block = alloc_get(arena->alloc, whole);
    if (block == NULL)
        return false;
    block->size = size;
    begin_block(arena, block);
    return true;
}

/* The first spare block that is large enough; most are alike. */
static bool reuse_block(struct mvt_arena *arena, size_t need)
{
    struct mvt_arena_block **at = &arena->spare;

    while (*at != NULL && (*at)->size < need)
        at = &(*at)->before;
    struct mvt_arena_block *block = *at;
    if (block == NULL)
        return false;
    *at = block->before;
    begin_block(arena, block);
    return true;
}

COLD static bool next_block(struct mvt_arena *arena, size_t need)
{
    return reuse_block(arena, need) || add_block(arena, need);
}

bool mvt_arena_reserve(struct mvt_arena *arena, size_t size)
{
    return size <= arena->left || next_block(arena, size);
}

void *mvt_arena_get(struct mvt_arena *arena, size_t size)
{
    static const max_align_t nothing;

    if (size == 0)
        return (void *)(uintptr_t)&nothing;
    if (size > PTRDIFF_MAX)
        return NULL;
    size = mvt_arena_room(size);
    if (size > arena->left && !next_block(arena, size))
        return NULL;
    char *p = arena->at;
    arena->at += size;
    arena->left -= size;
    return p;
}

void *mvt_arena_array(struct mvt_arena *arena, size_t count, size_t size)
{
    size_t whole;
    return size_mul(count, size, &whole) ? mvt_arena_get(arena, whole) : NULL;
}

/* The spare blocks are in the order in which they were filled. */
void mvt_arena_reset(struct mvt_arena *arena)
{
    while (arena->last != NULL) {
        struct mvt_arena_block *block = arena->last;
        arena->last = block->before;
        block->before = arena->spare;
        arena->spare = block;
    }
    arena->left = 0;
}

void mvt_arena_free(struct mvt_arena *arena)
{
    mvt_arena_reset(arena);
    while (arena->spare != NULL) {
        struct mvt_arena_block *block = arena->spare;
        arena->spare = block->before;
        alloc_put(arena->alloc, block, sizeof(*block) + block->size);
    }
}
