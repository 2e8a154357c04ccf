/* SPDX-License-Identifier: MIT */
/* What the preloaded counting allocator offers to the probe. */
#ifndef HARNESS_HEAP_H
#define HARNESS_HEAP_H

#include "harness/child.h"

/** Start counting heap requests of this process, from zero. */
void plumb_heap_begin(void);

/** Stop counting; *w gets what was requested since plumb_heap_begin().
 * Sizes are those asked for, not those the allocator rounds to. */
void plumb_heap_end(struct heap_window *w);

/** Let the windows that begin now also note in *sites where requests come
 * from; NULL: no longer.  Slow, so that figures are taken without. */
void plumb_heap_watch(struct heap_sites *sites);

#endif
