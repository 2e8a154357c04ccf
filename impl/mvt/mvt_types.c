/* SPDX-License-Identifier: MIT */
/* Comparing values and geometries; the area of a ring. */
#include "mvt/mvt_types.h"

static uint32_t float_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

bool mvt_value_equal(const struct mvt_value *a, const struct mvt_value *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case MVT_NULL:
        return true;
    case MVT_STRING:
        return a->size == b->size &&
               (a->size == 0 || memcmp(a->string, b->string, a->size) == 0);
    case MVT_FLOAT:
        return float_bits(a->float_value) == float_bits(b->float_value);
    case MVT_BOOL:
        return a->bool_value == b->bool_value;
    default:
        return a->uint_value == b->uint_value; /* 64 bits of any kind */
    }
}

static bool same_ends(const uint32_t *a, const uint32_t *b, size_t count)
{
    return count == 0 || memcmp(a, b, count * sizeof(*a)) == 0;
}

bool mvt_geometry_equal(const struct mvt_geometry *a,
                        const struct mvt_geometry *b)
{
    return a->kind == b->kind && a->point_count == b->point_count &&
           a->part_count == b->part_count &&
           a->polygon_count == b->polygon_count &&
           (a->point_count == 0 ||
            memcmp(mvt_geometry_points(a), mvt_geometry_points(b),
                   a->point_count * sizeof(struct mvt_point)) == 0) &&
           same_ends(a->part_ends, b->part_ends, a->part_count) &&
           same_ends(a->polygon_ends, b->polygon_ends, a->polygon_count);
}

void mvt_geometry_free(struct mvt_geometry *g, const struct alloc *alloc)
{
    if (g->is_owned) {
        /* the block was ours before it became the caller's to read */
        alloc_put(alloc, (void *)(uintptr_t)g->points, mvt_geometry_size(g));
        *g = (struct mvt_geometry){.kind = g->kind};
    }
}

int64_t mvt_ring_area(const struct mvt_point *points, size_t count)
{
    uint64_t sum = 0; /* wraps */

    if (count == 0)
        return 0;
    const struct mvt_point *before = &points[count - 1];
    for (size_t i = 0; i < count; i++) {
        const struct mvt_point *here = &points[i];
        sum += (uint64_t)((int64_t)before->x * here->y) -
               (uint64_t)((int64_t)before->y * here->x);
        before = here;
    }
    return (int64_t)sum;
}
