/* SPDX-License-Identifier: MIT */
/* Short blocks, which are decompressed here, against liblz4 (1.9.4, and its
 * rules for the end of a block): the same verdict and the same bytes, but for
 * an offset 0. */
#include "envelope/envelope_block.h"
#include "envelope/tests/envelope_samples.h"

#define BLOCK_ROOM 512

/* A block under construction; its sequences are made by chance. */
struct chance {
    uint8_t block[BLOCK_ROOM];
    size_t size;
    uint64_t seed;
};

static size_t below(struct chance *c, size_t bound)
{
    return prng_below(&c->seed, bound);
}

static void put(struct chance *c, size_t byte)
{
    assert_true(c->size < BLOCK_ROOM);
    c->block[c->size++] = (uint8_t)byte;
}

static void put_length(struct chance *c, size_t length)
{
    if (length < 15)
        return;
    for (length -= 15; length >= 255; length -= 255)
        put(c, 255);
    put(c, length);
}

static void put_literals(struct chance *c, size_t literals, size_t nibble)
{
    put(c, (literals < 15 ? literals : 15) << 4 | nibble);
    put_length(c, literals);
    for (size_t i = 0; i < literals; i++)
        put(c, below(c, 8) == 0 ? 0 : 'a' + below(c, 4));
}

/* Up to seven sequences and the last literals, most of them short, so that
 * much happens close to both ends. */
static void make_block(struct chance *c)
{
    c->size = 0;
    for (size_t i = below(c, 8); i > 0; i--) {
        size_t literals = below(c, below(c, 3) == 0 ? 16 : 6);
        size_t match = below(c, below(c, 4) == 0 ? 40 : 15);
        size_t offset = below(c, below(c, 5) == 0 ? 60 : 12);
        if (below(c, 20) == 0)
            literals = below(c, 40);
        if (below(c, 40) == 0)
            match = 15 + below(c, 600);
        put_literals(c, literals, match < 15 ? match : 15);
        put(c, offset);
        put(c, 0);
        put_length(c, match);
    }
    put_literals(c, below(c, 24), below(c, 2) == 0 ? below(c, 16) : 0);
    /* Most stay sound; the others are cut or have one byte changed. */
    if (below(c, 10) == 0)
        c->size = 1 + below(c, c->size);
    if (below(c, 4) == 0)
        c->block[below(c, c->size)] = (uint8_t)prng_splitmix64(&c->seed);
}

/* Room that is what is needed, some more, or less. */
static size_t choose_capacity(struct chance *c, const uint8_t *block)
{
    static uint8_t out[4096];
    int size = LZ4_decompress_safe((const char *)block, (char *)out,
                                   (int)c->size, sizeof(out));
    size_t whole = size > 0 ? (size_t)size : 64;

    switch (below(c, 4)) {
    case 0:
        return whole;
    case 1:
        return whole + below(c, 40);
    case 2:
        return whole - below(c, whole < 20 ? whole : 20);
    default:
        return below(c, 300);
    }
}

struct verdicts {
    size_t accepted, zero_offsets, rejected;
};

static void check_verdict(const uint8_t *block, size_t size, size_t capacity,
                          uint8_t *want, uint8_t *out, struct verdicts *seen)
{
    size_t produced = 0;
    int want_size = LZ4_decompress_safe((const char *)block, (char *)want,
                                        (int)size, (int)capacity);
    bool ok = envelope_block_short(block, size, out, capacity, &produced);

    if (want_size < 0) {
        CHECK_BOOL(false, ok);
        seen->rejected++;
    } else if (envelope_offsets_walk(block, size, 0, size) == 0) {
        CHECK_BOOL(false, ok);
        seen->zero_offsets++;
    } else {
        CHECK_BOOL(true, ok);
        CHECK_BYTES(want, (size_t)want_size, out, produced);
        seen->accepted++;
    }
}

/* Block and room end at guard pages. */
static void check_block(const uint8_t *block, size_t size, size_t capacity,
                        struct verdicts *seen)
{
    uint8_t *want = guard_new(capacity), *out = guard_new(capacity);
    const uint8_t *in = guard_copy(block, size);

    check_verdict(in, size, capacity, want, out, seen);
    guard_free(in, size);
    guard_free(out, capacity);
    guard_free(want, capacity);
}

static void test_blocks_by_chance(void **state)
{
    (void)state;
    struct chance c = {.seed = 1};
    struct verdicts seen = {0};

    /* Few at guard pages, which take their time, and many without. */
    for (int i = 0; i < 150000; i++) {
        static uint8_t want[4200], out[4200];
        make_block(&c);
        size_t capacity = choose_capacity(&c, c.block);
        if (i % 32 == 0)
            check_block(c.block, c.size, capacity, &seen);
        else
            check_verdict(c.block, c.size, capacity, want, out, &seen);
    }
    assert_true(seen.accepted > 20000);
    assert_true(seen.zero_offsets > 4000);
    assert_true(seen.rejected > 20000);
}

/* Every block of up to three bytes, into a few sizes of room. */
static void test_all_tiny_blocks(void **state)
{
    (void)state;
    struct verdicts seen = {0};
    static const size_t capacities[] = {0, 1, 2, 15, 64};

    for (unsigned n = 0; n < 1u << 16; n += n < 1u << 10 ? 1 : 97)
        for (size_t i = 0; i < ARRAY_COUNT(capacities); i++) {
            uint8_t block[3] = {(uint8_t)n, (uint8_t)(n >> 8), 'c'};
            check_block(block, n % 3 + 1, capacities[i], &seen);
        }
    assert_true(seen.accepted > 50);
}

/* What the compressor makes, up to the size at which liblz4 takes over, and
 * from there on: both ways give the payload. */
static void test_compressed_payloads(void **state)
{
    (void)state;
    static const size_t sizes[] = {1,    12,   13,   64,   100,   1024,
                                   5000, 8000, 8192, 8250, 20000, 30000};
    uint8_t *payload = malloc(30000);
    assert_non_null(payload);

    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++)
        for (uint64_t kind = 0; kind < 3; kind++) {
            struct envelope_view view;
            struct verdicts seen = {0};
            size_t size;
            uint64_t seed = kind;
            if (kind == 0)
                msgpack_sample_stream(sizes[i], payload, sizes[i]);
            else
                for (size_t k = 0; k < sizes[i]; k++)
                    payload[k] = kind == 1 ? (uint8_t)(k / 700)
                                           : (uint8_t)prng_splitmix64(&seed);
            uint8_t *envelope = store_new(payload, sizes[i], &size);
            CHECK_BOOL(true, envelope_decode_once(envelope, size, &view));
            check_block(view.data, view.data_size, sizes[i], &seen);
            check_block(view.data, view.data_size, sizes[i] - 1, &seen);
            check_block(view.data, view.data_size, sizes[i] + 64, &seen);
            CHECK_SIZE(2, seen.accepted);
            free(envelope);
        }
    free(payload);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_by_chance),
        cmocka_unit_test(test_all_tiny_blocks),
        cmocka_unit_test(test_compressed_payloads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
