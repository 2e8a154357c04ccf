/* SPDX-License-Identifier: MIT */
/* Buffers that end at an unreadable page, so that one byte too far stops the
 * program. */
#ifndef TESTKIT_GUARD_H
#define TESTKIT_GUARD_H

#include <stddef.h>
#include <stdint.h>

/**
 * Copy an input into read-only memory whose next byte cannot be touched.
 *
 *   data, size  borrowed for the call; data may be NULL when size is 0
 *
 * Returns a copy for guard_free, never NULL (the program stops when there is
 * no memory).  Its address has no alignment unless size has.
 */
const uint8_t *guard_copy(const void *data, size_t size);

/** A writable buffer of size zero bytes that ends like guard_copy's: for
 * outputs, and for inputs that a test changes. */
uint8_t *guard_new(size_t size);

/** Unmap a buffer of either kind; size is the one it was made with. */
void guard_free(const uint8_t *buffer, size_t size);

#endif
