/* SPDX-License-Identifier: MIT */
/* Geometry: commands to vertices, on every path and through every API. */
#include "mvt/tests/mvt_check.h"

#include <stdio.h>

#include "base/prng.h"

/* Commands as text, and what they make: parts as in a dump, "error", or
 * "empty". */
struct geometry_row {
    int type;
    const char *commands;
    const char *want;
};

static const struct geometry_row rows[] = {
    {1, "9 50 34", "POINT 25,17"},
    {1, "17 10 14 3 9", "MULTIPOINT 5,7 3,2"},
    {1, "9 2 4 9 6 8", "MULTIPOINT 1,2 4,6"},
    {1, "1 9 2 2", "POINT 1,1"},
    {1, "9 2 2 1", "POINT 1,1"},
    {1, "1", "error"},
    {1, "17 1 2", "error"},
    {1, "9 2", "error"},
    {1, "10 0 0", "error"},
    {1, "15", "error"},
    {1, "4294967289 0 0", "error"},
    {1, "", "MULTIPOINT"},
    {2, "", "MULTILINESTRING"},
    {3, "", "MULTIPOLYGON"},
    {-1, "", "error"},
    {-1, "9 0 0", "error"},
    {0, "", "error"},
    {0, "9 0 0", "error"},
    {2, "9 4 4 18 0 16 16 0", "LINESTRING (2,2 2,10 10,10)"},
    {2, "9 4 4 18 0 16 16 0 9 17 17 10 4 8",
     "MULTILINESTRING (2,2 2,10 10,10) (1,1 3,5)"},
    {2, "9 4 6", "LINESTRING (2,3)"},
    {2, "9 4 6 9 2 2", "MULTILINESTRING (2,3) (3,4)"},
    {2, "17 0 0 2 2", "LINESTRING (0,0 1,1)"},
    {2, "17 0 0 2 2 10 4 4", "LINESTRING (0,0 1,1 3,3)"},
    {2, "9 0 0 2", "LINESTRING (0,0)"},
    {2, "9 0", "error"},
    {2, "1 0 0", "error"},
    {2, "10 0 0", "error"},
    {2, "9 0 0 18", "error"},
    {2, "9 0 0 8", "error"},
    {2, "9 0 0 15", "error"},
    {2, "9 0 0 10 2 2 10 2 2", "error"},
    {2, "9 0 0 15 9 0 0", "error"},
    {2, "9 4294967294 0 10 2 2", "LINESTRING (2147483647,0 2147483647,1)"},
    {2, "9 0 4294967295 10 1 1", "LINESTRING (0,-2147483648 -1,-2147483648)"},
    {3, "9 6 12 18 10 12 24 44 15", "POLYGON [(3,6 8,12 20,34 3,6)]"},
    {3, "9 0 0 15", "POLYGON [(0,0 0,0)]"},
    {3, "17 0 0 10 0 15", "POLYGON [(0,0 5,0 0,0)]"},
    {3, "9 0 0 10 2 2 15", "POLYGON [(0,0 1,1 0,0)]"},
    {3, "9 0 0", "error"},
    {3, "9 0 0 7", "error"},
    {3, "9 0 0 8", "error"},
    {3, "9 0 0 23", "error"},
    {3, "9 0 0 10 2 2", "error"},
    {3, "9 0 0 26 0 20 20 0 0 19 15", "POLYGON [(0,0 0,10 10,10 10,0 0,0)]"},
    {3, "9 0 0 26 0 20 20 0 0 19 15 9 0 0 15",
     "POLYGON [(0,0 0,10 10,10 10,0 0,0) (10,0 10,0)]"},
    {3,
     "9 0 0 26 20 0 0 20 19 0 15 9 22 2 26 18 0 0 18 17 0 15 "
     "9 4 13 26 0 8 8 0 0 7 15",
     "MULTIPOLYGON [(0,0 10,0 10,10 0,10 0,0)] "
     "[(11,11 20,11 20,20 11,20 11,11) (13,13 13,17 17,17 17,13 13,13)]"},
    /* the second ring's area wraps below zero: an interior ring */
    {3,
     "9 0 0 26 20 0 0 20 19 0 15 9 4294967295 4294967295 58 4294967294 0 "
     "4294967294 0 0 4294967294 0 4294967294 4294967293 0 4294967295 0 "
     "0 4294967293 15",
     NULL},
};

static size_t parse(const char *text, uint32_t *out)
{
    size_t n = 0;
    char *end;

    for (const char *p = text; *p != '\0'; p = end) {
        out[n++] = (uint32_t)strtoul(p, &end, 10);
        while (*end == ' ')
            end++;
    }
    return n;
}

/* Text that is put together. */
struct text {
    char data[1024];
    size_t size;
};

PRINTF_LIKE(2, 3)
static void add(struct text *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    int n =
        vsnprintf(t->data + t->size, sizeof(t->data) - t->size, format, args);
    va_end(args);
    assert_true(n >= 0 && (size_t)n < sizeof(t->data) - t->size);
    t->size += (size_t)n;
}

static void add_points(struct text *t, const struct mvt_geometry *g,
                       size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        struct mvt_point p = mvt_geometry_points(g)[i];
        add(t, "%s%d,%d", i == first ? "" : " ", p.x, p.y);
    }
}

static void add_parts(struct text *t, const struct mvt_geometry *g,
                      size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        add(t, i == first ? "(" : " (");
        add_points(t, g, mvt_geometry_part_start(g, i), g->part_ends[i]);
        add(t, ")");
    }
}

static void render(const struct mvt_geometry *g, struct text *t)
{
    static const char *const names[] = {"POINT",      "MULTIPOINT",
                                        "LINESTRING", "MULTILINESTRING",
                                        "POLYGON",    "MULTIPOLYGON"};

    add(t, "%s%s", names[g->kind], g->point_count == 0 ? "" : " ");
    if (g->kind <= MVT_MULTIPOINT)
        add_points(t, g, 0, g->point_count);
    else if (g->kind <= MVT_MULTILINESTRING)
        add_parts(t, g, 0, g->part_count);
    for (size_t i = 0; i < g->polygon_count; i++) {
        add(t, i == 0 ? "[" : " [");
        add_parts(t, g, mvt_geometry_polygon_start(g, i), g->polygon_ends[i]);
        add(t, "]");
    }
}

static void check_row(const struct geometry_row *row, enum protobuf_path path)
{
    uint32_t commands[64];
    size_t count = parse(row->commands, commands), size;
    uint8_t *bytes = tile_of_commands(row->type, commands, count, &size);
    const uint8_t *tile = guard_copy(bytes, size);
    struct mvt_geometry own = {0}, shared = {0};
    struct mvt_buffer buffer;
    struct mvt_reader r;
    struct text text = {.size = 0};

    open_ok(&r, path, tile, size);
    struct mvt_feature f = mvt_layer_feature(mvt_reader_layer(&r, 0), 0);
    mvt_buffer_init(&buffer, NULL);
    enum mvt_fault fault = mvt_feature_geometry(&f, NULL, &own);
    CHECK_FAULT(fault, mvt_feature_geometry_buffer(&f, &buffer, &shared));
    if (fault == MVT_OK) {
        render(&own, &text);
        assert_true(mvt_geometry_equal(&own, &shared));
    } else {
        CHECK_FAULT(MVT_INVALID_GEOMETRY, fault);
        add(&text, "error");
    }
    if (row->want != NULL)
        CHECK_STR(row->want, text.data);
    else
        CHECK_SIZE(1, own.polygon_count);
    mvt_geometry_free(&own, NULL);
    mvt_geometry_free(&shared, NULL); /* the buffer's: nothing happens */
    mvt_buffer_free(&buffer);
    mvt_reader_free(&r);
    guard_free(tile, size);
    free(bytes);
}

static void test_table(void **state)
{
    (void)state;
    for (size_t p = 0; p < ARRAY_COUNT(mvt_paths); p++)
        for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
            check_row(&rows[i], mvt_paths[p]);
}

static void test_ring_area(void **state)
{
    (void)state;
    static const struct mvt_point square[] = {
        {0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 0}};
    static const struct mvt_point huge[] = {{INT32_MIN, INT32_MIN},
                                            {INT32_MAX, INT32_MIN},
                                            {INT32_MAX, INT32_MAX},
                                            {INT32_MIN, INT32_MAX}};

    CHECK_I64(200, mvt_ring_area(square, 5));
    CHECK_I64(200, mvt_ring_area(square, 4));
    CHECK_I64(0, mvt_ring_area(square, 1));
    CHECK_I64(0, mvt_ring_area(NULL, 0));
    /* 2 * (2^32 - 1)^2 modulo 2^64 */
    CHECK_I64(-(INT64_C(1) << 34) + 2, mvt_ring_area(huge, 4));
}

/* Long lines, on the stack and beyond it, and into a buffer that grows. */
static void test_sizes(void **state)
{
    (void)state;
    static const size_t counts[] = {2, 3, 500, 511, 512, 1500, 40000};
    struct alloc_probe probe = {0};
    struct alloc a = alloc_probe_alloc(&probe);
    struct mvt_buffer buffer;

    mvt_buffer_init(&buffer, &a);
    for (size_t i = 0; i < ARRAY_COUNT(counts); i++) {
        size_t n = counts[i], size;
        uint32_t *commands = malloc((2 * n + 2) * sizeof(*commands));
        struct mvt_geometry g;
        struct mvt_reader r;

        assert_non_null(commands);
        commands[0] = 9;
        commands[1] = commands[2] = 4;
        commands[3] = 2u | (uint32_t)(n - 1) << 3;
        for (size_t k = 4; k < 2 * n + 2; k++)
            commands[k] = 2 + k % 3; /* 1, -2 and 2 */
        uint8_t *tile = tile_of_commands(2, commands, 2 * n + 2, &size);
        open_ok(&r, PROTOBUF_PATH_BEST, tile, size);
        struct mvt_feature f = mvt_layer_feature(mvt_reader_layer(&r, 0), 0);
        CHECK_FAULT(MVT_OK, mvt_feature_geometry_buffer(&f, &buffer, &g));
        CHECK_SIZE(n, g.point_count);
        CHECK_SIZE(1, g.part_count);
        struct alloc_probe own = {0};
        struct alloc b = alloc_probe_alloc(&own);
        CHECK_FAULT(MVT_OK, mvt_feature_geometry(&f, &b, &g));
        CHECK_SIZE(n * 8 + 4, own.live_size); /* exactly */
        mvt_geometry_free(&g, &b);
        CHECK_SIZE(0, own.live_count);
        /* every allocation fails in turn */
        for (size_t k = 1; k <= own.calls; k++) {
            own = (struct alloc_probe){.fail_at = k, .calls = 0};
            b = alloc_probe_alloc(&own);
            CHECK_FAULT(MVT_NO_MEMORY, mvt_feature_geometry(&f, &b, &g));
            CHECK_SIZE(0, own.live_count);
        }
        mvt_reader_free(&r);
        free(tile);
        free(commands);
    }
    mvt_buffer_free(&buffer);
    CHECK_SIZE(0, probe.live_count);
    probe = (struct alloc_probe){.fail_at = 1};
    assert_null(buffer.block);
}

static void test_buffer_out_of_memory(void **state)
{
    (void)state;
    static const uint32_t line[] = {9, 4, 4, 10, 2, 2};
    struct alloc_probe probe = {.fail_at = 1};
    struct alloc a = alloc_probe_alloc(&probe);
    struct mvt_geometry g = {.point_count = 77};
    struct mvt_buffer buffer;
    struct mvt_reader r;
    size_t size;
    uint8_t *tile = tile_of_commands(2, line, 6, &size);

    open_ok(&r, PROTOBUF_PATH_BEST, tile, size);
    struct mvt_feature f = mvt_layer_feature(mvt_reader_layer(&r, 0), 0);
    mvt_buffer_init(&buffer, &a);
    CHECK_FAULT(MVT_NO_MEMORY, mvt_feature_geometry_buffer(&f, &buffer, &g));
    CHECK_SIZE(77, g.point_count);
    CHECK_FAULT(MVT_OK, mvt_feature_geometry_buffer(&f, &buffer, &g));
    CHECK_SIZE(2, probe.calls);
    mvt_buffer_free(&buffer);
    mvt_reader_free(&r);
    free(tile);
}

/* Counts near 2^29 are refused before any memory is asked for them. */
static void test_huge_counts(void **state)
{
    (void)state;
    static const uint32_t huge[] = {4294967289u, 4, 4, 4294967290u, 2, 2};
    struct alloc_probe probe = {0};
    struct alloc a = alloc_probe_alloc(&probe);
    struct mvt_geometry g;
    struct mvt_reader r;
    size_t size;

    for (int type = 1; type <= 3; type++) {
        uint8_t *tile = tile_of_commands(type, huge, 6, &size);
        open_ok(&r, PROTOBUF_PATH_BEST, tile, size);
        struct mvt_feature f = mvt_layer_feature(mvt_reader_layer(&r, 0), 0);
        CHECK_FAULT(MVT_INVALID_GEOMETRY, mvt_feature_geometry(&f, &a, &g));
        CHECK_SIZE(0, probe.calls);
        mvt_reader_free(&r);
        free(tile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_ring_area),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_buffer_out_of_memory),
        cmocka_unit_test(test_huge_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
