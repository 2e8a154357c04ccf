/* SPDX-License-Identifier: MIT */
/* What the files of the storage part share. */
#ifndef ENVELOPE_ENVELOPE_INTERNAL_H
#define ENVELOPE_ENVELOPE_INTERNAL_H

#include <string.h>

#include "base/utf8.h"
#include "envelope/envelope.h"

/* ---- failures ---------------------------------------------------------- */

/* envelope_error.detail */
enum envelope_detail {
    DETAIL_NONE,
    DETAIL_PRESCAN,        /* number: msgpack_fault, max_depth */
    DETAIL_LENGTH,         /* number: elements; expected */
    DETAIL_TOO_MANY,       /* number: elements wanted */
    DETAIL_TYPE,           /* what, expected; number: value, is negative */
    DETAIL_VALUE,          /* expected; number: value, is negative */
    DETAIL_MARKER,         /* number: marker byte */
    DETAIL_TEXT_NOT_UTF8,  /* a str */
    DETAIL_BYTES_NOT_UTF8, /* a bin */
    DETAIL_DUPLICATE,      /* number: field */
    DETAIL_MISSING,        /* number: field */
    DETAIL_FORMAT_NOT_UTF8,
    DETAIL_CIPHERTEXT_SHORT,
    DETAIL_TEXT_LONG, /* a plaintext that one nonce cannot seal */
    DETAIL_LIBRARY,   /* number: the library's own code */
    DETAIL_FORKED,
    DETAIL_INNER /* number: envelope_kind, its number */
};

/* envelope_error.what, of DETAIL_TYPE */
enum envelope_what {
    WHAT_NIL,
    WHAT_FALSE,
    WHAT_TRUE,
    WHAT_INTEGER, /* its value is in the numbers */
    WHAT_FLOAT,
    WHAT_STRING,
    WHAT_SEQUENCE,
    WHAT_MAP,
    WHAT_EXT
};

/* envelope_error.expected */
enum envelope_expected {
    EXPECT_ROOT,
    EXPECT_ROOT_4,
    EXPECT_BYTES,
    EXPECT_U8,
    EXPECT_U32,
    EXPECT_ARRAY_8,
    EXPECT_STRING,
    EXPECT_FIELD
};

/** Fill error, if there is one.  Cold, so that the paths that succeed stay
 * small. */
COLD void envelope_note(struct envelope_error *error, enum envelope_kind kind,
                        enum envelope_detail detail, uint64_t number0,
                        uint64_t number1);

/** envelope_note, and the kind, to return it. */
static inline enum envelope_kind envelope_fail_with(
    struct envelope_error *error, enum envelope_kind kind,
    enum envelope_detail detail, uint64_t number0, uint64_t number1)
{
    envelope_note(error, kind, detail, number0, number1);
    return kind;
}

/** Like envelope_fail_with, for a kind that has no detail. */
static inline enum envelope_kind envelope_fail(struct envelope_error *error,
                                               enum envelope_kind kind)
{
    return envelope_fail_with(error, kind, DETAIL_NONE, 0, 0);
}

/* ---- the steps of a read ----------------------------------------------- */

#define ENVELOPE_FIELD_COUNT 4

/** Convert an array of integers, already found sound, to its data_size
 * bytes. */
void envelope_array_bytes(const struct envelope_view *view, uint8_t *out);

/* ---- short texts ------------------------------------------------------- */

/** utf8_valid, but quick to say yes to the few ASCII bytes that name a
 * format. */
static inline bool envelope_format_valid(const char *format, size_t size)
{
    const uint64_t high_bits = UINT64_C(0x8080808080808080);
    const char *last;
    uint64_t a, b;
    uint32_t c, d;

    if (size >= 4 && size < 8) { /* the default is among them */
        last = format + size - 4;
        memcpy(&c, format, 4);
        memcpy(&d, last, 4);
        if (((c | d) & (uint32_t)high_bits) == 0)
            return true;
    } else if (size >= 8 && size <= 16) {
        last = format + size - 8;
        memcpy(&a, format, 8);
        memcpy(&b, last, 8);
        if (((a | b) & high_bits) == 0)
            return true;
    }
    return utf8_valid((const uint8_t *)format, size);
}

/** memcpy, quick with a format's few bytes; `to` is NULL only for none. */
static inline void envelope_format_copy(void *to, const char *format,
                                        size_t size)
{
    char *const end = (char *)to + size;
    uint64_t a, b;
    uint32_t c, d;

    if (size >= 4 && size < 8) {
        memcpy(&c, format, 4);
        memcpy(&d, format + size - 4, 4);
        memcpy(to, &c, 4); /* NOLINT: not NULL */
        memcpy(end - 4, &d, 4);
    } else if (size >= 8 && size <= 16) {
        memcpy(&a, format, 8);
        memcpy(&b, format + size - 8, 8);
        memcpy(to, &a, 8); /* NOLINT: not NULL */
        memcpy(end - 8, &b, 8);
    } else if (size != 0) {
        memcpy(to, format, size); /* NOLINT: not NULL */
    }
}

#endif
