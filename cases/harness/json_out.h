/* SPDX-License-Identifier: MIT */
/* Just enough JSON writing for the instruments' answers: one object a line. */
#ifndef HARNESS_JSON_OUT_H
#define HARNESS_JSON_OUT_H

#include <stdio.h>

/** Write a string with its quotes; NULL becomes null.  Control characters
 * are escaped; UTF-8 stays as it is. */
void json_out_string(FILE *out, const char *s);

#endif
