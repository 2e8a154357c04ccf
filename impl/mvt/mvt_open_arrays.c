/* SPDX-License-Identifier: MIT */
/* One pass over a tile: the memory that it fills.  Four arrays, one behind the
 * other in one block, begin as large as most tiles of the size need; a tile
 * that needs more of one gets a block in which that one has doubled.
 *
 * The element limit is a sum over all arrays.  As long as what the arrays have
 * room for stays below it, no record can break it and none is asked; from then
 * on each is. */
#include "mvt/mvt_internal.h"

static const size_t record_sizes[] = {
    [MVT_LAYERS] = sizeof(struct mvt_layer_record),
    [MVT_FEATURES] = sizeof(struct mvt_feature_record),
    [MVT_KEYS] = sizeof(struct mvt_string),
    [MVT_VALUES] = sizeof(struct mvt_value),
};

static const size_t charges[] = {
    [MVT_LAYERS] = MVT_LAYER_CHARGE,
    [MVT_FEATURES] = MVT_FEATURE_CHARGE,
    [MVT_KEYS] = MVT_KEY_CHARGE,
    [MVT_VALUES] = MVT_VALUE_CHARGE,
};

/* Bytes of a tile for each record of it: real tiles have more. */
static const size_t tile_bytes[] = {
    [MVT_LAYERS] = 1024,
    [MVT_FEATURES] = 48,
    [MVT_KEYS] = 256,
    [MVT_VALUES] = 24,
};

/* Records that small tiles get room for. */
#define CAPACITY_MIN 8

size_t mvt_open_count(const struct mvt_opener *o, int array)
{
    const struct mvt_array *a = &o->arrays[array];
    return (size_t)(a->next - a->start) / record_sizes[array];
}

static size_t charge_of(const size_t counts[MVT_ARRAY_COUNT])
{
    size_t sum = 0;

    for (int i = 0; i < MVT_ARRAY_COUNT; i++)
        sum += counts[i] * charges[i];
    return sum;
}

/* A tile has fewer than 2^31 records, of which each has two bytes at least,
 * and arrays no more than twice as many: no size below wraps. */
static size_t block_size_for(const size_t capacities[MVT_ARRAY_COUNT])
{
    size_t size = 0;

    for (int i = 0; i < MVT_ARRAY_COUNT; i++)
        size += capacities[i] * record_sizes[i];
    return size;
}

/* Move the arrays to their places in block, the last first: in the same block
 * each goes to where it was, or behind. */
static void place(struct mvt_opener *o, uint8_t *block, size_t block_size,
                  const size_t capacities[MVT_ARRAY_COUNT])
{
    uint8_t *at = block + block_size;

    for (int i = MVT_ARRAY_COUNT - 1; i >= 0; i--) {
        struct mvt_array *a = &o->arrays[i];
        size_t used = (size_t)(a->next - a->start);
        at -= capacities[i] * record_sizes[i];
        if (used != 0)
            memmove(at, a->start, used);
        a->start = at;
        a->next = at + used;
        a->end = o->is_exact ? a->next : at + capacities[i] * record_sizes[i];
        a->capacity = capacities[i];
    }
}

static bool lay_out(struct mvt_opener *o,
                    const size_t capacities[MVT_ARRAY_COUNT])
{
    struct mvt_reader *r = o->reader;
    size_t size = block_size_for(capacities);
    uint8_t *block = r->block;

    if (size > r->block_size) {
        block = alloc_get(r->options.alloc, size);
        if (block == NULL) {
            o->error->fault = MVT_NO_MEMORY;
            return false;
        }
    }
    place(o, block, size, capacities);
    if (block != r->block) {
        alloc_put(r->options.alloc, r->block, r->block_size);
        r->block = block;
        r->block_size = size;
    }
    return true;
}

bool mvt_open_begin(struct mvt_opener *o, size_t tile_size)
{
    size_t capacities[MVT_ARRAY_COUNT];

    for (int i = 0; i < MVT_ARRAY_COUNT; i++) {
        capacities[i] = CAPACITY_MIN + tile_size / tile_bytes[i];
        o->arrays[i] = (struct mvt_array){0};
    }
    o->is_exact = charge_of(capacities) > o->reader->options.element_limit;
    return lay_out(o, capacities);
}

bool mvt_open_more(struct mvt_opener *o, int array, const uint8_t *tag_at)
{
    size_t limit = o->reader->options.element_limit;
    size_t counts[MVT_ARRAY_COUNT], capacities[MVT_ARRAY_COUNT];

    for (int i = 0; i < MVT_ARRAY_COUNT; i++) {
        counts[i] = mvt_open_count(o, i);
        capacities[i] = o->arrays[i].capacity;
    }
    if (limit - charge_of(counts) < charges[array]) {
        mvt_open_fail(o, PROTOBUF_ELEMENT_MEMORY, tag_at);
        return false;
    }
    if (counts[array] == capacities[array]) {
        size_t most = limit / charges[array]; /* more than there are */
        capacities[array] *= 2;
        if (capacities[array] > most)
            capacities[array] = most;
        if (charge_of(capacities) > limit)
            o->is_exact = true;
        if (!lay_out(o, capacities))
            return false;
    }
    if (o->is_exact) /* for this record alone */
        o->arrays[array].end = o->arrays[array].next + record_sizes[array];
    return true;
}

void mvt_open_end(struct mvt_opener *o)
{
    struct mvt_reader *r = o->reader;
    const struct mvt_feature_record *features;
    const struct mvt_string *keys;
    const struct mvt_value *values;

    r->layers = (void *)o->arrays[MVT_LAYERS].start;
    r->features = (void *)o->arrays[MVT_FEATURES].start;
    r->keys = (void *)o->arrays[MVT_KEYS].start;
    r->values = (void *)o->arrays[MVT_VALUES].start;
    r->layer_count = mvt_open_count(o, MVT_LAYERS);
    r->feature_count = mvt_open_count(o, MVT_FEATURES);
    features = r->features;
    keys = r->keys;
    values = r->values;
    for (size_t i = 0; i < r->layer_count; i++) {
        struct mvt_layer_record *layer = &r->layers[i];
        layer->features = features;
        layer->keys = keys;
        layer->values = values;
        features += layer->feature_count;
        keys += layer->key_count;
        values += layer->value_count;
    }
}
