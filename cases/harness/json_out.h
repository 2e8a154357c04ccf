/* SPDX-License-Identifier: MIT */
/* Just enough JSON writing for the instruments' answers: one object a line. */
#ifndef HARNESS_JSON_OUT_H
#define HARNESS_JSON_OUT_H

#include <stdio.h>

/** Write a string with its quotes; NULL becomes null.  Bytes that are not
 * printable ASCII are written as \u00XX, so that any input stays valid. */
void json_out_string(FILE *out, const char *s);

#endif
