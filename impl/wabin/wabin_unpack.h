/* SPDX-License-Identifier: MIT */
/* Frames: a format byte, then node bytes, plain or compressed. */
#ifndef WABIN_UNPACK_H
#define WABIN_UNPACK_H

#include "base/alloc.h"
#include "wabin/wabin_encode.h"
#include "wabin/wabin_error.h"

/** Most bytes that a compressed frame may become. */
#define WABIN_UNPACK_MAX 16777216

/** What inflating keeps between frames: setting it up costs far more than
 * resetting it.  One a thread.  Its members are the module's. */
struct wabin_unpacker {
    struct wabin_inflate *inflate; /* NULL until the first compressed frame */
    size_t max_size;
    const struct alloc *alloc;
};

/**
 * Start an unpacker.  Allocates nothing.
 *
 *   max_size  most bytes a compressed frame may become; WABIN_UNPACK_MAX is
 *             the protocol's limit
 *   alloc     outlives it; NULL is the C library
 */
void wabin_unpacker_init(struct wabin_unpacker *unpacker, size_t max_size,
                         const struct alloc *alloc);

/** Give the state back; the unpacker may be used again. */
void wabin_unpacker_release(struct wabin_unpacker *unpacker);

/** Node bytes: a view of a plain frame, or of the buffer that an unpacked one
 * went to. */
struct wabin_nodes {
    const uint8_t *data;
    size_t size; /* may be 0, which is no failure */
};

/**
 * Take the format byte off a frame, and inflate what it says is compressed.
 *
 *   frame, frame_size  borrowed for the call, and for a plain frame as long as
 *                      *nodes
 *   out    where inflated bytes go; its memory is used again, its size is 0
 *          after a failure; untouched for a plain frame
 *   nodes  out: untouched on failure
 *
 * WABIN_EMPTY_DATA  not even a format byte
 * WABIN_ZLIB        the stream is too large, cut short, corrupt, or needs a
 *                   dictionary, or there is no memory
 *
 * Bytes behind the stream are ignored.  Holds at most max_size + 1 bytes, and
 * half as much again while the buffer moves.
 */
MUST_CHECK enum wabin_status wabin_unpack(struct wabin_unpacker *unpacker,
                                          const uint8_t *frame,
                                          size_t frame_size,
                                          struct wabin_buf *out,
                                          struct wabin_nodes *nodes,
                                          struct wabin_error *error);

/** Put the plain format byte before node bytes.  out's memory is used again.
 * WABIN_NO_MEMORY */
MUST_CHECK enum wabin_status wabin_pack(const uint8_t *nodes,
                                        size_t nodes_size,
                                        struct wabin_buf *out);

#endif
