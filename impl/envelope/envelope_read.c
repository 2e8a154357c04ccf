/* SPDX-License-Identifier: MIT */
/* Reads: the nine checks in their order, and memory only after the sixth. */
#include "envelope/envelope.h"

#include "envelope/envelope_block.h"
#include "envelope/envelope_once.h"

/* A test compiles this file with a function of its own here, to show that
 * its allocation probe sees a reader that reserves before the checks. */
#ifndef ENVELOPE_BEFORE_SIZES
#define ENVELOPE_BEFORE_SIZES(view, alloc) ((void)0)
#endif

static inline bool sizes_fit(uint64_t compressed_size, uint64_t original_size)
{
    /* A product of 64 bits: 4,294,968 bytes of block pass 2^32. */
    return compressed_size - 1 < ENVELOPE_COMPRESSED_MAX &&
           original_size <= ENVELOPE_PAYLOAD_MAX &&
           original_size <= ENVELOPE_RATIO_MAX * compressed_size;
}

enum envelope_kind envelope_check_sizes(uint64_t compressed_size,
                                        uint64_t original_size,
                                        struct envelope_error *error)
{
    if (LIKELY(sizes_fit(compressed_size, original_size)))
        return ENVELOPE_OK;
    if (compressed_size > ENVELOPE_COMPRESSED_MAX ||
        original_size > ENVELOPE_PAYLOAD_MAX)
        return envelope_fail(error, ENVELOPE_INPUT_TOO_LARGE);
    return envelope_fail(error, ENVELOPE_DECOMPRESSION_BOMB);
}

/* Checks 1 to 6: nothing is allocated. */
static ALWAYS_INLINE enum envelope_kind open_envelope(
    const uint8_t *in, size_t in_size, const struct alloc *alloc,
    struct envelope_view *view, struct envelope_error *error)
{
    if (UNLIKELY(in_size > ENVELOPE_COMPRESSED_MAX))
        return envelope_fail(error, ENVELOPE_INPUT_TOO_LARGE);
    if (UNLIKELY(!envelope_once(in, in_size, view))) {
        enum envelope_kind kind =
            envelope_decode_full(in, in_size, alloc, view, error);
        if (kind != ENVELOPE_OK)
            return kind;
    }
    ENVELOPE_BEFORE_SIZES(view, alloc);
    if (LIKELY(sizes_fit(view->data_size, view->original_size)))
        return ENVELOPE_OK;
    return envelope_check_sizes(view->data_size, view->original_size, error);
}

/* Checks 7 to 9 failed: nothing of the payload stays. */
static COLD enum envelope_kind fail_unpack(uint8_t *out, size_t out_size,
                                           enum envelope_kind kind,
                                           struct envelope_error *error)
{
    if (out != NULL)
        memset(out, 0, out_size);
    return envelope_fail(error, kind);
}

/* Checks 7 to 9 on a block that lies in one piece. */
static ALWAYS_INLINE enum envelope_kind unpack_block(
    const struct envelope_view *view, const uint8_t *block, uint8_t *out,
    struct envelope_error *error)
{
    enum envelope_kind kind = ENVELOPE_OK;
    size_t produced;

    if (!envelope_block_decode(block, view->data_size, out,
                               view->original_size, &produced))
        kind = ENVELOPE_DECOMPRESSION_FAILED;
    else if (envelope_checksum(out, produced) != view->checksum)
        kind = ENVELOPE_CHECKSUM_MISMATCH;
    else if (produced != view->original_size)
        kind = ENVELOPE_SIZE_VALIDATION_FAILED;
    return LIKELY(kind == ENVELOPE_OK)
               ? kind
               : fail_unpack(out, view->original_size, kind, error);
}

/* The older encoding: convert the block first. */
static COLD enum envelope_kind unpack_array(const struct envelope_view *view,
                                            const struct alloc *alloc,
                                            uint8_t *out,
                                            struct envelope_error *error)
{
    uint8_t *block = alloc_get(alloc, view->data_size);
    enum envelope_kind kind;

    if (block == NULL)
        return envelope_fail(error, ENVELOPE_OUT_OF_MEMORY);
    envelope_array_bytes(view, block);
    kind = unpack_block(view, block, out, error);
    alloc_put(alloc, block, view->data_size);
    return kind;
}

/* Checks 7 to 9, into original_size bytes at out; when one fails they are
 * zero. */
static ALWAYS_INLINE enum envelope_kind unpack(
    const struct envelope_view *view, const struct alloc *alloc, uint8_t *out,
    struct envelope_error *error)
{
    return UNLIKELY(view->array_span != 0)
               ? unpack_array(view, alloc, out, error)
               : unpack_block(view, view->data, out, error);
}

/* Checks 7 to 9 into new memory with room for extra bytes after the payload;
 * *memory is NULL when there is nothing to hold, and on failure. */
static ALWAYS_INLINE enum envelope_kind unpack_new(
    const struct envelope_view *view, const struct alloc *alloc, size_t extra,
    uint8_t **memory, struct envelope_error *error)
{
    const size_t size = view->original_size + extra;
    enum envelope_kind kind;

    *memory = alloc_get(alloc, size);
    if (*memory == NULL && size != 0)
        return envelope_fail(error, ENVELOPE_OUT_OF_MEMORY);
    kind = unpack(view, alloc, *memory, error);
    if (UNLIKELY(kind != ENVELOPE_OK)) {
        alloc_put(alloc, *memory, size);
        *memory = NULL;
    }
    return kind;
}

enum envelope_kind envelope_retrieve(const uint8_t *in, size_t in_size,
                                     const struct alloc *alloc,
                                     struct envelope_entry *entry,
                                     struct envelope_error *error)
{
    struct envelope_view view;
    uint8_t *memory;
    enum envelope_kind kind = open_envelope(in, in_size, alloc, &view, error);

    if (kind != ENVELOPE_OK)
        return kind;
    kind = unpack_new(&view, alloc, view.format_size, &memory, error);
    if (kind != ENVELOPE_OK)
        return kind;
    *entry = (struct envelope_entry){
        .payload = view.original_size != 0 ? memory : NULL,
        .payload_size = view.original_size,
        .format_size = view.format_size,
        .memory = memory};
    if (LIKELY(view.format_size != 0)) {
        entry->format = (const char *)memory + view.original_size;
        envelope_format_copy(memory + view.original_size, view.format,
                             view.format_size);
    }
    return ENVELOPE_OK;
}

void envelope_entry_free(const struct alloc *alloc,
                         struct envelope_entry *entry)
{
    const struct envelope_entry old = *entry;

    *entry = (struct envelope_entry){0};
    alloc_put(alloc, old.memory, old.payload_size + old.format_size);
}

void envelope_buffer_free(const struct alloc *alloc,
                          struct envelope_buffer *buffer)
{
    const struct envelope_buffer old = *buffer;

    *buffer = (struct envelope_buffer){0};
    alloc_put(alloc, old.data, old.capacity);
}

enum envelope_kind envelope_retrieve_data(const uint8_t *in, size_t in_size,
                                          const struct alloc *alloc,
                                          struct envelope_buffer *out,
                                          struct envelope_error *error)
{
    struct envelope_view view;
    uint8_t *memory;
    enum envelope_kind kind = open_envelope(in, in_size, alloc, &view, error);

    if (kind != ENVELOPE_OK)
        return kind;
    kind = unpack_new(&view, alloc, 0, &memory, error);
    if (LIKELY(kind == ENVELOPE_OK))
        *out = (struct envelope_buffer){.data = memory,
                                        .size = view.original_size,
                                        .capacity = view.original_size};
    return kind;
}

enum envelope_kind envelope_retrieve_into(const uint8_t *in, size_t in_size,
                                          const struct alloc *alloc,
                                          uint8_t *out, size_t out_size,
                                          struct envelope_entry *entry,
                                          struct envelope_error *error)
{
    struct envelope_view view;
    enum envelope_kind kind = open_envelope(in, in_size, alloc, &view, error);

    if (kind != ENVELOPE_OK)
        return kind;
    if (UNLIKELY(view.original_size > out_size)) {
        entry->payload_size = view.original_size;
        return envelope_fail(error, ENVELOPE_NO_SPACE);
    }
    kind = unpack(&view, alloc, out, error);
    if (LIKELY(kind == ENVELOPE_OK))
        *entry = (struct envelope_entry){.payload = out,
                                         .payload_size = view.original_size,
                                         .format = view.format,
                                         .format_size = view.format_size};
    return kind;
}

bool envelope_validate(const uint8_t *in, size_t in_size,
                       const struct alloc *alloc)
{
    struct envelope_buffer out;

    if (envelope_retrieve_data(in, in_size, alloc, &out, NULL) != ENVELOPE_OK)
        return false;
    envelope_buffer_free(alloc, &out);
    return true;
}
