/* SPDX-License-Identifier: MIT */
/* The tile message, decoded by the plain primitives. */
#include "mvt/mvt_proto.h"

#include "mvt/mvt_internal.h"

/* A message that is being read. */
struct reading {
    struct cursor c; /* whole tile; its size is the end of the message */
    const struct alloc *alloc;
    struct protobuf_error *error;
};

static enum protobuf_fault fail(struct reading *r, enum protobuf_fault fault,
                                size_t at)
{
    r->error->fault = fault;
    r->error->at = at;
    return fault;
}

#define PROTO_TRY(expr)                                                       \
    do {                                                                      \
        enum protobuf_fault try_fault = (expr);                               \
        if (try_fault != PROTOBUF_OK)                                         \
            return try_fault;                                                 \
    } while (0)

/* ---- arrays --------------------------------------------------------------
 */

/* A cleared new element at the end of an array that doubles; NULL when there
 * is no memory. */
static void *append(struct reading *r, void **array, size_t *count,
                    size_t *capacity, size_t element_size)
{
    if (*count == *capacity) {
        size_t more = *capacity == 0 ? 4 : *capacity * 2, size;
        void *grown = size_mul(more, element_size, &size)
                          ? alloc_resize(r->alloc, *array,
                                         *capacity * element_size, size)
                          : NULL;
        if (grown == NULL) {
            fail(r, PROTOBUF_NO_MEMORY, r->c.at);
            return NULL;
        }
        *array = grown;
        *capacity = more;
    }
    void *element = (uint8_t *)*array + (*count)++ * element_size;
    memset(element, 0, element_size);
    return element;
}

#define APPEND(r, owner, field, field_count, field_capacity)                  \
    append((r), (void **)&(owner)->field, &(owner)->field_count,              \
           &(owner)->field_capacity, sizeof(*(owner)->field))

static enum protobuf_fault append_number(struct reading *r,
                                         struct mvt_proto_numbers *numbers,
                                         uint64_t raw)
{
    uint32_t *number = APPEND(r, numbers, data, count, capacity);

    if (number == NULL)
        return PROTOBUF_NO_MEMORY;
    *number = (uint32_t)raw;
    return PROTOBUF_OK;
}

/* ---- fields --------------------------------------------------------------
 */

static enum protobuf_fault read_varint(struct reading *r, uint64_t *out)
{
    size_t at = r->c.at;
    enum protobuf_fault fault = protobuf_take_varint(&r->c, out);
    return fault == PROTOBUF_OK ? fault : fail(r, fault, at);
}

static enum protobuf_fault read_bytes(struct reading *r, const uint8_t **bytes,
                                      size_t *size)
{
    size_t at = r->c.at;
    enum protobuf_fault fault = protobuf_take_bytes(&r->c, bytes, size);
    return fault == PROTOBUF_OK ? fault : fail(r, fault, at);
}

static enum protobuf_fault read_string(struct reading *r,
                                       struct mvt_string *out)
{
    const uint8_t *bytes;
    size_t size;

    PROTO_TRY(read_bytes(r, &bytes, &size));
    if (!utf8_valid(bytes, size))
        return fail(r, PROTOBUF_UTF8, (size_t)(bytes - r->c.data));
    *out = (struct mvt_string){(const char *)bytes, size};
    return PROTOBUF_OK;
}

/* A packed record, element by element. */
static enum protobuf_fault read_packed(struct reading *r,
                                       struct mvt_proto_numbers *numbers)
{
    struct reading inside = *r;
    const uint8_t *payload;
    size_t size;

    PROTO_TRY(read_bytes(r, &payload, &size));
    inside.c.at = (size_t)(payload - r->c.data);
    inside.c.size = inside.c.at + size;
    while (cursor_left(&inside.c) != 0) {
        uint64_t raw = 0;
        PROTO_TRY(read_varint(&inside, &raw));
        PROTO_TRY(append_number(r, numbers, raw));
    }
    return PROTOBUF_OK;
}

static enum protobuf_fault read_single(struct reading *r,
                                       struct mvt_proto_numbers *numbers)
{
    uint64_t raw = 0;

    PROTO_TRY(read_varint(r, &raw));
    return append_number(r, numbers, raw);
}

/* The next tag of a message.  Known fields with their wire type are the
 * caller's; others are done with here, and *tag is 0. */
static enum protobuf_fault next_field(struct reading *r, uint64_t *tag,
                                      const uint32_t *known,
                                      const struct mvt_message_schema *schema)
{
    size_t tag_at = r->c.at;

    PROTO_TRY(read_varint(r, tag));
    for (; *known != 0; known++)
        if (*known == *tag)
            return PROTOBUF_OK;
    uint64_t raw = *tag;
    *tag = 0;
    return mvt_other_field(&r->c, tag_at, raw, schema, r->error);
}

/* ---- messages ------------------------------------------------------------
 */

static enum protobuf_fault read_fixed(struct reading *r, uint64_t tag,
                                      struct mvt_proto_value *v)
{
    size_t at = r->c.at;
    uint64_t wide;
    uint32_t narrow;
    enum protobuf_fault fault;

    if (tag == VALUE_FLOAT) {
        fault = protobuf_take_fixed32(&r->c, &narrow);
        if (fault == PROTOBUF_OK)
            memcpy(&v->float_value, &narrow, sizeof(narrow));
    } else {
        fault = protobuf_take_fixed64(&r->c, &wide);
        if (fault == PROTOBUF_OK)
            memcpy(&v->double_value, &wide, sizeof(wide));
    }
    return fault == PROTOBUF_OK ? fault : fail(r, fault, at);
}

static enum protobuf_fault read_value_field(struct reading *r, uint64_t tag,
                                            struct mvt_proto_value *v)
{
    uint64_t raw = 0;

    v->present |= (uint8_t)(1u << protobuf_tag_field((uint32_t)tag));
    switch (tag) {
    case VALUE_STRING:
        return read_string(r, &v->string_value);
    case VALUE_FLOAT:
    case VALUE_DOUBLE:
        return read_fixed(r, tag, v);
    }
    PROTO_TRY(read_varint(r, &raw));
    if (tag == VALUE_INT)
        v->int_value = (int64_t)raw;
    else if (tag == VALUE_UINT)
        v->uint_value = raw;
    else if (tag == VALUE_SINT)
        v->sint_value = protobuf_unzigzag64(raw);
    else
        v->bool_value = raw != 0;
    return PROTOBUF_OK;
}

static enum protobuf_fault read_value(struct reading *r,
                                      struct mvt_proto_value *v)
{
    static const uint32_t known[] = {
        VALUE_STRING, VALUE_FLOAT, VALUE_DOUBLE, VALUE_INT,
        VALUE_UINT,   VALUE_SINT,  VALUE_BOOL,   0};

    while (cursor_left(&r->c) != 0) {
        uint64_t tag = 0;
        PROTO_TRY(next_field(r, &tag, known, &mvt_value_schema));
        if (tag != 0)
            PROTO_TRY(read_value_field(r, tag, v));
    }
    return PROTOBUF_OK;
}

static enum protobuf_fault read_feature_field(struct reading *r, uint64_t tag,
                                              struct mvt_proto_feature *f)
{
    uint64_t raw = 0;

    switch (tag) {
    case FEATURE_TAGS:
        return read_packed(r, &f->tags);
    case FEATURE_TAGS_SINGLE:
        return read_single(r, &f->tags);
    case FEATURE_GEOMETRY:
        return read_packed(r, &f->geometry);
    case FEATURE_GEOMETRY_SINGLE:
        return read_single(r, &f->geometry);
    case FEATURE_ID:
        f->has_id = true;
        return read_varint(r, &f->id);
    }
    PROTO_TRY(read_varint(r, &raw));
    if ((uint32_t)raw <= MVT_TYPE_POLYGON)
        f->type = (int8_t)raw;
    return PROTOBUF_OK;
}

static enum protobuf_fault read_feature(struct reading *r,
                                        struct mvt_proto_feature *f)
{
    static const uint32_t known[] = {FEATURE_ID,
                                     FEATURE_TAGS,
                                     FEATURE_TYPE,
                                     FEATURE_TAGS_SINGLE,
                                     FEATURE_GEOMETRY,
                                     FEATURE_GEOMETRY_SINGLE,
                                     0};

    f->type = MVT_TYPE_ABSENT;
    while (cursor_left(&r->c) != 0) {
        uint64_t tag = 0;
        PROTO_TRY(next_field(r, &tag, known, &mvt_feature_schema));
        if (tag != 0)
            PROTO_TRY(read_feature_field(r, tag, f));
    }
    return PROTOBUF_OK;
}

/* Cut a nested message out of the one that is read. */
static enum protobuf_fault enter(struct reading *r, struct reading *inside)
{
    const uint8_t *body;
    size_t size;

    PROTO_TRY(read_bytes(r, &body, &size));
    *inside = *r;
    inside->c.at = (size_t)(body - r->c.data);
    inside->c.size = inside->c.at + size;
    return PROTOBUF_OK;
}

static enum protobuf_fault read_layer_field(struct reading *r, uint64_t tag,
                                            struct mvt_proto_layer *layer)
{
    struct reading inside;
    struct mvt_string key;
    uint64_t raw = 0;
    void *element;

    switch (tag) {
    case LAYER_NAME:
        layer->has_name = true;
        return read_string(r, &layer->name);
    case LAYER_KEY:
        PROTO_TRY(read_string(r, &key));
        element = APPEND(r, layer, keys, key_count, key_capacity);
        if (element == NULL)
            return PROTOBUF_NO_MEMORY;
        *(struct mvt_string *)element = key;
        return PROTOBUF_OK;
    case LAYER_FEATURE:
        PROTO_TRY(enter(r, &inside));
        element = APPEND(r, layer, features, feature_count, feature_capacity);
        return element == NULL ? PROTOBUF_NO_MEMORY
                               : read_feature(&inside, element);
    case LAYER_VALUE:
        PROTO_TRY(enter(r, &inside));
        element = APPEND(r, layer, values, value_count, value_capacity);
        return element == NULL ? PROTOBUF_NO_MEMORY
                               : read_value(&inside, element);
    }
    PROTO_TRY(read_varint(r, &raw));
    if (tag == LAYER_VERSION) {
        layer->has_version = true;
        layer->version = (uint32_t)raw;
    } else {
        layer->has_extent = true;
        layer->extent = (uint32_t)raw;
    }
    return PROTOBUF_OK;
}

static enum protobuf_fault read_layer(struct reading *r,
                                      struct mvt_proto_layer *layer)
{
    static const uint32_t known[] = {
        LAYER_NAME,   LAYER_FEATURE, LAYER_KEY, LAYER_VALUE,
        LAYER_EXTENT, LAYER_VERSION, 0};

    while (cursor_left(&r->c) != 0) {
        uint64_t tag = 0;
        PROTO_TRY(next_field(r, &tag, known, &mvt_layer_schema));
        if (tag != 0)
            PROTO_TRY(read_layer_field(r, tag, layer));
    }
    return PROTOBUF_OK;
}

static enum protobuf_fault read_tile(struct reading *r,
                                     struct mvt_proto_tile *tile)
{
    static const uint32_t known[] = {TILE_LAYER, 0};

    while (cursor_left(&r->c) != 0) {
        struct reading inside;
        uint64_t tag = 0;
        PROTO_TRY(next_field(r, &tag, known, &mvt_tile_schema));
        if (tag == 0)
            continue;
        PROTO_TRY(enter(r, &inside));
        struct mvt_proto_layer *layer =
            APPEND(r, tile, layers, layer_count, layer_capacity);
        if (layer == NULL)
            return PROTOBUF_NO_MEMORY;
        PROTO_TRY(read_layer(&inside, layer));
    }
    return PROTOBUF_OK;
}

enum protobuf_fault mvt_proto_decode(const uint8_t *tile, size_t size,
                                     const struct alloc *alloc,
                                     struct mvt_proto_tile *out,
                                     struct protobuf_error *error)
{
    static const uint8_t none[1];
    struct reading r = {
        .c = cursor_init(size != 0 ? tile : none, size),
        .alloc = alloc,
        .error = error,
    };
    struct mvt_proto_tile made = {.alloc = alloc};
    enum protobuf_fault fault;

    if (size > UINT32_MAX)
        return fail(&r, PROTOBUF_TOO_LARGE, 0);
    fault = read_tile(&r, &made);
    if (fault == PROTOBUF_OK)
        *out = made;
    else
        mvt_proto_free(&made);
    return fault;
}

enum mvt_fault mvt_reader_to_proto(const struct mvt_reader *reader,
                                   const struct alloc *alloc, bool fill_extent,
                                   struct mvt_proto_tile *out)
{
    struct protobuf_error error;

    /* the tile opened, so nothing else can be wrong with it */
    if (mvt_proto_decode(reader->tile, reader->tile_size, alloc, out,
                         &error) != PROTOBUF_OK)
        return MVT_NO_MEMORY;
    for (size_t i = 0; fill_extent && i < out->layer_count; i++)
        if (!out->layers[i].has_extent) {
            out->layers[i].has_extent = true;
            out->layers[i].extent = MVT_EXTENT_DEFAULT;
        }
    return MVT_OK;
}
