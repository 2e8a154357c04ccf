/* SPDX-License-Identifier: MIT */
/* The writer's memory: it is kept for the next tile, and may run out. */
#include "mvt/tests/mvt_writer_check.h"

#include <stdio.h>

#include "mvt/sample/mvt_sample.h"

/* Write a small tile; a call that fails for want of memory is made again. */
static void write_twice(struct mvt_writer *w, struct alloc_probe *probe)
{
    static const struct mvt_point path[] = {{1, 1}, {2, 5}, {7, 7}};
    struct mvt_value value = string_value("a value that is new");
    char key[16];

#define AGAIN(call)                                                           \
    do {                                                                      \
        size_t calls = probe->calls;                                          \
        enum mvt_fault fault = (call);                                        \
        if (fault == MVT_NO_MEMORY) {                                         \
            assert_true(probe->calls > calls);                                \
            fault = (call);                                                   \
        }                                                                     \
        CHECK_FAULT(MVT_OK, fault);                                           \
    } while (0)

    AGAIN(mvt_writer_layer(w, TEXT("layer")));
    AGAIN(mvt_writer_feature_of(w, MVT_TYPE_LINESTRING));
    AGAIN(mvt_writer_line(w, path, 3));
    for (int i = 0; i < 9; i++) {
        sprintf(key, "key %d", i);
        AGAIN(mvt_writer_tag(w, text_of(key), &value));
        struct mvt_value number = int_value(i);
        AGAIN(mvt_writer_tag(w, text_of(key), &number));
    }
    AGAIN(mvt_writer_end_feature(w));
    AGAIN(mvt_writer_end_layer(w));
}

static void test_every_allocation_fails(void **state)
{
    (void)state;
    struct mvt_bytes want = {0};

    for (size_t k = 0;; k++) {
        struct alloc_probe probe = {.fail_at = k};
        struct alloc a = alloc_probe_alloc(&probe);
        struct mvt_writer_options options = {.alloc = &a};
        struct mvt_writer w;
        const uint8_t *data;
        size_t size;

        mvt_writer_init(&w, &options);
        write_twice(&w, &probe);
        CHECK_FAULT(MVT_OK, mvt_writer_encode(&w, &data, &size));
        if (k == 0) {
            assert_true(mvt_bytes_reserve(&want, size));
            mvt_bytes_put(&want, data, size);
        }
        CHECK_BYTES(want.data, want.size, data, size);
        mvt_writer_free(&w);
        CHECK_SIZE(0, probe.live_count);
        if (k != 0 && probe.calls < k)
            break;
    }
    mvt_bytes_free(&want);
}

/* ---- many tiles with one writer ------------------------------------------
 */

#define TILE_COUNT 3

/* Seeded tiles, large and small, and their bytes when written alone. */
struct set {
    struct mvt_tile tiles[TILE_COUNT];
    struct mvt_bytes want[TILE_COUNT];
};

static void make_set(struct set *set)
{
    static const size_t sizes[TILE_COUNT] = {30000, 1000, 60000};

    for (size_t i = 0; i < TILE_COUNT; i++) {
        struct mvt_error error;
        struct mvt_bytes sample;
        struct mvt_reader r;

        assert_true(mvt_sample_tile(i, sizes[i], &sample));
        open_ok(&r, PROTOBUF_PATH_BEST, sample.data, sample.size);
        CHECK_FAULT(MVT_OK,
                    mvt_reader_to_tile(&r, NULL, &set->tiles[i], &error));
        mvt_reader_free(&r);
        mvt_bytes_free(&sample);
        CHECK_FAULT(MVT_OK, mvt_tile_encode(&set->tiles[i], NULL,
                                            &set->want[i], &error));
    }
}

static void free_set(struct set *set)
{
    for (size_t i = 0; i < TILE_COUNT; i++) {
        mvt_tile_free(&set->tiles[i]);
        mvt_bytes_free(&set->want[i]);
    }
}

static void check_set(struct mvt_writer *w, const struct set *set)
{
    const uint8_t *data;
    size_t size;

    for (size_t i = 0; i < TILE_COUNT; i++) {
        CHECK_FAULT(MVT_OK, mvt_writer_tile(w, &set->tiles[i], &data, &size));
        CHECK_BYTES(set->want[i].data, set->want[i].size, data, size);
    }
}

static void test_a_kept_writer_allocates_once(void **state)
{
    (void)state;
    struct alloc_probe probe = {0};
    struct alloc a = alloc_probe_alloc(&probe);
    struct mvt_writer_options options = {.alloc = &a};
    struct mvt_writer w;
    struct set set;

    make_set(&set);
    mvt_writer_init(&w, &options);
    check_set(&w, &set);
    size_t calls = probe.calls, live = probe.live_size;
    assert_true(calls != 0);
    check_set(&w, &set);
    check_set(&w, &set);
    CHECK_SIZE(calls, probe.calls);
    CHECK_SIZE(live, probe.live_size);
    mvt_writer_free(&w);
    CHECK_SIZE(0, probe.live_count);
    free_set(&set);
}

/* Whatever stops a tile, in whatever state, the next one is as if alone. */
static void test_a_failed_tile_leaves_no_trace(void **state)
{
    (void)state;
    struct mvt_tile_layer layers[2];
    struct mvt_tile nameless = {.layers = layers, .layer_count = 2};
    const uint8_t *data = (const uint8_t *)"untouched";
    const uint8_t *before = data;
    struct mvt_writer w;
    size_t size = 77;
    struct set set;

    make_set(&set);
    layers[0] = layers[1] = set.tiles[0].layers[0];
    layers[1].name.size = 0;
    mvt_writer_init(&w, NULL);
    CHECK_FAULT(MVT_MISSING_LAYER_NAME,
                mvt_writer_tile(&w, &nameless, &data, &size));
    CHECK_U64(MVT_MISSING_LAYER_NAME, w.error.fault);
    assert_ptr_equal(before, data);
    CHECK_SIZE(77, size);
    check_set(&w, &set);

    layers[1].name = layers[0].name;
    layers[1].extent = 0;
    CHECK_FAULT(MVT_MISUSE, mvt_writer_tile(&w, &nameless, &data, &size));
    check_set(&w, &set);

    CHECK_FAULT(MVT_OK, mvt_writer_layer(&w, TEXT("left open")));
    point_feature(&w, 1, 2);
    check_set(&w, &set);
    mvt_writer_free(&w);
    free_set(&set);
}

static void test_every_allocation_of_a_kept_writer_fails(void **state)
{
    (void)state;
    struct set set;

    make_set(&set);
    for (size_t k = 1;; k++) {
        struct alloc_probe probe = {.fail_at = k};
        struct alloc a = alloc_probe_alloc(&probe);
        struct mvt_writer_options options = {.alloc = &a};
        struct mvt_writer w;
        const uint8_t *data;
        size_t size, failures = 0;

        mvt_writer_init(&w, &options);
        for (size_t i = 0; i < TILE_COUNT; i++) {
            enum mvt_fault fault =
                mvt_writer_tile(&w, &set.tiles[i], &data, &size);
            if (fault != MVT_OK) {
                CHECK_FAULT(MVT_NO_MEMORY, fault);
                failures++;
            }
        }
        CHECK_SIZE(probe.calls >= k, failures);
        check_set(&w, &set);
        mvt_writer_free(&w);
        CHECK_SIZE(0, probe.live_count);
        if (failures == 0)
            break;
    }
    free_set(&set);
}

/* The tile that is given away goes, whether it could be written or not. */
static void test_a_tile_given_away(void **state)
{
    (void)state;
    struct alloc_probe probe = {0};
    struct alloc a = alloc_probe_alloc(&probe);
    struct mvt_writer w;
    struct mvt_tile copy;
    const uint8_t *data;
    size_t size;
    struct set set;

    make_set(&set);
    mvt_writer_init(&w, NULL);
    CHECK_FAULT(MVT_OK, mvt_tile_copy(&set.tiles[0], &a, &copy));
    CHECK_SIZE(1, probe.calls);
    assert_true(mvt_tile_equal(&set.tiles[0], &copy));
    CHECK_FAULT(MVT_OK, mvt_writer_tile_owned(&w, &copy, &data, &size));
    CHECK_BYTES(set.want[0].data, set.want[0].size, data, size);
    CHECK_SIZE(0, probe.live_count);
    CHECK_SIZE(0, copy.layer_count);

    CHECK_FAULT(MVT_OK, mvt_tile_copy(&set.tiles[0], &a, &copy));
    copy.layers[0].extent = 0;
    CHECK_FAULT(MVT_MISUSE, mvt_writer_tile_owned(&w, &copy, &data, &size));
    CHECK_SIZE(0, probe.live_count);
    mvt_writer_free(&w);
    free_set(&set);
}

/* A layer with so many keys, all new. */
static void write_keys(struct mvt_writer *w, int count)
{
    char key[16];

    CHECK_FAULT(MVT_OK, mvt_writer_layer(w, TEXT("a")));
    point_feature(w, 1, 2);
    for (int i = 0; i < count; i++) {
        sprintf(key, "%d", i);
        tag(w, key, int_value(0));
    }
    CHECK_FAULT(MVT_OK, mvt_writer_end_feature(w));
    CHECK_FAULT(MVT_OK, mvt_writer_end_layer(w));
}

/* The table of 5,000 keys has 8,192 slots: a layer of 128 keys keeps it, one
 * of 127 does not, and it is made again. */
static void test_a_sparse_table_is_given_back(void **state)
{
    (void)state;
    const struct dethash *keys;
    struct mvt_writer w;

    mvt_writer_init(&w, NULL);
    keys = &w.key_table.numbers;
    for (int round = 0; round < 2; round++) {
        write_keys(&w, 5000);
        CHECK_SIZE(8192, keys->slot_count);
        CHECK_SIZE(0, keys->count);
        write_keys(&w, 128);
        CHECK_SIZE(8192, keys->slot_count);
        write_keys(&w, 127);
        CHECK_SIZE(0, keys->slot_count);
    }
    mvt_writer_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_allocation_fails),
        cmocka_unit_test(test_a_kept_writer_allocates_once),
        cmocka_unit_test(test_a_failed_tile_leaves_no_trace),
        cmocka_unit_test(test_every_allocation_of_a_kept_writer_fails),
        cmocka_unit_test(test_a_tile_given_away),
        cmocka_unit_test(test_a_sparse_table_is_given_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
