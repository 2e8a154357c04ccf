/* SPDX-License-Identifier: MIT */
/* Reading a vector tile: one pass over its bytes, nothing kept but a few
 * arrays for the whole tile.  Strings, tags and geometry stay in the tile's
 * bytes, checked when it is opened and decoded when they are read. */
#ifndef MVT_MVT_READER_H
#define MVT_MVT_READER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/macros.h"
#include "mvt/mvt_error.h"
#include "mvt/mvt_types.h"
#include "protobuf/protobuf_kernels.h"

/** Bytes of element memory that one tile may use up by default. */
#define MVT_ELEMENT_LIMIT_DEFAULT (32u << 20)

/** What each element takes from that limit.  Constants of the interface, not
 * the size of our structs: a tile that opens goes on opening. */
#define MVT_LAYER_CHARGE   64
#define MVT_FEATURE_CHARGE 56
#define MVT_KEY_CHARGE     16
#define MVT_VALUE_CHARGE   24

/** How to read; all zero is the default. */
struct mvt_options {
    size_t element_limit;      /* bytes; 0 is MVT_ELEMENT_LIMIT_DEFAULT */
    enum protobuf_path path;   /* all give the same results */
    const struct alloc *alloc; /* outlives the reader; NULL: C library */
};

/** Bits of mvt_feature_record.flags. */
enum {
    MVT_FEATURE_HAS_ID = 1,
    MVT_FEATURE_TAGS_JOINED = 2,     /* tags_at is an offset in `joined` */
    MVT_FEATURE_GEOMETRY_JOINED = 4, /* and so is geometry_at */
};

/** A feature as the reader keeps it; read it through mvt_feature_*. */
struct mvt_feature_record {
    uint64_t id;
    uint32_t tags_at; /* packed payloads: offset and size in bytes */
    uint32_t tags_size;
    uint32_t geometry_at;
    uint32_t geometry_size;
    uint32_t elements_at; /* index in the reader's `elements` */
    int8_t type;          /* enum mvt_type */
    uint8_t flags;
};

/** A layer as the reader keeps it; read it through mvt_layer_*. */
struct mvt_layer_record {
    struct mvt_string name;
    const struct mvt_feature_record *features; /* its parts of the arrays */
    const struct mvt_string *keys;
    const struct mvt_value *values;
    uint32_t feature_count;
    uint32_t key_count;
    uint32_t value_count;
    uint32_t version;
    uint32_t extent;
    bool has_extent;
};

/** A way to decode geometry; the reader holds that of its path. */
struct mvt_geometry_decoder;
enum mvt_decoded;
typedef enum mvt_decoded mvt_geometry_decode_fn(struct mvt_geometry_decoder *d,
                                                enum mvt_type type);

/** An open tile.  Its fields are the reader's own. */
struct mvt_reader {
    const uint8_t *tile;
    size_t tile_size;
    void *block; /* of the next four arrays */
    struct mvt_layer_record *layers;
    struct mvt_feature_record *features;
    struct mvt_string *keys;
    struct mvt_value *values;
    size_t layer_count;
    size_t feature_count;
    size_t block_size;
    uint8_t *joined; /* fields that came in several records */
    size_t joined_size;
    size_t joined_capacity;
    struct mvt_options options;
    enum protobuf_path path; /* that of the options, resolved */
    protobuf_unpack_u32_fn *unpack;
    mvt_geometry_decode_fn *decode_geometry;
    uint32_t *elements; /* of all tags and geometry, made on first use */
    size_t element_count;
    pthread_mutex_t elements_lock;
};

/** A layer of an open tile.  Copy it freely; it owns nothing. */
struct mvt_layer {
    const struct mvt_reader *reader;
    const struct mvt_layer_record *record;
};

/** A feature of an open tile.  Copy it freely; it owns nothing. */
struct mvt_feature {
    const struct mvt_reader *reader;
    const struct mvt_layer_record *layer;
    const struct mvt_feature_record *record;
};

/* ---- opening ------------------------------------------------------------ */

/** Start a reader that holds no tile.  options are copied; NULL is the
 * default.  Do not move the struct until mvt_reader_free. */
void mvt_reader_init(struct mvt_reader *reader,
                     const struct mvt_options *options);

/**
 * Read a tile.  A reader may be used again and again; what it needed for
 * larger tiles before costs no allocation now.
 *
 *   tile, size  borrowed as long as anything of the tile is used; tile may
 *               be NULL when size is 0, which is a tile without layers
 *   error       out: filled on failure
 *
 * MVT_DECODE               wire errors, in the order of the bytes; a tile of
 *                          4 GiB or more, before any byte is read; elements
 *                          beyond the limit
 * MVT_MISSING_LAYER_NAME   after all wire errors, layer by layer
 * MVT_UNSUPPORTED_VERSION  likewise
 * MVT_NO_MEMORY
 *
 * After a failure the reader holds no tile.  Not for concurrent use, and
 * what was read from the tile before becomes invalid.
 *
 * Cost:   one pass; one allocation, of about 1.5 bytes a tile byte, with
 *         places of 16 to 64 bytes for layers, features, keys and values; a
 *         larger one in its stead when the tile has more of them than usual;
 *         one more, which may grow, when a feature has tags or geometry in
 *         several records.
 * Source: Vector Tile Specification 2.1, section 4.
 */
MUST_CHECK enum mvt_fault mvt_reader_open(struct mvt_reader *reader,
                                          const uint8_t *tile, size_t size,
                                          struct mvt_error *error);

/** Give everything back; the reader is as after mvt_reader_init. */
void mvt_reader_free(struct mvt_reader *reader);

/* ---- layers ------------------------------------------------------------- */

static inline size_t mvt_reader_layer_count(const struct mvt_reader *reader)
{
    return reader->layer_count;
}

/** The layer at a position below mvt_reader_layer_count. */
static inline struct mvt_layer mvt_reader_layer(
    const struct mvt_reader *reader, size_t at)
{
    return (struct mvt_layer){reader, reader->layers + at};
}

/** Never empty. */
static inline struct mvt_string mvt_layer_name(struct mvt_layer layer)
{
    return layer.record->name;
}

/** 1, 2 or 3. */
static inline uint32_t mvt_layer_version(struct mvt_layer layer)
{
    return layer.record->version;
}

/** As stored, 0 included; MVT_EXTENT_DEFAULT when the layer has none. */
static inline uint32_t mvt_layer_extent(struct mvt_layer layer)
{
    return layer.record->extent;
}

/** Whether the layer gives its extent. */
static inline bool mvt_layer_has_extent(struct mvt_layer layer)
{
    return layer.record->has_extent;
}

static inline size_t mvt_layer_feature_count(struct mvt_layer layer)
{
    return layer.record->feature_count;
}

static inline size_t mvt_layer_key_count(struct mvt_layer layer)
{
    return layer.record->key_count;
}

/** All keys in order, duplicates and unused ones included. */
static inline const struct mvt_string *mvt_layer_keys(struct mvt_layer layer)
{
    return layer.record->keys;
}

static inline size_t mvt_layer_value_count(struct mvt_layer layer)
{
    return layer.record->value_count;
}

/** All values in order, each resolved to one kind. */
static inline const struct mvt_value *mvt_layer_values(struct mvt_layer layer)
{
    return layer.record->values;
}

/** The feature at a position below mvt_layer_feature_count. */
static inline struct mvt_feature mvt_layer_feature(struct mvt_layer layer,
                                                   size_t at)
{
    return (struct mvt_feature){layer.reader, layer.record,
                                layer.record->features + at};
}

/* ---- features ----------------------------------------------------------- */

/** Whether the feature has an id, which may be 0, and the id: 0 without. */
static inline bool mvt_feature_id(const struct mvt_feature *feature,
                                  uint64_t *id)
{
    *id = feature->record->id;
    return (feature->record->flags & MVT_FEATURE_HAS_ID) != 0;
}

static inline enum mvt_type mvt_feature_type(const struct mvt_feature *feature)
{
    return (enum mvt_type)feature->record->type;
}

/** Whether its tags have at least one element. */
static inline bool mvt_feature_has_properties(
    const struct mvt_feature *feature)
{
    return feature->record->tags_size != 0;
}

/** Where a feature's tags are, ready to be unpacked. */
static inline struct protobuf_unpacker mvt_feature_tags_payload(
    const struct mvt_feature *feature)
{
    const struct mvt_reader *r = feature->reader;
    const struct mvt_feature_record *f = feature->record;
    bool joined = UNLIKELY((f->flags & MVT_FEATURE_TAGS_JOINED) != 0);
    const uint8_t *base = joined ? r->joined : r->tile;

    return (struct protobuf_unpacker){
        .at = base + f->tags_at,
        .end = base + f->tags_at + f->tags_size,
        .readable = base + (joined ? r->joined_capacity : r->tile_size)};
}

/** Where a feature's geometry commands are, ready to be unpacked. */
static inline struct protobuf_unpacker mvt_feature_geometry_payload(
    const struct mvt_feature *feature)
{
    const struct mvt_reader *r = feature->reader;
    const struct mvt_feature_record *f = feature->record;
    bool joined = UNLIKELY((f->flags & MVT_FEATURE_GEOMETRY_JOINED) != 0);
    const uint8_t *base = joined ? r->joined : r->tile;

    return (struct protobuf_unpacker){
        .at = base + f->geometry_at,
        .end = base + f->geometry_at + f->geometry_size,
        .readable = base + (joined ? r->joined_capacity : r->tile_size)};
}

/** Numbers that belong to the reader. */
struct mvt_elements {
    const uint32_t *data;
    size_t count;
};

/**
 * All tags of a feature, in order.  The first call of this or of
 * mvt_feature_commands on any feature of the tile decodes the packed fields
 * of the whole tile into one array, 4 bytes an element; safe from several
 * threads at once, of which one decodes.
 *
 * MVT_NO_MEMORY  there is none for the array; a later call tries again
 *
 * Cost: later calls count the feature's elements, about an instruction for 3
 *       bytes.
 */
MUST_CHECK enum mvt_fault mvt_feature_tags(const struct mvt_feature *feature,
                                           struct mvt_elements *out);

/** Like mvt_feature_tags, but the geometry's commands and parameters. */
MUST_CHECK enum mvt_fault mvt_feature_commands(
    const struct mvt_feature *feature, struct mvt_elements *out);

#endif
