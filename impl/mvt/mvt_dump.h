/* SPDX-License-Identifier: MIT */
/* A tile as text for people and for comparisons. */
#ifndef MVT_MVT_DUMP_H
#define MVT_MVT_DUMP_H

#include "mvt/mvt_reader.h"

/** Takes a piece of text; whether to go on. */
typedef bool mvt_put_fn(void *ctx, const char *text, size_t size);

/**
 * Write a tile as text: layers, features, geometry, properties, one a line,
 * in order.  What cannot be read in a tile that opened stands in its place as
 * `<invalid ...>`.
 *
 *   put, ctx  called with pieces of about 4 KiB
 *   alloc     for one geometry at a time; NULL is the C library
 *
 * MVT_END        put said not to go on
 * MVT_NO_MEMORY
 */
MUST_CHECK enum mvt_fault mvt_dump(const struct mvt_reader *reader,
                                   mvt_put_fn *put, void *ctx,
                                   const struct alloc *alloc);

/** Most bytes of mvt_number_text with its final NUL. */
#define MVT_NUMBER_TEXT_MAX 360

/**
 * The shortest decimal digits that read back as the same number, never with
 * an exponent, and no point when it is whole: "1", "-0", "3.1", "NaN",
 * "-inf".
 *
 *   is_float  number was a float, and has to read back as one
 *   out       MVT_NUMBER_TEXT_MAX bytes
 *
 * Returns the text's size.
 */
size_t mvt_number_text(double number, bool is_float, char *out);

/** Is this character written as \u{...} in a dump: unassigned, private,
 * control, format, a separator other than space, or a combining mark, by
 * Unicode 17?  Knows those above U+007F. */
bool mvt_is_escaped(uint32_t character);

#endif
