/* SPDX-License-Identifier: MIT */
/* Packed payloads in bulk: check, count, and unpack many varints at once. */
#ifndef PROTOBUF_PROTOBUF_KERNELS_H
#define PROTOBUF_PROTOBUF_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "protobuf/protobuf_error.h"
#include "protobuf/protobuf_wire.h"

/**
 * Ways to do the same work.  BEST asks for the fastest that this processor
 * has; any other asks for that one or, where the processor lacks it, for the
 * next below.
 */
enum protobuf_path {
    PROTOBUF_PATH_BEST,
    PROTOBUF_PATH_PORTABLE,
    PROTOBUF_PATH_SSE41,
    PROTOBUF_PATH_AVX2,
};

/** The path that a wish comes to on this processor; never BEST. */
enum protobuf_path protobuf_path_resolve(enum protobuf_path wish);

/** Static name of a path, such as "sse41". */
const char *protobuf_path_name(enum protobuf_path path);

/** protobuf_packed_is_valid for payloads of 10 bytes and more. */
bool protobuf_packed_is_valid_long(const uint8_t *payload, size_t size);

/**
 * Is every varint of a packed payload whole, and none too long?
 *
 * Cost:   3 instructions below 10 bytes, then one for about 3 bytes.
 * Source: a payload is valid when the plain loop of protobuf_varint_fault
 *         accepts each element from its start.
 */
MUST_CHECK static inline bool protobuf_packed_is_valid(const uint8_t *payload,
                                                       size_t size)
{
    if (size == 0)
        return true;
    if (payload[size - 1] >= 0x80)
        return false; /* the last element is cut off, if none before it is
                         too long */
    return size < PROTOBUF_VARINT_SIZE_MAX ||
           protobuf_packed_is_valid_long(payload, size);
}

/** The fault that decoding a payload element by element meets first, and the
 * offset of that element; PROTOBUF_OK for a valid one.  The plain loop. */
enum protobuf_fault protobuf_packed_fault(const uint8_t *payload, size_t size,
                                          size_t *fault_at);

/** Elements of a valid payload: its bytes below 0x80.  Cost: about an
 * instruction for 3 bytes. */
MUST_CHECK size_t protobuf_packed_count(const uint8_t *payload, size_t size);

/** The byte behind the first n elements of a valid payload that has as many.
 * Cost: about an instruction for 2 bytes. */
const uint8_t *protobuf_packed_after(const uint8_t *payload, size_t n);

/** A read position in a valid packed payload. */
struct protobuf_unpacker {
    const uint8_t *at;       /* the next element */
    const uint8_t *end;      /* of the payload */
    const uint8_t *readable; /* end of the memory around it, >= end: fast
                                paths read, but do not use, what lies there */
};

/**
 * Decode elements to their low 32 bits.
 *
 *   u    moves behind the elements decoded
 *   out  room for max elements; those beyond the returned ones are garbage
 *
 * Returns their number: less than max - 7 only at the end of the payload, and
 * 0 only there or when max is 0.
 */
typedef size_t protobuf_unpack_u32_fn(struct protobuf_unpacker *u,
                                      uint32_t *out, size_t max);

/** The unpacker of a path, as protobuf_path_resolve finds it. */
protobuf_unpack_u32_fn *protobuf_unpack_u32(enum protobuf_path wish);

/** protobuf_element_u32 for elements of four bytes and more. */
const uint8_t *protobuf_element_u32_long(const uint8_t *p, uint32_t *out);

/** protobuf_element_u32 for elements of up to three bytes; NULL, with *out
 * garbage, for a longer one. */
static ALWAYS_INLINE const uint8_t *protobuf_element_u32_short(
    const uint8_t *p, uint32_t *out)
{
    uint32_t first = p[0], second, third;

    *out = first;
    if (first < 0x80)
        return p + 1;
    /* a byte takes away the continuation bit that the one before left */
    second = p[1];
    *out = first + (second << 7) - 0x80;
    if (second < 0x80)
        return p + 2;
    third = p[2];
    *out += (third << 14) - 0x4000;
    return LIKELY(third < 0x80) ? p + 3 : NULL;
}

/**
 * Read the element at p, low 32 bits, of a valid payload that does not end
 * before it.  Returns the byte after it.
 *
 * Cost: 4 instructions for a byte, 6 for each of the next two.
 */
static ALWAYS_INLINE const uint8_t *protobuf_element_u32(const uint8_t *p,
                                                         uint32_t *out)
{
    const uint8_t *next = protobuf_element_u32_short(p, out);

    if (UNLIKELY(next == NULL)) {
        uint32_t whole; /* so that *out may live in a register */
        next = protobuf_element_u32_long(p, &whole);
        *out = whole;
    }
    return next;
}

#endif
