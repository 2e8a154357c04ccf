/* SPDX-License-Identifier: MIT */
/* liblz4 for MemorySanitizer, which does not see what the library writes: it
 * is told here.  Linked in place of the two functions by --wrap. */
#include <sanitizer/msan_interface.h>

#include <lz4.h>

#include "envelope/envelope_offsets.h"

int __real_LZ4_decompress_safe(const char *block, char *out, int block_size,
                               int out_size);
int __wrap_LZ4_decompress_safe(const char *block, char *out, int block_size,
                               int out_size);
int __real_LZ4_compress_fast_extState_fastReset(void *state, const char *in,
                                                char *out, int in_size,
                                                int out_size,
                                                int acceleration);
int __wrap_LZ4_compress_fast_extState_fastReset(void *state, const char *in,
                                                char *out, int in_size,
                                                int out_size,
                                                int acceleration);

/* What a match of offset 0 wrote is not told: nobody may read it. */
int __wrap_LZ4_decompress_safe(const char *block, char *out, int block_size,
                               int out_size)
{
    int size;

    __msan_check_mem_is_initialized(block, (size_t)block_size);
    size = __real_LZ4_decompress_safe(block, out, block_size, out_size);
    if (size > 0 &&
        envelope_offsets_walk((const uint8_t *)block, (size_t)block_size, 0,
                              (size_t)block_size) != 0)
        __msan_unpoison(out, (size_t)size);
    return size;
}

int __wrap_LZ4_compress_fast_extState_fastReset(void *state, const char *in,
                                                char *out, int in_size,
                                                int out_size, int acceleration)
{
    int size;

    __msan_check_mem_is_initialized(in, (size_t)in_size);
    size = __real_LZ4_compress_fast_extState_fastReset(state, in, out, in_size,
                                                       out_size, acceleration);
    if (size > 0)
        __msan_unpoison(out, (size_t)size);
    return size;
}
