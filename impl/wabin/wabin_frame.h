/* SPDX-License-Identifier: MIT */
/* A decoded tree together with the bytes it borrows from. */
#ifndef WABIN_FRAME_H
#define WABIN_FRAME_H

#include "wabin/wabin_decode.h"
#include "wabin/wabin_unpack.h"

/**
 * A tree and its node bytes, counted by those who hold them: it may be handed
 * on between threads, and lives until the last holder releases it.
 */
struct wabin_frame;

/** A part of a frame's bytes, which keeps the frame. */
struct wabin_slice {
    struct wabin_nodes bytes;
    struct wabin_frame *frame;
};

/**
 * Decode node bytes and keep them with the tree.
 *
 *   bytes    on success their memory is the frame's and *bytes is empty; its
 *            allocator outlives the frame
 *   options  of the doc inside; may be NULL.  No first_block.
 *   frame    out: the first hold, for wabin_frame_release; untouched on
 *            failure
 *
 * Fails as wabin_decode does; where a text of *error would not outlive the
 * call, because no byte spells it, it is empty.
 */
MUST_CHECK enum wabin_status wabin_frame_new(
    struct wabin_buf *bytes, const struct wabin_doc_options *options,
    struct wabin_frame **frame, struct wabin_error *error);

/** The tree, as long as the frame. */
const struct wabin_node *wabin_frame_root(const struct wabin_frame *frame);

/** All the node bytes, unchanged; wabin_pack makes the plain frame of them. */
struct wabin_nodes wabin_frame_bytes(const struct wabin_frame *frame);

/** Hold the frame once more; returns it. */
struct wabin_frame *wabin_frame_hold(struct wabin_frame *frame);

/** Let go of one hold; frame may be NULL. */
void wabin_frame_release(struct wabin_frame *frame);

/** Share a part of the bytes without copying it, such as the content of a
 * node.  Asking for bytes that are not the frame's is a fault of the program,
 * which stops. */
MUST_CHECK struct wabin_slice wabin_frame_share(struct wabin_frame *frame,
                                                struct wabin_str part);

/** Let go of a part. */
void wabin_slice_release(struct wabin_slice *slice);

#endif
