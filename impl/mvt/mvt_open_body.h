/* SPDX-License-Identifier: MIT */
/* One pass over a tile, included once for each path by a file that defines
 * OPEN_NAME, and VARINT_WORD, its protobuf_varint_word.
 *
 * Each message is a loop over its fields.  A field that the schema knows has
 * its tag, wire type included, as a case; all others, which real tiles hardly
 * have, go through mvt_open_other.  An overlong tag is the same number, so it
 * finds the same case. */
#include "mvt/mvt_internal.h"
#include "mvt/mvt_open_feature_body.h"
#include "mvt/mvt_open_value_body.h"

/* Is there room for a record of an array, whose tag is at tag_at? */
static ALWAYS_INLINE bool has_room(struct mvt_opener *o, int array,
                                   const uint8_t *tag_at)
{
    const struct mvt_array *a = &o->arrays[array];
    return LIKELY(a->next != a->end) || mvt_open_more(o, array, tag_at);
}

/* A string of a layer: its name or a key. */
static ALWAYS_INLINE const uint8_t *layer_string(struct mvt_opener *o,
                                                 const uint8_t *p,
                                                 const uint8_t *end,
                                                 struct mvt_string *out)
{
    size_t size;

    p = mvt_open_length(o, p, end, &size);
    if (UNLIKELY(p == NULL))
        return NULL;
    if (UNLIKELY(!protobuf_is_utf8(p, size)))
        return mvt_open_fail(o, PROTOBUF_UTF8, p);
    *out = (struct mvt_string){(const char *)p, size};
    return p + size;
}

static const uint8_t *layer_key(struct mvt_opener *o, const uint8_t *tag_at,
                                const uint8_t *p, const uint8_t *end)
{
    struct mvt_string key;

    p = layer_string(o, p, end, &key);
    if (p == NULL)
        return NULL;
    if (!has_room(o, MVT_KEYS, tag_at))
        return NULL;
    memcpy(o->arrays[MVT_KEYS].next, &key, sizeof(key));
    o->arrays[MVT_KEYS].next += sizeof(key);
    return p;
}

/* Elements whose length has been read; NULL, or what is behind. */

static ALWAYS_INLINE const uint8_t *layer_value(struct mvt_opener *o,
                                                const uint8_t *tag_at,
                                                const uint8_t *p, size_t size)
{
    if (UNLIKELY(!has_room(o, MVT_VALUES, tag_at)))
        return NULL;
    return LIKELY(open_value(o, p, p + size)) ? p + size : NULL;
}

static ALWAYS_INLINE const uint8_t *layer_feature(struct mvt_opener *o,
                                                  const uint8_t *tag_at,
                                                  const uint8_t *p,
                                                  size_t size)
{
    if (UNLIKELY(!has_room(o, MVT_FEATURES, tag_at)))
        return NULL;
    return LIKELY(open_feature(o, p, p + size)) ? p + size : NULL;
}

static const uint8_t *layer_number(struct mvt_opener *o, const uint8_t *p,
                                   const uint8_t *end, uint32_t *out)
{
    uint64_t raw;

    p = mvt_open_varint(o, p, end, &raw);
    if (p != NULL)
        *out = (uint32_t)raw; /* the low 32 bits count */
    return p;
}

/* One field of any form. */
static __attribute__((noinline)) const uint8_t *any_layer_field(
    struct mvt_opener *o, const uint8_t *p, const uint8_t *end,
    struct mvt_layer_record *layer)
{
    const uint8_t *tag_at = p;
    uint64_t tag;
    size_t size;

    p = mvt_open_varint(o, p, end, &tag);
    if (p == NULL)
        return NULL;
    switch (tag) {
    case LAYER_NAME:
        return layer_string(o, p, end, &layer->name);
    case LAYER_FEATURE:
        p = mvt_open_length(o, p, end, &size);
        return p == NULL ? NULL : layer_feature(o, tag_at, p, size);
    case LAYER_KEY:
        return layer_key(o, tag_at, p, end);
    case LAYER_VALUE:
        p = mvt_open_length(o, p, end, &size);
        return p == NULL ? NULL : layer_value(o, tag_at, p, size);
    case LAYER_VERSION:
        return layer_number(o, p, end, &layer->version);
    case LAYER_EXTENT:
        layer->has_extent = true;
        return layer_number(o, p, end, &layer->extent);
    default:
        return mvt_open_other(o, tag_at, p, end, tag, &mvt_layer_schema);
    }
}

/* Features and values of which tag and length take a byte each: nearly all.
 * Returns p when it is another field, for any_layer_field. */
static ALWAYS_INLINE const uint8_t *short_layer_field(struct mvt_opener *o,
                                                      const uint8_t *p,
                                                      const uint8_t *end)
{
    size_t left = (size_t)(end - p), size;

    if (UNLIKELY(left < 2))
        return p;
    size = p[1];
    if (UNLIKELY(size >= 0x80 || size > left - 2))
        return p;
    if (p[0] == LAYER_VALUE)
        return layer_value(o, p, p + 2, size);
    if (LIKELY(p[0] == LAYER_FEATURE))
        return layer_feature(o, p, p + 2, size);
    return p;
}

static bool open_layer(struct mvt_opener *o, const uint8_t *p,
                       const uint8_t *end)
{
    size_t features = mvt_open_count(o, MVT_FEATURES);
    size_t keys = mvt_open_count(o, MVT_KEYS);
    size_t values = mvt_open_count(o, MVT_VALUES);
    size_t slot = mvt_open_count(o, MVT_LAYERS);
    struct mvt_layer_record layer = {.extent = MVT_EXTENT_DEFAULT};

    /* the place is taken before the elements are charged */
    o->arrays[MVT_LAYERS].next += sizeof(layer);
    while (p != end) {
        const uint8_t *next = short_layer_field(o, p, end);
        if (UNLIKELY(next == p))
            next = any_layer_field(o, p, end, &layer);
        if (UNLIKELY(next == NULL))
            return false;
        p = next;
    }
    layer.feature_count =
        (uint32_t)(mvt_open_count(o, MVT_FEATURES) - features);
    layer.key_count = (uint32_t)(mvt_open_count(o, MVT_KEYS) - keys);
    layer.value_count = (uint32_t)(mvt_open_count(o, MVT_VALUES) - values);
    memcpy(o->arrays[MVT_LAYERS].start + slot * sizeof(layer), &layer,
           sizeof(layer));
    return true;
}

static const uint8_t *tile_layer(struct mvt_opener *o, const uint8_t *tag_at,
                                 const uint8_t *p, const uint8_t *end)
{
    size_t size;

    p = mvt_open_length(o, p, end, &size);
    if (p == NULL)
        return NULL;
    if (!has_room(o, MVT_LAYERS, tag_at))
        return NULL;
    return open_layer(o, p, p + size) ? p + size : NULL;
}

bool OPEN_NAME(struct mvt_opener *o, const uint8_t *p, const uint8_t *end)
{
    while (p != end) {
        const uint8_t *tag_at = p;
        uint64_t tag;

        p = mvt_open_varint(o, p, end, &tag);
        if (p == NULL)
            return false;
        if (tag == TILE_LAYER)
            p = tile_layer(o, tag_at, p, end);
        else
            p = mvt_open_other(o, tag_at, p, end, tag, &mvt_tile_schema);
        if (p == NULL)
            return false;
    }
    return true;
}
