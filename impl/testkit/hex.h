/* SPDX-License-Identifier: MIT */
/* Bytes written as hexadecimal text in tests. */
#ifndef TESTKIT_HEX_H
#define TESTKIT_HEX_H

#include <stddef.h>
#include <stdint.h>

/**
 * Decode hexadecimal digits of either case; white space between bytes is
 * stepped over.
 *
 *   text       borrowed; an odd digit or another character fails the test
 *   out        caller's buffer; too small a one fails the test
 *
 * Returns the number of bytes written.
 */
size_t hex_decode(const char *text, uint8_t *out, size_t out_size);

/** Like hex_decode, but into memory for the caller to free(), never NULL; the
 * number of bytes goes to *size. */
uint8_t *hex_new(const char *text, size_t *size);

#endif
