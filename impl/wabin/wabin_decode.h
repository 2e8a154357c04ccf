/* SPDX-License-Identifier: MIT */
/* From bytes to a tree that borrows from them. */
#ifndef WABIN_DECODE_H
#define WABIN_DECODE_H

#include "wabin/wabin_doc.h"
#include "wabin/wabin_error.h"
#include "wabin/wabin_node.h"

/** Levels of nodes that are accepted, the root included; levels of JIDs
 * within JIDs likewise, counted apart. */
#define WABIN_DEPTH_MAX 128

/**
 * Decode node bytes: exactly one node, without a format byte before it.
 *
 *   doc          where the tree goes, behind what the doc holds already; until
 *                its next reset
 *   in, in_size  borrowed as long as the tree; in may be NULL when in_size
 *                is 0
 *   root         out: untouched on failure
 *   error        out: kind, offset and argument of a failure, else only its
 *                status, WABIN_OK; may be NULL
 *
 * WABIN_EOF            the bytes end inside the node
 * WABIN_INVALID_TOKEN  a tag that has no meaning where it stands, or a half
 *                      byte without a character
 * WABIN_INVALID_NODE   a list of nothing, a node without a tag, a JID without
 *                      its user or with another server than its kind has
 * WABIN_NON_STRING_KEY, WABIN_INVALID_UTF8
 * WABIN_ATTR_PARSE     a JID with an unknown server or domain
 * WABIN_MAX_DEPTH      more than WABIN_DEPTH_MAX levels
 * WABIN_LEFTOVER_DATA  bytes behind the node
 * WABIN_NO_MEMORY      the doc could not grow
 *
 * A count is the sender's claim: what is reserved for one is in proportion to
 * the bytes that are there, at most 20 bytes for each, counted over all open
 * lists together.  The doc's blocks come to at most 64 bytes for each, and 1
 * KiB.
 *
 * Cost:   one pass; no heap call when the doc has the room.  Payloads are not
 *         copied.  Recursion of at most WABIN_DEPTH_MAX small frames.
 */
MUST_CHECK enum wabin_status wabin_decode(struct wabin_doc *doc,
                                          const uint8_t *in, size_t in_size,
                                          const struct wabin_node **root,
                                          struct wabin_error *error);

/**
 * Like wabin_decode, but for a plain frame, whose format byte is checked
 * first as wabin_check_plain does.  Offsets count from the format byte.
 */
MUST_CHECK enum wabin_status wabin_decode_frame(struct wabin_doc *doc,
                                                const uint8_t *frame,
                                                size_t frame_size,
                                                const struct wabin_node **root,
                                                struct wabin_error *error);

/**
 * Tell whether a frame is plain and holds something.
 *
 * WABIN_EMPTY_DATA   no byte at all, or none behind the format byte
 * WABIN_FORMAT_BYTE  the first byte is not 0 (checked before emptiness)
 */
MUST_CHECK enum wabin_status wabin_check_plain(const uint8_t *frame,
                                               size_t frame_size,
                                               struct wabin_error *error);

#endif
