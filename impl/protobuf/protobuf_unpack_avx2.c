/* SPDX-License-Identifier: MIT */
/* Unpacking by byte shuffle for processors with AVX2: two steps share the
 * halves of one vector. */
#include "protobuf/protobuf_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

PROTOBUF_TARGET_BEGIN("avx2,bmi,bmi2")
#include "protobuf/protobuf_shuffle_body.h"

static ALWAYS_INLINE __m256i join_halves(__m128i low, __m128i high)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

static ALWAYS_INLINE const struct protobuf_step *two_steps(
    const uint8_t *p, unsigned bits, uint32_t *out,
    const struct protobuf_step **second)
{
    const __m256i low7 = _mm256_set1_epi8(0x7f);
    const __m256i weights8 = _mm256_set1_epi16((int16_t)(1 | 128 << 8));
    const __m256i weights16 = _mm256_set1_epi32(1 | 16384 << 16);
    const struct protobuf_step *first = &protobuf_steps[bits & 0xff];
    unsigned behind = bits >> first->size & 0xff;

    __m256i v = join_halves(load16(p), load16(p + first->size));
    __m256i lanes = join_halves(lanes_of(bits & 0xff), lanes_of(behind));
    v = _mm256_shuffle_epi8(_mm256_and_si256(v, low7), lanes);
    /* the weights are the unsigned operand: 128 has no signed byte */
    v = _mm256_madd_epi16(_mm256_maddubs_epi16(weights8, v), weights16);
    _mm_storeu_si128((__m128i *)(void *)out, _mm256_castsi256_si128(v));
    _mm_storeu_si128((__m128i *)(void *)(out + first->count),
                     _mm256_extracti128_si256(v, 1));
    *second = &protobuf_steps[behind];
    return first;
}

size_t protobuf_unpack_u32_avx2(struct protobuf_unpacker *u, uint32_t *out,
                                size_t max)
{
    return unpack(u, out, max);
}
PROTOBUF_TARGET_END
#endif
