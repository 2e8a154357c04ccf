/* SPDX-License-Identifier: MIT */
/*
 * What a pair of zeros in a small block can be.  Where a block that liblz4 has
 * accepted has matches of offset 0, one of them is the last.  So a pair that
 * is no offset at all, or is one but cannot be the last of offset 0, is as
 * good as none; when that holds for each pair, no offset is 0.
 *
 * What follows: from the last offset 0 on sequences lead to the block's end,
 * and each of their offsets is from 1 to the size of the output.  Next after
 * it comes a token, or a length byte and then a token.  In a run of zeros that
 * ends before the byte T at `end` this leaves these places for what leads on,
 * since an offset among the zeros would be a later offset 0:
 *
 *   ... 0 0 0 0 T X Y ...
 *               ---         the last zero is a token: from 3 zeros on
 *               T...        T is the token
 *                 X...      X is: T is a length byte, or with the last zero
 *                           the offset after a token 0
 *
 * (Of several length bytes the first is 255; so T, as a token, has more
 * literals than its nibble holds, and that always leaves a doubt.)
 *
 * What precedes: an offset has a token before it, with as many literals as lie
 * between them; and a token stands at the block's start, after an offset, or
 * after the length bytes that follow one.  No offset is above the size of the
 * output.
 */
#include "envelope/envelope_offsets.h"

#if defined(__AVX2__)

#include <immintrin.h>

#define VECTOR_SIZE ((size_t)32)

/* Up to here a walk costs as much as a look at what precedes. */
#define NEAR_SIZE 64

#define TOKEN_LONG (OFFSETS_NIBBLE_FULL << 4)

/* Pairs of a run, from its end, that can be a last offset 0. */
#define RUN_PAIRS 4

/* In instructions, about: a walk a byte of the block, and looks at a run and
 * at a pair. */
#define WALK_COST(size) ((size) + (size) / 2)
#define RUN_COST        48
#define PAIR_COST(at)   (32 + (at) / 2)

struct block {
    const uint8_t *data;
    size_t size;
    size_t output_size;
    size_t budget; /* of looks that cost no more than a walk */
};

static inline __m256i load(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

static inline bool pays(struct block *b, size_t cost)
{
    return !__builtin_sub_overflow(b->budget, cost, &b->budget);
}

/* ---- what follows ------------------------------------------------------- */

static inline bool offset_fits(const struct block *b, size_t at)
{
    return (size_t)offsets_load(b->data + at) - 1 < b->output_size;
}

/* Whether a token here leads to an offset that fits, or is the last. */
static inline bool may_follow(const struct block *b, size_t at)
{
    const size_t literals = b->data[at] >> 4;
    const size_t next = at + 1 + literals;

    if (literals == OFFSETS_NIBBLE_FULL)
        return true;
    return next + OFFSETS_SIZE <= b->size ? offset_fits(b, next)
                                          : next == b->size;
}

/* Whether so many zeros end here, which is two at least. */
static inline bool zeros_end(const struct block *b, size_t zeros, size_t end)
{
    while (zeros > OFFSETS_SIZE && b->data[end - zeros] == 0)
        zeros--;
    return zeros == OFFSETS_SIZE;
}

/* Whether a pair of the run that ends here may be the last offset 0. */
static inline bool may_be_last(const struct block *b, size_t end)
{
    return b->size - end < OFFSETS_SIZE ||
           (offset_fits(b, end) && zeros_end(b, 3, end)) ||
           may_follow(b, end) || may_follow(b, end + 1);
}

/* ---- what precedes ------------------------------------------------------ */

/* Whether what stands before may lead to a token here. */
static inline bool may_be_token(const struct block *b, size_t at)
{
    return offsets_load(b->data + at - 2) <= b->output_size ||
           offsets_load(b->data + at - 3) <= b->output_size ||
           b->data[at - 2] == OFFSETS_BYTE_FULL;
}

/* Whether a token whose nibble holds its literals may lead to an offset here.
 */
static inline bool may_end_short(const struct block *b, size_t at)
{
    /* By the distance to the offset; 0xff is no high nibble. */
    const __m128i nibbles = _mm_setr_epi8(
        (char)0xff, (char)0xe0, (char)0xd0, (char)0xc0, (char)0xb0, (char)0xa0,
        (char)0x90, (char)0x80, 0x70, 0x60, 0x50, 0x40, 0x30, 0x20, 0x10, 0);
    const __m128i bytes = _mm_and_si128(
        _mm_loadu_si128(
            (const __m128i *)(const void *)(b->data + at - sizeof(nibbles))),
        _mm_set1_epi8((char)0xf0));
    unsigned tokens =
        (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, nibbles));

    for (; tokens != 0; tokens &= tokens - 1)
        if (may_be_token(b,
                         at - sizeof(nibbles) + (size_t)__builtin_ctz(tokens)))
            return true;
    return false;
}

/* Whether one of the 32 bytes from here on is a token of 15 literals or more
 * and the one after it is as given. */
static inline bool has_long(const uint8_t *p, __m256i bytes)
{
    const __m256i token = load(p);
    const __m256i is_long = _mm256_cmpeq_epi8(
        token, _mm256_max_epu8(token, _mm256_set1_epi8((char)TOKEN_LONG)));
    const __m256i is_byte = _mm256_cmpeq_epi8(load(p + 1), bytes);

    return !_mm256_testz_si256(is_long, is_byte);
}

/* Whether a token with length bytes for its literals may lead to an offset
 * here, which is more than a vector and a half from the start. */
static NOINLINE bool may_end_long(const struct block *b, size_t at)
{
    const __m256i up = _mm256_setr_epi8(
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
        20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
    /* A length byte of 0 leaves room for the token, it and 15 literals. */
    const size_t nearest = at - OFFSETS_NIBBLE_FULL - 2;

    for (size_t to = nearest + 1, from; to != 0; to = from) {
        from = to > VECTOR_SIZE ? to - VECTOR_SIZE : 0;
        /* One length byte says how much nearer the token could be; of more
         * than one the first is full. */
        const size_t length = nearest - from;
        const __m256i bytes =
            length <= OFFSETS_BYTE_FULL
                ? _mm256_sub_epi8(_mm256_set1_epi8((char)length), up)
                : _mm256_set1_epi8((char)OFFSETS_BYTE_FULL);
        if (has_long(b->data + from, bytes))
            return true;
    }
    return false;
}

/* Whether the pair here may be an offset, or telling costs too much. */
static bool may_be_offset(struct block *b, size_t at)
{
    return may_end_short(b, at) || !pays(b, PAIR_COST(at)) ||
           may_end_long(b, at);
}

/* ---- all pairs ---------------------------------------------------------- */

/* Whether an offset 0 is not ruled out in the run of zeros that ends here. */
static NOINLINE bool doubt_run(struct block *b, size_t end)
{
    if (!pays(b, RUN_COST))
        return true;
    if (end < NEAR_SIZE)
        return envelope_offsets_walk(b->data, b->size, 0, end) == 0;
    if (may_be_last(b, end))
        for (size_t zeros = 2; zeros <= RUN_PAIRS + 1; zeros++)
            if (zeros_end(b, zeros, end) && may_be_offset(b, end - zeros))
                return true;
    return false;
}

/* A bit for each pair of zeros that begins in these two vectors.  A function
 * of its own, so that its caller needs no aligned stack. */
static NOINLINE uint64_t find_pairs(const uint8_t *p)
{
    const __m256i zero = _mm256_setzero_si256();
    const __m256i low = _mm256_or_si256(load(p), load(p + 1));
    const __m256i high =
        _mm256_or_si256(load(p + VECTOR_SIZE), load(p + VECTOR_SIZE + 1));

    return (uint64_t)(uint32_t)_mm256_movemask_epi8(
               _mm256_cmpeq_epi8(high, zero))
               << VECTOR_SIZE |
           (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, zero));
}

/* The same for the runs with a pair in two vectors.  One that goes on after
 * them is looked at up to there, and again in the next two. */
static inline bool doubt_vectors(struct block *b, size_t at)
{
    const uint64_t pairs = find_pairs(b->data + at);

    for (uint64_t last = pairs & ~(pairs >> 1); last != 0; last &= last - 1)
        if (doubt_run(b, at + (size_t)__builtin_ctzll(last) + OFFSETS_SIZE))
            return true;
    return false;
}

bool envelope_offsets_doubt_pairs_avx2(const uint8_t *block, size_t block_size,
                                       size_t output_size, size_t at)
{
    struct block b = {block, block_size, output_size, WALK_COST(block_size)};
    const size_t last = block_size - 2 * VECTOR_SIZE - 1;

    for (; at < last; at += 2 * VECTOR_SIZE)
        if (doubt_vectors(&b, at))
            return true;
    return doubt_vectors(&b, last);
}

#endif
