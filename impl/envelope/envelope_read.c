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

/* Checks 1 and 2 by the short path.  When it declines, a read goes to a
 * function of its own for other envelopes, so that the fields of usual ones
 * need no memory. */
static ALWAYS_INLINE bool open_usual(const uint8_t *in, size_t in_size,
                                     struct envelope_view *view)
{
    return LIKELY(in_size <= ENVELOPE_COMPRESSED_MAX) &&
           LIKELY(envelope_once(in, in_size, view));
}

/* Checks 1 and 2 by the complete path. */
static enum envelope_kind open_other(const uint8_t *in, size_t in_size,
                                     const struct alloc *alloc,
                                     struct envelope_view *view,
                                     struct envelope_error *error)
{
    return in_size <= ENVELOPE_COMPRESSED_MAX
               ? envelope_decode_full(in, in_size, alloc, view, error)
               : envelope_fail(error, ENVELOPE_INPUT_TOO_LARGE);
}

/* Checks 3 to 6: nothing was allocated. */
static ALWAYS_INLINE enum envelope_kind check_view(
    const struct envelope_view *view, struct envelope_error *error)
{
    return LIKELY(sizes_fit(view->data_size, view->original_size))
               ? ENVELOPE_OK
               : envelope_check_sizes(view->data_size, view->original_size,
                                      error);
}

/* One of the checks 7 to 9 failed: tell which, and leave nothing of the
 * payload. */
static COLD enum envelope_kind fail_unpack(uint64_t checksum, bool is_block,
                                           uint8_t *out, size_t out_size,
                                           size_t produced,
                                           struct envelope_error *error)
{
    enum envelope_kind kind = ENVELOPE_SIZE_VALIDATION_FAILED;

    if (!is_block)
        kind = ENVELOPE_DECOMPRESSION_FAILED;
    else if (envelope_checksum(out, produced) != checksum)
        kind = ENVELOPE_CHECKSUM_MISMATCH;
    if (out != NULL)
        memset(out, 0, out_size);
    return envelope_fail(error, kind);
}

/* Checks 7 to 9 on a block that lies in one piece. */
static ALWAYS_INLINE enum envelope_kind unpack_block(
    const struct envelope_view *view, const uint8_t *block, uint8_t *out,
    struct envelope_error *error)
{
    const size_t out_size = view->original_size;
    size_t produced;
    bool is_block = envelope_block_decode(block, view->data_size, out,
                                          out_size, &produced);

    /* The last check first: then the size is known, and is not kept. */
    if (LIKELY(is_block && produced == out_size &&
               envelope_checksum(out, out_size) == view->checksum))
        return ENVELOPE_OK;
    return fail_unpack(view->checksum, is_block, out, out_size, produced,
                       error);
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
 * zero.  Whether the fields are usual is known where a read is put together:
 * no usual block is an array. */
static ALWAYS_INLINE enum envelope_kind unpack(
    bool usual, const struct envelope_view *view, const struct alloc *alloc,
    uint8_t *out, struct envelope_error *error)
{
    return !usual && view->array_span != 0
               ? unpack_array(view, alloc, out, error)
               : unpack_block(view, view->data, out, error);
}

/* Checks 3 to 9 into new memory, with the format after the payload if it is
 * wanted; *memory is NULL when there is nothing to hold. */
static ALWAYS_INLINE enum envelope_kind unpack_new(
    bool usual, const struct envelope_view *view, const struct alloc *alloc,
    size_t format_size, uint8_t **memory, struct envelope_error *error)
{
    const size_t size = view->original_size + format_size;
    enum envelope_kind kind;

    ENVELOPE_BEFORE_SIZES(view, alloc);
    kind = check_view(view, error);
    if (UNLIKELY(kind != ENVELOPE_OK))
        return kind;
    *memory = alloc_get(alloc, size);
    if (UNLIKELY(*memory == NULL) && size != 0)
        return envelope_fail(error, ENVELOPE_OUT_OF_MEMORY);
    /* First, so that it need not be kept in mind. */
    if (LIKELY(format_size != 0))
        envelope_format_copy(*memory + view->original_size, view->format,
                             format_size);
    kind = unpack(usual, view, alloc, *memory, error);
    if (UNLIKELY(kind != ENVELOPE_OK))
        alloc_put(alloc, *memory, size);
    return kind;
}

/* ---- payload and format ------------------------------------------------- */

static ALWAYS_INLINE enum envelope_kind retrieve(
    bool usual, const struct envelope_view *view, const struct alloc *alloc,
    struct envelope_entry *entry, struct envelope_error *error)
{
    uint8_t *memory;
    enum envelope_kind kind =
        unpack_new(usual, view, alloc, view->format_size, &memory, error);

    if (LIKELY(kind == ENVELOPE_OK))
        *entry = (struct envelope_entry){
            .payload = LIKELY(view->original_size != 0) ? memory : NULL,
            .payload_size = view->original_size,
            .format = LIKELY(view->format_size != 0)
                          ? (const char *)memory + view->original_size
                          : NULL,
            .format_size = view->format_size,
            .memory = memory};
    return kind;
}

static COLD enum envelope_kind retrieve_other(const uint8_t *in,
                                              size_t in_size,
                                              const struct alloc *alloc,
                                              struct envelope_entry *entry,
                                              struct envelope_error *error)
{
    struct envelope_view view;
    enum envelope_kind kind = open_other(in, in_size, alloc, &view, error);

    return kind == ENVELOPE_OK ? retrieve(false, &view, alloc, entry, error)
                               : kind;
}

enum envelope_kind envelope_retrieve(const uint8_t *in, size_t in_size,
                                     const struct alloc *alloc,
                                     struct envelope_entry *entry,
                                     struct envelope_error *error)
{
    struct envelope_view view;

    return open_usual(in, in_size, &view)
               ? retrieve(true, &view, alloc, entry, error)
               : retrieve_other(in, in_size, alloc, entry, error);
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

/* ---- payload ------------------------------------------------------------ */

static ALWAYS_INLINE enum envelope_kind retrieve_data(
    bool usual, const struct envelope_view *view, const struct alloc *alloc,
    struct envelope_buffer *out, struct envelope_error *error)
{
    uint8_t *memory;
    enum envelope_kind kind =
        unpack_new(usual, view, alloc, 0, &memory, error);

    if (LIKELY(kind == ENVELOPE_OK))
        *out = (struct envelope_buffer){.data = memory,
                                        .size = view->original_size,
                                        .capacity = view->original_size};
    return kind;
}

static COLD enum envelope_kind data_other(const uint8_t *in, size_t in_size,
                                          const struct alloc *alloc,
                                          struct envelope_buffer *out,
                                          struct envelope_error *error)
{
    struct envelope_view view;
    enum envelope_kind kind = open_other(in, in_size, alloc, &view, error);

    return kind == ENVELOPE_OK ? retrieve_data(false, &view, alloc, out, error)
                               : kind;
}

enum envelope_kind envelope_retrieve_data(const uint8_t *in, size_t in_size,
                                          const struct alloc *alloc,
                                          struct envelope_buffer *out,
                                          struct envelope_error *error)
{
    struct envelope_view view;

    return open_usual(in, in_size, &view)
               ? retrieve_data(true, &view, alloc, out, error)
               : data_other(in, in_size, alloc, out, error);
}

/* ---- payload into the caller's buffer ----------------------------------- */

static ALWAYS_INLINE enum envelope_kind retrieve_into(
    bool usual, const struct envelope_view *view, const struct alloc *alloc,
    uint8_t *out, size_t out_size, struct envelope_entry *entry,
    struct envelope_error *error)
{
    enum envelope_kind kind;

    ENVELOPE_BEFORE_SIZES(view, alloc);
    kind = check_view(view, error);
    if (UNLIKELY(kind != ENVELOPE_OK))
        return kind;
    if (UNLIKELY(view->original_size > out_size)) {
        entry->payload_size = view->original_size;
        return envelope_fail(error, ENVELOPE_NO_SPACE);
    }
    kind = unpack(usual, view, alloc, out, error);
    if (LIKELY(kind == ENVELOPE_OK))
        *entry = (struct envelope_entry){.payload = out,
                                         .payload_size = view->original_size,
                                         .format = view->format,
                                         .format_size = view->format_size};
    return kind;
}

static COLD enum envelope_kind into_other(const uint8_t *in, size_t in_size,
                                          const struct alloc *alloc,
                                          uint8_t *out, size_t out_size,
                                          struct envelope_entry *entry,
                                          struct envelope_error *error)
{
    struct envelope_view view;
    enum envelope_kind kind = open_other(in, in_size, alloc, &view, error);

    return kind == ENVELOPE_OK ? retrieve_into(false, &view, alloc, out,
                                               out_size, entry, error)
                               : kind;
}

enum envelope_kind envelope_retrieve_into(const uint8_t *in, size_t in_size,
                                          const struct alloc *alloc,
                                          uint8_t *out, size_t out_size,
                                          struct envelope_entry *entry,
                                          struct envelope_error *error)
{
    struct envelope_view view;

    return open_usual(in, in_size, &view)
               ? retrieve_into(true, &view, alloc, out, out_size, entry, error)
               : into_other(in, in_size, alloc, out, out_size, entry, error);
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
