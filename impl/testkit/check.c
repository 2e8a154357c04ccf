/* SPDX-License-Identifier: MIT */
/* The checks: compare, print both operands, fail through cmocka. */
#include "testkit/check.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "testkit/testkit.h"

#define ROW_SIZE 16

void check_fail(const char *file, int line, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vprint_error(format, args);
    va_end(args);
    print_error("\n");
    _fail(file, line);
    __builtin_unreachable(); /* _fail leaves by longjmp or exit */
}

void check_status(enum status expected, enum status actual,
                  struct check_site site)
{
    check_enum((int)expected, (int)actual, status_text(expected),
               status_text(actual), site);
}

void check_enum(int expected, int actual, const char *expected_text,
                const char *actual_text, struct check_site site)
{
    if (expected != actual)
        check_fail(site.file, site.line, "%s: expected %d (%s), got %d (%s)",
                   site.text, expected, expected_text, actual, actual_text);
}

void check_u64(uint64_t expected, uint64_t actual, struct check_site site)
{
    if (expected != actual)
        check_fail(site.file, site.line,
                   "%s: expected %" PRIu64 " (0x%" PRIx64 "), got %" PRIu64
                   " (0x%" PRIx64 ")",
                   site.text, expected, expected, actual, actual);
}

void check_i64(int64_t expected, int64_t actual, struct check_site site)
{
    if (expected != actual)
        check_fail(site.file, site.line,
                   "%s: expected %" PRId64 ", got %" PRId64, site.text,
                   expected, actual);
}

void check_size(size_t expected, size_t actual, struct check_site site)
{
    if (expected != actual)
        check_fail(site.file, site.line, "%s: expected %zu, got %zu",
                   site.text, expected, actual);
}

void check_bool(int expected, int actual, struct check_site site)
{
    if (!expected != !actual)
        check_fail(site.file, site.line, "%s: expected %s, got %s", site.text,
                   expected ? "true" : "false", actual ? "true" : "false");
}

void check_str(const char *expected, const char *actual,
               struct check_site site)
{
    if (expected == NULL || actual == NULL) {
        if (expected != actual)
            check_fail(site.file, site.line, "%s: expected %s, got %s",
                       site.text, expected != NULL ? expected : "NULL",
                       actual != NULL ? actual : "NULL");
        return;
    }
    if (strcmp(expected, actual) != 0)
        check_fail(site.file, site.line, "%s: expected \"%s\", got \"%s\"",
                   site.text, expected, actual);
}

/* One row of a hex dump from offset at, with bytes that differ from the other
 * side in brackets. */
static void print_row(const char *name, const uint8_t *bytes, size_t size,
                      const uint8_t *other, size_t other_size, size_t at)
{
    char row[ROW_SIZE * 4 + 1];
    size_t used = 0;

    row[0] = '\0';
    for (size_t i = at; i < size && i < at + ROW_SIZE; i++) {
        bool same = i < other_size && bytes[i] == other[i];
        snprintf(row + used, sizeof(row) - used, "%c%02x%c", same ? ' ' : '[',
                 bytes[i], same ? ' ' : ']');
        used += 4;
    }
    print_error("  %s %8zu: %s\n", name, at, row);
}

void check_bytes(const void *expected, size_t expected_size,
                 const void *actual, size_t actual_size,
                 struct check_site site)
{
    const uint8_t *want = expected, *got = actual;
    size_t at = 0;

    while (at < expected_size && at < actual_size && want[at] == got[at])
        at++;
    if (at == expected_size && at == actual_size)
        return;
    size_t row = at - at % ROW_SIZE;
    print_row("expected", want, expected_size, got, actual_size, row);
    print_row("actual  ", got, actual_size, want, expected_size, row);
    check_fail(site.file, site.line,
               "%s: expected %zu bytes, got %zu; first difference at %zu",
               site.text, expected_size, actual_size, at);
}
