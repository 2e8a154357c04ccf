/* SPDX-License-Identifier: MIT */
/* Strings of the wire: raw, packed, from the dictionary, and JIDs. */
#include "wabin/wabin_take.h"

#include "base/cursor.h"
#include "base/utf8.h"
#include "wabin/wabin_utf8.h"

#define HIGH_BITS UINT64_C(0x8080808080808080)

void take_note(struct decoder *d, enum wabin_status status, const uint8_t *p)
{
    take_note_number(d, status, WABIN_CAUSE_NONE, 0, p);
}

void take_note_number(struct decoder *d, enum wabin_status status,
                      enum wabin_cause cause, uint64_t number,
                      const uint8_t *p)
{
    *d->error = (struct wabin_error){
        .status = status,
        .cause = cause,
        .number = number,
        .at = (size_t)(p - d->window.start),
    };
}

static COLD const uint8_t *fail_token(struct decoder *d, const uint8_t *p)
{
    take_note_number(d, WABIN_INVALID_TOKEN, WABIN_CAUSE_NONE, *p, p);
    return NULL;
}

/* A frame needs at most 20 bytes for one of its own, and rarely more than
 * this; the guess is bounded so that a large payload behind does not count. */
#define GROWTH     16
#define GROWTH_MAX (1u << 20)
#define BYTES_MAX  (GROWTH_MAX / GROWTH)

bool take_grow(struct decoder *d, size_t size, const uint8_t *p)
{
    size_t left = (size_t)(d->window.end - p);
    size_t ahead = GROWTH * (left < BYTES_MAX ? left : BYTES_MAX);

    if (wabin_doc_grow(d->doc, size, ahead))
        return true;
    take_note(d, WABIN_NO_MEMORY, p);
    return false;
}

static ALWAYS_INLINE char *take_chars(struct decoder *d, size_t size,
                                      const uint8_t *p)
{
    struct wabin_doc *doc = d->doc;

    if (UNLIKELY(size > (size_t)(doc->end - doc->at)) &&
        !take_grow(d, size, p))
        return NULL;
    return doc->at;
}

/* ---- raw strings ------------------------------------------------------- */

const uint8_t *take_binary(struct decoder *d, const uint8_t *p,
                           struct wabin_str *out)
{
    const uint8_t *end = d->window.end;
    size_t left = (size_t)(end - p) - 1, size;
    uint8_t tag = *p++;

    if (LIKELY(tag == WIRE_BINARY_8)) {
        if (left < 1)
            return take_fail(d, WABIN_EOF, p);
        size = *p++;
    } else if (tag == WIRE_BINARY_20) {
        if (left < 3)
            return take_fail(d, WABIN_EOF, p);
        size = ((uint32_t)p[0] << 16 | load_be16(p + 1)) & WIRE_BINARY_20_MASK;
        p += 3;
    } else {
        if (left < 4)
            return take_fail(d, WABIN_EOF, p);
        size = load_be32(p);
        p += 4;
    }
    if (size > (size_t)(end - p))
        return take_fail(d, WABIN_EOF, p);
    *out = wabin_str((const char *)p, size);
    return p + size;
}

/* Whether bytes, of which those up to end can be read, are all ASCII. */
static ALWAYS_INLINE bool is_ascii(const uint8_t *p, size_t size,
                                   const uint8_t *end)
{
    if (size - 1 < 8 && end - p >= 8)
        return (load_le64(p) << (64 - 8 * size) & HIGH_BITS) == 0;
    if (size - 9 < 8)
        return ((load_le64(p) | load_le64(p + size - 8)) & HIGH_BITS) == 0;
    return false; /* not looked at */
}

static COLD const uint8_t *fail_utf8(struct decoder *d, struct wabin_str text)
{
    size_t bad = 0;
    size_t index = wabin_utf8_valid_up_to(text, &bad);

    take_note_number(d, WABIN_INVALID_UTF8, WABIN_CAUSE_NONE, index,
                     (const uint8_t *)text.data + index);
    d->error->length = (uint32_t)bad;
    return NULL;
}

/* A raw string where text is wanted. */
static NOINLINE const uint8_t *take_raw_text(struct decoder *d,
                                             const uint8_t *p,
                                             struct wabin_str *out)
{
    p = take_binary(d, p, out);
    if (p == NULL)
        return NULL;
    const uint8_t *text = (const uint8_t *)out->data;
    if (!is_ascii(text, out->size, d->window.end) &&
        !utf8_valid(text, out->size))
        return fail_utf8(d, *out);
    return p;
}

/* ---- packed strings ---------------------------------------------------- */

static const struct wabin_alphabet *alphabet_of(unsigned tag)
{
    return tag == WIRE_HEX_8 ? &wabin_hex : &wabin_nibbles;
}

void take_note_half(struct decoder *d)
{
    const uint8_t *in = d->packed + 2;
    size_t at = 0;
    unsigned half = wabin_bad_half(in, d->packed[1] & WIRE_PACKED_SIZE,
                                   alphabet_of(d->packed[0]), &at);
    take_note_number(d, WABIN_INVALID_TOKEN, WABIN_CAUSE_NONE, half, in + at);
}

static const uint8_t *take_packed(struct decoder *d, const uint8_t *p,
                                  struct wabin_str *out);

static COLD const uint8_t *grow_and_take_packed(struct decoder *d,
                                                const uint8_t *p, size_t size,
                                                struct wabin_str *out)
{
    return take_grow(d, size, p) ? take_packed(d, p, out) : NULL;
}

/*
 * NIBBLE_8 or HEX_8, whose tag is at p.  All that is known before unpacking
 * is stored before it, so that unpacking is the last call and its result ours:
 * when it is NULL, take_note_half() finds out why.
 */
static NOINLINE const uint8_t *take_packed(struct decoder *d, const uint8_t *p,
                                           struct wabin_str *out)
{
    size_t left = (size_t)(d->window.end - p);
    if (UNLIKELY(left < 2))
        return take_fail(d, WABIN_EOF, p + 1);
    unsigned header = p[1];
    size_t size = header & WIRE_PACKED_SIZE;
    if (UNLIKELY(size == 0)) {
        *out = WABIN_STR("");
        return p + 2;
    }
    if (UNLIKELY(size > left - 2))
        return take_fail(d, WABIN_EOF, p + 2);
    struct wabin_doc *doc = d->doc;
    char *chars = doc->at;
    if (UNLIKELY(2 * size > (size_t)(doc->end - chars)))
        return grow_and_take_packed(d, p, 2 * size, out);
    /* The odd flag drops the last character, whatever it is. */
    *out = wabin_str(chars, 2 * size - (header >> 7));
    doc->at = chars + out->size;
    d->packed = p;
    return doc->unpack(p + 2, size, &d->window, alphabet_of(*p), chars);
}

/* ---- the dictionary ---------------------------------------------------- */

static const uint8_t *take_dictionary(struct decoder *d, const uint8_t *p,
                                      struct wabin_str *out)
{
    if (d->window.end - p < 2)
        return take_fail(d, WABIN_EOF, p + 1);
    /* All four dictionaries are full: no index is unknown. */
    size_t dictionary = (size_t)(p[0] - WIRE_DICTIONARY_0);
    *out = wabin_token_texts[WABIN_TOKEN_SINGLE_END + 256 * dictionary + p[1]];
    return p + 2;
}

/* ---- JIDs -------------------------------------------------------------- */

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

/* A JID, whose tag is at p. */
static const uint8_t *take_jid(struct decoder *d, const uint8_t *p,
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

static NOINLINE const uint8_t *take_jid_text(struct decoder *d,
                                             const uint8_t *p,
                                             struct wabin_str *out)
{
    struct wabin_value value = {0};

    p = take_jid(d, p, &value);
    return p != NULL && write_jid(d, p, &value, out) ? p : NULL;
}

/* ---- both contexts ----------------------------------------------------- */

const uint8_t *take_text_other(struct decoder *d, const uint8_t *p,
                               struct wabin_str *out)
{
    switch (*p) {
    case WIRE_LIST_EMPTY:
        *out = (struct wabin_str){0};
        return p + 1;
    case WIRE_DICTIONARY_0 ... WIRE_DICTIONARY_3:
        return take_dictionary(d, p, out);
    case WIRE_INTEROP_JID:
    case WIRE_FB_JID:
    case WIRE_AD_JID:
    case WIRE_JID_PAIR:
        return take_jid_text(d, p, out);
    case WIRE_HEX_8:
    case WIRE_NIBBLE_8:
        return take_packed(d, p, out);
    case WIRE_BINARY_8:
    case WIRE_BINARY_20:
    case WIRE_BINARY_32:
        return take_raw_text(d, p, out);
    default:
        return fail_token(d, p);
    }
}

const uint8_t *take_value_other(struct decoder *d, const uint8_t *p,
                                struct wabin_value *value)
{
    switch (*p) {
    case WIRE_LIST_EMPTY:
        value->text = WABIN_STR("");
        return p + 1;
    case WIRE_INTEROP_JID:
    case WIRE_FB_JID:
    case WIRE_AD_JID:
    case WIRE_JID_PAIR:
        return take_jid(d, p, value);
    default:
        return take_text_other(d, p, &value->text);
    }
}
