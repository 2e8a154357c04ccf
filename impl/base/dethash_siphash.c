/* SPDX-License-Identifier: MIT */
/* SipHash-1-3 of a key and its end mark, for the deterministic map. */
#include "base/dethash.h"

#include "base/cursor.h"

#define WORD_SIZE 8

/* Follows each key, so that no key's hash is that of a longer one's start. */
#define END_MARK UINT64_C(0xff)

struct sip {
    uint64_t v0, v1, v2, v3;
};

static ALWAYS_INLINE uint64_t rotate(uint64_t v, unsigned bits)
{
    return v << bits | v >> (64 - bits);
}

static ALWAYS_INLINE void sip_round(struct sip *s)
{
    s->v0 += s->v1;
    s->v1 = rotate(s->v1, 13) ^ s->v0;
    s->v0 = rotate(s->v0, 32);
    s->v2 += s->v3;
    s->v3 = rotate(s->v3, 16) ^ s->v2;
    s->v0 += s->v3;
    s->v3 = rotate(s->v3, 21) ^ s->v0;
    s->v2 += s->v1;
    s->v1 = rotate(s->v1, 17) ^ s->v2;
    s->v2 = rotate(s->v2, 32);
}

static ALWAYS_INLINE void sip_block(struct sip *s, uint64_t word)
{
    s->v3 ^= word;
    sip_round(s);
    s->v0 ^= word;
}

/* The last size % 8 bytes as a number.  A key of 8 or more lends the bytes
 * before them, which are shifted out: one load instead of a loop. */
static ALWAYS_INLINE uint64_t tail_word(const uint8_t *key, size_t size)
{
    size_t tail = size % WORD_SIZE;

    if (LIKELY(size >= WORD_SIZE)) /* in two steps, since tail may be 0 */
        return load_le64(key + size - WORD_SIZE) >> 8 >> (56 - 8 * tail);
    uint64_t word = 0;
    for (size_t i = 0; i < tail; i++)
        word |= (uint64_t)key[i] << (8 * i);
    return word;
}

uint64_t dethash_siphash13(uint64_t k0, uint64_t k1, const void *key,
                           size_t key_size)
{
    const uint8_t *bytes = key;
    size_t tail = key_size % WORD_SIZE;
    uint64_t length = (uint64_t)(key_size + 1) << 56; /* its low byte */
    struct sip s = {.v0 = k0 ^ UINT64_C(0x736f6d6570736575),
                    .v1 = k1 ^ UINT64_C(0x646f72616e646f6d),
                    .v2 = k0 ^ UINT64_C(0x6c7967656e657261),
                    .v3 = k1 ^ UINT64_C(0x7465646279746573)};

    for (size_t at = 0; at + WORD_SIZE <= key_size; at += WORD_SIZE)
        sip_block(&s, load_le64(bytes + at));
    uint64_t last = tail_word(bytes, key_size) | END_MARK << (8 * tail);
    if (tail == WORD_SIZE - 1) { /* the mark completes a word */
        sip_block(&s, last);
        last = 0;
    }
    sip_block(&s, last | length);
    s.v2 ^= 0xff;
    sip_round(&s);
    sip_round(&s);
    sip_round(&s);
    return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}
