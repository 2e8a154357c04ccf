/* SPDX-License-Identifier: MIT */
/* The one loop that every instrument measures with. */
#ifndef HARNESS_RUN_BLOCK_H
#define HARNESS_RUN_BLOCK_H

#include <stdint.h>

/** Call run(state) n times; n may be 0.  Gives the last value, or 0. */
uint64_t run_block(uint64_t (*run)(void *state), void *state, uint64_t n);

/** The empty operation: its cost is that of the loop and the call, which
 * is subtracted from every case. */
uint64_t run_empty(void *state);

#endif
