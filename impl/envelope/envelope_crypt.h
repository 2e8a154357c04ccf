/* SPDX-License-Identifier: MIT */
/* Encryption of envelopes: AES-256-GCM under keys derived for a tenant, with
 * a keyring for rotation.  Nothing about the algorithm can be chosen. */
#ifndef ENVELOPE_ENVELOPE_CRYPT_H
#define ENVELOPE_ENVELOPE_CRYPT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/macros.h"
#include "base/sink.h"
#include "base/status.h"
#include "envelope/envelope_error.h"

#define ENVELOPE_KEY_SIZE         32 /* bytes, as are all below */
#define ENVELOPE_NONCE_SIZE       12
#define ENVELOPE_TAG_SIZE         16
#define ENVELOPE_FINGERPRINT_SIZE 16
#define ENVELOPE_MASTER_KEY_MIN   16
#define ENVELOPE_DOMAIN_MAX       255
#define ENVELOPE_TENANT_MAX       1024
#define ENVELOPE_DECRYPT_ONLY_MAX                                             \
    3 /* keys of a keyring beside the current                                 \
       */

/** A ciphertext is its nonce, as many bytes as the plaintext, and its tag:
 * this many bytes longer. */
#define ENVELOPE_SEAL_EXTRA (ENVELOPE_NONCE_SIZE + ENVELOPE_TAG_SIZE)

/** Bytes borrowed for a call; data may be NULL when size is 0. */
struct envelope_bytes {
    const uint8_t *data;
    size_t size;
};

/** The bytes of a literal, without its terminator. */
#define ENVELOPE_BYTES(literal)                                               \
    ((struct envelope_bytes){(const uint8_t *)(literal), sizeof(literal) - 1})

/* ---- encryptors and nonces --------------------------------------------- */

/**
 * A source of nonces: an id that no other encryptor of this machine has, and
 * a counter.  It holds no key.  Threads may share one; never copy it, since
 * two copies would give the same nonces.  Read it through the functions
 * below; tests and measured cases set the fields.
 */
struct envelope_encryptor {
    uint64_t instance_id;
    _Atomic uint64_t counter; /* of the next encryption */
    uint64_t fork_count;      /* forks before its process */
};

/**
 * Give an encryptor its id: the next of a process-wide counter, which starts
 * at random.  A child of fork() starts a counter of its own, and refuses
 * encryptors made before.  (A child of vfork() or of a bare clone() is not
 * noticed, and must not encrypt.)
 *
 * ENVELOPE_RNG_FAILURE    the system has no random bytes
 * ENVELOPE_OUT_OF_MEMORY  no room to be told of forks
 */
MUST_CHECK enum envelope_kind envelope_encryptor_init(
    struct envelope_encryptor *encryptor, struct envelope_error *error);

/** The first 8 bytes of its nonces, big endian, as a number. */
uint64_t envelope_encryptor_instance_id(
    const struct envelope_encryptor *encryptor);

/** The number of encryptions tried, which is the last 4 bytes of the next
 * nonce. */
uint64_t envelope_encryptor_nonce_counter(
    const struct envelope_encryptor *encryptor);

/* ---- one message under one key ----------------------------------------- */

/**
 * Encrypt under a key that is given each time.
 *
 *   encryptor  gives the nonce; its counter moves when all else is in order
 *   key        ENVELOPE_KEY_SIZE bytes
 *   aad        associated data: authenticated, not stored
 *   out        plaintext.size + ENVELOPE_SEAL_EXTRA bytes are written; not
 *              overlapping the plaintext.  Untouched on failure but for
 *              ENVELOPE_ENCRYPTION_FAILED, when it is zero
 *   out_size   bytes at out
 *
 * ENVELOPE_INVALID_KEY_LENGTH       of key
 * ENVELOPE_NO_SPACE                 out_size is too small
 * ENVELOPE_NONCE_COUNTER_EXHAUSTED  2^32 - 1 encryptions have been made; it
 *                                   stays so
 * ENVELOPE_ENCRYPTION_FAILED        the plaintext is above 2^36 - 32 bytes,
 *                                   the encryptor was made before a fork, or
 *                                   the library failed
 *
 * Cost: about 900 instructions for the key, 1,500 for a message and 2.6 a
 *       byte with AES-NI.  Each thread keeps one cipher object, which holds
 *       the key it used last until it uses another, exits, or calls
 *       envelope_crypt_forget.
 */
MUST_CHECK enum envelope_kind envelope_encrypt(
    struct envelope_encryptor *encryptor, struct envelope_bytes plaintext,
    struct envelope_bytes key, struct envelope_bytes aad, uint8_t *out,
    size_t out_size, struct envelope_error *error);

/**
 * Decrypt what envelope_encrypt or envelope_seal made, under the same key and
 * associated data.  Any nonce is read.
 *
 *   out       ciphertext.size - ENVELOPE_SEAL_EXTRA bytes are written; not
 *             overlapping the ciphertext; NULL is allowed when that is 0
 *   out_size  bytes at out
 *
 * ENVELOPE_INVALID_KEY_LENGTH     of key
 * ENVELOPE_INVALID_CIPHERTEXT     shorter than ENVELOPE_SEAL_EXTRA
 * ENVELOPE_NO_SPACE               out_size is too small
 * ENVELOPE_AUTHENTICATION_FAILED  not made under this key and aad, or changed
 * ENVELOPE_DECRYPTION_FAILED      the library failed
 *
 * After the last two, no byte of a plaintext is left at out.
 */
MUST_CHECK enum envelope_kind envelope_decrypt(
    struct envelope_bytes ciphertext, struct envelope_bytes key,
    struct envelope_bytes aad, uint8_t *out, size_t out_size,
    struct envelope_error *error);

/** Wipe the key that this thread's last envelope_encrypt, envelope_decrypt
 * or unbound keyring left in its cipher object. */
void envelope_crypt_forget(void);

/** A key made ready once for many messages.  One thread at a time. */
struct envelope_key;

/**
 * Make a key ready.
 *
 *   key        ENVELOPE_KEY_SIZE bytes, copied into the cipher's own form
 *   alloc      kept, not copied; NULL is the C library.  The cipher library
 *              has memory of its own besides
 *   ready      out, for envelope_key_free
 *
 * ENVELOPE_INVALID_KEY_LENGTH  of key
 * ENVELOPE_OUT_OF_MEMORY       alloc or the cipher library has none
 */
MUST_CHECK enum envelope_kind envelope_key_new(struct envelope_bytes key,
                                               const struct alloc *alloc,
                                               struct envelope_key **ready,
                                               struct envelope_error *error);

/** Wipe and release; NULL is allowed. */
void envelope_key_free(struct envelope_key *key);

/** Like envelope_encrypt, with a key made ready. */
MUST_CHECK enum envelope_kind envelope_seal(
    struct envelope_encryptor *encryptor, struct envelope_key *key,
    struct envelope_bytes plaintext, struct envelope_bytes aad, uint8_t *out,
    size_t out_size, struct envelope_error *error);

/** Like envelope_decrypt, with a key made ready. */
MUST_CHECK enum envelope_kind envelope_open(struct envelope_key *key,
                                            struct envelope_bytes ciphertext,
                                            struct envelope_bytes aad,
                                            uint8_t *out, size_t out_size,
                                            struct envelope_error *error);

/* ---- keys -------------------------------------------------------------- */

/**
 * Derive the key of a domain and a tenant: HKDF-SHA256 of the master key,
 * salted with "cachekit_v1_", the domain and the tenant, each with its
 * length; info is the domain.
 *
 *   master       at least ENVELOPE_MASTER_KEY_MIN bytes
 *   domain       1 to ENVELOPE_DOMAIN_MAX bytes
 *   tenant_salt  1 to ENVELOPE_TENANT_MAX bytes
 *   key          out: untouched on failure
 *
 * Checked in this order: ENVELOPE_INVALID_MASTER_KEY_LENGTH,
 * ENVELOPE_INVALID_DOMAIN, ENVELOPE_DOMAIN_TOO_LONG,
 * ENVELOPE_INVALID_SALT_LENGTH, ENVELOPE_TENANT_SALT_TOO_LONG, and
 * ENVELOPE_DERIVATION_FAILED when the library fails.
 *
 * Cost:   about 18,000 instructions without SHA extensions.
 * Source: RFC 5869; cachekit protocol, "Key derivation".
 */
MUST_CHECK enum envelope_kind envelope_derive_domain_key(
    struct envelope_bytes master, struct envelope_bytes domain,
    struct envelope_bytes tenant_salt, uint8_t key[ENVELOPE_KEY_SIZE],
    struct envelope_error *error);

/** The keys of a tenant's three domains, and whose they are. */
struct envelope_tenant_keys {
    uint8_t encryption[ENVELOPE_KEY_SIZE];
    uint8_t authentication[ENVELOPE_KEY_SIZE];
    uint8_t cache_keys[ENVELOPE_KEY_SIZE];
    size_t tenant_size; /* bytes of tenant */
    uint8_t tenant[ENVELOPE_TENANT_MAX];
};

/** Derive them; fails as envelope_derive_domain_key does, with *keys wiped. */
MUST_CHECK enum envelope_kind envelope_derive_tenant_keys(
    struct envelope_bytes master, struct envelope_bytes tenant,
    struct envelope_tenant_keys *keys, struct envelope_error *error);

/** Wipe a tenant's keys. */
void envelope_tenant_keys_wipe(struct envelope_tenant_keys *keys);

/**
 * A name for a key that does not give it away: the first bytes of SHA-256 of
 * "key_fingerprint_v1" and the key.
 *
 * ENVELOPE_DERIVATION_FAILED  the library failed
 */
MUST_CHECK enum envelope_kind envelope_key_fingerprint(
    struct envelope_bytes key, uint8_t fingerprint[ENVELOPE_FINGERPRINT_SIZE],
    struct envelope_error *error);

/** The tenant of callers that have none. */
#define ENVELOPE_DEFAULT_TENANT ENVELOPE_BYTES("default")

/** Read a master key that a person typed: 64 hexadecimal digits and nothing
 * else, or ENVELOPE_INVALID_MASTER_KEY with key untouched. */
MUST_CHECK enum envelope_kind envelope_master_key_from_hex(
    struct envelope_bytes text, uint8_t key[ENVELOPE_KEY_SIZE],
    struct envelope_error *error);

/** Take a master key given as bytes: exactly ENVELOPE_KEY_SIZE of them, or
 * ENVELOPE_INVALID_MASTER_KEY with key untouched. */
MUST_CHECK enum envelope_kind envelope_master_key_from_bytes(
    struct envelope_bytes raw, uint8_t key[ENVELOPE_KEY_SIZE],
    struct envelope_error *error);

/* ---- associated data --------------------------------------------------- */

/** What an entry's associated data says about it. */
struct envelope_aad {
    struct envelope_bytes tenant;
    struct envelope_bytes cache_key;
    struct envelope_bytes format;
    bool compressed;
    bool has_original_type; /* an empty one is not an absent one */
    struct envelope_bytes original_type;
};

/**
 * Put version 3 of the associated data: 03, then each component after its
 * length in 4 bytes, big endian; compressed is the text True or False.
 *
 * ST_LIMIT     a component is longer than 4 bytes can say
 * ST_NO_SPACE  out is too small; it may hold a part
 *
 * Source: cachekit protocol, "AAD v0x03 format".
 */
MUST_CHECK enum status envelope_aad_put(const struct envelope_aad *aad,
                                        struct sink *out);

/* ---- keyrings ---------------------------------------------------------- */

/** A current master key and up to ENVELOPE_DECRYPT_ONLY_MAX older ones, which
 * only decrypt.  Entry 0 is the current one.  Reading it is thread safe. */
struct envelope_keyring;

/**
 * Make a keyring; the keys are copied.
 *
 *   decrypt_only  decrypt_only_count keys, in the order they are tried
 *
 * ENVELOPE_KEYRING_CAP_EXCEEDED  too many keys; checked first
 * ENVELOPE_INVALID_MASTER_KEY_LENGTH  a key is below ENVELOPE_MASTER_KEY_MIN
 * ENVELOPE_CURRENT_KEY_IN_DECRYPT_ONLY_LIST
 * ENVELOPE_OUT_OF_MEMORY         alloc has none
 */
MUST_CHECK enum envelope_kind envelope_keyring_new(
    struct envelope_bytes current, const struct envelope_bytes *decrypt_only,
    size_t decrypt_only_count, const struct alloc *alloc,
    struct envelope_keyring **keyring, struct envelope_error *error);

/** Wipe and release; NULL is allowed. */
void envelope_keyring_free(struct envelope_keyring *keyring);

/** Number of entries, 1 to ENVELOPE_DECRYPT_ONLY_MAX + 1. */
size_t envelope_keyring_count(const struct envelope_keyring *keyring);

/** The fingerprint of each entry's encryption key for this tenant, to as many
 * rows of out as there are entries; out is untouched on failure.
 * ENVELOPE_KEY_DERIVATION  the tenant is no salt */
MUST_CHECK enum envelope_kind envelope_keyring_fingerprints(
    const struct envelope_keyring *keyring, struct envelope_bytes tenant,
    uint8_t (*out)[ENVELOPE_FINGERPRINT_SIZE], struct envelope_error *error);

/**
 * Decrypt with one entry, for this tenant; a failed tag is final.
 *
 * ENVELOPE_KEYRING_INDEX_OUT_OF_RANGE  there is no such entry
 * ENVELOPE_KEY_DERIVATION              the tenant is no salt; found before
 *                                      the ciphertext is looked at
 * and as envelope_decrypt
 *
 * Cost: one derivation, then that of envelope_decrypt.
 */
MUST_CHECK enum envelope_kind envelope_keyring_decrypt_at(
    const struct envelope_keyring *keyring, size_t index,
    struct envelope_bytes tenant, struct envelope_bytes ciphertext,
    struct envelope_bytes aad, uint8_t *out, size_t out_size,
    struct envelope_error *error);

/** Like envelope_keyring_decrypt_at, but with the first entry whose tag is
 * right, whose number goes to *index unless that is NULL.  Only
 * ENVELOPE_AUTHENTICATION_FAILED moves on to the next. */
MUST_CHECK enum envelope_kind envelope_keyring_decrypt(
    const struct envelope_keyring *keyring, struct envelope_bytes tenant,
    struct envelope_bytes ciphertext, struct envelope_bytes aad, uint8_t *out,
    size_t out_size, size_t *index, struct envelope_error *error);

/** A keyring bound to a tenant: one derived key for each entry, made ready.
 * One thread at a time. */
struct envelope_tenant_keyring;

/**
 * Bind a keyring to a tenant: derive each entry's encryption key once, and
 * none after that.
 *
 *   keyring  consumed, on failure too: its master keys are wiped
 *
 * ENVELOPE_KEY_DERIVATION  the tenant is no salt
 * ENVELOPE_OUT_OF_MEMORY   the keyring's allocator or the cipher library has
 *                          none
 */
MUST_CHECK enum envelope_kind envelope_keyring_for_tenant(
    struct envelope_keyring *keyring, struct envelope_bytes tenant,
    struct envelope_tenant_keyring **bound, struct envelope_error *error);

/** Wipe and release; NULL is allowed. */
void envelope_tenant_keyring_free(struct envelope_tenant_keyring *keyring);

/** Number of entries. */
size_t envelope_tenant_keyring_count(
    const struct envelope_tenant_keyring *keyring);

/** Like envelope_keyring_fingerprints; cannot fail. */
void envelope_tenant_keyring_fingerprints(
    const struct envelope_tenant_keyring *keyring,
    uint8_t (*out)[ENVELOPE_FINGERPRINT_SIZE]);

/** Like envelope_keyring_decrypt_at. */
MUST_CHECK enum envelope_kind envelope_tenant_keyring_decrypt_at(
    struct envelope_tenant_keyring *keyring, size_t index,
    struct envelope_bytes ciphertext, struct envelope_bytes aad, uint8_t *out,
    size_t out_size, struct envelope_error *error);

/** Like envelope_keyring_decrypt. */
MUST_CHECK enum envelope_kind envelope_tenant_keyring_decrypt(
    struct envelope_tenant_keyring *keyring, struct envelope_bytes ciphertext,
    struct envelope_bytes aad, uint8_t *out, size_t out_size, size_t *index,
    struct envelope_error *error);

#endif
