/* SPDX-License-Identifier: MIT */
/* Geometry as the writer encodes it. */
#include "mvt/tests/mvt_writer_check.h"

#include <stdio.h>

/* The commands of the only feature that was written. */
static void check_commands(struct mvt_writer *w, const char *want)
{
    const uint8_t *data;
    struct mvt_elements e;
    struct mvt_reader r;
    char text[1024] = "";
    size_t size;

    CHECK_FAULT(MVT_OK, mvt_writer_end_feature(w));
    CHECK_FAULT(MVT_OK, mvt_writer_end_layer(w));
    CHECK_FAULT(MVT_OK, mvt_writer_encode(w, &data, &size));
    open_ok(&r, PROTOBUF_PATH_BEST, data, size);
    struct mvt_feature f = mvt_layer_feature(mvt_reader_layer(&r, 0), 0);
    CHECK_FAULT(MVT_OK, mvt_feature_commands(&f, &e));
    for (size_t i = 0; i < e.count; i++)
        sprintf(text + strlen(text), "%s%u", i == 0 ? "" : " ", e.data[i]);
    CHECK_STR(want, text);
    mvt_reader_free(&r);
    mvt_writer_free(w);
}

/* A path as "x,y x,y". */
static size_t parse_points(const char *text, struct mvt_point *out)
{
    size_t n = 0;
    int used;

    while (sscanf(text, "%d,%d%n", &out[n].x, &out[n].y, &used) == 2) {
        text += used;
        n++;
    }
    return n;
}

static void test_points_and_lines(void **state)
{
    (void)state;
    static const struct {
        enum mvt_type type;
        const char *pieces[2];
        const char *want;
    } rows[] = {
        {MVT_TYPE_POINT, {"25,17"}, "9 50 34"},
        {MVT_TYPE_POINT, {"5,7 3,2"}, "17 10 14 3 9"},
        {MVT_TYPE_POINT, {""}, ""},
        {MVT_TYPE_LINESTRING, {"2,2 2,10 10,10"}, "9 4 4 18 0 16 16 0"},
        {MVT_TYPE_LINESTRING, {"1,2"}, "9 2 4"},
        {MVT_TYPE_LINESTRING,
         {"2,2 2,10 10,10", "1,1 3,5"},
         "9 4 4 18 0 16 16 0 9 17 17 10 4 8"},
        {MVT_TYPE_LINESTRING,
         {"-2147483648,0 2147483647,0"},
         "9 4294967295 0 10 4294967294 0"},
    };

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        struct mvt_point points[8];
        struct mvt_writer w;

        begin(&w, "a");
        CHECK_FAULT(MVT_OK, mvt_writer_feature_of(&w, rows[i].type));
        for (size_t k = 0; k < 2 && rows[i].pieces[k] != NULL; k++) {
            size_t n = parse_points(rows[i].pieces[k], points);
            if (rows[i].type == MVT_TYPE_POINT)
                CHECK_FAULT(MVT_OK, mvt_writer_points(&w, points, n));
            else
                CHECK_FAULT(MVT_OK, mvt_writer_line(&w, points, n));
        }
        check_commands(&w, rows[i].want);
    }
}

static void test_rings(void **state)
{
    (void)state;
    static const struct {
        const char *rings; /* each begins with + or - for its role */
        const char *want;
    } rows[] = {
        {"+3,6 8,12 20,34", "9 6 12 18 10 12 24 44 15"},
        {"+3,6 8,12 20,34 3,6", "9 6 12 18 10 12 24 44 15"},
        {"+20,34 8,12 3,6", "9 6 12 18 10 12 24 44 15"},
        {"-3,6 8,12 20,34", "9 40 68 18 23 43 9 11 15"},
        {"+1,2", "9 2 4 15"},
        {"+1,2 1,2", "9 2 4 15"},
        {"+0,0 5,0", "9 0 0 10 10 0 15"},
        {"-0,0 5,0", "9 0 0 10 10 0 15"},
        {"+0,0 10,0 10,10 0,10;-2,2 4,2 4,4 2,4;+20,20 30,20 30,30 20,20",
         "9 0 0 26 20 0 0 20 19 0 15 9 4 11 26 4 0 0 3 3 0 15 "
         "9 36 36 18 20 0 0 20 15"},
    };

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        struct mvt_point points[8];
        struct mvt_writer w;
        char text[200];

        begin(&w, "a");
        CHECK_FAULT(MVT_OK, mvt_writer_feature_of(&w, MVT_TYPE_POLYGON));
        snprintf(text, sizeof(text), "%s", rows[i].rings);
        for (char *ring = strtok(text, ";"); ring != NULL;
             ring = strtok(NULL, ";"))
            CHECK_FAULT(MVT_OK, mvt_writer_ring(&w, points,
                                                parse_points(ring + 1, points),
                                                ring[0] == '+'));
        check_commands(&w, rows[i].want);
    }
}

static void test_empty_geometries(void **state)
{
    (void)state;
    static const uint32_t zero[] = {0};
    static const struct mvt_point point = {1, 1};
    static const enum mvt_geometry_kind empty[] = {
        MVT_MULTIPOINT, MVT_MULTILINESTRING, MVT_MULTIPOLYGON};
    struct mvt_geometry g = {.kind = MVT_LINESTRING};
    struct mvt_writer w;

    for (size_t i = 0; i < ARRAY_COUNT(empty); i++) {
        g = (struct mvt_geometry){.kind = empty[i]};
        begin(&w, "a");
        CHECK_FAULT(MVT_OK, mvt_writer_feature(&w, &g));
        check_commands(&w, "");
    }
    begin(&w, "a");
    g = (struct mvt_geometry){.kind = MVT_LINESTRING};
    CHECK_FAULT(MVT_INVALID_GEOMETRY, mvt_writer_feature(&w, &g));
    g = (struct mvt_geometry){.kind = MVT_POLYGON};
    CHECK_FAULT(MVT_INVALID_GEOMETRY, mvt_writer_feature(&w, &g));
    g = (struct mvt_geometry){.kind = MVT_MULTILINESTRING,
                              .points = &point,
                              .part_ends = zero,
                              .part_count = 1};
    CHECK_FAULT(MVT_INVALID_GEOMETRY, mvt_writer_feature(&w, &g));
    g = (struct mvt_geometry){
        .kind = MVT_MULTIPOLYGON, .polygon_ends = zero, .polygon_count = 1};
    CHECK_FAULT(MVT_INVALID_GEOMETRY, mvt_writer_feature(&w, &g));
    CHECK_SIZE(0, mvt_writer_feature_count(&w));

    /* a failing piece has no effect on the feature */
    CHECK_FAULT(MVT_OK, mvt_writer_feature_of(&w, MVT_TYPE_POLYGON));
    CHECK_FAULT(MVT_OK, mvt_writer_ring(&w, &point, 1, true));
    CHECK_FAULT(MVT_INVALID_GEOMETRY, mvt_writer_ring(&w, &point, 0, true));
    CHECK_FAULT(MVT_INVALID_GEOMETRY, mvt_writer_line(&w, &point, 1));
    CHECK_FAULT(MVT_INVALID_GEOMETRY, mvt_writer_points(&w, &point, 1));
    check_commands(&w, "9 2 2 15");
}

/* Counts do not reach memory before they are refused. */
static void test_command_count(void **state)
{
    (void)state;
    static const struct mvt_point point = {1, 1};
    char text[64];
    struct mvt_writer w;

    begin(&w, "a");
    CHECK_FAULT(MVT_OK, mvt_writer_feature_of(&w, MVT_TYPE_POINT));
    CHECK_FAULT(MVT_COMMAND_COUNT, mvt_writer_points(&w, &point, 1u << 29));
    mvt_error_text(&w.error, NULL, text, sizeof(text));
    CHECK_STR("command count exceeds supported range: 536870912", text);
    mvt_writer_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_and_lines),
        cmocka_unit_test(test_rings),
        cmocka_unit_test(test_empty_geometries),
        cmocka_unit_test(test_command_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
