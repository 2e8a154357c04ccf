/* SPDX-License-Identifier: MIT */
/* Blocks made by chance, and the plainest way to find an offset 0 in one. */
#ifndef ENVELOPE_TESTS_ENVELOPE_BLOCKS_H
#define ENVELOPE_TESTS_ENVELOPE_BLOCKS_H

#include "envelope/envelope_block.h"
#include "envelope/tests/envelope_samples.h"

/** Walk over all sequences of an accepted block. */
static inline bool walk_finds_zero(const uint8_t *block, size_t size)
{
    for (size_t at = 0; at < size;) {
        uint8_t token = block[at++];
        size_t length = token >> 4;
        if (length == 15)
            do
                length += block[at];
            while (block[at++] == 255);
        at += length;
        if (at >= size)
            return false;
        if (block[at] == 0 && block[at + 1] == 0)
            return true;
        at += 2;
        if ((token & 15) == 15)
            while (block[at++] == 255)
                ;
    }
    return false;
}

#define CHANCE_SEQUENCES 120
#define CHANCE_ROOM      8192

/** A block under construction. */
struct chance {
    uint8_t block[CHANCE_ROOM];
    size_t size;
    size_t made;  /* bytes that it gives, so far */
    size_t count; /* sequences before the last literals */
    size_t offset_at[CHANCE_SEQUENCES];
    uint64_t seed;
};

static inline size_t below(struct chance *c, size_t bound)
{
    return prng_below(&c->seed, bound);
}

static inline void put_byte(struct chance *c, size_t byte)
{
    assert_true(c->size < CHANCE_ROOM);
    c->block[c->size++] = (uint8_t)byte;
}

/** The length bytes of a length whose nibble is full. */
static inline void put_rest(struct chance *c, size_t length)
{
    if (length < 15)
        return;
    for (length -= 15; length >= 255; length -= 255)
        put_byte(c, 255);
    put_byte(c, length);
}

/** A token and its literals: letters, high bytes, and a few zeros. */
static inline void put_literals(struct chance *c, size_t literals,
                                size_t nibble)
{
    put_byte(c, (literals < 15 ? literals : 15) << 4 | nibble);
    put_rest(c, literals);
    c->made += literals;
    for (size_t i = 0; i < literals; i++)
        put_byte(c, below(c, 8) == 0   ? 0
                    : below(c, 6) == 0 ? below(c, 256)
                                       : 'a' + below(c, 4));
}

static inline void put_sequence(struct chance *c)
{
    size_t literals = below(c, below(c, 3) == 0 ? 16 : 6);
    size_t match = below(c, below(c, 4) == 0 ? 40 : 15);
    size_t offset = 1 + below(c, below(c, 5) == 0 ? 2000 : 12);

    if (below(c, 20) == 0)
        literals = below(c, 40);
    if (below(c, 60) == 0)
        literals = 255 + below(c, 60);
    if (below(c, 40) == 0)
        match = 15 + below(c, 600);
    if (below(c, 150) == 0)
        offset = 0;
    put_literals(c, literals, match < 15 ? match : 15);
    if (offset > c->made)
        offset = 1 + below(c, c->made);
    c->made += match + 4;
    c->offset_at[c->count++] = c->size;
    put_byte(c, offset & 255);
    put_byte(c, offset >> 8);
    put_rest(c, match);
}

/** So many sequences, most of them short, and the last literals. */
static inline void make_block(struct chance *c, size_t count)
{
    c->size = c->count = 0;
    c->made = 0;
    put_literals(c, 1 + below(c, 40), 1); /* for offsets to reach */
    c->made += 5;
    c->offset_at[c->count++] = c->size;
    put_byte(c, 1);
    put_byte(c, 0);
    for (size_t i = 0; i < count; i++)
        put_sequence(c);
    put_literals(c, 12 + below(c, 24), 0);
}

#endif
