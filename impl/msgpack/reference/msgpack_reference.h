/* SPDX-License-Identifier: MIT */
/* The walk as its specification tells it, step by step: the oracle of the
 * tests, and what the measured walk is compared with. */
#ifndef REFERENCE_MSGPACK_REFERENCE_H
#define REFERENCE_MSGPACK_REFERENCE_H

#include "msgpack/msgpack.h"

/**
 * Like msgpack_document_size, with the same result in every argument, but
 * plain: every rule is checked at every item, and open levels are always on
 * the heap, from the first one on.
 *
 * Source: the structural pre-scan, steps 1 to 9 of each item.
 */
MUST_CHECK enum msgpack_fault msgpack_reference_size(
    const uint8_t *in, size_t in_size, size_t max_depth,
    const struct alloc *alloc, size_t *size, struct msgpack_error *error);

#endif
