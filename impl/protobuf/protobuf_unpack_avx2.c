/* SPDX-License-Identifier: MIT */
/* Unpacking by byte shuffle for processors with AVX2. */
#include "protobuf/protobuf_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

PROTOBUF_TARGET_BEGIN("avx2,bmi,bmi2")
#define UNPACK_NAME protobuf_unpack_u32_avx2
#include "protobuf/protobuf_unpack_body.h"
PROTOBUF_TARGET_END
#endif
