/* SPDX-License-Identifier: MIT */
/* What the tests of this module share: opening bytes on every path. */
#ifndef MVT_TESTS_MVT_CHECK_H
#define MVT_TESTS_MVT_CHECK_H

#include "testkit/testkit.h"

#include <stdlib.h>
#include <string.h>

#include "mvt/mvt.h"
#include "mvt/reference/mvt_compare.h"

#define CHECK_FAULT(expected, actual)                                         \
    CHECK_ENUM(mvt_fault_name, expected, actual)

static const enum protobuf_path mvt_paths[] = {
    PROTOBUF_PATH_PORTABLE, PROTOBUF_PATH_SSE41, PROTOBUF_PATH_AVX2};

/** Start a reader on a path. */
static inline void reader_on(struct mvt_reader *r, enum protobuf_path path)
{
    struct mvt_options options = {.path = path};
    mvt_reader_init(r, &options);
}

/** Open bytes on a path; a failure fails the test with its text. */
static inline void open_ok(struct mvt_reader *r, enum protobuf_path path,
                           const uint8_t *tile, size_t size)
{
    struct mvt_error error;
    char text[256];

    reader_on(r, path);
    if (mvt_reader_open(r, tile, size, &error) != MVT_OK) {
        mvt_error_text(&error, tile, text, sizeof(text));
        CHECK_FAIL("does not open: %s", text);
    }
}

/** What a property is before it is read. */
static const struct mvt_string no_key;
static const struct mvt_value no_value;
#define NO_PROPERTY ((struct mvt_property){&no_key, &no_value, 0})

/** A string of a C literal. */
#define TEXT(literal) ((struct mvt_string){literal, sizeof(literal) - 1})

static inline void check_text(const char *want, struct mvt_string got)
{
    CHECK_BYTES(want, strlen(want), got.data, got.size);
}

/** Layer `a`, version 2, with these fields behind: a tile to free(). */
static inline uint8_t *tile_of_layer(const uint8_t *fields, size_t size,
                                     size_t *tile_size)
{
    static const uint8_t head[] = {0x0a, 0x01, 0x61, 0x78, 0x02};
    uint8_t *tile = malloc(size + 32), *p = tile;

    assert_non_null(tile);
    *p++ = 0x1a;
    p = protobuf_put_varint_at(p, size + sizeof(head));
    memcpy(p, head, sizeof(head));
    p += sizeof(head);
    if (size != 0)
        memcpy(p, fields, size);
    *tile_size = (size_t)(p - tile) + size;
    return tile;
}

/** A tile of one feature with these commands, packed; for free(). */
static inline uint8_t *tile_of_commands(int type, const uint32_t *commands,
                                        size_t count, size_t *tile_size)
{
    uint8_t *feature = malloc(count * 5 + 64), *p = feature;
    uint8_t *fields = malloc(count * 5 + 96), *q = fields;
    uint8_t *tile;
    size_t size = 0;

    assert_non_null(feature);
    assert_non_null(fields);
    for (size_t i = 0; i < count; i++)
        size += protobuf_varint_size(commands[i]);
    if (type != MVT_TYPE_ABSENT) {
        *p++ = 0x18;
        *p++ = (uint8_t)type;
    }
    *p++ = 0x22;
    p = protobuf_put_varint_at(p, size);
    for (size_t i = 0; i < count; i++)
        p = protobuf_put_varint_at(p, commands[i]);
    *q++ = 0x12;
    q = protobuf_put_varint_at(q, (uint64_t)(p - feature));
    memcpy(q, feature, (size_t)(p - feature));
    q += p - feature;
    tile = tile_of_layer(fields, (size_t)(q - fields), tile_size);
    free(feature);
    free(fields);
    return tile;
}

#endif
