/* SPDX-License-Identifier: MIT */
/*
 * Trees that own what they hold: building, and copies of decoded trees.
 *
 * Everything is in a doc and lives until its next reset.  A function that
 * fails, for want of memory, returns false or NULL and leaves the node as it
 * was.  Keys, tags and texts are borrowed by the functions named `set` and
 * `push`, as long as the tree lives; wabin_copy() makes a tree independent.
 */
#ifndef WABIN_BUILD_H
#define WABIN_BUILD_H

#include "wabin/wabin_doc.h"
#include "wabin/wabin_node.h"

/** Places for attributes that a new node starts with. */
#define WABIN_ATTRS_INLINE 3

/** A node with a tag, no attributes and no content.  Its first three
 * attributes need no further memory. */
MUST_CHECK struct wabin_node *wabin_node_new(struct wabin_doc *doc,
                                             struct wabin_str tag);

/** Append an attribute, whether or not the key is there. */
MUST_CHECK bool wabin_push_attr(struct wabin_doc *doc, struct wabin_node *node,
                                struct wabin_str key,
                                struct wabin_value value);

/** Set the first value of a key in its place, or append it.  The node must
 * have been built, not decoded. */
MUST_CHECK bool wabin_set_attr(struct wabin_doc *doc, struct wabin_node *node,
                               struct wabin_str key, struct wabin_value value);

/** A value that is a number as decimal text, which the doc holds; text.data
 * is NULL when there is no memory. */
MUST_CHECK struct wabin_value wabin_value_u64(struct wabin_doc *doc,
                                              uint64_t number);

/** Like wabin_value_u64, with a sign. */
MUST_CHECK struct wabin_value wabin_value_i64(struct wabin_doc *doc,
                                              int64_t number);

/** "true" or "false". */
struct wabin_value wabin_value_bool(bool truth);

/** Replace the content by borrowed bytes. */
void wabin_set_bytes(struct wabin_node *node, const void *data, size_t size);

/** Replace the content by borrowed text. */
void wabin_set_text(struct wabin_node *node, struct wabin_str text);

/** Replace the content by borrowed nodes, which stand in an array. */
void wabin_set_nodes(struct wabin_node *node, const struct wabin_node *nodes,
                     size_t count);

/** Replace the content by count new nodes without tags, in an array, for the
 * caller to fill; NULL when there is no memory.  count is at least 1. */
MUST_CHECK struct wabin_node *wabin_new_children(struct wabin_doc *doc,
                                                 struct wabin_node *node,
                                                 size_t count);

/**
 * Copy a tree with all it points to: the copy needs neither the input nor the
 * doc of the original.  JIDs stay structured, bytes stay bytes; tags and keys
 * that are the dictionary's own texts are shared with it.
 *
 * Cost:  one pass; a heap call only where the doc has to grow.
 * Stack: about 100 bytes a level.
 */
MUST_CHECK struct wabin_node *wabin_copy(struct wabin_doc *doc,
                                         const struct wabin_node *node);

/** The content as text: text as it is, bytes with each part that is no UTF-8
 * replaced by U+FFFD (in the doc when there are any); data is NULL when the
 * content is neither, and when there is no memory. */
MUST_CHECK struct wabin_str wabin_content_as_text(
    struct wabin_doc *doc, const struct wabin_node *node);

/** A value as text: a JID is rendered into the doc.  data is NULL when there
 * is no memory. */
MUST_CHECK struct wabin_str wabin_value_as_text(
    struct wabin_doc *doc, const struct wabin_value *value);

#endif
