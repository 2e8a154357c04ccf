/* SPDX-License-Identifier: MIT */
/* The conformance tiles that are valid, as messages: each is its tile.json. */
#include "mvt/tests/mvt_check.h"

#include <json-c/json.h>

#include "mvt/tests/mvt_tiles_check.h"

/* Valid for version 2. */
static const int valid[] = {1,  2,  9,  16, 17, 18, 19, 20, 21, 22, 25, 27,
                            32, 33, 34, 35, 36, 37, 38, 39, 43, 49, 50, 53,
                            54, 55, 56, 57, 59, 60, 62, 63, 64, 65, 66, 67,
                            68, 69, 70, 71, 72, 73, 74, 75, 76, 77};

static struct json_object *member(struct json_object *object, const char *key)
{
    struct json_object *value = NULL;

    json_object_object_get_ex(object, key, &value);
    return value;
}

static size_t length(struct json_object *array)
{
    return array == NULL ? 0 : json_object_array_length(array);
}

static void check_numbers(struct json_object *want,
                          const struct mvt_proto_numbers *got)
{
    CHECK_SIZE(length(want), got->count);
    for (size_t i = 0; i < got->count; i++)
        CHECK_U64(json_object_get_uint64(json_object_array_get_idx(want, i)),
                  got->data[i]);
}

/* One kind of a value: there in both, or in neither.  A string may be given
 * as a number, and then means that text. */
static void check_value(struct json_object *want,
                        const struct mvt_proto_value *got)
{
    static const char *const names[] = {
        NULL,        "string_value", "float_value", "double_value",
        "int_value", "uint_value",   "sint_value",  "bool_value"};

    for (unsigned kind = MVT_STRING; kind <= MVT_BOOL; kind++) {
        struct json_object *value = member(want, names[kind]);
        CHECK_BOOL(value != NULL, (got->present >> kind & 1) != 0);
        if (value == NULL)
            continue;
        switch (kind) {
        case MVT_STRING:
            check_text(json_object_get_string(value), got->string_value);
            break;
        case MVT_FLOAT:
            assert_true((float)json_object_get_double(value) ==
                        got->float_value);
            break;
        case MVT_DOUBLE:
            assert_true(json_object_get_double(value) == got->double_value);
            break;
        case MVT_INT:
            CHECK_I64(json_object_get_int64(value), got->int_value);
            break;
        case MVT_UINT:
            CHECK_U64(json_object_get_uint64(value), got->uint_value);
            break;
        case MVT_SINT:
            CHECK_I64(json_object_get_int64(value), got->sint_value);
            break;
        default:
            CHECK_BOOL(json_object_get_boolean(value), got->bool_value);
        }
    }
}

/* Type 0 and no type are the same to the package. */
static void check_message_feature(struct json_object *want,
                                  const struct mvt_proto_feature *got)
{
    struct json_object *id = member(want, "id");
    struct json_object *type = member(want, "type");

    CHECK_BOOL(id != NULL, got->has_id);
    if (id != NULL)
        CHECK_U64(json_object_get_uint64(id), got->id);
    CHECK_I64(type == NULL ? 0 : json_object_get_int(type),
              got->type == MVT_TYPE_ABSENT ? 0 : got->type);
    check_numbers(member(want, "tags"), &got->tags);
    check_numbers(member(want, "geometry"), &got->geometry);
}

static void check_message_layer(struct json_object *want,
                                const struct mvt_proto_layer *got)
{
    struct json_object *extent = member(want, "extent");
    struct json_object *list = member(want, "features");

    check_text(json_object_get_string(member(want, "name")), got->name);
    CHECK_U64(json_object_get_uint64(member(want, "version")), got->version);
    CHECK_U64(extent == NULL ? MVT_EXTENT_DEFAULT
                             : json_object_get_uint64(extent),
              got->extent);
    CHECK_SIZE(length(list), got->feature_count);
    for (size_t i = 0; i < got->feature_count; i++)
        check_message_feature(json_object_array_get_idx(list, i),
                              &got->features[i]);
    list = member(want, "keys");
    CHECK_SIZE(length(list), got->key_count);
    for (size_t i = 0; i < got->key_count; i++)
        check_text(json_object_get_string(json_object_array_get_idx(list, i)),
                   got->keys[i]);
    list = member(want, "values");
    CHECK_SIZE(length(list), got->value_count);
    for (size_t i = 0; i < got->value_count; i++)
        check_value(json_object_array_get_idx(list, i), &got->values[i]);
}

static void check_message(int number)
{
    struct mvt_proto_tile message;
    struct mvt_reader r;
    size_t size, json_size;
    uint8_t *data = read_fixture(number, "tile.mvt", &size);
    uint8_t *json = read_fixture(number, "tile.json", &json_size);

    json[json_size] = '\0'; /* mvt_tiles_read leaves room for it */
    struct json_object *want = json_tokener_parse((const char *)json);
    print_message("fixture %03d\n", number);
    open_ok(&r, PROTOBUF_PATH_BEST, data, size);
    CHECK_FAULT(MVT_OK, mvt_reader_to_proto(&r, NULL, true, &message));
    struct json_object *layers = member(want, "layers");
    CHECK_SIZE(length(layers), message.layer_count);
    for (size_t i = 0; i < message.layer_count; i++)
        check_message_layer(json_object_array_get_idx(layers, i),
                            &message.layers[i]);
    mvt_proto_free(&message);
    mvt_reader_free(&r);
    json_object_put(want);
    free(json);
    free(data);
}

/* Each valid tile is, as a message, its tile.json. */
static void test_messages(void **state)
{
    (void)state;
    CHECK_SIZE(46, ARRAY_COUNT(valid));
    for (size_t i = 0; i < ARRAY_COUNT(valid); i++)
        check_message(valid[i]);
}

/* Elements of messages are not charged to a budget. */
static void test_message_of_340000_values(void **state)
{
    (void)state;
    const size_t count = 340000;
    struct mvt_proto_tile message;
    struct mvt_reader r;
    size_t size;
    uint8_t *fields = malloc(count * 4), *tile;

    assert_non_null(fields);
    static const uint8_t value[] = {0x22, 0x02, 0x20, 0x05};
    for (size_t i = 0; i < count; i++)
        memcpy(fields + 4 * i, value, sizeof(value));
    tile = tile_of_layer(fields, count * 4, &size);
    open_ok(&r, PROTOBUF_PATH_BEST, tile, size);
    CHECK_FAULT(MVT_OK, mvt_reader_to_proto(&r, NULL, true, &message));
    CHECK_SIZE(count, message.layers[0].value_count);
    CHECK_I64(5, message.layers[0].values[count - 1].int_value);
    CHECK_U64(4096, message.layers[0].extent);
    message.layers[0].has_extent = false; /* it was filled in */
    assert_null(mvt_compare(&r, &message));
    mvt_proto_free(&message);
    mvt_reader_free(&r);
    free(tile);
    free(fields);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_message_of_340000_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
