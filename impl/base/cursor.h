/* SPDX-License-Identifier: MIT */
/* A read position in borrowed bytes, with bounds that cannot wrap. */
#ifndef BASE_CURSOR_H
#define BASE_CURSOR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/macros.h"
#include "base/status.h"

/** Read position in borrowed bytes.  Invariants: at <= size; data may be
 * NULL only when size is 0. */
struct cursor {
    const uint8_t *data;
    size_t size;
    size_t at; /* offset of the next unread byte */
};

/** A cursor at the start of size borrowed bytes. */
static inline struct cursor cursor_init(const uint8_t *data, size_t size)
{
    return (struct cursor){.data = data, .size = size, .at = 0};
}

/** Bytes not yet read. */
static inline size_t cursor_left(const struct cursor *c)
{
    return c->size - c->at;
}

/** Borrow the next n bytes.  On failure neither c nor *out changes. */
MUST_CHECK static inline enum status cursor_take(struct cursor *c, size_t n,
                                                 const uint8_t **out)
{
    if (n > c->size - c->at)
        return ST_TRUNCATED;
    *out = c->data + c->at;
    c->at += n;
    return ST_OK;
}

/** Step over n bytes.  On failure c does not change. */
MUST_CHECK static inline enum status cursor_skip(struct cursor *c, size_t n)
{
    if (n > c->size - c->at)
        return ST_TRUNCATED;
    c->at += n;
    return ST_OK;
}

/** Look at the next byte without stepping over it. */
MUST_CHECK static inline enum status cursor_peek_u8(const struct cursor *c,
                                                    uint8_t *out)
{
    if (c->at == c->size)
        return ST_TRUNCATED;
    *out = c->data[c->at];
    return ST_OK;
}

/** Read one byte. */
MUST_CHECK static inline enum status cursor_take_u8(struct cursor *c,
                                                    uint8_t *out)
{
    TRY(cursor_peek_u8(c, out));
    c->at++;
    return ST_OK;
}

/* Integers at an address the caller has bounds-checked. */

static inline uint16_t load_be16(const uint8_t *p)
{
    return (uint16_t)((uint16_t)p[0] << 8 | p[1]);
}

static inline uint32_t load_be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 |
           p[3];
}

static inline uint64_t load_be64(const uint8_t *p)
{
    return (uint64_t)load_be32(p) << 32 | load_be32(p + 4);
}

static inline uint32_t load_le32(const uint8_t *p)
{
    return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 |
           p[0];
}

static inline uint64_t load_le64(const uint8_t *p)
{
    return (uint64_t)load_le32(p + 4) << 32 | load_le32(p);
}

#endif
