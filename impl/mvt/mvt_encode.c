/* SPDX-License-Identifier: MIT */
/* Whole tiles to bytes, through the writer. */
#include "mvt/mvt_encode.h"

#define WRITER_TRY(expr)                                                      \
    do {                                                                      \
        enum mvt_fault try_fault = (expr);                                    \
        if (try_fault != MVT_OK)                                              \
            return try_fault;                                                 \
    } while (0)

static enum mvt_fault fill_feature(struct mvt_writer *w,
                                   const struct mvt_tile_feature *feature)
{
    WRITER_TRY(mvt_writer_id(w, feature->has_id, feature->id));
    for (size_t i = 0; i < feature->property_count; i++)
        WRITER_TRY(mvt_writer_tag(w, feature->properties[i].key,
                                  &feature->properties[i].value));
    return mvt_writer_end_feature(w);
}

enum mvt_fault mvt_writer_tile_feature(struct mvt_writer *w,
                                       const struct mvt_tile_feature *feature)
{
    WRITER_TRY(mvt_writer_feature(w, &feature->geometry));
    enum mvt_fault fault = fill_feature(w, feature);
    if (fault != MVT_OK)
        (void)mvt_writer_drop_feature(w);
    return fault;
}

static enum mvt_fault write_layer(struct mvt_writer *w,
                                  const struct mvt_tile_layer *layer)
{
    WRITER_TRY(mvt_writer_layer(w, layer->name));
    WRITER_TRY(mvt_writer_extent(w, layer->extent));
    for (size_t i = 0; i < layer->feature_count; i++)
        WRITER_TRY(mvt_writer_tile_feature(w, &layer->features[i]));
    return mvt_writer_end_layer(w);
}

enum mvt_fault mvt_writer_tile(struct mvt_writer *w,
                               const struct mvt_tile *tile,
                               const uint8_t **data, size_t *size)
{
    mvt_writer_reset(w);
    for (size_t i = 0; i < tile->layer_count; i++)
        WRITER_TRY(write_layer(w, &tile->layers[i]));
    return mvt_writer_encode(w, data, size);
}

enum mvt_fault mvt_writer_tile_owned(struct mvt_writer *w,
                                     struct mvt_tile *tile,
                                     const uint8_t **data, size_t *size)
{
    enum mvt_fault fault = mvt_writer_tile(w, tile, data, size);
    mvt_tile_free(tile);
    return fault;
}

enum mvt_fault mvt_tile_encode(const struct mvt_tile *tile,
                               const struct mvt_writer_options *options,
                               struct mvt_bytes *out, struct mvt_error *error)
{
    struct mvt_writer w;
    const uint8_t *data;
    size_t size;

    mvt_writer_init(&w, options);
    enum mvt_fault fault = mvt_writer_tile(&w, tile, &data, &size);
    if (fault == MVT_OK) {
        *out = w.tile; /* not copied: it leaves the writer */
        w.tile = (struct mvt_bytes){.alloc = w.alloc};
    } else {
        *error = w.error;
    }
    mvt_writer_free(&w);
    return fault;
}

enum mvt_fault mvt_tile_encode_owned(struct mvt_tile *tile,
                                     const struct mvt_writer_options *options,
                                     struct mvt_bytes *out,
                                     struct mvt_error *error)
{
    enum mvt_fault fault = mvt_tile_encode(tile, options, out, error);
    mvt_tile_free(tile);
    return fault;
}
