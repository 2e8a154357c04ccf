/* SPDX-License-Identifier: MIT */
/* The storage envelope: a payload compressed, checksummed and named, in one
 * MessagePack document.  Encryption of it is in envelope_crypt.h. */
#ifndef ENVELOPE_ENVELOPE_H
#define ENVELOPE_ENVELOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/macros.h"
#include "envelope/envelope_error.h"

/** Limits of the format, all inclusive. */
#define ENVELOPE_PAYLOAD_MAX UINT64_C(536870912) /* bytes */
#define ENVELOPE_COMPRESSED_MAX                                               \
    UINT64_C(536870912)                   /* block; whole envelope            \
                                           */
#define ENVELOPE_RATIO_MAX UINT64_C(1000) /* payload : block */
#define ENVELOPE_DEPTH_MAX 100            /* of the structural walk */

/** The same limits for callers that bind to functions. */
static inline uint64_t envelope_max_uncompressed_size(void)
{
    return ENVELOPE_PAYLOAD_MAX;
}

static inline uint64_t envelope_max_compressed_size(void)
{
    return ENVELOPE_COMPRESSED_MAX;
}

static inline uint64_t envelope_max_compression_ratio(void)
{
    return ENVELOPE_RATIO_MAX;
}

/* ---- checksum ---------------------------------------------------------- */

/** Bytes of a checksum on the wire. */
#define ENVELOPE_CHECKSUM_SIZE 8

/**
 * XXH3-64 of bytes, seed 0: what the wire holds, most significant byte first.
 * No limit on size; data may be NULL when size is 0.
 *
 * Cost: 0.26 instructions a byte for long data where there is AVX2, 0.9
 * elsewhere on x86-64.
 */
uint64_t envelope_checksum(const void *data, size_t size);

/** Tell whether data has this checksum.  Plain equality: it detects damage,
 * not tampering, and its time depends on nothing secret. */
bool envelope_verify_checksum(const void *data, size_t size,
                              const uint8_t expected[ENVELOPE_CHECKSUM_SIZE]);

/* ---- the fields -------------------------------------------------------- */

/**
 * The four fields of an envelope, borrowed from its bytes.
 *
 * An older encoding holds compressed_data as an array of integers.  Then
 * `data` is the array's first element, not its bytes, and only functions of
 * this module make sense of it.
 */
struct envelope_view {
    const uint8_t *data;    /* the LZ4 block, or the first of its elements */
    size_t data_size;       /* bytes of the block, in either encoding */
    size_t array_span;      /* bytes of the elements; 0: no array */
    uint64_t checksum;      /* of the payload, as envelope_checksum gives it */
    uint32_t original_size; /* bytes of the payload, as declared */
    const char *format;     /* not terminated */
    size_t format_size;     /* bytes of format */
};

/**
 * Read the fields without judging them: checks 1 and 2 of a read.
 *
 *   in, in_size  borrowed, by *view too; bytes after the document are ignored
 *   alloc        used only for documents that nest more than 8 levels, and
 *                given back at once; NULL is the C library
 *   view         out: the fields; untouched on failure
 *   error        out, on failure only; may be NULL.  So everywhere below
 *
 * ENVELOPE_INPUT_TOO_LARGE  in_size is above ENVELOPE_COMPRESSED_MAX
 * ENVELOPE_DESERIALIZATION_FAILED  not an envelope; the error says where
 * ENVELOPE_OUT_OF_MEMORY    alloc has none
 *
 * Cost:   one pass of about 100 instructions over what envelope_store
 *         writes; other accepted forms take the structural walk and a second
 *         pass.
 * Source: cachekit protocol, "Wire format", "Retrieve flow".
 */
MUST_CHECK enum envelope_kind envelope_decode(const uint8_t *in,
                                              size_t in_size,
                                              const struct alloc *alloc,
                                              struct envelope_view *view,
                                              struct envelope_error *error);

/** Like envelope_decode, but only by the complete path, which that one takes
 * when the short one declines.  The two never differ in what they give. */
MUST_CHECK enum envelope_kind envelope_decode_full(
    const uint8_t *in, size_t in_size, const struct alloc *alloc,
    struct envelope_view *view, struct envelope_error *error);

/** The short path of envelope_decode alone: false means that it declines,
 * which says nothing about the input; *view then holds anything.  Does not
 * look at the size limit. */
MUST_CHECK bool envelope_decode_once(const uint8_t *in, size_t in_size,
                                     struct envelope_view *view);

/**
 * Checks 3 to 6 of a read, as a function of the two sizes.
 *
 * ENVELOPE_INPUT_TOO_LARGE     either size is above its limit
 * ENVELOPE_DECOMPRESSION_BOMB  no block, or original_size is more than
 *                              ENVELOPE_RATIO_MAX times its size
 */
MUST_CHECK enum envelope_kind envelope_check_sizes(
    uint64_t compressed_size, uint64_t original_size,
    struct envelope_error *error);

/** Bytes that envelope_encode needs for a block and a format of these sizes:
 * exact for the headers' widths, and the checksum at its longest. */
size_t envelope_encode_bound(size_t data_size, size_t format_size);

/**
 * Write an envelope from its fields, which are not judged.
 *
 *   view      array_span must be 0
 *   out       at least envelope_encode_bound bytes
 *   out_size  bytes at out
 *   written   out: bytes of the envelope, which is not limited here
 *
 * ENVELOPE_NO_SPACE  out_size is below the bound; nothing was written
 */
MUST_CHECK enum envelope_kind envelope_encode(const struct envelope_view *view,
                                              uint8_t *out, size_t out_size,
                                              size_t *written,
                                              struct envelope_error *error);

/* ---- writing ----------------------------------------------------------- */

/**
 * A writer: a default format and the state of a compressor (16 KiB), which
 * is what makes a store of a small payload cheap.  One thread at a time may
 * use it; a thread of its own needs a storage of its own.  Reads need none.
 */
struct envelope_storage;

/**
 * Make a writer.
 *
 *   format, format_size  default format, copied; NULL stands for "msgpack"
 *   alloc                kept, not copied; NULL is the C library
 *   storage              out
 *
 * ENVELOPE_SERIALIZATION_FAILED  the format is not UTF-8
 * ENVELOPE_OUT_OF_MEMORY         alloc has none
 */
MUST_CHECK enum envelope_kind envelope_storage_new(
    const char *format, size_t format_size, const struct alloc *alloc,
    struct envelope_storage **storage, struct envelope_error *error);

/** Release a writer; NULL is allowed. */
void envelope_storage_free(struct envelope_storage *storage);

/** Bytes that envelope_store_into needs; SIZE_MAX when no size would do.
 * A NULL format stands for the writer's default. */
size_t envelope_store_bound(const struct envelope_storage *storage,
                            size_t payload_size, const char *format,
                            size_t format_size);

/**
 * Compress, checksum and encode a payload into the caller's buffer.
 *
 *   payload              borrowed; NULL is allowed when payload_size is 0
 *   format, format_size  borrowed; NULL stands for the writer's default
 *   out, out_size        at least envelope_store_bound bytes, not overlapping
 *                        the payload
 *   written              out: bytes of the envelope
 *
 * ENVELOPE_INPUT_TOO_LARGE       the payload, its block or the envelope is
 *                                above its limit
 * ENVELOPE_SERIALIZATION_FAILED  the format is not UTF-8
 * ENVELOPE_NO_SPACE              out_size is below the bound
 *
 * The same payload and format give the same bytes whatever was stored before.
 *
 * Cost: that of LZ4, about 8 instructions a byte, and 0.3 a byte for the
 *       checksum.  No allocation, no copy of the payload.  The compressor
 *       clears its table once in about 64 KiB of payload (or of calls), so
 *       the cost of small stores is periodic.
 */
MUST_CHECK enum envelope_kind envelope_store_into(
    struct envelope_storage *storage, const uint8_t *payload,
    size_t payload_size, const char *format, size_t format_size, uint8_t *out,
    size_t out_size, size_t *written, struct envelope_error *error);

/** Bytes that belong to the caller, who gives them back to the allocator
 * with their capacity. */
struct envelope_buffer {
    uint8_t *data;   /* NULL when size is 0 */
    size_t size;     /* bytes used */
    size_t capacity; /* bytes asked of the allocator */
};

/** Release a buffer's bytes to the allocator they came from. */
void envelope_buffer_free(const struct alloc *alloc,
                          struct envelope_buffer *buffer);

/**
 * Like envelope_store_into, but into memory of the writer's allocator: one
 * request of envelope_store_bound bytes, of which the rest stays unused.
 *
 * ENVELOPE_OUT_OF_MEMORY  the allocator has none
 */
MUST_CHECK enum envelope_kind envelope_store(
    struct envelope_storage *storage, const uint8_t *payload,
    size_t payload_size, const char *format, size_t format_size,
    struct envelope_buffer *out, struct envelope_error *error);

/**
 * How many times smaller a payload becomes: its size by its block's size, 0
 * for an empty payload.
 *
 * ENVELOPE_INPUT_TOO_LARGE, ENVELOPE_OUT_OF_MEMORY  as for envelope_store
 */
MUST_CHECK enum envelope_kind envelope_estimate_compression(
    struct envelope_storage *storage, const uint8_t *payload,
    size_t payload_size, double *ratio, struct envelope_error *error);

/* ---- reading ----------------------------------------------------------- */

/*
 * All reads make the same checks in the same order, and the first that fails
 * is the error:
 *
 *   1  ENVELOPE_INPUT_TOO_LARGE         the envelope is above its limit
 *   2  ENVELOPE_DESERIALIZATION_FAILED  it does not decode
 *   3  ENVELOPE_INPUT_TOO_LARGE         its block is above its limit
 *   4  ENVELOPE_INPUT_TOO_LARGE         so is its declared size
 *   5  ENVELOPE_DECOMPRESSION_BOMB      it has no block
 *   6  ENVELOPE_DECOMPRESSION_BOMB      it declares too high a ratio
 *   7  ENVELOPE_DECOMPRESSION_FAILED    its block is no LZ4 block, or longer
 *   8  ENVELOPE_CHECKSUM_MISMATCH       the payload is not what was stored
 *   9  ENVELOPE_SIZE_VALIDATION_FAILED  the payload is shorter than declared
 *
 * and ENVELOPE_OUT_OF_MEMORY when an allocation fails.  Nothing is allocated
 * before check 6 is passed; then exactly the declared size, and as much as
 * the block's size where an array of integers has to be converted.  Whatever
 * fails, no byte of a payload is handed out and all memory is given back.
 *
 * Cost: that of LZ4, about 3.6 instructions a byte of typical records, and
 * 0.3 a byte for the checksum.  Any number of threads may read at once.
 */

/** A payload and its format, in one block of memory. */
struct envelope_entry {
    uint8_t *payload;    /* NULL when payload_size is 0 */
    size_t payload_size; /* bytes */
    const char *format;  /* not terminated; NULL when format_size is 0 */
    size_t format_size;  /* bytes */
    void *memory;        /* both, for envelope_entry_free; may be NULL */
};

/** Read the payload and the format, both the caller's, for
 * envelope_entry_free. */
MUST_CHECK enum envelope_kind envelope_retrieve(const uint8_t *in,
                                                size_t in_size,
                                                const struct alloc *alloc,
                                                struct envelope_entry *entry,
                                                struct envelope_error *error);

/** Release what envelope_retrieve gave; the entry is then empty. */
void envelope_entry_free(const struct alloc *alloc,
                         struct envelope_entry *entry);

/** Read the payload only, the caller's, for envelope_buffer_free. */
MUST_CHECK enum envelope_kind envelope_retrieve_data(
    const uint8_t *in, size_t in_size, const struct alloc *alloc,
    struct envelope_buffer *out, struct envelope_error *error);

/**
 * Read the payload into the caller's buffer.
 *
 *   alloc     used only to convert an array of integers
 *   out       room for the payload, not overlapping the input; NULL is
 *             allowed when out_size is 0
 *   out_size  bytes at out
 *   entry     out: the payload at out, and the format borrowed from the
 *             input; there is nothing to release.  On ENVELOPE_NO_SPACE its
 *             payload_size alone is set, to what is needed; untouched on
 *             other failures
 *
 * ENVELOPE_NO_SPACE  the declared size is above out_size: found after check
 *                    6, with nothing written
 *
 * When check 7, 8 or 9 fails, out is left zero as far as the declared size.
 */
MUST_CHECK enum envelope_kind envelope_retrieve_into(
    const uint8_t *in, size_t in_size, const struct alloc *alloc, uint8_t *out,
    size_t out_size, struct envelope_entry *entry,
    struct envelope_error *error);

/** Tell whether envelope_retrieve_data would succeed.  It decompresses, so it
 * costs and allocates as much: no cheap test before a read. */
MUST_CHECK bool envelope_validate(const uint8_t *in, size_t in_size,
                                  const struct alloc *alloc);

#endif
