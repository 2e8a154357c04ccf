/* SPDX-License-Identifier: MIT */
/* One pass over a tile: features, the most of it; part of mvt_open_body.h.
 * Tags and geometry are checked here, so that reading them later cannot fail
 * on a varint. */
/* A packed payload. */
struct payload {
    const uint8_t *at;
    size_t size;
};

/* Note a record of a packed field: it is the field, or one of several. */
static ALWAYS_INLINE void note(struct mvt_opener *o, const uint8_t *at,
                               size_t size, uint32_t *field_at,
                               uint32_t *field_size, uint8_t *flags,
                               uint8_t split)
{
    if (UNLIKELY(*field_size != 0)) {
        if (size != 0)
            *flags |= split;
        return;
    }
    *field_at = (uint32_t)(at - o->tile);
    *field_size = (uint32_t)size;
}

static ALWAYS_INLINE void note_tags(struct mvt_opener *o, const uint8_t *at,
                                    size_t size, struct mvt_feature_record *f)
{
    note(o, at, size, &f->tags_at, &f->tags_size, &f->flags, MVT_TAGS_SPLIT);
}

static ALWAYS_INLINE void note_geometry(struct mvt_opener *o,
                                        const uint8_t *at, size_t size,
                                        struct mvt_feature_record *f)
{
    note(o, at, size, &f->geometry_at, &f->geometry_size, &f->flags,
         MVT_GEOMETRY_SPLIT);
}

/* ---- the feature -------------------------------------------------------- */

static void set_type(struct mvt_feature_record *f, uint64_t raw)
{
    /* a closed enum of 32 bits: any other number leaves no trace */
    if ((uint32_t)raw <= MVT_TYPE_POLYGON)
        f->type = (int8_t)raw;
}

/* A packed record with a length of any size. */
static const uint8_t *packed_record(struct mvt_opener *o, const uint8_t *p,
                                    const uint8_t *end, struct payload *record)
{
    size_t at = 0;

    p = mvt_open_length(o, p, end, &record->size);
    if (p == NULL)
        return NULL;
    if (!protobuf_packed_is_valid(p, record->size)) {
        enum protobuf_fault fault =
            protobuf_packed_fault(p, record->size, &at);
        return mvt_open_fail(o, fault, p + at);
    }
    record->at = p;
    return p + record->size;
}

/* An element outside a packed record: its varint is a payload of one. */
static const uint8_t *single_record(struct mvt_opener *o, const uint8_t *p,
                                    const uint8_t *end, struct payload *record)
{
    uint64_t element;

    record->at = p;
    p = mvt_open_varint(o, p, end, &element);
    record->size = p == NULL ? 0 : (size_t)(p - record->at);
    return p;
}

/* One field of any form. */
static __attribute__((noinline)) const uint8_t *any_field(
    struct mvt_opener *o, const uint8_t *p, const uint8_t *end,
    struct mvt_feature_record *f)
{
    const uint8_t *tag_at = p;
    struct payload record;
    uint64_t tag, raw;

    p = mvt_open_varint(o, p, end, &tag);
    if (p == NULL)
        return NULL;
    switch (tag) {
    case FEATURE_ID:
        f->flags |= MVT_FEATURE_HAS_ID;
        return mvt_open_varint(o, p, end, &f->id);
    case FEATURE_TYPE:
        p = mvt_open_varint(o, p, end, &raw);
        if (p != NULL)
            set_type(f, raw);
        return p;
    case FEATURE_TAGS:
    case FEATURE_TAGS_SINGLE:
        p = tag == FEATURE_TAGS ? packed_record(o, p, end, &record)
                                : single_record(o, p, end, &record);
        if (p != NULL)
            note_tags(o, record.at, record.size, f);
        return p;
    case FEATURE_GEOMETRY:
    case FEATURE_GEOMETRY_SINGLE:
        p = tag == FEATURE_GEOMETRY ? packed_record(o, p, end, &record)
                                    : single_record(o, p, end, &record);
        if (p != NULL)
            note_geometry(o, record.at, record.size, f);
        return p;
    default:
        return mvt_open_other(o, tag_at, p, end, tag, &mvt_feature_schema);
    }
}

/* A packed record of size < 0x80 bytes at p, behind its length: is it inside
 * and valid? */
static ALWAYS_INLINE bool short_record(const uint8_t *p, const uint8_t *end,
                                       size_t size)
{
    if (UNLIKELY(size > (size_t)(end - p)))
        return false;
    /* the last byte ends an element; of no bytes, the length stands here */
    if (UNLIKELY(p[(ptrdiff_t)size - 1] >= 0x80))
        return false;
    return size < PROTOBUF_VARINT_SIZE_MAX ||
           LIKELY(protobuf_packed_is_valid_long(p, size));
}

/* An id of more than a byte; likewise. */
static ALWAYS_INLINE const uint8_t *long_id(struct mvt_opener *o,
                                            const uint8_t *p,
                                            const uint8_t *end,
                                            struct mvt_feature_record *f)
{
    if (p[0] != FEATURE_ID)
        return p;
    const uint8_t *next = VARINT_WORD(p + 1, end, o->tile_end, &f->id);
    if (next == NULL)
        return p;
    f->flags |= MVT_FEATURE_HAS_ID;
    return next;
}

/* Fields whose tag and the number behind it, value or length, take a byte
 * each: nearly all.  Returns p when it is another one, or when something is
 * wrong with it, for any_field to find out. */
static ALWAYS_INLINE const uint8_t *short_field(struct mvt_opener *o,
                                                const uint8_t *p,
                                                const uint8_t *end,
                                                struct mvt_feature_record *f)
{
    if (end - p < 2)
        return p;
    if (p[1] >= 0x80)
        return long_id(o, p, end, f);
    const uint8_t *body = p + 2;
    size_t number = p[1];

    switch (p[0]) {
    case FEATURE_GEOMETRY:
        if (!short_record(body, end, number))
            return p;
        note_geometry(o, body, number, f);
        return body + number;
    case FEATURE_TAGS:
        if (!short_record(body, end, number))
            return p;
        note_tags(o, body, number, f);
        return body + number;
    case FEATURE_TYPE:
        set_type(f, number);
        return body;
    default:
        return p;
    }
}

static ALWAYS_INLINE bool open_feature(struct mvt_opener *o, const uint8_t *p,
                                       const uint8_t *end)
{
    struct mvt_feature_record *f = (void *)o->arrays[MVT_FEATURES].next;
    const uint8_t *body = p;

    *f = (struct mvt_feature_record){.type = MVT_TYPE_ABSENT};
    while (p != end) {
        const uint8_t *next = short_field(o, p, end, f);
        if (UNLIKELY(next == p)) {
            next = any_field(o, p, end, f);
            if (UNLIKELY(next == NULL))
                return false;
        }
        p = next;
    }
    if (UNLIKELY((f->flags & (MVT_TAGS_SPLIT | MVT_GEOMETRY_SPLIT)) != 0) &&
        !mvt_open_join(o, body, end, f))
        return false;
    o->arrays[MVT_FEATURES].next += sizeof(*f);
    return true;
}
