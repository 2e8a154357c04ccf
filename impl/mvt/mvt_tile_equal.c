/* SPDX-License-Identifier: MIT */
/* Owned tiles: comparing. */
#include "mvt/mvt_tile.h"

static bool same_string(struct mvt_string a, struct mvt_string b)
{
    return a.size == b.size &&
           (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static bool same_feature(const struct mvt_tile_feature *a,
                         const struct mvt_tile_feature *b)
{
    if (a->has_id != b->has_id || (a->has_id && a->id != b->id) ||
        a->property_count != b->property_count ||
        !mvt_geometry_equal(&a->geometry, &b->geometry))
        return false;
    for (size_t i = 0; i < a->property_count; i++)
        if (!same_string(a->properties[i].key, b->properties[i].key) ||
            !mvt_value_equal(&a->properties[i].value, &b->properties[i].value))
            return false;
    return true;
}

static bool same_layer(const struct mvt_tile_layer *a,
                       const struct mvt_tile_layer *b)
{
    if (!same_string(a->name, b->name) || a->extent != b->extent ||
        a->feature_count != b->feature_count)
        return false;
    for (size_t i = 0; i < a->feature_count; i++)
        if (!same_feature(&a->features[i], &b->features[i]))
            return false;
    return true;
}

bool mvt_tile_equal(const struct mvt_tile *a, const struct mvt_tile *b)
{
    if (a->layer_count != b->layer_count)
        return false;
    for (size_t i = 0; i < a->layer_count; i++)
        if (!same_layer(&a->layers[i], &b->layers[i]))
            return false;
    return true;
}
