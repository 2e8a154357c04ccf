/* SPDX-License-Identifier: MIT */
/* The allocator front: a caller's functions, or the C library's. */
#include "base/alloc.h"

#include <stdlib.h>

void *alloc_get(const struct alloc *a, size_t size)
{
    if (size == 0)
        return NULL;
    return a != NULL ? a->alloc(a->ctx, size) : malloc(size);
}

void *alloc_resize(const struct alloc *a, void *p, size_t old_size,
                   size_t new_size)
{
    if (a != NULL)
        return a->resize(a->ctx, p, old_size, new_size);
    return realloc(p, new_size);
}

void alloc_put(const struct alloc *a, void *p, size_t size)
{
    if (a != NULL)
        a->release(a->ctx, p, size);
    else
        free(p);
}
