/* SPDX-License-Identifier: MIT */
/* Packed views: a packed field as its bytes, decoded when it is read. */
#ifndef PROTOBUF_PROTOBUF_PACKED_H
#define PROTOBUF_PROTOBUF_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/macros.h"
#include "base/sink.h"
#include "protobuf/protobuf_kernels.h"
#include "protobuf/protobuf_wire.h"

/**
 * Read the element at p, all 64 bits, of a valid payload that does not end
 * before it.  Returns the byte after it.
 */
static ALWAYS_INLINE const uint8_t *protobuf_element_u64(const uint8_t *p,
                                                         uint64_t *out)
{
    uint64_t value = *p++;

    /* Each byte takes away the continuation bit that the one before left. */
    for (unsigned shift = 7; UNLIKELY(p[-1] >= 0x80); shift += 7)
        value += ((uint64_t)*p++ - 1) << shift;
    *out = value;
    return p;
}

/**
 * For each CODEC of int32, int64, uint32, uint64, sint32, sint64 and bool,
 * with its element type T:
 *
 * struct protobuf_packed_CODEC      a view in one of three states: empty (all
 *     zero, but for alloc), borrowed (payload) or decoded (elements).  The
 *     fields are open to reading only.  It is the caller's struct; only its
 *     elements are on the heap.
 * struct protobuf_packed_CODEC_iter a position in a view; copies are
 *     independent.  The view must not change meanwhile.
 *
 * void init(view, alloc)
 *     An empty view; alloc outlives it, NULL is the C library.
 *
 * fault from(view, payload, size, alloc)
 *     A view of one packed record.  payload is borrowed as long as the view
 *     is.  TRUNCATED or VARINT_TOO_LONG is what decoding element by element
 *     meets first; the view is then untouched.  No allocation; one check of
 *     the payload and one count.
 *
 * fault from_array(view, elements, count, alloc)
 *     A decoded view with a copy of these.  NO_MEMORY.
 *
 * fault extend(view, payload, size)
 *     Add one more packed record.  Fails like from, and with NO_MEMORY; the
 *     view is then as before.  An empty view borrows the payload, any other
 *     becomes decoded; nothing happens when size is 0.
 *
 * fault push(view, element)
 *     Add one element; the view becomes decoded.  NO_MEMORY: as before.
 *
 * void free(view)
 *     Give the elements back; the view is empty afterwards.
 *
 * bool next(iter, out)     the next element, or false at the end
 * size_t skip(iter, n)     step over n elements, or the rest; how many it was
 *     iter.left counts what is to come.  Neither can fail: all was checked.
 *
 * fault to_array(view, alloc, out)
 *     All elements in one block of count * sizeof(T) bytes for the caller to
 *     alloc_put; NULL when there are none.  NO_MEMORY.
 *
 * bool equal(a, b)         the same elements, whatever the states
 * size_t size(view)        bytes that write will write; one pass
 * status write(view, sink) canonical varints, without tag and length;
 *     ST_NO_SPACE leaves the sink as it was
 * size_t text(view, out, out_size)
 *     Elements as a list such as "[9, 2, 4]", snprintf style.
 *
 * Source: Protocol Buffers, "Encoding", sections "Packed Repeated Fields" and
 * "Signed Integers".
 */
#define PROTOBUF_PACKED_DECLARE(codec, T)                                     \
    struct protobuf_packed_##codec {                                          \
        const uint8_t *payload; /* borrowed state */                          \
        size_t payload_size;                                                  \
        T *elements; /* decoded state */                                      \
        size_t capacity;                                                      \
        size_t count; /* elements, in every state */                          \
        const struct alloc *alloc;                                            \
    };                                                                        \
    struct protobuf_packed_##codec##_iter {                                   \
        const uint8_t *at; /* NULL when the view is decoded */                \
        const T *element;                                                     \
        size_t left; /* elements to come */                                   \
    };                                                                        \
    void protobuf_packed_##codec##_init(struct protobuf_packed_##codec *view, \
                                        const struct alloc *alloc);           \
    MUST_CHECK enum protobuf_fault protobuf_packed_##codec##_from(            \
        struct protobuf_packed_##codec *view, const uint8_t *payload,         \
        size_t size, const struct alloc *alloc);                              \
    MUST_CHECK enum protobuf_fault protobuf_packed_##codec##_from_array(      \
        struct protobuf_packed_##codec *view, const T *elements,              \
        size_t count, const struct alloc *alloc);                             \
    MUST_CHECK enum protobuf_fault protobuf_packed_##codec##_extend(          \
        struct protobuf_packed_##codec *view, const uint8_t *payload,         \
        size_t size);                                                         \
    MUST_CHECK enum protobuf_fault protobuf_packed_##codec##_push(            \
        struct protobuf_packed_##codec *view, T element);                     \
    void protobuf_packed_##codec##_free(                                      \
        struct protobuf_packed_##codec *view);                                \
    size_t protobuf_packed_##codec##_skip(                                    \
        struct protobuf_packed_##codec##_iter *iter, size_t n);               \
    MUST_CHECK enum protobuf_fault protobuf_packed_##codec##_to_array(        \
        const struct protobuf_packed_##codec *view,                           \
        const struct alloc *alloc, T **out);                                  \
    bool protobuf_packed_##codec##_equal(                                     \
        const struct protobuf_packed_##codec *a,                              \
        const struct protobuf_packed_##codec *b);                             \
    size_t protobuf_packed_##codec##_size(                                    \
        const struct protobuf_packed_##codec *view);                          \
    MUST_CHECK enum status protobuf_packed_##codec##_write(                   \
        const struct protobuf_packed_##codec *view, struct sink *s);          \
    size_t protobuf_packed_##codec##_text(                                    \
        const struct protobuf_packed_##codec *view, char *out,                \
        size_t out_size);                                                     \
    static inline struct protobuf_packed_##codec##_iter                       \
        protobuf_packed_##codec##_iter(                                       \
            const struct protobuf_packed_##codec *view)                       \
    {                                                                         \
        return (struct protobuf_packed_##codec##_iter){                       \
            view->payload, view->elements, view->count};                      \
    }                                                                         \
    static inline bool protobuf_packed_##codec##_next(                        \
        struct protobuf_packed_##codec##_iter *iter, T *out)                  \
    {                                                                         \
        if (iter->left == 0)                                                  \
            return false;                                                     \
        iter->left--;                                                         \
        if (iter->at != NULL)                                                 \
            iter->at = protobuf_element_##codec(iter->at, out);               \
        else                                                                  \
            *out = *iter->element++;                                          \
        return true;                                                          \
    }

/* Each codec reads the element at p of a valid payload; see above. */
#define PROTOBUF_ELEMENT_DEFINE(codec, T, width, from_raw)                    \
    static ALWAYS_INLINE const uint8_t *protobuf_element_##codec(             \
        const uint8_t *p, T *out)                                             \
    {                                                                         \
        uint##width##_t raw;                                                  \
        p = protobuf_element_u##width(p, &raw);                               \
        *out = from_raw;                                                      \
        return p;                                                             \
    }

PROTOBUF_ELEMENT_DEFINE(int32, int32_t, 32, (int32_t)raw)
PROTOBUF_ELEMENT_DEFINE(int64, int64_t, 64, (int64_t)raw)
PROTOBUF_ELEMENT_DEFINE(uint32, uint32_t, 32, raw)
PROTOBUF_ELEMENT_DEFINE(uint64, uint64_t, 64, raw)
PROTOBUF_ELEMENT_DEFINE(sint32, int32_t, 32, protobuf_unzigzag32(raw))
PROTOBUF_ELEMENT_DEFINE(sint64, int64_t, 64, protobuf_unzigzag64(raw))
PROTOBUF_ELEMENT_DEFINE(bool, bool, 64, raw != 0)

PROTOBUF_PACKED_DECLARE(int32, int32_t)
PROTOBUF_PACKED_DECLARE(int64, int64_t)
PROTOBUF_PACKED_DECLARE(uint32, uint32_t)
PROTOBUF_PACKED_DECLARE(uint64, uint64_t)
PROTOBUF_PACKED_DECLARE(sint32, int32_t)
PROTOBUF_PACKED_DECLARE(sint64, int64_t)
PROTOBUF_PACKED_DECLARE(bool, bool)

#endif
