/* SPDX-License-Identifier: MIT */
/* Text with a length, borrowed from whoever holds its bytes. */
#ifndef WABIN_STR_H
#define WABIN_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/macros.h"

/** Bytes of text that somebody else owns.  They may hold NUL; no zero byte
 * follows.  Absent text is data NULL, which the empty text never is. */
struct wabin_str {
    const char *data;
    size_t size; /* bytes */
};

/** The text of a string literal. */
#define WABIN_STR(literal) ((struct wabin_str){literal, sizeof(literal) - 1})

/** size bytes at data as text. */
static inline struct wabin_str wabin_str(const char *data, size_t size)
{
    return (struct wabin_str){.data = data, .size = size};
}

/** Two texts have the same bytes. */
static inline bool wabin_str_equal(struct wabin_str a, struct wabin_str b)
{
    return a.size == b.size &&
           (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

/** The part of a text from byte `at`, which is at most its size. */
static inline struct wabin_str wabin_str_from(struct wabin_str s, size_t at)
{
    return (struct wabin_str){.data = s.data + at, .size = s.size - at};
}

/** The first `size` bytes of a text, which has as many. */
static inline struct wabin_str wabin_str_first(struct wabin_str s, size_t size)
{
    return (struct wabin_str){.data = s.data, .size = size};
}

#endif
