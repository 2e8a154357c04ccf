/* SPDX-License-Identifier: MIT */
/* A tile of its own: layers, features and properties that need no bytes of a
 * tile any more, to be changed, compared and written. */
#ifndef MVT_MVT_TILE_H
#define MVT_MVT_TILE_H

#include "mvt/mvt_arena.h"
#include "mvt/mvt_properties.h"
#include "mvt/mvt_reader.h"

/** A feature.  Its properties may have the kind NULL, which is not written. */
struct mvt_tile_feature {
    bool has_id;
    uint64_t id;
    struct mvt_geometry geometry;
    struct mvt_pair *properties; /* in the order of the tags */
    size_t property_count;
};

/** A layer.  The version is not part of it: 2 is written. */
struct mvt_tile_layer {
    struct mvt_string name;
    uint32_t extent; /* at least 1 */
    struct mvt_tile_feature *features;
    size_t feature_count;
};

/**
 * A tile.  One that a reader made has all its memory in `memory`; a caller may
 * also point layers to arrays of its own, with an empty memory, and keep them
 * as long as the tile is used.
 */
struct mvt_tile {
    struct mvt_tile_layer *layers;
    size_t layer_count;
    struct mvt_arena memory;
};

/**
 * Copy an open tile out of its bytes.
 *
 *   alloc  outlives the tile; NULL is the C library
 *   out    for mvt_tile_free; untouched on failure
 *   error  out: filled on failure
 *
 * The first failure of, layer by layer: MVT_INVALID_EXTENT (stored as 0),
 * then feature by feature those of its properties and that of its geometry.
 * MVT_NO_MEMORY.  Nothing is kept on failure.
 *
 * Cost: strings of a layer are copied once, however often they are used; an
 *       allocation for about 16 KiB.
 */
MUST_CHECK enum mvt_fault mvt_reader_to_tile(const struct mvt_reader *reader,
                                             const struct alloc *alloc,
                                             struct mvt_tile *out,
                                             struct mvt_error *error);

/** Like mvt_reader_to_tile, for one layer, into memory of the caller's, which
 * keeps what was copied before a failure. */
MUST_CHECK enum mvt_fault mvt_layer_to_layer(struct mvt_layer layer,
                                             struct mvt_arena *memory,
                                             struct mvt_tile_layer *out,
                                             struct mvt_error *error);

/** Like mvt_layer_to_layer, for one feature; its strings are copied, too. */
MUST_CHECK enum mvt_fault mvt_feature_to_feature(
    const struct mvt_feature *feature, struct mvt_arena *memory,
    struct mvt_tile_feature *out, struct mvt_error *error);

/** A deep copy, in one allocation.  MVT_NO_MEMORY: out is untouched. */
MUST_CHECK enum mvt_fault mvt_tile_copy(const struct mvt_tile *tile,
                                        const struct alloc *alloc,
                                        struct mvt_tile *out);

/** The same layers, features, ids, geometries and properties, in order. */
bool mvt_tile_equal(const struct mvt_tile *a, const struct mvt_tile *b);

/** Give the tile's memory back; it has no layers afterwards. */
void mvt_tile_free(struct mvt_tile *tile);

#endif
