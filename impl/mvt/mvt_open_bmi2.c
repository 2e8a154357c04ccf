/* SPDX-License-Identifier: MIT */
/* One pass over a tile for processors with BMI2, whose pext gathers the bits
 * of a varint. */
#include "mvt/mvt_internal.h"
#include "protobuf/protobuf_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

PROTOBUF_TARGET_BEGIN("avx2,bmi,bmi2")

/* protobuf_varint_word */
static ALWAYS_INLINE const uint8_t *varint_pext(const uint8_t *p,
                                                const uint8_t *end,
                                                const uint8_t *readable,
                                                uint64_t *out)
{
    if (LIKELY(readable - p >= 8)) {
        uint64_t word = load_le64(p);
        uint64_t stops = ~word & UINT64_C(0x8080808080808080);
        if (LIKELY(stops != 0)) {
            const uint8_t *next = p + (_tzcnt_u64(stops) + 1) / 8;
            if (UNLIKELY(next > end))
                return NULL;
            /* bits up to the first terminator's top bit */
            *out = _pext_u64(word & _blsmsk_u64(stops),
                             UINT64_C(0x7f7f7f7f7f7f7f7f));
            return next;
        }
    }
    return protobuf_varint_word(p, end, readable, out);
}

#define OPEN_NAME   mvt_open_bmi2
#define VARINT_WORD varint_pext
#include "mvt/mvt_open_body.h"
PROTOBUF_TARGET_END
#endif
