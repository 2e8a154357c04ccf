/* SPDX-License-Identifier: MIT */
/* Geometry by byte shuffle for processors with SSE4.1. */
#include "mvt/mvt_geometry_internal.h"
#include "protobuf/protobuf_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

PROTOBUF_TARGET_BEGIN("sse4.1")
#define UNPACK protobuf_unpack_u32_sse41
#include "mvt/mvt_geometry_shuffle_body.h"
#define DECODE_NAME mvt_geometry_decode_sse41
#include "mvt/mvt_geometry_body.h"
PROTOBUF_TARGET_END
#endif
