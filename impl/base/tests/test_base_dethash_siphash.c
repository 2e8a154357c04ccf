/* SPDX-License-Identifier: MIT */
/* SipHash-1-3 and its end mark: check values, and every size around the
 * words against a version that copies and pads. */
#include "base/dethash.h"
#include "testkit/testkit.h"

#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "base/prng.h"

#define COUNTING_K0 UINT64_C(0x0706050403020100)
#define COUNTING_K1 UINT64_C(0x0f0e0d0c0b0a0908)
#define KEY_MAX     600

static uint64_t rotated(uint64_t v, unsigned bits)
{
    return v << bits | v >> (64 - bits);
}

static void plain_round(uint64_t v[4])
{
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rotated(v[1], 13) ^ v[0];
    v[3] = rotated(v[3], 16) ^ v[2];
    v[0] = rotated(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = rotated(v[1], 17) ^ v[2];
    v[3] = rotated(v[3], 21) ^ v[0];
    v[2] = rotated(v[2], 32);
}

/* The published description, word by word over the marked, padded key. */
static uint64_t plain_siphash13(uint64_t k0, uint64_t k1, const uint8_t *key,
                                size_t size)
{
    uint8_t padded[KEY_MAX + 16] = {0};
    size_t marked_size = size + 1;
    size_t whole = marked_size / 8 * 8 + 8;
    uint64_t v[4] = {k0, k1, k0, k1};
    static const char text[] = "somepseudorandomlygeneratedbytes";

    memcpy(padded, key, size);
    padded[size] = 0xff;
    padded[whole - 1] = (uint8_t)marked_size;
    for (size_t i = 0; i < 4; i++)
        v[i] ^= load_be64((const uint8_t *)text + 8 * i);
    for (size_t at = 0; at < whole; at += 8) {
        v[3] ^= load_le64(padded + at);
        plain_round(v);
        v[0] ^= load_le64(padded + at);
    }
    v[2] ^= 0xff;
    for (size_t i = 0; i < 3; i++)
        plain_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static void test_check_values(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        uint64_t zero, counting;
    } rows[] = {
        {"", UINT64_C(0x30406ea523c53def), UINT64_C(0x336d38979e4a286b)},
        {"a", UINT64_C(0x719b50b9a4f0e9f3), UINT64_C(0x58ca0e5c1196493f)},
        {"0123456", UINT64_C(0x73aba660808c83e2),
         UINT64_C(0x9bf5bdcfad450e78)},
        {"01234567", UINT64_C(0x5afa6202e1213f4d),
         UINT64_C(0xc87b886f7adb2a41)},
        {"5511900000000@c.us.0", UINT64_C(0xcef4f714abeeb920),
         UINT64_C(0xa318ebd1ece299af)},
        {"100515017715071:1@lid.0", UINT64_C(0xef4f2a65cce95bfe),
         UINT64_C(0xd80e21839680dbbd)},
        {"5511987650001:5@c.us.0", UINT64_C(0x9e7a92bacd62a8d0),
         UINT64_C(0x7348024c5e3f5507)},
    };

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        size_t size = strlen(rows[i].key);
        CHECK_U64(rows[i].zero, dethash_siphash13(0, 0, rows[i].key, size));
        CHECK_U64(rows[i].counting, dethash_siphash13(COUNTING_K0, COUNTING_K1,
                                                      rows[i].key, size));
    }
    CHECK_U64(rows[0].zero, dethash_siphash13(0, 0, NULL, 0));
}

/* Sizes past 256 show that the length enters by its low byte. */
static void test_every_size_against_the_plain_version(void **state)
{
    (void)state;
    uint64_t seed = 1;
    uint8_t key[KEY_MAX];

    for (size_t i = 0; i < KEY_MAX; i++)
        key[i] = (uint8_t)prng_splitmix64(&seed);
    for (size_t size = 0; size < KEY_MAX; size++) {
        const uint8_t *in = guard_copy(key, size);
        uint64_t k0 = prng_splitmix64(&seed), k1 = prng_splitmix64(&seed);
        CHECK_U64(plain_siphash13(k0, k1, key, size),
                  dethash_siphash13(k0, k1, in, size));
        guard_free(in, size);
    }
}

/* Both halves of the key count, and so does each bit of the last byte. */
static void test_every_input_bit_counts(void **state)
{
    (void)state;
    uint8_t key[23] = {0};
    uint64_t base = dethash_siphash13(0, 0, key, sizeof(key));

    for (unsigned bit = 0; bit < 64; bit++) {
        uint64_t k = UINT64_C(1) << bit;
        assert_int_not_equal(base, dethash_siphash13(k, 0, key, 23));
        assert_int_not_equal(base, dethash_siphash13(0, k, key, 23));
    }
    for (unsigned bit = 0; bit < 8 * 23; bit++) {
        key[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_int_not_equal(base, dethash_siphash13(0, 0, key, 23));
        key[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

static void test_published_vectors(void **state)
{
    (void)state;
    struct json_object *document = testkit_vectors("wabin/dethash.json");
    struct json_object *rows = vector_field(document, "hash");
    size_t row_count = json_object_array_length(rows);

    assert_true(row_count > 0);
    for (size_t i = 0; i < row_count; i++) {
        struct json_object *row = json_object_array_get_idx(rows, i);
        const char *key = vector_text(row, "text");
        size_t size = strlen(key);
        CHECK_U64(strtoull(vector_text(row, "zero"), NULL, 16),
                  dethash_siphash13(0, 0, key, size));
        CHECK_U64(strtoull(vector_text(row, "counting"), NULL, 16),
                  dethash_siphash13(COUNTING_K0, COUNTING_K1, key, size));
    }
    json_object_put(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check_values),
        cmocka_unit_test(test_every_size_against_the_plain_version),
        cmocka_unit_test(test_every_input_bit_counts),
        cmocka_unit_test(test_published_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
