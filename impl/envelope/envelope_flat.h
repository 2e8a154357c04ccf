/* SPDX-License-Identifier: MIT */
/* Storage and encryption behind plain numbers and pointers, for callers that
 * bind to C from another language.  The numbers are those of the interface
 * that such callers know already, and never change. */
#ifndef ENVELOPE_ENVELOPE_FLAT_H
#define ENVELOPE_ENVELOPE_FLAT_H

#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "envelope/envelope_error.h"

enum envelope_flat_status {
    ENVELOPE_FLAT_OK = 0,
    ENVELOPE_FLAT_INVALID_INPUT = 1,
    ENVELOPE_FLAT_CHECKSUM_MISMATCH = 2,
    ENVELOPE_FLAT_DECOMPRESSION_FAILED = 3,
    ENVELOPE_FLAT_DECRYPTION_FAILED = 4,
    ENVELOPE_FLAT_ROTATION_NEEDED = 5,
    ENVELOPE_FLAT_COUNTER_EXHAUSTED = 6,
    ENVELOPE_FLAT_INVALID_KEY_LENGTH = 7,
    ENVELOPE_FLAT_BUFFER_TOO_SMALL = 8,
    ENVELOPE_FLAT_NULL_POINTER = 9,
    ENVELOPE_FLAT_INPUT_TOO_LARGE = 10,
    ENVELOPE_FLAT_DECOMPRESSION_BOMB = 11,
    ENVELOPE_FLAT_SIZE_VALIDATION_FAILED = 12,
    ENVELOPE_FLAT_RANDOM_SOURCE_FAILED = 13,
    ENVELOPE_FLAT_DOMAIN_TOO_LONG = 14,
    ENVELOPE_FLAT_SALT_TOO_LONG = 15,
    ENVELOPE_FLAT_INVALID_HANDLE = 16
};

/** From this counter on an encryptor asks for a new key, long before its
 * nonces run out. */
#define ENVELOPE_FLAT_ROTATION_AT (UINT64_C(1) << 31)

/** The number of a failure.  An inner failure of a derivation counts as
 * itself, and a lack of memory as invalid input, having no number. */
enum envelope_flat_status envelope_flat_status_of(
    const struct envelope_error *error);

/** A writer and an encryptor.  One thread at a time. */
struct envelope_flat;

/** Make a handle: 0, 9 (handle is NULL) or 13. */
MUST_CHECK enum envelope_flat_status envelope_flat_new(
    struct envelope_flat **handle);

/** Release a handle: 0, 9 or 16. */
enum envelope_flat_status envelope_flat_free(struct envelope_flat *handle);

/** Enough for any envelope of a payload of this size with a format of up to
 * 31 bytes; saturates. */
size_t envelope_flat_bound(size_t payload_size);

/*
 * The functions below check pointers first (9; a size of 0 does not excuse
 * one), then the handle (16), and then what they are given.  *out_size is the
 * room at out before, and the bytes written after.  Where that room is too
 * small they answer 8, with the size that is needed in *out_size and nothing
 * written.
 */

/** Store a payload; format is a terminated text, or NULL for "msgpack". */
MUST_CHECK enum envelope_flat_status envelope_flat_store(
    struct envelope_flat *handle, const uint8_t *payload, size_t payload_size,
    const char *format, uint8_t *out, size_t *out_size);

/** Retrieve a payload. */
MUST_CHECK enum envelope_flat_status envelope_flat_retrieve(
    struct envelope_flat *handle, const uint8_t *in, size_t in_size,
    uint8_t *out, size_t *out_size);

/** Encrypt; refuses with 5 before it looks at the key. */
MUST_CHECK enum envelope_flat_status envelope_flat_encrypt(
    struct envelope_flat *handle, const uint8_t *plaintext,
    size_t plaintext_size, const uint8_t *key, size_t key_size,
    const uint8_t *aad, size_t aad_size, uint8_t *out, size_t *out_size);

/** Decrypt. */
MUST_CHECK enum envelope_flat_status envelope_flat_decrypt(
    struct envelope_flat *handle, const uint8_t *ciphertext,
    size_t ciphertext_size, const uint8_t *key, size_t key_size,
    const uint8_t *aad, size_t aad_size, uint8_t *out, size_t *out_size);

/** Derive the key of a domain and a tenant, 32 bytes at key; both are
 * terminated texts. */
MUST_CHECK enum envelope_flat_status envelope_flat_derive_key(
    const uint8_t *master, size_t master_size, const char *domain,
    const char *tenant, uint8_t *key);

/** Encryptions tried so far, to *counter. */
MUST_CHECK enum envelope_flat_status envelope_flat_nonce_counter(
    const struct envelope_flat *handle, uint64_t *counter);

#endif
