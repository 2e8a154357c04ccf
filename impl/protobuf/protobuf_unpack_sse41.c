/* SPDX-License-Identifier: MIT */
/* Unpacking by byte shuffle for processors with SSE4.1. */
#include "protobuf/protobuf_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

PROTOBUF_TARGET_BEGIN("sse4.1")
#define UNPACK_NAME protobuf_unpack_u32_sse41
#include "protobuf/protobuf_unpack_body.h"
PROTOBUF_TARGET_END
#endif
