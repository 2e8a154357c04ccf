/* SPDX-License-Identifier: MIT */
/* Forms of one envelope, and whether readers accept each. */
#ifndef ENVELOPE_TESTS_ENVELOPE_FORMS_H
#define ENVELOPE_TESTS_ENVELOPE_FORMS_H

#include "envelope/tests/envelope_samples.h"

/* The fields of the entry that all forms hold. */
#define DATA   HELLO_DATA
#define SUM    HELLO_CHECKSUM
#define SIZE   HELLO_SIZE
#define FORMAT HELLO_FORMAT

/** detail: NULL for an accepted form; otherwise the detail of a failed
 * deserialization, or the whole text when it starts with '!'. */
struct form {
    const char *hex;
    const char *detail;
    const char *format; /* of an accepted form; NULL is "msgpack" */
};

/* Parts of details. */
#define TYPE(what, to) "invalid type: " what ", expected " to
#define STRING         "a string"

static inline void check_accepted(const struct form *f, const uint8_t *in,
                                  size_t size)
{
    const char *format = f->format != NULL ? f->format : "msgpack";
    struct envelope_entry entry;
    struct envelope_error error;

    CHECK_KIND(ENVELOPE_OK, envelope_retrieve(in, size, NULL, &entry, &error));
    CHECK_BYTES("hello", 5, entry.payload, entry.payload_size);
    CHECK_BYTES(format, strlen(format), entry.format, entry.format_size);
    envelope_entry_free(NULL, &entry);
}

static inline void check_rejected(const struct form *f, const uint8_t *in,
                                  size_t size)
{
    char expected[256];
    struct envelope_entry entry;
    struct envelope_error error;

    snprintf(expected, sizeof(expected), "%s%s",
             f->detail[0] == '!' ? "" : "deserialization failed: ",
             f->detail + (f->detail[0] == '!'));
    enum envelope_kind kind =
        envelope_retrieve(in, size, NULL, &entry, &error);
    CHECK_KIND(error.kind, kind);
    check_error(expected, &error);
}

/* Both paths see the form flush against a guard page. */
static inline void check_form(const struct form *f)
{
    uint8_t bytes[256];
    size_t size = hex_decode(f->hex, bytes, sizeof(bytes));
    const uint8_t *in = guard_copy(bytes, size);
    struct envelope_view once, full;

    if (f->detail == NULL)
        check_accepted(f, in, size);
    else
        check_rejected(f, in, size);
    if (envelope_decode_once(in, size, &once)) {
        CHECK_KIND(ENVELOPE_OK,
                   envelope_decode_full(in, size, NULL, &full, NULL));
        check_same_view(&full, &once);
    }
    guard_free(in, size);
}

#define CHECK_FORMS(list)                                                     \
    do {                                                                      \
        for (size_t row = 0; row < ARRAY_COUNT(list); row++)                  \
            check_form(&(list)[row]);                                         \
    } while (0)

#endif
