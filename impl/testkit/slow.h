/* SPDX-License-Identifier: MIT */
/* Tests that are not for every run, or not in full. */
#ifndef TESTKIT_SLOW_H
#define TESTKIT_SLOW_H

#include <stddef.h>

/** The rest of the running test takes minutes or gigabytes: it is skipped,
 * with a message, unless the variable PLUMB_SLOW is set. */
void testkit_only_when_slow(void);

/** How many of a test's like rounds to run: all, and a twentieth of them
 * under valgrind, which takes some thirty times as long for each. */
size_t testkit_rounds(size_t all);

#endif
