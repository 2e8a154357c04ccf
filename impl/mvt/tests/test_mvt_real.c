/* SPDX-License-Identifier: MIT */
/* The 207 real tiles: counts, sums, dumps, re-encodings, and the oracle. */
#include "mvt/tests/mvt_check.h"

#include <gcrypt.h>
#include <stdio.h>

#include "mvt/reference/mvt_reference.h"
#include "mvt/sample/mvt_tiles.h"
#include "mvt/tests/mvt_tiles_check.h"

/* Counts and sums over some tiles. */
struct totals {
    uint64_t tiles, bytes, layers, features, keys, values;
    uint64_t tags, commands, ids;
    uint64_t tag_sum, command_sum, id_sum;
    int64_t x_sum, y_sum, int_sum;
    uint64_t kinds[6], parts, vertices;
    uint64_t properties, strings, ints, floats;
    uint64_t string_bytes, property_key_bytes, layer_key_bytes;
};

static const struct totals want = {
    .tiles = 207,
    .bytes = 32509758,
    .layers = 1647,
    .features = 385130,
    .keys = 10902,
    .values = 828330,
    .tags = 7870720,
    .commands = 6463892,
    .ids = 94225,
    .tag_sum = UINT64_C(95578243130),
    .command_sum = UINT64_C(602526932885),
    .id_sum = UINT64_C(30150221851762),
    .x_sum = INT64_C(378281984510),
    .y_sum = INT64_C(371119490761),
    .int_sum = INT64_C(693464947978516),
    .kinds = {224582, 58, 41613, 6565, 107572, 4740},
    .parts = 41613 + 101791 + 122092 + 47520,
    .vertices = 2891416,
    .properties = 3935360,
    .strings = 2386559,
    .ints = 1548798,
    .floats = 3,
    .string_bytes = 17715502,
    .property_key_bytes = 34462574,
    .layer_key_bytes = 77378,
};

static void add_elements(const struct mvt_feature *f, struct totals *t)
{
    struct mvt_elements tags, commands;

    CHECK_FAULT(MVT_OK, mvt_feature_tags(f, &tags));
    CHECK_FAULT(MVT_OK, mvt_feature_commands(f, &commands));
    t->tags += tags.count;
    t->commands += commands.count;
    for (size_t i = 0; i < tags.count; i++)
        t->tag_sum += tags.data[i];
    for (size_t i = 0; i < commands.count; i++)
        t->command_sum += commands.data[i];
}

static void add_geometry(const struct mvt_feature *f,
                         struct mvt_buffer *buffer, struct totals *t)
{
    struct mvt_geometry g, own;

    CHECK_FAULT(MVT_OK, mvt_feature_geometry_buffer(f, buffer, &g));
    CHECK_FAULT(MVT_OK, mvt_feature_geometry(f, NULL, &own));
    assert_true(mvt_geometry_equal(&g, &own));
    mvt_geometry_free(&own, NULL);
    t->kinds[g.kind]++;
    t->parts += g.part_count;
    t->vertices += g.point_count;
    for (size_t i = 0; i < g.point_count; i++) {
        t->x_sum += mvt_geometry_points(&g)[i].x;
        t->y_sum += mvt_geometry_points(&g)[i].y;
    }
}

static void add_properties(const struct mvt_feature *f, struct totals *t)
{
    struct mvt_properties it;
    struct mvt_property p = NO_PROPERTY;
    enum mvt_fault fault;

    mvt_properties_init(&it, f);
    while ((fault = mvt_properties_next(&it, &p)) != MVT_END) {
        CHECK_FAULT(MVT_OK, fault);
        t->properties++;
        t->property_key_bytes += p.key->size;
        if (p.value->kind == MVT_STRING) {
            t->strings++;
            t->string_bytes += p.value->size;
        } else if (p.value->kind == MVT_INT) {
            t->ints++;
            t->int_sum += p.value->int_value;
        } else {
            t->floats++;
        }
    }
}

static void add_tile(const struct mvt_reader *r, struct totals *t)
{
    struct mvt_buffer buffer;

    mvt_buffer_init(&buffer, NULL);
    for (size_t i = 0; i < mvt_reader_layer_count(r); i++) {
        struct mvt_layer layer = mvt_reader_layer(r, i);
        t->layers++;
        t->keys += mvt_layer_key_count(layer);
        t->values += mvt_layer_value_count(layer);
        for (size_t k = 0; k < mvt_layer_key_count(layer); k++)
            t->layer_key_bytes += mvt_layer_keys(layer)[k].size;
        for (size_t j = 0; j < mvt_layer_feature_count(layer); j++) {
            struct mvt_feature f = mvt_layer_feature(layer, j);
            uint64_t id;
            t->features++;
            t->ids += mvt_feature_id(&f, &id);
            t->id_sum += id;
            add_elements(&f, t);
            add_geometry(&f, &buffer, t);
            add_properties(&f, t);
        }
    }
    mvt_buffer_free(&buffer);
}

static void test_totals(void **state)
{
    (void)state;
    struct mvt_tiles tiles = real_tiles(MVT_TILES_REAL);
    struct totals t;

    for (size_t p = 0; p < ARRAY_COUNT(mvt_paths); p++) {
        t = (struct totals){0};
        for (size_t i = 0; i < tiles.count; i++) {
            struct mvt_reader r;
            size_t size;
            uint8_t *data = read_tile(tiles.files[i].path, &size);
            open_ok(&r, mvt_paths[p], data, size);
            t.tiles++;
            t.bytes += size;
            add_tile(&r, &t);
            mvt_reader_free(&r);
            free(data);
        }
        CHECK_BYTES(&want, sizeof(want), &t, sizeof(t));
    }
    mvt_tiles_free(&tiles);
}

/* ---- digests -------------------------------------------------------------
 */

static void check_digest(gcry_md_hd_t md, const char *hex)
{
    uint8_t bytes[32];

    hex_decode(hex, bytes, sizeof(bytes));
    CHECK_BYTES(bytes, 32, gcry_md_read(md, GCRY_MD_SHA256), 32);
    gcry_md_close(md);
}

static gcry_md_hd_t new_digest(void)
{
    gcry_md_hd_t md;

    gcry_check_version(NULL);
    assert_int_equal(0, gcry_md_open(&md, GCRY_MD_SHA256, 0));
    return md;
}

static bool put_digest(void *ctx, const char *text, size_t size)
{
    gcry_md_write(ctx, text, size);
    return true;
}

static void test_dumps(void **state)
{
    (void)state;
    struct mvt_tiles tiles = real_tiles(MVT_TILES_REAL);
    gcry_md_hd_t input = new_digest(), dump = new_digest();

    for (size_t i = 0; i < tiles.count; i++) {
        struct mvt_reader r;
        size_t size;
        uint8_t *data = read_tile(tiles.files[i].path, &size);
        open_ok(&r, PROTOBUF_PATH_BEST, data, size);
        gcry_md_write(input, data, size);
        CHECK_FAULT(MVT_OK, mvt_dump(&r, put_digest, dump, NULL));
        mvt_reader_free(&r);
        free(data);
    }
    check_digest(input, "b985eae51181f24c65d3407e041f1c54"
                        "6840668aa2704e7930c2f3d0e17e3c45");
    check_digest(dump, "81789e7dc1ea41ed97d510af87459fbc"
                       "3fd2dce262bb7a91798f06f1ea903c9f");
    mvt_tiles_free(&tiles);
}

static void encode_again(const uint8_t *data, size_t size,
                         struct mvt_bytes *out, struct mvt_tile *tile)
{
    struct mvt_error error;
    struct mvt_reader r;

    open_ok(&r, PROTOBUF_PATH_BEST, data, size);
    CHECK_FAULT(MVT_OK, mvt_reader_to_tile(&r, NULL, tile, &error));
    CHECK_FAULT(MVT_OK, mvt_tile_encode(tile, NULL, out, &error));
    mvt_reader_free(&r);
}

static void test_encodings(void **state)
{
    (void)state;
    struct mvt_tiles tiles = real_tiles(MVT_TILES_REAL);
    gcry_md_hd_t md = new_digest();

    for (size_t i = 0; i < tiles.count; i++) {
        struct mvt_tile first, second;
        struct mvt_bytes once, twice;
        size_t size;
        uint8_t *data = read_tile(tiles.files[i].path, &size);

        encode_again(data, size, &once, &first);
        CHECK_SIZE(size, once.size);
        gcry_md_write(md, once.data, once.size);
        encode_again(once.data, once.size, &twice, &second);
        CHECK_BYTES(once.data, once.size, twice.data, twice.size);
        assert_true(mvt_tile_equal(&first, &second));
        mvt_bytes_free(&once);
        mvt_bytes_free(&twice);
        mvt_tile_free(&first);
        mvt_tile_free(&second);
        free(data);
    }
    check_digest(md, "274d2343f90a0f4e08b5cc69ef9bd73c"
                     "e94622ee99f131403009747df2ff687e");
    mvt_tiles_free(&tiles);
}

/* ---- oracles -------------------------------------------------------------
 */

static void test_oracles(void **state)
{
    (void)state;
    struct mvt_tiles tiles = real_tiles(MVT_TILES_REAL);

    for (size_t i = 0; i < tiles.count; i++) {
        struct mvt_reference reference;
        struct protobuf_error error;
        struct mvt_proto_tile message;
        struct mvt_reader r;
        const char *differs;
        size_t size;
        uint8_t *data = read_tile(tiles.files[i].path, &size);

        open_ok(&r, PROTOBUF_PATH_BEST, data, size);
        assert_int_equal(PROTOBUF_OK,
                         mvt_proto_decode(data, size, NULL, &message, &error));
        assert_true(mvt_reference_open(&reference, data, size));
        differs = mvt_compare(&r, &message);
        if (differs == NULL)
            differs = mvt_reference_compare(&r, &reference);
        if (differs != NULL)
            CHECK_FAIL("%s: %s differs", tiles.files[i].path, differs);
        mvt_proto_free(&message);
        mvt_reference_free(&reference);
        mvt_reader_free(&r);
        free(data);
    }
    mvt_tiles_free(&tiles);
}

static void test_sets(void **state)
{
    (void)state;
    struct mvt_tiles decode = real_tiles(MVT_TILES_DECODE);
    struct mvt_tiles encode = real_tiles(MVT_TILES_ENCODE);
    size_t decode_bytes = 0, encode_bytes = 0;

    for (size_t i = 0; i < decode.count; i++)
        decode_bytes += decode.files[i].size;
    for (size_t i = 0; i < encode.count; i++)
        encode_bytes += encode.files[i].size;
    CHECK_SIZE(33, decode.count);
    CHECK_SIZE(16163880, decode_bytes);
    CHECK_SIZE(30, encode.count);
    CHECK_SIZE(898749, encode_bytes);
    assert_non_null(strstr(encode.files[0].path, "norway/12-2167-1070"));
    assert_non_null(strstr(encode.files[10].path, "bangkok/12-3192-1891"));
    assert_non_null(
        strstr(decode.files[32].path, "osm-qa-montevideo/12-1408-2471"));
    mvt_tiles_free(&decode);
    mvt_tiles_free(&encode);
}

/* Kept by an open tile: one block, below 1.82 bytes a tile byte and 154 bytes
 * a feature; at most as many allocations as one for each of four arrays. */
static void test_heap(void **state)
{
    (void)state;
    struct mvt_tiles tiles = real_tiles(MVT_TILES_REAL);
    size_t calls = 0, kept = 0, largest = 0, bytes = 0;

    for (size_t i = 0; i < tiles.count; i++) {
        struct alloc_probe probe = {0};
        struct alloc a = alloc_probe_alloc(&probe);
        struct mvt_options options = {.alloc = &a};
        struct mvt_error error;
        struct mvt_reader r;
        size_t size;
        uint8_t *data = read_tile(tiles.files[i].path, &size);

        mvt_reader_init(&r, &options);
        CHECK_FAULT(MVT_OK, mvt_reader_open(&r, data, size, &error));
        calls += probe.calls;
        kept += probe.live_size;
        bytes += size;
        if (probe.live_size > largest)
            largest = probe.live_size;
        mvt_reader_free(&r);
        free(data);
    }
    print_message("%zu allocations; kept %zu bytes: %.2f a tile byte, %.0f a "
                  "feature; largest %zu\n",
                  calls, kept, (double)kept / (double)bytes,
                  (double)kept / 385130, largest);
    assert_true(calls <= 828);
    assert_true(kept * 100 <= bytes * 182);
    assert_true(kept <= (size_t)154 * 385130);
    assert_true(largest <= 13600000);
    mvt_tiles_free(&tiles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_totals),    cmocka_unit_test(test_dumps),
        cmocka_unit_test(test_encodings), cmocka_unit_test(test_oracles),
        cmocka_unit_test(test_sets),      cmocka_unit_test(test_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
