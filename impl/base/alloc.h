/* SPDX-License-Identifier: MIT */
/* Memory from a caller's allocator, and size arithmetic that cannot wrap. */
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"

/**
 * Where a module gets its memory.  A NULL pointer to this struct means the
 * C library.  Rules of the three functions:
 *
 *   alloc    size > 0; NULL when there is none
 *   resize   old block of old_size bytes to new_size > 0; NULL leaves the
 *            old block as it was
 *   release  p may be NULL; size is the size asked for
 */
struct alloc {
    void *(*alloc)(void *ctx, size_t size);
    void *(*resize)(void *ctx, void *p, size_t old_size, size_t new_size);
    void (*release)(void *ctx, void *p, size_t size);
    void *ctx;
};

/** Uninitialised memory, or NULL.  size 0 gives NULL. */
MUST_CHECK void *alloc_get(const struct alloc *a, size_t size);

/** Like realloc, but told both sizes; NULL leaves p as it was. */
MUST_CHECK void *alloc_resize(const struct alloc *a, void *p, size_t old_size,
                              size_t new_size);

/** Give memory back; p may be NULL. */
void alloc_put(const struct alloc *a, void *p, size_t size);

/** *out = a * b; false, with *out untouched, when that does not fit. */
MUST_CHECK static inline bool size_mul(size_t a, size_t b, size_t *out)
{
    size_t product;
    if (__builtin_mul_overflow(a, b, &product))
        return false;
    *out = product;
    return true;
}

/** *out = a + b; false, with *out untouched, when that does not fit. */
MUST_CHECK static inline bool size_add(size_t a, size_t b, size_t *out)
{
    size_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return false;
    *out = sum;
    return true;
}

#endif
