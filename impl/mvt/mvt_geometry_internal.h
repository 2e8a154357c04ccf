/* SPDX-License-Identifier: MIT */
/* What the geometry decoders of all paths share. */
#ifndef MVT_MVT_GEOMETRY_INTERNAL_H
#define MVT_MVT_GEOMETRY_INTERNAL_H

#include "mvt/mvt_reader.h"

/* Vector Tile Specification 2.1, 4.3.3: a command word is an id and a count
 * in the 29 bits above it. */
enum {
    MVT_MOVE_TO = 1,
    MVT_LINE_TO = 2,
    MVT_CLOSE_PATH = 7,
    MVT_COMMAND_BITS = 3,
    MVT_COMMAND_MASK = 7,
};
#define MVT_COMMAND_COUNT_MAX ((1u << 29) - 1)

/** A MoveTo to one point. */
#define MVT_MOVE_WORD (1u << MVT_COMMAND_BITS | MVT_MOVE_TO)

/** The only ClosePath there is: with count 1. */
#define MVT_CLOSE_WORD (1u << MVT_COMMAND_BITS | MVT_CLOSE_PATH)

/**
 * Where a geometry is decoded.  Commands are unpacked into the memory of the
 * vertices, MVT_RAW_OFFSET words behind its start, and become vertices in
 * place: n elements never make more than n / 2 vertices, so the vertices, of
 * eight bytes each, do not catch up with the elements, of four.
 */
struct mvt_geometry_decoder {
    struct protobuf_unpacker payload;
    struct mvt_point *points;
    uint32_t *part_ends;
    uint32_t *polygon_ends;
    uint32_t point_count; /* out, like the next two */
    uint32_t part_count;
    uint32_t polygon_count;
};
#define MVT_RAW_OFFSET 4

/** Elements that the memory must hold beyond a payload's bytes: the offset,
 * what makes the unpacker reach the end, and what is read beyond it. */
#define MVT_RAW_SLACK (MVT_RAW_OFFSET + 8 + 4)

/** What a decoder says. */
enum mvt_decoded {
    MVT_DECODED,
    MVT_DECODED_NOT,  /* the commands are not what the type wants */
    MVT_DECODED_WIDE, /* a coordinate may saturate: the portable one must */
};

mvt_geometry_decode_fn mvt_geometry_decode_portable;
#if defined(__x86_64__)
mvt_geometry_decode_fn mvt_geometry_decode_sse41;
mvt_geometry_decode_fn mvt_geometry_decode_avx2;
#endif

/** The decoder of a path, as protobuf_path_resolve finds it. */
mvt_geometry_decode_fn *mvt_geometry_decoder_of(enum protobuf_path wish);

#endif
