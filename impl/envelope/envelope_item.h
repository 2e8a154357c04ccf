/* SPDX-License-Identifier: MIT */
/* One item of a document that the structural walk has accepted, by what kind
 * of value it is: the vocabulary of the complete decode. */
#ifndef ENVELOPE_ENVELOPE_ITEM_H
#define ENVELOPE_ENVELOPE_ITEM_H

#include "base/cursor.h"
#include "envelope/envelope_internal.h"

enum item_class {
    ITEM_NIL,
    ITEM_FALSE,
    ITEM_TRUE,
    ITEM_UNSIGNED, /* 00-7f, uint 8 to 64 */
    ITEM_SIGNED,   /* e0-ff, int 8 to 64, whatever the value */
    ITEM_FLOAT,
    ITEM_STR,
    ITEM_BIN,
    ITEM_ARRAY,
    ITEM_MAP,
    ITEM_EXT
};

/** An item without its children. */
struct item {
    enum item_class class;
    uint8_t marker;
    uint64_t number;        /* integers: the value, two's complement */
    const uint8_t *payload; /* str and bin: borrowed bytes */
    size_t size;            /* of the payload in bytes; arrays: elements;
                               maps: pairs */
};

/** True for an integer below zero. */
static inline bool item_negative(const struct item *it)
{
    return it->class == ITEM_SIGNED && it->number >> 63 != 0;
}

/**
 * Step over the header, and the payload if it has one, of the next item.
 *
 *   c  at the item's marker, in a document that the walk accepted
 *
 * Fails only where the document was not one; stays inside it even then.
 */
MUST_CHECK enum status item_take(struct cursor *c, struct item *it);

/** Step over the next item with all inside it.  No recursion, no memory. */
MUST_CHECK enum status item_skip(struct cursor *c);

/** The kind of failure when this item is no integer from 0 to max; expected
 * names the type.  ENVELOPE_OK when it is one. */
MUST_CHECK enum envelope_kind item_check_integer(
    const struct item *it, uint64_t max, enum envelope_expected expected,
    struct envelope_error *error);

/** Fail because this item is of a type that has no place here. */
COLD enum envelope_kind item_wrong_type(const struct item *it,
                                        enum envelope_expected expected,
                                        struct envelope_error *error);

#endif
