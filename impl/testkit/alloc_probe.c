/* SPDX-License-Identifier: MIT */
/* The probing allocator: each block carries its size in front, so that the
 * sizes a caller gives back can be checked. */
#include "testkit/alloc_probe.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIVE_MARK UINT64_C(0x6c6976652d626c6b)
#define DEAD_MARK UINT64_C(0x646561642d626c6b)

/* Sized to keep the caller's bytes as aligned as malloc's. */
struct header {
    _Alignas(max_align_t) uint64_t mark;
    uint64_t size;
};

static void broken(const char *what, size_t told, size_t real)
{
    fprintf(stderr, "alloc_probe: %s (told %zu, block has %zu)\n", what, told,
            real);
    abort();
}

static struct header *checked_header(void *p, size_t told)
{
    struct header *h = (struct header *)p - 1;

    if (h->mark != LIVE_MARK)
        broken("not a live block", told, 0);
    if (h->size != told)
        broken("wrong size of a block", told, (size_t)h->size);
    return h;
}

/* Count a call that asks for size bytes; false when it has to fail. */
static bool admit(struct alloc_probe *probe, size_t size)
{
    if (size == 0)
        broken("asked for no bytes", size, 0);
    probe->calls++;
    return probe->calls != probe->fail_at &&
           size <= SIZE_MAX - sizeof(struct header);
}

static void *enter(struct alloc_probe *probe, struct header *h, size_t size)
{
    h->mark = LIVE_MARK;
    h->size = size;
    probe->requested += size;
    probe->live_count++;
    probe->live_size += size;
    if (probe->live_size > probe->peak_size)
        probe->peak_size = probe->live_size;
    return h + 1;
}

static void leave(struct alloc_probe *probe, struct header *h)
{
    h->mark = DEAD_MARK;
    probe->live_count--;
    probe->live_size -= (size_t)h->size;
}

static void *probe_alloc(void *ctx, size_t size)
{
    struct alloc_probe *probe = ctx;

    if (!admit(probe, size))
        return NULL;
    struct header *h = malloc(sizeof(*h) + size);
    return h != NULL ? enter(probe, h, size) : NULL;
}

/* Always moves, so that a caller who keeps the old address is found out. */
static void *probe_resize(void *ctx, void *p, size_t old_size, size_t new_size)
{
    struct alloc_probe *probe = ctx;

    if (p == NULL)
        return probe_alloc(ctx, new_size);
    struct header *old = checked_header(p, old_size);
    if (!admit(probe, new_size))
        return NULL;
    struct header *h = malloc(sizeof(*h) + new_size);
    if (h == NULL)
        return NULL;
    memcpy(h + 1, p, old_size < new_size ? old_size : new_size);
    leave(probe, old);
    free(old);
    return enter(probe, h, new_size);
}

static void probe_release(void *ctx, void *p, size_t size)
{
    if (p == NULL)
        return;
    struct header *h = checked_header(p, size);
    leave(ctx, h);
    free(h);
}

struct alloc alloc_probe_alloc(struct alloc_probe *probe)
{
    return (struct alloc){.alloc = probe_alloc,
                          .resize = probe_resize,
                          .release = probe_release,
                          .ctx = probe};
}
