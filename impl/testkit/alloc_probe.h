/* SPDX-License-Identifier: MIT */
/* An allocator for tests: counts, checks sizes, and fails when told to. */
#ifndef TESTKIT_ALLOC_PROBE_H
#define TESTKIT_ALLOC_PROBE_H

#include <stddef.h>

#include "base/alloc.h"

/**
 * What went through an allocator.  All zero is a good start; the caller may
 * set fail_at before and read the rest at any time.  To see every allocation
 * fail in turn:
 *
 *   for (size_t k = 1;; k++) {
 *       struct alloc_probe probe = {.fail_at = k};
 *       struct alloc a = alloc_probe_alloc(&probe);
 *       ... run the operation with &a ...
 *       CHECK_SIZE(0, probe.live_count);
 *       if (probe.calls < k)
 *           break; // it needs fewer than k: all have failed once
 *       ... the operation must have reported ST_NO_MEMORY ...
 *   }
 */
struct alloc_probe {
    size_t fail_at;    /* the call that fails, from 1; 0 is none */
    size_t calls;      /* alloc and resize calls, the failed one included */
    size_t requested;  /* bytes asked for by the calls that succeeded */
    size_t live_count; /* blocks not given back */
    size_t live_size;  /* bytes not given back */
    size_t peak_size;  /* highest live_size so far */
};

/**
 * The allocator that feeds a probe, which must outlive its use.  A release or
 * a resize with a size other than the block's own stops the program, as does
 * a call that breaks the rules of struct alloc.  Not thread safe.
 */
struct alloc alloc_probe_alloc(struct alloc_probe *probe);

#endif
