/* SPDX-License-Identifier: MIT */
/* Strings and JIDs, field by field. */
#include "wabin/reference/wabin_ref_internal.h"

#include "wabin/wabin_jid.h"
#include "wabin/wabin_token.h"
#include "wabin/wabin_utf8.h"
#include "wabin/wabin_wire.h"

enum wabin_status ref_fail(struct ref_reader *r, enum wabin_status status,
                           size_t at)
{
    *r->error = (struct wabin_error){.status = status, .at = at};
    return status;
}

static enum wabin_status fail_number(struct ref_reader *r,
                                     enum wabin_status status, uint64_t number,
                                     size_t at)
{
    ref_fail(r, status, at);
    r->error->number = number;
    return status;
}

enum wabin_status ref_take_u8(struct ref_reader *r, uint8_t *byte)
{
    return cursor_take_u8(&r->c, byte) == ST_OK
               ? WABIN_OK
               : ref_fail(r, WABIN_EOF, r->c.at);
}

/* n bytes that stand together, most significant first. */
static enum wabin_status take_number(struct ref_reader *r, size_t n,
                                     uint32_t *value)
{
    const uint8_t *bytes;

    if (cursor_take(&r->c, n, &bytes) != ST_OK)
        return ref_fail(r, WABIN_EOF, r->c.at);
    *value = 0;
    for (size_t i = 0; i < n; i++)
        *value = *value << 8 | bytes[i];
    return WABIN_OK;
}

enum wabin_status ref_take_u16(struct ref_reader *r, uint16_t *value)
{
    uint32_t number;

    REF_TRY(take_number(r, 2, &number));
    *value = (uint16_t)number;
    return WABIN_OK;
}

static struct ref_str borrow(struct wabin_str text)
{
    return (struct ref_str){.far = text, .storage = REF_BORROWED};
}

void ref_str_free(struct ref_str *s, const struct alloc *alloc)
{
    if (s->storage == REF_BLOCK)
        alloc_put(alloc, (void *)(uintptr_t)s->far.data, s->far.size);
    *s = (struct ref_str){.storage = REF_BORROWED};
}

/* Room for a text of our own; NULL when there is no memory. */
static char *make(struct ref_reader *r, size_t size, struct ref_str *out)
{
    if (size <= REF_INLINE_MAX) {
        *out = (struct ref_str){.storage = REF_INLINE,
                                .near_size = (uint8_t)size};
        return out->near;
    }
    char *block = alloc_get(r->alloc, size);
    if (block == NULL)
        ref_fail(r, WABIN_NO_MEMORY, r->c.at);
    else
        *out = (struct ref_str){.far = {block, size}, .storage = REF_BLOCK};
    return block;
}

enum wabin_status ref_take_binary(struct ref_reader *r, uint8_t tag,
                                  struct wabin_str *bytes)
{
    uint32_t size = 0;
    const uint8_t *data;

    REF_TRY(take_number(r,
                        tag == WIRE_BINARY_8    ? 1
                        : tag == WIRE_BINARY_20 ? 3
                                                : 4,
                        &size));
    if (tag == WIRE_BINARY_20)
        size &= WIRE_BINARY_20_MASK;
    if (cursor_take(&r->c, size, &data) != ST_OK)
        return ref_fail(r, WABIN_EOF, r->c.at);
    *bytes = wabin_str((const char *)data, size);
    return WABIN_OK;
}

static enum wabin_status take_raw(struct ref_reader *r, uint8_t tag,
                                  struct ref_str *out)
{
    struct wabin_str text = {0};
    size_t bad = 0, good;

    REF_TRY(ref_take_binary(r, tag, &text));
    good = wabin_utf8_valid_up_to(text, &bad);
    if (good != text.size) {
        fail_number(r, WABIN_INVALID_UTF8, good, r->c.at - text.size + good);
        r->error->length = (uint32_t)bad;
        return WABIN_INVALID_UTF8;
    }
    *out = borrow(text);
    return WABIN_OK;
}

static enum wabin_status take_packed(struct ref_reader *r, uint8_t tag,
                                     struct ref_str *out)
{
    const struct wabin_alphabet *alphabet =
        tag == WIRE_HEX_8 ? &wabin_hex : &wabin_nibbles;
    char text[2 * WABIN_PACKED_MAX];
    const uint8_t *bytes;
    uint8_t header = 0;
    size_t at, size;

    REF_TRY(ref_take_u8(r, &header));
    at = r->c.at;
    size = header & WIRE_PACKED_SIZE;
    if (cursor_take(&r->c, size, &bytes) != ST_OK)
        return ref_fail(r, WABIN_EOF, at);
    if (wabin_unpack_scalar(bytes, size, NULL, alphabet, text) == NULL) {
        while (wabin_unpack_scalar(bytes, 1, NULL, alphabet, text) != NULL)
            bytes++, at++;
        unsigned half = *bytes >> 4;
        if (half < 12 || half > 14)
            half = *bytes & 15;
        return fail_number(r, WABIN_INVALID_TOKEN, half, at);
    }
    size = 2 * size - (size != 0 && header > WIRE_PACKED_SIZE);
    char *copy = make(r, size, out);
    if (copy == NULL)
        return WABIN_NO_MEMORY;
    memcpy(copy, text, size);
    return WABIN_OK;
}

/* ---- JIDs -------------------------------------------------------------- */

/* A string with its tag. */
static enum wabin_status take_part(struct ref_reader *r, struct ref_str *out,
                                   bool *present)
{
    uint8_t tag = 0;

    REF_TRY(ref_take_u8(r, &tag));
    return ref_take_string(r, tag, out, present);
}

static enum wabin_status take_user(struct ref_reader *r, struct ref_str *user)
{
    size_t at = r->c.at;
    bool present = false;

    REF_TRY(take_part(r, user, &present));
    return present ? WABIN_OK : ref_fail(r, WABIN_INVALID_NODE, at);
}

/* The server, of which JID_PAIR allows any (WABIN_SERVER_COUNT) and other
 * kinds one. */
static enum wabin_status take_server(struct ref_reader *r,
                                     enum wabin_server only, uint8_t *server)
{
    struct ref_str text = {.storage = REF_BORROWED};
    size_t at = r->c.at;
    bool present = false;
    enum wabin_status status = take_part(r, &text, &present);

    if (status == WABIN_OK) {
        *server = (uint8_t)wabin_server_find(present ? ref_text(&text)
                                                     : WABIN_STR(""));
        if (only != WABIN_SERVER_COUNT && *server != only)
            status = ref_fail(r, WABIN_INVALID_NODE, at);
        else if (*server == (uint8_t)WABIN_SERVER_NONE) {
            status = ref_fail(r, WABIN_ATTR_PARSE, at);
            r->error->cause = WABIN_CAUSE_PAIR_SERVER;
            r->error->text = present && text.storage == REF_BORROWED
                                 ? text.far
                                 : WABIN_STR("");
        }
    }
    ref_str_free(&text, r->alloc);
    return status;
}

static enum wabin_status take_pair(struct ref_reader *r,
                                   struct ref_value *value)
{
    bool present = false;

    REF_TRY(take_part(r, &value->text, &present));
    if (!present)
        value->text = borrow(WABIN_STR(""));
    return take_server(r, WABIN_SERVER_COUNT, &value->server);
}

static enum wabin_status take_ad(struct ref_reader *r, struct ref_value *value)
{
    size_t at = r->c.at;
    uint8_t domain = 0, device = 0;

    REF_TRY(ref_take_u8(r, &domain));
    REF_TRY(ref_take_u8(r, &device));
    REF_TRY(take_user(r, &value->text));
    value->device = device;
    if (domain == WIRE_DOMAIN_PN)
        value->server = WABIN_SERVER_PN;
    else if (domain == WIRE_DOMAIN_LID)
        value->server = WABIN_SERVER_LID;
    else if (domain == WIRE_DOMAIN_HOSTED_LID)
        value->server = WABIN_SERVER_HOSTED_LID;
    else if (domain >= WIRE_DOMAIN_HOSTED && (domain & 1) == 0)
        value->server = WABIN_SERVER_HOSTED;
    else {
        fail_number(r, WABIN_ATTR_PARSE, domain, at);
        r->error->cause = WABIN_CAUSE_AD_DOMAIN;
        return WABIN_ATTR_PARSE;
    }
    return WABIN_OK;
}

static enum wabin_status take_jid_parts(struct ref_reader *r, uint8_t tag,
                                        struct ref_value *value)
{
    if (tag == WIRE_JID_PAIR)
        return take_pair(r, value);
    if (tag == WIRE_AD_JID)
        return take_ad(r, value);
    REF_TRY(take_user(r, &value->text));
    REF_TRY(ref_take_u16(r, &value->device));
    if (tag == WIRE_FB_JID)
        return take_server(r, WABIN_SERVER_MESSENGER, &value->server);
    REF_TRY(ref_take_u16(r, &value->integrator));
    return take_server(r, WABIN_SERVER_INTEROP, &value->server);
}

static enum wabin_status take_jid(struct ref_reader *r, uint8_t tag,
                                  struct ref_value *value)
{
    enum wabin_status status;

    if (r->jid_depth == WABIN_DEPTH_MAX)
        return ref_fail(r, WABIN_MAX_DEPTH, r->c.at - 1);
    *value = (struct ref_value){.kind = WABIN_VALUE_JID};
    r->jid_depth++;
    status = take_jid_parts(r, tag, value);
    r->jid_depth--;
    if (status != WABIN_OK)
        ref_str_free(&value->text, r->alloc);
    return status;
}

static enum wabin_status take_jid_text(struct ref_reader *r, uint8_t tag,
                                       struct ref_str *out)
{
    struct ref_value value;
    struct wabin_jid jid = {0};
    char *copy;

    REF_TRY(take_jid(r, tag, &value));
    jid.user = ref_text(&value.text);
    jid.device = value.device;
    jid.server = value.server;
    size_t size = wabin_jid_format(&jid, WABIN_JID_FULL, NULL, 0);
    copy = make(r, size, out);
    if (copy != NULL)
        wabin_jid_format(&jid, WABIN_JID_FULL, copy, size);
    ref_str_free(&value.text, r->alloc);
    return copy != NULL ? WABIN_OK : WABIN_NO_MEMORY;
}

/* ---- both contexts ----------------------------------------------------- */

enum wabin_status ref_take_string(struct ref_reader *r, uint8_t tag,
                                  struct ref_str *out, bool *present)
{
    uint8_t index = 0;

    *present = true;
    if (tag == WIRE_LIST_EMPTY) {
        *present = false;
        return WABIN_OK;
    }
    if (tag <= WIRE_TOKEN_LAST) {
        *out = borrow(wabin_token_texts[tag]);
        return WABIN_OK;
    }
    if (tag <= WIRE_DICTIONARY_3) {
        REF_TRY(ref_take_u8(r, &index));
        *out =
            borrow(wabin_token_texts[WIRE_DICTIONARY_0 +
                                     256 * (tag - WIRE_DICTIONARY_0) + index]);
        return WABIN_OK;
    }
    switch (tag) {
    case WIRE_INTEROP_JID:
    case WIRE_FB_JID:
    case WIRE_AD_JID:
    case WIRE_JID_PAIR:
        return take_jid_text(r, tag, out);
    case WIRE_HEX_8:
    case WIRE_NIBBLE_8:
        return take_packed(r, tag, out);
    case WIRE_BINARY_8:
    case WIRE_BINARY_20:
    case WIRE_BINARY_32:
        return take_raw(r, tag, out);
    default:
        return fail_number(r, WABIN_INVALID_TOKEN, tag, r->c.at - 1);
    }
}

enum wabin_status ref_take_value(struct ref_reader *r, uint8_t tag,
                                 struct ref_value *value)
{
    bool present = false;

    if (tag == WIRE_INTEROP_JID || tag == WIRE_FB_JID || tag == WIRE_AD_JID ||
        tag == WIRE_JID_PAIR)
        return take_jid(r, tag, value);
    *value = (struct ref_value){.kind = WABIN_VALUE_TEXT};
    REF_TRY(ref_take_string(r, tag, &value->text, &present));
    if (!present)
        value->text = borrow(WABIN_STR(""));
    return WABIN_OK;
}
