/* SPDX-License-Identifier: MIT */
/* Wire primitives: varints, tags, lengths, strings, and skipping. */
#ifndef PROTOBUF_PROTOBUF_WIRE_H
#define PROTOBUF_PROTOBUF_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/cursor.h"
#include "base/macros.h"
#include "base/sink.h"
#include "base/utf8.h"
#include "protobuf/protobuf_error.h"

/** Most bytes of a varint. */
#define PROTOBUF_VARINT_SIZE_MAX ((size_t)10)

/** Levels of messages and groups that a whole message may nest. */
#define PROTOBUF_DEPTH_MAX 100

enum protobuf_wire_type {
    PROTOBUF_VARINT = 0,
    PROTOBUF_FIXED64 = 1,
    PROTOBUF_BYTES = 2,
    PROTOBUF_GROUP_START = 3,
    PROTOBUF_GROUP_END = 4,
    PROTOBUF_FIXED32 = 5,
};

/** A tag of a field number and a wire type, and its two parts. */
#define PROTOBUF_TAG(field, type) ((uint32_t)(field) << 3 | (uint32_t)(type))

static inline uint32_t protobuf_tag_field(uint32_t tag)
{
    return tag >> 3;
}

static inline uint8_t protobuf_tag_type(uint32_t tag)
{
    return tag & 7;
}

/* ---- reading ----------------------------------------------------------- */

/** protobuf_varint_at for varints of any size; not inlined. */
const uint8_t *protobuf_varint_long(const uint8_t *p, const uint8_t *end,
                                    uint64_t *out);

/** Like protobuf_varint_long, for callers that may read, but not use, what
 * lies between end and readable. */
MUST_CHECK const uint8_t *protobuf_varint_word(const uint8_t *p,
                                               const uint8_t *end,
                                               const uint8_t *readable,
                                               uint64_t *out);

/**
 * Read the varint at p, of which nothing at or after end may be touched.
 *
 * Returns the byte after it; NULL, with *out untouched, when it is cut off or
 * too long: protobuf_varint_fault tells which.
 *
 * Cost:   3 instructions for a varint of one byte.
 * Source: Protocol Buffers, "Encoding", section "Base 128 Varints".
 */
MUST_CHECK static ALWAYS_INLINE const uint8_t *protobuf_varint_at(
    const uint8_t *p, const uint8_t *end, uint64_t *out)
{
    if (LIKELY(p != end && *p < 0x80)) {
        *out = *p;
        return p + 1;
    }
    return protobuf_varint_long(p, end, out);
}

/** Why protobuf_varint_at refused p: TRUNCATED or VARINT_TOO_LONG, whichever
 * comes first byte by byte.  PROTOBUF_OK when it does not. */
enum protobuf_fault protobuf_varint_fault(const uint8_t *p,
                                          const uint8_t *end);

/** Read a varint.  On failure neither c nor *out changes. */
MUST_CHECK static inline enum protobuf_fault protobuf_take_varint(
    struct cursor *c, uint64_t *out)
{
    const uint8_t *p = c->data + c->at;
    const uint8_t *next = protobuf_varint_at(p, c->data + c->size, out);

    if (UNLIKELY(next == NULL)) {
        enum protobuf_fault fault =
            protobuf_varint_fault(p, c->data + c->size);
        if (fault == PROTOBUF_OK)
            __builtin_unreachable(); /* or next would not be NULL */
        return fault;
    }
    c->at = (size_t)(next - c->data);
    return PROTOBUF_OK;
}

/**
 * Is this raw varint a tag?  Fills *error (all but its offset) and returns
 * its fault otherwise.
 *
 * PROTOBUF_FIELD_NUMBER  above 32 bits, or number 0
 * PROTOBUF_WIRE_TYPE     type 6 or 7, which is tested between those two
 */
enum protobuf_fault protobuf_check_tag(uint64_t raw,
                                       struct protobuf_error *error);

/** Read a tag.  Fails like protobuf_take_varint and protobuf_check_tag, and
 * then fills *error; c is unchanged. */
MUST_CHECK enum protobuf_fault protobuf_take_tag(struct cursor *c,
                                                 uint32_t *tag,
                                                 struct protobuf_error *error);

/** Borrow a length and that many bytes.  A length beyond what is left is
 * TRUNCATED, however large. */
MUST_CHECK enum protobuf_fault protobuf_take_bytes(struct cursor *c,
                                                   const uint8_t **bytes,
                                                   size_t *size);

/** Read 4 or 8 little-endian bytes. */
MUST_CHECK enum protobuf_fault protobuf_take_fixed32(struct cursor *c,
                                                     uint32_t *out);
MUST_CHECK enum protobuf_fault protobuf_take_fixed64(struct cursor *c,
                                                     uint64_t *out);

/**
 * Step over the value of a field whose tag has been read.
 *
 *   c      its bounds are those of the message; unchanged on failure
 *   tag    has passed protobuf_check_tag
 *   depth  levels that may still open, at most PROTOBUF_DEPTH_MAX
 *   error  out: filled on failure; at is an offset in c
 *
 * PROTOBUF_TRUNCATED, PROTOBUF_VARINT_TOO_LONG, and of a nested tag
 * PROTOBUF_FIELD_NUMBER and PROTOBUF_WIRE_TYPE, as everywhere
 * PROTOBUF_WIRE_TYPE  tag ends a group, and none is open
 * PROTOBUF_END_GROUP  a group ends with another number than it began with
 * PROTOBUF_DEPTH      a group opens below depth
 *
 * Cost: one pass, no recursion, no allocation.
 */
MUST_CHECK enum protobuf_fault protobuf_skip(struct cursor *c, uint32_t tag,
                                             uint32_t depth,
                                             struct protobuf_error *error);

/** Fill *error for a known field with an unexpected wire type. */
enum protobuf_fault protobuf_mismatch(uint32_t tag, uint8_t expected,
                                      size_t at, struct protobuf_error *error);

/** Do these size bytes hold ASCII alone?  Reads them in words that overlap.
 * Cost: about 10 instructions up to 16 bytes. */
static inline bool protobuf_is_ascii(const uint8_t *text, size_t size)
{
    uint64_t head, tail, bits = 0;
    uint32_t first, last;

    if (size >= sizeof(head)) {
        for (size_t at = sizeof(head); UNLIKELY(at + sizeof(head) < size);
             at += sizeof(head)) {
            memcpy(&head, text + at, sizeof(head));
            bits |= head;
        }
        memcpy(&head, text, sizeof(head));
        memcpy(&tail, text + size - sizeof(tail), sizeof(tail));
        bits |= head | tail;
    } else if (size >= sizeof(first)) {
        memcpy(&first, text, sizeof(first));
        memcpy(&last, text + size - sizeof(last), sizeof(last));
        bits = first | last;
    } else if (size != 0) {
        bits = text[0] | text[size / 2] | text[size - 1];
    }
    return (bits & UINT64_C(0x8080808080808080)) == 0;
}

/** Is a string field's content well-formed UTF-8? */
static inline bool protobuf_is_utf8(const uint8_t *text, size_t size)
{
    return LIKELY(protobuf_is_ascii(text, size)) || utf8_valid(text, size);
}

/* ---- numbers ------------------------------------------------------------ */

static inline int32_t protobuf_unzigzag32(uint32_t v)
{
    return (int32_t)(v >> 1 ^ (0 - (v & 1)));
}

static inline int64_t protobuf_unzigzag64(uint64_t v)
{
    return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

static inline uint32_t protobuf_zigzag32(int32_t v)
{
    return (uint32_t)v << 1 ^ (v < 0 ? UINT32_MAX : 0);
}

static inline uint64_t protobuf_zigzag64(int64_t v)
{
    return (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0);
}

/* ---- writing ------------------------------------------------------------ */

/** Bytes of the shortest varint of v, 1 to 10. */
static inline size_t protobuf_varint_size(uint64_t v)
{
    size_t bits = 64 - (size_t)__builtin_clzll(v | 1);
    return (bits * 9 + 64) / 64; /* bits / 7, rounded up, for 1 to 64 */
}

/** Write the shortest varint of v at p, which has room for it; returns the
 * byte after it. */
static inline uint8_t *protobuf_put_varint_at(uint8_t *p, uint64_t v)
{
    while (v >= 0x80) {
        *p++ = (uint8_t)(v | 0x80);
        v >>= 7;
    }
    *p++ = (uint8_t)v;
    return p;
}

/** Append the shortest varint of v.  ST_NO_SPACE leaves s unchanged. */
MUST_CHECK enum status protobuf_put_varint(struct sink *s, uint64_t v);

#endif
