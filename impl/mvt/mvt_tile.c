/* SPDX-License-Identifier: MIT */
/* Owned tiles: copying out of a reader, copying, comparing. */
#include "mvt/mvt_tile.h"

#include "mvt/mvt_geometry.h"

/* A layer's strings and values, copied: same positions as the reader's. */
struct tables {
    const struct mvt_string *keys;
    const struct mvt_value *values;
};

/* What copying needs besides the memory it fills. */
struct copier {
    struct mvt_arena *memory;
    struct mvt_buffer buffer;
    struct mvt_error *error;
};

static enum mvt_fault fail(struct copier *c, enum mvt_fault fault)
{
    return c->error->fault = fault;
}

/* ---- strings ------------------------------------------------------------ */

static bool copy_string(struct mvt_arena *memory, struct mvt_string from,
                        struct mvt_string *out)
{
    char *data = mvt_arena_get(memory, from.size);

    if (data == NULL)
        return false;
    if (from.size != 0)
        memcpy(data, from.data, from.size);
    *out = (struct mvt_string){data, from.size};
    return true;
}

static bool copy_value(struct mvt_arena *memory, const struct mvt_value *from,
                       struct mvt_value *out)
{
    struct mvt_string string;

    *out = *from;
    if (from->kind != MVT_STRING)
        return true;
    string = (struct mvt_string){from->string, from->size};
    if (!copy_string(memory, string, &string))
        return false;
    out->string = string.data;
    return true;
}

static bool copy_tables(struct copier *c, struct mvt_layer layer,
                        struct tables *out)
{
    size_t key_count = mvt_layer_key_count(layer);
    size_t value_count = mvt_layer_value_count(layer);
    struct mvt_string *keys =
        mvt_arena_array(c->memory, key_count, sizeof(*keys));
    struct mvt_value *values =
        mvt_arena_array(c->memory, value_count, sizeof(*values));

    if (keys == NULL || values == NULL)
        return false;
    for (size_t i = 0; i < key_count; i++)
        if (!copy_string(c->memory, mvt_layer_keys(layer)[i], &keys[i]))
            return false;
    for (size_t i = 0; i < value_count; i++)
        if (!copy_value(c->memory, &mvt_layer_values(layer)[i], &values[i]))
            return false;
    *out = (struct tables){keys, values};
    return true;
}

/* ---- features ----------------------------------------------------------- */

/* The properties, with the reader's own strings or those of `tables`. */
static enum mvt_fault copy_properties(struct copier *c,
                                      const struct mvt_feature *feature,
                                      const struct tables *tables,
                                      struct mvt_tile_feature *out)
{
    struct mvt_properties it;
    struct mvt_property property = {0};
    size_t count;

    mvt_properties_init(&it, feature);
    count = mvt_properties_left(&it);
    out->properties =
        mvt_arena_array(c->memory, count, sizeof(*out->properties));
    if (out->properties == NULL)
        return fail(c, MVT_NO_MEMORY);
    for (size_t i = 0; i < count; i++) {
        enum mvt_fault fault = mvt_properties_next(&it, &property);
        if (fault != MVT_OK) {
            c->error->number = property.number;
            return fail(c, fault);
        }
        out->properties[i] = (struct mvt_pair){
            tables->keys[property.key - it.keys],
            tables->values[property.value - it.values],
        };
    }
    out->property_count = count;
    return MVT_OK;
}

static const void *copy_bytes(struct mvt_arena *memory, const void *from,
                              size_t size)
{
    void *copy = mvt_arena_get(memory, size);

    if (copy != NULL && size != 0)
        memcpy(copy, from, size);
    return copy;
}

/* Move a geometry's arrays into memory. */
static bool keep_geometry(struct mvt_arena *memory, struct mvt_geometry *g)
{
    if (g->points == NULL)
        return true;
    g->points = copy_bytes(memory, g->points,
                           (size_t)g->point_count * sizeof(*g->points));
    g->part_ends = copy_bytes(memory, g->part_ends,
                              (size_t)g->part_count * sizeof(uint32_t));
    g->polygon_ends = copy_bytes(memory, g->polygon_ends,
                                 (size_t)g->polygon_count * sizeof(uint32_t));
    g->is_owned = false; /* it is the memory's */
    return g->points != NULL && g->part_ends != NULL &&
           g->polygon_ends != NULL;
}

static enum mvt_fault copy_feature(struct copier *c,
                                   const struct mvt_feature *feature,
                                   const struct tables *tables,
                                   struct mvt_tile_feature *out)
{
    enum mvt_fault fault;

    out->has_id = mvt_feature_id(feature, &out->id);
    fault = copy_properties(c, feature, tables, out);
    if (fault != MVT_OK)
        return fault;
    fault = mvt_feature_geometry_buffer(feature, &c->buffer, &out->geometry);
    if (fault != MVT_OK)
        return fail(c, fault);
    return keep_geometry(c->memory, &out->geometry) ? MVT_OK
                                                    : fail(c, MVT_NO_MEMORY);
}

enum mvt_fault mvt_feature_to_feature(const struct mvt_feature *feature,
                                      struct mvt_arena *memory,
                                      struct mvt_tile_feature *out,
                                      struct mvt_error *error)
{
    struct copier c = {.memory = memory, .error = error};
    struct tables tables = {feature->layer->keys, feature->layer->values};
    struct mvt_tile_feature made;
    enum mvt_fault fault;

    mvt_buffer_init(&c.buffer, memory->alloc);
    fault = copy_feature(&c, feature, &tables, &made);
    mvt_buffer_free(&c.buffer);
    for (size_t i = 0; fault == MVT_OK && i < made.property_count; i++) {
        struct mvt_pair *pair = &made.properties[i];
        if (!copy_string(memory, pair->key, &pair->key) ||
            !copy_value(memory, &pair->value, &pair->value))
            fault = fail(&c, MVT_NO_MEMORY);
    }
    if (fault == MVT_OK)
        *out = made;
    return fault;
}

/* ---- layers and tiles --------------------------------------------------- */

static enum mvt_fault copy_layer(struct copier *c, struct mvt_layer layer,
                                 struct mvt_tile_layer *out)
{
    size_t count = mvt_layer_feature_count(layer);
    struct tables tables;

    *out = (struct mvt_tile_layer){.extent = mvt_layer_extent(layer)};
    if (out->extent == 0)
        return fail(c, MVT_INVALID_EXTENT);
    out->features = mvt_arena_array(c->memory, count, sizeof(*out->features));
    if (out->features == NULL || !copy_tables(c, layer, &tables) ||
        !copy_string(c->memory, mvt_layer_name(layer), &out->name))
        return fail(c, MVT_NO_MEMORY);
    for (; out->feature_count < count; out->feature_count++) {
        struct mvt_feature feature =
            mvt_layer_feature(layer, out->feature_count);
        enum mvt_fault fault = copy_feature(
            c, &feature, &tables, &out->features[out->feature_count]);
        if (fault != MVT_OK)
            return fault;
    }
    return MVT_OK;
}

enum mvt_fault mvt_layer_to_layer(struct mvt_layer layer,
                                  struct mvt_arena *memory,
                                  struct mvt_tile_layer *out,
                                  struct mvt_error *error)
{
    struct copier c = {.memory = memory, .error = error};
    struct mvt_tile_layer made;
    enum mvt_fault fault;

    mvt_buffer_init(&c.buffer, memory->alloc);
    fault = copy_layer(&c, layer, &made);
    mvt_buffer_free(&c.buffer);
    if (fault == MVT_OK)
        *out = made;
    return fault;
}

enum mvt_fault mvt_reader_to_tile(const struct mvt_reader *reader,
                                  const struct alloc *alloc,
                                  struct mvt_tile *out,
                                  struct mvt_error *error)
{
    struct mvt_tile made = {.memory = {.alloc = alloc}};
    struct copier c = {.memory = &made.memory, .error = error};
    size_t count = mvt_reader_layer_count(reader);
    enum mvt_fault fault = MVT_OK;

    mvt_buffer_init(&c.buffer, alloc);
    made.layers = mvt_arena_array(&made.memory, count, sizeof(*made.layers));
    if (made.layers == NULL)
        fault = fail(&c, MVT_NO_MEMORY);
    for (; fault == MVT_OK && made.layer_count < count; made.layer_count++)
        fault = copy_layer(&c, mvt_reader_layer(reader, made.layer_count),
                           &made.layers[made.layer_count]);
    mvt_buffer_free(&c.buffer);
    if (fault == MVT_OK)
        *out = made;
    else
        mvt_tile_free(&made);
    return fault;
}

void mvt_tile_free(struct mvt_tile *tile)
{
    mvt_arena_free(&tile->memory);
    tile->layers = NULL;
    tile->layer_count = 0;
}

/* ---- copies ------------------------------------------------------------- */

static bool duplicate_feature(struct mvt_arena *memory,
                              const struct mvt_tile_feature *from,
                              struct mvt_tile_feature *out)
{
    *out = *from;
    out->properties = mvt_arena_array(memory, from->property_count,
                                      sizeof(*out->properties));
    if (out->properties == NULL || !keep_geometry(memory, &out->geometry))
        return false;
    for (size_t i = 0; i < from->property_count; i++) {
        const struct mvt_pair *pair = &from->properties[i];
        if (!copy_string(memory, pair->key, &out->properties[i].key) ||
            !copy_value(memory, &pair->value, &out->properties[i].value))
            return false;
    }
    return true;
}

static bool duplicate_layer(struct mvt_arena *memory,
                            const struct mvt_tile_layer *from,
                            struct mvt_tile_layer *out)
{
    *out = *from;
    out->features =
        mvt_arena_array(memory, from->feature_count, sizeof(*out->features));
    if (out->features == NULL || !copy_string(memory, from->name, &out->name))
        return false;
    for (size_t i = 0; i < from->feature_count; i++)
        if (!duplicate_feature(memory, &from->features[i], &out->features[i]))
            return false;
    return true;
}

/* What the functions above take from memory.  A sum that wraps costs more
 * blocks and nothing else. */

static size_t feature_room(const struct mvt_tile_feature *f)
{
    const struct mvt_geometry *g = &f->geometry;
    size_t room = mvt_arena_room(f->property_count * sizeof(*f->properties));

    if (g->points != NULL)
        room += mvt_arena_room(g->point_count * sizeof(*g->points)) +
                mvt_arena_room(g->part_count * sizeof(uint32_t)) +
                mvt_arena_room(g->polygon_count * sizeof(uint32_t));
    for (size_t i = 0; i < f->property_count; i++) {
        const struct mvt_pair *pair = &f->properties[i];
        room += mvt_arena_room(pair->key.size);
        if (pair->value.kind == MVT_STRING)
            room += mvt_arena_room(pair->value.size);
    }
    return room;
}

static size_t tile_room(const struct mvt_tile *tile)
{
    size_t room = mvt_arena_room(tile->layer_count * sizeof(*tile->layers));

    for (size_t i = 0; i < tile->layer_count; i++) {
        const struct mvt_tile_layer *layer = &tile->layers[i];
        room +=
            mvt_arena_room(layer->name.size) +
            mvt_arena_room(layer->feature_count * sizeof(*layer->features));
        for (size_t k = 0; k < layer->feature_count; k++)
            room += feature_room(&layer->features[k]);
    }
    return room;
}

enum mvt_fault mvt_tile_copy(const struct mvt_tile *tile,
                             const struct alloc *alloc, struct mvt_tile *out)
{
    struct mvt_tile made = {.memory = {.alloc = alloc}};

    if (!mvt_arena_reserve(&made.memory, tile_room(tile)))
        return MVT_NO_MEMORY;
    made.layers =
        mvt_arena_array(&made.memory, tile->layer_count, sizeof(*made.layers));
    if (made.layers == NULL)
        return MVT_NO_MEMORY;
    for (; made.layer_count < tile->layer_count; made.layer_count++)
        if (!duplicate_layer(&made.memory, &tile->layers[made.layer_count],
                             &made.layers[made.layer_count])) {
            mvt_tile_free(&made);
            return MVT_NO_MEMORY;
        }
    *out = made;
    return MVT_OK;
}
