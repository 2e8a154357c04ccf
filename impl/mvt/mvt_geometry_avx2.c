/* SPDX-License-Identifier: MIT */
/* Geometry by byte shuffle for processors with AVX2. */
#include "mvt/mvt_geometry_internal.h"
#include "protobuf/protobuf_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

PROTOBUF_TARGET_BEGIN("avx2,bmi,bmi2")
#define UNPACK protobuf_unpack_u32_avx2
#include "mvt/mvt_geometry_shuffle_body.h"
#define DECODE_NAME mvt_geometry_decode_avx2
#include "mvt/mvt_geometry_body.h"
PROTOBUF_TARGET_END
#endif
