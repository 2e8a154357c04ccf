/* SPDX-License-Identifier: MIT */
/* The generators against their published or independently computed values. */
#include "base/prng.h"
#include "testkit/testkit.h"

/* The first state is that of the record stream, whose first user is d16f3d. */
static void test_xorshift64_values(void **state)
{
    (void)state;
    static const struct {
        uint64_t seed;
        uint64_t values[3];
    } rows[] = {
        {UINT64_C(0x2545f4914f6cdd1d),
         {UINT64_C(0x7f6c280beaa8e3e7), UINT64_C(0xe47119871cf9abe0),
          UINT64_C(0x35174a4158b8a0b7)}},
        {1,
         {UINT64_C(0x40822041), UINT64_C(0x100041060c011441),
          UINT64_C(0x9b1e842f6e862629)}},
    };

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        uint64_t s = rows[i].seed;
        for (size_t k = 0; k < ARRAY_COUNT(rows[i].values); k++) {
            CHECK_U64(rows[i].values[k], prng_xorshift64(&s));
            CHECK_U64(rows[i].values[k], s);
        }
    }
    CHECK_U64(0xd16f3d, rows[0].values[0] % 0xffffff);
}

static void test_xorshift64_of_zero_is_zero(void **state)
{
    (void)state;
    uint64_t s = 0;

    CHECK_U64(0, prng_xorshift64(&s));
}

static void test_splitmix64_values(void **state)
{
    (void)state;
    static const struct {
        uint64_t seed;
        uint64_t values[4];
    } rows[] = {
        {0,
         {UINT64_C(0xe220a8397b1dcdaf), UINT64_C(0x6e789e6aa1b965f4),
          UINT64_C(0x06c45d188009454f), UINT64_C(0xf88bb8a8724c81ec)}},
        {1234567,
         {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
          UINT64_C(9817491932198370423), UINT64_C(4593380528125082431)}},
    };

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        uint64_t s = rows[i].seed;
        for (size_t k = 0; k < ARRAY_COUNT(rows[i].values); k++)
            CHECK_U64(rows[i].values[k], prng_splitmix64(&s));
    }
}

/* Below a bound of 6, with each of the six faces about as often. */
static void test_below(void **state)
{
    (void)state;
    size_t faces[6] = {0};
    uint64_t s = 42;

    for (size_t i = 0; i < 6000; i++) {
        uint64_t face = prng_below(&s, 6);
        assert_in_range(face, 0, 5);
        faces[face]++;
    }
    for (size_t i = 0; i < 6; i++)
        assert_in_range(faces[i], 850, 1150);
    CHECK_U64(0, prng_below(&s, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_xorshift64_values),
        cmocka_unit_test(test_xorshift64_of_zero_is_zero),
        cmocka_unit_test(test_splitmix64_values),
        cmocka_unit_test(test_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
