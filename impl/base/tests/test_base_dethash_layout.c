/* SPDX-License-Identifier: MIT */
/* The map as numbers: slots, probe sums and their spread over seeds. */
#include "base/dethash.h"
#include "testkit/testkit.h"

#include <stdlib.h>
#include <string.h>

#include "base/address_sample.h"

#define SAMPLE_MAX 64
#define SEED_COUNT 64

static const struct dethash_seed zero = {.k0 = 0, .k1 = 0};
static const struct dethash_seed counting = {
    .k0 = UINT64_C(0x0706050403020100), .k1 = UINT64_C(0x0f0e0d0c0b0a0908)};

/* A map from the first n addresses to their numbers, and the texts. */
struct filled {
    struct dethash map;
    char present[SAMPLE_MAX][ADDRESS_SAMPLE_SIZE];
    char absent[SAMPLE_MAX][ADDRESS_SAMPLE_SIZE];
    uint32_t n;
};

static void fill(struct filled *f, uint32_t n, struct dethash_seed seed)
{
    f->n = n;
    dethash_init(&f->map, seed, SIZE_MAX, NULL);
    for (uint32_t i = 0; i < n; i++) {
        size_t size = address_sample(i, 0, f->present[i]);
        address_sample(i, ADDRESS_SAMPLE_ABSENT, f->absent[i]);
        CHECK_STATUS(ST_OK, dethash_insert(&f->map, f->present[i], size, i));
    }
}

/* Probes of one pass over n texts; *longest keeps the longest of all. */
static size_t pass(const struct filled *f,
                   const char texts[][ADDRESS_SAMPLE_SIZE], size_t *longest)
{
    size_t sum = 0;

    for (uint32_t i = 0; i < f->n; i++) {
        size_t probes =
            dethash_probe_count(&f->map, texts[i], strlen(texts[i]));
        sum += probes;
        if (probes > *longest)
            *longest = probes;
    }
    return sum;
}

static void test_slots_of_eight_addresses(void **state)
{
    (void)state;
    static const char *const layout[16] = {
        [0] = "5511900000000@c.us.0",     [1] = "100515017924529:3@lid.0",
        [2] = "5511900031676@c.us.0",     [4] = "5511900047514:2@c.us.0",
        [11] = "100515018133987:1@lid.0", [12] = "5511900015838:2@c.us.0",
        [13] = "100515018343445:3@lid.0", [14] = "100515017715071:1@lid.0",
    };
    struct filled f;

    fill(&f, 8, zero);
    CHECK_SIZE(16, f.map.slot_count);
    for (size_t i = 0; i < 16; i++)
        CHECK_STR(layout[i], (const char *)f.map.slots[i].key);
    dethash_release(&f.map);
}

/* The values summed over the hits, too: 0 + 1 + ... + n - 1. */
static void test_probe_sums(void **state)
{
    (void)state;
    const struct {
        uint32_t n;
        size_t slot_count;
        struct dethash_seed seed;
        size_t hits, misses, longest;
        uint64_t value_sum;
    } rows[] = {
        {8, 16, zero, 9, 20, 5, 28},
        {8, 16, counting, 9, 22, 5, 28},
        {64, 128, zero, 101, 180, 11, 2016},
        {64, 128, counting, 84, 187, 17, 2016},
    };

    for (size_t k = 0; k < ARRAY_COUNT(rows); k++) {
        struct filled f;
        size_t longest = 0;
        uint64_t value_sum = 0, value = 0;
        fill(&f, rows[k].n, rows[k].seed);
        CHECK_SIZE(rows[k].slot_count, f.map.slot_count);
        CHECK_SIZE(rows[k].hits, pass(&f, f.present, &longest));
        CHECK_SIZE(rows[k].misses, pass(&f, f.absent, &longest));
        CHECK_SIZE(rows[k].longest, longest);
        for (uint32_t i = 0; i < f.n; i++) {
            CHECK_BOOL(true, dethash_get(&f.map, f.present[i],
                                         strlen(f.present[i]), &value));
            value_sum += value;
            CHECK_BOOL(false, dethash_get(&f.map, f.absent[i],
                                          strlen(f.absent[i]), &value));
        }
        CHECK_U64(rows[k].value_sum, value_sum);
        dethash_release(&f.map);
    }
}

static int compare_sizes(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Probe sums over the seeds k0 = 0 to 63, k1 = 0, in the order of k0. */
static void sweep(uint32_t n, bool hits, size_t sums[SEED_COUNT])
{
    for (uint64_t k0 = 0; k0 < SEED_COUNT; k0++) {
        struct filled f;
        size_t longest = 0;
        fill(&f, n, (struct dethash_seed){.k0 = k0, .k1 = 0});
        sums[k0] = pass(&f, hits ? f.present : f.absent, &longest);
        dethash_release(&f.map);
    }
}

static void test_spread_over_seeds(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        bool hits;
        size_t lowest, twice_median, highest;
    } rows[] = {
        {8, true, 8, 20, 20},
        {64, true, 76, 180, 138},
        {8, false, 9, 32, 30},
        {64, false, 103, 299, 294},
    };

    for (size_t k = 0; k < ARRAY_COUNT(rows); k++) {
        size_t sums[SEED_COUNT];
        sweep(rows[k].n, rows[k].hits, sums);
        qsort(sums, SEED_COUNT, sizeof(sums[0]), compare_sizes);
        CHECK_SIZE(rows[k].lowest, sums[0]);
        CHECK_SIZE(rows[k].twice_median,
                   sums[SEED_COUNT / 2 - 1] + sums[SEED_COUNT / 2]);
        CHECK_SIZE(rows[k].highest, sums[SEED_COUNT - 1]);
    }
}

static uint64_t hex_field(struct json_object *object, const char *key)
{
    return strtoull(vector_text(object, key), NULL, 16);
}

static void check_map_case(struct json_object *row)
{
    struct dethash_seed seed = {.k0 = hex_field(row, "k0"),
                                .k1 = hex_field(row, "k1")};
    struct json_object *layout = vector_field(row, "layout");
    struct filled f;
    size_t longest = 0;

    fill(&f, (uint32_t)vector_u64(row, "n"), seed);
    CHECK_SIZE(vector_u64(row, "capacity"), f.map.slot_count);
    CHECK_SIZE(json_object_array_length(layout), f.map.slot_count);
    for (size_t i = 0; i < f.map.slot_count; i++)
        CHECK_STR(json_object_get_string(json_object_array_get_idx(layout, i)),
                  (const char *)f.map.slots[i].key);
    CHECK_SIZE(vector_u64(row, "hit_probes"), pass(&f, f.present, &longest));
    CHECK_SIZE(vector_u64(row, "miss_probes"), pass(&f, f.absent, &longest));
    CHECK_SIZE(vector_u64(row, "longest_probe"), longest);
    dethash_release(&f.map);
}

static void check_spread(struct json_object *row)
{
    struct json_object *per_seed = vector_field(row, "per_seed");
    bool hits = strcmp(vector_text(row, "case"), "hits") == 0;
    size_t sums[SEED_COUNT];

    CHECK_SIZE(SEED_COUNT, json_object_array_length(per_seed));
    sweep((uint32_t)vector_u64(row, "n"), hits, sums);
    for (size_t i = 0; i < SEED_COUNT; i++)
        CHECK_U64(
            json_object_get_uint64(json_object_array_get_idx(per_seed, i)),
            sums[i]);
}

static void check_each(struct json_object *document, const char *name,
                       void (*check)(struct json_object *row))
{
    struct json_object *rows = vector_field(document, name);
    size_t count = json_object_array_length(rows);

    assert_true(count > 0);
    for (size_t i = 0; i < count; i++)
        check(json_object_array_get_idx(rows, i));
}

static void test_published_vectors(void **state)
{
    (void)state;
    struct json_object *document = testkit_vectors("wabin/dethash.json");

    check_each(document, "map_cases", check_map_case);
    check_each(document, "seed_spread", check_spread);
    json_object_put(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slots_of_eight_addresses),
        cmocka_unit_test(test_probe_sums),
        cmocka_unit_test(test_spread_over_seeds),
        cmocka_unit_test(test_published_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
