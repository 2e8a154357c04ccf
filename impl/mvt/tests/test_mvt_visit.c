/* SPDX-License-Identifier: MIT */
/* Reading through callbacks. */
#include "mvt/tests/mvt_check.h"

#include <stdio.h>

struct log {
    char text[400];
    size_t calls_left;
};

static bool note(struct log *log, const char *text)
{
    size_t size = strlen(log->text);
    snprintf(log->text + size, sizeof(log->text) - size, "%s", text);
    return log->calls_left-- != 0;
}

static bool on_layer(void *ctx, struct mvt_layer layer)
{
    (void)layer;
    return note(ctx, "layer ");
}

static bool on_feature(void *ctx, const struct mvt_feature *feature)
{
    (void)feature;
    return note(ctx, "feature ");
}

static bool on_geometry(void *ctx, enum mvt_geometry_kind kind)
{
    return note(ctx, kind == MVT_POLYGON ? "POLYGON " : "POINT ");
}

static bool on_polygon(void *ctx)
{
    return note(ctx, "polygon ");
}

static bool on_part(void *ctx, const struct mvt_point *points, size_t count)
{
    char text[32];
    snprintf(text, sizeof(text), "part:%zu@%d,%d ", count, points[0].x,
             points[0].y);
    return note(ctx, text);
}

static bool on_property(void *ctx, const struct mvt_string *key,
                        const struct mvt_value *value)
{
    (void)key;
    return note(ctx, value->kind == MVT_INT ? "int " : "other ");
}

static bool on_fault(void *ctx, enum mvt_fault fault, uint32_t number)
{
    char text[64];
    snprintf(text, sizeof(text), "fault:%d:%u ", fault, number);
    return note(ctx, text);
}

static void test_visitor(void **state)
{
    (void)state;
    struct log log = {.calls_left = SIZE_MAX};
    struct mvt_visitor v = {on_layer, on_feature,  on_geometry, on_polygon,
                            on_part,  on_property, on_fault,    &log};
    struct mvt_buffer buffer;
    struct mvt_reader r;
    char want[200];
    size_t size;
    uint8_t *tile = hex_new(
        "1a2c 0a0161 7802 1213 12040000 0900 1803 2209 09000012020202020f "
        "1207 1801 2203 090204 1200 1a016b 22022005",
        &size);

    snprintf(want, sizeof(want),
             "layer feature POLYGON polygon part:4@0,0 int fault:%d:9 "
             "feature POINT part:1@1,2 feature fault:%d:0 ",
             MVT_KEY_INDEX, MVT_INVALID_GEOMETRY);
    open_ok(&r, PROTOBUF_PATH_BEST, tile, size);
    mvt_buffer_init(&buffer, NULL);
    CHECK_FAULT(MVT_OK, mvt_reader_visit(&r, &buffer, &v));
    CHECK_STR(want, log.text);
    for (size_t calls = 0; calls < 11; calls++) {
        log = (struct log){.calls_left = calls};
        CHECK_FAULT(MVT_END, mvt_reader_visit(&r, &buffer, &v));
    }
    struct mvt_visitor nothing = {0};
    CHECK_FAULT(MVT_OK, mvt_reader_visit(&r, &buffer, &nothing));
    mvt_buffer_free(&buffer);
    mvt_reader_free(&r);
    free(tile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_visitor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
