/* SPDX-License-Identifier: MIT */
/* The checksum: libxxhash's header form.  Its shared library is compiled for
 * the oldest processors and takes twelve times as long on long data. */
#include "envelope/envelope_hash.h"

#include "base/cursor.h"
#include "envelope/envelope.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t envelope_checksum(const void *data, size_t size)
{
#if defined(__x86_64__)
    if (size > HASH_SHORT_MAX && __builtin_cpu_supports("avx2"))
        return envelope_hash_avx2(data, size);
#endif
    return XXH3_64bits(data, size);
}

bool envelope_verify_checksum(const void *data, size_t size,
                              const uint8_t expected[ENVELOPE_CHECKSUM_SIZE])
{
    return envelope_checksum(data, size) == load_be64(expected);
}
