/* SPDX-License-Identifier: MIT */
/* Wire primitives: the long forms, and skipping without recursion. */
#include "protobuf/protobuf_wire.h"

#include <assert.h>

/* Eight groups of 7 bits, one a byte with its top bit ignored, as one number:
 * neighbours join in pairs, pairs of pairs, and halves. */
static inline uint64_t join_groups(uint64_t w)
{
    w = (w & UINT64_C(0x007f007f007f007f)) |
        (w & UINT64_C(0x7f007f007f007f00)) >> 1;
    w = (w & UINT64_C(0x00003fff00003fff)) |
        (w & UINT64_C(0x3fff00003fff0000)) >> 2;
    return (w & UINT64_C(0x000000000fffffff)) |
           (w & UINT64_C(0x0fffffff00000000)) >> 4;
}

static const uint8_t *varint_by_byte(const uint8_t *p, const uint8_t *end,
                                     uint64_t *out)
{
    uint64_t value = 0;

    for (unsigned shift = 0; p != end; shift += 7) {
        uint8_t byte = *p++;
        if (shift == 63 && byte > 1)
            return NULL; /* bits beyond 64 */
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *out = value;
            return p;
        }
    }
    return NULL;
}

const uint8_t *protobuf_varint_long(const uint8_t *p, const uint8_t *end,
                                    uint64_t *out)
{
    return protobuf_varint_word(p, end, end, out);
}

const uint8_t *protobuf_varint_word(const uint8_t *p, const uint8_t *end,
                                    const uint8_t *readable, uint64_t *out)
{
    if (readable - p >= 8) {
        uint64_t word = load_le64(p);
        uint64_t stops = ~word & UINT64_C(0x8080808080808080);
        if (LIKELY(stops != 0)) {
            const uint8_t *next =
                p + ((unsigned)__builtin_ctzll(stops) + 1) / 8;
            if (next > end)
                return NULL;
            /* bits up to the first terminator's top bit */
            *out = join_groups(word & (stops ^ (stops - 1)));
            return next;
        }
    }
    return varint_by_byte(p, end, out);
}

enum protobuf_fault protobuf_varint_fault(const uint8_t *p, const uint8_t *end)
{
    for (unsigned n = 1; p != end; n++) {
        uint8_t byte = *p++;
        if (n == PROTOBUF_VARINT_SIZE_MAX && byte > 1)
            return PROTOBUF_VARINT_TOO_LONG;
        if (byte < 0x80)
            return PROTOBUF_OK;
    }
    return PROTOBUF_TRUNCATED;
}

/* The one place where a failure without numbers gets its offset. */
static enum protobuf_fault fail(struct protobuf_error *error,
                                enum protobuf_fault fault, size_t at)
{
    error->fault = fault;
    error->at = at;
    return fault;
}

enum protobuf_fault protobuf_check_tag(uint64_t raw,
                                       struct protobuf_error *error)
{
    if (raw > UINT32_MAX)
        return error->fault = PROTOBUF_FIELD_NUMBER;
    if ((raw & 7) > PROTOBUF_FIXED32) {
        error->got = raw & 7;
        return error->fault = PROTOBUF_WIRE_TYPE;
    }
    if (raw >> 3 == 0)
        return error->fault = PROTOBUF_FIELD_NUMBER;
    return PROTOBUF_OK;
}

enum protobuf_fault protobuf_take_tag(struct cursor *c, uint32_t *tag,
                                      struct protobuf_error *error)
{
    struct cursor ahead = *c;
    uint64_t raw;
    enum protobuf_fault fault = protobuf_take_varint(&ahead, &raw);

    if (fault == PROTOBUF_OK)
        fault = protobuf_check_tag(raw, error);
    if (fault != PROTOBUF_OK)
        return fail(error, fault, c->at);
    *c = ahead;
    *tag = (uint32_t)raw;
    return PROTOBUF_OK;
}

enum protobuf_fault protobuf_take_bytes(struct cursor *c,
                                        const uint8_t **bytes, size_t *size)
{
    struct cursor ahead = *c;
    uint64_t length;
    enum protobuf_fault fault = protobuf_take_varint(&ahead, &length);

    if (fault != PROTOBUF_OK)
        return fault;
    if (length > cursor_left(&ahead))
        return PROTOBUF_TRUNCATED;
    *bytes = ahead.data + ahead.at;
    *size = (size_t)length;
    c->at = ahead.at + (size_t)length;
    return PROTOBUF_OK;
}

enum protobuf_fault protobuf_take_fixed32(struct cursor *c, uint32_t *out)
{
    const uint8_t *p;

    if (cursor_take(c, 4, &p) != ST_OK)
        return PROTOBUF_TRUNCATED;
    *out = load_le32(p);
    return PROTOBUF_OK;
}

enum protobuf_fault protobuf_take_fixed64(struct cursor *c, uint64_t *out)
{
    const uint8_t *p;

    if (cursor_take(c, 8, &p) != ST_OK)
        return PROTOBUF_TRUNCATED;
    *out = load_le64(p);
    return PROTOBUF_OK;
}

/* Step over a value that is no group. */
static enum protobuf_fault skip_value(struct cursor *c, uint8_t type)
{
    const uint8_t *bytes;
    uint64_t value;
    size_t size;

    switch (type) {
    case PROTOBUF_VARINT:
        return protobuf_take_varint(c, &value);
    case PROTOBUF_FIXED64:
        return protobuf_take_fixed64(c, &value);
    case PROTOBUF_BYTES:
        return protobuf_take_bytes(c, &bytes, &size);
    default:
        assert(type == PROTOBUF_FIXED32);
        return cursor_skip(c, 4) == ST_OK ? PROTOBUF_OK : PROTOBUF_TRUNCATED;
    }
}

/* Numbers of the groups that are open, the innermost last. */
struct open_groups {
    uint32_t fields[PROTOBUF_DEPTH_MAX];
    uint32_t count;
    uint32_t limit;
};

/* One field: opens a group, ends one, or is stepped over. */
static enum protobuf_fault skip_field(struct cursor *c, uint32_t tag,
                                      size_t tag_at, struct open_groups *open,
                                      struct protobuf_error *error)
{
    uint8_t type = protobuf_tag_type(tag);
    uint32_t field = protobuf_tag_field(tag);

    if (type == PROTOBUF_GROUP_START) {
        if (open->count == open->limit)
            return fail(error, PROTOBUF_DEPTH, tag_at);
        open->fields[open->count++] = field;
        return PROTOBUF_OK;
    }
    if (type == PROTOBUF_GROUP_END) {
        error->got = type;
        error->field = field;
        if (open->count == 0)
            return fail(error, PROTOBUF_WIRE_TYPE, tag_at);
        if (open->fields[--open->count] != field)
            return fail(error, PROTOBUF_END_GROUP, tag_at);
        return PROTOBUF_OK;
    }
    size_t at = c->at;
    enum protobuf_fault fault = skip_value(c, type);
    return fault == PROTOBUF_OK ? fault : fail(error, fault, at);
}

enum protobuf_fault protobuf_skip(struct cursor *c, uint32_t tag,
                                  uint32_t depth, struct protobuf_error *error)
{
    struct open_groups open; /* not cleared: it is larger than most fields */
    struct cursor ahead = *c;
    size_t tag_at = c->at;

    assert(depth <= PROTOBUF_DEPTH_MAX);
    open.count = 0;
    open.limit = depth;
    for (;;) {
        enum protobuf_fault fault =
            skip_field(&ahead, tag, tag_at, &open, error);
        if (fault != PROTOBUF_OK)
            return fault;
        if (open.count == 0)
            break;
        tag_at = ahead.at;
        fault = protobuf_take_tag(&ahead, &tag, error);
        if (fault != PROTOBUF_OK)
            return fault;
    }
    c->at = ahead.at;
    return PROTOBUF_OK;
}

enum protobuf_fault protobuf_mismatch(uint32_t tag, uint8_t expected,
                                      size_t at, struct protobuf_error *error)
{
    error->field = protobuf_tag_field(tag);
    error->expected = expected;
    error->got = protobuf_tag_type(tag);
    return fail(error, PROTOBUF_MISMATCH, at);
}

enum status protobuf_put_varint(struct sink *s, uint64_t v)
{
    if (protobuf_varint_size(v) > s->size - s->at)
        return ST_NO_SPACE;
    uint8_t *end = protobuf_put_varint_at(s->data + s->at, v);
    s->at = (size_t)(end - s->data);
    return ST_OK;
}
