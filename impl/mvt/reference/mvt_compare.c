/* SPDX-License-Identifier: MIT */
/* A reader against the message of the same tile. */
#include "mvt/reference/mvt_compare.h"

#include "mvt/mvt_geometry.h"
#include "mvt/mvt_properties.h"

#define SAME(condition, what)                                                 \
    do {                                                                      \
        if (!(condition))                                                     \
            return what;                                                      \
    } while (0)

#define SAME_PART(expr)                                                       \
    do {                                                                      \
        const char *differs = (expr);                                         \
        if (differs != NULL)                                                  \
            return differs;                                                   \
    } while (0)

static bool same_string(struct mvt_string a, struct mvt_string b)
{
    return a.size == b.size &&
           (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static bool same_numbers(const struct mvt_elements *a,
                         const struct mvt_proto_numbers *b)
{
    return a->count == b->count &&
           (a->count == 0 ||
            memcmp(a->data, b->data, a->count * sizeof(*a->data)) == 0);
}

/* The first kind that is present, in the order of the field numbers. */
static struct mvt_value resolve(const struct mvt_proto_value *v)
{
    struct mvt_value out = {.kind = MVT_NULL};

    for (unsigned kind = MVT_STRING; kind <= MVT_BOOL; kind++) {
        if ((v->present & 1u << kind) == 0)
            continue;
        out.kind = (uint8_t)kind;
        switch (kind) {
        case MVT_STRING:
            out.string = v->string_value.data;
            out.size = (uint32_t)v->string_value.size;
            break;
        case MVT_FLOAT:
            out.float_value = v->float_value;
            break;
        case MVT_DOUBLE:
            out.double_value = v->double_value;
            break;
        case MVT_INT:
            out.int_value = v->int_value;
            break;
        case MVT_UINT:
            out.uint_value = v->uint_value;
            break;
        case MVT_SINT:
            out.int_value = v->sint_value;
            break;
        default:
            out.bool_value = v->bool_value;
        }
        break;
    }
    return out;
}

static const char *compare_feature(const struct mvt_feature *f,
                                   const struct mvt_proto_feature *want)
{
    struct mvt_elements tags, commands;
    struct mvt_properties it;
    uint64_t id;

    SAME(mvt_feature_id(f, &id) == want->has_id, "presence of an id");
    SAME(!want->has_id || id == want->id, "an id");
    SAME((int)mvt_feature_type(f) == want->type, "a type");
    SAME(mvt_feature_tags(f, &tags) == MVT_OK, "tags: no memory");
    SAME(mvt_feature_commands(f, &commands) == MVT_OK, "commands: no memory");
    SAME(same_numbers(&tags, &want->tags), "tags");
    SAME(same_numbers(&commands, &want->geometry), "geometry commands");
    SAME(mvt_feature_has_properties(f) == (want->tags.count != 0),
         "whether there are properties");
    mvt_properties_init(&it, f);
    SAME(mvt_properties_left(&it) == (want->tags.count + 1) / 2,
         "number of properties");
    return NULL;
}

static const char *compare_layer(struct mvt_layer layer,
                                 const struct mvt_proto_layer *want)
{
    const struct mvt_value *values = mvt_layer_values(layer);

    SAME(same_string(mvt_layer_name(layer), want->name), "a layer name");
    SAME(mvt_layer_version(layer) == want->version, "a version");
    SAME(mvt_layer_has_extent(layer) == want->has_extent,
         "presence of an extent");
    SAME(mvt_layer_extent(layer) ==
             (want->has_extent ? want->extent : MVT_EXTENT_DEFAULT),
         "an extent");
    SAME(mvt_layer_key_count(layer) == want->key_count, "number of keys");
    for (size_t i = 0; i < want->key_count; i++)
        SAME(same_string(mvt_layer_keys(layer)[i], want->keys[i]), "a key");
    SAME(mvt_layer_value_count(layer) == want->value_count,
         "number of values");
    for (size_t i = 0; i < want->value_count; i++) {
        struct mvt_value value = resolve(&want->values[i]);
        SAME(mvt_value_equal(&values[i], &value), "a value");
    }
    SAME(mvt_layer_feature_count(layer) == want->feature_count,
         "number of features");
    for (size_t i = 0; i < want->feature_count; i++) {
        struct mvt_feature f = mvt_layer_feature(layer, i);
        SAME_PART(compare_feature(&f, &want->features[i]));
    }
    return NULL;
}

const char *mvt_compare(const struct mvt_reader *reader,
                        const struct mvt_proto_tile *tile)
{
    SAME(mvt_reader_layer_count(reader) == tile->layer_count,
         "number of layers");
    for (size_t i = 0; i < tile->layer_count; i++)
        SAME_PART(
            compare_layer(mvt_reader_layer(reader, i), &tile->layers[i]));
    return NULL;
}

/* ---- two readers ---------------------------------------------------------
 */

static const char *compare_properties(const struct mvt_feature *a,
                                      const struct mvt_feature *b)
{
    struct mvt_properties in_a, in_b;
    struct mvt_property x = {0}, y = {0};
    enum mvt_fault fault;

    mvt_properties_init(&in_a, a);
    mvt_properties_init(&in_b, b);
    do {
        SAME(mvt_properties_left(&in_a) == mvt_properties_left(&in_b),
             "properties left");
        fault = mvt_properties_next(&in_a, &x);
        SAME(mvt_properties_next(&in_b, &y) == fault, "a property's fault");
        if (fault == MVT_OK) {
            SAME(same_string(*x.key, *y.key), "a property's key");
            SAME(mvt_value_equal(x.value, y.value), "a property's value");
        } else if (fault != MVT_END) {
            SAME(x.number == y.number, "a property's number");
        }
    } while (fault != MVT_END);
    return NULL;
}

static const char *compare_geometry(const struct mvt_feature *a,
                                    const struct mvt_feature *b)
{
    struct mvt_buffer buffer;
    struct mvt_geometry x, y;
    enum mvt_fault fault = mvt_feature_geometry(a, NULL, &x);
    bool same;

    mvt_buffer_init(&buffer, NULL);
    same = mvt_feature_geometry_buffer(b, &buffer, &y) == fault;
    if (fault == MVT_OK) {
        same = same && mvt_geometry_equal(&x, &y);
        mvt_geometry_free(&x, NULL);
    }
    mvt_buffer_free(&buffer);
    SAME(same, "a geometry");
    return NULL;
}

const char *mvt_compare_readers(const struct mvt_reader *a,
                                const struct mvt_reader *b)
{
    SAME(mvt_reader_layer_count(a) == mvt_reader_layer_count(b),
         "number of layers");
    for (size_t i = 0; i < mvt_reader_layer_count(a); i++) {
        struct mvt_layer x = mvt_reader_layer(a, i);
        struct mvt_layer y = mvt_reader_layer(b, i);
        SAME(mvt_layer_feature_count(x) == mvt_layer_feature_count(y),
             "number of features");
        for (size_t j = 0; j < mvt_layer_feature_count(x); j++) {
            struct mvt_feature f = mvt_layer_feature(x, j);
            struct mvt_feature g = mvt_layer_feature(y, j);
            SAME_PART(compare_geometry(&f, &g));
            SAME_PART(compare_properties(&f, &g));
        }
    }
    return NULL;
}
