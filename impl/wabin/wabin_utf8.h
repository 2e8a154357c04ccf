/* SPDX-License-Identifier: MIT */
/* Where text stops being UTF-8. */
#ifndef WABIN_UTF8_H
#define WABIN_UTF8_H

#include "wabin/wabin_str.h"

/**
 * Find the first byte of text that belongs to no valid sequence.
 *
 *   bad  out: when the text is not valid, the bytes that are wrong there, 1 to
 *        3, or 0 when the text ends inside a so far valid sequence
 *
 * Returns the size of the valid beginning, text.size when all is valid.
 *
 * Source: The Unicode Standard, table 3-7; maximal subparts as in its
 *         section 3.9, "U+FFFD Substitution of Maximal Subparts".
 */
size_t wabin_utf8_valid_up_to(struct wabin_str text, size_t *bad);

#endif
