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

/* Below so many bytes a walk is the cheapest; from so many on, eight. */
#define OFFSETS_SCAN_MIN  96
#define OFFSETS_LANES_MIN 4096

/**
 * True when an offset 0 of an accepted block is not ruled out, and a walk has
 * to decide: by a scan for zeros, for blocks from OFFSETS_SCAN_MIN bytes to
 * OFFSETS_LANES_MIN; and by eight walks at once, for larger ones.  Call them
 * only where the processor has AVX2.
 */
MUST_CHECK bool envelope_offsets_doubt_scan_avx2(const uint8_t *block,
                                                 size_t block_size,
                                                 size_t output_size);
MUST_CHECK bool envelope_offsets_doubt_lanes_avx2(const uint8_t *block,
                                                  size_t block_size);

/** The rest of a scan, from `at` on: what the pairs of zeros are. */
MUST_CHECK bool envelope_offsets_doubt_pairs_avx2(const uint8_t *block,
                                                  size_t block_size,
                                                  size_t output_size,
                                                  size_t at);

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

/** The whole of it for an accepted block that has no room for a second byte
 * of a literal length, nor for many sequences. */
static inline bool offsets_tiny_has_zero(const uint8_t *block, size_t size)
{
    const uint8_t *const end = block + size;
    const uint8_t *p = block;

    for (;;) {
        const uint8_t token = *p;

        if (LIKELY(token >= OFFSETS_NIBBLE_FULL << 4))
            p += 2 + OFFSETS_NIBBLE_FULL + p[1];
        else
            p += 1 + (token >> 4);
        if (p >= end)
            return false; /* the last literals */
        if (UNLIKELY(offsets_load(p) == 0))
            return true;
        p += OFFSETS_SIZE;
        if ((token & OFFSETS_NIBBLE_FULL) == OFFSETS_NIBBLE_FULL)
            while (*p++ == OFFSETS_BYTE_FULL)
                ;
    }
}

static inline bool offsets_doubt(const uint8_t *block, size_t block_size,
                                 size_t output_size)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return block_size < OFFSETS_LANES_MIN
                   ? envelope_offsets_doubt_scan_avx2(block, block_size,
                                                      output_size)
                   : envelope_offsets_doubt_lanes_avx2(block, block_size);
#endif
    return true;
}

/**
 * Tell whether a block that liblz4 has accepted has a match of offset 0.
 *
 *   block, block_size  must have been accepted
 *   output_size        bytes that the decoder gave, or had room for
 *
 * Cost: 13 instructions a sequence of a block below OFFSETS_SCAN_MIN; with
 *       AVX2 0.15 a byte of other small blocks, and 1.3 a sequence of large
 *       ones; 9 a sequence otherwise.
 */
MUST_CHECK static inline bool envelope_block_has_zero_offset(
    const uint8_t *block, size_t block_size, size_t output_size)
{
    if (block_size < OFFSETS_SCAN_MIN)
        return offsets_tiny_has_zero(block, block_size);
    return UNLIKELY(offsets_doubt(block, block_size, output_size)) &&
           envelope_offsets_walk(block, block_size, 0, block_size) == 0;
}

#endif
