/* SPDX-License-Identifier: MIT */
/* The writer: bytes, numbering, states. */
#include "mvt/tests/mvt_writer_check.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_layer),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_all_types),
        cmocka_unit_test(test_numbering),
        cmocka_unit_test(test_misuse),
        cmocka_unit_test(test_drop),
        cmocka_unit_test(test_auto_int_and_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
