/* SPDX-License-Identifier: MIT */
/* The random mix: every kind of marker, in no order a predictor could know. */
#include "msgpack/sample/msgpack_sample.h"

#include "base/prng.h"

/* Longest content of a str, bin or ext, in bytes. */
#define CONTENT_MAX 31

/* Most elements or pairs of a collection. */
#define CHILD_MAX 3

enum mix_form {
    MIX_PLAIN,    /* `size` bytes of payload */
    MIX_BYTES,    /* a prefix, and as many bytes and `size` more */
    MIX_ELEMENTS, /* a prefix, and as many items times `size` */
};

/* The kinds of marker.  A fix kind has its prefix in the marker's low bits,
 * of which `low` is the largest value. */
static const struct mix_kind {
    uint8_t marker;
    uint8_t low;
    uint8_t form; /* enum mix_form */
    uint8_t prefix_size;
    uint8_t size;
} kinds[] = {
    {0x00, 0x7f, MIX_PLAIN, 0, 0},         /* positive fixint */
    {0x80, CHILD_MAX, MIX_ELEMENTS, 0, 2}, /* fixmap */
    {0x90, CHILD_MAX, MIX_ELEMENTS, 0, 1}, /* fixarray */
    {0xa0, CONTENT_MAX, MIX_BYTES, 0, 0},  /* fixstr */
    {0xc0, 0, MIX_PLAIN, 0, 0},            /* nil, false, true */
    {0xc2, 0, MIX_PLAIN, 0, 0},
    {0xc3, 0, MIX_PLAIN, 0, 0},
    {0xc4, CONTENT_MAX, MIX_BYTES, 1, 0}, /* bin */
    {0xc5, CONTENT_MAX, MIX_BYTES, 2, 0},
    {0xc6, CONTENT_MAX, MIX_BYTES, 4, 0},
    {0xc7, CONTENT_MAX, MIX_BYTES, 1, 1}, /* ext */
    {0xc8, CONTENT_MAX, MIX_BYTES, 2, 1},
    {0xc9, CONTENT_MAX, MIX_BYTES, 4, 1},
    {0xca, 0, MIX_PLAIN, 0, 4}, /* float */
    {0xcb, 0, MIX_PLAIN, 0, 8},
    {0xcc, 0, MIX_PLAIN, 0, 1}, /* uint */
    {0xcd, 0, MIX_PLAIN, 0, 2},
    {0xce, 0, MIX_PLAIN, 0, 4},
    {0xcf, 0, MIX_PLAIN, 0, 8},
    {0xd0, 0, MIX_PLAIN, 0, 1}, /* int */
    {0xd1, 0, MIX_PLAIN, 0, 2},
    {0xd2, 0, MIX_PLAIN, 0, 4},
    {0xd3, 0, MIX_PLAIN, 0, 8},
    {0xd4, 0, MIX_PLAIN, 0, 2}, /* fixext */
    {0xd5, 0, MIX_PLAIN, 0, 3},
    {0xd6, 0, MIX_PLAIN, 0, 5},
    {0xd7, 0, MIX_PLAIN, 0, 9},
    {0xd8, 0, MIX_PLAIN, 0, 17},
    {0xd9, CONTENT_MAX, MIX_BYTES, 1, 0}, /* str */
    {0xda, CONTENT_MAX, MIX_BYTES, 2, 0},
    {0xdb, CONTENT_MAX, MIX_BYTES, 4, 0},
    {0xdc, CHILD_MAX, MIX_ELEMENTS, 2, 1}, /* array */
    {0xdd, CHILD_MAX, MIX_ELEMENTS, 4, 1},
    {0xde, CHILD_MAX, MIX_ELEMENTS, 2, 2}, /* map */
    {0xdf, CHILD_MAX, MIX_ELEMENTS, 4, 2},
    {0xe0, 0x1f, MIX_PLAIN, 0, 0}, /* negative fixint */
};

static enum status put_random(struct sink *out, uint64_t *state, size_t size)
{
    for (size_t i = 0; i < size; i++)
        TRY(sink_put_u8(out, (uint8_t)prng_splitmix64(state)));
    return ST_OK;
}

/* The marker and prefix of a kind with value n. */
static enum status put_head(struct sink *out, const struct mix_kind *kind,
                            uint8_t n)
{
    if (kind->prefix_size == 0)
        return sink_put_u8(out, kind->marker | n);
    TRY(sink_put_u8(out, kind->marker));
    for (size_t i = 1; i < kind->prefix_size; i++)
        TRY(sink_put_u8(out, 0));
    return sink_put_u8(out, n);
}

/* One item with depth collections around it.  Recursion is bounded: by
 * MSGPACK_SAMPLE_MIX_DEPTH. */
static enum status put_item(struct sink *out, uint64_t *state, size_t depth)
{
    const struct mix_kind *kind =
        &kinds[prng_below(state, ARRAY_COUNT(kinds))];

    if (kind->form == MIX_ELEMENTS && depth == MSGPACK_SAMPLE_MIX_DEPTH)
        return sink_put_u8(out, 0xc0);

    uint8_t n = (uint8_t)prng_below(state, kind->low + UINT64_C(1));
    TRY(put_head(out, kind, n));
    if (kind->form == MIX_ELEMENTS) {
        for (size_t i = 0; i < (size_t)n * kind->size; i++)
            TRY(put_item(out, state, depth + 1));
        return ST_OK;
    }
    return put_random(out, state,
                      kind->size + (kind->form == MIX_BYTES ? n : 0u));
}

enum status msgpack_sample_mix(uint64_t seed, uint32_t count, struct sink *out)
{
    TRY(sink_put_u8(out, 0xdd));
    TRY(sink_put_be32(out, count));
    for (uint32_t i = 0; i < count; i++)
        TRY(put_item(out, &seed, 1));
    return ST_OK;
}
