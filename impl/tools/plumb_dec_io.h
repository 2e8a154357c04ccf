/* SPDX-License-Identifier: MIT */
/* Whole inputs from files and standard input, and text for JSON. */
#ifndef TOOLS_PLUMB_DEC_IO_H
#define TOOLS_PLUMB_DEC_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/macros.h"

/** The bytes of a file. */
struct plumb_dec_input {
    uint8_t *data;
    size_t size;
};

/**
 * Read a whole file, whatever its kind and size: a pipe, a file that grows,
 * one that is larger than it says.
 *
 *   path   "-" is standard input
 *   input  out: for plumb_dec_release; untouched on failure
 *
 * Returns false with a message on standard error when it cannot be opened or
 * read, or when there is no memory for it.
 */
MUST_CHECK bool plumb_dec_read(const char *path,
                               struct plumb_dec_input *input);

void plumb_dec_release(struct plumb_dec_input *input);

/** Print a text as a JSON string with its quotes.  Bytes that are no UTF-8
 * are printed as U+FFFD, so that the output always is. */
void plumb_dec_json_text(FILE *out, const char *text);

/** Like plumb_dec_json_text, for text that may hold NUL. */
void plumb_dec_json_bytes(FILE *out, const char *text, size_t size);

/** Value of a hexadecimal digit of either case, or -1. */
int plumb_dec_hex_digit(char c);

/** Read a decimal number of digits only; false when it is none, or does not
 * fit. */
MUST_CHECK bool plumb_dec_size(const char *text, size_t *value);

#endif
