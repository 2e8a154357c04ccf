/* SPDX-License-Identifier: MIT */
/* What the tests of the writer share: short calls that must succeed. */
#ifndef MVT_TESTS_MVT_WRITER_CHECK_H
#define MVT_TESTS_MVT_WRITER_CHECK_H

#include "mvt/tests/mvt_check.h"

static inline struct mvt_value string_value(const char *text)
{
    return (struct mvt_value){
        .string = text, .size = (uint32_t)strlen(text), .kind = MVT_STRING};
}

static inline struct mvt_value int_value(int64_t n)
{
    return (struct mvt_value){.int_value = n, .kind = MVT_INT};
}

static inline struct mvt_string text_of(const char *text)
{
    return (struct mvt_string){text, strlen(text)};
}

static inline void tag(struct mvt_writer *w, const char *key,
                       struct mvt_value value)
{
    CHECK_FAULT(MVT_OK, mvt_writer_tag(w, text_of(key), &value));
}

/** The tile so far is these bytes. */
static inline void check_bytes_of(struct mvt_writer *w, const char *hex)
{
    const uint8_t *data;
    size_t size, want_size;
    uint8_t *want = hex_new(hex, &want_size);

    CHECK_FAULT(MVT_OK, mvt_writer_encode(w, &data, &size));
    CHECK_BYTES(want, want_size, data, size);
    free(want);
}

/** A new writer, with a layer open. */
static inline void begin(struct mvt_writer *w, const char *name)
{
    mvt_writer_init(w, NULL);
    CHECK_FAULT(MVT_OK, mvt_writer_layer(w, text_of(name)));
}

static inline void point_feature(struct mvt_writer *w, int32_t x, int32_t y)
{
    struct mvt_geometry g = {
        .kind = MVT_POINT, .point = {x, y}, .point_count = 1};
    CHECK_FAULT(MVT_OK, mvt_writer_feature(w, &g));
}

/** Close feature and layer, compare the tile, and free the writer. */
static inline void end(struct mvt_writer *w, const char *hex)
{
    CHECK_FAULT(MVT_OK, mvt_writer_end_feature(w));
    CHECK_FAULT(MVT_OK, mvt_writer_end_layer(w));
    check_bytes_of(w, hex);
    mvt_writer_free(w);
}

#endif
