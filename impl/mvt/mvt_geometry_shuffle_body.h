/* SPDX-License-Identifier: MIT */
/* A pen that draws two vertices at once, included once for each instruction
 * set by a file that has begun a target with SSE4.1.
 *
 * Sums wrap here.  As long as every vertex lies within 2^30 of the origin none
 * has: from within that range, a delta of 32 bits that wraps ends outside of
 * it.  So the pen keeps the extremes that it saw, and if they are too wide
 * all is decoded again by the portable pen, which saturates. */
#include <immintrin.h>

#include "mvt/mvt_geometry_internal.h"

#define PEN_RANGE (INT32_C(1) << 30)

struct pen {
    const uint32_t *raw; /* unpacked elements */
    const uint32_t *end;
    __m128i at; /* x, y, x, y */
    __m128i low;
    __m128i high;
};

static ALWAYS_INLINE void pen_init(struct pen *pen,
                                   struct mvt_geometry_decoder *d)
{
    uint32_t *raw = (uint32_t *)d->points + MVT_RAW_OFFSET;
    size_t size = (size_t)(d->payload.end - d->payload.at);
    size_t count = UNPACK(&d->payload, raw, size + 8);

    /* what is read behind the last element must be the same each time */
    _mm_storeu_si128((__m128i *)(void *)(raw + count), _mm_setzero_si128());
    *pen = (struct pen){.raw = raw, .end = raw + count};
    pen->at = pen->low = pen->high = _mm_setzero_si128();
}

static ALWAYS_INLINE bool pen_more(const struct pen *pen)
{
    return pen->raw != pen->end;
}

static ALWAYS_INLINE uint32_t pen_peek(const struct pen *pen)
{
    return *pen->raw;
}

static ALWAYS_INLINE uint32_t pen_word(struct pen *pen)
{
    return *pen->raw++;
}

static ALWAYS_INLINE __m128i unzigzag(__m128i v)
{
    const __m128i one = _mm_set1_epi32(1), zero = _mm_setzero_si128();
    __m128i sign = _mm_sub_epi32(zero, _mm_and_si128(v, one));

    return _mm_xor_si128(_mm_srli_epi32(v, 1), sign);
}

static ALWAYS_INLINE void widen(struct pen *pen, __m128i v)
{
    pen->low = _mm_min_epi32(pen->low, v);
    pen->high = _mm_max_epi32(pen->high, v);
}

static ALWAYS_INLINE bool pen_dot(struct pen *pen, struct mvt_point *out)
{
    __m128i v = _mm_loadl_epi64((const __m128i *)(const void *)pen->raw);

    if (UNLIKELY(pen->end - pen->raw < 2))
        return false;
    pen->raw += 2;
    v = _mm_add_epi32(unzigzag(v), pen->at);
    pen->at = _mm_unpacklo_epi64(v, v);
    widen(pen, pen->at);
    _mm_storel_epi64((__m128i *)(void *)out, v);
    return true;
}

static ALWAYS_INLINE bool pen_draw(struct pen *pen, size_t count,
                                   struct mvt_point *out)
{
    const uint32_t *raw = pen->raw, *end = raw + 2 * count;
    const struct mvt_point *last = out + count - 1;

    if (UNLIKELY(2 * count > (size_t)(pen->end - raw)))
        return false;
    if (UNLIKELY(count == 0))
        return true;
    do {
        __m128i v =
            unzigzag(_mm_loadu_si128((const __m128i *)(const void *)raw));
        v = _mm_add_epi32(v, _mm_slli_si128(v, 8));
        v = _mm_add_epi32(v, pen->at);
        pen->at = _mm_shuffle_epi32(v, 0xee); /* the second vertex, twice */
        widen(pen, v);
        _mm_storeu_si128((__m128i *)(void *)out, v);
        raw += 4;
        out += 2;
    } while (raw < end);
    pen->raw = end;
    /* of an odd count the last vertex is its step's first */
    pen->at =
        _mm_castpd_si128(_mm_loaddup_pd((const double *)(const void *)last));
    return true;
}

static ALWAYS_INLINE bool pen_is_exact(const struct pen *pen)
{
    __m128i below = _mm_cmpgt_epi32(_mm_set1_epi32(-PEN_RANGE), pen->low);
    __m128i above = _mm_cmpgt_epi32(pen->high, _mm_set1_epi32(PEN_RANGE - 1));
    return _mm_movemask_epi8(_mm_or_si128(below, above)) == 0;
}
