/* SPDX-License-Identifier: MIT */
/* The checksum's two compilations, of which the processor chooses. */
#ifndef ENVELOPE_ENVELOPE_HASH_H
#define ENVELOPE_ENVELOPE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Up to here XXH3 has short ways that no vector unit helps. */
#define HASH_SHORT_MAX 240

/** XXH3-64 compiled for AVX2: call it only where the processor has that. */
uint64_t envelope_hash_avx2(const void *data, size_t size);

#endif
