/* SPDX-License-Identifier: MIT */
/* Geometry as commands.  Source: Vector Tile Specification 2.1, 4.3. */
#include "mvt/mvt_geometry_internal.h"
#include "mvt/mvt_writer_internal.h"

/* Bytes of an element of 32 bits, and of a vertex. */
#define ELEMENT_MAX ((size_t)5)
#define VERTEX_MAX  (2 * ELEMENT_MAX)

/* to - from, held at the ends of 32 bits. */
static int32_t delta(int32_t from, int32_t to)
{
    int32_t d;

    if (__builtin_sub_overflow(to, from, &d))
        return to < from ? INT32_MIN : INT32_MAX;
    return d;
}

/* Vertices from one end or the other; room is there. */
static void put_vertices(struct mvt_writer *w, const struct mvt_point *points,
                         size_t count, bool backwards)
{
    for (size_t i = 0; i < count; i++) {
        struct mvt_point p = points[backwards ? count - 1 - i : i];
        mvt_bytes_put_varint(&w->commands,
                             protobuf_zigzag32(delta(w->cursor.x, p.x)));
        mvt_bytes_put_varint(&w->commands,
                             protobuf_zigzag32(delta(w->cursor.y, p.y)));
        w->cursor = p;
    }
}

static void put_word(struct mvt_writer *w, uint32_t id, size_t count)
{
    mvt_bytes_put_varint(&w->commands,
                         id | (uint32_t)count << MVT_COMMAND_BITS);
}

/* Room for a command of so many vertices, and two more commands. */
static enum mvt_fault reserve(struct mvt_writer *w, size_t count)
{
    size_t size;

    if (count > MVT_COMMAND_COUNT_MAX)
        return mvt_writer_fail(w, MVT_COMMAND_COUNT, count);
    size = count * VERTEX_MAX + 3 * ELEMENT_MAX;
    return mvt_bytes_reserve(&w->commands, size)
               ? MVT_OK
               : mvt_writer_fail(w, MVT_NO_MEMORY, 0);
}

static enum mvt_fault put_points(struct mvt_writer *w,
                                 const struct mvt_point *points, size_t count)
{
    enum mvt_fault fault = reserve(w, count);

    if (fault != MVT_OK || count == 0)
        return fault;
    put_word(w, MVT_MOVE_TO, count);
    put_vertices(w, points, count, false);
    return MVT_OK;
}

/* A MoveTo to the first vertex and a LineTo to the others. */
static void put_path(struct mvt_writer *w, const struct mvt_point *points,
                     size_t count, bool backwards)
{
    const struct mvt_point *first = backwards ? points + count - 1 : points;

    put_word(w, MVT_MOVE_TO, 1);
    put_vertices(w, first, 1, false);
    if (count == 1)
        return;
    put_word(w, MVT_LINE_TO, count - 1);
    put_vertices(w, backwards ? points : points + 1, count - 1, backwards);
}

static enum mvt_fault put_line(struct mvt_writer *w,
                               const struct mvt_point *points, size_t count)
{
    if (count == 0)
        return mvt_writer_fail(w, MVT_INVALID_GEOMETRY, 0);
    enum mvt_fault fault = reserve(w, count);
    if (fault == MVT_OK)
        put_path(w, points, count, false);
    return fault;
}

static enum mvt_fault put_ring(struct mvt_writer *w,
                               const struct mvt_point *points, size_t count,
                               bool is_exterior)
{
    if (count >= 2 && points[0].x == points[count - 1].x &&
        points[0].y == points[count - 1].y)
        count--; /* ClosePath stands for it */
    if (count == 0)
        return mvt_writer_fail(w, MVT_INVALID_GEOMETRY, 0);
    enum mvt_fault fault = reserve(w, count);
    if (fault != MVT_OK)
        return fault;
    int64_t area = mvt_ring_area(points, count);
    put_path(w, points, count, area != 0 && (area > 0) != is_exterior);
    put_word(w, MVT_CLOSE_PATH, 1);
    return MVT_OK;
}

/* ---- whole geometries ----------------------------------------------------
 */

static enum mvt_fault put_lines(struct mvt_writer *w,
                                const struct mvt_geometry *g)
{
    enum mvt_fault fault = MVT_OK;

    for (size_t i = 0; fault == MVT_OK && i < g->part_count; i++) {
        size_t start = mvt_geometry_part_start(g, i);
        fault = put_line(w, g->points + start, g->part_ends[i] - start);
    }
    return fault;
}

static enum mvt_fault put_polygon(struct mvt_writer *w,
                                  const struct mvt_geometry *g, size_t polygon)
{
    size_t first = mvt_geometry_polygon_start(g, polygon);
    size_t end = g->polygon_ends[polygon];
    enum mvt_fault fault = MVT_OK;

    if (first == end)
        return mvt_writer_fail(w, MVT_INVALID_GEOMETRY, 0);
    for (size_t i = first; fault == MVT_OK && i < end; i++) {
        size_t start = mvt_geometry_part_start(g, i);
        fault = put_ring(w, g->points + start, g->part_ends[i] - start,
                         i == first);
    }
    return fault;
}

enum mvt_fault mvt_writer_put_geometry(struct mvt_writer *w,
                                       const struct mvt_geometry *g)
{
    enum mvt_fault fault = MVT_OK;

    switch (g->kind) {
    case MVT_POINT:
    case MVT_MULTIPOINT:
        return put_points(w, mvt_geometry_points(g), g->point_count);
    case MVT_LINESTRING:
        if (g->part_count == 0)
            return mvt_writer_fail(w, MVT_INVALID_GEOMETRY, 0);
        return put_lines(w, g);
    case MVT_MULTILINESTRING:
        return put_lines(w, g);
    case MVT_POLYGON:
        if (g->polygon_count == 0)
            return mvt_writer_fail(w, MVT_INVALID_GEOMETRY, 0);
        break;
    case MVT_MULTIPOLYGON:
        break;
    }
    for (size_t i = 0; fault == MVT_OK && i < g->polygon_count; i++)
        fault = put_polygon(w, g, i);
    return fault;
}

/* ---- pieces --------------------------------------------------------------
 */

static enum mvt_fault check_piece(struct mvt_writer *w, enum mvt_type type)
{
    if (w->state != MVT_WRITER_FEATURE)
        return mvt_writer_fail(w, MVT_MISUSE, 0);
    if (w->type != type)
        return mvt_writer_fail(w, MVT_INVALID_GEOMETRY, 0);
    return MVT_OK;
}

enum mvt_fault mvt_writer_points(struct mvt_writer *w,
                                 const struct mvt_point *points, size_t count)
{
    enum mvt_fault fault = check_piece(w, MVT_TYPE_POINT);
    return fault != MVT_OK ? fault : put_points(w, points, count);
}

enum mvt_fault mvt_writer_line(struct mvt_writer *w,
                               const struct mvt_point *points, size_t count)
{
    enum mvt_fault fault = check_piece(w, MVT_TYPE_LINESTRING);
    return fault != MVT_OK ? fault : put_line(w, points, count);
}

enum mvt_fault mvt_writer_ring(struct mvt_writer *w,
                               const struct mvt_point *points, size_t count,
                               bool is_exterior)
{
    enum mvt_fault fault = check_piece(w, MVT_TYPE_POLYGON);
    return fault != MVT_OK ? fault : put_ring(w, points, count, is_exterior);
}
