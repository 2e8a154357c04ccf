/* SPDX-License-Identifier: MIT */
/* The arena: blocks in a chain, of which a reset keeps all. */
#include "wabin/wabin_doc.h"

/** Memory of one block, right behind this header. */
struct wabin_block {
    struct wabin_block *next;
    size_t size; /* bytes of the block, header included */
    bool owned;  /* from the allocator; not the caller's first block */
};

#define BLOCK_MIN 512

_Static_assert(sizeof(struct wabin_block) % 8 == 0, "blocks start aligned");

static void enter(struct wabin_doc *doc, struct wabin_block *block)
{
    doc->block = block;
    doc->at = (char *)(block + 1);
    doc->end = (char *)block + block->size - WABIN_DOC_SLACK;
}

/* Put a block behind the one in use. */
static void link_block(struct wabin_doc *doc, struct wabin_block *block,
                       size_t size, bool owned)
{
    struct wabin_block **place =
        doc->block != NULL ? &doc->block->next : &doc->first;

    *block =
        (struct wabin_block){.next = *place, .size = size, .owned = owned};
    *place = block;
    doc->size += size;
}

void wabin_doc_init(struct wabin_doc *doc,
                    const struct wabin_doc_options *options)
{
    *doc = (struct wabin_doc){0};
    if (options != NULL)
        doc->options = *options;
    doc->unpack = doc->options.unpack != NULL ? doc->options.unpack
                                              : wabin_unpack_fastest();
    void *block = doc->options.first_block;
    if (block != NULL &&
        doc->options.first_size > sizeof(struct wabin_block) + WABIN_DOC_SLACK)
        link_block(doc, block, doc->options.first_size, false);
    wabin_doc_reset(doc);
}

void wabin_doc_reset(struct wabin_doc *doc)
{
    if (doc->first != NULL)
        enter(doc, doc->first);
}

void wabin_doc_release(struct wabin_doc *doc)
{
    struct wabin_block *b = doc->first, *next;

    /* The caller's own block, if any, is the first one and stays. */
    if (b != NULL && !b->owned) {
        next = b->next;
        b->next = NULL;
        doc->size = b->size;
        enter(doc, b);
        b = next;
    } else {
        doc->at = doc->end = NULL;
        doc->block = doc->first = NULL;
        doc->size = 0;
    }
    for (; b != NULL; b = next) {
        next = b->next;
        alloc_put(doc->options.alloc, b, b->size);
    }
}

static size_t room(const struct wabin_block *block)
{
    return block->size - sizeof(struct wabin_block) - WABIN_DOC_SLACK;
}

/* A new block of at least `least` bytes, of `wanted` when the limit lets it;
 * NULL when there is no memory. */
static struct wabin_block *new_block(struct wabin_doc *doc, size_t least,
                                     size_t wanted)
{
    size_t size = wanted > least ? wanted : least;
    size_t max = doc->options.max_size;

    if (max != 0 && (doc->size > max || size > max - doc->size)) {
        size = least;
        if (doc->size > max || size > max - doc->size)
            return NULL;
    }
    struct wabin_block *block = alloc_get(doc->options.alloc, size);
    if (block != NULL)
        link_block(doc, block, size, true);
    return block;
}

/* The next block with room for size bytes, or NULL.  Blocks before it, which
 * hold nothing, go: a block is left only for a need that it had no room for,
 * so what a doc keeps stays below twice the largest tree and one block more,
 * whatever the order of trees. */
static struct wabin_block *next_block(struct wabin_doc *doc, size_t size)
{
    struct wabin_block *next;

    if (doc->block == NULL)
        return NULL;
    while ((next = doc->block->next) != NULL && room(next) < size) {
        doc->block->next = next->next;
        doc->size -= next->size;
        alloc_put(doc->options.alloc, next, next->size);
    }
    return next;
}

/* What is left of the block in use stays unused until the next reset. */
bool wabin_doc_grow(struct wabin_doc *doc, size_t size, size_t ahead)
{
    struct wabin_block *next = next_block(doc, size);
    size_t least, wanted = ahead;

    if (next == NULL) {
        if (!size_add(size, sizeof(struct wabin_block) + WABIN_DOC_SLACK,
                      &least))
            return false;
        if (ahead == 0 && doc->block != NULL)
            wanted = 2 * doc->block->size;
        next = new_block(doc, least, wanted > BLOCK_MIN ? wanted : BLOCK_MIN);
        if (next == NULL)
            return false;
    }
    enter(doc, next);
    return true;
}

bool wabin_doc_copy(struct wabin_doc *doc, struct wabin_str text,
                    struct wabin_str *copy)
{
    char *data;

    if (text.size == 0) {
        *copy = WABIN_STR("");
        return true;
    }
    data = wabin_doc_chars(doc, text.size);
    if (data == NULL)
        return false;
    memcpy(data, text.data, text.size);
    *copy = wabin_str(data, text.size);
    return true;
}
