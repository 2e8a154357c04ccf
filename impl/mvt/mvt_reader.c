/* SPDX-License-Identifier: MIT */
/* An open tile: its memory, the checks after the pass, and the array of all
 * its packed elements. */
#include "mvt/mvt_reader.h"

#include <assert.h>

#include "mvt/mvt_geometry_internal.h"
#include "mvt/mvt_internal.h"

/* Tiles that a 32-bit offset cannot address. */
#define TILE_SIZE_LIMIT (UINT64_C(1) << 32)

static const struct alloc *alloc_of(const struct mvt_reader *r)
{
    return r->options.alloc;
}

void mvt_reader_init(struct mvt_reader *reader,
                     const struct mvt_options *options)
{
    *reader = (struct mvt_reader){0};
    if (options != NULL)
        reader->options = *options;
    if (reader->options.element_limit == 0)
        reader->options.element_limit = MVT_ELEMENT_LIMIT_DEFAULT;
    reader->path = protobuf_path_resolve(reader->options.path);
    reader->unpack = protobuf_unpack_u32(reader->options.path);
    reader->decode_geometry = mvt_geometry_decoder_of(reader->options.path);
    pthread_mutex_init(&reader->elements_lock, NULL);
}

/* ---- memory ------------------------------------------------------------- */

static void drop_elements(struct mvt_reader *r)
{
    alloc_put(alloc_of(r), r->elements,
              r->element_count * sizeof(*r->elements));
    r->elements = NULL;
    r->element_count = 0;
}

/* Hold no tile, but keep the memory. */
static void reset(struct mvt_reader *r)
{
    drop_elements(r);
    r->tile = NULL;
    r->tile_size = 0;
    r->layer_count = 0;
    r->feature_count = 0;
    r->joined_size = 0;
}

void mvt_reader_free(struct mvt_reader *reader)
{
    struct mvt_options options = reader->options;

    drop_elements(reader);
    alloc_put(alloc_of(reader), reader->block, reader->block_size);
    alloc_put(alloc_of(reader), reader->joined, reader->joined_capacity);
    pthread_mutex_destroy(&reader->elements_lock);
    mvt_reader_init(reader, &options);
}

/* ---- opening ------------------------------------------------------------ */

/* Keep what fits of a name, cut between two characters. */
static void keep_name(struct mvt_error *error, const struct mvt_string *name,
                      const uint8_t *tile)
{
    size_t held = name->size;

    if (held > sizeof(error->name)) {
        held = sizeof(error->name);
        while (((uint8_t)name->data[held] & 0xc0) == 0x80)
            held--; /* inside a UTF-8 sequence */
    }
    memcpy(error->name, name->data, held);
    error->name_held = (uint32_t)held;
    error->name_size = (uint32_t)name->size;
    error->name_at = (uint32_t)((const uint8_t *)name->data - tile);
}

/* Offset of a layer in a tile whose records are right. */
static size_t layer_offset(const struct mvt_reader *r, size_t index)
{
    struct cursor c = cursor_init(r->tile, r->tile_size);
    struct protobuf_error none;
    uint32_t tag;
    size_t at = c.at;

    while (protobuf_take_tag(&c, &tag, &none) == PROTOBUF_OK &&
           (tag != TILE_LAYER || index-- != 0) &&
           protobuf_skip(&c, tag, mvt_tile_schema.depth, &none) == PROTOBUF_OK)
        at = c.at;
    return at;
}

COLD static enum mvt_fault fail_layer(const struct mvt_reader *r, size_t index,
                                      enum mvt_fault fault,
                                      struct mvt_error *error)
{
    const struct mvt_layer_record *layer = &r->layers[index];

    error->layer_at = (uint32_t)layer_offset(r, index);
    if (fault == MVT_UNSUPPORTED_VERSION) {
        error->number = layer->version;
        keep_name(error, &layer->name, r->tile);
    }
    return error->fault = fault;
}

static enum mvt_fault check_layers(const struct mvt_reader *r,
                                   struct mvt_error *error)
{
    for (size_t i = 0; i < r->layer_count; i++) {
        const struct mvt_layer_record *layer = &r->layers[i];

        if (layer->name.size == 0)
            return fail_layer(r, i, MVT_MISSING_LAYER_NAME, error);
        if (layer->version < MVT_VERSION_MIN ||
            layer->version > MVT_VERSION_MAX)
            return fail_layer(r, i, MVT_UNSUPPORTED_VERSION, error);
    }
    return MVT_OK;
}

static mvt_open_fn *opener_of(enum protobuf_path path)
{
#if defined(__x86_64__)
    if (path == PROTOBUF_PATH_AVX2)
        return mvt_open_bmi2;
#endif
    (void)path;
    return mvt_open_portable;
}

static enum mvt_fault open_tile(struct mvt_reader *r, const uint8_t *tile,
                                size_t size, struct mvt_error *error)
{
    struct mvt_opener o = {
        .tile = tile,
        .tile_end = tile + size,
        .reader = r,
        .error = error,
    };

    if (!mvt_open_begin(&o, size) ||
        !opener_of(r->path)(&o, tile, tile + size))
        return error->fault;
    mvt_open_end(&o);
    r->tile = tile;
    r->tile_size = size;
    return check_layers(r, error);
}

enum mvt_fault mvt_reader_open(struct mvt_reader *reader, const uint8_t *tile,
                               size_t size, struct mvt_error *error)
{
    static const uint8_t none[1];

    reset(reader);
    if (size >= TILE_SIZE_LIMIT) {
        error->wire = (struct protobuf_error){.fault = PROTOBUF_TOO_LARGE};
        return error->fault = MVT_DECODE;
    }
    enum mvt_fault fault =
        open_tile(reader, size != 0 ? tile : none, size, error);
    if (fault != MVT_OK)
        reset(reader);
    return fault;
}

/* ---- all elements of a tile --------------------------------------------- */

static size_t count_payload(struct protobuf_unpacker u)
{
    return protobuf_packed_count(u.at, (size_t)(u.end - u.at));
}

static struct mvt_feature feature_at(const struct mvt_reader *r, size_t at)
{
    return (struct mvt_feature){.reader = r, .record = r->features + at};
}

static size_t count_elements(const struct mvt_reader *r)
{
    size_t count = 0;

    for (size_t i = 0; i < r->feature_count; i++) {
        struct mvt_feature f = feature_at(r, i);
        count += count_payload(mvt_feature_tags_payload(&f)) +
                 count_payload(mvt_feature_geometry_payload(&f));
    }
    return count;
}

/* Decode feature after feature, its tags before its geometry. */
static void decode_elements(struct mvt_reader *r, uint32_t *out, size_t count)
{
    size_t at = 0;

    for (size_t i = 0; i < r->feature_count; i++) {
        struct mvt_feature f = feature_at(r, i);
        struct protobuf_unpacker tags = mvt_feature_tags_payload(&f);
        struct protobuf_unpacker geometry = mvt_feature_geometry_payload(&f);

        r->features[i].elements_at = (uint32_t)at;
        while (tags.at != tags.end)
            at += r->unpack(&tags, out + at, count - at);
        while (geometry.at != geometry.end)
            at += r->unpack(&geometry, out + at, count - at);
    }
    assert(at == count);
}

/* The array, made by whoever comes first.  Its pointer is stored last, so a
 * thread that sees it sees all the rest. */
static enum mvt_fault make_elements(struct mvt_reader *r)
{
    enum mvt_fault fault = MVT_OK;

    pthread_mutex_lock(&r->elements_lock);
    if (r->elements == NULL) {
        size_t count = count_elements(r);
        uint32_t *elements = alloc_get(alloc_of(r), count * sizeof(*elements));
        if (elements == NULL) {
            fault = MVT_NO_MEMORY;
        } else {
            decode_elements(r, elements, count);
            r->element_count = count;
            __atomic_store_n(&r->elements, elements, __ATOMIC_RELEASE);
        }
    }
    pthread_mutex_unlock(&r->elements_lock);
    return fault;
}

/* A feature's payload as part of the array, behind `before` of the feature's
 * own elements. */
static enum mvt_fault elements_of(const struct mvt_feature *feature,
                                  struct protobuf_unpacker payload,
                                  struct protobuf_unpacker before,
                                  struct mvt_elements *out)
{
    /* made on demand behind the reader's back: the array alone changes, and
     * what the lock guards */
    struct mvt_reader *r = (struct mvt_reader *)(uintptr_t)feature->reader;
    size_t count = count_payload(payload);

    if (count == 0) { /* needs no array, which may be empty */
        *out = (struct mvt_elements){0};
        return MVT_OK;
    }
    if (__atomic_load_n(&r->elements, __ATOMIC_ACQUIRE) == NULL) {
        enum mvt_fault fault = make_elements(r);
        if (fault != MVT_OK)
            return fault;
    }
    out->data =
        r->elements + feature->record->elements_at + count_payload(before);
    out->count = count;
    return MVT_OK;
}

enum mvt_fault mvt_feature_tags(const struct mvt_feature *feature,
                                struct mvt_elements *out)
{
    struct protobuf_unpacker none = {0};
    return elements_of(feature, mvt_feature_tags_payload(feature), none, out);
}

enum mvt_fault mvt_feature_commands(const struct mvt_feature *feature,
                                    struct mvt_elements *out)
{
    return elements_of(feature, mvt_feature_geometry_payload(feature),
                       mvt_feature_tags_payload(feature), out);
}
