/* SPDX-License-Identifier: MIT */
/* Any frame with any limit: the result is within it, and the same again with
 * a state that was used before. */
#include "testkit/fuzz.h"
#include "wabin/wabin.h"

#define LIMIT_MAX 65536

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wabin_unpacker unpacker;
    struct wabin_buf first = {0}, second = {0};
    struct wabin_nodes nodes, again;
    struct wabin_error error = {0}, other = {0};

    if (size < 2)
        return 0;
    size_t limit = ((size_t)data[0] << 8 | data[1]) % LIMIT_MAX;
    data += 2;
    size -= 2;
    wabin_unpacker_init(&unpacker, limit, NULL);
    enum wabin_status status =
        wabin_unpack(&unpacker, data, size, &first, &nodes, &error);
    enum wabin_status second_status =
        wabin_unpack(&unpacker, data, size, &second, &again, &other);
    FUZZ_CHECK(status == second_status);
    FUZZ_CHECK(first.capacity <= limit + 1);
    if (status == WABIN_OK) {
        FUZZ_CHECK(nodes.size == again.size);
        FUZZ_CHECK(nodes.size == 0 ||
                   memcmp(nodes.data, again.data, nodes.size) == 0);
        FUZZ_CHECK((data[0] & 2) == 0 ? nodes.data == data + 1
                                      : nodes.size <= limit);
    } else {
        FUZZ_CHECK(error.cause == other.cause && error.status == status);
        FUZZ_CHECK(first.size == 0);
    }
    wabin_unpacker_release(&unpacker);
    wabin_buf_release(&first);
    wabin_buf_release(&second);
    return 0;
}
