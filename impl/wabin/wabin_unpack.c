/* SPDX-License-Identifier: MIT */
/* Inflating with bounds, and a state that stays. */
#include "wabin/wabin_unpack.h"

#include <limits.h>
#include <stddef.h>

#include <zlib.h>

#include "wabin/wabin_wire.h"

#define GUESS_MIN 4096 /* first size of the output, in bytes */

struct wabin_inflate {
    z_stream stream;
};

/* zlib does not say sizes when it gives memory back: they stand before it. */
union block_header {
    size_t size;
    max_align_t align;
};

static void *zlib_alloc(void *opaque, unsigned items, unsigned item_size)
{
    struct wabin_unpacker *unpacker = opaque;
    size_t size;

    if (!size_mul(items, item_size, &size) ||
        !size_add(size, sizeof(union block_header), &size))
        return NULL;
    union block_header *header = alloc_get(unpacker->alloc, size);
    if (header == NULL)
        return NULL;
    header->size = size;
    return header + 1;
}

static void zlib_free(void *opaque, void *p)
{
    struct wabin_unpacker *unpacker = opaque;
    union block_header *header = p;

    header--;
    alloc_put(unpacker->alloc, header, header->size);
}

void wabin_unpacker_init(struct wabin_unpacker *unpacker, size_t max_size,
                         const struct alloc *alloc)
{
    *unpacker = (struct wabin_unpacker){.max_size = max_size, .alloc = alloc};
}

void wabin_unpacker_release(struct wabin_unpacker *unpacker)
{
    if (unpacker->inflate == NULL)
        return;
    unpacker->inflate->stream.opaque = unpacker;
    inflateEnd(&unpacker->inflate->stream);
    alloc_put(unpacker->alloc, unpacker->inflate, sizeof(*unpacker->inflate));
    unpacker->inflate = NULL;
}

static COLD enum wabin_status fail(const struct wabin_unpacker *unpacker,
                                   enum wabin_cause cause,
                                   struct wabin_error *error)
{
    if (error != NULL)
        *error = (struct wabin_error){
            .status = WABIN_ZLIB,
            .cause = cause,
            .number = unpacker->max_size,
            .at = 1,
        };
    return WABIN_ZLIB;
}

/* A stream at its start; false when there is no memory. */
static bool start(struct wabin_unpacker *unpacker)
{
    struct wabin_inflate *inflate = unpacker->inflate;

    if (inflate != NULL) {
        inflate->stream.opaque = unpacker; /* it may have moved */
        return inflateReset(&inflate->stream) == Z_OK;
    }
    inflate = alloc_get(unpacker->alloc, sizeof(*inflate));
    if (inflate == NULL)
        return false;
    inflate->stream = (z_stream){
        .zalloc = zlib_alloc,
        .zfree = zlib_free,
        .opaque = unpacker,
    };
    if (inflateInit(&inflate->stream) != Z_OK) {
        alloc_put(unpacker->alloc, inflate, sizeof(*inflate));
        return false;
    }
    unpacker->inflate = inflate;
    return true;
}

/* One byte above the limit shows that a stream passes it. */
static size_t capacity_max(const struct wabin_unpacker *unpacker)
{
    return unpacker->max_size < SIZE_MAX ? unpacker->max_size + 1 : SIZE_MAX;
}

static bool set_capacity(struct wabin_buf *out, size_t capacity)
{
    uint8_t *data =
        alloc_resize(out->alloc, out->data, out->capacity, capacity);
    if (data == NULL)
        return false;
    out->data = data;
    out->capacity = capacity;
    return true;
}

/* Room for at least one byte more. */
static bool make_room(const struct wabin_unpacker *unpacker,
                      struct wabin_buf *out)
{
    size_t max = capacity_max(unpacker);

    if (out->size < out->capacity)
        return true;
    return set_capacity(out,
                        out->capacity < max / 2 ? 2 * out->capacity : max);
}

static bool first_room(const struct wabin_unpacker *unpacker, size_t in_size,
                       struct wabin_buf *out)
{
    size_t max = capacity_max(unpacker), guess = GUESS_MIN;

    if (in_size > guess / 2)
        guess = in_size < max / 2 ? 2 * in_size : max;
    if (guess > max)
        guess = max;
    return out->capacity >= guess || set_capacity(out, guess);
}

static unsigned at_most_uint(size_t size)
{
    return size < UINT_MAX ? (unsigned)size : UINT_MAX;
}

/* Inflate to the end of the stream; WABIN_CAUSE_NONE, or what went wrong. */
static enum wabin_cause run(const struct wabin_unpacker *unpacker,
                            const uint8_t *in, size_t in_size,
                            struct wabin_buf *out)
{
    z_stream *z = &unpacker->inflate->stream;
    size_t max = capacity_max(unpacker);
    int ret = Z_OK;

    while (ret == Z_OK) {
        if (!make_room(unpacker, out))
            return WABIN_CAUSE_MEMORY;
        unsigned some = at_most_uint(in_size);
        unsigned room = at_most_uint(
            (out->capacity < max ? out->capacity : max) - out->size);
        z->next_in = (unsigned char *)(uintptr_t)in; /* zlib only reads it */
        z->avail_in = some;
        z->next_out = out->data + out->size;
        z->avail_out = room;
        ret = inflate(z, Z_NO_FLUSH);
        in += some - z->avail_in;
        in_size -= some - z->avail_in;
        out->size += room - z->avail_out;
        /* Whatever else is wrong with it, it is too large. */
        if (out->size > unpacker->max_size)
            return WABIN_CAUSE_TOO_LARGE;
    }
    switch (ret) {
    case Z_STREAM_END:
        return WABIN_CAUSE_NONE;
    case Z_BUF_ERROR:
        return WABIN_CAUSE_TRUNCATED;
    case Z_NEED_DICT:
        return WABIN_CAUSE_DICTIONARY;
    case Z_MEM_ERROR:
        return WABIN_CAUSE_MEMORY;
    default:
        return WABIN_CAUSE_DATA;
    }
}

enum wabin_status wabin_unpack(struct wabin_unpacker *unpacker,
                               const uint8_t *frame, size_t frame_size,
                               struct wabin_buf *out,
                               struct wabin_nodes *nodes,
                               struct wabin_error *error)
{
    enum wabin_cause cause;

    if (frame_size == 0) {
        if (error != NULL)
            *error = (struct wabin_error){.status = WABIN_EMPTY_DATA};
        return WABIN_EMPTY_DATA;
    }
    if ((frame[0] & WIRE_FORMAT_COMPRESSED) == 0) {
        *nodes = (struct wabin_nodes){frame + 1, frame_size - 1};
        return WABIN_OK;
    }
    out->size = 0;
    if (!start(unpacker) || !first_room(unpacker, frame_size - 1, out))
        return fail(unpacker, WABIN_CAUSE_MEMORY, error);
    cause = run(unpacker, frame + 1, frame_size - 1, out);
    if (cause != WABIN_CAUSE_NONE) {
        out->size = 0;
        return fail(unpacker, cause, error);
    }
    *nodes = (struct wabin_nodes){out->data, out->size};
    return WABIN_OK;
}

enum wabin_status wabin_pack(const uint8_t *nodes, size_t nodes_size,
                             struct wabin_buf *out)
{
    size_t size;

    out->size = 0;
    if (!size_add(nodes_size, 1, &size) ||
        (out->capacity < size && !set_capacity(out, size)))
        return WABIN_NO_MEMORY;
    out->data[0] = WIRE_FORMAT_PLAIN;
    if (nodes_size != 0)
        memcpy(out->data + 1, nodes, nodes_size);
    out->size = size;
    return WABIN_OK;
}
