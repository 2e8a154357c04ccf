/* SPDX-License-Identifier: MIT */
/* The writer: bytes, numbering, geometry, states. */
#include "mvt/tests/mvt_check.h"

#include <stdio.h>

static struct mvt_value string_value(const char *text)
{
    return (struct mvt_value){
        .string = text, .size = (uint32_t)strlen(text), .kind = MVT_STRING};
}

static struct mvt_value int_value(int64_t n)
{
    return (struct mvt_value){.int_value = n, .kind = MVT_INT};
}

static struct mvt_string text_of(const char *text)
{
    return (struct mvt_string){text, strlen(text)};
}

static void tag(struct mvt_writer *w, const char *key, struct mvt_value value)
{
    CHECK_FAULT(MVT_OK, mvt_writer_tag(w, text_of(key), &value));
}

static void check_bytes_of(struct mvt_writer *w, const char *hex)
{
    const uint8_t *data;
    size_t size, want_size;
    uint8_t *want = hex_new(hex, &want_size);

    CHECK_FAULT(MVT_OK, mvt_writer_encode(w, &data, &size));
    CHECK_BYTES(want, want_size, data, size);
    free(want);
}

static void begin(struct mvt_writer *w, const char *name)
{
    mvt_writer_init(w, NULL);
    CHECK_FAULT(MVT_OK, mvt_writer_layer(w, text_of(name)));
}

static void point_feature(struct mvt_writer *w, int32_t x, int32_t y)
{
    struct mvt_geometry g = {
        .kind = MVT_POINT, .point = {x, y}, .point_count = 1};
    CHECK_FAULT(MVT_OK, mvt_writer_feature(w, &g));
}

static void end(struct mvt_writer *w, const char *hex)
{
    CHECK_FAULT(MVT_OK, mvt_writer_end_feature(w));
    CHECK_FAULT(MVT_OK, mvt_writer_end_layer(w));
    check_bytes_of(w, hex);
    mvt_writer_free(w);
}

static void test_empty_layer(void **state)
{
    (void)state;
    struct mvt_writer w;

    mvt_writer_init(&w, NULL);
    check_bytes_of(&w, "");
    CHECK_FAULT(MVT_OK, mvt_writer_layer(&w, TEXT("a")));
    CHECK_FAULT(MVT_OK, mvt_writer_end_layer(&w));
    check_bytes_of(&w, "1a08 0a0161 288020 7802");
    CHECK_FAULT(MVT_OK, mvt_writer_layer(&w, TEXT("b")));
    CHECK_FAULT(MVT_OK, mvt_writer_extent(&w, 1));
    CHECK_FAULT(MVT_OK, mvt_writer_end_layer(&w));
    check_bytes_of(&w, "1a08 0a0161 288020 7802 1a07 0a0162 2801 7802");
    mvt_writer_reset(&w);
    check_bytes_of(&w, "");
    mvt_writer_free(&w);
}

static void test_places(void **state)
{
    (void)state;
    struct mvt_value yes = {.bool_value = true, .kind = MVT_BOOL};
    struct mvt_writer w;

    begin(&w, "places");
    point_feature(&w, 1, 2);
    CHECK_FAULT(MVT_OK, mvt_writer_id(&w, true, 7));
    tag(&w, "name", string_value("Example"));
    tag(&w, "visible", yes);
    CHECK_SIZE(2, mvt_writer_tag_count(&w));
    end(&w, "1a3c0a06706c61636573120f0807120400000101180122030902 04"
            "1a046e616d651a0776697369626c6522090a074578616d706c65"
            "22023801 288020 7802");
}

static void test_all_types(void **state)
{
    (void)state;
    struct mvt_value f = {.float_value = 1.25f, .kind = MVT_FLOAT};
    struct mvt_value d = {.double_value = 2.5, .kind = MVT_DOUBLE};
    struct mvt_value u = {.uint_value = 4, .kind = MVT_UINT};
    struct mvt_value s = {.int_value = -5, .kind = MVT_SINT};
    struct mvt_value b = {.bool_value = true, .kind = MVT_BOOL};
    struct mvt_value null = {.kind = MVT_NULL};
    struct mvt_writer w;

    begin(&w, "all_types");
    point_feature(&w, 10, 20);
    CHECK_FAULT(MVT_OK, mvt_writer_id(&w, true, 42));
    tag(&w, "string", string_value("hello"));
    tag(&w, "float", f);
    tag(&w, "double", d);
    tag(&w, "int", int_value(-3));
    tag(&w, "uint", u);
    tag(&w, "sint", s);
    tag(&w, "bool", b);
    tag(&w, "null", null);
    CHECK_SIZE(7, mvt_writer_tag_count(&w));
    end(&w, "1a8d010a09616c6c5f74797065731219082a120e00000101020203030404"
            "0505060618012203091428 1a06737472696e671a05666c6f61741a06646f"
            "75626c651a03696e741a0475696e741a0473696e741a04626f6f6c22070a"
            "0568656c6c6f2205150000a03f2209190000000000000440220b20fdff"
            "ffffffffffffff01220228042202300922023801 288020 7802");
}

/* Keys and values by first use; the value is numbered before the key. */
static void test_numbering(void **state)
{
    (void)state;
    struct mvt_value nan = {.float_value = __builtin_nanf(""),
                            .kind = MVT_FLOAT};
    struct mvt_value sint = {.int_value = 1, .kind = MVT_SINT};
    static const struct dethash_seed other = {1, 2};
    struct mvt_writer_options options = {.seed = &other};

    for (int seed = 0; seed < 2; seed++) {
        struct mvt_writer w;
        mvt_writer_init(&w, seed == 0 ? NULL : &options);
        CHECK_FAULT(MVT_OK, mvt_writer_layer(&w, TEXT("layer")));
        point_feature(&w, 1, 2);
        tag(&w, "foo", string_value("bar"));
        tag(&w, "foo", string_value("baz"));
        tag(&w, "bar", string_value("bar"));
        tag(&w, "n", int_value(1));
        tag(&w, "n", sint);
        tag(&w, "f", nan);
        tag(&w, "f", nan);
        end(&w, "1a520a056c617965721217120e0000000101000202020303040304"
                "18012203090204 1a03666f6f1a036261721a016e1a0166"
                "22050a0362617222050a0362617a22022001 22023002"
                "2205150000c07f 288020 7802");
    }
}

/* ---- geometry ------------------------------------------------------------
 */

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

/* ---- states --------------------------------------------------------------
 */

static void test_misuse(void **state)
{
    (void)state;
    struct mvt_geometry g = {.kind = MVT_POINT, .point_count = 1};
    struct mvt_value v = int_value(1);
    struct mvt_writer w;
    const uint8_t *data;
    size_t size;

    mvt_writer_init(&w, NULL);
    CHECK_FAULT(MVT_MISUSE, mvt_writer_extent(&w, 1));
    CHECK_FAULT(MVT_MISUSE, mvt_writer_feature(&w, &g));
    CHECK_FAULT(MVT_MISUSE, mvt_writer_feature_of(&w, MVT_TYPE_POINT));
    CHECK_FAULT(MVT_MISUSE, mvt_writer_end_layer(&w));
    CHECK_FAULT(MVT_MISUSE, mvt_writer_drop_layer(&w));
    CHECK_FAULT(MVT_MISUSE, mvt_writer_next_layer(&w, TEXT("b")));
    CHECK_FAULT(MVT_MISUSE, mvt_writer_end_feature(&w));
    CHECK_FAULT(MVT_MISSING_LAYER_NAME, mvt_writer_layer(&w, TEXT("")));

    CHECK_FAULT(MVT_OK, mvt_writer_layer(&w, TEXT("a")));
    CHECK_FAULT(MVT_MISUSE, mvt_writer_layer(&w, TEXT("b")));
    CHECK_FAULT(MVT_MISUSE, mvt_writer_encode(&w, &data, &size));
    CHECK_FAULT(MVT_MISUSE, mvt_writer_extent(&w, 0));
    CHECK_FAULT(MVT_MISUSE, mvt_writer_id(&w, true, 1));
    CHECK_FAULT(MVT_MISUSE, mvt_writer_tag(&w, TEXT("k"), &v));
    CHECK_FAULT(MVT_MISUSE, mvt_writer_drop_feature(&w));
    CHECK_FAULT(MVT_MISUSE, mvt_writer_feature_of(&w, MVT_TYPE_UNKNOWN));
    CHECK_FAULT(MVT_MISSING_LAYER_NAME, mvt_writer_next_layer(&w, TEXT("")));
    CHECK_SIZE(0, mvt_writer_tag_count(&w));

    CHECK_FAULT(MVT_OK, mvt_writer_feature(&w, &g));
    CHECK_FAULT(MVT_MISUSE, mvt_writer_feature(&w, &g));
    CHECK_FAULT(MVT_MISUSE, mvt_writer_points(&w, &g.point, 1));
    CHECK_FAULT(MVT_MISUSE, mvt_writer_extent(&w, 1));
    CHECK_FAULT(MVT_MISUSE, mvt_writer_end_layer(&w));
    CHECK_FAULT(MVT_MISUSE, mvt_writer_next_layer(&w, TEXT("b")));
    CHECK_FAULT(MVT_OK, mvt_writer_end_feature(&w));
    CHECK_SIZE(1, mvt_writer_feature_count(&w));
    CHECK_FAULT(MVT_OK, mvt_writer_next_layer(&w, TEXT("b")));
    CHECK_SIZE(0, mvt_writer_feature_count(&w));
    CHECK_FAULT(MVT_OK, mvt_writer_end_layer(&w));
    check_bytes_of(&w, "1a11 0a0161 1207 18012203090000 288020 7802"
                       "1a08 0a0162 288020 7802");
    mvt_writer_free(&w);
}

/* Nothing of a dropped feature shows, its new keys and values included; nor
 * of a dropped layer. */
static void test_drop(void **state)
{
    (void)state;
    struct mvt_writer w;

    begin(&w, "layer");
    point_feature(&w, 1, 2);
    tag(&w, "foo", string_value("bar"));
    CHECK_FAULT(MVT_OK, mvt_writer_end_feature(&w));
    point_feature(&w, 5, 5);
    tag(&w, "foo", int_value(5));
    tag(&w, "new", string_value("new"));
    tag(&w, "new", string_value("bar"));
    CHECK_FAULT(MVT_OK, mvt_writer_drop_feature(&w));
    point_feature(&w, 1, 2);
    tag(&w, "bar", string_value("bar"));
    tag(&w, "new", int_value(5));
    end(&w, "1a42 0a056c61796572 120b 12020000 18012203090204"
            "120d 120401000201 18012203090204"
            "1a03666f6f 1a03626172 1a036e6577 22050a03626172 22022005"
            "288020 7802");

    begin(&w, "gone");
    point_feature(&w, 1, 2);
    tag(&w, "foo", string_value("bar"));
    CHECK_FAULT(MVT_OK, mvt_writer_drop_layer(&w));
    CHECK_FAULT(MVT_OK, mvt_writer_layer(&w, TEXT("a")));
    CHECK_FAULT(MVT_OK, mvt_writer_end_layer(&w));
    check_bytes_of(&w, "1a08 0a0161 288020 7802");
    mvt_writer_free(&w);
}

static void test_auto_int_and_ids(void **state)
{
    (void)state;
    struct mvt_writer w;

    begin(&w, "a");
    point_feature(&w, 0, 0);
    CHECK_FAULT(MVT_OK, mvt_writer_id(&w, true, 9));
    CHECK_FAULT(MVT_OK, mvt_writer_id(&w, true, 0));
    CHECK_FAULT(MVT_OK, mvt_writer_tag_auto_int(&w, TEXT("k"), 5));
    CHECK_FAULT(MVT_OK, mvt_writer_tag_auto_int(&w, TEXT("k"), -5));
    CHECK_FAULT(MVT_OK, mvt_writer_end_feature(&w));
    point_feature(&w, 0, 0);
    CHECK_FAULT(MVT_OK, mvt_writer_id(&w, true, 9));
    CHECK_FAULT(MVT_OK, mvt_writer_id(&w, false, 0));
    end(&w, "1a2d 0a0161 120f 0800 120400000001 18012203090000"
            "1207 18012203090000 1a016b 22022805 22023009 288020 7802");
}

/* ---- memory --------------------------------------------------------------
 */

/* Write a small tile; a call that fails for want of memory is made again. */
static void write_twice(struct mvt_writer *w, struct alloc_probe *probe)
{
    static const struct mvt_point path[] = {{1, 1}, {2, 5}, {7, 7}};
    struct mvt_value value = string_value("a value that is new");
    char key[16];

#define AGAIN(call)                                                           \
    do {                                                                      \
        size_t calls = probe->calls;                                          \
        enum mvt_fault fault = (call);                                        \
        if (fault == MVT_NO_MEMORY) {                                         \
            assert_true(probe->calls > calls);                                \
            fault = (call);                                                   \
        }                                                                     \
        CHECK_FAULT(MVT_OK, fault);                                           \
    } while (0)

    AGAIN(mvt_writer_layer(w, TEXT("layer")));
    AGAIN(mvt_writer_feature_of(w, MVT_TYPE_LINESTRING));
    AGAIN(mvt_writer_line(w, path, 3));
    for (int i = 0; i < 9; i++) {
        sprintf(key, "key %d", i);
        AGAIN(mvt_writer_tag(w, text_of(key), &value));
        struct mvt_value number = int_value(i);
        AGAIN(mvt_writer_tag(w, text_of(key), &number));
    }
    AGAIN(mvt_writer_end_feature(w));
    AGAIN(mvt_writer_end_layer(w));
}

static void test_every_allocation_fails(void **state)
{
    (void)state;
    struct mvt_bytes want = {0};

    for (size_t k = 0;; k++) {
        struct alloc_probe probe = {.fail_at = k};
        struct alloc a = alloc_probe_alloc(&probe);
        struct mvt_writer_options options = {.alloc = &a};
        struct mvt_writer w;
        const uint8_t *data;
        size_t size;

        mvt_writer_init(&w, &options);
        write_twice(&w, &probe);
        CHECK_FAULT(MVT_OK, mvt_writer_encode(&w, &data, &size));
        if (k == 0) {
            assert_true(mvt_bytes_reserve(&want, size));
            mvt_bytes_put(&want, data, size);
        }
        CHECK_BYTES(want.data, want.size, data, size);
        mvt_writer_free(&w);
        CHECK_SIZE(0, probe.live_count);
        if (k != 0 && probe.calls < k)
            break;
    }
    mvt_bytes_free(&want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_layer),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_all_types),
        cmocka_unit_test(test_numbering),
        cmocka_unit_test(test_points_and_lines),
        cmocka_unit_test(test_rings),
        cmocka_unit_test(test_empty_geometries),
        cmocka_unit_test(test_command_count),
        cmocka_unit_test(test_misuse),
        cmocka_unit_test(test_drop),
        cmocka_unit_test(test_auto_int_and_ids),
        cmocka_unit_test(test_every_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
