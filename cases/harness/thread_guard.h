/* SPDX-License-Identifier: MIT */
/* Refuse cases that start a thread: only one thread's cost is counted. */
#ifndef HARNESS_THREAD_GUARD_H
#define HARNESS_THREAD_GUARD_H

/** From now on, an attempt to start a thread sets *seen and ends the
 * process.  Before, threads start as usual. */
void thread_guard_arm(int *seen);

#endif
