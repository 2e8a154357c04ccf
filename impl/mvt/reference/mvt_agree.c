/* SPDX-License-Identifier: MIT */
/* All ways of reading a tile, side by side. */
#include "mvt/reference/mvt_agree.h"

#include <stdio.h>

#include "base/dethash.h"
#include "mvt/mvt_dump.h"
#include "mvt/mvt_internal.h"
#include "mvt/reference/mvt_compare.h"
#include "mvt/reference/mvt_reference.h"

/* Most bytes of a tag or a length in protobuf-c. */
#define REFUSED_SIZE 6

/* ---- what protobuf-c refuses ----------------------------------------------
 */

/* Is the message in these bounds, which is valid, refused?  `nested` lists
 * the fields to look into, by their tags. */
static bool is_refused(struct cursor c, const uint32_t *nested);

static const uint32_t in_tile[] = {TILE_LAYER, 0};
static const uint32_t in_layer[] = {LAYER_FEATURE, LAYER_VALUE, 0};
static const uint32_t in_leaf[] = {0};

static bool is_refused_field(struct cursor *c, uint32_t tag,
                             const uint32_t *nested)
{
    struct protobuf_error error;
    const uint8_t *bytes;
    size_t size, before = c->at;

    if (protobuf_tag_type(tag) == PROTOBUF_GROUP_START)
        return true;
    if (protobuf_tag_type(tag) != PROTOBUF_BYTES)
        return protobuf_skip(c, tag, 0, &error) != PROTOBUF_OK;
    if (protobuf_take_bytes(c, &bytes, &size) != PROTOBUF_OK ||
        c->at - size - before >= REFUSED_SIZE)
        return true;
    for (; *nested != 0; nested++)
        if (*nested == tag &&
            is_refused(cursor_init(bytes, size),
                       nested == in_tile ? in_layer : in_leaf))
            return true;
    return false;
}

static bool is_refused(struct cursor c, const uint32_t *nested)
{
    struct protobuf_error error;
    uint32_t tag;

    while (cursor_left(&c) != 0) {
        size_t before = c.at;
        if (protobuf_take_tag(&c, &tag, &error) != PROTOBUF_OK ||
            c.at - before >= REFUSED_SIZE || is_refused_field(&c, tag, nested))
            return true;
    }
    return false;
}

bool mvt_has_what_protobuf_c_refuses(const uint8_t *tile, size_t size)
{
    return size != 0 && is_refused(cursor_init(tile, size), in_tile);
}

/* ---- the comparison --------------------------------------------------------
 */

static bool same_wire_error(const struct protobuf_error *a,
                            const struct protobuf_error *b)
{
    char x[160], y[160];

    protobuf_error_text(a, x, sizeof(x));
    protobuf_error_text(b, y, sizeof(y));
    return a->fault == b->fault && a->at == b->at && strcmp(x, y) == 0;
}

/* A message that opens, or whose first layer with a fault has this one. */
static enum mvt_fault expected_fault(const struct mvt_proto_tile *message,
                                     const struct mvt_proto_layer **out)
{
    for (size_t i = 0; i < message->layer_count; i++) {
        const struct mvt_proto_layer *layer = &message->layers[i];
        *out = layer;
        if (layer->name.size == 0)
            return MVT_MISSING_LAYER_NAME;
        if (layer->version < MVT_VERSION_MIN ||
            layer->version > MVT_VERSION_MAX)
            return MVT_UNSUPPORTED_VERSION;
    }
    return MVT_OK;
}

/* The text that an error has for this layer; of a long name, its start. */
static bool says_so(const struct mvt_error *error, const uint8_t *tile,
                    const struct mvt_proto_layer *layer)
{
    struct mvt_string name = layer->name;
    char want[512], got[512];
    size_t size;

    if (error->fault == MVT_MISSING_LAYER_NAME)
        size = (size_t)sprintf(want, "missing required layer name");
    else
        size = (size_t)sprintf(want, "unsupported layer version %u for layer ",
                               layer->version);
    size_t held = name.size < sizeof(got) - 1 - size ? name.size
                                                     : sizeof(got) - 1 - size;
    if (held != 0)
        memcpy(want + size, name.data, held);
    return mvt_error_text(error, tile, got, sizeof(got)) == size + name.size &&
           memcmp(want, got, size + held) == 0;
}

static const char *compare_with_protobuf_c(const struct mvt_reader *reader,
                                           const uint8_t *tile, size_t size)
{
    struct mvt_reference reference;
    const char *differs;

    if (!mvt_reference_open(&reference, tile, size))
        return mvt_has_what_protobuf_c_refuses(tile, size)
                   ? NULL
                   : "protobuf-c refuses it";
    differs = mvt_reference_compare(reader, &reference);
    mvt_reference_free(&reference);
    return differs;
}

/* One path against the message, or against its error when it is NULL. */
static const char *compare_path(const uint8_t *tile, size_t size,
                                enum protobuf_path path,
                                const struct mvt_proto_tile *message,
                                const struct protobuf_error *wire)
{
    struct mvt_options options = {.path = path};
    struct mvt_error error = {0};
    struct mvt_reader reader;
    const struct mvt_proto_layer *layer = NULL;
    const char *differs = NULL;

    mvt_reader_init(&reader, &options);
    enum mvt_fault fault = mvt_reader_open(&reader, tile, size, &error);
    if (fault == MVT_DECODE && error.wire.fault == PROTOBUF_ELEMENT_MEMORY)
        differs = NULL;
    else if (message == NULL)
        differs = fault == MVT_DECODE && same_wire_error(&error.wire, wire)
                      ? NULL
                      : "the wire error";
    else if (fault != expected_fault(message, &layer))
        differs = "whether it opens";
    else if (fault != MVT_OK)
        differs = says_so(&error, tile, layer) ? NULL : "an error's text";
    else
        differs = mvt_compare(&reader, message);
    if (differs == NULL && fault == MVT_OK)
        differs = compare_with_protobuf_c(&reader, tile, size);
    mvt_reader_free(&reader);
    return differs;
}

static bool put_digest(void *ctx, const char *text, size_t size)
{
    uint64_t *digest = ctx;
    *digest = dethash_siphash13(*digest, size, text, size);
    return true;
}

static bool same_dump(const struct mvt_reader *a, const struct mvt_reader *b)
{
    uint64_t of_a = 0, of_b = 0;

    return mvt_dump(a, put_digest, &of_a, NULL) == MVT_OK &&
           mvt_dump(b, put_digest, &of_b, NULL) == MVT_OK && of_a == of_b;
}

/* Geometries, properties and text of the portable path against another's. */
static const char *compare_paths(const uint8_t *tile, size_t size,
                                 enum protobuf_path path)
{
    struct mvt_options plain = {.path = PROTOBUF_PATH_PORTABLE};
    struct mvt_options fast = {.path = path};
    struct mvt_reader a, b;
    struct mvt_error error;
    const char *differs = NULL;

    mvt_reader_init(&a, &plain);
    mvt_reader_init(&b, &fast);
    if (mvt_reader_open(&a, tile, size, &error) == MVT_OK &&
        mvt_reader_open(&b, tile, size, &error) == MVT_OK)
        differs = mvt_compare_readers(&a, &b);
    if (differs == NULL && a.layer_count != 0 && !same_dump(&a, &b))
        differs = "the dump";
    mvt_reader_free(&a);
    mvt_reader_free(&b);
    return differs;
}

const char *mvt_agree(const uint8_t *tile, size_t size)
{
    static const enum protobuf_path paths[] = {
        PROTOBUF_PATH_PORTABLE, PROTOBUF_PATH_SSE41, PROTOBUF_PATH_AVX2};
    struct mvt_proto_tile message = {0};
    struct protobuf_error error = {0};
    bool is_message =
        mvt_proto_decode(tile, size, NULL, &message, &error) == PROTOBUF_OK;
    const char *differs = NULL;

    for (size_t i = 0; differs == NULL && i < ARRAY_COUNT(paths); i++) {
        differs = compare_path(tile, size, paths[i],
                               is_message ? &message : NULL, &error);
        if (differs == NULL && i != 0)
            differs = compare_paths(tile, size, paths[i]);
    }
    if (is_message)
        mvt_proto_free(&message);
    return differs;
}
