/* SPDX-License-Identifier: MIT */
/* What unpacking by byte shuffle shares, included by files that have begun a
 * target with SSE4.1.  A step looks at the continuation bits of eight bytes,
 * shuffles the bytes of up to four varints into a 32-bit lane each, and joins
 * their groups of 7 bits by two multiply-adds. */
#include <immintrin.h>

#include "protobuf/protobuf_internal.h"

/* Bytes that a step loads, and those whose continuation bits it looks at. */
#define SHUFFLE_LOAD   16
#define SHUFFLE_WINDOW 8

/* Bytes that two steps from one look may load: the second begins behind at
 * most a window. */
#define DOUBLE_LOAD (SHUFFLE_WINDOW + SHUFFLE_LOAD)

/* Elements that two steps store. */
#define DOUBLE_STORE 8

static ALWAYS_INLINE __m128i load16(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static ALWAYS_INLINE __m128i lanes_of(unsigned mask)
{
    const __m128i *lanes = (const __m128i *)(const void *)protobuf_lanes;
    return _mm_load_si128(lanes + mask);
}

/* The continuation bits of the 16 bytes at p.  What lies behind the end must
 * complete no varint, so it continues. */
static ALWAYS_INLINE unsigned bits_at(const uint8_t *p, const uint8_t *end)
{
    unsigned bits = (unsigned)_mm_movemask_epi8(load16(p));
    ptrdiff_t left = end - p;

    /* no branch: the end comes once a payload, and cannot be predicted */
    bits |= 0xffffu << (left < SHUFFLE_LOAD ? left : SHUFFLE_LOAD);
    return bits;
}

/* Two steps from one look at 16 bytes.  Returns the first; when it finds
 * nothing, a varint has five bytes or more, and nothing is stored. */
static ALWAYS_INLINE const struct protobuf_step *two_steps(
    const uint8_t *p, unsigned bits, uint32_t *out,
    const struct protobuf_step **second);

/*
 * Unpack as long as out has room for two steps and their loads lie inside
 * readable memory.  Returns the elements decoded.
 */
static ALWAYS_INLINE size_t unpack_steps(struct protobuf_unpacker *u,
                                         uint32_t *out, size_t max)
{
    const uint8_t *p = u->at, *end = u->end, *stop = end;
    uint32_t *at = out;

    if (u->readable - p < DOUBLE_LOAD || max < DOUBLE_STORE)
        return 0;
    if (stop > u->readable - DOUBLE_LOAD)
        stop = u->readable - DOUBLE_LOAD + 1;
    const uint32_t *last = out + max - DOUBLE_STORE;
    while (p < stop && at <= last) {
        const struct protobuf_step *first, *second;
        first = two_steps(p, bits_at(p, end), at, &second);
        if (UNLIKELY(first->count == 0))
            break;
        p += first->size;
        p += second->size;
        at += first->count;
        at += second->count;
    }
    u->at = p;
    return (size_t)(at - out);
}

/* What steps leave: long varints, those near the edge of memory, and a short
 * out.  n elements are decoded. */
static __attribute__((noinline)) size_t unpack_rest(
    struct protobuf_unpacker *u, uint32_t *out, size_t max, size_t n)
{
    while (u->at != u->end && n != max &&
           (n + DOUBLE_STORE <= max || n == 0)) {
        u->at = protobuf_element_u32(u->at, out + n);
        n++;
        n += unpack_steps(u, out + n, max - n);
    }
    return n;
}

static ALWAYS_INLINE size_t unpack(struct protobuf_unpacker *u, uint32_t *out,
                                   size_t max)
{
    size_t n = unpack_steps(u, out, max);

    return LIKELY(u->at == u->end) ? n : unpack_rest(u, out, max, n);
}
