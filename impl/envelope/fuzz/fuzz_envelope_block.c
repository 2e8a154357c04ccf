/* SPDX-License-Identifier: MIT */
/* Of any bytes, a block and two bytes of room: what liblz4 accepts is accepted
 * here unless a walk finds an offset 0, and what the quick ways rule out no
 * walk finds. */
#include <stdlib.h>

#include "envelope/envelope_block.h"
#include "testkit/fuzz.h"

static void check_block(const uint8_t *block, size_t size, size_t capacity)
{
    uint8_t *out = malloc(capacity + 1), *want = malloc(capacity + 1);
    bool zero = envelope_offsets_walk(block, size, 0, size) == 0;
    size_t produced = 0;
    int want_size;

    FUZZ_CHECK(out != NULL && want != NULL);
    bool ok = envelope_block_decode(block, size, out, capacity, &produced);
    want_size = LZ4_decompress_safe((const char *)block, (char *)want,
                                    (int)size, (int)capacity);
    FUZZ_CHECK(ok == (want_size >= 0 && !zero));
    FUZZ_CHECK(!ok || (produced == (size_t)want_size &&
                       memcmp(out, want, produced) == 0));
    if (__builtin_cpu_supports("avx2") && want_size >= 0 && zero) {
        FUZZ_CHECK(envelope_offsets_doubt_lanes_avx2(block, size));
        FUZZ_CHECK(
            size < OFFSETS_SCAN_MIN ||
            envelope_offsets_doubt_scan_avx2(block, size, (size_t)want_size));
    }
    free(want);
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 2)
        check_block(data + 2, size - 2, ((size_t)data[0] << 8 | data[1]));
    return 0;
}
