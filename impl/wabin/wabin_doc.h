/* SPDX-License-Identifier: MIT */
/* The memory that trees live in: one arena, the caller's, used again. */
#ifndef WABIN_DOC_H
#define WABIN_DOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "wabin/wabin_packed.h"
#include "wabin/wabin_str.h"

/** Bytes behind an allocation of characters that may be written, so that
 * they can be made 16 at a time. */
#define WABIN_DOC_SLACK 32

/** How a doc gets memory and unpacks strings.  All zero is a good choice. */
struct wabin_doc_options {
    const struct alloc *alloc; /* outlives the doc; NULL: the C library */
    size_t max_size;           /* most bytes of all blocks; 0: no limit */
    wabin_unpack_fn *unpack;   /* NULL: the fastest of this processor */
    /** First block, the caller's, that outlives the doc: decoding what fits
     * makes no heap call at all.  Aligned to 8; NULL: none. */
    void *first_block;
    size_t first_size; /* bytes */
};

struct wabin_block;

/**
 * An arena for trees, their attributes and the texts that the input does not
 * spell out.  Everything in it lives until the next reset.  The struct may be
 * moved, but only one copy be used.  Its members are the module's.
 */
struct wabin_doc {
    char *at;                  /* next free byte */
    char *end;                 /* of the block in use, slack subtracted */
    struct wabin_block *block; /* in use */
    struct wabin_block *first; /* all blocks, in the order of use */
    size_t size;               /* bytes of all blocks */
    wabin_unpack_fn *unpack;
    struct wabin_doc_options options;
};

/** Start an empty doc; options may be NULL.  Allocates nothing. */
void wabin_doc_init(struct wabin_doc *doc,
                    const struct wabin_doc_options *options);

/** Forget what the doc holds and keep its memory: doing again what was done
 * since the last reset needs no heap call. */
void wabin_doc_reset(struct wabin_doc *doc);

/** Give all memory back; the doc is empty and may be used again. */
void wabin_doc_release(struct wabin_doc *doc);

/** Bytes that the doc holds, used or not. */
static inline size_t wabin_doc_size(const struct wabin_doc *doc)
{
    return doc->size;
}

/**
 * Make room for size bytes where the block in use has none.
 *
 *   ahead  bytes that will probably be needed in all; 0: nobody knows, and
 *          blocks double
 *
 * Returns false when there is no memory; what the doc holds stays.
 */
MUST_CHECK bool wabin_doc_grow(struct wabin_doc *doc, size_t size,
                               size_t ahead);

/** size bytes for structs (aligned to 8), not initialised; NULL when there is
 * no memory. */
MUST_CHECK static inline void *wabin_doc_take(struct wabin_doc *doc,
                                              size_t size)
{
    doc->at = (char *)(((uintptr_t)doc->at + 7) & ~(uintptr_t)7);
    if (UNLIKELY(doc->at > doc->end || size > (size_t)(doc->end - doc->at)) &&
        !wabin_doc_grow(doc, size, 0))
        return NULL;
    void *taken = doc->at;
    doc->at += size;
    return taken;
}

/** Like wabin_doc_take, but for characters, without alignment, and with
 * WABIN_DOC_SLACK bytes behind them that may be overwritten at once. */
MUST_CHECK static inline char *wabin_doc_chars(struct wabin_doc *doc,
                                               size_t size)
{
    if (UNLIKELY(size > (size_t)(doc->end - doc->at)) &&
        !wabin_doc_grow(doc, size, 0))
        return NULL;
    char *taken = doc->at;
    doc->at += size;
    return taken;
}

/** Copy text into the doc; false when there is no memory. */
MUST_CHECK bool wabin_doc_copy(struct wabin_doc *doc, struct wabin_str text,
                               struct wabin_str *copy);

#endif
