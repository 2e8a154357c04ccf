/* SPDX-License-Identifier: MIT */
/* A document through the walk and through its plain twin: the same verdict,
 * size and offset; and what is accepted is accepted alone, but not if cut.
 * The first byte of an input is the depth bound. */
#include "testkit/fuzz.h"

#include "msgpack/msgpack.h"
#include "msgpack/reference/msgpack_reference.h"

static void check_accepted(const uint8_t *in, size_t size, size_t max_depth)
{
    size_t again = 0;

    FUZZ_CHECK(size >= 1);
    FUZZ_CHECK(msgpack_document_size(in, size, max_depth, NULL, &again,
                                     NULL) == MSGPACK_OK);
    FUZZ_CHECK(again == size);
    FUZZ_CHECK(msgpack_check(in, size - 1, max_depth, NULL, NULL) !=
               MSGPACK_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const uint8_t *in = data + 1;
    size_t in_size = size - 1, max_depth = data[0];
    size_t walked = 0, plain = 0;
    struct msgpack_error error = {.fault = MSGPACK_OK};
    struct msgpack_error plain_error = {.fault = MSGPACK_OK};
    enum msgpack_fault fault =
        msgpack_document_size(in, in_size, max_depth, NULL, &walked, &error);

    FUZZ_CHECK(msgpack_reference_size(in, in_size, max_depth, NULL, &plain,
                                      &plain_error) == fault);
    FUZZ_CHECK(walked == plain);
    FUZZ_CHECK(error.fault_at == plain_error.fault_at);
    FUZZ_CHECK(msgpack_check(in, in_size, max_depth, NULL, NULL) == fault);
    if (fault == MSGPACK_OK) {
        FUZZ_CHECK(walked <= in_size);
        check_accepted(in, walked, max_depth);
    } else {
        FUZZ_CHECK(error.fault == fault);
    }
    return 0;
}
