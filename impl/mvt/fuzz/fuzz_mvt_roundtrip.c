/* SPDX-License-Identifier: MIT */
/* Whatever becomes an owned tile is written, and read again as the same tile;
 * from then on the bytes stay the same, whether a tile is written at once, by
 * a writer that wrote another before, or layer by layer, piece by piece. */
#include "testkit/fuzz.h"

#include <string.h>

#include "mvt/mvt.h"

/* Read bytes into an owned tile; whether that can be done. */
static bool read_tile(const uint8_t *data, size_t size, struct mvt_tile *out)
{
    struct mvt_error error;
    struct mvt_reader r;
    bool read;

    mvt_reader_init(&r, NULL);
    read = mvt_reader_open(&r, data, size, &error) == MVT_OK &&
           mvt_reader_to_tile(&r, NULL, out, &error) == MVT_OK;
    mvt_reader_free(&r);
    return read;
}

/* Add a geometry's parts one by one. */
static void put_pieces(struct mvt_writer *w, const struct mvt_geometry *g)
{
    size_t polygon = 0;

    if (g->kind <= MVT_MULTIPOINT) {
        FUZZ_CHECK(mvt_writer_points(w, mvt_geometry_points(g),
                                     g->point_count) == MVT_OK);
        return;
    }
    for (size_t i = 0; i < g->part_count; i++) {
        size_t start = mvt_geometry_part_start(g, i);
        size_t count = g->part_ends[i] - start;
        if (g->kind <= MVT_MULTILINESTRING) {
            FUZZ_CHECK(mvt_writer_line(w, g->points + start, count) == MVT_OK);
            continue;
        }
        bool is_first = i == mvt_geometry_polygon_start(g, polygon);
        if (i + 1 == g->polygon_ends[polygon])
            polygon++;
        FUZZ_CHECK(mvt_writer_ring(w, g->points + start, count, is_first) ==
                   MVT_OK);
    }
}

static enum mvt_type type_of(enum mvt_geometry_kind kind)
{
    return kind <= MVT_MULTIPOINT        ? MVT_TYPE_POINT
           : kind <= MVT_MULTILINESTRING ? MVT_TYPE_LINESTRING
                                         : MVT_TYPE_POLYGON;
}

static void put_feature(struct mvt_writer *w, const struct mvt_tile_feature *f)
{
    FUZZ_CHECK(mvt_writer_feature_of(w, type_of(f->geometry.kind)) == MVT_OK);
    put_pieces(w, &f->geometry);
    FUZZ_CHECK(mvt_writer_id(w, f->has_id, f->id) == MVT_OK);
    for (size_t i = 0; i < f->property_count; i++)
        FUZZ_CHECK(mvt_writer_tag(w, f->properties[i].key,
                                  &f->properties[i].value) == MVT_OK);
    FUZZ_CHECK(mvt_writer_end_feature(w) == MVT_OK);
}

/* Layers written apart, joined, are the tile. */
static void check_pieces(const struct mvt_tile *tile,
                         const struct mvt_bytes *want)
{
    struct mvt_writer w;
    const uint8_t *data;
    size_t size, at = 0;

    mvt_writer_init(&w, NULL);
    for (size_t i = 0; i < tile->layer_count; i++) {
        const struct mvt_tile_layer *layer = &tile->layers[i];
        mvt_writer_reset(&w);
        FUZZ_CHECK(mvt_writer_layer(&w, layer->name) == MVT_OK);
        FUZZ_CHECK(mvt_writer_extent(&w, layer->extent) == MVT_OK);
        for (size_t k = 0; k < layer->feature_count; k++)
            put_feature(&w, &layer->features[k]);
        FUZZ_CHECK(mvt_writer_end_layer(&w) == MVT_OK);
        FUZZ_CHECK(mvt_writer_encode(&w, &data, &size) == MVT_OK);
        FUZZ_CHECK(size <= want->size - at);
        FUZZ_CHECK(memcmp(want->data + at, data, size) == 0);
        at += size;
    }
    FUZZ_CHECK(at == want->size);
    mvt_writer_free(&w);
}

/* One writer for two tiles gives the bytes of the second. */
static void check_kept(const struct mvt_tile *before,
                       const struct mvt_tile *tile,
                       const struct mvt_bytes *want)
{
    struct mvt_writer w;
    const uint8_t *data;
    size_t size;

    mvt_writer_init(&w, NULL);
    FUZZ_CHECK(mvt_writer_tile(&w, before, &data, &size) == MVT_OK);
    FUZZ_CHECK(mvt_writer_tile(&w, tile, &data, &size) == MVT_OK);
    FUZZ_CHECK(size == want->size);
    FUZZ_CHECK(size == 0 || memcmp(data, want->data, size) == 0);
    mvt_writer_free(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mvt_bytes bytes = {0};
    struct mvt_tile tile, second, third;
    struct mvt_error error;

    if (!read_tile(data, size, &tile))
        return 0;
    /* what was read may turn around once: rings, wide jumps, null values */
    FUZZ_CHECK(mvt_tile_encode(&tile, NULL, &bytes, &error) == MVT_OK);
    FUZZ_CHECK(read_tile(bytes.data, bytes.size, &second));
    mvt_bytes_free(&bytes);
    FUZZ_CHECK(mvt_tile_encode(&second, NULL, &bytes, &error) == MVT_OK);
    check_pieces(&second, &bytes);
    FUZZ_CHECK(read_tile(bytes.data, bytes.size, &third));
    check_kept(&tile, &third, &bytes);
    mvt_bytes_free(&bytes);
    mvt_tile_free(&tile);
    mvt_tile_free(&second);
    mvt_tile_free(&third);
    return 0;
}
