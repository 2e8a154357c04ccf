/* SPDX-License-Identifier: MIT */
/* Guarded buffers: whole pages for the bytes, then one page without access.
 * The bytes are placed at the end of their pages. */
#include "testkit/guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Bytes of the pages that hold size bytes: at least one page, so that a
 * buffer of size 0 has its address too. */
static size_t span_of(size_t size)
{
    size_t page = page_size();
    return size == 0 ? page : (size + page - 1) / page * page;
}

static void must(int ok, const char *what)
{
    if (!ok) {
        perror(what);
        abort();
    }
}

uint8_t *guard_new(size_t size)
{
    size_t span = span_of(size);
    uint8_t *pages = mmap(NULL, span + page_size(), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    must(pages != MAP_FAILED, "guard_new: mmap");
    must(mprotect(pages + span, page_size(), PROT_NONE) == 0,
         "guard_new: mprotect");
    return pages + span - size;
}

const uint8_t *guard_copy(const void *data, size_t size)
{
    uint8_t *copy = guard_new(size);
    size_t span = span_of(size);

    if (size != 0)
        memcpy(copy, data, size);
    must(mprotect(copy + size - span, span, PROT_READ) == 0,
         "guard_copy: mprotect");
    return copy;
}

void guard_free(const uint8_t *buffer, size_t size)
{
    size_t span = span_of(size);
    uintptr_t pages = (uintptr_t)buffer + size - span;

    must(munmap((void *)pages, span + page_size()) == 0, "guard_free: munmap");
}
