/* SPDX-License-Identifier: MIT */
/* One pass over a tile: property values; part of mvt_open_body.h. */
#include "mvt/mvt_internal.h"

/* Above the kinds: by precedence, the first that is present wins. */
#define NO_KIND (MVT_BOOL + 1)

/* A value while its message is read. */
struct value_state {
    struct mvt_value value;
    unsigned kind; /* the best so far */
};

/* Does a field of this kind count?  A later one of the same kind replaces the
 * earlier one. */
static ALWAYS_INLINE bool takes(struct value_state *v, unsigned kind)
{
    if (kind > v->kind)
        return false;
    v->kind = kind;
    v->value.kind = (uint8_t)kind;
    v->value.size = 0;
    return true;
}

static const uint8_t *value_string(struct mvt_opener *o, const uint8_t *p,
                                   const uint8_t *end, struct value_state *v)
{
    size_t size;

    p = mvt_open_length(o, p, end, &size);
    if (UNLIKELY(p == NULL))
        return NULL;
    if (UNLIKELY(!protobuf_is_utf8(p, size)))
        return mvt_open_fail(o, PROTOBUF_UTF8, p);
    if (takes(v, MVT_STRING)) {
        v->value.string = (const char *)p;
        v->value.size = (uint32_t)size;
    }
    return p + size;
}

static const uint8_t *value_fixed(struct mvt_opener *o, const uint8_t *p,
                                  const uint8_t *end, struct value_state *v,
                                  unsigned kind)
{
    size_t size = kind == MVT_FLOAT ? 4 : 8;

    if (UNLIKELY((size_t)(end - p) < size))
        return mvt_open_fail(o, PROTOBUF_TRUNCATED, p);
    if (takes(v, kind)) {
        uint32_t narrow = load_le32(p);
        if (kind == MVT_DOUBLE)
            v->value.uint_value = load_le64(p);
        else
            memcpy(&v->value.float_value, &narrow, sizeof(narrow));
    }
    return p + size;
}

static ALWAYS_INLINE const uint8_t *value_number(struct mvt_opener *o,
                                                 const uint8_t *p,
                                                 const uint8_t *end,
                                                 struct value_state *v,
                                                 unsigned kind)
{
    uint64_t raw;

    p = mvt_open_varint(o, p, end, &raw);
    if (UNLIKELY(p == NULL))
        return NULL;
    if (takes(v, kind)) {
        if (kind == MVT_SINT)
            v->value.int_value = protobuf_unzigzag64(raw);
        else if (kind == MVT_BOOL)
            v->value.bool_value = raw != 0;
        else
            v->value.uint_value = raw; /* MVT_INT: two's complement */
    }
    return p;
}

/* A message of one field whose tag and length or value take a byte each: a
 * short string, or a small number.  false: it is another one, or something is
 * wrong with it, for any_value to find out. */
static ALWAYS_INLINE bool short_value(struct mvt_opener *o, const uint8_t *p,
                                      size_t size)
{
    struct mvt_value *v = (void *)o->arrays[MVT_VALUES].next;

    if (size < 2)
        return false;
    if (p[0] == VALUE_STRING) {
        if (p[1] != size - 2 || p[1] >= 0x80 ||
            UNLIKELY(!protobuf_is_utf8(p + 2, size - 2)))
            return false;
        *v = (struct mvt_value){.string = (const char *)p + 2,
                                .size = (uint32_t)size - 2,
                                .kind = MVT_STRING};
    } else if (p[0] == VALUE_INT) {
        uint64_t number;
        if (VARINT_WORD(p + 1, p + size, o->tile_end, &number) != p + size)
            return false;
        *v = (struct mvt_value){.uint_value = number, .kind = MVT_INT};
    } else {
        return false;
    }
    o->arrays[MVT_VALUES].next += sizeof(*v);
    return true;
}

static bool any_value(struct mvt_opener *o, const uint8_t *p,
                      const uint8_t *end)
{
    struct value_state v = {.kind = NO_KIND};

    while (p != end) {
        const uint8_t *tag_at = p;
        uint64_t tag;

        p = mvt_open_varint(o, p, end, &tag);
        if (UNLIKELY(p == NULL))
            return false;
        switch (tag) {
        case VALUE_STRING:
            p = value_string(o, p, end, &v);
            break;
        case VALUE_FLOAT:
            p = value_fixed(o, p, end, &v, MVT_FLOAT);
            break;
        case VALUE_DOUBLE:
            p = value_fixed(o, p, end, &v, MVT_DOUBLE);
            break;
        case VALUE_INT:
            p = value_number(o, p, end, &v, MVT_INT);
            break;
        case VALUE_UINT:
            p = value_number(o, p, end, &v, MVT_UINT);
            break;
        case VALUE_SINT:
            p = value_number(o, p, end, &v, MVT_SINT);
            break;
        case VALUE_BOOL:
            p = value_number(o, p, end, &v, MVT_BOOL);
            break;
        default:
            p = mvt_open_other(o, tag_at, p, end, tag, &mvt_value_schema);
        }
        if (UNLIKELY(p == NULL))
            return false;
    }
    memcpy(o->arrays[MVT_VALUES].next, &v.value, sizeof(v.value));
    o->arrays[MVT_VALUES].next += sizeof(v.value);
    return true;
}

static ALWAYS_INLINE bool open_value(struct mvt_opener *o, const uint8_t *p,
                                     const uint8_t *end)
{
    return LIKELY(short_value(o, p, (size_t)(end - p))) ||
           any_value(o, p, end);
}
