/* SPDX-License-Identifier: MIT */
/* Load subjects: the shared objects that hold cases and what they measure. */
#ifndef HARNESS_SUBJECT_H
#define HARNESS_SUBJECT_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/bench.h"

/** How many subjects one process may hold: base and head, and a spare. */
#define SUBJECT_MAX 3

/** A loaded subject. */
struct subject {
    void *handle;
    const struct bench_table *table;
    char name[32]; /* what the loader calls it */
};

/**
 * Load a subject and check its table.
 *
 *   path   of the shared object
 *   slot   0 .. SUBJECT_MAX-1: which fixed name the loader gets to see, so
 *          that the length of a checkout's path cannot leak into counts
 *   s      out
 *   why    out: on failure one line that names the file; size why_size
 *
 * False when the file cannot be loaded, exports no `plumb_subject`, has
 * another BENCH_ABI, or holds a case that breaks the rules of bench.h.
 */
bool subject_load(const char *path, unsigned slot, struct subject *s,
                  char *why, size_t why_size);

/**
 * Prove that two loaded subjects are two: other handles, other addresses
 * of each function that both have, the loader's name for them as expected,
 * and a value kept in one is not seen in the other.  One shared SONAME or
 * a hard link would make a comparison into base against base, silently.
 */
bool subject_distinct(const struct subject *a, const struct subject *b,
                      char *why, size_t why_size);

/** The case with this id, or NULL. */
const struct bench_case *subject_find(const struct subject *s, const char *id);

#endif
