/* SPDX-License-Identifier: MIT */
/* Unpacking by byte shuffle for processors with SSE4.1. */
#include "protobuf/protobuf_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

PROTOBUF_TARGET_BEGIN("sse4.1")
#include "protobuf/protobuf_shuffle_body.h"

static ALWAYS_INLINE void store_step(const uint8_t *p, unsigned mask,
                                     uint32_t *out)
{
    const __m128i low7 = _mm_set1_epi8(0x7f);
    const __m128i weights8 = _mm_set1_epi16((int16_t)(1 | 128 << 8));
    const __m128i weights16 = _mm_set1_epi32(1 | 16384 << 16);

    __m128i v = _mm_and_si128(load16(p), low7);
    v = _mm_shuffle_epi8(v, lanes_of(mask));
    /* the weights are the unsigned operand: 128 has no signed byte */
    v = _mm_madd_epi16(_mm_maddubs_epi16(weights8, v), weights16);
    _mm_storeu_si128((__m128i *)(void *)out, v);
}

static ALWAYS_INLINE const struct protobuf_step *two_steps(
    const uint8_t *p, unsigned bits, uint32_t *out,
    const struct protobuf_step **second)
{
    const struct protobuf_step *first = &protobuf_steps[bits & 0xff];
    unsigned behind = bits >> first->size & 0xff;

    store_step(p, bits & 0xff, out);
    store_step(p + first->size, behind, out + first->count);
    *second = &protobuf_steps[behind];
    return first;
}

size_t protobuf_unpack_u32_sse41(struct protobuf_unpacker *u, uint32_t *out,
                                 size_t max)
{
    return unpack(u, out, max);
}
PROTOBUF_TARGET_END
#endif
