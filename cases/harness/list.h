/* SPDX-License-Identifier: MIT */
/* Print what a subject holds. */
#ifndef HARNESS_LIST_H
#define HARNESS_LIST_H

/** Print the suites, cases and claims of a subject as one JSON object, and
 * the libraries that are loaded with it.
 * Returns 0, or 2 with a line on standard error. */
int list_subject(const char *path);

#endif
