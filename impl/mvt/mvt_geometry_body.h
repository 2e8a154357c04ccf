/* SPDX-License-Identifier: MIT */
/* The grammar of geometry commands, included once for each path by a file
 * that defines DECODE_NAME and
 *
 *   struct pen             where it reads, and the cursor
 *   pen_init(pen, d)       at the start of the payload, at the origin
 *   pen_more(pen)          whether an element is left
 *   pen_word(pen)          take an element, which is there
 *   pen_peek(pen)          the next element, which is there
 *   pen_draw(pen, count, out)
 *                          take count vertices; false when elements run out.
 *                          May write one vertex more
 *   pen_dot(pen, out)      likewise one vertex, and writes no more
 *   pen_is_exact(pen)      whether nothing saturated, or if so, did it right
 *
 * Source: Vector Tile Specification 2.1, section 4.3.4. */
#include "mvt/mvt_geometry_internal.h"

/* A decoder's state, kept in registers. */
struct walk {
    struct pen pen;
    struct mvt_point *points;
    size_t point_count;
};

static ALWAYS_INLINE bool take_pairs(struct walk *w, uint32_t word)
{
    size_t count = word >> MVT_COMMAND_BITS;

    if (UNLIKELY(!pen_draw(&w->pen, count, w->points + w->point_count)))
        return false;
    w->point_count += count;
    return true;
}

static ALWAYS_INLINE bool take_points(struct walk *w)
{
    while (pen_more(&w->pen)) {
        uint32_t word = pen_word(&w->pen);
        if ((word & MVT_COMMAND_MASK) != MVT_MOVE_TO || !take_pairs(w, word))
            return false;
    }
    return w->point_count != 0;
}

/* The MoveTo of a line: to one point, but more are read. */
static ALWAYS_INLINE bool take_start(struct walk *w)
{
    uint32_t word = pen_word(&w->pen);

    if (LIKELY(word == MVT_MOVE_WORD))
        return pen_dot(&w->pen, w->points + w->point_count++);
    return (word & MVT_COMMAND_MASK) == MVT_MOVE_TO &&
           word >> MVT_COMMAND_BITS != 0 && take_pairs(w, word);
}

/* A MoveTo, and a LineTo if one follows. */
static ALWAYS_INLINE bool take_line(struct walk *w)
{
    if (!take_start(w))
        return false;
    if (!pen_more(&w->pen))
        return true;
    switch (pen_peek(&w->pen) & MVT_COMMAND_MASK) {
    case MVT_LINE_TO:
        return take_pairs(w, pen_word(&w->pen));
    case MVT_MOVE_TO:
    case MVT_CLOSE_PATH:
        return true; /* the caller's to take */
    default:
        return false;
    }
}

static ALWAYS_INLINE bool take_lines(struct walk *w,
                                     struct mvt_geometry_decoder *d)
{
    uint32_t *part_end = d->part_ends;

    while (pen_more(&w->pen)) {
        if (!take_line(w))
            return false;
        *part_end++ = (uint32_t)w->point_count;
    }
    d->part_count = (uint32_t)(part_end - d->part_ends);
    return true;
}

/* 4.3.4.4: a ring of positive area begins a polygon; so does the first ring,
 * whatever its area. */
static ALWAYS_INLINE bool take_rings(struct walk *w,
                                     struct mvt_geometry_decoder *d)
{
    uint32_t rings = 0, polygons = 0;

    while (pen_more(&w->pen)) {
        size_t start = w->point_count;
        if (!take_line(w) || !pen_more(&w->pen) ||
            pen_word(&w->pen) != MVT_CLOSE_WORD)
            return false;
        if (rings != 0 &&
            mvt_ring_area(w->points + start, w->point_count - start) > 0)
            d->polygon_ends[polygons++] = rings;
        w->points[w->point_count++] = w->points[start];
        d->part_ends[rings++] = (uint32_t)w->point_count;
    }
    if (rings != 0)
        d->polygon_ends[polygons++] = rings;
    d->part_count = rings;
    d->polygon_count = polygons;
    return true;
}

enum mvt_decoded DECODE_NAME(struct mvt_geometry_decoder *d,
                             enum mvt_type type)
{
    struct walk w = {.points = d->points};
    bool taken;

    pen_init(&w.pen, d);
    d->part_count = 0;
    d->polygon_count = 0;
    if (type == MVT_TYPE_POLYGON)
        taken = take_rings(&w, d);
    else if (type == MVT_TYPE_LINESTRING)
        taken = take_lines(&w, d);
    else
        taken = !pen_more(&w.pen) || take_points(&w);
    d->point_count = (uint32_t)w.point_count;
    if (UNLIKELY(!taken))
        return MVT_DECODED_NOT;
    return LIKELY(pen_is_exact(&w.pen)) ? MVT_DECODED : MVT_DECODED_WIDE;
}
