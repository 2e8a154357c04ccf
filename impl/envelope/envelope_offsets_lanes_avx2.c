/* SPDX-License-Identifier: MIT */
/*
 * Ruling out a match of offset 0 with less than a walk from token to token,
 * each of which waits for the one before: eight walks at once, one in each
 * lane of a vector, from eighths of the block.  Where a sequence starts is not
 * known there, but walks from anywhere run together with the right one after a
 * few sequences; so each starts some way before its eighth.  Whether that was
 * right is seen at the end, when each walk must come to where the next one
 * started.  What is not ruled out is in doubt, and the caller walks.
 */
#include "envelope/envelope_offsets.h"

#if defined(__AVX2__)

#include <immintrin.h>

static inline __m256i load(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

#define LANES      8
#define ROUND      8  /* steps between looks at the lanes */
#define STRIDE     3  /* of a step over a sequence without literals */
#define STRIDE_MAX 18 /* with 14 literals and a length byte */
#define LEAD       96 /* bytes for a walk to run together with the right one */
/* A lane below its limit goes on for a round, and is looked at once more. */
#define TAIL     (ROUND * STRIDE_MAX + 4)
#define LEFT_MIN 2048 /* for each walk to begin after the one before */

/* In a word of a lane: a token, and before it the three bytes that are the
 * end of the sequence before. */
#define TOKEN_ONE     0x01000000 /* 1 in the token */
#define TOKEN_MATCH   0x0f000000 /* its low nibble */
#define TOKEN_LITERAL 0xf0000000u
#define LITERAL_SHIFT 28

/*
 * Which bytes of its word a lane looks at: the offset in the low half; above
 * it the length byte, if there is one; and none.
 */
#define LOOK_PLAIN(i)  (0x80800201 + (i)*0x0404)
#define LOOK_LENGTH(i) (0x80020100 + (i)*0x040404)

/* Added to what a lane looks at, so that an offset 0 is the largest, a length
 * byte that goes on is the largest, and the sign says that the lane runs. */
#define LOOKED     0x8000ffffu
#define LOOKED_BAD 0x80ffffffu

struct lanes {
    __m256i at;     /* offsets of tokens */
    __m256i match;  /* low nibbles of the tokens before */
    __m256i looked; /* at last; its signs are the lanes that run */
    __m256i most;   /* of what was looked at, by halves */
    __m256i tokens; /* largest word loaded */
};

static ALWAYS_INLINE __m256i all(uint32_t value)
{
    return _mm256_set1_epi32((int)value);
}

static inline void store(uint32_t lanes[LANES], __m256i v)
{
    _mm256_storeu_si256((__m256i *)(void *)lanes, v);
}

/* What a round needs between its steps. */
#define IN_ALL(x)                                                             \
    {                                                                         \
        x, x, x, x, x, x, x, x                                                \
    }
static const struct round_words {
    uint32_t looked[LANES], strides[LANES], literal[LANES];
} round_words = {IN_ALL(LOOKED), IN_ALL(STRIDE *ROUND), IN_ALL(TOKEN_LITERAL)};

#define IN_LANES(look)                                                        \
    _mm256_setr_epi32((int)look(0), (int)look(1), (int)look(2), (int)look(3), \
                      (int)look(0), (int)look(1), (int)look(2), (int)look(3))

/* One sequence in each lane that runs; but a high nibble of 15 is taken for
 * so many literals.  Offsets are short by STRIDE for each step before. */
static ALWAYS_INLINE void step_lanes(const uint8_t *data, struct lanes *l,
                                     __m256i looked, int steps_before)
{
    const int *words =
        (const int *)(const void *)(data + STRIDE * steps_before - 3);
    const __m256i match = all(TOKEN_MATCH);
    __m256i look =
        _mm256_blendv_epi8(IN_LANES(LOOK_PLAIN), IN_LANES(LOOK_LENGTH),
                           _mm256_cmpeq_epi32(l->match, match));
    __m256i word;

    /* Now, or else l->match is kept in one more register. */
    __asm__("" : "+x"(look));
    /* Lanes that do not run load nothing. */
    word = _mm256_mask_i32gather_epi32(l->match, words, l->at, l->looked, 1);
    l->match = _mm256_and_si256(word, match);
    l->looked = _mm256_add_epi16(_mm256_shuffle_epi8(word, look), looked);
    l->most = _mm256_max_epu16(l->most, l->looked);
    l->tokens = _mm256_max_epu32(l->tokens, word);
    /* A low nibble of 15 carries, and steps over the length byte. */
    word = _mm256_add_epi32(word, all(TOKEN_ONE));
    l->at = _mm256_add_epi32(l->at, _mm256_srli_epi32(word, LITERAL_SHIFT));
}

/* Walk from the token at `at` over `steps` sequences or more, to a token
 * after a sequence that a lane can look at: with a length byte or none.  Gives
 * the size at the block's end, and 0 when an offset is 0. */
static size_t step_to_lane(const uint8_t *data, size_t size, size_t at,
                           int steps, bool *has_length)
{
    bool can_look = false;

    for (int step = 0; at < size && (step < steps || !can_look); step++) {
        *has_length = (data[at] & OFFSETS_NIBBLE_FULL) == OFFSETS_NIBBLE_FULL;
        at = offsets_step(data, size, at);
        if (at == 0)
            return 0;
        can_look = !*has_length || data[at - 2] != OFFSETS_BYTE_FULL;
    }
    return at;
}

/* Repeat a round, from where it began, in the lanes that have met a high
 * nibble of 15.  False when an offset is 0. */
static COLD bool repeat_round(const uint8_t *data, size_t size,
                              struct lanes *l, struct lanes before,
                              __m256i met)
{
    unsigned bits = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(met));
    uint32_t at[LANES], now[LANES], match[LANES];

    store(at, before.at);
    store(now, l->at);
    store(match, l->match);
    for (; bits != 0; bits &= bits - 1) {
        const int i = __builtin_ctz(bits);
        bool has_length = false;

        now[i] = (uint32_t)step_to_lane(data, size, at[i], ROUND, &has_length);
        match[i] = has_length ? TOKEN_MATCH : 0;
        if (now[i] == 0)
            return false;
    }
    l->at = load(now);
    l->match = load(match);
    /* What these lanes have seen, but for its beginning, were no sequences. */
    step_lanes(data, &before, all(LOOKED), 0);
    l->most = _mm256_blendv_epi8(l->most, before.most, met);
    l->tokens = _mm256_setzero_si256();
    return true;
}

/* Whether a lane has met a high nibble of 15. */
static ALWAYS_INLINE bool met_literal(const struct lanes *l, __m256i literal,
                                      __m256i *met)
{
    *met = _mm256_cmpeq_epi32(_mm256_and_si256(l->tokens, literal), literal);
    return UNLIKELY(!_mm256_testz_si256(*met, *met));
}

/* Walk in each lane until it is at its limit or past it.  Only an exact walk
 * knows length bytes of literals: one that has yet to run together with the
 * right one need not.  False when an offset is 0. */
static ALWAYS_INLINE bool run_lanes(const uint8_t *data, size_t size,
                                    struct lanes *l, __m256i limits,
                                    bool exact)
{
    /* From memory: there are no registers left to make them in. */
    const struct round_words *words = &round_words;

    __asm__("" : "+r"(words));
    for (;;) {
        const __m256i running = _mm256_cmpgt_epi32(limits, l->at);
        const __m256i looked = _mm256_and_si256(running, load(words->looked));
        struct lanes before = *l;
        __m256i met;

        if (_mm256_testz_si256(running, running))
            return true;
        before.looked = l->looked = looked;
#pragma GCC unroll 8
        for (int i = 0; i < ROUND; i++)
            step_lanes(data, l, looked, i);
        l->at = _mm256_add_epi32(l->at, load(words->strides));
        /* The lanes that are through stay where they were. */
        l->at = _mm256_blendv_epi8(before.at, l->at, running);
        if (exact && met_literal(l, load(words->literal), &met)) {
            struct lanes again = *l;
            if (!repeat_round(data, size, &again, before, met))
                return false;
            *l = again;
        }
    }
}

/* Whether a lane has seen an offset 0, or a length byte that goes on; the last
 * sequences are looked at too. */
static ALWAYS_INLINE bool saw_bad(const uint8_t *data, size_t size,
                                  struct lanes l)
{
    __m256i bad;

    l.looked = _mm256_cmpgt_epi32(all((uint32_t)size), l.at);
    step_lanes(data, &l, all(LOOKED), 0);
    bad = _mm256_cmpeq_epi16(l.most, all(LOOKED_BAD));
    return !_mm256_testz_si256(bad, bad);
}

/* Whether the walk that ended at `end` comes to where the next one started,
 * with no offset 0 on the way. */
static bool runs_into(const uint8_t *data, size_t size, size_t end,
                      size_t start)
{
    while (end != start) {
        if (end < start)
            end = envelope_offsets_walk(data, size, end, start);
        else
            start = envelope_offsets_walk(data, size, start, end);
        if (end == 0 || start == 0)
            return false;
    }
    return true;
}

bool envelope_offsets_doubt_lanes_avx2(const uint8_t *data, size_t size)
{
    uint32_t starts[LANES + 1], ends[LANES];
    struct lanes l = {.most = _mm256_setzero_si256()};
    uint32_t share;
    __m256i first;
    bool has_length = false;

    size_t at = step_to_lane(data, size, 0, 4, &has_length);

    if (at == 0 || size - at < LEFT_MIN)
        return at == 0 || envelope_offsets_walk(data, size, at, size) == 0;
    /* A quarter of a share more for the first: the compressor had seen little
     * yet, so sequences are longer there. */
    share = (uint32_t)((size - at - TAIL) / (4 * LANES + 1) * 4);
    first = _mm256_add_epi32(
        all((uint32_t)at + share / 4),
        _mm256_mullo_epi32(all(share),
                           _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)));
    /* The first walk is right from its start. */
    l.at = _mm256_blend_epi32(_mm256_sub_epi32(first, all(LEAD)),
                              all((uint32_t)at), 1);
    if (has_length)
        l.match = _mm256_setr_epi32(TOKEN_MATCH, 0, 0, 0, 0, 0, 0, 0);
    (void)run_lanes(data, size, &l,
                    _mm256_blend_epi32(first, _mm256_setzero_si256(), 1),
                    false);
    store(starts, l.at);
    starts[LANES] = (uint32_t)size;

    /* What was seen so far may have been no sequences. */
    l.most = l.tokens = _mm256_setzero_si256();
    if (!run_lanes(data, size, &l, _mm256_add_epi32(first, all(share)),
                   true) ||
        saw_bad(data, size, l))
        return true;
    store(ends, l.at);
    for (int i = 0; i < LANES; i++)
        if (!runs_into(data, size, ends[i], starts[i + 1]))
            return true;
    return false;
}

#endif
