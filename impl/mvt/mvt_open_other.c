/* SPDX-License-Identifier: MIT */
/* One pass over a tile: its rare parts, unknown fields and failures. */
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
