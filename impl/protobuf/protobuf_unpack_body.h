/* SPDX-License-Identifier: MIT */
/* Unpacking by byte shuffle, included once for each instruction set by a file
 * that defines UNPACK_NAME and has begun a target with SSE4.1.
 *
 * One step looks at the continuation bits of eight bytes, shuffles the bytes
 * of up to four varints into a 32-bit lane each, and joins their groups of 7
 * bits by two multiply-adds. */
#include <immintrin.h>

#include "protobuf/protobuf_internal.h"

/* Bytes that a step loads, and those whose continuation bits it looks at. */
#define STEP_LOAD   16
#define STEP_WINDOW 8

static inline __attribute__((always_inline)) __m128i join_groups(__m128i bytes,
                                                                 unsigned mask)
{
    const __m128i low7 = _mm_set1_epi8(0x7f);
    const __m128i weights8 = _mm_set1_epi16(1 | 128 << 8);
    const __m128i weights16 = _mm_set1_epi32(1 | 16384 << 16);
    const __m128i *lanes = (const __m128i *)(const void *)protobuf_lanes;

    __m128i v = _mm_and_si128(bytes, low7);
    v = _mm_shuffle_epi8(v, _mm_load_si128(lanes + mask));
    /* the weights are the unsigned operand: 128 has no signed byte */
    v = _mm_maddubs_epi16(weights8, v);
    return _mm_madd_epi16(v, weights16);
}

/* One step at p: store four lanes, of which the returned step fills some. */
static inline __attribute__((always_inline)) const struct protobuf_step *
unpack_step(const uint8_t *p, unsigned beyond, uint32_t *out)
{
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
    unsigned mask = ((unsigned)_mm_movemask_epi8(bytes) & 0xff) | beyond;

    _mm_storeu_si128((__m128i *)(void *)out, join_groups(bytes, mask));
    return &protobuf_steps[mask];
}

/* Steps until a varint has five bytes or more, fewer than four elements are
 * asked for, or the payload or readable memory ends.  Returns the elements
 * decoded. */
static inline __attribute__((always_inline)) size_t unpack_steps(
    struct protobuf_unpacker *u, uint32_t *out, size_t max)
{
    const uint8_t *p = u->at;
    const uint8_t *end = u->end;
    size_t n = 0;

    if (u->readable - p < STEP_LOAD)
        return 0;
    const uint8_t *last = u->readable - STEP_LOAD;
    if (end - p >= STEP_WINDOW) {
        const uint8_t *inner =
            end - STEP_WINDOW < last ? end - STEP_WINDOW : last;
        while (p <= inner && n + 4 <= max) {
            const struct protobuf_step *step = unpack_step(p, 0, out + n);
            p += step->size;
            n += step->count;
            if (UNLIKELY(step->count == 0))
                break;
        }
    }
    while (p < end && end - p < STEP_WINDOW && p <= last && n + 4 <= max) {
        /* what lies behind the end must complete no varint */
        unsigned beyond = 0xffu << (end - p) & 0xff;
        const struct protobuf_step *step = unpack_step(p, beyond, out + n);
        p += step->size;
        n += step->count;
        if (UNLIKELY(step->count == 0))
            break;
    }
    u->at = p;
    return n;
}

size_t UNPACK_NAME(struct protobuf_unpacker *u, uint32_t *out, size_t max)
{
    size_t n = 0;

    for (;;) {
        n += unpack_steps(u, out + n, max - n);
        if (n == max || u->at == u->end)
            return n;
        u->at = protobuf_element_u32(u->at, out + n);
        n++;
    }
}
