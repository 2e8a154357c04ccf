/* SPDX-License-Identifier: MIT */
/* Matches of offset 0: liblz4 lets them pass, the format forbids them. */
#ifndef ENVELOPE_ENVELOPE_OFFSETS_H
#define ENVELOPE_ENVELOPE_OFFSETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/macros.h"

/* ---- shared by the ways to find one ------------------------------------- */

/* LZ4 block format: a nibble of 15 goes on in bytes that are added up to and
 * including the first below 255. */
#define OFFSETS_NIBBLE_FULL 15
#define OFFSETS_BYTE_FULL   255
#define OFFSETS_SIZE        2 /* of an offset */

/** True when an offset 0 is not ruled out, and a walk has to decide: call it
 * only where the processor has AVX2. */
MUST_CHECK bool envelope_offsets_doubt_avx2(const uint8_t *block,
                                            size_t block_size);

/** Step over length bytes and add them up; at <= size before and after. */
static inline size_t offsets_lengths(const uint8_t *block, size_t size,
                                     size_t at, size_t *length)
{
    uint8_t byte = OFFSETS_BYTE_FULL;

    while (byte == OFFSETS_BYTE_FULL && at < size) {
        byte = block[at++];
        *length += byte;
    }
    return at;
}

static inline uint16_t offsets_load(const uint8_t *p)
{
    uint16_t offset;

    memcpy(&offset, p, sizeof(offset));
    return offset;
}

/** The next token after the sequence at `at`, the size after the last
 * literals, or 0 when the sequence's offset is 0. */
static inline size_t offsets_step(const uint8_t *block, size_t size, size_t at)
{
    uint8_t token = block[at++];
    size_t length = token >> 4;

    if (length == OFFSETS_NIBBLE_FULL)
        at = offsets_lengths(block, size, at, &length);
    if (length >= size - at)
        return size; /* the last literals */
    at += length;
    if (size - at < OFFSETS_SIZE || offsets_load(block + at) == 0)
        return 0;
    at += OFFSETS_SIZE;
    if ((token & OFFSETS_NIBBLE_FULL) == OFFSETS_NIBBLE_FULL)
        at = offsets_lengths(block, size, at, &length);
    return at;
}

/** Walk over the sequences from the token at `at` to the first at `until` or
 * past it, or to the block's end, which is the size.  0 when an offset is 0.
 */
MUST_CHECK size_t envelope_offsets_walk(const uint8_t *block,
                                        size_t block_size, size_t at,
                                        size_t until);

/**
 * Tell whether a block that liblz4 has accepted has a match of offset 0.
 *
 *   block, block_size  any bytes are safe, at least one; the answer means
 *                      something only for a block that was accepted
 *
 * Cost: with AVX2, about 1.9 instructions a sequence of a block of 8 KiB or
 *       more; 9 otherwise.
 */
MUST_CHECK static inline bool envelope_block_has_zero_offset(
    const uint8_t *block, size_t block_size)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") &&
        LIKELY(!envelope_offsets_doubt_avx2(block, block_size)))
        return false;
#endif
    return envelope_offsets_walk(block, block_size, 0, block_size) == 0;
}

#endif
