/* SPDX-License-Identifier: MIT */
/* A packed payload through the fast ways and through the plain loop: the same
 * verdict, the same elements on every path, and writing it again is stable. */
#include "testkit/fuzz.h"

#include <stdlib.h>

#include "protobuf/protobuf_packed.h"

/* The views against a loop over one varint after the other; halfway, a skip
 * of what is behind leads to the same place. */
static void check_views(const uint8_t *data, size_t size,
                        const struct protobuf_packed_uint32 *narrow,
                        const struct protobuf_packed_uint64 *wide)
{
    struct protobuf_packed_uint32_iter in_narrow =
        protobuf_packed_uint32_iter(narrow);
    struct protobuf_packed_uint64_iter in_wide =
        protobuf_packed_uint64_iter(wide);
    struct protobuf_packed_uint64_iter skipped = in_wide;
    struct cursor c = cursor_init(data, size);
    uint64_t want, got;
    uint32_t low;

    for (size_t i = 0; cursor_left(&c) != 0; i++) {
        if (i == wide->count / 2) {
            FUZZ_CHECK(protobuf_packed_uint64_skip(&skipped, i) == i);
            FUZZ_CHECK(skipped.at == data + c.at);
            FUZZ_CHECK(skipped.left == wide->count - i);
        }
        FUZZ_CHECK(protobuf_take_varint(&c, &want) == PROTOBUF_OK);
        FUZZ_CHECK(protobuf_packed_uint64_next(&in_wide, &got));
        FUZZ_CHECK(got == want);
        FUZZ_CHECK(protobuf_packed_uint32_next(&in_narrow, &low));
        FUZZ_CHECK(low == (uint32_t)want);
    }
    FUZZ_CHECK(in_wide.left == 0 && in_narrow.left == 0);
}

static void check_unpack(const uint8_t *data, size_t size,
                         const struct protobuf_packed_uint32 *view)
{
    static const enum protobuf_path paths[] = {
        PROTOBUF_PATH_PORTABLE, PROTOBUF_PATH_SSE41, PROTOBUF_PATH_AVX2};
    uint32_t batch[16], want;

    for (size_t i = 0; i < ARRAY_COUNT(paths); i++) {
        struct protobuf_packed_uint32_iter iter =
            protobuf_packed_uint32_iter(view);
        struct protobuf_unpacker u = {data, data + size, data + size};
        size_t n;
        while ((n = protobuf_unpack_u32(paths[i])(&u, batch, 16)) != 0)
            for (size_t k = 0; k < n; k++) {
                FUZZ_CHECK(protobuf_packed_uint32_next(&iter, &want));
                FUZZ_CHECK(batch[k] == want);
            }
        FUZZ_CHECK(iter.left == 0);
    }
}

static void check_write(const struct protobuf_packed_uint64 *view)
{
    size_t size = protobuf_packed_uint64_size(view);
    uint8_t *out = malloc(size + 1);
    struct sink s = sink_init(out, size);
    struct protobuf_packed_uint64 again;

    FUZZ_CHECK(out != NULL);
    FUZZ_CHECK(protobuf_packed_uint64_write(view, &s) == ST_OK);
    FUZZ_CHECK(s.at == size);
    FUZZ_CHECK(protobuf_packed_uint64_from(&again, out, size, NULL) ==
               PROTOBUF_OK);
    FUZZ_CHECK(protobuf_packed_uint64_equal(view, &again));
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct protobuf_packed_uint32 narrow;
    struct protobuf_packed_uint64 wide;
    size_t fault_at, count = 0;
    enum protobuf_fault fault = protobuf_packed_fault(data, size, &fault_at);

    FUZZ_CHECK(protobuf_packed_uint64_from(&wide, data, size, NULL) == fault);
    FUZZ_CHECK(protobuf_packed_uint32_from(&narrow, data, size, NULL) ==
               fault);
    if (fault != PROTOBUF_OK)
        return 0;
    for (size_t i = 0; i < size; i++)
        count += data[i] < 0x80;
    FUZZ_CHECK(wide.count == count);
    FUZZ_CHECK(size == 0 || protobuf_packed_after(data, count) == data + size);
    check_views(data, size, &narrow, &wide);
    check_unpack(data, size, &narrow);
    check_write(&wide);
    return 0;
}
