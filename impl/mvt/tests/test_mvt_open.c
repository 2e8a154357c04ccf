/* SPDX-License-Identifier: MIT */
/* Opening tiles: what is accepted, what is refused, and with which words. */
#include "mvt/tests/mvt_check.h"

#include <stdio.h>

/* Bytes and the text of the error, or NULL. */
struct open_row {
    const char *hex;
    const char *text;
};

#define DECODE "protobuf decode error: "

static const struct open_row rows[] = {
    {"", NULL},
    {"1a05 0a0161 7802", NULL},
    {"9a00 05 0a0161 7802", NULL},
    {"1a09 0a0161 788280808010", NULL},
    {"1a08 0a0161 0a0162 7802", NULL},
    {"1a07 0a0161 7801 7803", NULL},
    {"1a07 0a0161 7802 2800", NULL},
    {"1a07 0a0161 7802 2200", NULL},
    {"1a0c 0a0161 7802 2205 3801 0a0173", NULL},
    {"1a0a 0a0161 7802 2203 388002", NULL},
    {"1a0b 0a0161 7802 1204 0801 0802", NULL},
    {"1a0a 0a0161 7802 1203 120100", NULL},
    {"1a0f 0a0161 7802 1208 2206 8980808010 02", NULL},
    {"1a13 0a0161 7802 120c 1801 2203090204 2203090204", NULL},
    {"1a12 0a0161 7802 120b 1801 2009 220102 2004 1807", NULL},
    {"1a09 0a0161 7802 a301 a401", NULL},
    {"2324", NULL},
    {"20ffffffffffffffffff01", NULL},
    {"2080808080808080808000", NULL},
    {"f8ffffff0f00", NULL},
    {"20ffffffffffffffffff02",
     DECODE "varint exceeded maximum length of 10 bytes"},
    {"208080808080808080808001",
     DECODE "varint exceeded maximum length of 10 bytes"},
    {"20ffffffffffffffff", DECODE "unexpected end of buffer"},
    {"f8ffffff1f00", DECODE "invalid field number"},
    {"808080801000", DECODE "invalid field number"},
    {"00", DECODE "invalid field number"},
    {"06", DECODE "invalid wire type: 6"},
    {"07", DECODE "invalid wire type: 7"},
    {"24", DECODE "invalid wire type: 4"},
    {"1b", DECODE "wire type mismatch on field 3: expected 2, got 3"},
    {"1c", DECODE "wire type mismatch on field 3: expected 2, got 4"},
    {"1805", DECODE "wire type mismatch on field 3: expected 2, got 0"},
    {"1a0c 0a0161 7802 1205 1500000000",
     DECODE "wire type mismatch on field 2: expected 2, got 5"},
    {"23", DECODE "unexpected end of buffer"},
    {"1a", DECODE "unexpected end of buffer"},
    {"1a0500", DECODE "unexpected end of buffer"},
    {"1affffffffffffffffff01", DECODE "unexpected end of buffer"},
    {"232c", DECODE "invalid end-group tag: field number 5"},
    {"1a0a 0a0161 7802 1203 220180", DECODE "unexpected end of buffer"},
    {"1a0a 0a0161 7802 1203 080108", DECODE "unexpected end of buffer"},
    {"1a08 0a0161 7802 1a01ff", DECODE "invalid UTF-8 in string field"},
    {"1a06 0a02c328 7802", DECODE "invalid UTF-8 in string field"},
    {"1a03 0a0161", "unsupported layer version 0 for layer a"},
    {"1a05 0a0161 7804", "unsupported layer version 4 for layer a"},
    {"1a02 7802", "missing required layer name"},
    {"1a00", "missing required layer name"},
    {"1a04 0a00 7802", "missing required layer name"},
    {"1a02 7809 1a0180", DECODE "unexpected end of buffer"},
    /* every occurrence is checked, also one that a later record overrides */
    {"1a08 0a01ff 0a0162 7802", DECODE "invalid UTF-8 in string field"},
    {"1a0a 0a0161 7802 2203 0a01ff", DECODE "invalid UTF-8 in string field"},
    /* a string that is no longer looked at behind the value's kind is */
    {"1a0b 0a0161 7802 2204 3801 0a02 c3", DECODE "unexpected end of buffer"},
    {"1a0b 0a0161 7802 2204 15000000", DECODE "unexpected end of buffer"},
    {"1a0a 0a0161 7802 2203 190000", DECODE "unexpected end of buffer"},
    /* layer by layer: the first layer's name before the second's version */
    {"1a02 7802 1a05 0a0161 7809", "missing required layer name"},
    {"1a05 0a0161 7809 1a02 7802", "unsupported layer version 9 for layer a"},
};

static void check_row(const struct open_row *row, enum protobuf_path path)
{
    size_t size;
    uint8_t *bytes = hex_new(row->hex, &size);
    const uint8_t *tile = guard_copy(bytes, size);
    struct mvt_error error = {0};
    struct mvt_reader r;
    char text[256] = "";

    reader_on(&r, path);
    enum mvt_fault fault = mvt_reader_open(&r, tile, size, &error);
    if (fault != MVT_OK) {
        CHECK_FAULT(fault, error.fault);
        mvt_error_text(&error, tile, text, sizeof(text));
        CHECK_SIZE(0, mvt_reader_layer_count(&r));
    }
    if (row->text == NULL ? fault != MVT_OK : strcmp(row->text, text) != 0)
        CHECK_FAIL("%s: expected '%s', got '%s'", row->hex,
                   row->text == NULL ? "ok" : row->text, text);
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

/* The layer that is refused begins behind a group, a layer and a number. */
static void test_offset_of_a_refused_layer(void **state)
{
    (void)state;
    static const struct {
        const char *hex;
        enum mvt_fault fault;
        uint32_t layer_at;
    } refused[] = {
        {"2324 1a05 0a0161 7802 2005 1a02 7802", MVT_MISSING_LAYER_NAME, 11},
        {"2324 1a05 0a0161 7802 2005 1a03 0a0162", MVT_UNSUPPORTED_VERSION,
         11},
        {"1a00", MVT_MISSING_LAYER_NAME, 0},
    };

    for (size_t i = 0; i < ARRAY_COUNT(refused); i++) {
        struct mvt_error error = {.layer_at = 77};
        struct mvt_reader r;
        size_t size;
        uint8_t *tile = hex_new(refused[i].hex, &size);

        mvt_reader_init(&r, NULL);
        CHECK_FAULT(refused[i].fault, mvt_reader_open(&r, tile, size, &error));
        CHECK_U64(refused[i].layer_at, error.layer_at);
        mvt_reader_free(&r);
        free(tile);
    }
}

/* The content of the accepted rows that have one worth a look. */
static void test_content(void **state)
{
    (void)state;
    struct mvt_reader r;
    struct mvt_layer layer;
    struct mvt_feature f;
    struct mvt_elements e;
    uint64_t id;
    size_t size;
    uint8_t *tile;

    tile = hex_new("1a09 0a0161 788280808010", &size); /* 2^32 + 2 */
    open_ok(&r, PROTOBUF_PATH_BEST, tile, size);
    layer = mvt_reader_layer(&r, 0);
    CHECK_U64(2, mvt_layer_version(layer));
    CHECK_U64(4096, mvt_layer_extent(layer));
    CHECK_BOOL(0, mvt_layer_has_extent(layer));
    check_text("a", mvt_layer_name(layer));
    mvt_reader_free(&r);
    free(tile);

    tile = hex_new("1a0c 0a0162 0a0163 7801 7803 2800", &size);
    open_ok(&r, PROTOBUF_PATH_BEST, tile, size);
    layer = mvt_reader_layer(&r, 0);
    check_text("c", mvt_layer_name(layer));
    CHECK_U64(3, mvt_layer_version(layer));
    CHECK_U64(0, mvt_layer_extent(layer));
    mvt_reader_free(&r);
    free(tile);

    tile = hex_new("1a1e 0a0161 7802 2200 2205 3801 0a0173 2203 388002 "
                   "1204 0801 0802 1203 120100",
                   &size);
    open_ok(&r, PROTOBUF_PATH_BEST, tile, size);
    layer = mvt_reader_layer(&r, 0);
    CHECK_SIZE(3, mvt_layer_value_count(layer));
    CHECK_U64(MVT_NULL, mvt_layer_values(layer)[0].kind);
    CHECK_U64(MVT_STRING, mvt_layer_values(layer)[1].kind);
    CHECK_U64(MVT_BOOL, mvt_layer_values(layer)[2].kind);
    CHECK_BOOL(1, mvt_layer_values(layer)[2].bool_value);
    f = mvt_layer_feature(layer, 0);
    CHECK_BOOL(1, mvt_feature_id(&f, &id));
    CHECK_U64(2, id);
    CHECK_BOOL(0, mvt_feature_has_properties(&f));
    f = mvt_layer_feature(layer, 1);
    CHECK_BOOL(0, mvt_feature_id(&f, &id));
    CHECK_BOOL(1, mvt_feature_has_properties(&f));
    CHECK_FAULT(MVT_OK, mvt_feature_tags(&f, &e));
    CHECK_SIZE(1, e.count);
    CHECK_U64(0, e.data[0]);
    mvt_reader_free(&r);
    free(tile);
}

static void check_commands(const char *hex, int type, const uint32_t *want,
                           size_t count)
{
    struct mvt_reader r;
    struct mvt_elements e;
    size_t size;
    uint8_t *tile = hex_new(hex, &size);

    open_ok(&r, PROTOBUF_PATH_BEST, tile, size);
    struct mvt_feature f = mvt_layer_feature(mvt_reader_layer(&r, 0), 0);
    CHECK_I64(type, mvt_feature_type(&f));
    CHECK_FAULT(MVT_OK, mvt_feature_commands(&f, &e));
    CHECK_BYTES(want, count * sizeof(*want), e.data, e.count * sizeof(*want));
    mvt_reader_free(&r);
    free(tile);
}

static void test_commands(void **state)
{
    (void)state;
    static const uint32_t cut[] = {9, 2}, once[] = {9, 2, 4},
                          twice[] = {9, 2, 4, 9, 2, 4};

    check_commands("1a0f 0a0161 7802 1208 2206 8980808010 02", MVT_TYPE_ABSENT,
                   cut, 2);
    check_commands("1a13 0a0161 7802 120c 1801 2203090204 2203090204",
                   MVT_TYPE_POINT, twice, 6);
    /* single elements and packed ones mixed; type 7 leaves no trace */
    check_commands("1a12 0a0161 7802 120b 1801 2009 220102 2004 1807",
                   MVT_TYPE_POINT, once, 3);
}

/* 100 levels in all: each message and each unknown group takes one. */
static void test_group_depth(void **state)
{
    (void)state;
    static const struct {
        const char *where;
        size_t depth;
    } levels[] = {{"", 100}, {"layer", 99}, {"feature", 98}, {"value", 98}};

    for (size_t i = 0; i < ARRAY_COUNT(levels); i++)
        for (size_t extra = 0; extra <= 1; extra++) {
            size_t depth = levels[i].depth + extra, size = 2 * depth;
            uint8_t groups[256], fields[256], *tile;
            struct mvt_error error;
            struct mvt_reader r;

            memset(groups, 0x4b, depth); /* field 9: unknown */
            memset(groups + depth, 0x4c, depth);
            if (i == 0) {
                tile = malloc(size);
                assert_non_null(tile);
                memcpy(tile, groups, size);
            } else if (i == 1) {
                tile = tile_of_layer(groups, size, &size);
            } else {
                fields[0] = i == 2 ? 0x12 : 0x22;
                uint8_t *p = protobuf_put_varint_at(fields + 1, size);
                memcpy(p, groups, size);
                tile =
                    tile_of_layer(fields, (size_t)(p - fields) + size, &size);
            }
            mvt_reader_init(&r, NULL);
            enum mvt_fault fault = mvt_reader_open(&r, tile, size, &error);
            CHECK_FAULT(extra == 0 ? MVT_OK : MVT_DECODE, fault);
            if (extra != 0)
                CHECK_U64(PROTOBUF_DEPTH, error.wire.fault);
            mvt_reader_free(&r);
            free(tile);
        }
}

/* Every wire type on every known field: a mismatch that names all three. */
static void test_wire_types(void **state)
{
    (void)state;
    static const struct {
        uint8_t nested; /* field of the layer that holds it, or 0 */
        uint8_t field;
        uint8_t type;
        bool also_single;
    } fields[] = {
        {0, 1, 2, false}, {0, 2, 2, false}, {0, 3, 2, false},
        {0, 4, 2, false}, {0, 5, 0, false}, {0, 15, 0, false},
        {2, 1, 0, false}, {2, 2, 2, true},  {2, 3, 0, false},
        {2, 4, 2, true},  {4, 1, 2, false}, {4, 2, 5, false},
        {4, 3, 1, false}, {4, 4, 0, false}, {4, 5, 0, false},
        {4, 6, 0, false}, {4, 7, 0, false},
    };

    for (size_t i = 0; i < ARRAY_COUNT(fields); i++)
        for (uint8_t type = 0; type <= 5; type++) {
            uint8_t body[16] = {0}, *tile;
            struct mvt_error error = {0};
            struct mvt_reader r;
            size_t size, at = 0;

            if (type == fields[i].type || (type == 0 && fields[i].also_single))
                continue;
            if (fields[i].nested != 0) {
                body[at++] = (uint8_t)(fields[i].nested << 3 | 2);
                body[at++] = 1;
            }
            body[at++] = (uint8_t)(fields[i].field << 3 | type);
            tile = tile_of_layer(body, at, &size);
            mvt_reader_init(&r, NULL);
            CHECK_FAULT(MVT_DECODE, mvt_reader_open(&r, tile, size, &error));
            CHECK_U64(PROTOBUF_MISMATCH, error.wire.fault);
            CHECK_U64(fields[i].field, error.wire.field);
            CHECK_U64(fields[i].type, error.wire.expected);
            CHECK_U64(type, error.wire.got);
            mvt_reader_free(&r);
            free(tile);
        }
}

static void test_error_offsets(void **state)
{
    (void)state;
    static const uint8_t in[] = {0x1a, 0x0a, 0x0a, 0x01, 0x61, 0x78,
                                 0x02, 0x12, 0x03, 0x22, 0x01, 0x80};
    /*                           the cut element stands at   ^^^^ 11 */
    struct mvt_error error = {0};
    struct mvt_reader r;

    mvt_reader_init(&r, NULL);
    CHECK_FAULT(MVT_DECODE, mvt_reader_open(&r, in, sizeof(in), &error));
    CHECK_SIZE(11, error.wire.at);
    mvt_reader_free(&r);
}

/* A long name is cut between characters when the tile is gone. */
static void test_long_name_in_error(void **state)
{
    (void)state;
    uint8_t tile[512], *p = tile;
    char want[512], text[512];
    struct mvt_error error = {0};
    struct mvt_reader r;
    size_t name_size = 201;

    *p++ = 0x1a;
    p = protobuf_put_varint_at(p, 3 + name_size + 2);
    *p++ = 0x0a;
    p = protobuf_put_varint_at(p, name_size);
    *p++ = 'x';
    for (size_t i = 0; i < (name_size - 1) / 2; i++) {
        *p++ = 0xc3;
        *p++ = 0xa9;
    }
    *p++ = 0x78;
    *p++ = 0x09;
    mvt_reader_init(&r, NULL);
    CHECK_FAULT(MVT_UNSUPPORTED_VERSION,
                mvt_reader_open(&r, tile, (size_t)(p - tile), &error));
    mvt_reader_free(&r);
    CHECK_SIZE(name_size, error.name_size);
    CHECK_SIZE(119, error.name_held); /* 120 would cut an e acute */
    snprintf(want, sizeof(want), "unsupported layer version 9 for layer %.*s",
             (int)name_size, (const char *)tile + error.name_at);
    size_t size = mvt_error_text(&error, tile, text, sizeof(text));
    CHECK_STR(want, text);
    CHECK_SIZE(strlen(want), size);
    CHECK_SIZE(size, mvt_error_text(&error, tile, NULL, 0));
    CHECK_SIZE(size - name_size + 119,
               mvt_error_text(&error, NULL, text, sizeof(text)));
    want[size - name_size + 119] = '\0';
    CHECK_STR(want, text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_offset_of_a_refused_layer),
        cmocka_unit_test(test_content),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_group_depth),
        cmocka_unit_test(test_wire_types),
        cmocka_unit_test(test_error_offsets),
        cmocka_unit_test(test_long_name_in_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
