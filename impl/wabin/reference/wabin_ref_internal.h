/* SPDX-License-Identifier: MIT */
/* What the files of the plain decoder share. */
#ifndef WABIN_REFERENCE_WABIN_REF_INTERNAL_H
#define WABIN_REFERENCE_WABIN_REF_INTERNAL_H

#include "base/cursor.h"
#include "wabin/reference/wabin_ref.h"
#include "wabin/wabin_decode.h"

/** A decoding under way. */
struct ref_reader {
    struct cursor c;
    const struct alloc *alloc;
    struct wabin_error *error;
    unsigned jid_depth;
};

/** Pass a failure on. */
#define REF_TRY(expr)                                                         \
    do {                                                                      \
        enum wabin_status ref_try = (expr);                                   \
        if (ref_try != WABIN_OK)                                              \
            return ref_try;                                                   \
    } while (0)

/** Note a failure. */
enum wabin_status ref_fail(struct ref_reader *r, enum wabin_status status,
                           size_t at);

enum wabin_status ref_take_u8(struct ref_reader *r, uint8_t *byte);
enum wabin_status ref_take_u16(struct ref_reader *r, uint16_t *value);

/** Bytes behind a BINARY tag that has been read. */
enum wabin_status ref_take_binary(struct ref_reader *r, uint8_t tag,
                                  struct wabin_str *bytes);

/** A string whose tag has been read; *present says whether it was one. */
enum wabin_status ref_take_string(struct ref_reader *r, uint8_t tag,
                                  struct ref_str *out, bool *present);

/** A value whose tag has been read. */
enum wabin_status ref_take_value(struct ref_reader *r, uint8_t tag,
                                 struct ref_value *value);

/** Give a text's block back. */
void ref_str_free(struct ref_str *s, const struct alloc *alloc);

#endif
