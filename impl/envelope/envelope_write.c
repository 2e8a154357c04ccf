/* SPDX-License-Identifier: MIT */
/* Writing: the block is compressed where it will stand in the envelope, so
 * that a payload is read twice (compressor, checksum) and copied never. */
#include "envelope/envelope.h"

#define LZ4_STATIC_LINKING_ONLY  /* for LZ4_compress_fast_extState_fastReset  \
                                  */
#include <lz4.h>

#include "envelope/envelope_internal.h"

#define DEFAULT_FORMAT "msgpack"
#define ACCELERATION   1 /* a higher one gains little time, loses much size */

struct envelope_storage {
    LZ4_stream_t compressor; /* only fastReset may be used on it */
    const struct alloc *alloc;
    size_t format_size;
    char format[]; /* default */
};

/* ---- the encoder ------------------------------------------------------- */

/* Root marker, and a checksum of eight integers of two bytes. */
#define ROOT_SIZE         1
#define CHECKSUM_MAX_SIZE (1 + 2 * ENVELOPE_CHECKSUM_SIZE)
#define SIZE_MAX_SIZE     5

/* MessagePack, "Formats": headers of their shortest form.  A bin has no form
 * for up to 31 bytes in its marker, a str has. */
static size_t bin_head_size(size_t size)
{
    return size <= UINT8_MAX ? 2 : size <= UINT16_MAX ? 3 : 5;
}

static size_t str_head_size(size_t size)
{
    return size <= 31 ? 1 : bin_head_size(size);
}

/* Write marker and a length of 1, 2 or 4 bytes; first is the marker of the
 * form with 1, and the two others follow it. */
static uint8_t *put_head(uint8_t *p, uint8_t first, size_t size)
{
    if (size <= UINT8_MAX) {
        *p++ = first;
        *p++ = (uint8_t)size;
        return p;
    }
    if (size <= UINT16_MAX) {
        *p++ = first + 1;
    } else {
        *p++ = first + 2;
        *p++ = (uint8_t)(size >> 24);
        *p++ = (uint8_t)(size >> 16);
    }
    *p++ = (uint8_t)(size >> 8);
    *p++ = (uint8_t)size;
    return p;
}

/* Root marker and the header of the block. */
static uint8_t *put_front(uint8_t *p, size_t data_size)
{
    *p++ = 0x94;
    return put_head(p, 0xc4, data_size);
}

static ALWAYS_INLINE uint8_t *put_checksum(uint8_t *p, uint64_t checksum)
{
    size_t marks = 0; /* of bytes that need one */

    *p++ = 0x98;
#pragma GCC unroll 8
    for (int i = 0; i < ENVELOPE_CHECKSUM_SIZE; i++) {
        checksum = checksum << 8 | checksum >> 56;
        /* cc is overwritten by a byte that needs no marker. */
        p[marks] = 0xcc;
        marks += (uint8_t)checksum >= 0x80;
        p[marks] = (uint8_t)checksum;
        p++;
    }
    return p + marks;
}

/* What follows the block. */
static ALWAYS_INLINE uint8_t *put_back(uint8_t *p,
                                       const struct envelope_view *view)
{
    p = put_checksum(p, view->checksum);
    if (view->original_size <= 0x7f)
        *p++ = (uint8_t)view->original_size;
    else
        p = put_head(p, 0xcc, view->original_size);
    if (view->format_size <= 31)
        *p++ = (uint8_t)(0xa0 | view->format_size);
    else
        p = put_head(p, 0xd9, view->format_size);
    envelope_format_copy(p, view->format, view->format_size);
    return p + view->format_size;
}

/* Bytes around the block. */
static size_t frame_bound(size_t data_size, size_t format_size)
{
    return ROOT_SIZE + bin_head_size(data_size) + CHECKSUM_MAX_SIZE +
           SIZE_MAX_SIZE + str_head_size(format_size);
}

static inline size_t encode_bound(size_t data_size, size_t format_size)
{
    size_t size = frame_bound(data_size, format_size);

    if (!size_add(size, data_size, &size) ||
        !size_add(size, format_size, &size))
        return SIZE_MAX;
    return size;
}

size_t envelope_encode_bound(size_t data_size, size_t format_size)
{
    return encode_bound(data_size, format_size);
}

enum envelope_kind envelope_encode(const struct envelope_view *view,
                                   uint8_t *out, size_t out_size,
                                   size_t *written,
                                   struct envelope_error *error)
{
    if (out_size < encode_bound(view->data_size, view->format_size))
        return envelope_fail(error, ENVELOPE_NO_SPACE);
    uint8_t *p = put_front(out, view->data_size);
    if (view->data_size != 0)
        memcpy(p, view->data, view->data_size);
    p = put_back(p + view->data_size, view);
    *written = (size_t)(p - out);
    return ENVELOPE_OK;
}

/* ---- the writer -------------------------------------------------------- */

enum envelope_kind envelope_storage_new(const char *format, size_t format_size,
                                        const struct alloc *alloc,
                                        struct envelope_storage **storage,
                                        struct envelope_error *error)
{
    struct envelope_storage *s;
    size_t size = sizeof(*s);

    if (format == NULL) {
        format = DEFAULT_FORMAT;
        format_size = strlen(DEFAULT_FORMAT);
    }
    if (!envelope_format_valid(format, format_size))
        return envelope_fail_with(error, ENVELOPE_SERIALIZATION_FAILED,
                                  DETAIL_FORMAT_NOT_UTF8, 0, 0);
    if (!size_add(size, format_size, &size) ||
        (s = alloc_get(alloc, size)) == NULL)
        return envelope_fail(error, ENVELOPE_OUT_OF_MEMORY);
    LZ4_initStream(&s->compressor, sizeof(s->compressor));
    s->alloc = alloc;
    s->format_size = format_size;
    memcpy(s->format, format, format_size);
    *storage = s;
    return ENVELOPE_OK;
}

void envelope_storage_free(struct envelope_storage *storage)
{
    if (storage != NULL)
        alloc_put(storage->alloc, storage,
                  sizeof(*storage) + storage->format_size);
}

/* Worst case of a block; the payload is in bounds, so no sum wraps. */
static inline size_t block_bound(size_t payload_size)
{
    return LZ4_COMPRESSBOUND((uint32_t)payload_size);
}

/* ENVELOPE_OK or why this payload and format cannot be stored; puts the
 * default in place of a format that is not given. */
static inline enum envelope_kind check_input(const struct envelope_storage *s,
                                             size_t payload_size,
                                             const char **format,
                                             size_t *format_size,
                                             struct envelope_error *error)
{
    if (payload_size > ENVELOPE_PAYLOAD_MAX)
        return envelope_fail(error, ENVELOPE_INPUT_TOO_LARGE);
    if (LIKELY(*format == NULL)) {
        *format = s->format;
        *format_size = s->format_size;
        return ENVELOPE_OK; /* found valid when it was set */
    }
    if (!envelope_format_valid(*format, *format_size))
        return envelope_fail_with(error, ENVELOPE_SERIALIZATION_FAILED,
                                  DETAIL_FORMAT_NOT_UTF8, 0, 0);
    return ENVELOPE_OK;
}

size_t envelope_store_bound(const struct envelope_storage *storage,
                            size_t payload_size, const char *format,
                            size_t format_size)
{
    if (payload_size > ENVELOPE_PAYLOAD_MAX)
        return SIZE_MAX;
    return encode_bound(block_bound(payload_size),
                        format != NULL ? format_size : storage->format_size);
}

/* Compress into room of capacity bytes, at least block_bound.  Equal input
 * gives equal bytes: fastReset leaves no trace of earlier payloads. */
static ALWAYS_INLINE enum envelope_kind compress(
    struct envelope_storage *s, const uint8_t *payload, size_t payload_size,
    uint8_t *block, size_t capacity, size_t *block_size,
    struct envelope_error *error)
{
    static const char nothing[1]; /* liblz4 forms addresses from its input */
    const char *from = payload_size != 0 ? (const char *)payload : nothing;
    int size = LZ4_compress_fast_extState_fastReset(
        &s->compressor, from, (char *)block, (int)payload_size, (int)capacity,
        ACCELERATION);

    if (size <= 0)
        return envelope_fail(error, ENVELOPE_COMPRESSION_FAILED);
    if ((size_t)size > ENVELOPE_COMPRESSED_MAX)
        return envelope_fail(error, ENVELOPE_INPUT_TOO_LARGE);
    *block_size = (size_t)size;
    return ENVELOPE_OK;
}

/* Store into room that is known to suffice; capacity is that of the block. */
static ALWAYS_INLINE enum envelope_kind store(struct envelope_storage *s,
                                              const uint8_t *payload,
                                              struct envelope_view view,
                                              size_t capacity, uint8_t *out,
                                              size_t *written,
                                              struct envelope_error *error)
{
    /* The block goes where it stands if its header has the width that the
     * bound has; a narrower header is seen only afterwards. */
    uint8_t *block = out + ROOT_SIZE + bin_head_size(capacity);
    enum envelope_kind kind = compress(s, payload, view.original_size, block,
                                       capacity, &view.data_size, error);

    if (kind != ENVELOPE_OK)
        return kind;
    view.checksum = envelope_checksum(payload, view.original_size);
    uint8_t *place = out + ROOT_SIZE + bin_head_size(view.data_size);
    if (place != block)
        memmove(place, block, view.data_size);
    put_front(out, view.data_size);
    uint8_t *end = put_back(place + view.data_size, &view);
    if ((size_t)(end - out) > ENVELOPE_COMPRESSED_MAX)
        return envelope_fail(error, ENVELOPE_INPUT_TOO_LARGE);
    *written = (size_t)(end - out);
    return ENVELOPE_OK;
}

enum envelope_kind envelope_store_into(struct envelope_storage *storage,
                                       const uint8_t *payload,
                                       size_t payload_size, const char *format,
                                       size_t format_size, uint8_t *out,
                                       size_t out_size, size_t *written,
                                       struct envelope_error *error)
{
    enum envelope_kind kind =
        check_input(storage, payload_size, &format, &format_size, error);

    if (kind != ENVELOPE_OK)
        return kind;
    const size_t capacity = block_bound(payload_size);
    if (out_size < encode_bound(capacity, format_size))
        return envelope_fail(error, ENVELOPE_NO_SPACE);
    struct envelope_view view = {.original_size = (uint32_t)payload_size,
                                 .format = format,
                                 .format_size = format_size};
    return store(storage, payload, view, capacity, out, written, error);
}

enum envelope_kind envelope_store(struct envelope_storage *storage,
                                  const uint8_t *payload, size_t payload_size,
                                  const char *format, size_t format_size,
                                  struct envelope_buffer *out,
                                  struct envelope_error *error)
{
    enum envelope_kind kind =
        check_input(storage, payload_size, &format, &format_size, error);

    if (kind != ENVELOPE_OK)
        return kind;
    const size_t capacity = block_bound(payload_size);
    const size_t room = encode_bound(capacity, format_size);
    size_t size = 0;
    struct envelope_view view = {.original_size = (uint32_t)payload_size,
                                 .format = format,
                                 .format_size = format_size};
    uint8_t *data = alloc_get(storage->alloc, room);
    if (data == NULL)
        return envelope_fail(error, ENVELOPE_OUT_OF_MEMORY);
    kind = store(storage, payload, view, capacity, data, &size, error);
    if (kind == ENVELOPE_OK)
        *out = (struct envelope_buffer){
            .data = data, .size = size, .capacity = room};
    else
        alloc_put(storage->alloc, data, room);
    return kind;
}

enum envelope_kind envelope_estimate_compression(
    struct envelope_storage *storage, const uint8_t *payload,
    size_t payload_size, double *ratio, struct envelope_error *error)
{
    size_t capacity, block_size = 0;
    enum envelope_kind kind;
    uint8_t *block;

    if (payload_size > ENVELOPE_PAYLOAD_MAX)
        return envelope_fail(error, ENVELOPE_INPUT_TOO_LARGE);
    capacity = block_bound(payload_size);
    block = alloc_get(storage->alloc, capacity);
    if (block == NULL)
        return envelope_fail(error, ENVELOPE_OUT_OF_MEMORY);
    kind = compress(storage, payload, payload_size, block, capacity,
                    &block_size, error);
    if (kind == ENVELOPE_OK)
        *ratio = (double)payload_size / (double)block_size;
    alloc_put(storage->alloc, block, capacity);
    return kind;
}
