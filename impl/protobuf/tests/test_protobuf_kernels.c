/* SPDX-License-Identifier: MIT */
/* The fast ways over packed payloads against the plain loop. */
#include "testkit/testkit.h"

#include <stdlib.h>
#include <string.h>

#include "base/prng.h"
#include "protobuf/protobuf_internal.h"

#define PAYLOAD_MAX ((size_t)400)

static const enum protobuf_path paths[] = {
    PROTOBUF_PATH_PORTABLE, PROTOBUF_PATH_SSE41, PROTOBUF_PATH_AVX2,
    PROTOBUF_PATH_BEST};

/* Two buffers that end at guard pages, for all inputs and outputs in turn:
 * mapping one for each would take most of the time. */
#define INPUT_MAX (PAYLOAD_MAX + 32)
static uint8_t *input_end;
static uint32_t *output_end;

static int map_buffers(void **state)
{
    (void)state;
    input_end = guard_new(INPUT_MAX) + INPUT_MAX;
    output_end = (uint32_t *)(void *)guard_new(PAYLOAD_MAX * 4) + PAYLOAD_MAX;
    return 0;
}

static int unmap_buffers(void **state)
{
    (void)state;
    guard_free(input_end - INPUT_MAX, INPUT_MAX);
    guard_free((uint8_t *)(output_end - PAYLOAD_MAX), PAYLOAD_MAX * 4);
    return 0;
}

/* Rows of the shuffle tables, computed from their definition. */
static void test_shuffle_rows(void **state)
{
    (void)state;
    for (unsigned mask = 0; mask < 256; mask++) {
        uint8_t lanes[16];
        unsigned at = 0, count = 0, pair_size = 0;

        memset(lanes, 0x80, sizeof(lanes));
        while (count < 4) {
            unsigned end = at;
            while (end < 8 && (mask >> end & 1) != 0)
                end++;
            if (end == 8 || end - at >= 4)
                break;
            for (unsigned i = at; i <= end; i++)
                lanes[4 * count + i - at] = (uint8_t)i;
            at = end + 1;
            if (++count == 2)
                pair_size = at;
        }
        CHECK_BYTES(lanes, sizeof(lanes), protobuf_lanes[mask], 16);
        CHECK_U64(count, protobuf_steps[mask].count);
        CHECK_U64(at, protobuf_steps[mask].size);
        CHECK_U64(pair_size, protobuf_steps[mask].pair_size);
    }
}

/* Low 32 bits of each element, by the plain varint reader. */
static size_t decode_plain(const uint8_t *in, size_t size, uint32_t *out)
{
    struct cursor c = cursor_init(in, size);
    uint64_t value = 0;
    size_t n = 0;

    while (cursor_left(&c) != 0) {
        assert_int_equal(PROTOBUF_OK, protobuf_take_varint(&c, &value));
        out[n++] = (uint32_t)value;
    }
    return n;
}

/* Every path gives the plain elements, in pieces of `piece` at a time, with
 * `beyond` readable bytes behind the payload. */
static void check_unpack(const uint8_t *in, size_t size, size_t beyond,
                         size_t piece)
{
    uint32_t want[PAYLOAD_MAX], got[PAYLOAD_MAX];
    size_t count = decode_plain(in, size, want);
    size_t whole = size + beyond;
    uint8_t *memory = input_end - whole;

    if (size != 0)
        memcpy(memory, in, size);
    memset(memory + size, 0x81, beyond);
    for (size_t i = 0; i < ARRAY_COUNT(paths); i++) {
        struct protobuf_unpacker u = {memory, memory + size, memory + whole};
        size_t n = 0, added;
        do {
            size_t room = count - n < piece ? count - n : piece;
            /* room exactly: one element more would touch the guard page */
            uint32_t *out = output_end - room;
            added = protobuf_unpack_u32(paths[i])(&u, out, room);
            assert_true(added <= room && added + 7 >= room);
            assert_true(added != 0 || room == 0);
            memcpy(got + n, out, added * sizeof(*out));
            n += added;
        } while (added != 0);
        CHECK_BYTES(want, count * sizeof(*want), got, n * sizeof(*got));
        assert_ptr_equal(u.end, u.at);
    }
}

/* Valid or not, the fast check, the count and the skip agree with the plain
 * loop. */
static void check_payload(const uint8_t *payload, size_t size)
{
    uint8_t *in = input_end - size;
    if (size != 0)
        memcpy(in, payload, size);
    size_t fault_at = 0, count = 0;
    enum protobuf_fault fault = protobuf_packed_fault(in, size, &fault_at);

    CHECK_BOOL(fault == PROTOBUF_OK, protobuf_packed_is_valid(in, size));
    if (fault == PROTOBUF_OK) {
        for (size_t i = 0; i < size; i++)
            count += in[i] < 0x80;
        CHECK_SIZE(count, protobuf_packed_count(in, size));
        assert_ptr_equal(in + size, protobuf_packed_after(in, count));
    }
}

/* A run of 0 to 12 continuation bytes at every offset from 0 to 40, ended by
 * each kind of byte, with 0 to 20 bytes behind it. */
static void test_runs_at_every_offset(void **state)
{
    (void)state;
    static const uint8_t ends[] = {0x00, 0x01, 0x02, 0x7f};
    uint8_t in[80];

    for (size_t run = 0; run <= 12; run++)
        for (size_t at = 0; at <= 40; at++)
            for (size_t behind = 0; behind <= 20; behind++)
                for (size_t e = 0; e < ARRAY_COUNT(ends); e++) {
                    memset(in, behind & 1 ? 0x05 : 0x7f, sizeof(in));
                    memset(in + at, 0x80 | (int)run, run);
                    in[at + run] = ends[e];
                    check_payload(in, at + run + behind);
                }
}

static size_t random_payload(uint64_t *state, uint8_t *out, size_t max)
{
    size_t at = 0;

    while (at + PROTOBUF_VARINT_SIZE_MAX <= max) {
        uint64_t kind = prng_below(state, 16);
        size_t size = kind < 9    ? 1
                      : kind < 13 ? 2
                                  : 1 + (size_t)prng_below(state, 10);
        for (size_t i = 0; i + 1 < size; i++)
            out[at++] = 0x80 | (uint8_t)prng_splitmix64(state);
        out[at++] = (uint8_t)prng_below(state, size == 10 ? 2 : 128);
        if (prng_below(state, 40) == 0)
            break;
    }
    return at;
}

static void test_random_payloads(void **state)
{
    (void)state;
    uint64_t seed = 1;
    uint8_t in[PAYLOAD_MAX];

    for (int i = 0; i < 20000; i++) {
        size_t size = random_payload(&seed, in, sizeof(in));
        check_payload(in, size);
        if (i % 20 == 0)
            check_unpack(in, size, prng_below(&seed, 20),
                         1 + prng_below(&seed, 40));
        /* damaged: the two must agree on invalid ones, too */
        if (size != 0)
            in[prng_below(&seed, size)] |= 0x80;
        check_payload(in, size);
        check_payload(in, prng_below(&seed, size + 1));
    }
}

static void test_unpack_every_size(void **state)
{
    (void)state;
    uint8_t in[64];

    for (size_t size = 0; size <= 40; size++)
        for (size_t beyond = 0; beyond <= 17; beyond++) {
            memset(in, 0x33, sizeof(in));
            check_unpack(in, size, beyond, 32);
            for (size_t i = 0; i + 1 < size; i += 2)
                in[i] = 0xb3;
            check_unpack(in, size, beyond, 5);
        }
}

static void test_count_folds(void **state)
{
    (void)state;
    /* more blocks than a byte can count */
    const size_t fold = 4080; /* 16 * 255 */
    size_t size = 2 * fold + 23;
    uint8_t *in = malloc(size);

    assert_non_null(in);
    memset(in, 1, size);
    CHECK_SIZE(size, protobuf_packed_count(in, size));
    memset(in, 0x80, fold);
    CHECK_SIZE(size - fold, protobuf_packed_count(in, size));
    free(in);
}

static void test_paths(void **state)
{
    (void)state;
    enum protobuf_path best = protobuf_path_resolve(PROTOBUF_PATH_BEST);

    assert_int_not_equal(PROTOBUF_PATH_BEST, best);
    assert_int_equal(PROTOBUF_PATH_PORTABLE,
                     protobuf_path_resolve(PROTOBUF_PATH_PORTABLE));
    for (size_t i = 0; i < ARRAY_COUNT(paths); i++)
        assert_true(protobuf_path_resolve(paths[i]) <= best);
    print_message("fastest path here: %s\n", protobuf_path_name(best));
    CHECK_STR("portable", protobuf_path_name(PROTOBUF_PATH_PORTABLE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shuffle_rows),
        cmocka_unit_test(test_runs_at_every_offset),
        cmocka_unit_test(test_random_payloads),
        cmocka_unit_test(test_unpack_every_size),
        cmocka_unit_test(test_count_folds),
        cmocka_unit_test(test_paths),
    };
    return cmocka_run_group_tests(tests, map_buffers, unmap_buffers);
}
