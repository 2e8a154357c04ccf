/* SPDX-License-Identifier: MIT */
/* Growing bytes: the double, or what is needed. */
#include "mvt/mvt_bytes.h"

#define CAPACITY_MIN 64

bool mvt_bytes_grow(struct mvt_bytes *b, size_t more)
{
    size_t need, capacity;

    if (!size_add(b->size, more, &need))
        return false;
    if (!size_mul(b->capacity, 2, &capacity) || capacity < need)
        capacity = need;
    if (capacity < CAPACITY_MIN)
        capacity = CAPACITY_MIN;
    /* not resized: the unused half need not be copied, and the cost does not
     * depend on what lies behind the old block */
    uint8_t *data = alloc_get(b->alloc, capacity);
    if (data == NULL)
        return false;
    if (b->size != 0)
        memcpy(data, b->data, b->size);
    alloc_put(b->alloc, b->data, b->capacity);
    b->data = data;
    b->capacity = capacity;
    return true;
}

void mvt_bytes_free(struct mvt_bytes *b)
{
    alloc_put(b->alloc, b->data, b->capacity);
    *b = (struct mvt_bytes){.alloc = b->alloc};
}
