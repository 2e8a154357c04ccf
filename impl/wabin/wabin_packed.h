/* SPDX-License-Identifier: MIT */
/* Packed strings: two characters a byte, of one of two alphabets. */
#ifndef WABIN_PACKED_H
#define WABIN_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wabin/wabin_str.h"

#define WABIN_PACKED_MAX 127 /* bytes on the wire, and characters packed */

/** What half a byte has instead of a character; equal to no character. */
#define WABIN_NO_GLYPH 0xff

/** The characters of half bytes, alone and in pairs. */
struct wabin_alphabet {
    uint8_t glyphs[16];    /* WABIN_NO_GLYPH: none */
    uint8_t pairs[256][2]; /* high half, low half */
};

extern const struct wabin_alphabet wabin_nibbles; /* 0-9, -, ., 15 is NUL */
extern const struct wabin_alphabet wabin_hex;     /* 0-9, A-F */

/** Memory that may be read, around a packed value. */
struct wabin_window {
    const uint8_t *start;
    const uint8_t *end;
};

/**
 * Turn packed bytes into characters.
 *
 *   in, in_size  1 to WABIN_PACKED_MAX bytes
 *   window       what may be read, in included: the whole frame
 *   alphabet     one of the two above
 *   out          2 x in_size characters; WABIN_DOC_SLACK bytes behind them may
 *                be overwritten
 *
 * Returns the end of in, or NULL when a half byte has no character; out then
 * holds anything.
 */
typedef const uint8_t *wabin_unpack_fn(const uint8_t *in, size_t in_size,
                                       const struct wabin_window *window,
                                       const struct wabin_alphabet *alphabet,
                                       char *out);

/** By the table of pairs: one load and one 2-byte store an input byte. */
wabin_unpack_fn wabin_unpack_table;

/** By byte shuffles, 16 input bytes at a time; by table where the window
 * holds no 16 bytes around the value.  Needs SSSE3. */
#if defined(__x86_64__)
wabin_unpack_fn wabin_unpack_ssse3;
#endif

/** The fastest of them that this processor can run. */
wabin_unpack_fn *wabin_unpack_fastest(void);

/** The first half byte without a character, high half before low; in holds
 * one. */
unsigned wabin_bad_half(const uint8_t *in, size_t in_size,
                        const struct wabin_alphabet *alphabet,
                        size_t *byte_at);

/** How a string can be packed. */
enum wabin_packing {
    WABIN_RAW,     /* not at all */
    WABIN_NIBBLES, /* all of 0-9, - and . */
    WABIN_HEX,     /* else all of 0-9 and A-F */
};

/** How text of 1 to WABIN_PACKED_MAX bytes is packed. */
enum wabin_packing wabin_packing(struct wabin_str text);

/** Pack text that wabin_packing() allows: (size + 1) / 2 bytes, the last half
 * 15 when there is nothing for it. */
void wabin_pack_text(struct wabin_str text, uint8_t *out);

#endif
