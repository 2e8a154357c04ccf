/* SPDX-License-Identifier: MIT */
/* Any bytes: every path, the message and protobuf-c agree on them. */
#include "testkit/fuzz.h"

#include "mvt/reference/mvt_agree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FUZZ_CHECK(mvt_agree(data, size) == NULL);
    return 0;
}
