/* SPDX-License-Identifier: MIT */
/* Strings, property values and geometries: what readers give and writers
 * take. */
#ifndef MVT_MVT_TYPES_H
#define MVT_MVT_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/macros.h"

/** The extent of a layer that does not give one. */
#define MVT_EXTENT_DEFAULT 4096

/** Bytes that belong to someone else; UTF-8 when they come from a reader.
 * No NUL behind them, but there may be some inside. */
struct mvt_string {
    const char *data;
    size_t size;
};

/** The seven kinds of property value, in their order of precedence when a
 * value message has several, and NULL for a message with none. */
enum mvt_value_kind {
    MVT_NULL,
    MVT_STRING,
    MVT_FLOAT,
    MVT_DOUBLE,
    MVT_INT,
    MVT_UINT,
    MVT_SINT,
    MVT_BOOL,
};

/** A property value. */
struct mvt_value {
    union {
        const char *string; /* MVT_STRING, size bytes, borrowed */
        float float_value;
        double double_value;
        int64_t int_value; /* MVT_INT and MVT_SINT */
        uint64_t uint_value;
        bool bool_value;
    };
    uint32_t size; /* of a string, else 0 */
    uint8_t kind;  /* enum mvt_value_kind */
};

/** Same kind and same content.  Floats compare by bits: a NaN equals itself,
 * and +0 is not -0.  Int 1, UInt 1 and SInt 1 differ. */
bool mvt_value_equal(const struct mvt_value *a, const struct mvt_value *b);

/** The declared feature types, and ABSENT for a feature without one. */
enum mvt_type {
    MVT_TYPE_ABSENT = -1,
    MVT_TYPE_UNKNOWN = 0,
    MVT_TYPE_POINT = 1,
    MVT_TYPE_LINESTRING = 2,
    MVT_TYPE_POLYGON = 3,
};

/** A vertex in tile coordinates: x grows to the right, y downwards. */
struct mvt_point {
    int32_t x;
    int32_t y;
};

enum mvt_geometry_kind {
    MVT_POINT,
    MVT_MULTIPOINT,
    MVT_LINESTRING,
    MVT_MULTILINESTRING,
    MVT_POLYGON,
    MVT_MULTIPOLYGON,
};

/**
 * A decoded geometry: all vertices in one array, cut into parts (lines or
 * rings) by the index behind the last vertex of each, and the parts into
 * polygons in the same way.  A polygon's first ring is its exterior, the
 * others are its holes; each ring ends with a copy of its first vertex.
 *
 *   kind             parts            polygons
 *   POINT            none             none      points is NULL: see `point`
 *   MULTIPOINT       none             none
 *   LINESTRING       1                none
 *   MULTILINESTRING  0, 2 or more     none
 *   POLYGON          1 or more        1
 *   MULTIPOLYGON     rings of all     0, 2 or more
 */
struct mvt_geometry {
    enum mvt_geometry_kind kind;
    struct mvt_point point;         /* of a POINT */
    const struct mvt_point *points; /* of all others; borrowed or owned */
    const uint32_t *part_ends;
    const uint32_t *polygon_ends;
    uint32_t point_count; /* 1 for a POINT */
    uint32_t part_count;
    uint32_t polygon_count;
    bool is_owned; /* points is a block for mvt_geometry_free */
};

/** Bytes of all three arrays. */
static inline size_t mvt_geometry_size(const struct mvt_geometry *g)
{
    return (size_t)g->point_count * sizeof(*g->points) +
           ((size_t)g->part_count + g->polygon_count) * sizeof(uint32_t);
}

/** The vertices of any geometry, also a POINT's, which lies in g itself. */
static inline const struct mvt_point *mvt_geometry_points(
    const struct mvt_geometry *g)
{
    return g->points != NULL ? g->points : &g->point;
}

/** Index of the first vertex of a part. */
static inline size_t mvt_geometry_part_start(const struct mvt_geometry *g,
                                             size_t part)
{
    return part == 0 ? 0 : g->part_ends[part - 1];
}

/** Index of the first part of a polygon. */
static inline size_t mvt_geometry_polygon_start(const struct mvt_geometry *g,
                                                size_t polygon)
{
    return polygon == 0 ? 0 : g->polygon_ends[polygon - 1];
}

/** Same kind, vertices, parts and polygons. */
bool mvt_geometry_equal(const struct mvt_geometry *a,
                        const struct mvt_geometry *b);

/** Give back what mvt_feature_geometry allocated, through the same alloc;
 * nothing for a geometry that owns nothing. */
void mvt_geometry_free(struct mvt_geometry *g, const struct alloc *alloc);

/**
 * Twice the signed area of a ring: the sum of x1 * y2 - y1 * x2 over
 * neighbouring vertices, the closing edge included, modulo 2^64.  Positive
 * for an exterior ring.
 *
 *   points, count  whether the first vertex is repeated at the end makes no
 *                  difference
 *
 * Source: Vector Tile Specification 2.1, section 4.3.3.3.
 */
int64_t mvt_ring_area(const struct mvt_point *points, size_t count);

#endif
