/* SPDX-License-Identifier: MIT */
/* Items of an accepted document: sizes come from the walk's own header
 * reader, so that the two agree on where each item ends. */
#include "envelope/envelope_item.h"

#include "msgpack/msgpack.h"

/* MessagePack specification, section "Formats": markers from c0. */
static enum item_class class_of(uint8_t marker)
{
    static const uint8_t classes[32] = {
        [0xc0 - 0xc0] = ITEM_NIL,      [0xc2 - 0xc0] = ITEM_FALSE,
        [0xc3 - 0xc0] = ITEM_TRUE,     [0xc4 - 0xc0] = ITEM_BIN,
        [0xc5 - 0xc0] = ITEM_BIN,      [0xc6 - 0xc0] = ITEM_BIN,
        [0xc7 - 0xc0] = ITEM_EXT,      [0xc8 - 0xc0] = ITEM_EXT,
        [0xc9 - 0xc0] = ITEM_EXT,      [0xca - 0xc0] = ITEM_FLOAT,
        [0xcb - 0xc0] = ITEM_FLOAT,    [0xcc - 0xc0] = ITEM_UNSIGNED,
        [0xcd - 0xc0] = ITEM_UNSIGNED, [0xce - 0xc0] = ITEM_UNSIGNED,
        [0xcf - 0xc0] = ITEM_UNSIGNED, [0xd0 - 0xc0] = ITEM_SIGNED,
        [0xd1 - 0xc0] = ITEM_SIGNED,   [0xd2 - 0xc0] = ITEM_SIGNED,
        [0xd3 - 0xc0] = ITEM_SIGNED,   [0xd4 - 0xc0] = ITEM_EXT,
        [0xd5 - 0xc0] = ITEM_EXT,      [0xd6 - 0xc0] = ITEM_EXT,
        [0xd7 - 0xc0] = ITEM_EXT,      [0xd8 - 0xc0] = ITEM_EXT,
        [0xd9 - 0xc0] = ITEM_STR,      [0xda - 0xc0] = ITEM_STR,
        [0xdb - 0xc0] = ITEM_STR,      [0xdc - 0xc0] = ITEM_ARRAY,
        [0xdd - 0xc0] = ITEM_ARRAY,    [0xde - 0xc0] = ITEM_MAP,
        [0xdf - 0xc0] = ITEM_MAP,
    };
    if (marker < 0x80)
        return ITEM_UNSIGNED;
    if (marker < 0x90)
        return ITEM_MAP;
    if (marker < 0xa0)
        return ITEM_ARRAY;
    if (marker < 0xc0)
        return ITEM_STR;
    if (marker >= 0xe0)
        return ITEM_SIGNED;
    return (enum item_class)classes[marker - 0xc0];
}

/* The value of an integer item: its marker, or the width bytes after it,
 * sign-extended where the encoding has a sign. */
static uint64_t integer_value(enum item_class class, uint8_t marker,
                              const uint8_t *p, size_t width)
{
    uint64_t value = 0;

    if (width == 0)
        return class == ITEM_SIGNED ? (uint64_t)(int8_t)marker : marker;
    for (size_t i = 0; i < width; i++)
        value = value << 8 | p[i];
    if (class == ITEM_SIGNED && width < 8 && (p[0] & 0x80) != 0)
        value |= UINT64_MAX << (8 * width);
    return value;
}

enum status item_take(struct cursor *c, struct item *it)
{
    struct msgpack_head head;

    if (c->at == c->size ||
        msgpack_head_read(c->data, c->size, c->at, &head) != MSGPACK_OK)
        return ST_TRUNCATED;
    it->marker = c->data[c->at];
    it->class = class_of(it->marker);
    it->number = 0;
    TRY(cursor_skip(c, head.head_size));
    if (head.payload_size > cursor_left(c))
        return ST_TRUNCATED;
    it->size = (size_t)head.payload_size;
    TRY(cursor_take(c, it->size, &it->payload));
    if (it->class == ITEM_ARRAY)
        it->size = (size_t)head.child_count;
    else if (it->class == ITEM_MAP)
        it->size = (size_t)(head.child_count / 2);
    else if (it->class == ITEM_UNSIGNED || it->class == ITEM_SIGNED)
        it->number =
            integer_value(it->class, it->marker, it->payload, it->size);
    return ST_OK;
}

enum status item_skip(struct cursor *c)
{
    struct msgpack_head head;
    uint64_t pending = 1; /* never above the bytes left, says the walk */

    for (; pending != 0; pending += head.child_count - 1) {
        if (c->at == c->size ||
            msgpack_head_read(c->data, c->size, c->at, &head) != MSGPACK_OK)
            return ST_TRUNCATED;
        TRY(cursor_skip(c, head.head_size));
        if (head.payload_size > cursor_left(c))
            return ST_TRUNCATED;
        TRY(cursor_skip(c, (size_t)head.payload_size));
    }
    return ST_OK;
}

enum envelope_kind item_wrong_type(const struct item *it,
                                   enum envelope_expected expected,
                                   struct envelope_error *error)
{
    static const uint8_t whats[] = {
        [ITEM_NIL] = WHAT_NIL,        [ITEM_FALSE] = WHAT_FALSE,
        [ITEM_TRUE] = WHAT_TRUE,      [ITEM_UNSIGNED] = WHAT_INTEGER,
        [ITEM_SIGNED] = WHAT_INTEGER, [ITEM_FLOAT] = WHAT_FLOAT,
        [ITEM_STR] = WHAT_STRING,     [ITEM_BIN] = WHAT_SEQUENCE,
        [ITEM_ARRAY] = WHAT_SEQUENCE, [ITEM_MAP] = WHAT_MAP,
        [ITEM_EXT] = WHAT_EXT,
    };
    enum envelope_kind kind =
        envelope_fail_with(error, ENVELOPE_DESERIALIZATION_FAILED, DETAIL_TYPE,
                           it->number, item_negative(it));
    if (error != NULL) {
        error->what = whats[it->class];
        error->expected = (uint8_t)expected;
    }
    return kind;
}

enum envelope_kind item_check_integer(const struct item *it, uint64_t max,
                                      enum envelope_expected expected,
                                      struct envelope_error *error)
{
    enum envelope_kind kind = ENVELOPE_DESERIALIZATION_FAILED;

    switch (it->class) {
    case ITEM_UNSIGNED:
    case ITEM_SIGNED:
        if (!item_negative(it) && it->number <= max)
            return ENVELOPE_OK;
        envelope_fail_with(error, kind, DETAIL_VALUE, it->number,
                           item_negative(it));
        break;
    case ITEM_NIL:
    case ITEM_FALSE:
    case ITEM_TRUE:
    case ITEM_FLOAT:
        return item_wrong_type(it, expected, error);
    default:
        return envelope_fail_with(error, kind, DETAIL_MARKER, it->marker, 0);
    }
    if (error != NULL)
        error->expected = (uint8_t)expected;
    return kind;
}
