/* SPDX-License-Identifier: MIT */
/*
 * Ruling out an offset 0 in a small block without walking over it: an offset 0
 * is two zero bytes, a "pair", and most small blocks have none.  This is the
 * scan for pairs; what the ones that it finds can be is another file's.
 */
#include "envelope/envelope_offsets.h"

#if defined(__AVX2__)

#include <immintrin.h>

#define VECTOR_SIZE ((size_t)32)
#define HALF_SIZE   (2 * VECTOR_SIZE)
#define GROUP_SIZE  (2 * HALF_SIZE)

static inline __m256i load(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

/* The words of two vectors at both alignments, the smaller of each two. */
static ALWAYS_INLINE __m256i least_words(const uint8_t *p)
{
    return _mm256_min_epu16(
        _mm256_min_epu16(load(p), load(p + 1)),
        _mm256_min_epu16(load(p + VECTOR_SIZE), load(p + VECTOR_SIZE + 1)));
}

static ALWAYS_INLINE bool has_zero(__m256i words)
{
    const __m256i zero = _mm256_cmpeq_epi16(words, _mm256_setzero_si256());

    return !_mm256_testz_si256(zero, zero);
}

/* Look for pairs in a group, given as two halves: the one that has the first,
 * or NULL. */
static ALWAYS_INLINE const uint8_t *find_half(const uint8_t *first,
                                              const uint8_t *second)
{
    const __m256i words = least_words(first);

    if (LIKELY(!has_zero(_mm256_min_epu16(words, least_words(second)))))
        return NULL;
    return has_zero(words) ? first : second;
}

/* A leaf that saves no register: to find no pair is all that it does. */
bool envelope_offsets_doubt_scan_avx2(const uint8_t *block, size_t block_size,
                                      size_t output_size)
{
    /* Each group also looks at the byte after it.  The last one ends with the
     * block, and where there is no room for it, begins with it too. */
    const uint8_t *const last =
        block + (block_size > GROUP_SIZE ? block_size - GROUP_SIZE - 1 : 0);
    const uint8_t *p = block, *half = NULL;

#pragma GCC unroll 1
    for (; p < last && half == NULL; p += GROUP_SIZE)
        half = find_half(p, p + HALF_SIZE);
    if (LIKELY(half == NULL))
        half = find_half(last, block + block_size - HALF_SIZE - 1);
    if (LIKELY(half == NULL))
        return false;
    return envelope_offsets_doubt_pairs_avx2(block, block_size, output_size,
                                             (size_t)(half - block));
}

#endif
