/* SPDX-License-Identifier: MIT */
/* What the files of this module share: the schema's numbers and the steps of
 * opening a tile. */
#ifndef MVT_MVT_INTERNAL_H
#define MVT_MVT_INTERNAL_H

#include "mvt/mvt_reader.h"
#include "protobuf/protobuf_wire.h"

/* Tags of the schema, vector_tile.proto. */
enum {
    TILE_LAYER = PROTOBUF_TAG(3, PROTOBUF_BYTES),

    LAYER_NAME = PROTOBUF_TAG(1, PROTOBUF_BYTES),
    LAYER_FEATURE = PROTOBUF_TAG(2, PROTOBUF_BYTES),
    LAYER_KEY = PROTOBUF_TAG(3, PROTOBUF_BYTES),
    LAYER_VALUE = PROTOBUF_TAG(4, PROTOBUF_BYTES),
    LAYER_EXTENT = PROTOBUF_TAG(5, PROTOBUF_VARINT),
    LAYER_VERSION = PROTOBUF_TAG(15, PROTOBUF_VARINT),

    FEATURE_ID = PROTOBUF_TAG(1, PROTOBUF_VARINT),
    FEATURE_TAGS = PROTOBUF_TAG(2, PROTOBUF_BYTES),
    FEATURE_TAGS_SINGLE = PROTOBUF_TAG(2, PROTOBUF_VARINT),
    FEATURE_TYPE = PROTOBUF_TAG(3, PROTOBUF_VARINT),
    FEATURE_GEOMETRY = PROTOBUF_TAG(4, PROTOBUF_BYTES),
    FEATURE_GEOMETRY_SINGLE = PROTOBUF_TAG(4, PROTOBUF_VARINT),

    VALUE_STRING = PROTOBUF_TAG(1, PROTOBUF_BYTES),
    VALUE_FLOAT = PROTOBUF_TAG(2, PROTOBUF_FIXED32),
    VALUE_DOUBLE = PROTOBUF_TAG(3, PROTOBUF_FIXED64),
    VALUE_INT = PROTOBUF_TAG(4, PROTOBUF_VARINT),
    VALUE_UINT = PROTOBUF_TAG(5, PROTOBUF_VARINT),
    VALUE_SINT = PROTOBUF_TAG(6, PROTOBUF_VARINT),
    VALUE_BOOL = PROTOBUF_TAG(7, PROTOBUF_VARINT),
};

/** Versions that are read. */
#define MVT_VERSION_MIN 1
#define MVT_VERSION_MAX 3

/** A message of the schema, for the fields that its fast path does not
 * know. */
struct mvt_message_schema {
    /* wire type by field number, or NO_FIELD */
    uint8_t wire_types[16];
    uint32_t depth; /* levels that may open inside it */
};
#define MVT_NO_FIELD 0xff

extern const struct mvt_message_schema mvt_tile_schema;
extern const struct mvt_message_schema mvt_layer_schema;
extern const struct mvt_message_schema mvt_feature_schema;
extern const struct mvt_message_schema mvt_value_schema;

/**
 * A field that has no case of its own: not a tag, a known field with another
 * wire type, or an unknown one to step over.
 *
 *   c      behind the tag; moves behind the field
 *   tag_at offset of the tag in c
 *   raw    the tag's varint
 */
enum protobuf_fault mvt_other_field(struct cursor *c, size_t tag_at,
                                    uint64_t raw,
                                    const struct mvt_message_schema *schema,
                                    struct protobuf_error *error);

/** The arrays of a tile. */
enum {
    MVT_LAYERS,
    MVT_FEATURES,
    MVT_KEYS,
    MVT_VALUES,
    MVT_ARRAY_COUNT,
};

/** An array that a pass fills: no record goes beyond end without
 * mvt_open_more. */
struct mvt_array {
    uint8_t *start;
    uint8_t *next;   /* where the next record goes */
    uint8_t *end;    /* of what may be filled */
    size_t capacity; /* records that there is memory for */
};

/** The state of one pass over a tile. */
struct mvt_opener {
    struct mvt_array arrays[MVT_ARRAY_COUNT];
    const uint8_t *tile;
    const uint8_t *tile_end;
    /* the element limit is near: mvt_open_more is asked for each record */
    bool is_exact;
    struct mvt_reader *reader;
    struct mvt_error *error;
};

/** Begin with empty arrays, as large as most tiles of this size need. */
bool mvt_open_begin(struct mvt_opener *o, size_t tile_size);

/**
 * Make room for a record whose array has none left.  Arrays may move.
 *
 *   tag_at  of the record, for the error
 *
 * false: the element limit does not bear it, or there is no memory.
 */
COLD bool mvt_open_more(struct mvt_opener *o, int array,
                        const uint8_t *tag_at);

/** Records of an array so far. */
size_t mvt_open_count(const struct mvt_opener *o, int array);

/** Give the reader its arrays, and each layer its part of them. */
void mvt_open_end(struct mvt_opener *o);

/** Read the tile between p and end.  false: the error is filled. */
typedef bool mvt_open_fn(struct mvt_opener *o, const uint8_t *p,
                         const uint8_t *end);
mvt_open_fn mvt_open_portable;
#if defined(__x86_64__)
mvt_open_fn mvt_open_bmi2;
#endif

/** Internal bits of a feature's flags, while it is opened: a packed field came
 * in more than one record. */
enum {
    MVT_TAGS_SPLIT = 64,
    MVT_GEOMETRY_SPLIT = 128,
};

/** Copy the records of the split fields of the feature between body and end
 * behind one another. */
COLD bool mvt_open_join(struct mvt_opener *o, const uint8_t *body,
                        const uint8_t *end, struct mvt_feature_record *f);

/** The failing ends of a pass: fill the error; NULL, to stop the pass. */
COLD const uint8_t *mvt_open_fail(struct mvt_opener *o,
                                  enum protobuf_fault fault,
                                  const uint8_t *at);
COLD const uint8_t *mvt_open_fail_varint(struct mvt_opener *o,
                                         const uint8_t *at,
                                         const uint8_t *end);

/** mvt_other_field for pointers: the byte behind the field, or NULL. */
COLD const uint8_t *mvt_open_other(struct mvt_opener *o, const uint8_t *tag_at,
                                   const uint8_t *p, const uint8_t *end,
                                   uint64_t raw,
                                   const struct mvt_message_schema *schema);

/** A varint, or NULL and the error. */
static ALWAYS_INLINE const uint8_t *mvt_open_varint(struct mvt_opener *o,
                                                    const uint8_t *p,
                                                    const uint8_t *end,
                                                    uint64_t *out)
{
    const uint8_t *next = protobuf_varint_at(p, end, out);

    if (UNLIKELY(next == NULL)) {
        mvt_open_fail_varint(o, p, end);
        return NULL;
    }
    return next;
}

/** A length within what is left, or NULL and the error. */
static ALWAYS_INLINE const uint8_t *mvt_open_length(struct mvt_opener *o,
                                                    const uint8_t *p,
                                                    const uint8_t *end,
                                                    size_t *size)
{
    const uint8_t *at = p;
    uint64_t length;

    p = mvt_open_varint(o, p, end, &length);
    if (UNLIKELY(p == NULL))
        return NULL;
    if (UNLIKELY(length > (uint64_t)(end - p))) {
        mvt_open_fail(o, PROTOBUF_TRUNCATED, at);
        return NULL;
    }
    *size = (size_t)length;
    return p;
}

#endif
