/* SPDX-License-Identifier: MIT */
/* Ruling out an offset 0 in small blocks, against a plain walk: blocks that
 * liblz4 accepts, made by chance and by design. */
#include "envelope/tests/envelope_blocks.h"

static uint8_t out[1 << 18];

/* Bytes that liblz4 makes of a block, or a negative number. */
static int decode(const uint8_t *block, size_t size)
{
    return LZ4_decompress_safe((const char *)block, (char *)out, (int)size,
                               sizeof(out));
}

struct seen {
    size_t accepted, zeros, scanned, doubts;
};

/* Every way agrees with the walk, and what a quick one rules out is not there.
 */
static void check_block(const uint8_t *block, size_t size, struct seen *seen)
{
    int made = decode(block, size);
    bool zero;

    if (made < 0)
        return;
    zero = walk_finds_zero(block, size);
    seen->accepted++;
    seen->zeros += zero;
    CHECK_BOOL(zero,
               envelope_block_has_zero_offset(block, size, (size_t)made));
    CHECK_BOOL(zero, envelope_offsets_walk(block, size, 0, size) == 0);
    if (!__builtin_cpu_supports("avx2"))
        return;
    if (!envelope_offsets_doubt_lanes_avx2(block, size))
        CHECK_BOOL(false, zero);
    if (size < OFFSETS_SCAN_MIN)
        return;
    seen->scanned++;
    if (!envelope_offsets_doubt_scan_avx2(block, size, (size_t)made))
        CHECK_BOOL(false, zero);
    else
        seen->doubts += !zero;
}

/* One byte changed, or two of them zero. */
static void check_changed(struct chance *c, struct seen *seen)
{
    size_t at = below(c, c->size - 1);
    uint8_t kept[2] = {c->block[at], c->block[at + 1]};

    c->block[at] = (uint8_t)prng_splitmix64(&c->seed);
    if (below(c, 2) == 0)
        c->block[at] = c->block[at + 1] = 0;
    check_block(c->block, c->size, seen);
    c->block[at] = kept[0];
    c->block[at + 1] = kept[1];
}

static void test_blocks_by_chance(void **state)
{
    (void)state;
    struct chance *c = calloc(1, sizeof(*c));
    struct seen seen = {0};
    assert_non_null(c);

    for (size_t i = 0; i < 40000; i++) {
        make_block(c, below(c, i % 8 == 0 ? 100 : 20));
        check_block(c->block, c->size, &seen);
        for (int change = 0; change < 4; change++)
            check_changed(c, &seen);
    }
    assert_true(seen.accepted > 150000);
    assert_true(seen.zeros > 10000);
    if (__builtin_cpu_supports("avx2")) {
        assert_true(seen.scanned > 80000);
        assert_true(seen.doubts < seen.scanned / 3);
    }
    free(c);
}

/* Each offset of many blocks made 0 in turn, so with any kind of token and
 * length byte before it and after it. */
static void test_each_offset(void **state)
{
    (void)state;
    struct chance *c = calloc(1, sizeof(*c));
    struct seen seen = {0};
    assert_non_null(c);

    c->seed = 77;
    for (int i = 0; i < 3000; i++) {
        make_block(c, below(c, 40));
        for (size_t k = 0; k < c->count; k++) {
            uint8_t *p = c->block + c->offset_at[k];
            uint8_t kept[2] = {p[0], p[1]};

            p[0] = p[1] = 0;
            assert_true(walk_finds_zero(c->block, c->size));
            check_block(c->block, c->size, &seen);
            p[0] = kept[0];
            p[1] = kept[1];
        }
    }
    assert_true(seen.accepted > 40000);
    CHECK_SIZE(seen.accepted, seen.zeros);
    free(c);
}

/* An offset 0, and behind it a length byte 0 or none, a token 0, and an offset
 * whose low byte is 0; so many literals before it, and zeros before them. */
static void check_among_zeros(struct chance *c, size_t before, size_t literals,
                              size_t nibble, size_t high, struct seen *seen)
{
    c->size = c->made = c->count = 0;
    put_literals(c, 60 + before, 15);
    put_byte(c, 7);
    put_byte(c, 0);
    put_rest(c, 1100); /* for the offset to reach */
    memset(c->block + 2, 'k', 60 + before);
    put_byte(c, literals << 4 | nibble);
    for (size_t i = 0; i < literals; i++)
        put_byte(c, i % 2 == 0 ? 0 : 'z');
    put_byte(c, 0);
    put_byte(c, 0);
    if (nibble == 15)
        put_byte(c, 0);
    put_byte(c, 0);
    put_byte(c, 0);
    put_byte(c, high);
    put_literals(c, 40, 0);
    memset(c->block + c->size - 40, 'k', 40);
    assert_true(walk_finds_zero(c->block, c->size));
    check_block(c->block, c->size, seen);
}

static void test_offset_zero_among_zeros(void **state)
{
    (void)state;
    struct chance *c = calloc(1, sizeof(*c));
    struct seen seen = {0};
    assert_non_null(c);

    for (size_t before = 0; before < 200; before++)
        for (size_t literals = 0; literals < 6; literals++)
            for (size_t high = 1; high <= 4; high++) {
                check_among_zeros(c, before, literals, 3, high, &seen);
                check_among_zeros(c, before, literals, 15, high, &seen);
            }
    CHECK_SIZE((size_t)200 * 6 * 4 * 2, seen.accepted);
    CHECK_SIZE(seen.accepted, seen.zeros);
    free(c);
}

/* ---- zeros at each place ------------------------------------------------ */

static const size_t sizes[] = {95,  96,  97,  127, 128, 129, 130, 131,
                               160, 192, 193, 257, 258, 259, 300, 515};

/* A block of one run of literals in which so many zeros stand, up against a
 * guard page. */
static void check_zeros_among_literals(size_t size, size_t zeros)
{
    uint8_t *block = guard_new(size);
    const size_t first = size - 2 < 15 + 255 ? 2 : 3;
    struct seen seen = {0};

    for (size_t at = first; at + zeros <= size; at++) {
        memset(block, 'k', size);
        block[0] = 0xf0;
        block[1] = (uint8_t)(first == 2 ? size - 2 - 15 : 255);
        if (first == 3)
            block[2] = (uint8_t)(size - 3 - 15 - 255);
        memset(block + at, 0, zeros);
        check_block(block, size, &seen);
    }
    CHECK_SIZE(size - first - zeros + 1, seen.accepted);
    CHECK_SIZE(0, seen.zeros);
    guard_free(block, size);
}

/* An offset 0 behind literals of which the last are zeros, at each place;
 * then a length byte, or none, and the last literals. */
static void check_zero_offset_at_each_place(size_t size, size_t zeros,
                                            unsigned nibble)
{
    struct seen seen = {0};
    size_t planted = 0;

    for (size_t literals = 15 + zeros; literals + 60 < size; literals++) {
        size_t at = 0, last;

        if (size - literals - (literals < 270 ? 2 : 3) - 2 - (nibble == 15) ==
            272)
            continue; /* no last literals take so many bytes */
        uint8_t *block = guard_new(size);
        block[at++] = (uint8_t)(0xf0 | nibble);
        block[at++] = (uint8_t)(literals - 15 < 255 ? literals - 15 : 255);
        if (literals - 15 >= 255)
            block[at++] = (uint8_t)(literals - 15 - 255);
        memset(block + at, 'k', literals);
        memset(block + at + literals - zeros, 0, zeros + 2);
        at += literals + 2;
        if (nibble == 15)
            block[at++] = (uint8_t)(literals % 7);
        last = size - at;
        block[at++] = 0xf0;
        if (last - 2 < 15 + 255) {
            block[at++] = (uint8_t)(last - 2 - 15);
        } else {
            block[at++] = 255;
            block[at++] = (uint8_t)(last - 3 - 15 - 255);
        }
        memset(block + at, 'k', size - at);
        check_block(block, size, &seen);
        planted++;
        guard_free(block, size);
    }
    CHECK_SIZE(planted, seen.zeros);
}

static void test_zeros_at_each_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++)
        for (size_t zeros = 2; zeros <= 8; zeros++) {
            check_zeros_among_literals(sizes[i], zeros);
            check_zero_offset_at_each_place(sizes[i], zeros - 2, 0);
            check_zero_offset_at_each_place(sizes[i], zeros - 2, 15);
        }
}

/* ---- real blocks -------------------------------------------------------- */

static bool scan_doubts(const struct envelope_view *view)
{
    return view->data_size >= OFFSETS_SCAN_MIN &&
           envelope_offsets_doubt_scan_avx2(view->data, view->data_size,
                                            view->original_size);
}

/* The scan decides most of them: of 32 records streams of each size so many
 * blocks may need a walk. */
static void test_the_scan_decides(void **state)
{
    (void)state;
    static const struct {
        size_t size, doubts;
    } rows[] = {{20, 0},   {100, 1},  {150, 1},  {200, 1},  {300, 1},
                {500, 1},  {700, 1},  {1000, 3}, {1024, 3}, {1500, 5},
                {2000, 6}, {3000, 9}, {4000, 12}};
    if (!__builtin_cpu_supports("avx2"))
        skip();

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        assert_in_range(count_doubts(rows[i].size, scan_doubts), 0,
                        rows[i].doubts);
}

/* Bytes that nobody accepted are scanned within their bounds. */
static void test_any_bytes_are_scanned(void **state)
{
    (void)state;
    uint8_t bytes[515];
    uint64_t seed = 3;
    size_t doubts = 0;
    if (!__builtin_cpu_supports("avx2"))
        skip();

    for (int round = 0; round < 200; round++)
        for (size_t i = 1; i < ARRAY_COUNT(sizes); i++) {
            for (size_t k = 0; k < sizes[i]; k++)
                bytes[k] = (uint8_t)(prng_splitmix64(&seed) >>
                                     (round % 3 == 0 ? 62 : 56));
            const uint8_t *in = guard_copy(bytes, sizes[i]);
            doubts += envelope_offsets_doubt_scan_avx2(in, sizes[i], 400);
            guard_free(in, sizes[i]);
        }
    assert_true(doubts > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_by_chance),
        cmocka_unit_test(test_each_offset),
        cmocka_unit_test(test_offset_zero_among_zeros),
        cmocka_unit_test(test_zeros_at_each_place),
        cmocka_unit_test(test_the_scan_decides),
        cmocka_unit_test(test_any_bytes_are_scanned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
