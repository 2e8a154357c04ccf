/* SPDX-License-Identifier: MIT */
/* A feature's geometry: decoded into a block of its own, into a buffer that
 * one feature after the other uses, or told to callbacks. */
#ifndef MVT_MVT_GEOMETRY_H
#define MVT_MVT_GEOMETRY_H

#include "mvt/mvt_reader.h"

/**
 * Decode a feature's geometry into memory of its own.
 *
 *   alloc  NULL is the C library
 *   out    for mvt_geometry_free; untouched on failure
 *
 * MVT_INVALID_GEOMETRY  the type is absent or UNKNOWN, or the commands are
 *                       not what the type wants; nothing of them is kept
 * MVT_NO_MEMORY
 *
 * No commands at all are an empty MULTIPOINT, MULTILINESTRING or
 * MULTIPOLYGON.  Deltas saturate at the ends of 32 bits.
 *
 * Cost:   one pass over the commands; one allocation of the exact size, none
 *         for a POINT or an empty geometry, and a second one while it works
 *         when there are more than about 1,000 vertices.
 * Source: Vector Tile Specification 2.1, section 4.3.
 */
MUST_CHECK enum mvt_fault mvt_feature_geometry(
    const struct mvt_feature *feature, const struct alloc *alloc,
    struct mvt_geometry *out);

/** Memory for one geometry after the other. */
struct mvt_buffer {
    const struct alloc *alloc;
    uint64_t *block;
    size_t block_size;
};

/** Start an empty buffer; alloc outlives it, NULL is the C library. */
void mvt_buffer_init(struct mvt_buffer *buffer, const struct alloc *alloc);

/** Give the memory back; the buffer is empty afterwards. */
void mvt_buffer_free(struct mvt_buffer *buffer);

/**
 * Like mvt_feature_geometry, but into a buffer.  What out points to belongs
 * to the buffer and is there until its next use; mvt_geometry_free does
 * nothing to it.
 *
 * Cost: no allocation, but when the buffer has to grow: at least to the
 *       double, to about 7 bytes for each byte of the feature's geometry.
 */
MUST_CHECK enum mvt_fault mvt_feature_geometry_buffer(
    const struct mvt_feature *feature, struct mvt_buffer *buffer,
    struct mvt_geometry *out);

/** What a caller wants to be told of; a NULL function is not called.  Each
 * returns whether to go on. */
struct mvt_visitor {
    bool (*layer)(void *ctx, struct mvt_layer layer);
    bool (*feature)(void *ctx, const struct mvt_feature *feature);
    /** the kind, before its vertices */
    bool (*geometry)(void *ctx, enum mvt_geometry_kind kind);
    /** a polygon begins; its exterior ring is the next part */
    bool (*polygon)(void *ctx);
    /** a line or ring, whole; or all vertices of a point geometry */
    bool (*part)(void *ctx, const struct mvt_point *points, size_t count);
    bool (*property)(void *ctx, const struct mvt_string *key,
                     const struct mvt_value *value);
    /** a geometry or property that cannot be read; number as in
     * mvt_properties_next */
    bool (*fault)(void *ctx, enum mvt_fault fault, uint32_t number);
    void *ctx;
};

/**
 * Tell a visitor all about a feature: itself, its geometry, its properties.
 *
 *   buffer  for the geometry; not used when visitor has none of its functions
 *
 * MVT_END  a function said not to go on
 * MVT_NO_MEMORY
 *
 * Cost: no allocation but the buffer's.
 */
MUST_CHECK enum mvt_fault mvt_feature_visit(const struct mvt_feature *feature,
                                            struct mvt_buffer *buffer,
                                            const struct mvt_visitor *visitor);

/** Like mvt_feature_visit, for each layer and its features, in order. */
MUST_CHECK enum mvt_fault mvt_reader_visit(const struct mvt_reader *reader,
                                           struct mvt_buffer *buffer,
                                           const struct mvt_visitor *visitor);

#endif
