/* SPDX-License-Identifier: MIT */
/* XXH3-64 of long data for processors with AVX2; the Makefile compiles every
 * *_avx2.c with the flags for it. */
#include "envelope/envelope_hash.h"

#if defined(__AVX2__)

/* The data was just written or is about to be read by the compressor: asking
 * for it ahead costs an instruction in twenty and gains nothing. */
#define XXH_NO_PREFETCH
#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t envelope_hash_avx2(const void *data, size_t size)
{
    return XXH3_64bits(data, size);
}

#endif
