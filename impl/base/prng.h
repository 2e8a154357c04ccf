/* SPDX-License-Identifier: MIT */
/* Small seeded generators for tests and case inputs; not for secrets.  The
 * state is the caller's, so equal seeds give equal sequences anywhere. */
#ifndef BASE_PRNG_H
#define BASE_PRNG_H

#include <stdint.h>

/**
 * Step a xorshift generator with the shifts 13, 7, 17, and return its new
 * state, which is the random value.
 *
 *   state  any value but 0, of which nothing but 0 follows
 *
 * Source: G. Marsaglia, "Xorshift RNGs", 2003.
 */
static inline uint64_t prng_xorshift64(uint64_t *state)
{
    uint64_t s = *state;

    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    *state = s;
    return s;
}

/**
 * Step a splitmix64 generator, and return the next value.  Any state will do,
 * and neighbouring seeds give unrelated sequences: the better choice where no
 * format asks for xorshift.
 *
 * Source: S. Vigna, splitmix64.c, 2015.
 */
static inline uint64_t prng_splitmix64(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/** The next value of splitmix64 below bound, which is at least 1.  The bias
 * is at most bound / 2^64. */
static inline uint64_t prng_below(uint64_t *state, uint64_t bound)
{
    return (uint64_t)((unsigned __int128)prng_splitmix64(state) * bound >> 64);
}

#endif
