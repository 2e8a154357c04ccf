/* SPDX-License-Identifier: MIT */
/* A tile as the message of its schema: every field as it came, nothing
 * resolved, nothing refused that the wire format allows. */
#ifndef MVT_MVT_PROTO_H
#define MVT_MVT_PROTO_H

#include "mvt/mvt_reader.h"

/** vector_tile.Tile.Value.  A field counts when its bit is set in present. */
struct mvt_proto_value {
    struct mvt_string string_value; /* borrows the tile's bytes */
    float float_value;
    double double_value;
    int64_t int_value;
    uint64_t uint_value;
    int64_t sint_value;
    bool bool_value;
    uint8_t present; /* 1 << enum mvt_value_kind */
};

/** Numbers in one block. */
struct mvt_proto_numbers {
    uint32_t *data;
    size_t count;
    size_t capacity;
};

/** vector_tile.Tile.Feature. */
struct mvt_proto_feature {
    uint64_t id;
    struct mvt_proto_numbers tags;
    struct mvt_proto_numbers geometry;
    int8_t type; /* enum mvt_type */
    bool has_id;
};

/** vector_tile.Tile.Layer. */
struct mvt_proto_layer {
    struct mvt_string name; /* borrows, like the keys */
    struct mvt_proto_feature *features;
    struct mvt_string *keys;
    struct mvt_proto_value *values;
    size_t feature_count;
    size_t feature_capacity;
    size_t key_count;
    size_t key_capacity;
    size_t value_count;
    size_t value_capacity;
    uint32_t version;
    uint32_t extent;
    bool has_name;
    bool has_version;
    bool has_extent;
};

/** vector_tile.Tile. */
struct mvt_proto_tile {
    struct mvt_proto_layer *layers;
    size_t layer_count;
    size_t layer_capacity;
    const struct alloc *alloc;
};

/**
 * Decode a tile field by field.  The plain way: an array for each repeated
 * field, which grows as elements come.
 *
 *   tile, size  strings borrow it
 *   alloc       outlives the message; NULL is the C library
 *   out         for mvt_proto_free; untouched on failure
 *   error       out: filled on failure; PROTOBUF_NO_MEMORY included
 *
 * Fails where mvt_reader_open fails with MVT_DECODE, with the same error, but
 * has no limit of element memory; accepts layers without name or version.
 */
MUST_CHECK enum protobuf_fault mvt_proto_decode(const uint8_t *tile,
                                                size_t size,
                                                const struct alloc *alloc,
                                                struct mvt_proto_tile *out,
                                                struct protobuf_error *error);

/**
 * The message of an open tile, decoded from its bytes again.
 *
 *   fill_extent  give layers without an extent the default one
 *
 * MVT_NO_MEMORY
 */
MUST_CHECK enum mvt_fault mvt_reader_to_proto(const struct mvt_reader *reader,
                                              const struct alloc *alloc,
                                              bool fill_extent,
                                              struct mvt_proto_tile *out);

/** Give a message back; it is empty afterwards. */
void mvt_proto_free(struct mvt_proto_tile *tile);

#endif
