/* SPDX-License-Identifier: MIT */
/* Geometry of a feature: memory for the decoders, and what they made. */
#include "mvt/mvt_geometry.h"

#include "mvt/mvt_geometry_internal.h"
#include "protobuf/protobuf_wire.h"

/* Memory of a geometry before it gets a block of its own. */
#define STACK_SIZE 10240

mvt_geometry_decode_fn *mvt_geometry_decoder_of(enum protobuf_path wish)
{
    switch (protobuf_path_resolve(wish)) {
#if defined(__x86_64__)
    case PROTOBUF_PATH_AVX2:
        return mvt_geometry_decode_avx2;
    case PROTOBUF_PATH_SSE41:
        return mvt_geometry_decode_sse41;
#endif
    default:
        return mvt_geometry_decode_portable;
    }
}

/* ---- decoding ----------------------------------------------------------- */

/* Most parts of a payload: a line takes three elements, a ring four. */
static ALWAYS_INLINE size_t parts_max(size_t payload_size)
{
    return payload_size / 3 + 1;
}

_Static_assert(sizeof(size_t) >= 8, "memory_for would have to check sizes");

/* Bytes that decoding a payload takes.  Payloads are shorter than 2^32. */
static ALWAYS_INLINE size_t memory_for(size_t payload_size)
{
    size_t raw_size = (payload_size + MVT_RAW_SLACK) * sizeof(uint32_t);
    return raw_size + 2 * parts_max(payload_size) * sizeof(uint32_t);
}

/* The one point of most features.  false: it is another type, or the commands
 * are something else or wrong. */
static ALWAYS_INLINE bool single_point(const struct mvt_feature *feature,
                                       struct mvt_geometry *out)
{
    const struct mvt_feature_record *f = feature->record;

    if (f->type != MVT_TYPE_POINT || f->geometry_size < 3 ||
        UNLIKELY((f->flags & MVT_FEATURE_GEOMETRY_JOINED) != 0))
        return false;
    const uint8_t *p = feature->reader->tile + f->geometry_at;
    const uint8_t *end = p + f->geometry_size;
    uint32_t x, y;
    if (*p != MVT_MOVE_WORD)
        return false;
    /* no calls here, so that no registers need to be saved first */
    p = protobuf_element_u32_short(p + 1, &x);
    if (UNLIKELY(p == NULL || p == end))
        return false;
    p = protobuf_element_u32_short(p, &y);
    if (UNLIKELY(p != end))
        return false;
    *out = (struct mvt_geometry){
        .kind = MVT_POINT,
        .point = {protobuf_unzigzag32(x), protobuf_unzigzag32(y)},
        .point_count = 1,
    };
    return true;
}

static ALWAYS_INLINE enum mvt_geometry_kind kind_of(
    enum mvt_type type, const struct mvt_geometry_decoder *d)
{
    if (type == MVT_TYPE_POLYGON)
        return d->polygon_count == 1 ? MVT_POLYGON : MVT_MULTIPOLYGON;
    if (type == MVT_TYPE_LINESTRING)
        return d->part_count == 1 ? MVT_LINESTRING : MVT_MULTILINESTRING;
    return d->point_count == 1 ? MVT_POINT : MVT_MULTIPOINT;
}

/* Decode in memory_for bytes at memory. */
static enum mvt_fault decode(const struct mvt_feature *feature,
                             uint64_t *memory, struct mvt_geometry *out)
{
    enum mvt_type type = mvt_feature_type(feature);
    size_t size = feature->record->geometry_size;
    uint32_t *ends = (uint32_t *)memory + size + MVT_RAW_SLACK;
    struct mvt_geometry_decoder d = {
        .payload = mvt_feature_geometry_payload(feature),
        .points = (struct mvt_point *)memory,
        .part_ends = ends,
        .polygon_ends = ends + parts_max(size),
    };
    enum mvt_decoded decoded = feature->reader->decode_geometry(&d, type);

    if (UNLIKELY(decoded == MVT_DECODED_WIDE)) {
        d.payload = mvt_feature_geometry_payload(feature);
        decoded = mvt_geometry_decode_portable(&d, type);
    }
    if (UNLIKELY(decoded != MVT_DECODED))
        return MVT_INVALID_GEOMETRY;
    *out = (struct mvt_geometry){
        .kind = kind_of(type, &d),
        .points = d.points,
        .part_ends = d.part_ends,
        .polygon_ends = d.polygon_ends,
        .point_count = d.point_count,
        .part_count = d.part_count,
        .polygon_count = d.polygon_count,
    };
    if (UNLIKELY(out->kind == MVT_POINT)) {
        out->point = d.points[0];
        out->points = NULL;
    }
    return MVT_OK;
}

/* ---- one buffer for all ------------------------------------------------- */

void mvt_buffer_init(struct mvt_buffer *buffer, const struct alloc *alloc)
{
    *buffer = (struct mvt_buffer){.alloc = alloc};
}

void mvt_buffer_free(struct mvt_buffer *buffer)
{
    alloc_put(buffer->alloc, buffer->block, buffer->block_size);
    mvt_buffer_init(buffer, buffer->alloc);
}

COLD static bool grow(struct mvt_buffer *buffer, size_t need)
{
    size_t size = buffer->block_size * 2;

    if (size < need)
        size = need;
    /* nothing in the old block is wanted any more */
    alloc_put(buffer->alloc, buffer->block, buffer->block_size);
    buffer->block = alloc_get(buffer->alloc, size);
    buffer->block_size = buffer->block == NULL ? 0 : size;
    return buffer->block != NULL;
}

static __attribute__((noinline)) enum mvt_fault any_geometry_buffer(
    const struct mvt_feature *feature, struct mvt_buffer *buffer,
    struct mvt_geometry *out)
{
    size_t need = memory_for(feature->record->geometry_size);

    if (UNLIKELY(mvt_feature_type(feature) < MVT_TYPE_POINT))
        return MVT_INVALID_GEOMETRY;
    if (UNLIKELY(need > buffer->block_size) && !grow(buffer, need))
        return MVT_NO_MEMORY;
    return decode(feature, buffer->block, out);
}

enum mvt_fault mvt_feature_geometry_buffer(const struct mvt_feature *feature,
                                           struct mvt_buffer *buffer,
                                           struct mvt_geometry *out)
{
    if (single_point(feature, out))
        return MVT_OK;
    return any_geometry_buffer(feature, buffer, out);
}

/* ---- a block for each --------------------------------------------------- */

/* Move a geometry out of the memory where it was made into a block of its
 * own, of the exact size. */
static enum mvt_fault keep(struct mvt_geometry *g, const struct alloc *alloc)
{
    size_t points_size = g->point_count * sizeof(*g->points);
    size_t parts_size = g->part_count * sizeof(*g->part_ends);
    size_t polygons_size = g->polygon_count * sizeof(*g->polygon_ends);

    if (g->kind == MVT_POINT || g->point_count == 0) {
        g->points = NULL;
        g->part_ends = NULL;
        g->polygon_ends = NULL;
        return MVT_OK;
    }
    uint8_t *block = alloc_get(alloc, mvt_geometry_size(g));
    if (block == NULL)
        return MVT_NO_MEMORY;
    memcpy(block, g->points, points_size);
    memcpy(block + points_size, g->part_ends, parts_size);
    memcpy(block + points_size + parts_size, g->polygon_ends, polygons_size);
    g->points = (void *)block;
    g->part_ends = (void *)(block + points_size);
    g->polygon_ends = (void *)(block + points_size + parts_size);
    g->is_owned = true;
    return MVT_OK;
}

static __attribute__((noinline)) enum mvt_fault any_geometry(
    const struct mvt_feature *feature, const struct alloc *alloc,
    struct mvt_geometry *out)
{
    uint64_t stack[STACK_SIZE / sizeof(uint64_t)];
    uint64_t *memory = stack;
    struct mvt_geometry made;

    if (UNLIKELY(mvt_feature_type(feature) < MVT_TYPE_POINT))
        return MVT_INVALID_GEOMETRY;
    size_t need = memory_for(feature->record->geometry_size);
    if (need > sizeof(stack)) {
        memory = alloc_get(alloc, need);
        if (memory == NULL)
            return MVT_NO_MEMORY;
    }
    enum mvt_fault fault = decode(feature, memory, &made);
    if (fault == MVT_OK)
        fault = keep(&made, alloc);
    if (fault == MVT_OK)
        *out = made;
    if (memory != stack)
        alloc_put(alloc, memory, need);
    return fault;
}

enum mvt_fault mvt_feature_geometry(const struct mvt_feature *feature,
                                    const struct alloc *alloc,
                                    struct mvt_geometry *out)
{
    if (single_point(feature, out))
        return MVT_OK;
    return any_geometry(feature, alloc, out);
}
