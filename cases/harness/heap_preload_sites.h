/* SPDX-License-Identifier: MIT */
/* Where memory is requested: the call stack of each request, added up. */
#ifndef HARNESS_HEAP_PRELOAD_SITES_H
#define HARNESS_HEAP_PRELOAD_SITES_H

#include <stddef.h>

#include "harness/child.h"

/** Add one request for size bytes to the way that leads to the caller.
 * Finds the stack through unwind tables, which need no frame pointers. */
void heap_preload_note_site(struct heap_sites *sites, size_t size);

#endif
