/* SPDX-License-Identifier: MIT */
/* How storing, reading and encryption fail: one kind for each thing that a
 * caller would do differently, with its text. */
#ifndef ENVELOPE_ENVELOPE_ERROR_H
#define ENVELOPE_ENVELOPE_ERROR_H

#include <stddef.h>
#include <stdint.h>

#define ENVELOPE_CURRENT_KEY_TEXT                                             \
    ("Current key must not appear in the decrypt-only list "                  \
     "(forward-only rotation invariant)")

/* The leading words of each kind's text; "%" marks what numbers or a detail
 * follow.  Kinds of storage, then of encryption, then of both. */
#define ENVELOPE_KIND_LIST(X)                                                 \
    X(ENVELOPE_OK, "ok")                                                      \
    X(ENVELOPE_INPUT_TOO_LARGE, "input exceeds maximum size")                 \
    X(ENVELOPE_DECOMPRESSION_BOMB,                                            \
      "decompression ratio exceeds safety limit")                             \
    X(ENVELOPE_CHECKSUM_MISMATCH, "integrity check failed")                   \
    X(ENVELOPE_COMPRESSION_FAILED, "compression failed")                      \
    X(ENVELOPE_DECOMPRESSION_FAILED, "decompression failed")                  \
    X(ENVELOPE_SIZE_VALIDATION_FAILED, "size validation failed")              \
    X(ENVELOPE_SERIALIZATION_FAILED, "serialization failed")                  \
    X(ENVELOPE_DESERIALIZATION_FAILED, "deserialization failed")              \
    X(ENVELOPE_INVALID_KEY_LENGTH, "Invalid key length")                      \
    X(ENVELOPE_ENCRYPTION_FAILED, "Encryption failed")                        \
    X(ENVELOPE_DECRYPTION_FAILED, "Decryption failed")                        \
    X(ENVELOPE_RNG_FAILURE, "Random number generation failed")                \
    X(ENVELOPE_INVALID_CIPHERTEXT, "Invalid ciphertext format")               \
    X(ENVELOPE_AUTHENTICATION_FAILED, "Authentication verification failed")   \
    X(ENVELOPE_NONCE_COUNTER_EXHAUSTED,                                       \
      "Nonce counter exhausted - key rotation required")                      \
    X(ENVELOPE_INVALID_MASTER_KEY_LENGTH, "Invalid master key length")        \
    X(ENVELOPE_INVALID_DOMAIN, "Invalid domain string")                       \
    X(ENVELOPE_DOMAIN_TOO_LONG, "Domain exceeds maximum length")              \
    X(ENVELOPE_INVALID_SALT_LENGTH, "Invalid salt length")                    \
    X(ENVELOPE_TENANT_SALT_TOO_LONG, "Tenant salt exceeds maximum length")    \
    X(ENVELOPE_DERIVATION_FAILED, "Key derivation failed")                    \
    X(ENVELOPE_KEYRING_CAP_EXCEEDED, "Keyring cap exceeded")                  \
    X(ENVELOPE_CURRENT_KEY_IN_DECRYPT_ONLY_LIST, ENVELOPE_CURRENT_KEY_TEXT)   \
    X(ENVELOPE_KEYRING_INDEX_OUT_OF_RANGE, "Keyring entry index")             \
    X(ENVELOPE_KEY_DERIVATION, "Key derivation failed")                       \
    X(ENVELOPE_INVALID_MASTER_KEY, "Invalid master key")                      \
    X(ENVELOPE_NO_SPACE, "output buffer is too small")                        \
    X(ENVELOPE_OUT_OF_MEMORY, "out of memory")

enum envelope_kind {
#define X(name, text) name,
    ENVELOPE_KIND_LIST(X)
#undef X
};

/** A failure as a plain value.  `kind` is what a caller acts on; the rest is
 * for envelope_error_text. */
struct envelope_error {
    enum envelope_kind kind;
    uint8_t detail;     /* what exactly, within the kind */
    uint8_t what;       /* the sort of value found */
    uint8_t expected;   /* the sort of value wanted */
    uint64_t number[2]; /* sizes or values that the text shows */
};

/**
 * Put an error into words, as snprintf does: at most text_size bytes with
 * the terminator are written, and the length of the whole text is returned.
 * text may be NULL when text_size is 0.  Allocates nothing, and never shows
 * bytes of the input or of a key.
 */
int envelope_error_text(const struct envelope_error *error, char *text,
                        size_t text_size);

/** Static text of a kind alone, without numbers or detail; never NULL. */
const char *envelope_kind_text(enum envelope_kind kind);

#endif
