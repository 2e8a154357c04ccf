/* SPDX-License-Identifier: MIT */
/* Documents of known shape: records, envelopes, integers, deep nests. */
#include "msgpack/sample/msgpack_sample.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/prng.h"

/* The stream's published first state. */
#define STREAM_STATE UINT64_C(0x2545f4914f6cdd1d)

static uint64_t seeded(uint64_t state, uint64_t seed)
{
    uint64_t mixed = seed;

    return seed == 0 ? state : state ^ prng_splitmix64(&mixed);
}

static enum status put_array_head(struct sink *out, uint32_t count)
{
    if (count <= 15)
        return sink_put_u8(out, (uint8_t)(0x90 + count));
    if (count <= UINT16_MAX) {
        TRY(sink_put_u8(out, 0xdc));
        return sink_put_be16(out, (uint16_t)count);
    }
    TRY(sink_put_u8(out, 0xdd));
    return sink_put_be32(out, count);
}

static enum status put_uint(struct sink *out, uint32_t value)
{
    if (value <= 0x7f)
        return sink_put_u8(out, (uint8_t)value);
    if (value <= UINT8_MAX) {
        TRY(sink_put_u8(out, 0xcc));
        return sink_put_u8(out, (uint8_t)value);
    }
    if (value <= UINT16_MAX) {
        TRY(sink_put_u8(out, 0xcd));
        return sink_put_be16(out, (uint16_t)value);
    }
    TRY(sink_put_u8(out, 0xce));
    return sink_put_be32(out, value);
}

/* A string of at most 31 bytes. */
static enum status put_text(struct sink *out, const char *text)
{
    size_t size = strlen(text);

    assert(size <= 31);
    TRY(sink_put_u8(out, (uint8_t)(0xa0 + size)));
    return sink_put(out, text, size);
}

static enum status put_double(struct sink *out, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    TRY(sink_put_u8(out, 0xcb));
    return sink_put_be64(out, bits);
}

static enum status put_user(struct sink *out, uint64_t s)
{
    char text[32];

    TRY(put_text(out, "user"));
    snprintf(text, sizeof(text), "user_%" PRIx64, s % 0xffffff);
    TRY(put_text(out, text));
    TRY(put_text(out, "email"));
    snprintf(text, sizeof(text), "u%" PRIu64 "@example%" PRIu64 ".com",
             s % 100000, s % 7);
    return put_text(out, text);
}

static enum status put_tags(struct sink *out, uint64_t s)
{
    static const char *const names[] = {"free", "pro",  "trial", "eu",
                                        "us",   "beta", "admin"};

    TRY(put_text(out, "tags"));
    TRY(put_array_head(out, s % 4));
    for (uint64_t j = 0; j < s % 4; j++)
        TRY(put_text(out, names[(s >> 8 * j) % ARRAY_COUNT(names)]));
    return ST_OK;
}

static enum status put_created_at(struct sink *out, uint64_t s)
{
    char text[32];

    TRY(put_text(out, "created_at"));
    snprintf(text, sizeof(text), "2026-%02u-%02uT%02u:%02u:%02uZ",
             (unsigned)(1 + s % 12), (unsigned)(1 + (s >> 8) % 28),
             (unsigned)((s >> 16) % 24), (unsigned)((s >> 24) % 60),
             (unsigned)((s >> 32) % 60));
    return put_text(out, text);
}

/* Record number i, from 1. */
static enum status put_record(struct sink *out, uint64_t s, uint32_t i)
{
    TRY(sink_put_u8(out, 0x87));
    TRY(put_text(out, "id"));
    TRY(put_uint(out, 1000000 + i));
    TRY(put_user(out, s));
    TRY(put_text(out, "score"));
    TRY(put_double(out, (double)(s % 10000) / 100.0));
    TRY(put_text(out, "active"));
    TRY(sink_put_u8(out, s % 3 != 0 ? 0xc3 : 0xc2));
    TRY(put_tags(out, s));
    return put_created_at(out, s);
}

void msgpack_sample_stream(uint64_t seed, uint8_t *out, size_t out_size)
{
    uint64_t state = seeded(STREAM_STATE, seed);
    size_t at = 0;

    for (uint32_t i = 1; at < out_size; i++) {
        uint8_t bytes[MSGPACK_SAMPLE_RECORD_BOUND];
        struct sink record = sink_init(bytes, sizeof(bytes));
        size_t n = out_size - at;
        enum status st = put_record(&record, prng_xorshift64(&state), i);

        assert(st == ST_OK);
        (void)st;
        if (n > record.at)
            n = record.at;
        memcpy(out + at, bytes, n);
        at += n;
    }
}

enum status msgpack_sample_records(uint64_t seed, uint32_t record_count,
                                   struct sink *out)
{
    uint64_t state = seeded(STREAM_STATE, seed);

    TRY(put_array_head(out, record_count));
    for (uint32_t i = 1; i <= record_count; i++)
        TRY(put_record(out, prng_xorshift64(&state), i));
    return ST_OK;
}

static enum status put_bin(struct sink *out, const uint8_t *data, size_t size)
{
    if (size <= UINT8_MAX) {
        TRY(sink_put_u8(out, 0xc4));
        TRY(sink_put_u8(out, (uint8_t)size));
    } else if (size <= UINT16_MAX) {
        TRY(sink_put_u8(out, 0xc5));
        TRY(sink_put_be16(out, (uint16_t)size));
    } else {
        assert(size <= UINT32_MAX);
        TRY(sink_put_u8(out, 0xc6));
        TRY(sink_put_be32(out, (uint32_t)size));
    }
    return sink_put(out, data, size);
}

static enum status put_bytes_as_ints(struct sink *out, const uint8_t *data,
                                     size_t size)
{
    assert(size <= UINT32_MAX);
    TRY(put_array_head(out, (uint32_t)size));
    for (size_t i = 0; i < size; i++)
        TRY(put_uint(out, data[i]));
    return ST_OK;
}

enum status msgpack_sample_envelope_put(
    const struct msgpack_sample_envelope *envelope,
    enum msgpack_sample_form form, struct sink *out)
{
    TRY(put_array_head(out, 4));
    if (form == MSGPACK_SAMPLE_BIN)
        TRY(put_bin(out, envelope->block, envelope->block_size));
    else
        TRY(put_bytes_as_ints(out, envelope->block, envelope->block_size));
    TRY(put_bytes_as_ints(out, envelope->checksum,
                          sizeof(envelope->checksum)));
    TRY(put_uint(out, envelope->original_size));
    return put_text(out, "msgpack");
}

/* Sizes and checksums of the record stream, cut to these sizes. */
static const struct shape {
    uint16_t block_size;
    uint32_t original_size;
    uint8_t checksum[8];
} shapes[MSGPACK_SAMPLE_SHAPE_COUNT] = {
    {66, 64, {0x67, 0xb4, 0xe8, 0x27, 0xd6, 0x47, 0x21, 0x1b}},
    {582, 1024, {0x87, 0x47, 0x06, 0x88, 0xac, 0x87, 0x8b, 0xdb}},
    {24672, 65536, {0xba, 0x9b, 0x7a, 0x2d, 0x4c, 0xed, 0xf9, 0x5c}},
};

enum status msgpack_sample_shape(uint64_t seed, size_t shape,
                                 enum msgpack_sample_form form,
                                 struct sink *out)
{
    assert(shape < MSGPACK_SAMPLE_SHAPE_COUNT);
    uint64_t state = seed + 1;
    uint8_t block[24672];
    struct msgpack_sample_envelope envelope = {
        .block = block,
        .block_size = shapes[shape].block_size,
        .original_size = shapes[shape].original_size,
    };

    for (size_t i = 0; i < envelope.block_size; i++)
        block[i] = (uint8_t)prng_splitmix64(&state);
    for (size_t i = 0; i < sizeof(envelope.checksum); i++)
        envelope.checksum[i] = seed == 0 ? shapes[shape].checksum[i]
                                         : (uint8_t)prng_splitmix64(&state);
    return msgpack_sample_envelope_put(&envelope, form, out);
}

enum status msgpack_sample_ints(uint64_t seed, uint32_t count,
                                struct sink *out)
{
    TRY(put_array_head(out, count));
    for (uint32_t i = 0; i < count; i++)
        TRY(sink_put_u8(out, prng_splitmix64(&seed) & 0x7f));
    return ST_OK;
}

enum status msgpack_sample_deep(enum msgpack_sample_nest nest, size_t depth,
                                struct sink *out)
{
    for (size_t i = 0; i < depth; i++) {
        if (nest == MSGPACK_SAMPLE_MAPS)
            TRY(sink_put(out, "\x81\xa0", 2));
        else
            TRY(sink_put_u8(out, 0x91));
    }
    return sink_put_u8(out, 0xc0);
}
