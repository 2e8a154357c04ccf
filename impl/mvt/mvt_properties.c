/* SPDX-License-Identifier: MIT */
/* Properties: how many are left, and all in one array. */
#include "mvt/mvt_properties.h"

size_t mvt_properties_left(const struct mvt_properties *it)
{
    return (protobuf_packed_count(it->at, (size_t)(it->end - it->at)) + 1) / 2;
}

enum mvt_fault mvt_feature_properties(const struct mvt_feature *feature,
                                      const struct alloc *alloc,
                                      struct mvt_pair **pairs, size_t *count,
                                      struct mvt_error *error)
{
    struct mvt_properties it;
    struct mvt_pair *made = NULL;
    size_t n, size;

    mvt_properties_init(&it, feature);
    n = mvt_properties_left(&it);
    if (n != 0) {
        made =
            size_mul(n, sizeof(*made), &size) ? alloc_get(alloc, size) : NULL;
        if (made == NULL)
            return error->fault = MVT_NO_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        struct mvt_property property = {0};
        enum mvt_fault fault = mvt_properties_next(&it, &property);
        if (fault != MVT_OK) {
            alloc_put(alloc, made, n * sizeof(*made));
            error->number = property.number;
            return error->fault = fault;
        }
        made[i] = (struct mvt_pair){*property.key, *property.value};
    }
    *pairs = made;
    *count = n;
    return MVT_OK;
}
