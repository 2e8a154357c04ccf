/* SPDX-License-Identifier: MIT */
/* What the fast paths of this module and of its users share. */
#ifndef PROTOBUF_PROTOBUF_INTERNAL_H
#define PROTOBUF_PROTOBUF_INTERNAL_H

#include <stdint.h>

#include "protobuf/protobuf_kernels.h"

/** Never in another object, so that its address needs no table. */
#define HIDDEN __attribute__((visibility("hidden")))

/**
 * What eight bytes hold, by their continuation bits (bit i is byte i's):
 * `count` whole varints, at most 4, each of at most 4 bytes, in `size` bytes;
 * the first two of them in `pair_size`, 0 when there are fewer.
 */
struct protobuf_step {
    uint8_t count;
    uint8_t size;
    uint8_t pair_size;
    uint8_t unused; /* makes the address of a row one scaled index */
};
extern const struct protobuf_step protobuf_steps[256] HIDDEN;

/** Byte shuffles that spread those varints over four 32-bit lanes; lanes and
 * bytes that they do not fill become 0. */
extern const uint8_t protobuf_lanes[256][16] HIDDEN;

protobuf_unpack_u32_fn protobuf_unpack_u32_portable;
#if defined(__x86_64__)
protobuf_unpack_u32_fn protobuf_unpack_u32_sse41;
protobuf_unpack_u32_fn protobuf_unpack_u32_avx2;
#endif

/*
 * Compile the functions between BEGIN and END for more than the baseline
 * processor.  Headers are to be included before BEGIN.
 */
#define PROTOBUF_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define PROTOBUF_TARGET_BEGIN(features)                                       \
    PROTOBUF_PRAGMA(clang attribute push(__attribute__((target(features))),   \
                                         apply_to = function))
#define PROTOBUF_TARGET_END _Pragma("clang attribute pop")
#else
#define PROTOBUF_TARGET_BEGIN(features)                                       \
    _Pragma("GCC push_options") PROTOBUF_PRAGMA(GCC target(features))
#define PROTOBUF_TARGET_END _Pragma("GCC pop_options")
#endif

#endif
