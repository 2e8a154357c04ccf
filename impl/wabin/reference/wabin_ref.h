/* SPDX-License-Identifier: MIT */
/*
 * The plain decoder: the oracle of the tests, and what the cases measure as
 * "before".
 *
 * It reads one field after the other through a cursor, copies short texts into
 * the node, and takes a heap block for each list, each long text and each
 * node's content.  A list's block is in proportion to the bytes left, but
 * lists within lists are not counted together: it is not for strangers'
 * frames.
 */
#ifndef WABIN_REFERENCE_WABIN_REF_H
#define WABIN_REFERENCE_WABIN_REF_H

#include "base/alloc.h"
#include "wabin/wabin_error.h"
#include "wabin/wabin_node.h"
#include "wabin/wabin_packed.h"

#define REF_INLINE_MAX 24 /* bytes of a made text that need no block */

enum ref_storage {
    REF_BORROWED,
    REF_INLINE,
    REF_BLOCK,
};

/** A text, in the input, in the struct or in a block of its own. */
struct ref_str {
    union {
        struct wabin_str far;
        char near[REF_INLINE_MAX];
    };
    uint8_t storage; /* enum ref_storage */
    uint8_t near_size;
};

struct ref_value {
    struct ref_str text;
    uint16_t device;
    uint16_t integrator;
    uint8_t server;
    uint8_t kind; /* enum wabin_value_kind */
};

struct ref_attr {
    struct ref_str key;
    struct ref_value value;
};

struct ref_node {
    struct ref_str tag;
    struct ref_attr *attrs;
    size_t attr_count;           /* those that were read */
    size_t attr_room;            /* places of the block */
    struct ref_content *content; /* NULL: none */
};

/** What a node holds, in a block of its own. */
struct ref_content {
    enum wabin_content kind;
    struct ref_str text; /* or bytes */
    struct ref_node *nodes;
    size_t node_count;
    size_t node_room;
};

/** The bytes of a text. */
static inline struct wabin_str ref_text(const struct ref_str *s)
{
    return s->storage == REF_INLINE ? wabin_str(s->near, s->near_size)
                                    : s->far;
}

/** Like wabin_decode, with blocks from alloc (NULL: the C library), for
 * wabin_ref_free in any case.  Texts of *error live as long as the input;
 * one that no byte spells is empty. */
MUST_CHECK enum wabin_status wabin_ref_decode(const uint8_t *in,
                                              size_t in_size,
                                              const struct alloc *alloc,
                                              struct ref_node *root,
                                              struct wabin_error *error);

/** Give the blocks of a tree back. */
void wabin_ref_free(struct ref_node *root, const struct alloc *alloc);

/** Both decoders made the same tree. */
bool wabin_ref_equal(const struct ref_node *ref,
                     const struct wabin_node *node);

/** Packed strings half byte by half byte. */
wabin_unpack_fn wabin_unpack_scalar;

#endif
