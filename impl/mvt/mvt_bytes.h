/* SPDX-License-Identifier: MIT */
/* Bytes that grow at their end. */
#ifndef MVT_MVT_BYTES_H
#define MVT_MVT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/macros.h"
#include "protobuf/protobuf_wire.h"

/** A block and how much of it is used.  All zero but for alloc is empty. */
struct mvt_bytes {
    uint8_t *data;
    size_t size;
    size_t capacity;
    const struct alloc *alloc; /* outlives it; NULL is the C library */
};

/** Make room for `more` bytes beyond the capacity. */
COLD bool mvt_bytes_grow(struct mvt_bytes *b, size_t more);

/** Give the block back; the bytes are empty afterwards. */
void mvt_bytes_free(struct mvt_bytes *b);

/** Room for `more` bytes at the end; false when there is no memory. */
MUST_CHECK static inline bool mvt_bytes_reserve(struct mvt_bytes *b,
                                                size_t more)
{
    return LIKELY(more <= b->capacity - b->size) || mvt_bytes_grow(b, more);
}

/* These append what mvt_bytes_reserve has made room for. */

static inline void mvt_bytes_put(struct mvt_bytes *b, const void *from,
                                 size_t size)
{
    if (size != 0)
        memcpy(b->data + b->size, from, size);
    b->size += size;
}

static inline void mvt_bytes_put_varint(struct mvt_bytes *b, uint64_t v)
{
    uint8_t *end = protobuf_put_varint_at(b->data + b->size, v);
    b->size = (size_t)(end - b->data);
}

/** A tag, a length, and that many bytes. */
static inline void mvt_bytes_put_field(struct mvt_bytes *b, uint32_t tag,
                                       const void *from, size_t size)
{
    mvt_bytes_put_varint(b, tag);
    mvt_bytes_put_varint(b, size);
    mvt_bytes_put(b, from, size);
}

/** Most bytes of such a field. */
static inline size_t mvt_field_bound(size_t size)
{
    return 2 * PROTOBUF_VARINT_SIZE_MAX + size;
}

#endif
