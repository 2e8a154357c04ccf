/* SPDX-License-Identifier: MIT */
/* Writing a tile: what is open, and how it closes. */
#include "mvt/mvt_writer.h"

#include "mvt/mvt_geometry_internal.h"
#include "mvt/mvt_internal.h"
#include "mvt/mvt_writer_internal.h"

/* The size of a message that every reader accepts. */
#define MESSAGE_SIZE_MAX INT32_MAX

/* The version that is written. */
#define VERSION 2

static enum mvt_fault no_memory(struct mvt_writer *w)
{
    return mvt_writer_fail(w, MVT_NO_MEMORY, 0);
}

static enum mvt_fault misuse(struct mvt_writer *w)
{
    return mvt_writer_fail(w, MVT_MISUSE, 0);
}

/* ---- the tile ------------------------------------------------------------
 */

void mvt_writer_init(struct mvt_writer *w,
                     const struct mvt_writer_options *options)
{
    const struct alloc *alloc = options == NULL ? NULL : options->alloc;
    struct mvt_bytes none = {.alloc = alloc};

    *w = (struct mvt_writer){
        .alloc = alloc,
        .seed = options == NULL || options->seed == NULL ? MVT_WRITER_SEED
                                                         : *options->seed,
        .tile = none,
        .strings = {.alloc = alloc},
        .features = none,
        .keys = none,
        .values = none,
        .tags = none,
        .commands = none,
        .undo = none,
    };
    mvt_writer_init_tables(w);
}

void mvt_writer_reset(struct mvt_writer *w)
{
    (void)mvt_writer_drop_layer(w);
    w->tile.size = 0;
}

void mvt_writer_free(struct mvt_writer *w)
{
    struct mvt_writer_options options = {.alloc = w->alloc, .seed = &w->seed};
    struct dethash_seed seed = w->seed;

    mvt_writer_free_tables(w);
    mvt_bytes_free(&w->tile);
    mvt_bytes_free(&w->features);
    mvt_bytes_free(&w->keys);
    mvt_bytes_free(&w->values);
    mvt_bytes_free(&w->tags);
    mvt_bytes_free(&w->commands);
    mvt_bytes_free(&w->undo);
    mvt_arena_free(&w->strings);
    options.seed = &seed; /* init clears the writer's own */
    mvt_writer_init(w, &options);
}

enum mvt_fault mvt_writer_encode(struct mvt_writer *w, const uint8_t **data,
                                 size_t *size)
{
    if (w->state != MVT_WRITER_TILE)
        return misuse(w);
    *data = w->tile.data;
    *size = w->tile.size;
    return MVT_OK;
}

/* ---- layers --------------------------------------------------------------
 */

static enum mvt_fault begin_layer(struct mvt_writer *w, struct mvt_string name)
{
    char *copy = mvt_arena_get(&w->strings, name.size);

    if (copy == NULL)
        return no_memory(w);
    memcpy(copy, name.data, name.size);
    w->name = (struct mvt_string){copy, name.size};
    w->extent = MVT_EXTENT_DEFAULT;
    w->feature_count = 0;
    w->state = MVT_WRITER_LAYER;
    return MVT_OK;
}

enum mvt_fault mvt_writer_layer(struct mvt_writer *w, struct mvt_string name)
{
    if (w->state != MVT_WRITER_TILE)
        return misuse(w);
    if (name.size == 0)
        return mvt_writer_fail(w, MVT_MISSING_LAYER_NAME, 0);
    return begin_layer(w, name);
}

enum mvt_fault mvt_writer_extent(struct mvt_writer *w, uint32_t extent)
{
    if (w->state != MVT_WRITER_LAYER || extent == 0)
        return misuse(w);
    w->extent = extent;
    return MVT_OK;
}

size_t mvt_writer_feature_count(const struct mvt_writer *w)
{
    return w->state == MVT_WRITER_TILE ? 0 : w->feature_count;
}

/* Forget all of the open layer. */
static void clear_layer(struct mvt_writer *w)
{
    mvt_writer_clear_tables(w);
    mvt_arena_reset(&w->strings);
    w->features.size = 0;
    w->keys.size = 0;
    w->values.size = 0;
    w->undo.size = 0;
    w->state = MVT_WRITER_TILE;
}

enum mvt_fault mvt_writer_end_layer(struct mvt_writer *w)
{
    size_t size;

    if (w->state != MVT_WRITER_LAYER)
        return misuse(w);
    size = 1 + protobuf_varint_size(w->name.size) + w->name.size +
           w->features.size + w->keys.size + w->values.size + 1 +
           protobuf_varint_size(w->extent) + 2;
    if (size > MESSAGE_SIZE_MAX ||
        w->tile.size + mvt_field_bound(size) > MESSAGE_SIZE_MAX)
        return mvt_writer_fail(w, MVT_ENCODE, 0);
    if (!mvt_bytes_reserve(&w->tile, mvt_field_bound(size)))
        return no_memory(w);
    mvt_bytes_put_varint(&w->tile, TILE_LAYER);
    mvt_bytes_put_varint(&w->tile, size);
    mvt_bytes_put_field(&w->tile, LAYER_NAME, w->name.data, w->name.size);
    mvt_bytes_put(&w->tile, w->features.data, w->features.size);
    mvt_bytes_put(&w->tile, w->keys.data, w->keys.size);
    mvt_bytes_put(&w->tile, w->values.data, w->values.size);
    mvt_bytes_put_varint(&w->tile, LAYER_EXTENT);
    mvt_bytes_put_varint(&w->tile, w->extent);
    mvt_bytes_put_varint(&w->tile, LAYER_VERSION);
    mvt_bytes_put_varint(&w->tile, VERSION);
    clear_layer(w);
    return MVT_OK;
}

enum mvt_fault mvt_writer_next_layer(struct mvt_writer *w,
                                     struct mvt_string name)
{
    enum mvt_fault fault;

    if (w->state != MVT_WRITER_LAYER)
        return misuse(w);
    if (name.size == 0)
        return mvt_writer_fail(w, MVT_MISSING_LAYER_NAME, 0);
    fault = mvt_writer_end_layer(w);
    return fault != MVT_OK ? fault : begin_layer(w, name);
}

enum mvt_fault mvt_writer_drop_layer(struct mvt_writer *w)
{
    if (w->state == MVT_WRITER_TILE)
        return misuse(w);
    clear_layer(w);
    return MVT_OK;
}

/* ---- features ------------------------------------------------------------
 */

static void begin_feature(struct mvt_writer *w, enum mvt_writer_state state,
                          enum mvt_type type)
{
    w->state = state;
    w->type = type;
    w->has_id = false;
    w->tag_count = 0;
    w->tags.size = 0;
    w->undo.size = 0;
    w->keys_before = w->keys.size;
    w->values_before = w->values.size;
    w->key_count_before = w->key_table.count;
    w->value_count_before = w->value_count;
}

static void clear_commands(struct mvt_writer *w)
{
    w->commands.size = 0;
    w->cursor = (struct mvt_point){0, 0};
}

static enum mvt_type type_of(enum mvt_geometry_kind kind)
{
    switch (kind) {
    case MVT_POINT:
    case MVT_MULTIPOINT:
        return MVT_TYPE_POINT;
    case MVT_LINESTRING:
    case MVT_MULTILINESTRING:
        return MVT_TYPE_LINESTRING;
    default:
        return MVT_TYPE_POLYGON;
    }
}

enum mvt_fault mvt_writer_feature(struct mvt_writer *w,
                                  const struct mvt_geometry *geometry)
{
    enum mvt_fault fault;

    if (w->state != MVT_WRITER_LAYER)
        return misuse(w);
    clear_commands(w);
    fault = mvt_writer_put_geometry(w, geometry);
    if (fault == MVT_OK)
        begin_feature(w, MVT_WRITER_FEATURE_WHOLE, type_of(geometry->kind));
    return fault;
}

enum mvt_fault mvt_writer_feature_of(struct mvt_writer *w, enum mvt_type type)
{
    if (w->state != MVT_WRITER_LAYER || type < MVT_TYPE_POINT)
        return misuse(w);
    clear_commands(w);
    begin_feature(w, MVT_WRITER_FEATURE, type);
    return MVT_OK;
}

enum mvt_fault mvt_writer_id(struct mvt_writer *w, bool has_id, uint64_t id)
{
    if (!mvt_writer_in_feature(w))
        return misuse(w);
    w->has_id = has_id;
    w->id = id;
    return MVT_OK;
}

static size_t packed_size(const struct mvt_bytes *b)
{
    return b->size == 0 ? 0 : 1 + protobuf_varint_size(b->size) + b->size;
}

enum mvt_fault mvt_writer_end_feature(struct mvt_writer *w)
{
    size_t size;

    if (!mvt_writer_in_feature(w))
        return misuse(w);
    size = (w->has_id ? 1 + protobuf_varint_size(w->id) : 0) +
           packed_size(&w->tags) + 2 + packed_size(&w->commands);
    if (!mvt_bytes_reserve(&w->features, mvt_field_bound(size)))
        return no_memory(w);
    mvt_bytes_put_varint(&w->features, LAYER_FEATURE);
    mvt_bytes_put_varint(&w->features, size);
    if (w->has_id) {
        mvt_bytes_put_varint(&w->features, FEATURE_ID);
        mvt_bytes_put_varint(&w->features, w->id);
    }
    if (w->tags.size != 0)
        mvt_bytes_put_field(&w->features, FEATURE_TAGS, w->tags.data,
                            w->tags.size);
    mvt_bytes_put_varint(&w->features, FEATURE_TYPE);
    mvt_bytes_put_varint(&w->features, (uint64_t)w->type);
    if (w->commands.size != 0)
        mvt_bytes_put_field(&w->features, FEATURE_GEOMETRY, w->commands.data,
                            w->commands.size);
    w->feature_count++;
    w->state = MVT_WRITER_LAYER;
    return MVT_OK;
}

enum mvt_fault mvt_writer_drop_feature(struct mvt_writer *w)
{
    if (!mvt_writer_in_feature(w))
        return misuse(w);
    mvt_writer_undo_tags(w);
    w->state = MVT_WRITER_LAYER;
    return MVT_OK;
}
