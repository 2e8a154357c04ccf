/* SPDX-License-Identifier: MIT */
/* An arena: a chain of blocks, the newest of which is filled. */
#include "mvt/mvt_arena.h"

#include <stdalign.h>
#include <stdint.h>

#define BLOCK_SIZE_MIN 16384

struct mvt_arena_block {
    struct mvt_arena_block *before;
    size_t size;                      /* of data */
    alignas(max_align_t) char data[]; /* filled from its start */
};

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
    block->before = arena->last;
    block->size = size;
    arena->last = block;
    arena->left = size;
    return true;
}

void *mvt_arena_get(struct mvt_arena *arena, size_t size)
{
    static const max_align_t nothing;
    const size_t mask = alignof(max_align_t) - 1;

    if (size == 0)
        return (void *)(uintptr_t)&nothing;
    if (size > SIZE_MAX - mask)
        return NULL;
    size = (size + mask) & ~mask;
    if (size > arena->left && !add_block(arena, size))
        return NULL;
    char *p = arena->last->data + (arena->last->size - arena->left);
    arena->left -= size;
    return p;
}

void *mvt_arena_array(struct mvt_arena *arena, size_t count, size_t size)
{
    size_t whole;
    return size_mul(count, size, &whole) ? mvt_arena_get(arena, whole) : NULL;
}

static void put_block(struct mvt_arena *arena, struct mvt_arena_block *block)
{
    alloc_put(arena->alloc, block, sizeof(*block) + block->size);
}

void mvt_arena_reset(struct mvt_arena *arena)
{
    while (arena->last != NULL && arena->last->before != NULL) {
        struct mvt_arena_block *before = arena->last->before;
        put_block(arena, arena->last);
        arena->last = before;
    }
    arena->left = arena->last == NULL ? 0 : arena->last->size;
}

void mvt_arena_free(struct mvt_arena *arena)
{
    mvt_arena_reset(arena);
    if (arena->last != NULL)
        put_block(arena, arena->last);
    arena->last = NULL;
    arena->left = 0;
}
