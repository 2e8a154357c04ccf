/* SPDX-License-Identifier: MIT */
/* plumb-dec mvt --json. */
#include "tools/plumb_dec_mvt.h"

#include <inttypes.h>
#include <math.h>

#include "tools/plumb_dec_io.h"

static void print_string(FILE *out, struct mvt_string string)
{
    plumb_dec_json_bytes(out, string.data, string.size);
}

/* JSON has no number that is none, or infinite. */
static void print_number(FILE *out, double number)
{
    char text[MVT_NUMBER_TEXT_MAX];

    if (!isfinite(number)) {
        fputs("null", out);
        return;
    }
    mvt_number_text(number, false, text);
    fputs(text, out);
}

static void print_value(FILE *out, const struct mvt_value *v)
{
    switch (v->kind) {
    case MVT_STRING:
        print_string(out, (struct mvt_string){v->string, v->size});
        break;
    case MVT_FLOAT:
        print_number(out, (double)v->float_value);
        break;
    case MVT_DOUBLE:
        print_number(out, v->double_value);
        break;
    case MVT_INT:
    case MVT_SINT:
        fprintf(out, "%" PRId64, v->int_value);
        break;
    case MVT_UINT:
        fprintf(out, "%" PRIu64, v->uint_value);
        break;
    case MVT_BOOL:
        fputs(v->bool_value ? "true" : "false", out);
        break;
    default:
        fputs("null", out);
    }
}

/* What cannot be read stands in a list of its own. */
static void print_fault(FILE *out, enum mvt_fault fault, uint32_t number,
                        const char *between)
{
    struct mvt_error error = {.fault = fault, .number = number};
    char text[80];

    mvt_error_text(&error, NULL, text, sizeof(text));
    fputs(between, out);
    plumb_dec_json_text(out, text);
}

static void print_properties(FILE *out, const struct mvt_feature *f)
{
    struct mvt_properties it;
    struct mvt_property p = {0};
    const char *between = "";
    enum mvt_fault fault;

    fputs("\"properties\": {", out);
    mvt_properties_init(&it, f);
    while ((fault = mvt_properties_next(&it, &p)) != MVT_END) {
        if (fault != MVT_OK)
            continue;
        fputs(between, out);
        print_string(out, *p.key);
        fputs(": ", out);
        print_value(out, p.value);
        between = ", ";
    }
    fputs("}", out);
}

static void print_faults(FILE *out, const struct mvt_feature *f,
                         enum mvt_fault geometry)
{
    struct mvt_properties it;
    struct mvt_property p = {0};
    const char *between = ", \"errors\": [";
    enum mvt_fault fault;

    if (geometry != MVT_OK) {
        print_fault(out, geometry, 0, between);
        between = ", ";
    }
    mvt_properties_init(&it, f);
    while ((fault = mvt_properties_next(&it, &p)) != MVT_END)
        if (fault != MVT_OK) {
            print_fault(out, fault, p.number, between);
            between = ", ";
        }
    if (between[2] == '\0') /* something was printed */
        fputs("]", out);
}

/* ---- geometry ------------------------------------------------------------
 */

static void print_points(FILE *out, const struct mvt_point *points,
                         size_t count)
{
    fputs("[", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s[%" PRId32 ", %" PRId32 "]", i == 0 ? "" : ", ",
                points[i].x, points[i].y);
    fputs("]", out);
}

static void print_part(FILE *out, const struct mvt_geometry *g, size_t part)
{
    size_t start = mvt_geometry_part_start(g, part);
    print_points(out, g->points + start, g->part_ends[part] - start);
}

static void print_parts(FILE *out, const struct mvt_geometry *g, size_t first,
                        size_t end)
{
    fputs("[", out);
    for (size_t i = first; i < end; i++) {
        fputs(i == first ? "" : ", ", out);
        print_part(out, g, i);
    }
    fputs("]", out);
}

static void print_polygons(FILE *out, const struct mvt_geometry *g)
{
    fputs("[", out);
    for (size_t i = 0; i < g->polygon_count; i++) {
        fputs(i == 0 ? "" : ", ", out);
        print_parts(out, g, mvt_geometry_polygon_start(g, i),
                    g->polygon_ends[i]);
    }
    fputs("]", out);
}

static void print_geometry(FILE *out, const struct mvt_geometry *g)
{
    static const char *const names[] = {"Point",      "MultiPoint",
                                        "LineString", "MultiLineString",
                                        "Polygon",    "MultiPolygon"};

    fprintf(out, "\"geometry\": {\"type\": \"%s\", \"coordinates\": ",
            names[g->kind]);
    switch (g->kind) {
    case MVT_POINT:
        fprintf(out, "[%" PRId32 ", %" PRId32 "]", g->point.x, g->point.y);
        break;
    case MVT_MULTIPOINT:
        print_points(out, g->points, g->point_count);
        break;
    case MVT_LINESTRING:
        print_part(out, g, 0);
        break;
    case MVT_MULTILINESTRING:
    case MVT_POLYGON:
        print_parts(out, g, 0, g->part_count);
        break;
    default:
        print_polygons(out, g);
    }
    fputs("}, ", out);
}

/* ---- features and layers -------------------------------------------------
 */

static bool print_feature(FILE *out, const struct mvt_feature *f,
                          struct mvt_buffer *buffer)
{
    struct mvt_geometry g;
    enum mvt_fault fault = mvt_feature_geometry_buffer(f, buffer, &g);
    uint64_t id;

    if (fault == MVT_NO_MEMORY)
        return false;
    fputs("{\"type\": \"Feature\", ", out);
    if (mvt_feature_id(f, &id))
        fprintf(out, "\"id\": %" PRIu64 ", ", id);
    if (fault == MVT_OK)
        print_geometry(out, &g);
    else
        fputs("\"geometry\": null, ", out);
    print_properties(out, f);
    print_faults(out, f, fault);
    fputs("}", out);
    return true;
}

static bool print_layer(FILE *out, struct mvt_layer layer,
                        struct mvt_buffer *buffer)
{
    fputs("{\"name\": ", out);
    print_string(out, mvt_layer_name(layer));
    fprintf(out,
            ", \"version\": %" PRIu32 ", \"extent\": %" PRIu32
            ", \"features\": [",
            mvt_layer_version(layer), mvt_layer_extent(layer));
    for (size_t i = 0; i < mvt_layer_feature_count(layer); i++) {
        struct mvt_feature f = mvt_layer_feature(layer, i);
        fputs(i == 0 ? "\n  " : ",\n  ", out);
        if (!print_feature(out, &f, buffer))
            return false;
    }
    fputs("]}", out);
    return true;
}

bool plumb_dec_mvt_json(FILE *out, const struct mvt_reader *reader)
{
    struct mvt_buffer buffer;
    bool is_whole = true;

    mvt_buffer_init(&buffer, NULL);
    fputs("{\"layers\": [", out);
    for (size_t i = 0; is_whole && i < mvt_reader_layer_count(reader); i++) {
        fputs(i == 0 ? "\n " : ",\n ", out);
        is_whole = print_layer(out, mvt_reader_layer(reader, i), &buffer);
    }
    fputs("]}\n", out);
    mvt_buffer_free(&buffer);
    return is_whole;
}
