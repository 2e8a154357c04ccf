/* SPDX-License-Identifier: MIT */
/* A peer: the traversal of a tile as one writes it by hand on protozero. */
#ifndef CASES_MVT_PEER_MVT_PROTOZERO_H
#define CASES_MVT_PEER_MVT_PROTOZERO_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Read ids, geometries and properties of a tile; returns the sum that
 * mvt/traverse_buffer returns for it, or 0 when protozero throws.
 *
 * Checks less than the reader does: no UTF-8, no wire types of fields that it
 * does not read, and only as far as it reads.
 */
uint64_t mvt_protozero_traverse(const uint8_t *tile, size_t size);

#ifdef __cplusplus
}
#endif

#endif
