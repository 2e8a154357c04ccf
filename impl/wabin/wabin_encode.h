/* SPDX-License-Identifier: MIT */
/* From a tree to a frame.  All ways give the same bytes for the same tree. */
#ifndef WABIN_ENCODE_H
#define WABIN_ENCODE_H

#include "base/alloc.h"
#include "base/status.h"
#include "wabin/wabin_error.h"
#include "wabin/wabin_node.h"

/** Capacity that wabin_marshal_plain starts with, in bytes. */
#define WABIN_CAPACITY_MIN 1024

/** Most bytes that wabin_marshal_auto starts with. */
#define WABIN_CAPACITY_MAX 524288

/** A buffer that grows.  {.alloc = a} is an empty one. */
struct wabin_buf {
    uint8_t *data; /* NULL while capacity is 0 */
    size_t size;   /* bytes in use */
    size_t capacity;
    const struct alloc *alloc; /* NULL: the C library */
};

/** Give the buffer's memory back; it is empty afterwards. */
void wabin_buf_release(struct wabin_buf *buf);

/** Where a frame can go piece by piece.  put returns ST_OK or why it
 * cannot. */
struct wabin_sink {
    enum status (*put)(void *ctx, const void *data, size_t size);
    void *ctx;
};

/**
 * Encode a tree as a plain frame, in one pass into a new buffer that doubles.
 *
 *   node   borrowed for the call
 *   out    its old memory is given back first; empty on failure
 *   error  out on failure; may be NULL
 *
 * WABIN_INVALID_NODE  more than 65,535 children of a node, or list elements
 *                     (tag, two an attribute, content)
 * WABIN_ATTR_PARSE    a structured JID with a device above 255 where the wire
 *                     has one byte for it
 * WABIN_NO_MEMORY
 *
 * Stack: about 100 bytes a level of the tree.
 */
MUST_CHECK enum wabin_status wabin_marshal_plain(const struct wabin_node *node,
                                                 struct wabin_buf *out,
                                                 struct wabin_error *error);

/** Like wabin_marshal_plain, but a tree that is visibly large starts with a
 * buffer of its estimated size. */
MUST_CHECK enum wabin_status wabin_marshal_auto(const struct wabin_node *node,
                                                struct wabin_buf *out,
                                                struct wabin_error *error);

/**
 * Like wabin_marshal_plain, but in two passes: the first computes the exact
 * size and notes how each string is written, the second writes into a buffer
 * of that capacity.  A tree of up to 32 strings needs one allocation.
 *
 * WABIN_PLAN_MISMATCH  the tree changed between the passes
 */
MUST_CHECK enum wabin_status wabin_marshal_exact(const struct wabin_node *node,
                                                 struct wabin_buf *out,
                                                 struct wabin_error *error);

/** Like wabin_marshal_plain, but into a buffer whose memory is kept and used
 * again; its size is 0 after a failure. */
MUST_CHECK enum wabin_status wabin_marshal_into(const struct wabin_node *node,
                                                struct wabin_buf *out,
                                                struct wabin_error *error);

/**
 * Like wabin_marshal_plain, but handed on piece by piece; what was handed on
 * before a failure stays there.
 *
 * WABIN_IO  the sink refused; error->text says why
 */
MUST_CHECK enum wabin_status wabin_marshal_sink(const struct wabin_node *node,
                                                const struct wabin_sink *sink,
                                                struct wabin_error *error);

/** The initial capacity that wabin_marshal_auto takes for a tree. */
size_t wabin_capacity_estimate(const struct wabin_node *node);

#endif
