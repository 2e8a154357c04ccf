/* SPDX-License-Identifier: MIT */
/* What a fuzz target includes; it needs no fuzzing engine to be built. */
#ifndef TESTKIT_FUZZ_H
#define TESTKIT_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/** A fuzz target: one input, borrowed for the call; returns 0. */
typedef int fuzz_target(const uint8_t *data, size_t size);

/** The target of a program, called by an engine or by the replay program. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Stop the program, with a message, when a property does not hold. */
#define FUZZ_CHECK(condition)                                                 \
    ((condition) ? (void)0 : fuzz_failed(#condition, __FILE__, __LINE__))

void fuzz_failed(const char *condition, const char *file, int line)
    __attribute__((noreturn));

/**
 * Give a target every file of a folder, each whole and cut short at every
 * size (in steps when it is long), flush against a guard page.
 *
 *   folder  its plain files whose names do not begin with a dot
 *
 * Returns the number of inputs run, 0 when the folder is missing, cannot be
 * read or has no file; a message says which.
 */
size_t corpus_replay(const char *folder, fuzz_target *target);

#endif
