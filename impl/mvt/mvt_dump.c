/* SPDX-License-Identifier: MIT */
/* A tile as text. */
#include "mvt/mvt_dump.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "mvt/mvt_geometry.h"
#include "mvt/mvt_properties.h"

#define PIECE_SIZE     4096
#define FAULT_TEXT_MAX 64

/* Text on its way out. */
struct out {
    mvt_put_fn *put;
    void *ctx;
    bool stopped;
    size_t at;
    char piece[PIECE_SIZE];
};

static void flush(struct out *o)
{
    if (o->at != 0 && !o->stopped && !o->put(o->ctx, o->piece, o->at))
        o->stopped = true;
    o->at = 0;
}

static void add(struct out *o, const char *text, size_t size)
{
    while (size > PIECE_SIZE - o->at) {
        size_t room = PIECE_SIZE - o->at;
        memcpy(o->piece + o->at, text, room);
        o->at = PIECE_SIZE;
        text += room;
        size -= room;
        flush(o);
    }
    if (size != 0)
        memcpy(o->piece + o->at, text, size);
    o->at += size;
}

static void add_text(struct out *o, const char *text)
{
    add(o, text, strlen(text));
}

PRINTF_LIKE(2, 3)
static void add_format(struct out *o, const char *format, ...)
{
    char text[128];
    va_list args;

    va_start(args, format);
    int n = vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    add(o, text, (size_t)n);
}

static void add_number(struct out *o, int64_t number)
{
    char digits[24];
    size_t at = sizeof(digits);
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;

    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (number < 0)
        digits[--at] = '-';
    add(o, digits + at, sizeof(digits) - at);
}

/* ---- strings ------------------------------------------------------------ */

/* The character at the start of well-formed UTF-8, and its bytes. */
static uint32_t character_at(const uint8_t *p, size_t *size)
{
    if (p[0] < 0x80) {
        *size = 1;
        return p[0];
    }
    if (p[0] < 0xe0) {
        *size = 2;
        return (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu);
    }
    if (p[0] < 0xf0) {
        *size = 3;
        return (p[0] & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
    }
    *size = 4;
    return (p[0] & 0x07u) << 18 | (p[1] & 0x3fu) << 12 | (p[2] & 0x3fu) << 6 |
           (p[3] & 0x3fu);
}

static void add_character(struct out *o, const char *text, size_t size,
                          uint32_t c)
{
    switch (c) {
    case '"':
        add_text(o, "\\\"");
        return;
    case '\\':
        add_text(o, "\\\\");
        return;
    case '\n':
        add_text(o, "\\n");
        return;
    case '\r':
        add_text(o, "\\r");
        return;
    case '\t':
        add_text(o, "\\t");
        return;
    case '\0':
        add_text(o, "\\0");
        return;
    }
    if (c < 0x20 || c == 0x7f || (c > 0x7f && mvt_is_escaped(c)))
        add_format(o, "\\u{%x}", c);
    else
        add(o, text, size);
}

static void add_quoted(struct out *o, const char *text, size_t size)
{
    add_text(o, "\"");
    for (size_t at = 0; at < size;) {
        size_t taken;
        uint32_t c = character_at((const uint8_t *)text + at, &taken);
        add_character(o, text + at, taken, c);
        at += taken;
    }
    add_text(o, "\"");
}

/* ---- properties --------------------------------------------------------- */

static void add_float(struct out *o, double number, bool is_float)
{
    char text[MVT_NUMBER_TEXT_MAX];

    add(o, text, mvt_number_text(number, is_float, text));
    add_text(o, is_float ? " (float)" : " (double)");
}

static void add_value(struct out *o, const struct mvt_value *v)
{
    switch (v->kind) {
    case MVT_STRING:
        add_quoted(o, v->string, v->size);
        break;
    case MVT_FLOAT:
        add_float(o, (double)v->float_value, true);
        break;
    case MVT_DOUBLE:
        add_float(o, v->double_value, false);
        break;
    case MVT_INT:
    case MVT_SINT:
        add_number(o, v->int_value);
        add_text(o, v->kind == MVT_INT ? " (int)" : " (sint)");
        break;
    case MVT_UINT:
        add_format(o, "%" PRIu64 " (uint)", v->uint_value);
        break;
    case MVT_BOOL:
        add_text(o, v->bool_value ? "true (bool)" : "false (bool)");
        break;
    default:
        add_text(o, "null");
    }
}

/* <invalid WHAT: TEXT> */
static void add_fault(struct out *o, const char *what, enum mvt_fault fault,
                      uint32_t number)
{
    struct mvt_error error = {.fault = fault, .number = number};
    char text[FAULT_TEXT_MAX];

    mvt_error_text(&error, NULL, text, sizeof(text));
    add_format(o, "<invalid %s: %s>", what, text);
}

static void add_properties(struct out *o, const struct mvt_feature *feature)
{
    struct mvt_properties it;
    struct mvt_property property;
    enum mvt_fault fault;

    if (!mvt_feature_has_properties(feature)) {
        add_text(o, "    properties: (none)\n");
        return;
    }
    add_text(o, "    properties:\n");
    mvt_properties_init(&it, feature);
    while ((fault = mvt_properties_next(&it, &property)) != MVT_END) {
        add_text(o, "      ");
        if (fault == MVT_OK) {
            add(o, property.key->data, property.key->size);
            add_text(o, " = ");
            add_value(o, property.value);
        } else {
            add_fault(o, "property", fault, property.number);
        }
        add_text(o, "\n");
    }
}

/* ---- geometry ----------------------------------------------------------- */

static void add_pair(struct out *o, struct mvt_point p, const char *between)
{
    add_number(o, p.x);
    add_text(o, between);
    add_number(o, p.y);
}

static void add_part(struct out *o, const char *name,
                     const struct mvt_geometry *g, size_t part)
{
    size_t first = mvt_geometry_part_start(g, part);

    add_format(o, "%s[count=%zu](", name, g->part_ends[part] - first);
    for (size_t i = first; i < g->part_ends[part]; i++) {
        if (i != first)
            add_text(o, ",");
        add_pair(o, g->points[i], " ");
    }
    add_text(o, ")");
}

static void add_rings(struct out *o, const struct mvt_geometry *g,
                      const char *before)
{
    for (size_t i = 0; i < g->polygon_count; i++) {
        size_t first = mvt_geometry_polygon_start(g, i);
        for (size_t ring = first; ring < g->polygon_ends[i]; ring++) {
            add_text(o, before);
            add_part(o, "RING", g, ring);
            add_text(o, ring == first ? "[OUTER]\n" : "[INNER]\n");
        }
    }
}

static void add_elements(struct out *o, const struct mvt_geometry *g,
                         const char *before)
{
    const struct mvt_point *points = mvt_geometry_points(g);

    switch (g->kind) {
    case MVT_POINT:
    case MVT_MULTIPOINT:
        for (size_t i = 0; i < g->point_count; i++) {
            add_text(o, before);
            add_text(o, "POINT(");
            add_pair(o, points[i], ",");
            add_text(o, ")\n");
        }
        break;
    case MVT_LINESTRING:
    case MVT_MULTILINESTRING:
        for (size_t i = 0; i < g->part_count; i++) {
            add_text(o, before);
            add_part(o, "LINESTRING", g, i);
            add_text(o, "\n");
        }
        break;
    default:
        add_rings(o, g, before);
    }
}

static size_t element_count(const struct mvt_geometry *g)
{
    bool is_points = g->kind == MVT_POINT || g->kind == MVT_MULTIPOINT;
    return is_points ? g->point_count : g->part_count;
}

static enum mvt_fault add_geometry(struct out *o,
                                   const struct mvt_feature *feature,
                                   struct mvt_buffer *buffer)
{
    struct mvt_geometry g;
    enum mvt_fault fault = mvt_feature_geometry_buffer(feature, buffer, &g);

    if (fault == MVT_NO_MEMORY)
        return fault;
    add_text(o, "    geometry:");
    if (fault != MVT_OK) {
        add_text(o, " ");
        add_fault(o, "geometry", fault, 0);
        add_text(o, "\n");
    } else if (element_count(&g) == 1) {
        add_elements(o, &g, " ");
    } else {
        add_text(o, "\n");
        add_elements(o, &g, "      ");
    }
    return MVT_OK;
}

/* ---- layers ------------------------------------------------------------- */

static enum mvt_fault add_feature(struct out *o,
                                  const struct mvt_feature *feature, size_t at,
                                  struct mvt_buffer *buffer)
{
    uint64_t id;

    add_format(o, "  feature: %zu\n", at);
    if (mvt_feature_id(feature, &id))
        add_format(o, "    id: %" PRIu64 "\n", id);
    else
        add_text(o, "    id: (none)\n");
    enum mvt_fault fault = add_geometry(o, feature, buffer);
    if (fault == MVT_OK)
        add_properties(o, feature);
    return fault;
}

static enum mvt_fault add_layer(struct out *o, struct mvt_layer layer,
                                size_t at, struct mvt_buffer *buffer)
{
    struct mvt_string name = mvt_layer_name(layer);

    if (at != 0)
        add_text(o, "========================================"
                    "=====================\n");
    add_format(o, "layer: %zu\n  name: ", at);
    add(o, name.data, name.size);
    add_format(o, "\n  version: %" PRIu32 "\n  extent: %" PRIu32 "\n",
               mvt_layer_version(layer), mvt_layer_extent(layer));
    for (size_t i = 0; i < mvt_layer_feature_count(layer); i++) {
        struct mvt_feature feature = mvt_layer_feature(layer, i);
        enum mvt_fault fault = add_feature(o, &feature, i, buffer);
        if (fault != MVT_OK)
            return fault;
        if (o->stopped)
            return MVT_END;
    }
    return MVT_OK;
}

enum mvt_fault mvt_dump(const struct mvt_reader *reader, mvt_put_fn *put,
                        void *ctx, const struct alloc *alloc)
{
    struct out o; /* not cleared: most of it is the piece */
    struct mvt_buffer buffer;
    enum mvt_fault fault = MVT_OK;

    o.put = put;
    o.ctx = ctx;
    o.stopped = false;
    o.at = 0;
    mvt_buffer_init(&buffer, alloc);
    for (size_t i = 0; fault == MVT_OK && i < mvt_reader_layer_count(reader);
         i++)
        fault = add_layer(&o, mvt_reader_layer(reader, i), i, &buffer);
    if (fault == MVT_OK)
        flush(&o);
    mvt_buffer_free(&buffer);
    return fault == MVT_OK && o.stopped ? MVT_END : fault;
}
