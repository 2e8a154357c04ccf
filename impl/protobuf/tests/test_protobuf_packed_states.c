/* SPDX-License-Identifier: MIT */
/* Packed views: states, and reading them. */
#include "testkit/testkit.h"

#include "base/prng.h"
#include "protobuf/protobuf_packed.h"

#define CHECK_FAULT(expected, actual)                                         \
    CHECK_ENUM(protobuf_fault_name, expected, actual)

static void check_text(const struct protobuf_packed_uint32 *view,
                       const char *want)
{
    char text[64];

    protobuf_packed_uint32_text(view, text, sizeof(text));
    CHECK_STR(want, text);
}

static void test_states(void **state)
{
    (void)state;
    static const uint8_t first[] = {9, 2}, second[] = {4}, cut[] = {0x80};
    struct alloc_probe probe = {0};
    struct alloc a = alloc_probe_alloc(&probe);
    struct protobuf_packed_uint32 view;

    CHECK_FAULT(PROTOBUF_OK, protobuf_packed_uint32_from(&view, first, 2, &a));
    CHECK_FAULT(PROTOBUF_OK, protobuf_packed_uint32_extend(&view, NULL, 0));
    assert_ptr_equal(first, view.payload);
    CHECK_SIZE(2, view.count);
    CHECK_SIZE(0, probe.calls); /* one record never allocates */

    CHECK_FAULT(PROTOBUF_OK, protobuf_packed_uint32_extend(&view, second, 1));
    assert_null(view.payload);
    check_text(&view, "[9, 2, 4]");
    CHECK_FAULT(PROTOBUF_TRUNCATED,
                protobuf_packed_uint32_extend(&view, cut, 1));
    check_text(&view, "[9, 2, 4]");
    CHECK_FAULT(PROTOBUF_OK, protobuf_packed_uint32_push(&view, 7));
    check_text(&view, "[9, 2, 4, 7]");
    CHECK_SIZE(4, protobuf_packed_uint32_size(&view));
    protobuf_packed_uint32_free(&view);
    CHECK_SIZE(0, probe.live_count);
    CHECK_SIZE(0, view.count);
}

static void test_text_cuts(void **state)
{
    (void)state;
    static const uint8_t in[] = {9, 2, 4};
    struct protobuf_packed_uint32 view;
    char text[6];

    CHECK_FAULT(PROTOBUF_OK, protobuf_packed_uint32_from(&view, in, 3, NULL));
    CHECK_SIZE(9, protobuf_packed_uint32_text(&view, NULL, 0));
    CHECK_SIZE(9, protobuf_packed_uint32_text(&view, text, sizeof(text)));
    CHECK_STR("[9, 2", text);
}

static void test_equality(void **state)
{
    (void)state;
    static const uint8_t in[] = {9, 0x82, 0x00}, other[] = {9, 3};
    struct protobuf_packed_uint32 a, b, c;

    CHECK_FAULT(PROTOBUF_OK, protobuf_packed_uint32_from(&a, in, 3, NULL));
    CHECK_FAULT(PROTOBUF_OK, protobuf_packed_uint32_from(&b, other, 2, NULL));
    CHECK_FAULT(PROTOBUF_OK, protobuf_packed_uint32_from(&c, other, 1, NULL));
    assert_false(protobuf_packed_uint32_equal(&a, &b));
    assert_false(protobuf_packed_uint32_equal(&a, &c));
    CHECK_FAULT(PROTOBUF_OK, protobuf_packed_uint32_push(&c, 2));
    assert_true(protobuf_packed_uint32_equal(&a, &c));
    protobuf_packed_uint32_free(&c);
}

/* Any way of cutting a list into packed and single records gives the same
 * elements; every allocation failing in turn leaves the view as it was. */
static void test_any_cut(void **state)
{
    (void)state;
    uint64_t seed = 3;
    uint8_t in[60];
    size_t at[61];

    for (int round = 0; round < 300; round++) {
        struct protobuf_packed_sint32 whole, cut;
        struct alloc_probe probe = {.fail_at = (size_t)round % 5};
        struct alloc a = alloc_probe_alloc(&probe);
        size_t n = 0, size = 0;

        while (size < 50) {
            at[n++] = size;
            for (uint64_t more = prng_below(&seed, 4); more > 1; more--)
                in[size++] = 0x80 | (uint8_t)prng_below(&seed, 128);
            in[size++] = (uint8_t)prng_below(&seed, 128);
        }
        at[n] = size;
        CHECK_FAULT(PROTOBUF_OK,
                    protobuf_packed_sint32_from(&whole, in, size, NULL));
        CHECK_SIZE(n, whole.count);
        protobuf_packed_sint32_init(&cut, &a);
        struct protobuf_packed_sint32_iter iter =
            protobuf_packed_sint32_iter(&whole);
        for (size_t i = 0; i < n;) {
            size_t piece = 1 + (size_t)prng_below(&seed, n - i);
            enum protobuf_fault fault;
            int32_t element = 0;
            size_t count = cut.count;
            struct protobuf_packed_sint32_iter here = iter;

            if (prng_below(&seed, 3) == 0) {
                piece = 1;
                assert_true(protobuf_packed_sint32_next(&iter, &element));
                fault = protobuf_packed_sint32_push(&cut, element);
            } else {
                CHECK_SIZE(piece, protobuf_packed_sint32_skip(&iter, piece));
                fault = protobuf_packed_sint32_extend(&cut, in + at[i],
                                                      at[i + piece] - at[i]);
            }
            if (fault == PROTOBUF_NO_MEMORY) {
                CHECK_SIZE(count, cut.count);
                iter = here; /* once more, which does not fail */
                continue;
            }
            CHECK_FAULT(PROTOBUF_OK, fault);
            i += piece;
            CHECK_SIZE(n - i, iter.left);
        }
        assert_true(protobuf_packed_sint32_equal(&whole, &cut));
        protobuf_packed_sint32_free(&cut);
        CHECK_SIZE(0, probe.live_count);
    }
}

static void test_skip_past_the_end(void **state)
{
    (void)state;
    static const uint64_t elements[] = {1, 300, UINT64_MAX};
    struct protobuf_packed_uint64 view;
    uint64_t got = 0;

    CHECK_FAULT(PROTOBUF_OK,
                protobuf_packed_uint64_from_array(&view, elements, 3, NULL));
    struct protobuf_packed_uint64_iter iter =
        protobuf_packed_uint64_iter(&view);
    CHECK_SIZE(2, protobuf_packed_uint64_skip(&iter, 2));
    struct protobuf_packed_uint64_iter other = iter;
    CHECK_SIZE(1, protobuf_packed_uint64_skip(&iter, 5));
    assert_false(protobuf_packed_uint64_next(&iter, &got));
    assert_true(protobuf_packed_uint64_next(&other, &got));
    CHECK_U64(UINT64_MAX, got);
    protobuf_packed_uint64_free(&view);
}

static void test_to_array_out_of_memory(void **state)
{
    (void)state;
    static const uint8_t in[] = {1, 2, 3};
    struct alloc_probe probe = {.fail_at = 1};
    struct alloc a = alloc_probe_alloc(&probe);
    struct protobuf_packed_bool view;
    bool *out = NULL;
    static const bool two[] = {true, false};

    CHECK_FAULT(PROTOBUF_OK, protobuf_packed_bool_from(&view, in, 3, NULL));
    CHECK_FAULT(PROTOBUF_NO_MEMORY,
                protobuf_packed_bool_to_array(&view, &a, &out));
    assert_null(out);
    probe = (struct alloc_probe){.fail_at = 1};
    CHECK_FAULT(PROTOBUF_NO_MEMORY,
                protobuf_packed_bool_from_array(&view, two, 2, &a));
    CHECK_SIZE(3, view.count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_text_cuts),
        cmocka_unit_test(test_equality),
        cmocka_unit_test(test_any_cut),
        cmocka_unit_test(test_skip_past_the_end),
        cmocka_unit_test(test_to_array_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
