/* SPDX-License-Identifier: MIT */
/*
 * Ruling out a match of offset 0 with less than a walk from token to token,
 * each of which waits for the one before.  Two ways, by the output's size:
 *
 * Small.  An offset 0 is two zero bytes, a "pair", and most small blocks have
 * none.  The block was accepted, so every offset in it is at most the size of
 * the output.  Were a pair the last offset 0, the sequences after it would
 * lead to the end of the block by offsets from 1 to that size; but bytes that
 * are no sequences soon show a larger one.  (A short offset before a length
 * byte of 0 looks like a last one, and has to be walked to.)
 *
 * Large.  Eight walks at once, one in each lane of a vector, from eighths of
 * the block.  Where a sequence starts is not known there, but walks from
 * anywhere run together with the right one after a few sequences; so each
 * starts some way before its eighth.  Whether that was right is seen at the
 * end, when each walk must come to where the next one started.
 *
 * What neither rules out is in doubt, and the caller walks.
 */
#include "envelope/envelope_offsets.h"

#if defined(__AVX2__)

#include <immintrin.h>

#define VECTOR_SIZE  ((size_t)32)
#define GROUP_SIZE   (4 * VECTOR_SIZE)
#define SCAN_MIN     (VECTOR_SIZE + 1)
#define OUTPUT_SMALL 2048
#define STEPS_MAX    6 /* sequences followed from a pair */

static inline __m256i load(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

/* ---- small -------------------------------------------------------------- */

struct block {
    const uint8_t *data;
    size_t size;
    size_t output_size;
};

static inline bool offset_fits(const struct block *b, size_t at)
{
    return (size_t)offsets_load(b->data + at) - 1 < b->output_size;
}

/* Whether the bytes from `at` are seen to be no chain of sequences up to the
 * block's end.  False also when that would take too long. */
static bool breaks_after(const struct block *b, size_t at)
{
    for (int step = 0; step < STEPS_MAX; step++) {
        if (at >= b->size)
            return true;
        uint8_t token = b->data[at++];
        size_t length = token >> 4;
        if (length == OFFSETS_NIBBLE_FULL)
            at = offsets_lengths(b->data, b->size, at, &length);
        at += length;
        if (at + OFFSETS_SIZE >= b->size)
            return at != b->size;
        if (!offset_fits(b, at))
            return true;
        at += OFFSETS_SIZE;
        if ((token & OFFSETS_NIBBLE_FULL) == OFFSETS_NIBBLE_FULL)
            at = offsets_lengths(b->data, b->size, at, &length);
    }
    return false;
}

/* breaks_after, but only as far as the first token. */
static ALWAYS_INLINE bool breaks_at(const struct block *b, size_t at)
{
    size_t length, end;

    if (UNLIKELY(at >= b->size))
        return true;
    length = b->data[at] >> 4;
    end = at + 1 + length;
    if (end + OFFSETS_SIZE >= b->size)
        return end != b->size && length != OFFSETS_NIBBLE_FULL;
    return length != OFFSETS_NIBBLE_FULL && !offset_fits(b, end);
}

/* The usual end of a search: a pair among zeros, which would be tokens of no
 * literals with too large an offset, or none. */
static ALWAYS_INLINE bool breaks_at_once(const struct block *b, size_t pair)
{
    uint32_t after;

    if (b->size - pair < OFFSETS_SIZE + sizeof(after))
        return false;
    memcpy(&after, b->data + pair + OFFSETS_SIZE, sizeof(after));
    return (after & 0xf0f0) == 0 &&
           (size_t)(uint16_t)(after >> 8) - 1 >= b->output_size &&
           (size_t)(after >> 16) - 1 >= b->output_size;
}

/* Whether this pair may be the last offset 0.  Its own sequence may have
 * length bytes after the offset, or not. */
static ALWAYS_INLINE bool is_last_offset(const struct block *b, size_t pair)
{
    const size_t next = pair + OFFSETS_SIZE;
    size_t length = 0;

    if (next >= b->size || breaks_at_once(b, pair))
        return false; /* no token could follow, or none does */
    if (LIKELY(breaks_at(b, next) && b->data[next] != OFFSETS_BYTE_FULL &&
               breaks_at(b, next + 1)))
        return false;
    return !breaks_after(b, next) ||
           !breaks_after(b, offsets_lengths(b->data, b->size, next, &length));
}

/* Whether a zero byte stands before another, from this vector's first byte to
 * the one after its last. */
static inline unsigned pairs_in(const uint8_t *p)
{
    const __m256i zero = _mm256_setzero_si256();

    return (unsigned)_mm256_movemask_epi8(
        _mm256_cmpeq_epi8(_mm256_or_si256(load(p), load(p + 1)), zero));
}

/* Whether one of the pairs of a vector is in doubt. */
static __attribute__((noinline)) bool doubt_pairs(const uint8_t *data,
                                                  size_t size,
                                                  size_t output_size,
                                                  size_t at, unsigned found)
{
    const struct block b = {data, size, output_size};

#pragma GCC unroll 1
    for (; found != 0; found &= found - 1)
        if (is_last_offset(&b, at + (size_t)__builtin_ctz(found)))
            return true;
    return false;
}

/* Whether a zero word stands at any alignment in a group of vectors. */
static inline bool group_has_pair(const uint8_t *p)
{
    __m256i least = load(p);

    least = _mm256_min_epu16(least, load(p + 1));
    for (size_t i = VECTOR_SIZE; i < GROUP_SIZE; i += VECTOR_SIZE) {
        least = _mm256_min_epu16(least, load(p + i));
        least = _mm256_min_epu16(least, load(p + i + 1));
    }
    return _mm256_movemask_epi8(
               _mm256_cmpeq_epi16(least, _mm256_setzero_si256())) != 0;
}

static inline bool doubt_small(const uint8_t *data, size_t size,
                               size_t output_size)
{
    const size_t last = size - VECTOR_SIZE - 1;
    size_t at = 0;
    unsigned found;

    while (at + GROUP_SIZE < size) {
        if (LIKELY(!group_has_pair(data + at))) {
            at += GROUP_SIZE;
            continue;
        }
        for (size_t end = at + GROUP_SIZE; at < end; at += VECTOR_SIZE)
            if ((found = pairs_in(data + at)) != 0 &&
                doubt_pairs(data, size, output_size, at, found))
                return true;
    }
#pragma GCC unroll 1
    for (; at < last; at += VECTOR_SIZE)
        if (UNLIKELY((found = pairs_in(data + at)) != 0) &&
            doubt_pairs(data, size, output_size, at, found))
            return true;
    /* The last vector may overlap the one before, whose pairs were seen. */
    if (at - last >= VECTOR_SIZE)
        return false;
    found = pairs_in(data + last) >> (at - last);
    return UNLIKELY(found != 0) &&
           doubt_pairs(data, size, output_size, at, found);
}

/* ---- large -------------------------------------------------------------- */

#define LANES      8
#define STRIDE_MAX 18 /* bytes that one step of a lane takes at most */
#define ROUND                                                                 \
    4            /* steps between looks at the lanes; more of them at         \
                    once are too much for valgrind */
#define LEAD 128 /* bytes for a walk to run together with the right one */
/* A lane that is through goes on for a round, and one more is thrown away. */
#define TAIL      (2 * ROUND * STRIDE_MAX + 8)
#define LANES_MIN 8192 /* below, one walk is as quick */

/*
 * What a token says, for a lane: in byte 0 how far to step, with one length
 * byte for a low nibble of 15; in bytes 1 to 3 which of the three bytes
 * before the next token are the offset.  A high nibble of 15 is not stepped
 * over; the lane stands until the round is over.
 */
#define PLAIN(n)    (0xffff0000u | (n))
#define LONG(n)     (0x00ffff00u | (n))
#define STANDS      0xffffff00u
#define PLAIN5(n)   PLAIN(n), PLAIN(n), PLAIN(n), PLAIN(n), PLAIN(n)
#define LANE_ROW(n) PLAIN5(n), PLAIN5(n), PLAIN5(n), LONG((n) + 1)
#define STANDS4     STANDS, STANDS, STANDS, STANDS
static const uint32_t says[256] = {
    LANE_ROW(3),  LANE_ROW(4),  LANE_ROW(5),  LANE_ROW(6),  LANE_ROW(7),
    LANE_ROW(8),  LANE_ROW(9),  LANE_ROW(10), LANE_ROW(11), LANE_ROW(12),
    LANE_ROW(13), LANE_ROW(14), LANE_ROW(15), LANE_ROW(16), LANE_ROW(17),
    STANDS4,      STANDS4,      STANDS4,      STANDS4};

struct lanes {
    __m256i at;    /* offsets of tokens */
    __m256i said;  /* of the token before */
    __m256i least; /* smallest offset seen; 0 is what is sought */
    __m256i most;  /* largest length byte seen, in byte 3 */
};

/* One sequence in each lane.  A load of four bytes brings the token and the
 * three before it, among which is the offset of the sequence before. */
static ALWAYS_INLINE void step_lanes(const uint8_t *data, struct lanes *l)
{
    const int *tokens = (const int *)(const void *)(data - 3);
    const __m256i word = _mm256_i32gather_epi32(tokens, l->at, 1);
    const __m256i before = _mm256_slli_epi32(word, 8);

    l->least = _mm256_min_epu32(l->least, _mm256_and_si256(before, l->said));
    l->most = _mm256_max_epu32(l->most, _mm256_andnot_si256(l->said, before));
    l->said = _mm256_i32gather_epi32((const int *)says,
                                     _mm256_srli_epi32(word, 24), 4);
    l->at = _mm256_add_epi32(
        l->at, _mm256_and_si256(l->said, _mm256_set1_epi32(0xff)));
}

/* Step over the sequence of each lane that stands.  All zero when one's offset
 * is 0, or the block ends. */
static COLD __m256i step_standing(const uint8_t *data, size_t size, __m256i at,
                                  unsigned standing)
{
    uint32_t places[LANES];

    _mm256_storeu_si256((__m256i *)(void *)places, at);
    for (; standing != 0; standing &= standing - 1) {
        int i = __builtin_ctz(standing);
        size_t next = offsets_step(data, size, places[i]);
        if (next == 0 || next > size - TAIL)
            return _mm256_setzero_si256();
        places[i] = (uint32_t)next;
    }
    return load((const uint8_t *)places);
}

/* Walk in each lane until it is at its limit or past it.  False when a lane
 * cannot go on. */
static ALWAYS_INLINE bool run_lanes(const uint8_t *data, size_t size,
                                    struct lanes *l, __m256i limits)
{
    for (;;) {
        const __m256i running = _mm256_cmpgt_epi32(limits, l->at);
        const __m256i at = l->at, said = l->said;
        unsigned standing;

        if (_mm256_testz_si256(running, running))
            return true;
#pragma GCC unroll 4
        for (int i = 0; i < ROUND; i++)
            step_lanes(data, l);
        /* The lanes that are through stay where they were. */
        l->at = _mm256_blendv_epi8(at, l->at, running);
        l->said = _mm256_blendv_epi8(said, l->said, running);
        standing = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(
            _mm256_cmpeq_epi32(l->said, _mm256_set1_epi32((int)STANDS))));
        if (UNLIKELY(standing != 0)) {
            l->at = step_standing(data, size, l->at, standing);
            if (_mm256_testz_si256(l->at, l->at))
                return false;
        }
    }
}

/* offsets_step, with a short way for the usual tokens; size - at >= TAIL. */
static inline size_t step_quickly(const uint8_t *data, size_t size, size_t at)
{
    const uint32_t said = says[data[at]];

    if (said < PLAIN(0) || said == STANDS)
        return offsets_step(data, size, at);
    at += said & 0xff;
    return offsets_load(data + at - OFFSETS_SIZE) != 0 ? at : 0;
}

/* Whether the walk that ended at `end` comes to where the next one started,
 * with no offset 0 on the way. */
static bool runs_into(const uint8_t *data, size_t size, size_t end,
                      size_t start)
{
    while (end != start) {
        size_t *behind = end < start ? &end : &start;
        *behind = step_quickly(data, size, *behind);
        if (*behind == 0 || *behind > size - TAIL)
            return false;
    }
    return true;
}

/* Whether a lane has seen a zero offset, or a length that goes on; the last
 * sequences are looked at too. */
static ALWAYS_INLINE bool saw_bad(const uint8_t *data, struct lanes l)
{
    const __m256i full = _mm256_set1_epi32((int)0xff000000u);
    __m256i bad;

    step_lanes(data, &l);
    bad = _mm256_or_si256(
        _mm256_cmpeq_epi32(l.least, _mm256_setzero_si256()),
        _mm256_cmpeq_epi32(_mm256_and_si256(l.most, full), full));
    return !_mm256_testz_si256(bad, bad);
}

static __attribute__((noinline)) bool doubt_large(const uint8_t *data,
                                                  size_t size)
{
    const uint32_t share = (uint32_t)((size - TAIL) / LANES);
    const __m256i shares = _mm256_set1_epi32((int)share);
    const __m256i first =
        _mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), shares);
    struct lanes l = {.said = _mm256_set1_epi32((int)STANDS),
                      .least = _mm256_set1_epi32(-1),
                      .most = _mm256_setzero_si256()};
    uint32_t starts[LANES], ends[LANES];
    /* The first walk starts at the block's second sequence, which leaves
     * three bytes before it to be loaded. */
    size_t second = offsets_step(data, size, 0);

    if (second == 0 || second > share)
        return true;
    l.at = _mm256_sub_epi32(first, _mm256_set1_epi32(LEAD));
    l.at = _mm256_insert_epi32(l.at, (int)second, 0);
    if (!run_lanes(data, size, &l, first))
        return true;
    _mm256_storeu_si256((__m256i *)(void *)starts, l.at);

    /* What was seen so far may have been no sequences. */
    l.said = _mm256_set1_epi32((int)STANDS);
    l.least = _mm256_set1_epi32(-1);
    l.most = _mm256_setzero_si256();
    if (!run_lanes(data, size, &l, _mm256_add_epi32(first, shares)) ||
        saw_bad(data, l))
        return true;
    _mm256_storeu_si256((__m256i *)(void *)ends, l.at);
    for (int i = 0; i + 1 < LANES; i++)
        if (!runs_into(data, size, ends[i], starts[i + 1]))
            return true;
    return envelope_offsets_walk(data, size, ends[LANES - 1]);
}

bool envelope_offsets_doubt_avx2(const uint8_t *block, size_t block_size,
                                 size_t output_size)
{
    if (output_size > OUTPUT_SMALL)
        return block_size < LANES_MIN || doubt_large(block, block_size);
    return block_size < SCAN_MIN ||
           doubt_small(block, block_size, output_size);
}

#endif
