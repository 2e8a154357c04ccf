/* SPDX-License-Identifier: MIT */
/* One pass over a tile: packed fields that come in several records. */
#include "mvt/mvt_internal.h"

/* Bytes behind joined payloads that fast paths may read. */
#define JOINED_SLACK 32

/* One record of a packed field. */
struct record {
    const uint8_t *at;
    size_t size;
};

/* The next record of a packed field in a feature that has been read without
 * an error; false at the end. */
static bool next_record(struct cursor *c, uint32_t field,
                        struct record *record)
{
    struct protobuf_error error;
    uint32_t tag = 0;

    while (cursor_left(c) != 0) {
        if (protobuf_take_tag(c, &tag, &error) != PROTOBUF_OK)
            return false;
        size_t at = c->at;
        if (protobuf_tag_field(tag) == field &&
            protobuf_tag_type(tag) == PROTOBUF_BYTES)
            return protobuf_take_bytes(c, &record->at, &record->size) ==
                   PROTOBUF_OK;
        if (protobuf_skip(c, tag, mvt_feature_schema.depth, &error) !=
            PROTOBUF_OK)
            return false;
        if (protobuf_tag_field(tag) == field) {
            *record = (struct record){c->data + at, c->at - at};
            return true;
        }
    }
    return false;
}

/* Room for `more` bytes and the slack behind them. */
static bool reserve_joined(struct mvt_reader *r, size_t more)
{
    size_t need = r->joined_size + more + JOINED_SLACK;

    if (need <= r->joined_capacity)
        return true;
    size_t capacity = r->joined_capacity * 2;
    if (capacity < need)
        capacity = need;
    uint8_t *joined = alloc_resize(r->options.alloc, r->joined,
                                   r->joined_capacity, capacity);
    if (joined == NULL)
        return false;
    memset(joined + r->joined_capacity, 0, capacity - r->joined_capacity);
    r->joined = joined;
    r->joined_capacity = capacity;
    return true;
}

/* Copy the records of a field behind one another.  All features together
 * copy no more bytes than the tile has. */
COLD static bool join(struct mvt_opener *o, const uint8_t *body,
                      const uint8_t *end, uint32_t field, uint32_t *at,
                      uint32_t *size)
{
    struct mvt_reader *r = o->reader;
    struct cursor c = cursor_init(body, (size_t)(end - body));
    struct record record;

    if (!reserve_joined(r, (size_t)(end - body))) {
        o->error->fault = MVT_NO_MEMORY;
        return false;
    }
    *at = (uint32_t)r->joined_size;
    while (next_record(&c, field, &record)) {
        if (record.size != 0)
            memcpy(r->joined + r->joined_size, record.at, record.size);
        r->joined_size += record.size;
    }
    *size = (uint32_t)r->joined_size - *at;
    return true;
}

bool mvt_open_join(struct mvt_opener *o, const uint8_t *body,
                   const uint8_t *end, struct mvt_feature_record *f)
{
    if ((f->flags & MVT_TAGS_SPLIT) != 0) {
        if (!join(o, body, end, protobuf_tag_field(FEATURE_TAGS), &f->tags_at,
                  &f->tags_size))
            return false;
        f->flags |= MVT_FEATURE_TAGS_JOINED;
    }
    if ((f->flags & MVT_GEOMETRY_SPLIT) != 0) {
        if (!join(o, body, end, protobuf_tag_field(FEATURE_GEOMETRY),
                  &f->geometry_at, &f->geometry_size))
            return false;
        f->flags |= MVT_FEATURE_GEOMETRY_JOINED;
    }
    f->flags &= (uint8_t) ~(MVT_TAGS_SPLIT | MVT_GEOMETRY_SPLIT);
    return true;
}
