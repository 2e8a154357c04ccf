/* SPDX-License-Identifier: MIT */
/* Strings of the wire: raw, packed, and from the dictionary. */
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
