/* SPDX-License-Identifier: MIT */
#include "harness/heap_preload_sites.h"

#include <string.h>
#include <unwind.h>

static _Unwind_Reason_Code note_frame(struct _Unwind_Context *context,
                                      void *vsite)
{
    struct heap_site *site = vsite;
    int before_call = 0;
    uintptr_t at = _Unwind_GetIPInfo(context, &before_call);
    if (at == 0 || site->depth == HEAP_FRAMES_MAX)
        return _URC_END_OF_STACK;
    /* A return address may belong to the line after the call. */
    site->frames[site->depth++] = before_call ? at : at - 1;
    return _URC_NO_REASON;
}

static struct heap_site *find(struct heap_sites *sites,
                              const struct heap_site *way)
{
    for (uint64_t i = 0; i < sites->count; i++) {
        struct heap_site *site = &sites->list[i];
        if (site->depth == way->depth &&
            memcmp(site->frames, way->frames,
                   way->depth * sizeof(way->frames[0])) == 0)
            return site;
    }
    struct heap_site *rest = &sites->list[HEAP_SITES_MAX - 1];
    if (sites->count == HEAP_SITES_MAX)
        return rest;
    struct heap_site *fresh = &sites->list[sites->count++];
    if (fresh != rest)
        *fresh = *way;
    else
        memset(rest, 0, sizeof(*rest));
    return fresh;
}

void heap_preload_note_site(struct heap_sites *sites, size_t size)
{
    struct heap_site way = {.depth = 0};
    _Unwind_Backtrace(note_frame, &way);
    struct heap_site *site = find(sites, &way);
    site->calls++;
    site->bytes += size;
}
