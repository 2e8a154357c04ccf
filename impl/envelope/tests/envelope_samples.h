/* SPDX-License-Identifier: MIT */
/* Envelopes that several test programs start from, and their checks. */
#ifndef ENVELOPE_TESTS_ENVELOPE_SAMPLES_H
#define ENVELOPE_TESTS_ENVELOPE_SAMPLES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/prng.h"
#include "envelope/envelope.h"
#include "msgpack/sample/msgpack_sample.h"
#include "testkit/testkit.h"

/* The payload "hello", format "msgpack", field by field, and whole. */
#define HELLO_BLOCK    "50 68656c6c6f"
#define HELLO_DATA     "c406" HELLO_BLOCK
#define HELLO_CHECKSUM "98 cc95 55 cce8 55 5c 62 ccdc ccfd"
#define HELLO_SUM8     "9555e8555c62dcfd"
#define HELLO_SIZE     "05"
#define HELLO_FORMAT   "a7 6d736770 61636b"
#define HELLO          "94" HELLO_DATA HELLO_CHECKSUM HELLO_SIZE HELLO_FORMAT

/** Two kinds of failure are the same; prints their texts. */
#define CHECK_KIND(expected, actual)                                          \
    CHECK_ENUM(envelope_kind_text, (enum envelope_kind)(expected), actual)

/** An error's whole text is this. */
static inline void check_error(const char *expected,
                               const struct envelope_error *error)
{
    char text[256];

    CHECK_I64((int)strlen(expected),
              envelope_error_text(error, text, sizeof(text)));
    CHECK_STR(expected, text);
}

/** Two decodes gave the same four fields. */
static inline void check_same_view(const struct envelope_view *a,
                                   const struct envelope_view *b)
{
    CHECK_SIZE(a->data_size, b->data_size);
    assert_ptr_equal(a->data, b->data);
    CHECK_SIZE(a->array_span, b->array_span);
    CHECK_U64(a->checksum, b->checksum);
    CHECK_U64(a->original_size, b->original_size);
    CHECK_BYTES(a->format, a->format_size, b->format, b->format_size);
}

/** Fill with the incompressible stream of tests: xorshift64*, 8 bytes little
 * endian each; the first bytes are 99 25 9a 8c. */
static inline void fill_stream(uint8_t *out, size_t size)
{
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15);

    for (size_t i = 0; i < size; i += 8) {
        uint64_t v = prng_xorshift64(&state) * UINT64_C(0x2545f4914f6cdd1d);
        for (size_t k = 0; k < 8 && i + k < size; k++)
            out[i + k] = (uint8_t)(v >> (8 * k));
    }
}

/** Fill with repeating words of chance lengths: compressible, but not
 * regular.  Any seed. */
static inline void fill_words(uint8_t *out, size_t size, uint64_t seed)
{
    static const char words[] = "alpha beta\0gamma\0\0\0\0delta epsilon zeta";

    for (size_t i = 0; i < size;) {
        uint64_t r = prng_splitmix64(&seed);
        size_t at = r % (sizeof(words) - 12);
        for (size_t k = 0; k < 1 + (r >> 32) % 11 && i < size; k++)
            out[i++] = (uint8_t)words[at + k];
        if ((r >> 48) % 4 == 0 && i < size)
            out[i++] = (uint8_t)(r >> 56);
    }
}

/** A writer with the default format; stops the test when there is none. */
static inline struct envelope_storage *new_storage(const struct alloc *alloc)
{
    struct envelope_storage *s = NULL;

    CHECK_KIND(ENVELOPE_OK, envelope_storage_new(NULL, 0, alloc, &s, NULL));
    return s;
}

/** An envelope of a payload in the current encoding, for free(). */
static inline uint8_t *store_new(const uint8_t *payload, size_t payload_size,
                                 size_t *size)
{
    struct envelope_storage *s = new_storage(NULL);
    struct envelope_buffer out;

    CHECK_KIND(ENVELOPE_OK,
               envelope_store(s, payload, payload_size, NULL, 0, &out, NULL));
    envelope_storage_free(s);
    *size = out.size;
    return out.data;
}

/** The same envelope, of format "msgpack", with its block as an array of
 * integers, for free(). */
static inline uint8_t *legacy_new(const uint8_t *envelope, size_t size,
                                  size_t *legacy_size)
{
    struct envelope_view view;
    struct msgpack_sample_envelope fields;
    CHECK_BOOL(true, envelope_decode_once(envelope, size, &view));

    const size_t room = 2 * view.data_size + 40;
    uint8_t *out = malloc(room);
    assert_non_null(out);
    struct sink sink = sink_init(out, room);
    fields.block = view.data;
    fields.block_size = view.data_size;
    fields.original_size = view.original_size;
    for (int i = 0; i < ENVELOPE_CHECKSUM_SIZE; i++)
        fields.checksum[i] = (uint8_t)(view.checksum >> (56 - 8 * i));
    CHECK_STATUS(ST_OK, msgpack_sample_envelope_put(
                            &fields, MSGPACK_SAMPLE_LEGACY, &sink));
    *legacy_size = sink.at;
    return out;
}

/** Of the blocks of 32 record streams of this many bytes, how many `doubt`
 * holds of. */
static inline size_t count_doubts(
    size_t payload_size, bool (*doubt)(const struct envelope_view *view))
{
    uint8_t *payload = malloc(payload_size);
    size_t doubts = 0;
    assert_non_null(payload);

    for (uint64_t seed = 0; seed < 32; seed++) {
        size_t size;
        struct envelope_view view;

        msgpack_sample_stream(seed, payload, payload_size);
        uint8_t *envelope = store_new(payload, payload_size, &size);
        CHECK_BOOL(true, envelope_decode_once(envelope, size, &view));
        doubts += doubt(&view);
        free(envelope);
    }
    free(payload);
    return doubts;
}

/** All reads of these bytes agree, and give this kind. */
static inline void check_all_reads(enum envelope_kind expected,
                                   const uint8_t *in, size_t size,
                                   struct envelope_error *error)
{
    struct envelope_entry entry;
    struct envelope_buffer data;
    enum envelope_kind kind = envelope_retrieve(in, size, NULL, &entry, error);

    CHECK_KIND(expected, kind);
    CHECK_KIND(expected, envelope_retrieve_data(in, size, NULL, &data, NULL));
    CHECK_BOOL(expected == ENVELOPE_OK, envelope_validate(in, size, NULL));
    if (kind != ENVELOPE_OK)
        return;
    CHECK_BYTES(entry.payload, entry.payload_size, data.data, data.size);
    envelope_entry_free(NULL, &entry);
    envelope_buffer_free(NULL, &data);
}

#endif
