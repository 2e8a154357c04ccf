/* SPDX-License-Identifier: MIT */
/* Is a byte string well-formed UTF-8? */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"

/**
 * Tell whether bytes are well-formed UTF-8: no overlong form, no surrogate,
 * nothing above U+10FFFF, no cut sequence.  NUL is a character like others.
 *
 *   text, size  borrowed for the call; text may be NULL when size is 0
 *
 * Cost:   one pass, no allocation; ASCII runs are read 8 bytes at a time.
 * Source: The Unicode Standard, table 3-7.
 */
MUST_CHECK bool utf8_valid(const uint8_t *text, size_t size);

#endif
