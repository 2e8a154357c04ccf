/* SPDX-License-Identifier: MIT */
/* The structural walk over one untrusted MessagePack document: headers only,
 * before any decoder touches the bytes. */
#ifndef MSGPACK_MSGPACK_H
#define MSGPACK_MSGPACK_H

#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/macros.h"

/* Why a walk ended, with the text of each. */
#define MSGPACK_FAULT_LIST(X)                                                 \
    X(MSGPACK_OK, "ok")                                                       \
    X(MSGPACK_UNEXPECTED_END, "ends before the document is complete")         \
    X(MSGPACK_TRUNCATED_PREFIX, "ends inside a length prefix")                \
    X(MSGPACK_RESERVED_MARKER, "contains the reserved marker 0xc1")           \
    X(MSGPACK_TOO_DEEP, "nests deeper than the bound")                        \
    X(MSGPACK_BYTES_OVERCLAIM, "declares more bytes than the input holds")    \
    X(MSGPACK_ELEMENTS_OVERCLAIM,                                             \
      "declares more elements than the input can back")                       \
    X(MSGPACK_OUT_OF_MEMORY, "out of memory")

enum msgpack_fault {
#define X(name, text) name,
    MSGPACK_FAULT_LIST(X)
#undef X
};

/** A rejection: a plain value, of which msgpack_error_text makes words. */
struct msgpack_error {
    enum msgpack_fault fault;
    size_t max_depth; /* the caller's bound */
    size_t fault_at;  /* byte offset of the marker at which the walk ended */
};

/**
 * Check that a buffer starts with one complete document whose declared sizes
 * its bytes can back.
 *
 *   in, in_size  borrowed for the call; bytes after the document are allowed.
 *                in may be NULL when in_size is 0
 *   max_depth    collections that may stand one inside another, applied as
 *                given: 0 accepts no collection at all.  Readers of the wire
 *                format choose 32 to 1024
 *   alloc        memory for open collections past the eighth; NULL is the C
 *                library.  Nothing is asked for before a ninth is open, and
 *                all is released on return
 *   error        out, on failure only: the rejection; may be NULL
 *
 * MSGPACK_UNEXPECTED_END      there are no bytes at all
 * MSGPACK_TRUNCATED_PREFIX    the input ends inside a length prefix
 * MSGPACK_RESERVED_MARKER     marker 0xc1, which the format leaves unassigned
 * MSGPACK_TOO_DEEP            a collection, empty or not, opens inside
 *                             max_depth others
 * MSGPACK_BYTES_OVERCLAIM     an item is longer than the bytes left
 * MSGPACK_ELEMENTS_OVERCLAIM  more items are owed than bytes are left
 * MSGPACK_OUT_OF_MEMORY       alloc has none; says nothing about the input
 *
 * Of several that apply, the one at the first item wins, and at one item the
 * order is: reserved, prefix, depth, bytes, elements.
 *
 * Cost:   proportional to the number of items, not of bytes; a rejected
 *         document is walked a second time.  No recursion.
 * Source: MessagePack specification, section "Formats"; cachekit protocol,
 *         "Decode bounds".
 */
MUST_CHECK enum msgpack_fault msgpack_check(const uint8_t *in, size_t in_size,
                                            size_t max_depth,
                                            const struct alloc *alloc,
                                            struct msgpack_error *error);

/**
 * Like msgpack_check, but also measure the document.
 *
 *   size  out: bytes of the document, 1 to in_size; untouched on failure; may
 *         be NULL
 */
MUST_CHECK enum msgpack_fault msgpack_document_size(
    const uint8_t *in, size_t in_size, size_t max_depth,
    const struct alloc *alloc, size_t *size, struct msgpack_error *error);

/**
 * Put an error into words, as snprintf does: at most text_size bytes with
 * the terminator are written, and the length of the whole text is returned.
 * text may be NULL when text_size is 0.  Allocates nothing.
 */
int msgpack_error_text(const struct msgpack_error *error, char *text,
                       size_t text_size);

/** Static text of a fault alone, without its numbers; never NULL. */
const char *msgpack_fault_text(enum msgpack_fault fault);

/** What the header of one item declares. */
struct msgpack_head {
    size_t head_size;      /* bytes of the marker and its length prefix */
    uint64_t payload_size; /* bytes of this item after its header */
    uint64_t child_count;  /* items of a collection; a pair of a map is two */
};

/**
 * Read the header of one item.
 *
 *   in, in_size  borrowed for the call
 *   at           offset of its marker, below in_size
 *   head         out: what it declares, which nothing has checked against
 *                the input; untouched on failure
 *
 * MSGPACK_TRUNCATED_PREFIX, MSGPACK_RESERVED_MARKER  as for msgpack_check
 *
 * In a document that was accepted, the next item stands at
 * at + head_size + payload_size.
 */
MUST_CHECK enum msgpack_fault msgpack_head_read(const uint8_t *in,
                                                size_t in_size, size_t at,
                                                struct msgpack_head *head);

#endif
