/* SPDX-License-Identifier: MIT */
/* AES-256-GCM from a library: one table of functions for each library. */
#ifndef ENVELOPE_ENVELOPE_AEAD_H
#define ENVELOPE_ENVELOPE_AEAD_H

#include "envelope/envelope_crypt.h"
#include "envelope/envelope_internal.h"

/** Longest text that one nonce may seal, in bytes: NIST SP 800-38D, 5.2.1.1,
 * 2^39 - 256 bits. */
#define AEAD_TEXT_MAX ((UINT64_C(1) << 36) - 32)

/** One message; text and out have text_size bytes. */
struct aead_message {
    const uint8_t *nonce;
    struct envelope_bytes aad;
    const uint8_t *text;
    size_t text_size;
    uint8_t *out;
};

/**
 * A library.  A cipher is its object with a key's schedule; it belongs to one
 * thread at a time.  Functions return 0 or the library's own code, never 0
 * when they fail.
 *
 *   open   a new cipher without a key, or NULL when there is no memory
 *   key    give a cipher a key of ENVELOPE_KEY_SIZE bytes
 *   seal   encrypt, and write the tag
 *   check  decrypt; *valid says whether the tag is right, and out holds
 *          anything if it is not
 *   close  wipe and release
 */
struct aead_library {
    void *(*open)(void);
    unsigned long (*key)(void *cipher, const uint8_t *key);
    unsigned long (*seal)(void *cipher, const struct aead_message *m,
                          uint8_t *tag);
    unsigned long (*check)(void *cipher, const struct aead_message *m,
                           const uint8_t *tag, bool *valid);
    void (*close)(void *cipher);
};

extern const struct aead_library envelope_aead_gcrypt;
extern const struct aead_library envelope_aead_evp;

/** Make libgcrypt ready in this process; false when it cannot be used, or
 * would be slow and not in constant time for want of AES instructions. */
bool envelope_aead_gcrypt_usable(void);

/** The library of this process: libgcrypt, or else libcrypto. */
const struct aead_library *envelope_aead(void);

/** Take a nonce for one encryption; fails as envelope_encrypt says. */
MUST_CHECK enum envelope_kind envelope_nonce_take(
    struct envelope_encryptor *encryptor, uint8_t nonce[ENVELOPE_NONCE_SIZE],
    struct envelope_error *error);

#endif
