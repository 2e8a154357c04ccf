/* SPDX-License-Identifier: MIT */
/* What a runner asks of an instrument, read from standard input. */
#ifndef HARNESS_PLAN_H
#define HARNESS_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/bench.h"
#include "harness/subject.h"

#define PLAN_CASES_MAX 8192
#define PLAN_JOBS_MAX  256

/**
 * A plan, as lines of "key value":
 *
 *   subject PATH      the shared object
 *   root PATH         where bench_file() looks
 *   jobs N            cases measured at the same time, default 1
 *   timeout SECONDS   for one case, default 600
 *   seed N            of the inputs, default 0
 *   scale N           multiplies the operations of each block, default 1
 *   brief 0|1         1: blocks of one period; as exact, for many runs
 *   case ID           to be measured; in this order
 *   heap-sites 1      plumb-probe also tells where memory is requested
 *
 * and perturbations, which must not change what a case costs; all 0 unless
 * given, and map-shift before the subject:
 *
 *   stack-shift BYTES   the stack starts that much lower
 *   heap-dirt BLOCKS    so many blocks were used and freed before setup
 *   buffer-shift BYTES  bench_buffer() gives memory that much further on
 *   map-shift PAGES     so many pages lie where the subject would
 *   delay-ms MS         the case starts that much later
 *
 * A plan comes by standard input and into fixed memory because arguments
 * and heap blocks of another length would move the measured program.
 */
struct plan {
    struct subject subject; /* table is NULL until it is loaded */
    int root_fd;            /* -1 when no root was given */
    uint64_t jobs;
    uint64_t timeout_s;
    uint64_t seed;
    uint64_t scale;
    uint64_t brief;
    uint64_t heap_sites;
    uint64_t stack_shift;
    uint64_t heap_dirt;
    uint64_t buffer_shift;
    uint64_t map_shift;
    uint64_t delay_ms;
    size_t case_count;
    const struct bench_case *cases[PLAN_CASES_MAX];
};

/** Read the plan of this process and load its subject.  The plan is static.
 * NULL, with a line on standard error, when something is wrong with it. */
const struct plan *plan_read(void);

/** Operations in a counted block of a case, as the plan has it. */
uint64_t plan_block_ops(const struct plan *plan, const struct bench_case *c);

#endif
