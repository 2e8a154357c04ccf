/* SPDX-License-Identifier: MIT */
/* A feature's properties: its tags, looked up in pairs as they are read. */
#ifndef MVT_MVT_PROPERTIES_H
#define MVT_MVT_PROPERTIES_H

#include "mvt/mvt_reader.h"

/** A position in a feature's properties.  Copies are independent. */
struct mvt_properties {
    const uint8_t *at; /* next tag, in a valid packed payload */
    const uint8_t *end;
    const struct mvt_string *keys;
    const struct mvt_value *values;
    uint32_t key_count;
    uint32_t value_count;
};

/** One property, or what is wrong with it. */
struct mvt_property {
    const struct mvt_string *key;  /* in the reader */
    const struct mvt_value *value; /* in the reader; its kind may be NULL */
    uint32_t number; /* of an error: the index, or the tags left */
};

/** Start before the first property. */
static inline void mvt_properties_init(struct mvt_properties *it,
                                       const struct mvt_feature *feature)
{
    const struct mvt_layer_record *layer = feature->layer;
    struct protobuf_unpacker tags = mvt_feature_tags_payload(feature);

    it->at = tags.at;
    it->end = tags.end;
    it->keys = layer->keys;
    it->values = layer->values;
    it->key_count = layer->key_count;
    it->value_count = layer->value_count;
}

/**
 * The next property.
 *
 *   out  filled on success; on failure its number is
 *
 * MVT_END          there is none
 * MVT_TAGS_LENGTH  a single tag is left; number is 1.  The last item.
 * MVT_KEY_INDEX    number is the index; tested before the value's
 * MVT_VALUE_INDEX  number is the index
 *
 * A failure does not end the iteration: the next call looks at the next pair.
 *
 * Cost: no allocation; about 20 instructions.  Decoding tags one by one in
 *       the caller's loop beats unpacking them in bulk first: most keys and
 *       many values take a byte.
 */
MUST_CHECK static ALWAYS_INLINE enum mvt_fault mvt_properties_next(
    struct mvt_properties *it, struct mvt_property *out)
{
    const uint8_t *p = it->at;
    uint32_t key, value;

    if (p == it->end)
        return MVT_END;
    p = protobuf_element_u32(p, &key);
    it->at = p;
    if (UNLIKELY(p == it->end)) {
        out->number = 1;
        return MVT_TAGS_LENGTH;
    }
    it->at = protobuf_element_u32(p, &value);
    if (UNLIKELY(key >= it->key_count)) {
        out->number = key;
        return MVT_KEY_INDEX;
    }
    if (UNLIKELY(value >= it->value_count)) {
        out->number = value;
        return MVT_VALUE_INDEX;
    }
    out->key = it->keys + key;
    out->value = it->values + value;
    return MVT_OK;
}

/** Calls of mvt_properties_next that will not return MVT_END, failures
 * included.  Exact; costs a count of the tags to come. */
size_t mvt_properties_left(const struct mvt_properties *it);

/** A property by value. */
struct mvt_pair {
    struct mvt_string key;
    struct mvt_value value;
};

/**
 * All properties of a feature as an array.
 *
 *   alloc  NULL is the C library
 *   pairs  out: one block of *count * sizeof(**pairs) bytes for the caller to
 *          alloc_put, NULL when there are none; the strings are the tile's
 *   error  out: filled on failure
 *
 * The first failure of mvt_properties_next, or MVT_NO_MEMORY.
 */
MUST_CHECK enum mvt_fault mvt_feature_properties(
    const struct mvt_feature *feature, const struct alloc *alloc,
    struct mvt_pair **pairs, size_t *count, struct mvt_error *error);

#endif
