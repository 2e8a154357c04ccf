/* SPDX-License-Identifier: MIT */
/* JIDs of the wire: structured as values, text where a string is wanted. */
#include "wabin/wabin_take.h"

#include "base/cursor.h"

static ALWAYS_INLINE char *take_chars(struct decoder *d, size_t size,
                                      const uint8_t *p)
{
    struct wabin_doc *doc = d->doc;

    if (UNLIKELY(size > (size_t)(doc->end - doc->at)) &&
        !take_grow(d, size, p))
        return NULL;
    return doc->at;
}

/* A part of a JID, whose kind must have one. */
static const uint8_t *take_user(struct decoder *d, const uint8_t *p,
                                struct wabin_value *value)
{
    const uint8_t *next = take_text(d, p, &value->text);
    if (next != NULL && value->text.data == NULL)
        return take_fail(d, WABIN_INVALID_NODE, p);
    return next;
}

/* The servers that are single-byte tokens, by tag, plus 1; 0: none. */
static const uint8_t tag_servers[256] = {
    [3] = WABIN_SERVER_PN + 1,          [118] = WABIN_SERVER_LID + 1,
    [28] = WABIN_SERVER_GROUP + 1,      [13] = WABIN_SERVER_BROADCAST + 1,
    [204] = WABIN_SERVER_MESSENGER + 1, [100] = WABIN_SERVER_CALL + 1,
};

/* The server of a JID; text is what spells it, when no tag does. */
static const uint8_t *take_server(struct decoder *d, const uint8_t *p,
                                  uint8_t *server, struct wabin_str *text)
{
    if (p == d->window.end)
        return take_fail(d, WABIN_EOF, p);
    if (LIKELY(tag_servers[*p] != 0)) {
        *server = (uint8_t)(tag_servers[*p] - 1);
        return p + 1;
    }
    struct wabin_doc *doc = d->doc;
    struct wabin_block *block = doc->block;
    char *mark = doc->at;
    p = take_text(d, p, text);
    if (p == NULL)
        return NULL;
    if (text->data == NULL)
        *text = WABIN_STR("");
    *server = (uint8_t)wabin_server_find(*text);
    /* A server that is known is a number now: its text can go, and a user
     * made before it is last in the doc again. */
    if (*server != (uint8_t)WABIN_SERVER_NONE && doc->block == block)
        doc->at = mark;
    return p;
}

static const uint8_t *take_pair(struct decoder *d, const uint8_t *p,
                                struct wabin_value *value)
{
    struct wabin_str server;

    p = take_text(d, p, &value->text);
    if (p == NULL)
        return NULL;
    if (value->text.data == NULL)
        value->text = WABIN_STR("");
    const uint8_t *next = take_server(d, p, &value->server, &server);
    if (next != NULL && value->server == (uint8_t)WABIN_SERVER_NONE) {
        take_note_number(d, WABIN_ATTR_PARSE, WABIN_CAUSE_PAIR_SERVER, 0, p);
        d->error->text = server;
        return NULL;
    }
    return next;
}

/* From 128 on, even domain bytes are hosted ones. */
static enum wabin_server domain_server(unsigned domain)
{
    switch (domain) {
    case WIRE_DOMAIN_PN:
        return WABIN_SERVER_PN;
    case WIRE_DOMAIN_LID:
        return WABIN_SERVER_LID;
    case WIRE_DOMAIN_HOSTED_LID:
        return WABIN_SERVER_HOSTED_LID;
    default:
        return domain >= WIRE_DOMAIN_HOSTED && domain % 2 == 0
                   ? WABIN_SERVER_HOSTED
                   : WABIN_SERVER_NONE;
    }
}

static const uint8_t *take_ad(struct decoder *d, const uint8_t *p,
                              struct wabin_value *value)
{
    const uint8_t *domain = p;

    if (d->window.end - p < 2)
        return take_fail(d, WABIN_EOF, d->window.end);
    value->device = p[1];
    p = take_user(d, p + 2, value);
    if (p == NULL)
        return NULL;
    value->server = (uint8_t)domain_server(*domain);
    if (value->server != (uint8_t)WABIN_SERVER_NONE)
        return p;
    take_note_number(d, WABIN_ATTR_PARSE, WABIN_CAUSE_AD_DOMAIN, *domain,
                     domain);
    return NULL;
}

/* INTEROP_JID and FB_JID, which allow one server each. */
static const uint8_t *take_foreign(struct decoder *d, const uint8_t *p,
                                   struct wabin_value *value)
{
    bool interop = *p == WIRE_INTEROP_JID;
    struct wabin_str server;

    p = take_user(d, p + 1, value);
    if (p == NULL)
        return NULL;
    if (d->window.end - p < 2)
        return take_fail(d, WABIN_EOF, p);
    value->device = load_be16(p);
    p += 2;
    if (interop) {
        if (d->window.end - p < 2)
            return take_fail(d, WABIN_EOF, p);
        value->integrator = load_be16(p);
        p += 2;
    }
    const uint8_t *next = take_server(d, p, &value->server, &server);
    if (next != NULL && value->server != (interop ? WABIN_SERVER_INTEROP
                                                  : WABIN_SERVER_MESSENGER))
        return take_fail(d, WABIN_INVALID_NODE, p);
    return next;
}

const uint8_t *take_jid(struct decoder *d, const uint8_t *p,
                        struct wabin_value *value)
{
    if (d->jid_depth == WABIN_DEPTH_MAX)
        return take_fail(d, WABIN_MAX_DEPTH, p);
    d->jid_depth++;
    if (*p == WIRE_JID_PAIR)
        p = take_pair(d, p + 1, value);
    else if (*p == WIRE_AD_JID)
        p = take_ad(d, p + 1, value);
    else
        p = take_foreign(d, p, value);
    d->jid_depth--;
    value->kind = WABIN_VALUE_JID;
    return p;
}

/*
 * Write a JID as text.  A user that ends where the doc does, because it was
 * itself unpacked or written just before, is continued in place: JIDs within
 * JIDs cost their own bytes and no copies of copies.
 */
static bool write_jid(struct decoder *d, const uint8_t *p,
                      const struct wabin_value *value, struct wabin_str *out)
{
    const struct wabin_jid jid = wabin_value_get_jid(value);
    struct wabin_str user = jid.user;
    char suffix[WABIN_JID_SUFFIX_MAX];

    if (user.size == 0) {
        *out = wabin_server_text(jid.server);
        return true;
    }
    size_t tail = wabin_jid_suffix(&jid, WABIN_JID_FULL, suffix);
    bool last = user.data + user.size == d->doc->at &&
                tail <= (size_t)(d->doc->end - d->doc->at);
    if (!last) {
        /* Room for twice as much: it may be the user of another JID. */
        char *chars = take_chars(d, 2 * (user.size + tail), p);
        if (chars == NULL)
            return false;
        memcpy(chars, user.data, user.size);
        user.data = chars;
        d->doc->at = chars + user.size;
    }
    memcpy(d->doc->at, suffix, tail);
    d->doc->at += tail;
    *out = wabin_str(user.data, user.size + tail);
    return true;
}

const uint8_t *take_jid_text(struct decoder *d, const uint8_t *p,
                             struct wabin_str *out)
{
    struct wabin_value value = {0};

    p = take_jid(d, p, &value);
    return p != NULL && write_jid(d, p, &value, out) ? p : NULL;
}
