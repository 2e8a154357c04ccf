/* SPDX-License-Identifier: MIT */
/* Checks that print both operands, with the expected one first. */
#ifndef TESTKIT_CHECK_H
#define TESTKIT_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "base/status.h"

/** Where a check stands and what it looks at, for its message. */
struct check_site {
    const char *text; /* source text of the actual operand */
    const char *file;
    int line;
};

#define CHECK_SITE(actual)                                                    \
    ((struct check_site){.text = #actual, .file = __FILE__, .line = __LINE__})

/** Two statuses are the same; prints their texts. */
#define CHECK_STATUS(expected, actual)                                        \
    check_status((expected), (actual), CHECK_SITE(actual))

/** Like CHECK_STATUS, but for any enum with a text function, such as
 * `const char *jid_error_text(enum jid_error)`. */
#define CHECK_ENUM(text_of, expected, actual)                                 \
    do {                                                                      \
        const __typeof__(actual) check_want = (expected);                     \
        const __typeof__(actual) check_got = (actual);                        \
        check_enum((int)check_want, (int)check_got, text_of(check_want),      \
                   text_of(check_got), CHECK_SITE(actual));                   \
    } while (0)

/** Two unsigned numbers are the same; prints decimal and hex. */
#define CHECK_U64(expected, actual)                                           \
    check_u64((expected), (actual), CHECK_SITE(actual))

/** Two signed numbers are the same. */
#define CHECK_I64(expected, actual)                                           \
    check_i64((expected), (actual), CHECK_SITE(actual))

/** Two sizes, counts or offsets are the same. */
#define CHECK_SIZE(expected, actual)                                          \
    check_size((expected), (actual), CHECK_SITE(actual))

/** Two truth values are the same. */
#define CHECK_BOOL(expected, actual)                                          \
    check_bool((expected), (actual), CHECK_SITE(actual))

/** Two strings are the same; either may be NULL. */
#define CHECK_STR(expected, actual)                                           \
    check_str((expected), (actual), CHECK_SITE(actual))

/** Two byte strings have the same size and bytes; prints the rows around
 * the first difference.  A pointer may be NULL when its size is 0. */
#define CHECK_BYTES(expected, expected_size, actual, actual_size)             \
    check_bytes((expected), (expected_size), (actual), (actual_size),         \
                CHECK_SITE(actual))

/** Fail the running test with a message of our own, printf style.  Does not
 * return. */
#define CHECK_FAIL(...) check_fail(__FILE__, __LINE__, __VA_ARGS__)

/* The functions behind the macros; they fail the test and do not return when
 * the operands differ. */

void check_status(enum status expected, enum status actual,
                  struct check_site site);
void check_enum(int expected, int actual, const char *expected_text,
                const char *actual_text, struct check_site site);
void check_u64(uint64_t expected, uint64_t actual, struct check_site site);
void check_i64(int64_t expected, int64_t actual, struct check_site site);
void check_size(size_t expected, size_t actual, struct check_site site);
void check_bool(int expected, int actual, struct check_site site);
void check_str(const char *expected, const char *actual,
               struct check_site site);
void check_bytes(const void *expected, size_t expected_size,
                 const void *actual, size_t actual_size,
                 struct check_site site);
void check_fail(const char *file, int line, const char *format, ...)
    PRINTF_LIKE(3, 4) __attribute__((noreturn));

#endif
