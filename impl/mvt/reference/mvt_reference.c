/* SPDX-License-Identifier: MIT */
/* The plain way to read a tile, with protobuf-c. */
#include "mvt/reference/mvt_reference.h"

#include <stdlib.h>

#include "mvt/reference/mvt_traverse.h"
#include "mvt/vector_tile.pb-c.h"

typedef VectorTile__Tile tile_message;
typedef VectorTile__Tile__Layer layer_message;
typedef VectorTile__Tile__Feature feature_message;
typedef VectorTile__Tile__Value value_message;

bool mvt_reference_open(struct mvt_reference *reference, const uint8_t *tile,
                        size_t size)
{
    reference->tile = vector_tile__tile__unpack(NULL, size, tile);
    return reference->tile != NULL;
}

void mvt_reference_free(struct mvt_reference *reference)
{
    vector_tile__tile__free_unpacked(reference->tile, NULL);
    reference->tile = NULL;
}

/* The value of a message, by the first kind that is set. */
static struct mvt_value value_of(const value_message *v)
{
    struct mvt_value out = {.kind = MVT_NULL};

    if (v->string_value != NULL) {
        out.kind = MVT_STRING;
        out.string = v->string_value;
        out.size = (uint32_t)strlen(v->string_value);
    } else if (v->has_float_value) {
        out.kind = MVT_FLOAT;
        out.float_value = v->float_value;
    } else if (v->has_double_value) {
        out.kind = MVT_DOUBLE;
        out.double_value = v->double_value;
    } else if (v->has_int_value) {
        out.kind = MVT_INT;
        out.int_value = v->int_value;
    } else if (v->has_uint_value) {
        out.kind = MVT_UINT;
        out.uint_value = v->uint_value;
    } else if (v->has_sint_value) {
        out.kind = MVT_SINT;
        out.int_value = v->sint_value;
    } else if (v->has_bool_value) {
        out.kind = MVT_BOOL;
        out.bool_value = v->bool_value;
    }
    return out;
}

static enum mvt_type type_of(const feature_message *f)
{
    return f->has_type ? (enum mvt_type)f->type : MVT_TYPE_ABSENT;
}

/* ---- traversal -----------------------------------------------------------
 */

static uint64_t sum_tags(const layer_message *layer, const feature_message *f)
{
    uint64_t sum = 0;

    for (size_t i = 0; i + 1 < f->n_tags; i += 2) {
        if (f->tags[i] >= layer->n_keys || f->tags[i + 1] >= layer->n_values)
            continue;
        struct mvt_value value = value_of(layer->values[f->tags[i + 1]]);
        const char *text = layer->keys[f->tags[i]];
        struct mvt_string key = {text, strlen(text)};
        sum += mvt_sum_property(&key, &value);
    }
    return sum;
}

static uint64_t sum_feature(const layer_message *layer,
                            const feature_message *f)
{
    struct mvt_geometry g;
    uint64_t sum = f->has_id ? f->id : 0;

    if (mvt_reference_geometry(type_of(f), f->geometry, f->n_geometry, &g) ==
        MVT_OK) {
        sum += mvt_sum_geometry(&g);
        mvt_geometry_free(&g, NULL);
    }
    return sum + sum_tags(layer, f);
}

uint64_t mvt_reference_traverse(const struct mvt_reference *reference)
{
    const tile_message *tile = reference->tile;
    uint64_t sum = 0;

    for (size_t i = 0; i < tile->n_layers; i++)
        for (size_t j = 0; j < tile->layers[i]->n_features; j++)
            sum += sum_feature(tile->layers[i], tile->layers[i]->features[j]);
    return sum;
}

/* ---- comparison ----------------------------------------------------------
 */

#define SAME(condition, what)                                                 \
    do {                                                                      \
        if (!(condition))                                                     \
            return what;                                                      \
    } while (0)

static bool same_text(struct mvt_string a, const char *b)
{
    /* protobuf-c ends its texts with a NUL: one inside cuts them short */
    const void *nul = a.size == 0 ? NULL : memchr(a.data, 0, a.size);
    size_t size = nul == NULL ? a.size : (size_t)((const char *)nul - a.data);
    return strlen(b) == size && (size == 0 || memcmp(a.data, b, size) == 0);
}

static bool same_value(const struct mvt_value *a, const value_message *b)
{
    struct mvt_value want = value_of(b);
    struct mvt_string text = {a->string, a->size};

    if (want.kind == MVT_STRING)
        return a->kind == MVT_STRING && same_text(text, want.string);
    return mvt_value_equal(a, &want);
}

static bool same_numbers(const struct mvt_elements *a, const uint32_t *b,
                         size_t count)
{
    return a->count == count &&
           (count == 0 || memcmp(a->data, b, count * sizeof(*b)) == 0);
}

static bool same_geometry(const struct mvt_feature *f,
                          const feature_message *want)
{
    struct mvt_geometry x = {0}, y = {0};
    enum mvt_fault fault = mvt_feature_geometry(f, NULL, &x);
    bool same = mvt_reference_geometry(mvt_feature_type(f), want->geometry,
                                       want->n_geometry, &y) == fault;

    if (same && fault == MVT_OK)
        same = mvt_geometry_equal(&x, &y);
    mvt_geometry_free(&x, NULL);
    mvt_geometry_free(&y, NULL);
    return same;
}

static const char *compare_feature(const struct mvt_feature *f,
                                   const feature_message *want)
{
    struct mvt_elements tags, commands;
    uint64_t id;

    SAME(mvt_feature_id(f, &id) == (want->has_id != 0), "presence of an id");
    SAME(!want->has_id || id == want->id, "an id");
    /* protobuf-c keeps numbers outside the enum */
    SAME(mvt_feature_type(f) == type_of(want) ||
             (want->has_type && (uint32_t)want->type > MVT_TYPE_POLYGON),
         "a type");
    SAME(mvt_feature_tags(f, &tags) == MVT_OK, "tags: no memory");
    SAME(mvt_feature_commands(f, &commands) == MVT_OK, "commands: no memory");
    SAME(same_numbers(&tags, want->tags, want->n_tags), "tags");
    SAME(same_numbers(&commands, want->geometry, want->n_geometry),
         "geometry commands");
    SAME(same_geometry(f, want), "a geometry");
    return NULL;
}

static const char *compare_layer(struct mvt_layer layer,
                                 const layer_message *want)
{
    const char *differs;

    SAME(same_text(mvt_layer_name(layer), want->name), "a layer name");
    SAME(mvt_layer_version(layer) == want->version, "a version");
    SAME(mvt_layer_has_extent(layer) == (want->has_extent != 0),
         "presence of an extent");
    SAME(mvt_layer_extent(layer) == want->extent, "an extent");
    SAME(mvt_layer_key_count(layer) == want->n_keys, "number of keys");
    for (size_t i = 0; i < want->n_keys; i++)
        SAME(same_text(mvt_layer_keys(layer)[i], want->keys[i]), "a key");
    SAME(mvt_layer_value_count(layer) == want->n_values, "number of values");
    for (size_t i = 0; i < want->n_values; i++)
        SAME(same_value(&mvt_layer_values(layer)[i], want->values[i]),
             "a value");
    SAME(mvt_layer_feature_count(layer) == want->n_features,
         "number of features");
    for (size_t i = 0; i < want->n_features; i++) {
        struct mvt_feature f = mvt_layer_feature(layer, i);
        differs = compare_feature(&f, want->features[i]);
        if (differs != NULL)
            return differs;
    }
    return NULL;
}

const char *mvt_reference_compare(const struct mvt_reader *reader,
                                  const struct mvt_reference *reference)
{
    const tile_message *tile = reference->tile;

    SAME(mvt_reader_layer_count(reader) == tile->n_layers, "number of layers");
    for (size_t i = 0; i < tile->n_layers; i++) {
        const char *differs =
            compare_layer(mvt_reader_layer(reader, i), tile->layers[i]);
        if (differs != NULL)
            return differs;
    }
    return NULL;
}
