/* SPDX-License-Identifier: MIT */
/* Tests that are not for every run. */
#ifndef TESTKIT_SLOW_H
#define TESTKIT_SLOW_H

/** The rest of the running test takes minutes or gigabytes: it is skipped,
 * with a message, unless the variable PLUMB_SLOW is set. */
void testkit_only_when_slow(void);

#endif
