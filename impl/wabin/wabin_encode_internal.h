/* SPDX-License-Identifier: MIT */
/* What the files of the encoder share. */
#ifndef WABIN_ENCODE_INTERNAL_H
#define WABIN_ENCODE_INTERNAL_H

#include "wabin/wabin_encode.h"
#include "wabin/wabin_packed.h"
#include "wabin/wabin_wire.h"

#define LIST_COUNT_MAX 65535

/** How a string is written. */
enum text_form {
    FORM_RAW,
    FORM_TOKEN,
    FORM_NIBBLES,
    FORM_HEX,
    FORM_PAIR, /* text that looks like a JID */
    FORM_AD,   /* likewise, with a device and a server with a domain byte */
};

/** The decision for one string of 1 to 127 bytes; others need none. */
struct text_note {
    uint8_t form; /* enum text_form */
    uint8_t size; /* of the string */
    uint8_t at;   /* FORM_PAIR, FORM_AD: position of the `@` */
    uint8_t user_size;
    uint8_t device; /* FORM_AD */
    uint8_t domain; /* FORM_AD */
    uint16_t token; /* FORM_TOKEN */
};

/** Decide for a string that is no token; the first rule that applies: nibbles,
 * hex, JID, raw. */
struct text_note note_other(struct wabin_str text);

/** Whether a string has a note. */
static inline bool is_noted(struct wabin_str text)
{
    return text.size - 1 < WABIN_PACKED_MAX;
}

/** Bytes of the tag and size before raw bytes. */
static inline size_t raw_header_size(size_t size)
{
    return size < 256 ? 2 : size <= WIRE_BINARY_20_MASK ? 4 : 5;
}

/** Bytes of the tag and count of a list. */
static inline size_t list_header_size(size_t count)
{
    return count == 0 ? 1 : count < 256 ? 2 : 3;
}

/** Elements of the list that a node is. */
static inline size_t node_list_count(const struct wabin_node *node)
{
    return 1 + 2 * (size_t)node->attr_count +
           (node->content != WABIN_NOTHING ? 1 : 0);
}

/** How a structured JID is written. */
enum jid_form {
    JID_INTEROP,
    JID_AD,
    JID_PAIR,
};

static inline enum jid_form jid_form(const struct wabin_value *jid)
{
    if (jid->server == WABIN_SERVER_INTEROP && jid->integrator != 0)
        return JID_INTEROP;
    return jid->device != 0 && wabin_server_domain(jid->server) >= 0
               ? JID_AD
               : JID_PAIR;
}

#define NOTES_INLINE 32

/** The first pass over a tree: its exact size, and its notes in the order in
 * which they are asked for. */
struct plan {
    size_t size;             /* of the frame */
    struct text_note *notes; /* NULL while they fit in few */
    size_t count;
    size_t capacity;
    const struct alloc *alloc;
    struct text_note few[NOTES_INLINE];
};

/** Make a plan; false when there is no memory.  End it with plan_release. */
MUST_CHECK bool plan_make(struct plan *plan, const struct wabin_node *node,
                          const struct alloc *alloc);

void plan_release(struct plan *plan);

static inline const struct text_note *plan_notes(const struct plan *plan)
{
    return plan->notes != NULL ? plan->notes : plan->few;
}

/** An encoding under way. */
struct encoder {
    uint8_t *at;  /* next byte */
    uint8_t *end; /* of the room */
    uint8_t *start;
    /* Make room for size bytes: hand on or move what is there.  False after
     * setting status. */
    bool (*more)(struct encoder *e, size_t size);
    void *ctx;                         /* of more */
    const struct text_note *note;      /* next one; NULL: decide anew */
    const struct text_note *notes_end; /* behind the last one */
    struct wabin_error error;          /* status is WABIN_OK so far */
};

/** Write the format byte and a node; false after noting the failure. */
MUST_CHECK bool encode_frame(struct encoder *e, const struct wabin_node *node);

/** Second pass: write a tree into out, which is empty, by a plan. */
MUST_CHECK enum wabin_status plan_write(const struct plan *plan,
                                        const struct wabin_node *node,
                                        struct wabin_buf *out,
                                        struct wabin_error *error);

#endif
