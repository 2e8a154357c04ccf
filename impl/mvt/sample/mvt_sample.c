/* SPDX-License-Identifier: MIT */
/* Seeded tiles. */
#include "mvt/sample/mvt_sample.h"

#include <stdio.h>

#include "base/prng.h"
#include "mvt/mvt_writer.h"

#define LAYER_SIZE  16384
#define KEY_COUNT   40
#define POINT_MAX   64
#define EXTENT      4096
#define STRING_SIZE 24

/* A tile in the making. */
struct sampler {
    uint64_t state;
    struct mvt_writer w;
    bool failed;
};

static uint64_t below(struct sampler *s, uint64_t bound)
{
    return prng_below(&s->state, bound);
}

static void must(struct sampler *s, enum mvt_fault fault)
{
    if (fault != MVT_OK)
        s->failed = true;
}

/* ---- properties ----------------------------------------------------------
 */

static struct mvt_string name_of(char *out, const char *stem, uint64_t number)
{
    int n = snprintf(out, STRING_SIZE, "%s%u", stem, (unsigned)number);
    return (struct mvt_string){out, (size_t)n};
}

static void add_property(struct sampler *s)
{
    static const char *const stems[] = {"name:", "class_", "\xc3\xa9tage "};
    char key_text[STRING_SIZE], text[STRING_SIZE];
    struct mvt_value value = {0};
    struct mvt_string key = name_of(key_text, "key", below(s, KEY_COUNT));
    uint64_t kind = below(s, 100);

    if (kind < 58) {
        /* few of the strings are used much */
        uint64_t range = below(s, 4) == 0 ? 4000 : 60;
        struct mvt_string string =
            name_of(text, stems[below(s, 3)], below(s, range));
        value.kind = MVT_STRING;
        value.string = string.data;
        value.size = (uint32_t)string.size;
    } else if (kind < 96) {
        value.kind = MVT_INT;
        value.int_value = (int64_t)below(s, UINT64_C(1) << below(s, 34));
    } else if (kind == 96) {
        value.kind = MVT_DOUBLE;
        value.double_value = (double)below(s, 1000) / 8;
    } else if (kind == 97) {
        value.kind = MVT_FLOAT;
        value.float_value = (float)below(s, 1000) / 4;
    } else if (kind == 98) {
        value.kind = MVT_SINT;
        value.int_value = -(int64_t)below(s, 500);
    } else {
        value.kind = MVT_BOOL;
        value.bool_value = below(s, 2) != 0;
    }
    must(s, mvt_writer_tag(&s->w, key, &value));
}

/* ---- geometry ------------------------------------------------------------
 */

/* A path of count vertices in small and larger steps. */
static void walk(struct sampler *s, struct mvt_point *points, size_t count)
{
    int32_t x = (int32_t)below(s, EXTENT), y = (int32_t)below(s, EXTENT);

    for (size_t i = 0; i < count; i++) {
        int32_t reach = below(s, 3) == 0 ? 1200 : 60;
        points[i] = (struct mvt_point){x, y};
        x += (int32_t)below(s, 2 * (uint64_t)reach + 1) - reach;
        y += (int32_t)below(s, 2 * (uint64_t)reach + 1) - reach;
    }
}

static void add_lines(struct sampler *s)
{
    struct mvt_point points[POINT_MAX];
    size_t parts = below(s, 7) == 0 ? 2 + below(s, 6) : 1;

    for (; parts != 0; parts--) {
        size_t count = 2 + below(s, below(s, 5) == 0 ? 60 : 10);
        walk(s, points, count);
        must(s, mvt_writer_line(&s->w, points, count));
    }
}

static void add_rings(struct sampler *s)
{
    struct mvt_point points[POINT_MAX];
    size_t rings = below(s, 10) == 0 ? 2 + below(s, 4) : 1;

    for (size_t i = 0; i < rings; i++) {
        size_t count = 4 + below(s, below(s, 5) == 0 ? 50 : 6);
        walk(s, points, count);
        must(s, mvt_writer_ring(&s->w, points, count,
                                i == 0 || below(s, 2) == 0));
    }
}

static void add_feature(struct sampler *s)
{
    struct mvt_point point;
    uint64_t kind = below(s, 100);

    if (kind < 58) {
        walk(s, &point, 1);
        must(s, mvt_writer_feature_of(&s->w, MVT_TYPE_POINT));
        must(s, mvt_writer_points(&s->w, &point, 1));
    } else if (kind < 71) {
        must(s, mvt_writer_feature_of(&s->w, MVT_TYPE_LINESTRING));
        add_lines(s);
    } else {
        must(s, mvt_writer_feature_of(&s->w, MVT_TYPE_POLYGON));
        add_rings(s);
    }
    if (below(s, 4) == 0)
        must(s, mvt_writer_id(&s->w, true, below(s, UINT64_C(1) << 40)));
    for (uint64_t n = below(s, 21); n != 0; n--)
        add_property(s);
    must(s, mvt_writer_end_feature(&s->w));
}

/* ---- tiles ---------------------------------------------------------------
 */

static size_t layer_size(const struct mvt_writer *w)
{
    return w->features.size + w->keys.size + w->values.size;
}

bool mvt_sample_tile(uint64_t seed, size_t size, struct mvt_bytes *out)
{
    struct sampler s = {.state = seed ^ UINT64_C(0x9e3779b97f4a7c15)};
    char text[STRING_SIZE];

    mvt_writer_init(&s.w, NULL);
    for (unsigned layer = 0; s.w.tile.size < size && !s.failed; layer++) {
        size_t want = size - s.w.tile.size;
        if (want > LAYER_SIZE)
            want = LAYER_SIZE;
        must(&s, mvt_writer_layer(&s.w, name_of(text, "layer", layer)));
        while (layer_size(&s.w) < want && !s.failed)
            add_feature(&s);
        must(&s, mvt_writer_end_layer(&s.w));
    }
    if (!s.failed) {
        *out = s.w.tile;
        s.w.tile = (struct mvt_bytes){0};
    }
    mvt_writer_free(&s.w);
    return !s.failed;
}

void mvt_sample_packed(uint64_t seed, uint8_t *out, size_t size)
{
    uint64_t state = seed ^ UINT64_C(0xd1b54a32d192ed03);

    for (size_t at = 0; at < size;) {
        uint64_t kind = prng_below(&state, 100);
        size_t more = kind < 63 ? 0 : kind < 86 ? 1 : 2;
        if (more >= size - at)
            more = 0;
        for (; more != 0; more--)
            out[at++] = 0x80 | (uint8_t)prng_splitmix64(&state);
        out[at++] = (uint8_t)(1 + prng_below(&state, 127));
    }
}
