/* SPDX-License-Identifier: MIT */
/* How a string that is no token is written. */
#include "wabin/wabin_encode_internal.h"

#include "wabin/wabin_number.h"

#define JID_TEXT_MAX 48 /* longer text is never looked at as a JID */

/* When a number up to 255 follows the first c of text, cut both off. */
static bool cut_number(struct wabin_str *text, char c, uint64_t *number)
{
    const char *at =
        text->size != 0 ? memchr(text->data, c, text->size) : NULL;
    if (at == NULL)
        return false;
    size_t size = (size_t)(at - text->data);
    if (wabin_parse_u64(wabin_str_from(*text, size + 1), UINT8_MAX, number) !=
        WABIN_NUMBER_OK)
        return false;
    text->size = size;
    return true;
}

/*
 * Text with an `@`.  These rules are the wire's and differ from those of
 * wabin_jid_parse: the first colon and the first underscore count, a number
 * behind the latter is dropped, dots are nothing, any server will do.
 */
static void note_jid(struct wabin_str text, size_t at, struct text_note *note)
{
    struct wabin_str user = wabin_str_first(text, at);
    uint64_t device = 0, dropped;
    bool has_device = cut_number(&user, ':', &device);
    int domain = -1;

    cut_number(&user, '_', &dropped);
    if (has_device) {
        enum wabin_server server =
            wabin_server_find(wabin_str_from(text, at + 1));
        if (server != WABIN_SERVER_NONE)
            domain = wabin_server_domain(server);
    }
    note->form = domain >= 0 ? FORM_AD : FORM_PAIR;
    note->at = (uint8_t)at;
    note->user_size = (uint8_t)user.size;
    note->device = (uint8_t)device;
    note->domain = (uint8_t)domain;
}

struct text_note note_other(struct wabin_str text)
{
    struct text_note note = {.form = FORM_RAW, .size = (uint8_t)text.size};
    enum wabin_packing packing = wabin_packing(text);

    if (packing != WABIN_RAW) {
        note.form = packing == WABIN_HEX ? FORM_HEX : FORM_NIBBLES;
    } else if (text.size <= JID_TEXT_MAX) {
        const char *at = memchr(text.data, '@', text.size);
        if (at != NULL)
            note_jid(text, (size_t)(at - text.data), &note);
    }
    return note;
}
