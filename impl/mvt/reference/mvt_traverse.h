/* SPDX-License-Identifier: MIT */
/* Reading all of a tile, one way for every API: what is measured. */
#ifndef MVT_REFERENCE_MVT_TRAVERSE_H
#define MVT_REFERENCE_MVT_TRAVERSE_H

#include "mvt/mvt_geometry.h"
#include "mvt/mvt_properties.h"

/* The sum of each thing that a tile holds.  Sums, so that no order counts;
 * of every vertex, key and value, so that none can be left out. */

static inline uint64_t mvt_sum_geometry(const struct mvt_geometry *g)
{
    const struct mvt_point *points = mvt_geometry_points(g);
    uint64_t sum = g->part_count + g->polygon_count, both;

    for (size_t i = 0; i < g->point_count; i++) {
        memcpy(&both, points + i, sizeof(both)); /* x below, y above */
        sum += both;
    }
    return sum;
}

static inline uint64_t mvt_sum_property(const struct mvt_string *key,
                                        const struct mvt_value *value)
{
    return key->size + value->size + value->kind;
}

static ALWAYS_INLINE uint64_t mvt_sum_properties(const struct mvt_feature *f)
{
    struct mvt_properties it;
    struct mvt_property property;
    enum mvt_fault fault;
    uint64_t sum = 0;

    mvt_properties_init(&it, f);
    while ((fault = mvt_properties_next(&it, &property)) != MVT_END)
        if (LIKELY(fault == MVT_OK))
            sum += mvt_sum_property(property.key, property.value);
    return sum;
}

#endif
