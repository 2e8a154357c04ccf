/* SPDX-License-Identifier: MIT */
/* What can be wrong with a vector tile, and how to say it. */
#ifndef MVT_MVT_ERROR_H
#define MVT_MVT_ERROR_H

#include <stddef.h>
#include <stdint.h>

#include "protobuf/protobuf_error.h"

/** Kinds of failure. */
enum mvt_fault {
    MVT_OK,
    MVT_END,                 /* no more items; not a failure */
    MVT_DECODE,              /* wire error, in error.wire */
    MVT_ENCODE,              /* the tile is too large to be written */
    MVT_IO,                  /* system error, its errno in error.number */
    MVT_MISSING_LAYER_NAME,  /* a layer without name, or with an empty one */
    MVT_INVALID_EXTENT,      /* extent 0 */
    MVT_UNSUPPORTED_VERSION, /* not 1 to 3; error.number and error.name */
    MVT_TAGS_LENGTH,         /* a key index without a value index */
    MVT_KEY_INDEX,           /* beyond the layer's keys; error.number */
    MVT_VALUE_INDEX,         /* beyond the layer's values; error.number */
    MVT_INVALID_GEOMETRY,    /* type and commands do not make a geometry */
    MVT_COMMAND_COUNT,       /* more than a command can count; error.number */
    MVT_INDEX_OVERFLOW,      /* more keys or values than 32 bits count */
    MVT_NO_MEMORY,           /* the allocator gave none */
    MVT_MISUSE,              /* a call that the interface forbids here */
};

/** Bytes of a layer name that an error holds; a longer one is cut between
 * two characters. */
#define MVT_ERROR_NAME_MAX 120

/** A failure with its data.  Owns all of it: the tile may be gone. */
struct mvt_error {
    enum mvt_fault fault;
    struct protobuf_error wire; /* its offset is one in the tile */
    uint64_t number;
    uint32_t layer_at;  /* offset of the layer with a wrong name or version */
    uint32_t name_size; /* of the whole name */
    uint32_t name_at;   /* offset of the whole name in the tile */
    uint32_t name_held; /* bytes of name that stand here */
    char name[MVT_ERROR_NAME_MAX];
};

/**
 * Render an error, snprintf style: at most size bytes with the final NUL go
 * to out, which may be NULL when size is 0.
 *
 *   tile  the tile that was read, for a layer name that is longer than
 *         MVT_ERROR_NAME_MAX; NULL cuts such a name
 *
 * Returns the text's whole size without the NUL.
 */
size_t mvt_error_text(const struct mvt_error *error, const uint8_t *tile,
                      char *out, size_t size);

/** Name of a fault for messages of tests and logs; static, never NULL. */
const char *mvt_fault_name(enum mvt_fault fault);

#endif
