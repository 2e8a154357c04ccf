/* SPDX-License-Identifier: MIT */
/* The tile message: giving it back. */
#include "mvt/mvt_proto.h"

static void free_numbers(const struct alloc *alloc,
                         struct mvt_proto_numbers *numbers)
{
    alloc_put(alloc, numbers->data, numbers->capacity * sizeof(uint32_t));
}

static void free_layer(const struct alloc *alloc,
                       struct mvt_proto_layer *layer)
{
    for (size_t i = 0; i < layer->feature_count; i++) {
        free_numbers(alloc, &layer->features[i].tags);
        free_numbers(alloc, &layer->features[i].geometry);
    }
    alloc_put(alloc, layer->features,
              layer->feature_capacity * sizeof(*layer->features));
    alloc_put(alloc, layer->keys, layer->key_capacity * sizeof(*layer->keys));
    alloc_put(alloc, layer->values,
              layer->value_capacity * sizeof(*layer->values));
}

void mvt_proto_free(struct mvt_proto_tile *tile)
{
    for (size_t i = 0; i < tile->layer_count; i++)
        free_layer(tile->alloc, &tile->layers[i]);
    alloc_put(tile->alloc, tile->layers,
              tile->layer_capacity * sizeof(*tile->layers));
    *tile = (struct mvt_proto_tile){.alloc = tile->alloc};
}
