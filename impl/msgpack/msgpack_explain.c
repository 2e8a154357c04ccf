/* SPDX-License-Identifier: MIT */
/* The second walk over a rejected document, which names the rule it breaks,
 * and the texts of the rules. */
#include "msgpack/msgpack.h"

#include <assert.h>
#include <stdio.h>

#include "msgpack/msgpack_internal.h"

enum head_form {
    FORM_BYTES,    /* payload: the prefix, if any, plus unit */
    FORM_CHILDREN, /* children: the prefix times unit */
    FORM_RESERVED,
};

/* The markers c0 to df, in order. */
static const struct wide_form {
    uint8_t form;        /* enum head_form */
    uint8_t prefix_size; /* bytes */
    uint8_t unit;
} wide_forms[32] = {
    [0x00] = {FORM_BYTES, 0, 0},    /* nil */
    [0x01] = {FORM_RESERVED, 0, 0}, /* unassigned */
    [0x02] = {FORM_BYTES, 0, 0},    /* false */
    [0x03] = {FORM_BYTES, 0, 0},    /* true */
    [0x04] = {FORM_BYTES, 1, 0},    /* bin 8, 16, 32 */
    [0x05] = {FORM_BYTES, 2, 0},
    [0x06] = {FORM_BYTES, 4, 0},
    [0x07] = {FORM_BYTES, 1, 1}, /* ext 8, 16, 32: a type byte besides */
    [0x08] = {FORM_BYTES, 2, 1},
    [0x09] = {FORM_BYTES, 4, 1},
    [0x0a] = {FORM_BYTES, 0, 4}, /* float 32, 64 */
    [0x0b] = {FORM_BYTES, 0, 8},
    [0x0c] = {FORM_BYTES, 0, 1}, /* uint 8, 16, 32, 64 */
    [0x0d] = {FORM_BYTES, 0, 2},
    [0x0e] = {FORM_BYTES, 0, 4},
    [0x0f] = {FORM_BYTES, 0, 8},
    [0x10] = {FORM_BYTES, 0, 1}, /* int 8, 16, 32, 64 */
    [0x11] = {FORM_BYTES, 0, 2},
    [0x12] = {FORM_BYTES, 0, 4},
    [0x13] = {FORM_BYTES, 0, 8},
    [0x14] = {FORM_BYTES, 0, 2}, /* fixext 1, 2, 4, 8, 16, with a type byte */
    [0x15] = {FORM_BYTES, 0, 3},
    [0x16] = {FORM_BYTES, 0, 5},
    [0x17] = {FORM_BYTES, 0, 9},
    [0x18] = {FORM_BYTES, 0, 17},
    [0x19] = {FORM_BYTES, 1, 0}, /* str 8, 16, 32 */
    [0x1a] = {FORM_BYTES, 2, 0},
    [0x1b] = {FORM_BYTES, 4, 0},
    [0x1c] = {FORM_CHILDREN, 2, 1}, /* array 16, 32 */
    [0x1d] = {FORM_CHILDREN, 4, 1},
    [0x1e] = {FORM_CHILDREN, 2, 2}, /* map 16, 32: a pair is two items */
    [0x1f] = {FORM_CHILDREN, 4, 2},
};

static struct msgpack_head fix_head(uint8_t marker)
{
    struct msgpack_head head = {.head_size = 1};

    if (marker >= 0xa0 && marker <= 0xbf)
        head.payload_size = marker & 31;
    else if (marker >= 0x90 && marker <= 0x9f)
        head.child_count = marker & 15;
    else if (marker >= 0x80 && marker <= 0x8f)
        head.child_count = 2 * (marker & UINT64_C(15));
    return head;
}

/* A length of 1, 2 or 4 bytes, most significant first. */
static uint64_t prefix_read(const uint8_t *p, size_t size)
{
    uint64_t n = 0;

    for (size_t i = 0; i < size; i++)
        n = n << 8 | p[i];
    return n;
}

enum msgpack_fault msgpack_head_read(const uint8_t *in, size_t in_size,
                                     size_t at, struct msgpack_head *head)
{
    assert(at < in_size);
    uint8_t marker = in[at];

    if (marker < 0xc0 || marker > 0xdf) {
        *head = fix_head(marker);
        return MSGPACK_OK;
    }
    struct wide_form wide = wide_forms[marker - 0xc0];
    if (wide.form == FORM_RESERVED)
        return MSGPACK_RESERVED_MARKER;
    if (in_size - at - 1 < wide.prefix_size)
        return MSGPACK_TRUNCATED_PREFIX;

    uint64_t n = prefix_read(in + at + 1, wide.prefix_size);
    *head = (struct msgpack_head){.head_size = (size_t)1 + wide.prefix_size};
    if (wide.form == FORM_CHILDREN)
        head->child_count = n * wide.unit;
    else
        head->payload_size = n + wide.unit;
    return MSGPACK_OK;
}

/*
 * The same items as the walk that rejected, with every rule checked at every
 * item.  No levels are needed: which header breaks the depth bound is known
 * from that walk, and all other rules are about sums over the document.
 */
enum msgpack_fault msgpack_explain(const uint8_t *in, size_t in_size,
                                   enum msgpack_fault fault, size_t stop_at,
                                   size_t *fault_at)
{
    uint64_t pending = 1; /* items owed anywhere in the document */
    size_t at = 0;

    *fault_at = 0;
    if (in_size == 0)
        return MSGPACK_UNEXPECTED_END;
    /* An item owed always has a byte: the rule about elements sees to it. */
    for (;;) {
        struct msgpack_head head;
        enum msgpack_fault bad = msgpack_head_read(in, in_size, at, &head);

        *fault_at = at;
        if (bad != MSGPACK_OK)
            return bad;
        if (fault != MSGPACK_OK && at == stop_at)
            return fault;
        at += head.head_size;
        if (head.payload_size > in_size - at)
            return MSGPACK_BYTES_OVERCLAIM;
        at += (size_t)head.payload_size;
        pending += head.child_count - 1;
        if (pending > in_size - at)
            return MSGPACK_ELEMENTS_OVERCLAIM;
        assert(pending != 0 && "the walk rejected a sound document");
    }
}

const char *msgpack_fault_text(enum msgpack_fault fault)
{
    switch (fault) {
#define X(name, text)                                                         \
    case name:                                                                \
        return text;
        MSGPACK_FAULT_LIST(X)
#undef X
    }
    return "unknown fault";
}

int msgpack_error_text(const struct msgpack_error *error, char *text,
                       size_t text_size)
{
    if (error->fault == MSGPACK_TOO_DEEP)
        return snprintf(text, text_size, "nests deeper than %zu levels",
                        error->max_depth);
    return snprintf(text, text_size, "%s", msgpack_fault_text(error->fault));
}
