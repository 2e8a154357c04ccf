/* SPDX-License-Identifier: MIT */
/* Finding an offset 0 in compressed payloads and in large blocks, where walks
 * run side by side, against a plain walk. */
#include "envelope/tests/envelope_blocks.h"

/* Blocks that liblz4 accepts, changed at a byte or two, and still accepted. */
static void check_changes(const uint8_t *payload, size_t payload_size,
                          uint64_t seed, size_t *found, size_t *accepted)
{
    size_t size, produced;
    uint8_t *envelope = store_new(payload, payload_size, &size);
    uint8_t *out = malloc(payload_size + 1);
    struct envelope_view view;
    assert_non_null(out);
    CHECK_BOOL(true, envelope_decode_once(envelope, size, &view));

    uint8_t *block = envelope + (view.data - envelope);
    for (int i = 0; i < 400; i++) {
        size_t at = prng_below(&seed, view.data_size);
        uint8_t kept[2] = {block[at], block[at + 1]};
        block[at] = i % 2 ? 0 : (uint8_t)prng_splitmix64(&seed);
        if (i % 3 == 0)
            block[at + 1] = 0;
        int made = LZ4_decompress_safe((const char *)block, (char *)out,
                                       (int)view.data_size, (int)payload_size);
        bool ok = envelope_block_decode(block, view.data_size, out,
                                        payload_size, &produced);
        if (made >= 0) {
            bool zero = walk_finds_zero(block, view.data_size);
            CHECK_BOOL(zero, envelope_block_has_zero_offset(
                                 block, view.data_size, (size_t)made));
            CHECK_BOOL(!zero, ok);
            CHECK_SIZE((size_t)made, produced);
            *found += zero;
            ++*accepted;
        } else {
            CHECK_BOOL(false, ok);
        }
        block[at] = kept[0];
        block[at + 1] = kept[1];
    }
    free(out);
    free(envelope);
}

static void test_changed_blocks_against_a_walk(void **state)
{
    (void)state;
    size_t found = 0, accepted = 0;
    uint8_t *payload = malloc(70000);
    assert_non_null(payload);

    for (size_t size = 60; size <= 66000; size = size * 3 / 2) {
        fill_words(payload, size, size);
        check_changes(payload, size, size, &found, &accepted);
        msgpack_sample_stream(size, payload, size);
        check_changes(payload, size, size + 1, &found, &accepted);
    }
    assert_true(found > 100);
    assert_true(accepted > 1000);
    free(payload);
}

/* ---- large blocks ------------------------------------------------------- */

#define ANY_OUTPUT SIZE_MAX /* only small blocks are judged by it */

#define LARGE_SEQUENCES 4000

struct large {
    size_t count; /* sequences */
    uint8_t block[LARGE_SEQUENCES * 400];
    size_t size;
    size_t offset_at[LARGE_SEQUENCES];
};

static void put_large_length(struct large *l, size_t length)
{
    if (length >= 15)
        for (length -= 15;; length -= 255) {
            l->block[l->size++] = (uint8_t)(length < 255 ? length : 255);
            if (length < 255)
                break;
        }
}

/* Sequences of chance lengths and bytes, few of them zero; `long_ones` in a
 * thousand have literals or matches with length bytes of 255. */
static void make_large(struct large *l, size_t count, uint64_t seed,
                       unsigned long_ones)
{
    l->count = count;
    l->size = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_long = prng_below(&seed, 1000) < long_ones;
        size_t literals = prng_below(&seed, is_long ? 300 : 4);
        size_t match = 4 + prng_below(&seed, is_long ? 600 : 19);
        size_t token = l->size++;

        if (i % 97 == 0)
            literals = 15 + prng_below(&seed, 30);
        l->block[token] = (uint8_t)((literals < 15 ? literals : 15) << 4 |
                                    (match - 4 < 15 ? match - 4 : 15));
        put_large_length(l, literals);
        for (size_t k = 0; k < literals; k++)
            l->block[l->size++] = (uint8_t)prng_splitmix64(&seed);
        l->offset_at[i] = l->size;
        l->block[l->size++] = (uint8_t)(1 + prng_below(&seed, 255));
        l->block[l->size++] = (uint8_t)(prng_below(&seed, 3) == 0);
        put_large_length(l, match - 4);
    }
    l->block[l->size++] = 0xc0;
    memset(l->block + l->size, 'z', 12);
    l->size += 12;
}

static void check_each_offset(struct large *l)
{
    const uint8_t *copy;

    CHECK_BOOL(false, walk_finds_zero(l->block, l->size));
    copy = guard_copy(l->block, l->size);
    CHECK_BOOL(false,
               envelope_block_has_zero_offset(copy, l->size, ANY_OUTPUT));
    guard_free(copy, l->size);
    for (size_t i = 0; i < l->count; i++) {
        uint8_t *p = l->block + l->offset_at[i];
        uint8_t low = p[0], high = p[1];
        p[0] = p[1] = 0;
        CHECK_BOOL(true, envelope_block_has_zero_offset(l->block, l->size,
                                                        ANY_OUTPUT));
        p[0] = low;
        p[1] = high;
    }
}

static void test_each_offset_of_a_large_block(void **state)
{
    (void)state;
    static const unsigned long_ones[] = {0, 0, 2, 20, 300};
    struct large *l = malloc(sizeof(*l));
    assert_non_null(l);

    for (size_t i = 0; i < ARRAY_COUNT(long_ones); i++) {
        make_large(l, LARGE_SEQUENCES, i, long_ones[i]);
        check_each_offset(l);
    }
    free(l);
}

/* What the lanes rule out, a walk does not find: in blocks of many sizes, of
 * which bytes were changed by chance, accepted by anyone or not. */
static void check_changed_large(struct large *l, uint64_t *seed,
                                size_t *ruled_out, size_t *zeros)
{
    size_t at = prng_below(seed, l->size - 1);
    uint8_t kept[2] = {l->block[at], l->block[at + 1]};
    bool zero;

    l->block[at] = (uint8_t)prng_splitmix64(seed);
    if (prng_below(seed, 3) == 0)
        l->block[at] = l->block[at + 1] = 0;
    zero = envelope_offsets_walk(l->block, l->size, 0, l->size) == 0;
    *zeros += zero;
    if (!envelope_offsets_doubt_lanes_avx2(l->block, l->size)) {
        CHECK_BOOL(false, zero);
        ++*ruled_out;
    }
    l->block[at] = kept[0];
    l->block[at + 1] = kept[1];
}

static void test_changed_large_blocks_against_a_walk(void **state)
{
    (void)state;
    static const unsigned long_ones[] = {0, 1, 5, 30};
    struct large *l = malloc(sizeof(*l));
    size_t ruled_out = 0, zeros = 0;
    uint64_t seed = 5;
    assert_non_null(l);
    if (!__builtin_cpu_supports("avx2"))
        skip();

    for (size_t i = 0; i < 120; i++) {
        make_large(l, 1800 + i * 7, i, long_ones[i % ARRAY_COUNT(long_ones)]);
        for (int change = 0; change < 850; change++)
            check_changed_large(l, &seed, &ruled_out, &zeros);
    }
    assert_true(ruled_out > 40000);
    assert_true(zeros > 2000);
    free(l);
}

static bool lanes_doubt(const struct envelope_view *view)
{
    return envelope_offsets_doubt_lanes_avx2(view->data, view->data_size);
}

/* The lanes decide most of what they are meant for: of 32 blocks each, so many
 * may need a walk. */
static void test_the_lanes_decide(void **state)
{
    (void)state;
    if (!__builtin_cpu_supports("avx2"))
        skip();

    assert_in_range(count_doubts(32768, lanes_doubt), 0, 3);
    assert_in_range(count_doubts(65536, lanes_doubt), 0, 3);
}

/* Bytes that no decoder accepted are walked over within their bounds. */
static void test_any_bytes_are_safe(void **state)
{
    (void)state;
    static const size_t sizes[] = {1,   2,   32,   33,   34,   64,  129,
                                   130, 257, 2047, 2048, 2049, 5000};
    uint8_t bytes[5000];
    uint64_t seed = 3;
    size_t found = 0;
    if (!__builtin_cpu_supports("avx2"))
        skip();

    for (int round = 0; round < 200; round++)
        for (size_t i = 0; i < ARRAY_COUNT(sizes); i++) {
            for (size_t k = 0; k < sizes[i]; k++)
                bytes[k] = (uint8_t)(prng_splitmix64(&seed) >>
                                     (round % 3 == 0 ? 62 : 56));
            const uint8_t *in = guard_copy(bytes, sizes[i]);
            found += envelope_offsets_doubt_lanes_avx2(in, sizes[i]) &&
                     envelope_offsets_walk(in, sizes[i], 0, sizes[i]) == 0;
            guard_free(in, sizes[i]);
        }
    assert_true(found > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changed_blocks_against_a_walk),
        cmocka_unit_test(test_each_offset_of_a_large_block),
        cmocka_unit_test(test_changed_large_blocks_against_a_walk),
        cmocka_unit_test(test_the_lanes_decide),
        cmocka_unit_test(test_any_bytes_are_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
