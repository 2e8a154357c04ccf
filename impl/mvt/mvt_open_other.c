/* SPDX-License-Identifier: MIT */
/* One pass over a tile: its rare parts.  Unknown fields, failures, and the
 * count that comes before. */
#include "mvt/mvt_internal.h"

#define NO MVT_NO_FIELD

const struct mvt_message_schema mvt_tile_schema = {
    {NO, NO, NO, 2, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO},
    PROTOBUF_DEPTH_MAX};
const struct mvt_message_schema mvt_layer_schema = {
    {NO, 2, 2, 2, 2, 0, NO, NO, NO, NO, NO, NO, NO, NO, NO, 0},
    PROTOBUF_DEPTH_MAX - 1};
const struct mvt_message_schema mvt_feature_schema = {
    {NO, 0, 2, 0, 2, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO},
    PROTOBUF_DEPTH_MAX - 2};
const struct mvt_message_schema mvt_value_schema = {
    {NO, 2, 5, 1, 0, 0, 0, 0, NO, NO, NO, NO, NO, NO, NO, NO},
    PROTOBUF_DEPTH_MAX - 2};

enum protobuf_fault mvt_other_field(struct cursor *c, size_t tag_at,
                                    uint64_t raw,
                                    const struct mvt_message_schema *schema,
                                    struct protobuf_error *error)
{
    enum protobuf_fault fault = protobuf_check_tag(raw, error);

    if (fault != PROTOBUF_OK) {
        error->at = tag_at;
        return fault;
    }
    uint32_t tag = (uint32_t)raw;
    uint32_t field = protobuf_tag_field(tag);
    if (field < ARRAY_COUNT(schema->wire_types) &&
        schema->wire_types[field] != MVT_NO_FIELD)
        return protobuf_mismatch(tag, schema->wire_types[field], tag_at,
                                 error);
    return protobuf_skip(c, tag, schema->depth, error);
}

/* ---- failures ----------------------------------------------------------- */

const uint8_t *mvt_open_fail(struct mvt_opener *o, enum protobuf_fault fault,
                             const uint8_t *at)
{
    o->error->fault = MVT_DECODE;
    o->error->wire.fault = fault;
    o->error->wire.at = (size_t)(at - o->tile);
    return NULL;
}

const uint8_t *mvt_open_fail_varint(struct mvt_opener *o, const uint8_t *at,
                                    const uint8_t *end)
{
    return mvt_open_fail(o, protobuf_varint_fault(at, end), at);
}

const uint8_t *mvt_open_other(struct mvt_opener *o, const uint8_t *tag_at,
                              const uint8_t *p, const uint8_t *end,
                              uint64_t raw,
                              const struct mvt_message_schema *schema)
{
    struct cursor c = {.data = o->tile,
                       .size = (size_t)(end - o->tile),
                       .at = (size_t)(p - o->tile)};
    enum protobuf_fault fault = mvt_other_field(&c, (size_t)(tag_at - o->tile),
                                                raw, schema, &o->error->wire);

    if (fault != PROTOBUF_OK) {
        o->error->fault = MVT_DECODE;
        return NULL;
    }
    return o->tile + c.at;
}

/* ---- counting ----------------------------------------------------------- */

/* Step over a field of a layer that is no element; NULL at an error. */
static const uint8_t *skip_other(const uint8_t *p, const uint8_t *end,
                                 uint64_t tag)
{
    struct cursor c = cursor_init(p, (size_t)(end - p));
    struct protobuf_error error;
    bool known =
        tag == LAYER_NAME || tag == LAYER_EXTENT || tag == LAYER_VERSION;
    enum protobuf_fault fault =
        known ? protobuf_skip(&c, (uint32_t)tag, 0, &error)
              : mvt_other_field(&c, 0, tag, &mvt_layer_schema, &error);

    return fault == PROTOBUF_OK ? p + c.at : NULL;
}

/* What an element takes from the budget, by tag; 0 for other fields. */
static const uint8_t charges[256] = {
    [LAYER_FEATURE] = MVT_FEATURE_CHARGE,
    [LAYER_KEY] = MVT_KEY_CHARGE,
    [LAYER_VALUE] = MVT_VALUE_CHARGE,
};

/* One field of a layer, of any form; NULL at an error or when the budget is
 * used up. */
static const uint8_t *count_any(const uint8_t *p, const uint8_t *end,
                                size_t *budget, size_t *elements)
{
    uint64_t tag, size;

    p = protobuf_varint_at(p, end, &tag);
    if (p == NULL)
        return NULL;
    if (tag >= ARRAY_COUNT(charges) || charges[tag] == 0)
        return skip_other(p, end, tag);
    p = protobuf_varint_at(p, end, &size);
    if (p == NULL || size > (uint64_t)(end - p) || *budget < charges[tag])
        return NULL;
    *budget -= charges[tag];
    elements[protobuf_tag_field((uint32_t)tag)]++;
    return p + size;
}

/* Elements of which tag and length take a byte each, as many as there are in
 * a row: nearly all.  Returns the offset of the first that is not one of
 * them, or one beyond size: a last element runs past the layer. */
static size_t count_short(const uint8_t *layer, size_t at, size_t size,
                          size_t *elements)
{
    size_t features = 0, keys = 0, values = 0;

    while (at + 1 < size) {
        uint8_t tag = layer[at], length = layer[at + 1];
        if (UNLIKELY(length >= 0x80))
            break;
        if (tag == LAYER_VALUE)
            values++;
        else if (tag == LAYER_FEATURE)
            features++;
        else if (tag == LAYER_KEY)
            keys++;
        else
            break;
        at += 2 + (size_t)length;
    }
    elements[2] += features;
    elements[3] += keys;
    elements[4] += values;
    return at;
}

static size_t charge_of(const size_t *elements)
{
    return elements[2] * MVT_FEATURE_CHARGE + elements[3] * MVT_KEY_CHARGE +
           elements[4] * MVT_VALUE_CHARGE;
}

/* A layer's elements.  Their content is not looked at: what is wrong there
 * ends the pass at the same record or before.  Returns false at an error of
 * the layer itself, or when the budget is used up. */
static bool count_layer(const uint8_t *layer, size_t size, size_t *budget,
                        struct mvt_counts *counts)
{
    const uint8_t *p = layer, *end = layer + size;
    size_t elements[5] = {0}, unlimited = SIZE_MAX;

    while (p != NULL && p != end) {
        size_t at = count_short(layer, (size_t)(p - layer), size, elements);
        if (at > size) {
            p = NULL;
            break;
        }
        p = at == size ? end
                       : count_any(layer + at, end, &unlimited, elements);
    }
    if (charge_of(elements) > *budget) { /* once more, up to the limit */
        memset(elements, 0, sizeof(elements));
        for (p = layer; p != NULL && p != end;)
            p = count_any(p, end, budget, elements);
    } else {
        *budget -= charge_of(elements);
    }
    for (size_t i = 0; i < ARRAY_COUNT(elements); i++)
        counts->elements[i] += elements[i];
    return p != NULL;
}

struct mvt_counts mvt_count_records(const uint8_t *tile, size_t size,
                                    size_t element_limit)
{
    struct mvt_counts counts = {0};
    struct protobuf_error error;
    struct cursor c = cursor_init(tile, size);
    size_t budget = element_limit;

    while (cursor_left(&c) != 0) {
        const uint8_t *layer;
        size_t layer_size, tag_at = c.at;
        uint64_t tag;

        if (protobuf_take_varint(&c, &tag) != PROTOBUF_OK)
            break;
        if (tag != TILE_LAYER) {
            if (mvt_other_field(&c, tag_at, tag, &mvt_tile_schema, &error) !=
                PROTOBUF_OK)
                break;
            continue;
        }
        if (protobuf_take_bytes(&c, &layer, &layer_size) != PROTOBUF_OK ||
            budget < MVT_LAYER_CHARGE)
            break;
        budget -= MVT_LAYER_CHARGE;
        counts.layers++;
        if (!count_layer(layer, layer_size, &budget, &counts))
            break;
    }
    return counts;
}
