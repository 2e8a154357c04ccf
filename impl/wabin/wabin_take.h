/* SPDX-License-Identifier: MIT */
/*
 * Strings and values of the wire, shared by the files of the decoder.
 *
 * Each take_ function reads at p and returns where it stopped, or NULL after
 * it has noted the failure in the decoder.  What all frames are full of,
 * single-byte tokens, is inline; the rest is behind one call.
 */
#ifndef WABIN_TAKE_H
#define WABIN_TAKE_H

#include "base/macros.h"
#include "wabin/wabin_decode.h"
#include "wabin/wabin_token.h"
#include "wabin/wabin_wire.h"

/** A decoding under way. */
struct decoder {
    struct wabin_doc *doc;
    struct wabin_window window; /* the input */
    /* End of the bytes that no open list of children needs, at least: more
     * elements than fit before it cannot be there. */
    const uint8_t *room_end;
    struct wabin_error *error; /* WABIN_OK until a failure is noted */
    const uint8_t *packed;     /* tag of the last packed string */
    uint32_t jid_depth;
};

#define ATTR_SIZE_MIN 2 /* bytes on the wire: key and value, a token each */
#define NODE_SIZE_MIN 3 /* list tag, count, tag */

/** Note a failure at p. */
COLD void take_note(struct decoder *d, enum wabin_status status,
                    const uint8_t *p);

/** Like take_note, with what else there is to say. */
COLD void take_note_number(struct decoder *d, enum wabin_status status,
                           enum wabin_cause cause, uint64_t number,
                           const uint8_t *p);

/** Note a failure at p; NULL, for the caller to return. */
static ALWAYS_INLINE const uint8_t *take_fail(struct decoder *d,
                                              enum wabin_status status,
                                              const uint8_t *p)
{
    take_note(d, status, p);
    return NULL;
}

/** The failure that nobody noted: the last packed string has a half byte
 * without a character. */
COLD void take_note_half(struct decoder *d);

/** Make size bytes of room in the doc while reading at p; false after noting
 * that there is no memory. */
COLD bool take_grow(struct decoder *d, size_t size, const uint8_t *p);

/** A string that is no single-byte token. */
const uint8_t *take_text_other(struct decoder *d, const uint8_t *p,
                               struct wabin_str *out);

/** A value that is no single-byte token; value is all zero but for its text.
 */
const uint8_t *take_value_other(struct decoder *d, const uint8_t *p,
                                struct wabin_value *value);

/** The size of BINARY_8, _20 or _32 whose tag is at p. */
const uint8_t *take_binary(struct decoder *d, const uint8_t *p,
                           struct wabin_str *out);

/** A JID, whose tag is at p; value is all zero. */
const uint8_t *take_jid(struct decoder *d, const uint8_t *p,
                        struct wabin_value *value);

/** A JID, whose tag is at p, as text. */
const uint8_t *take_jid_text(struct decoder *d, const uint8_t *p,
                             struct wabin_str *out);

static ALWAYS_INLINE bool is_token(unsigned tag)
{
    return tag - 1 < WIRE_TOKEN_LAST;
}

/** A string: a node's tag, a key, a part of a JID.  LIST_EMPTY leaves data
 * NULL, and is the caller's to judge. */
static ALWAYS_INLINE const uint8_t *take_text(struct decoder *d,
                                              const uint8_t *p,
                                              struct wabin_str *out)
{
    if (UNLIKELY(p == d->window.end))
        return take_fail(d, WABIN_EOF, p);
    if (UNLIKELY(!is_token(*p)))
        return take_text_other(d, p, out);
    *out = wabin_token_texts[*p];
    return p + 1;
}

/** An attribute's value. */
static ALWAYS_INLINE const uint8_t *take_value(struct decoder *d,
                                               const uint8_t *p,
                                               struct wabin_value *value)
{
    if (UNLIKELY(p == d->window.end))
        return take_fail(d, WABIN_EOF, p);
    if (!is_token(*p)) {
        *value = (struct wabin_value){0};
        return take_value_other(d, p, value);
    }
    *value = (struct wabin_value){.text = wabin_token_texts[*p]};
    return p + 1;
}

#endif
