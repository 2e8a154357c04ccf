/* SPDX-License-Identifier: MIT */
/* A write position in a caller's buffer that never runs past its end. */
#ifndef BASE_SINK_H
#define BASE_SINK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/macros.h"
#include "base/status.h"

/** Write position in a caller's buffer.  Invariant: at <= size. */
struct sink {
    uint8_t *data;
    size_t size; /* capacity in bytes */
    size_t at;   /* bytes written */
};

/** A sink over size bytes that the caller keeps. */
static inline struct sink sink_init(uint8_t *data, size_t size)
{
    return (struct sink){.data = data, .size = size, .at = 0};
}

/** Append n bytes; n may be 0 with src NULL.  On failure s is unchanged. */
MUST_CHECK static inline enum status sink_put(struct sink *s, const void *src,
                                              size_t n)
{
    if (n > s->size - s->at)
        return ST_NO_SPACE;
    if (n != 0)
        memcpy(s->data + s->at, src, n);
    s->at += n;
    return ST_OK;
}

/** Append one byte. */
MUST_CHECK static inline enum status sink_put_u8(struct sink *s, uint8_t byte)
{
    if (s->at == s->size)
        return ST_NO_SPACE;
    s->data[s->at++] = byte;
    return ST_OK;
}

/* Big-endian integers, most significant byte first. */

MUST_CHECK static inline enum status sink_put_be16(struct sink *s, uint16_t v)
{
    const uint8_t bytes[2] = {(uint8_t)(v >> 8), (uint8_t)v};
    return sink_put(s, bytes, sizeof(bytes));
}

MUST_CHECK static inline enum status sink_put_be32(struct sink *s, uint32_t v)
{
    const uint8_t bytes[4] = {(uint8_t)(v >> 24), (uint8_t)(v >> 16),
                              (uint8_t)(v >> 8), (uint8_t)v};
    return sink_put(s, bytes, sizeof(bytes));
}

MUST_CHECK static inline enum status sink_put_be64(struct sink *s, uint64_t v)
{
    const uint8_t bytes[8] = {(uint8_t)(v >> 56), (uint8_t)(v >> 48),
                              (uint8_t)(v >> 40), (uint8_t)(v >> 32),
                              (uint8_t)(v >> 24), (uint8_t)(v >> 16),
                              (uint8_t)(v >> 8),  (uint8_t)v};
    return sink_put(s, bytes, sizeof(bytes));
}

#endif
