/* SPDX-License-Identifier: MIT */
/*
 * google-benchmark for C: the little of it that the wall instrument needs.
 * Cases and instrument know nothing of C++; gb.cc holds all of it.
 */
#ifndef HARNESS_GB_H
#define HARNESS_GB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One run of a benchmark, google-benchmark's State. */
struct gb_state;

/** A benchmark's body.  It is called as often as google-benchmark looks for
 * an iteration count or repeats, so it pairs what it sets up. */
typedef void gb_body(struct gb_state *st, const void *user);

/** Take google-benchmark's own flags out of argv.  Call once, first. */
void gb_init(int *argc, char **argv);

/** Register a benchmark; name is copied, user handed to the body. */
void gb_register(const char *name, gb_body *body, const void *user);

/** Add a line to the context that JSON output carries. */
void gb_context(const char *key, const char *value);

/**
 * Run what the filter selects, with google-benchmark's reporters.
 *
 *   failed  out: runs that ended with gb_fail(), which google-benchmark
 *           itself does not count
 *
 * Returns the number of benchmarks that matched the filter.
 */
size_t gb_run(size_t *failed);

/** Start the clock; gives the number of operations to do.  Then do exactly
 * that many in a plain loop, then call gb_end(). */
uint64_t gb_begin(struct gb_state *st);

/** Stop the clock. */
void gb_end(struct gb_state *st);

/** The run failed; why is copied.  Before gb_begin(), instead of it. */
void gb_fail(struct gb_state *st, const char *why);

/** Bytes that all operations of this run processed, for a rate. */
void gb_bytes(struct gb_state *st, uint64_t bytes);

#ifdef __cplusplus
}
#endif

#endif
