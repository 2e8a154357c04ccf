/* SPDX-License-Identifier: MIT */
/* Writing a tile: layer after layer, feature after feature, each encoded as it
 * ends. */
#ifndef MVT_MVT_WRITER_H
#define MVT_MVT_WRITER_H

#include "base/dethash.h"
#include "mvt/mvt_arena.h"
#include "mvt/mvt_bytes.h"
#include "mvt/mvt_error.h"
#include "mvt/mvt_types.h"

/** Key of the hash by which a writer finds keys and values again.  Output
 * never depends on it.  Set another one, drawn at random, where strangers
 * choose keys and values and could learn this one. */
#define MVT_WRITER_SEED                                                       \
    ((struct dethash_seed){UINT64_C(0x6c62272e07bb0142),                      \
                           UINT64_C(0x62b821756295c58d)})

/** How to write; all zero is the default. */
struct mvt_writer_options {
    const struct alloc *alloc;       /* outlives the writer; NULL: C library */
    const struct dethash_seed *seed; /* copied; NULL: MVT_WRITER_SEED */
};

/** What is open. */
enum mvt_writer_state {
    MVT_WRITER_TILE,
    MVT_WRITER_LAYER,
    MVT_WRITER_FEATURE,       /* to which pieces are added */
    MVT_WRITER_FEATURE_WHOLE, /* which began with its geometry */
};

/** Keys or values of a layer, numbered by first use. */
struct mvt_writer_table {
    struct dethash numbers; /* by content */
    uint64_t count;
};

/**
 * A tile that is being written.  Its fields are the writer's own.
 *
 * Each function below says what must be open; called at another time it
 * returns MVT_MISUSE and changes nothing.  Nothing of a feature that is
 * dropped, or of a layer, shows in the output.  A failure leaves everything
 * as it was before the call.
 */
struct mvt_writer {
    const struct alloc *alloc;
    struct dethash_seed seed;
    enum mvt_writer_state state;
    struct mvt_error error; /* of the last call that failed */
    struct mvt_bytes tile;  /* whole layers */

    /* the open layer */
    struct mvt_arena strings; /* its name, keys and string values */
    struct mvt_string name;
    uint32_t extent;
    size_t feature_count;
    struct mvt_bytes features; /* fields of the layer, encoded */
    struct mvt_bytes keys;
    struct mvt_bytes values;
    struct mvt_writer_table key_table;
    struct mvt_writer_table string_table;
    struct mvt_writer_table number_table;
    uint64_t value_count;

    /* the open feature */
    bool has_id;
    uint64_t id;
    enum mvt_type type;
    struct mvt_point cursor;
    size_t tag_count;          /* pairs */
    struct mvt_bytes tags;     /* packed */
    struct mvt_bytes commands; /* packed */
    struct mvt_bytes undo;     /* what it added to the tables */
    size_t keys_before;        /* sizes and counts when it began */
    size_t values_before;
    uint64_t key_count_before;
    uint64_t value_count_before;
};

/* ---- the tile ------------------------------------------------------------
 */

/** An empty tile; options NULL is the default. */
void mvt_writer_init(struct mvt_writer *w,
                     const struct mvt_writer_options *options);

/** Start again with an empty tile, whatever is open.  Memory is kept, so that
 * a writer that has written a tile writes others like it without an
 * allocation. */
void mvt_writer_reset(struct mvt_writer *w);

/** Give everything back; the writer is as after mvt_writer_init. */
void mvt_writer_free(struct mvt_writer *w);

/**
 * The tile's bytes; nothing may be open.
 *
 *   data, size  out: the writer's, until its next call
 *
 * Layers that were written apart may be joined: their bytes behind one
 * another are a tile.
 */
MUST_CHECK enum mvt_fault mvt_writer_encode(struct mvt_writer *w,
                                            const uint8_t **data,
                                            size_t *size);

/* ---- layers --------------------------------------------------------------
 */

/**
 * Begin a layer; nothing may be open.
 *
 *   name  copied; UTF-8
 *
 * MVT_MISSING_LAYER_NAME  it is empty
 * MVT_NO_MEMORY
 *
 * Names may repeat.  The extent is MVT_EXTENT_DEFAULT.
 */
MUST_CHECK enum mvt_fault mvt_writer_layer(struct mvt_writer *w,
                                           struct mvt_string name);

/** End the open layer and begin another; as mvt_writer_end_layer and
 * mvt_writer_layer, but nothing happens when either would fail. */
MUST_CHECK enum mvt_fault mvt_writer_next_layer(struct mvt_writer *w,
                                                struct mvt_string name);

/** Set the open layer's extent; MVT_MISUSE when it is 0. */
MUST_CHECK enum mvt_fault mvt_writer_extent(struct mvt_writer *w,
                                            uint32_t extent);

/** Features of the open layer that have ended. */
size_t mvt_writer_feature_count(const struct mvt_writer *w);

/** Close the open layer into the tile.  MVT_ENCODE: it, or the tile with it,
 * is larger than 2 GiB.  MVT_NO_MEMORY. */
MUST_CHECK enum mvt_fault mvt_writer_end_layer(struct mvt_writer *w);

/** Forget the open layer, and the open feature with it. */
enum mvt_fault mvt_writer_drop_layer(struct mvt_writer *w);

/* ---- features ------------------------------------------------------------
 */

/**
 * Begin a feature with a geometry; a layer must be open.
 *
 * MVT_INVALID_GEOMETRY  a line, or the exterior ring of a polygon, is empty
 * MVT_COMMAND_COUNT     more than 2^29 - 1 points, or vertices of a line
 * MVT_NO_MEMORY
 *
 * A multi geometry may be empty.  Rings are turned so that an exterior one has
 * a positive area, an interior one a negative one; a repeated first vertex
 * at their end is left out.
 */
MUST_CHECK enum mvt_fault mvt_writer_feature(
    struct mvt_writer *w, const struct mvt_geometry *geometry);

/** Begin a feature of type POINT, LINESTRING or POLYGON (others are
 * MVT_MISUSE), to which pieces are added. */
MUST_CHECK enum mvt_fault mvt_writer_feature_of(struct mvt_writer *w,
                                                enum mvt_type type);

/* Pieces of a feature that began with mvt_writer_feature_of.  They fail like
 * mvt_writer_feature; MVT_INVALID_GEOMETRY also where the type is another. */

/** One MoveTo with all points; none add nothing. */
MUST_CHECK enum mvt_fault mvt_writer_points(struct mvt_writer *w,
                                            const struct mvt_point *points,
                                            size_t count);
MUST_CHECK enum mvt_fault mvt_writer_line(struct mvt_writer *w,
                                          const struct mvt_point *points,
                                          size_t count);
MUST_CHECK enum mvt_fault mvt_writer_ring(struct mvt_writer *w,
                                          const struct mvt_point *points,
                                          size_t count, bool is_exterior);

/** Set the open feature's id, which may be 0, or take it back. */
MUST_CHECK enum mvt_fault mvt_writer_id(struct mvt_writer *w, bool has_id,
                                        uint64_t id);

/**
 * Add a property to the open feature.
 *
 *   key    copied when the layer does not have it yet
 *   value  likewise; of the kind NULL: nothing happens
 *
 * MVT_INDEX_OVERFLOW  the layer has 2^32 keys, or values
 * MVT_NO_MEMORY
 *
 * Equal keys share a number, equal values (mvt_value_equal) do.
 *
 * Cost: two hashes, three where something is new.
 */
MUST_CHECK enum mvt_fault mvt_writer_tag(struct mvt_writer *w,
                                         struct mvt_string key,
                                         const struct mvt_value *value);

/** mvt_writer_tag with a UInt for n >= 0, and an SInt below. */
MUST_CHECK enum mvt_fault mvt_writer_tag_auto_int(struct mvt_writer *w,
                                                  struct mvt_string key,
                                                  int64_t n);

/** Properties that the open feature has. */
size_t mvt_writer_tag_count(const struct mvt_writer *w);

/** Close the open feature into its layer.  MVT_NO_MEMORY. */
MUST_CHECK enum mvt_fault mvt_writer_end_feature(struct mvt_writer *w);

/** Forget the open feature, with the keys and values that it brought. */
enum mvt_fault mvt_writer_drop_feature(struct mvt_writer *w);

#endif
