/* SPDX-License-Identifier: MIT */
/* Writing a tree; where the bytes go is the caller's business. */
#include "wabin/wabin_encode_internal.h"

#include "wabin/wabin_token.h"

/* Room for size bytes at e->at. */
static ALWAYS_INLINE bool room(struct encoder *e, size_t size)
{
    return LIKELY(size <= (size_t)(e->end - e->at)) || e->more(e, size);
}

static COLD void note_failure(struct encoder *e, enum wabin_status status,
                              enum wabin_cause cause, uint64_t number)
{
    e->error.status = status;
    e->error.cause = cause;
    e->error.number = number;
}

static ALWAYS_INLINE bool fail(struct encoder *e, enum wabin_status status)
{
    note_failure(e, status, WABIN_CAUSE_NONE, 0);
    return false;
}

static ALWAYS_INLINE bool put_byte(struct encoder *e, uint8_t byte)
{
    if (!room(e, 1))
        return false;
    *e->at++ = byte;
    return true;
}

/* A payload goes as far as there is room, and on where `more` makes some. */
static bool put_data(struct encoder *e, const char *data, size_t size)
{
    size_t left;

    while (size > (left = (size_t)(e->end - e->at))) {
        memcpy(e->at, data, left);
        e->at += left;
        data += left;
        size -= left;
        if (!e->more(e, size))
            return false;
    }
    if (size != 0)
        memcpy(e->at, data, size);
    e->at += size;
    return true;
}

/* ---- strings ----------------------------------------------------------- */

static bool put_raw(struct encoder *e, const char *data, size_t size)
{
    size_t header = raw_header_size(size);

    if (size > UINT32_MAX)
        return fail(e, WABIN_INVALID_NODE);
    if (!room(e, header))
        return false;
    uint8_t *at = e->at;
    if (header == 2) {
        at[0] = WIRE_BINARY_8;
    } else if (header == 4) {
        at[0] = WIRE_BINARY_20;
        at[1] = (uint8_t)(size >> 16);
        at[2] = (uint8_t)(size >> 8);
    } else {
        at[0] = WIRE_BINARY_32;
        at[1] = (uint8_t)(size >> 24);
        at[2] = (uint8_t)(size >> 16);
        at[3] = (uint8_t)(size >> 8);
    }
    at[header - 1] = (uint8_t)size;
    e->at += header;
    return put_data(e, data, size);
}

static ALWAYS_INLINE bool put_token(struct encoder *e, unsigned token)
{
    if (token < WABIN_TOKEN_SINGLE_END)
        return put_byte(e, (uint8_t)token);
    if (!room(e, 2))
        return false;
    token -= WABIN_TOKEN_SINGLE_END;
    e->at[0] = (uint8_t)(WIRE_DICTIONARY_0 + (token >> 8));
    e->at[1] = (uint8_t)token;
    e->at += 2;
    return true;
}

static bool put_packed(struct encoder *e, struct wabin_str text, uint8_t tag)
{
    size_t size = (text.size + 1) / 2;

    if (!room(e, 2 + size))
        return false;
    e->at[0] = tag;
    e->at[1] = (uint8_t)(size | (text.size % 2 != 0 ? WIRE_PACKED_ODD : 0));
    wabin_pack_text(text, e->at + 2);
    e->at += 2 + size;
    return true;
}

static bool put_text(struct encoder *e, struct wabin_str text);

/* The user of a JID_PAIR, where an empty one is LIST_EMPTY. */
static bool put_pair_user(struct encoder *e, struct wabin_str user)
{
    return user.size == 0 ? put_byte(e, WIRE_LIST_EMPTY) : put_text(e, user);
}

static bool put_ad_header(struct encoder *e, uint8_t domain, uint8_t device)
{
    if (!room(e, 3))
        return false;
    e->at[0] = WIRE_AD_JID;
    e->at[1] = domain;
    e->at[2] = device;
    e->at += 3;
    return true;
}

static bool put_jid_text(struct encoder *e, struct wabin_str text,
                         struct text_note note)
{
    struct wabin_str user = wabin_str_first(text, note.user_size);

    if (note.form == FORM_AD)
        return put_ad_header(e, note.domain, note.device) && put_text(e, user);
    return put_byte(e, WIRE_JID_PAIR) && put_pair_user(e, user) &&
           put_text(e, wabin_str_from(text, note.at + 1u));
}

/* What is neither token nor without a note. */
static NOINLINE bool put_noted(struct encoder *e, struct wabin_str text,
                               struct text_note note)
{
    switch (note.form) {
    case FORM_NIBBLES:
        return put_packed(e, text, WIRE_NIBBLE_8);
    case FORM_HEX:
        return put_packed(e, text, WIRE_HEX_8);
    case FORM_PAIR:
    case FORM_AD:
        return put_jid_text(e, text, note);
    default:
        return put_raw(e, text.data, text.size);
    }
}

/* A string by the plan's next note. */
static NOINLINE bool put_planned(struct encoder *e, struct wabin_str text)
{
    if (e->note == e->notes_end || e->note->size != text.size)
        return fail(e, WABIN_PLAN_MISMATCH);
    struct text_note note = *e->note++;
    return note.form == FORM_TOKEN ? put_token(e, note.token)
                                   : put_noted(e, text, note);
}

static bool put_text(struct encoder *e, struct wabin_str text)
{
    if (!is_noted(text))
        return put_raw(e, text.data, text.size);
    if (e->note != NULL)
        return put_planned(e, text);
    uint32_t token = wabin_token_find(text);
    return token != 0 ? put_token(e, token)
                      : put_noted(e, text, note_other(text));
}

/* ---- structured JIDs --------------------------------------------------- */

static bool put_be16(struct encoder *e, unsigned value)
{
    if (!room(e, 2))
        return false;
    e->at[0] = (uint8_t)(value >> 8);
    e->at[1] = (uint8_t)value;
    e->at += 2;
    return true;
}

static bool put_jid(struct encoder *e, const struct wabin_value *jid)
{
    switch (jid_form(jid)) {
    case JID_INTEROP:
        /* The service takes no server here, although it sends one. */
        return put_byte(e, WIRE_INTEROP_JID) && put_text(e, jid->text) &&
               put_be16(e, jid->device) && put_be16(e, jid->integrator);
    case JID_AD:
        if (jid->device > UINT8_MAX) {
            note_failure(e, WABIN_ATTR_PARSE, WABIN_CAUSE_AD_DEVICE,
                         jid->device);
            return false;
        }
        return put_ad_header(e, (uint8_t)wabin_server_domain(jid->server),
                             (uint8_t)jid->device) &&
               put_text(e, jid->text);
    case JID_PAIR:
        break;
    }
    return put_byte(e, WIRE_JID_PAIR) && put_pair_user(e, jid->text) &&
           put_text(e, wabin_server_text(jid->server));
}

/* ---- nodes ------------------------------------------------------------- */

static bool put_list_header(struct encoder *e, size_t count)
{
    if (count == 0)
        return put_byte(e, WIRE_LIST_EMPTY);
    if (count > LIST_COUNT_MAX)
        return fail(e, WABIN_INVALID_NODE);
    if (!room(e, 3 - (count < 256)))
        return false;
    if (count < 256) {
        e->at[0] = WIRE_LIST_8;
        e->at[1] = (uint8_t)count;
        e->at += 2;
        return true;
    }
    e->at[0] = WIRE_LIST_16;
    e->at++;
    return put_be16(e, (unsigned)count);
}

static bool put_node(struct encoder *e, const struct wabin_node *node);

static bool put_content(struct encoder *e, const struct wabin_node *node)
{
    switch (node->content) {
    case WABIN_BYTES:
        return put_raw(e, node->data, node->content_size);
    case WABIN_TEXT:
        return put_text(e, wabin_str(node->data, node->content_size));
    case WABIN_NODES:
        if (!put_list_header(e, node->content_size))
            return false;
        for (size_t i = 0; i < node->content_size; i++)
            if (!put_node(e, &node->nodes[i]))
                return false;
        return true;
    default:
        return true;
    }
}

static bool put_node(struct encoder *e, const struct wabin_node *node)
{
    if (!put_list_header(e, node_list_count(node)) || !put_text(e, node->tag))
        return false;
    for (uint32_t i = 0; i < node->attr_count; i++) {
        const struct wabin_attr *attr = &node->attrs[i];
        if (!put_text(e, attr->key))
            return false;
        if (attr->value.kind == WABIN_VALUE_JID
                ? !put_jid(e, &attr->value)
                : !put_text(e, attr->value.text))
            return false;
    }
    return put_content(e, node);
}

bool encode_frame(struct encoder *e, const struct wabin_node *node)
{
    return put_byte(e, WIRE_FORMAT_PLAIN) && put_node(e, node);
}
