/* SPDX-License-Identifier: MIT */
/* Writing: what lands where, where it stops, what a failure leaves. */
#include "base/sink.h"
#include "testkit/testkit.h"

static void test_put_fills_the_buffer_exactly(void **state)
{
    (void)state;
    uint8_t *out = guard_new(5);
    struct sink s = sink_init(out, 5);

    CHECK_STATUS(ST_OK, sink_put(&s, "abc", 3));
    CHECK_STATUS(ST_OK, sink_put_u8(&s, 'd'));
    CHECK_STATUS(ST_OK, sink_put(&s, "e", 1));
    CHECK_SIZE(5, s.at);
    CHECK_STATUS(ST_NO_SPACE, sink_put_u8(&s, 'f'));
    CHECK_STATUS(ST_NO_SPACE, sink_put(&s, "f", 1));
    CHECK_STATUS(ST_OK, sink_put(&s, NULL, 0));
    CHECK_SIZE(5, s.at);
    CHECK_BYTES("abcde", 5, out, s.at);
    guard_free(out, 5);
}

static void test_put_too_much_writes_nothing(void **state)
{
    (void)state;
    static const size_t sizes[] = {4, 5, SIZE_MAX - 1, SIZE_MAX};
    uint8_t out[] = {'.', '.', '.', '.'};
    struct sink s = sink_init(out, sizeof(out));

    CHECK_STATUS(ST_OK, sink_put_u8(&s, 'a'));
    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++)
        CHECK_STATUS(ST_NO_SPACE, sink_put(&s, "bcdef", sizes[i]));
    CHECK_SIZE(1, s.at);
    CHECK_BYTES("a...", 4, out, sizeof(out));
}

static void test_sink_without_a_buffer(void **state)
{
    (void)state;
    struct sink s = sink_init(NULL, 0);

    CHECK_STATUS(ST_OK, sink_put(&s, NULL, 0));
    CHECK_STATUS(ST_NO_SPACE, sink_put_u8(&s, 0));
    CHECK_SIZE(0, s.at);
}

static void test_big_endian_integers(void **state)
{
    (void)state;
    static const uint8_t want[] = {0xfe, 0x01, 0xfd, 0x02, 0x03, 0x04, 0xfc,
                                   0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b};
    uint8_t *out = guard_new(sizeof(want));
    struct sink s = sink_init(out, sizeof(want));

    CHECK_STATUS(ST_OK, sink_put_be16(&s, 0xfe01));
    CHECK_STATUS(ST_OK, sink_put_be32(&s, 0xfd020304));
    CHECK_STATUS(ST_OK, sink_put_be64(&s, UINT64_C(0xfc05060708090a0b)));
    CHECK_BYTES(want, sizeof(want), out, s.at);
    guard_free(out, sizeof(want));
}

/* An integer that does not fit as a whole leaves room and bytes alone. */
static void test_big_endian_integers_one_byte_short(void **state)
{
    (void)state;
    uint8_t out[7] = {0};
    static const uint8_t zeros[7];
    struct sink two = sink_init(out, 1);
    struct sink four = sink_init(out, 3);
    struct sink eight = sink_init(out, 7);

    CHECK_STATUS(ST_NO_SPACE, sink_put_be16(&two, 0xffff));
    CHECK_STATUS(ST_NO_SPACE, sink_put_be32(&four, 0xffffffff));
    CHECK_STATUS(ST_NO_SPACE, sink_put_be64(&eight, UINT64_MAX));
    CHECK_SIZE(0, two.at + four.at + eight.at);
    CHECK_BYTES(zeros, sizeof(zeros), out, sizeof(out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_put_fills_the_buffer_exactly),
        cmocka_unit_test(test_put_too_much_writes_nothing),
        cmocka_unit_test(test_sink_without_a_buffer),
        cmocka_unit_test(test_big_endian_integers),
        cmocka_unit_test(test_big_endian_integers_one_byte_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
