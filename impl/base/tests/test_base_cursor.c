/* SPDX-License-Identifier: MIT */
/* Reading: what is handed out, where it stops, what a failure leaves. */
#include "base/cursor.h"
#include "testkit/testkit.h"

#define UNTOUCHED 0x5a

static const uint8_t bytes[] = {0x01, 0x82, 0x03, 0x84, 0xf5,
                                0x06, 0x87, 0x08, 0x99};

static void test_take_hands_out_views_to_the_end(void **state)
{
    (void)state;
    const uint8_t *in = guard_copy(bytes, 9);
    struct cursor c = cursor_init(in, 9);
    const uint8_t *out = NULL;

    CHECK_SIZE(9, cursor_left(&c));
    CHECK_STATUS(ST_OK, cursor_take(&c, 4, &out));
    assert_ptr_equal(in, out);
    CHECK_SIZE(5, cursor_left(&c));
    CHECK_STATUS(ST_OK, cursor_take(&c, 0, &out));
    assert_ptr_equal(in + 4, out);
    CHECK_STATUS(ST_OK, cursor_take(&c, 5, &out));
    assert_ptr_equal(in + 4, out);
    CHECK_SIZE(0, cursor_left(&c));
    CHECK_STATUS(ST_OK, cursor_take(&c, 0, &out));
    assert_ptr_equal(in + 9, out);
    guard_free(in, 9);
}

/* One more than is left, and the largest size, which must not wrap. */
static void test_take_past_the_end_changes_nothing(void **state)
{
    (void)state;
    static const size_t sizes[] = {7, 8, SIZE_MAX - 1, SIZE_MAX};
    struct cursor c = cursor_init(bytes, 9);

    CHECK_STATUS(ST_OK, cursor_skip(&c, 3));
    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++) {
        const uint8_t *out = bytes;
        CHECK_STATUS(ST_TRUNCATED, cursor_take(&c, sizes[i], &out));
        assert_ptr_equal(bytes, out);
        CHECK_STATUS(ST_TRUNCATED, cursor_skip(&c, sizes[i]));
        CHECK_SIZE(3, c.at);
    }
    CHECK_STATUS(ST_OK, cursor_skip(&c, 6));
    CHECK_SIZE(9, c.at);
}

static void test_single_bytes(void **state)
{
    (void)state;
    const uint8_t *in = guard_copy(bytes, 2);
    struct cursor c = cursor_init(in, 2);
    uint8_t out = UNTOUCHED;

    CHECK_STATUS(ST_OK, cursor_peek_u8(&c, &out));
    CHECK_U64(0x01, out);
    CHECK_SIZE(0, c.at);
    CHECK_STATUS(ST_OK, cursor_take_u8(&c, &out));
    CHECK_U64(0x01, out);
    CHECK_STATUS(ST_OK, cursor_take_u8(&c, &out));
    CHECK_U64(0x82, out);
    out = UNTOUCHED;
    CHECK_STATUS(ST_TRUNCATED, cursor_peek_u8(&c, &out));
    CHECK_STATUS(ST_TRUNCATED, cursor_take_u8(&c, &out));
    CHECK_U64(UNTOUCHED, out);
    CHECK_SIZE(2, c.at);
    guard_free(in, 2);
}

static void test_empty_input_may_be_null(void **state)
{
    (void)state;
    struct cursor c = cursor_init(NULL, 0);
    uint8_t out = UNTOUCHED;

    CHECK_STATUS(ST_TRUNCATED, cursor_take_u8(&c, &out));
    CHECK_STATUS(ST_TRUNCATED, cursor_skip(&c, 1));
    CHECK_STATUS(ST_OK, cursor_skip(&c, 0));
    CHECK_U64(UNTOUCHED, out);
}

/* High bits everywhere: a signed step in between would smear them. */
static void test_loads(void **state)
{
    (void)state;
    static const uint8_t high[] = {0xff, 0xfe, 0xfd, 0xfc,
                                   0xfb, 0xfa, 0xf9, 0xf8};

    CHECK_U64(0x8203, load_be16(bytes + 1));
    CHECK_U64(0x820384f5, load_be32(bytes + 1));
    CHECK_U64(UINT64_C(0x820384f506870899), load_be64(bytes + 1));
    CHECK_U64(0xf5840382, load_le32(bytes + 1));
    CHECK_U64(UINT64_C(0x99088706f5840382), load_le64(bytes + 1));
    CHECK_U64(0xfffe, load_be16(high));
    CHECK_U64(0xfffefdfc, load_be32(high));
    CHECK_U64(UINT64_C(0xfffefdfcfbfaf9f8), load_be64(high));
    CHECK_U64(0xfcfdfeff, load_le32(high));
    CHECK_U64(UINT64_C(0xf8f9fafbfcfdfeff), load_le64(high));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_take_hands_out_views_to_the_end),
        cmocka_unit_test(test_take_past_the_end_changes_nothing),
        cmocka_unit_test(test_single_bytes),
        cmocka_unit_test(test_empty_input_may_be_null),
        cmocka_unit_test(test_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
