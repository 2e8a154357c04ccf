/* SPDX-License-Identifier: MIT */
/* The sample addresses are the ones the map's figures were computed for. */
#include "base/address_sample.h"
#include "testkit/testkit.h"

#include <string.h>

#include "base/dethash.h"

static void test_first_and_last(void **state)
{
    (void)state;
    static const struct {
        uint32_t i;
        const char *present, *absent;
    } rows[] = {
        {0, "5511900000000@c.us.0", "5511901000000@c.us.0"},
        {1, "100515017715071:1@lid.0", "100515018715071:1@lid.0"},
        {2, "5511900015838:2@c.us.0", "5511901015838:2@c.us.0"},
        {7, "100515018343445:3@lid.0", "100515019343445:3@lid.0"},
        {63, "100515024208269:3@lid.0", "100515025208269:3@lid.0"},
    };
    char text[ADDRESS_SAMPLE_SIZE];

    for (size_t k = 0; k < ARRAY_COUNT(rows); k++) {
        CHECK_SIZE(strlen(rows[k].present),
                   address_sample(rows[k].i, 0, text));
        CHECK_STR(rows[k].present, text);
        address_sample(rows[k].i, ADDRESS_SAMPLE_ABSENT, text);
        CHECK_STR(rows[k].absent, text);
    }
}

/* All texts joined by line feeds.  The hashes are our own, of texts whose
 * SHA-256 are 524ff631..., 4b01a131..., 82766c7c... and d48e0560... */
static void test_all_of_each_sample(void **state)
{
    (void)state;
    static const struct {
        uint32_t count;
        uint64_t salt, hash;
    } rows[] = {
        {8, 0, UINT64_C(0x6531dd55fed318ab)},
        {8, ADDRESS_SAMPLE_ABSENT, UINT64_C(0xfcd8f8f13a6de047)},
        {64, 0, UINT64_C(0x500c1a4daad4e2f7)},
        {64, ADDRESS_SAMPLE_ABSENT, UINT64_C(0x8c4e7823d35f9e90)},
    };

    for (size_t k = 0; k < ARRAY_COUNT(rows); k++) {
        char joined[64 * ADDRESS_SAMPLE_SIZE];
        size_t size = 0;
        for (uint32_t i = 0; i < rows[k].count; i++) {
            size_t n = address_sample(i, rows[k].salt, joined + size);
            assert_in_range(n, 20, 23);
            size += n;
            joined[size++] = '\n';
        }
        CHECK_U64(rows[k].hash, dethash_siphash13(0, 0, joined, size - 1));
    }
}

static void check_list(struct json_object *group, const char *name,
                       uint64_t salt)
{
    struct json_object *list = vector_field(group, name);
    size_t count = json_object_array_length(list);
    char text[ADDRESS_SAMPLE_SIZE];

    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        address_sample((uint32_t)i, salt, text);
        CHECK_STR(json_object_get_string(json_object_array_get_idx(list, i)),
                  text);
    }
}

static void test_published_vectors(void **state)
{
    (void)state;
    struct json_object *document = testkit_vectors("wabin/dethash.json");
    struct json_object *addresses = vector_field(document, "addresses");
    static const char *const counts[] = {"8", "64"};

    for (size_t k = 0; k < ARRAY_COUNT(counts); k++) {
        struct json_object *group = vector_field(addresses, counts[k]);
        check_list(group, "present", 0);
        check_list(group, "absent", ADDRESS_SAMPLE_ABSENT);
    }
    json_object_put(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_and_last),
        cmocka_unit_test(test_all_of_each_sample),
        cmocka_unit_test(test_published_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
