/* SPDX-License-Identifier: MIT */
/* Callbacks: a thin layer over the buffer and the properties. */
#include "mvt/mvt_geometry.h"
#include "mvt/mvt_properties.h"

static bool wants_geometry(const struct mvt_visitor *v)
{
    return v->geometry != NULL || v->polygon != NULL || v->part != NULL;
}

static bool tell_fault(const struct mvt_visitor *v, enum mvt_fault fault,
                       uint32_t number)
{
    return v->fault == NULL || v->fault(v->ctx, fault, number);
}

static bool tell_parts(const struct mvt_visitor *v,
                       const struct mvt_geometry *g, size_t first, size_t end)
{
    for (size_t part = first; part < end; part++) {
        size_t start = mvt_geometry_part_start(g, part);
        if (v->part != NULL &&
            !v->part(v->ctx, g->points + start, g->part_ends[part] - start))
            return false;
    }
    return true;
}

static bool tell_polygons(const struct mvt_visitor *v,
                          const struct mvt_geometry *g)
{
    for (size_t i = 0; i < g->polygon_count; i++) {
        if (v->polygon != NULL && !v->polygon(v->ctx))
            return false;
        if (!tell_parts(v, g, mvt_geometry_polygon_start(g, i),
                        g->polygon_ends[i]))
            return false;
    }
    return true;
}

static bool tell_geometry(const struct mvt_visitor *v,
                          const struct mvt_geometry *g)
{
    if (v->geometry != NULL && !v->geometry(v->ctx, g->kind))
        return false;
    switch (g->kind) {
    case MVT_POINT:
    case MVT_MULTIPOINT:
        return v->part == NULL ||
               v->part(v->ctx, mvt_geometry_points(g), g->point_count);
    case MVT_LINESTRING:
    case MVT_MULTILINESTRING:
        return tell_parts(v, g, 0, g->part_count);
    default:
        return tell_polygons(v, g);
    }
}

static bool tell_properties(const struct mvt_visitor *v,
                            const struct mvt_feature *feature)
{
    struct mvt_properties it;
    struct mvt_property property;
    enum mvt_fault fault;

    mvt_properties_init(&it, feature);
    while ((fault = mvt_properties_next(&it, &property)) != MVT_END) {
        bool go_on = fault == MVT_OK ? v->property == NULL ||
                                           v->property(v->ctx, property.key,
                                                       property.value)
                                     : tell_fault(v, fault, property.number);
        if (!go_on)
            return false;
    }
    return true;
}

enum mvt_fault mvt_feature_visit(const struct mvt_feature *feature,
                                 struct mvt_buffer *buffer,
                                 const struct mvt_visitor *visitor)
{
    struct mvt_geometry g;

    if (visitor->feature != NULL && !visitor->feature(visitor->ctx, feature))
        return MVT_END;
    if (wants_geometry(visitor)) {
        enum mvt_fault fault =
            mvt_feature_geometry_buffer(feature, buffer, &g);
        if (fault == MVT_NO_MEMORY)
            return fault;
        if (!(fault == MVT_OK ? tell_geometry(visitor, &g)
                              : tell_fault(visitor, fault, 0)))
            return MVT_END;
    }
    if (visitor->property != NULL && !tell_properties(visitor, feature))
        return MVT_END;
    return MVT_OK;
}

enum mvt_fault mvt_reader_visit(const struct mvt_reader *reader,
                                struct mvt_buffer *buffer,
                                const struct mvt_visitor *visitor)
{
    for (size_t i = 0; i < mvt_reader_layer_count(reader); i++) {
        struct mvt_layer layer = mvt_reader_layer(reader, i);
        if (visitor->layer != NULL && !visitor->layer(visitor->ctx, layer))
            return MVT_END;
        for (size_t j = 0; j < mvt_layer_feature_count(layer); j++) {
            struct mvt_feature feature = mvt_layer_feature(layer, j);
            enum mvt_fault fault =
                mvt_feature_visit(&feature, buffer, visitor);
            if (fault != MVT_OK)
                return fault;
        }
    }
    return MVT_OK;
}
