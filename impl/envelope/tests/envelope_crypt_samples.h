/* SPDX-License-Identifier: MIT */
/* Keys and messages that several test programs of encryption start from. */
#ifndef ENVELOPE_TESTS_ENVELOPE_CRYPT_SAMPLES_H
#define ENVELOPE_TESTS_ENVELOPE_CRYPT_SAMPLES_H

#include "envelope/envelope_crypt.h"
#include "envelope/tests/envelope_samples.h"

/* The encryption key of tenant-123 under a master key of 32 bytes 42. */
#define SAMPLE_KEY                                                            \
    "00e4a5f52d101eb99a4fe924a215e2b12524f73c4fa17eff40e243da39ca3e42"
#define SAMPLE_AAD                                                            \
    "03 0000000a 74656e616e742d313233 00000010 "                              \
    "6e733a62656e63683a66756e633a78"
/* "cached value" under it, with instance id 1 and counter 0. */
#define SAMPLE_SEALED                                                         \
    "000000000000000100000000 f553063c28974d35097ef6ed"                       \
    "c6ada9acb0eea77ee5457a579cd87b62"

/** Bytes written in hexadecimal, in a buffer of the caller's. */
static inline struct envelope_bytes from_hex(const char *hex, uint8_t *room,
                                             size_t room_size)
{
    return (struct envelope_bytes){room, hex_decode(hex, room, room_size)};
}

/** Bytes of a vector's member, for free_bytes. */
static inline struct envelope_bytes bytes_of(struct json_object *row,
                                             const char *key)
{
    struct envelope_bytes b;

    b.data = vector_hex(row, key, &b.size);
    return b;
}

static inline void free_bytes(struct envelope_bytes b)
{
    free((void *)(uintptr_t)b.data);
}

/** A text as bytes, without its terminator. */
static inline struct envelope_bytes text_bytes(const char *text)
{
    return (struct envelope_bytes){(const uint8_t *)text, strlen(text)};
}

/** An encryptor whose next nonce is these 12 bytes. */
static inline void encryptor_at_nonce(struct envelope_encryptor *e,
                                      const uint8_t *nonce)
{
    CHECK_KIND(ENVELOPE_OK, envelope_encryptor_init(e, NULL));
    e->instance_id = 0;
    e->counter = 0;
    for (int i = 0; i < 8; i++)
        e->instance_id = e->instance_id << 8 | nonce[i];
    for (int i = 8; i < ENVELOPE_NONCE_SIZE; i++)
        e->counter = e->counter << 8 | nonce[i];
}

/** An encryptor at an id and a counter. */
static inline void encryptor_at(struct envelope_encryptor *e, uint64_t id,
                                uint64_t counter)
{
    CHECK_KIND(ENVELOPE_OK, envelope_encryptor_init(e, NULL));
    e->instance_id = id;
    e->counter = counter;
}

#endif
