/* SPDX-License-Identifier: MIT */
/* Geometry from an array of commands, step by step as the specification tells
 * it: numbers are added in 64 bits and then held at the ends of 32. */
#include <stdlib.h>

#include "mvt/reference/mvt_reference.h"

/* Commands that are read, and the geometry that grows. */
struct builder {
    const uint32_t *commands;
    size_t count;
    size_t at;
    int64_t x;
    int64_t y;
    struct mvt_point *points;
    uint32_t *part_ends;
    uint32_t *polygon_ends;
    uint32_t point_count;
    uint32_t part_count;
    uint32_t polygon_count;
};

static int64_t zigzag(uint32_t p)
{
    return p % 2 == 0 ? (int64_t)(p / 2) : -(int64_t)(p / 2) - 1;
}

static int64_t hold(int64_t n)
{
    return n < INT32_MIN ? INT32_MIN : n > INT32_MAX ? INT32_MAX : n;
}

static bool read_vertices(struct builder *b, uint32_t count)
{
    if (count > (b->count - b->at) / 2)
        return false;
    for (; count != 0; count--) {
        b->x = hold(b->x + zigzag(b->commands[b->at++]));
        b->y = hold(b->y + zigzag(b->commands[b->at++]));
        b->points[b->point_count++] =
            (struct mvt_point){(int32_t)b->x, (int32_t)b->y};
    }
    return true;
}

static bool read_points(struct builder *b)
{
    if (b->count == 0)
        return true;
    while (b->at < b->count) {
        uint32_t word = b->commands[b->at++];
        if (word % 8 != 1 || !read_vertices(b, word / 8))
            return false;
    }
    return b->point_count > 0;
}

static bool read_line(struct builder *b)
{
    uint32_t word;

    if (b->count - b->at < 3)
        return false;
    word = b->commands[b->at++];
    if (word % 8 != 1 || word / 8 == 0 || !read_vertices(b, word / 8))
        return false;
    if (b->at == b->count)
        return true;
    word = b->commands[b->at];
    if (word % 8 == 2) {
        b->at++;
        return read_vertices(b, word / 8);
    }
    return word % 8 == 1 || word % 8 == 7;
}

static bool read_lines(struct builder *b)
{
    while (b->at < b->count) {
        if (!read_line(b))
            return false;
        b->part_ends[b->part_count++] = b->point_count;
    }
    return true;
}

static bool read_rings(struct builder *b)
{
    while (b->at < b->count) {
        uint32_t first = b->point_count;
        if (!read_line(b) || b->at == b->count)
            return false;
        if (b->commands[b->at++] != 15)
            return false;
        b->points[b->point_count++] = b->points[first];
        if (b->part_count > 0 &&
            mvt_ring_area(b->points + first, b->point_count - first) > 0)
            b->polygon_ends[b->polygon_count++] = b->part_count;
        b->part_ends[b->part_count++] = b->point_count;
    }
    if (b->part_count > 0)
        b->polygon_ends[b->polygon_count++] = b->part_count;
    return true;
}

static bool read_all(struct builder *b, enum mvt_type type)
{
    if (type == MVT_TYPE_POINT)
        return read_points(b);
    return type == MVT_TYPE_LINESTRING ? read_lines(b) : read_rings(b);
}

static enum mvt_geometry_kind kind_of(enum mvt_type type,
                                      const struct builder *b)
{
    if (type == MVT_TYPE_POINT)
        return b->point_count == 1 ? MVT_POINT : MVT_MULTIPOINT;
    if (type == MVT_TYPE_LINESTRING)
        return b->part_count == 1 ? MVT_LINESTRING : MVT_MULTILINESTRING;
    return b->polygon_count == 1 ? MVT_POLYGON : MVT_MULTIPOLYGON;
}

/* One block of the exact size, as mvt_geometry_free wants it. */
static enum mvt_fault keep(const struct builder *b, struct mvt_geometry *out)
{
    uint8_t *block;

    if (out->kind == MVT_POINT) {
        out->point = b->points[0];
        return MVT_OK;
    }
    if (out->point_count == 0)
        return MVT_OK;
    block = malloc(mvt_geometry_size(out));
    if (block == NULL)
        return MVT_NO_MEMORY;
    size_t points = out->point_count * sizeof(*b->points);
    size_t parts = out->part_count * sizeof(*b->part_ends);
    memcpy(block, b->points, points);
    memcpy(block + points, b->part_ends, parts);
    memcpy(block + points + parts, b->polygon_ends,
           out->polygon_count * sizeof(*b->polygon_ends));
    out->points = (void *)block;
    out->part_ends = (void *)(block + points);
    out->polygon_ends = (void *)(block + points + parts);
    out->is_owned = true;
    return MVT_OK;
}

enum mvt_fault mvt_reference_geometry(enum mvt_type type,
                                      const uint32_t *commands, size_t count,
                                      struct mvt_geometry *out)
{
    struct builder b = {.commands = commands, .count = count};
    enum mvt_fault fault = MVT_NO_MEMORY;

    if (type < MVT_TYPE_POINT)
        return MVT_INVALID_GEOMETRY;
    b.points = malloc((count + 1) * sizeof(*b.points));
    b.part_ends = malloc((count + 1) * sizeof(*b.part_ends));
    b.polygon_ends = malloc((count + 1) * sizeof(*b.polygon_ends));
    if (b.points != NULL && b.part_ends != NULL && b.polygon_ends != NULL) {
        fault = MVT_INVALID_GEOMETRY;
        if (read_all(&b, type)) {
            struct mvt_geometry made = {.kind = kind_of(type, &b),
                                        .point_count = b.point_count,
                                        .part_count = b.part_count,
                                        .polygon_count = b.polygon_count};
            fault = keep(&b, &made);
            if (fault == MVT_OK)
                *out = made;
        }
    }
    free(b.points);
    free(b.part_ends);
    free(b.polygon_ends);
    return fault;
}
