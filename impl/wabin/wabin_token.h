/* SPDX-License-Identifier: MIT */
/*
 * The token dictionary: strings that the wire has one or two bytes for.
 *
 * A token's number is its tag byte, 1 to 235, or for those of the double-byte
 * dictionaries 236 + 256 x dictionary + index.
 */
#ifndef WABIN_TOKEN_H
#define WABIN_TOKEN_H

#include <stdint.h>

#include "wabin/wabin_str.h"

/** Version of the dictionary, as the connection prologue gives it. */
#define WABIN_DICTIONARY_VERSION 3

#define WABIN_TOKEN_SINGLE_END 236  /* numbers below are tag bytes */
#define WABIN_TOKEN_COUNT      1260 /* number 0 is nobody's */
#define WABIN_TOKEN_SIZE_MAX   48   /* of the longest token, in bytes */

/** The text of each token by number; static storage. */
extern const struct wabin_str wabin_token_texts[WABIN_TOKEN_COUNT];

/**
 * The number of a text, or 0 when it is no token.  Exact and case-sensitive;
 * the empty text is none.
 *
 * Cost: four loads of the text, one step through a perfect hash, and a
 *       comparison with a single token only when 16 bits of the hash agree.
 */
uint32_t wabin_token_find(struct wabin_str text);

#endif
