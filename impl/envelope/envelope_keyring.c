/* SPDX-License-Identifier: MIT */
/* Keyrings.  The unbound one holds master keys and derives at each use; the
 * bound one holds derived keys, made ready, and no master key any more. */
#include "envelope/envelope_crypt.h"
#include "envelope/envelope_internal.h"

#define ENTRY_MAX (1 + ENVELOPE_DECRYPT_ONLY_MAX)

/* A master key, copied. */
struct master {
    uint8_t *data;
    size_t size;
};

struct envelope_keyring {
    const struct alloc *alloc;
    size_t count;
    struct master entries[ENTRY_MAX];
};

struct envelope_tenant_keyring {
    const struct alloc *alloc;
    size_t count;
    struct envelope_key *keys[ENTRY_MAX];
    uint8_t fingerprints[ENTRY_MAX][ENVELOPE_FINGERPRINT_SIZE];
};

/* ---- unbound ----------------------------------------------------------- */

static enum envelope_kind check_master(struct envelope_bytes key,
                                       struct envelope_error *error)
{
    if (key.size < ENVELOPE_MASTER_KEY_MIN)
        return envelope_fail_with(error, ENVELOPE_INVALID_MASTER_KEY_LENGTH,
                                  DETAIL_NONE, key.size, 0);
    return ENVELOPE_OK;
}

/* The three rules of a keyring, in their order. */
static enum envelope_kind check_keys(struct envelope_bytes current,
                                     const struct envelope_bytes *others,
                                     size_t count,
                                     struct envelope_error *error)
{
    enum envelope_kind kind;

    if (count > ENVELOPE_DECRYPT_ONLY_MAX)
        return envelope_fail_with(error, ENVELOPE_KEYRING_CAP_EXCEEDED,
                                  DETAIL_NONE, count, 0);
    kind = check_master(current, error);
    for (size_t i = 0; kind == ENVELOPE_OK && i < count; i++)
        kind = check_master(others[i], error);
    for (size_t i = 0; kind == ENVELOPE_OK && i < count; i++)
        if (others[i].size == current.size &&
            memcmp(others[i].data, current.data, current.size) == 0)
            kind = envelope_fail(error,
                                 ENVELOPE_CURRENT_KEY_IN_DECRYPT_ONLY_LIST);
    return kind;
}

static bool add_master(struct envelope_keyring *keyring,
                       struct envelope_bytes key)
{
    struct master *m = &keyring->entries[keyring->count];

    m->data = alloc_get(keyring->alloc, key.size);
    if (m->data == NULL)
        return false;
    memcpy(m->data, key.data, key.size);
    m->size = key.size;
    keyring->count++;
    return true;
}

enum envelope_kind envelope_keyring_new(
    struct envelope_bytes current, const struct envelope_bytes *decrypt_only,
    size_t decrypt_only_count, const struct alloc *alloc,
    struct envelope_keyring **keyring, struct envelope_error *error)
{
    enum envelope_kind kind =
        check_keys(current, decrypt_only, decrypt_only_count, error);
    struct envelope_keyring *k;
    bool ok;

    if (kind != ENVELOPE_OK)
        return kind;
    k = alloc_get(alloc, sizeof(*k));
    if (k == NULL)
        return envelope_fail(error, ENVELOPE_OUT_OF_MEMORY);
    *k = (struct envelope_keyring){.alloc = alloc};
    ok = add_master(k, current);
    for (size_t i = 0; ok && i < decrypt_only_count; i++)
        ok = add_master(k, decrypt_only[i]);
    if (!ok) {
        envelope_keyring_free(k);
        return envelope_fail(error, ENVELOPE_OUT_OF_MEMORY);
    }
    *keyring = k;
    return ENVELOPE_OK;
}

void envelope_keyring_free(struct envelope_keyring *keyring)
{
    if (keyring == NULL)
        return;
    for (size_t i = 0; i < keyring->count; i++) {
        struct master *m = &keyring->entries[i];
        explicit_bzero(m->data, m->size);
        alloc_put(keyring->alloc, m->data, m->size);
    }
    alloc_put(keyring->alloc, keyring, sizeof(*keyring));
}

size_t envelope_keyring_count(const struct envelope_keyring *keyring)
{
    return keyring->count;
}

/* An entry's encryption key; what fails is a failed derivation. */
static enum envelope_kind derive(const struct master *m,
                                 struct envelope_bytes tenant,
                                 uint8_t key[ENVELOPE_KEY_SIZE],
                                 struct envelope_error *error)
{
    struct envelope_error inner;
    enum envelope_kind kind = envelope_derive_domain_key(
        (struct envelope_bytes){m->data, m->size},
        ENVELOPE_BYTES("encryption"), tenant, key, &inner);

    if (kind == ENVELOPE_OK)
        return kind;
    return envelope_fail_with(error, ENVELOPE_KEY_DERIVATION, DETAIL_NONE,
                              kind, inner.number[0]);
}

static enum envelope_kind fingerprint(const uint8_t key[ENVELOPE_KEY_SIZE],
                                      uint8_t out[ENVELOPE_FINGERPRINT_SIZE],
                                      struct envelope_error *error)
{
    enum envelope_kind kind = envelope_key_fingerprint(
        (struct envelope_bytes){key, ENVELOPE_KEY_SIZE}, out, NULL);

    if (kind == ENVELOPE_OK)
        return kind;
    return envelope_fail_with(error, ENVELOPE_KEY_DERIVATION, DETAIL_NONE,
                              kind, 0);
}

enum envelope_kind envelope_keyring_fingerprints(
    const struct envelope_keyring *keyring, struct envelope_bytes tenant,
    uint8_t (*out)[ENVELOPE_FINGERPRINT_SIZE], struct envelope_error *error)
{
    uint8_t prints[ENTRY_MAX][ENVELOPE_FINGERPRINT_SIZE];
    uint8_t key[ENVELOPE_KEY_SIZE];
    enum envelope_kind kind = ENVELOPE_OK;

    for (size_t i = 0; kind == ENVELOPE_OK && i < keyring->count; i++) {
        kind = derive(&keyring->entries[i], tenant, key, error);
        if (kind == ENVELOPE_OK)
            kind = fingerprint(key, prints[i], error);
    }
    explicit_bzero(key, sizeof(key));
    if (kind == ENVELOPE_OK)
        memcpy(out, prints, keyring->count * sizeof(prints[0]));
    return kind;
}

static COLD enum envelope_kind fail_index(size_t index, size_t count,
                                          struct envelope_error *error)
{
    return envelope_fail_with(error, ENVELOPE_KEYRING_INDEX_OUT_OF_RANGE,
                              DETAIL_NONE, index, count);
}

enum envelope_kind envelope_keyring_decrypt_at(
    const struct envelope_keyring *keyring, size_t index,
    struct envelope_bytes tenant, struct envelope_bytes ciphertext,
    struct envelope_bytes aad, uint8_t *out, size_t out_size,
    struct envelope_error *error)
{
    uint8_t key[ENVELOPE_KEY_SIZE];
    enum envelope_kind kind;

    if (index >= keyring->count)
        return fail_index(index, keyring->count, error);
    kind = derive(&keyring->entries[index], tenant, key, error);
    if (kind == ENVELOPE_OK)
        kind = envelope_decrypt(ciphertext,
                                (struct envelope_bytes){key, sizeof(key)}, aad,
                                out, out_size, error);
    explicit_bzero(key, sizeof(key));
    return kind;
}

enum envelope_kind envelope_keyring_decrypt(
    const struct envelope_keyring *keyring, struct envelope_bytes tenant,
    struct envelope_bytes ciphertext, struct envelope_bytes aad, uint8_t *out,
    size_t out_size, size_t *index, struct envelope_error *error)
{
    enum envelope_kind kind = ENVELOPE_AUTHENTICATION_FAILED;
    size_t i;

    for (i = 0; i < keyring->count; i++) {
        kind = envelope_keyring_decrypt_at(keyring, i, tenant, ciphertext, aad,
                                           out, out_size, error);
        if (kind != ENVELOPE_AUTHENTICATION_FAILED)
            break;
    }
    if (kind == ENVELOPE_OK && index != NULL)
        *index = i;
    return kind;
}

/* ---- bound to a tenant ------------------------------------------------- */

static enum envelope_kind bind_entry(struct envelope_tenant_keyring *bound,
                                     const struct master *m,
                                     struct envelope_bytes tenant,
                                     struct envelope_error *error)
{
    uint8_t key[ENVELOPE_KEY_SIZE];
    enum envelope_kind kind = derive(m, tenant, key, error);

    if (kind == ENVELOPE_OK)
        kind = fingerprint(key, bound->fingerprints[bound->count], error);
    if (kind == ENVELOPE_OK)
        kind =
            envelope_key_new((struct envelope_bytes){key, sizeof(key)},
                             bound->alloc, &bound->keys[bound->count], error);
    if (kind == ENVELOPE_OK)
        bound->count++;
    explicit_bzero(key, sizeof(key));
    return kind;
}

enum envelope_kind envelope_keyring_for_tenant(
    struct envelope_keyring *keyring, struct envelope_bytes tenant,
    struct envelope_tenant_keyring **bound, struct envelope_error *error)
{
    struct envelope_tenant_keyring *b = alloc_get(keyring->alloc, sizeof(*b));
    enum envelope_kind kind = ENVELOPE_OK;

    if (b == NULL) {
        kind = envelope_fail(error, ENVELOPE_OUT_OF_MEMORY);
    } else {
        *b = (struct envelope_tenant_keyring){.alloc = keyring->alloc};
        for (size_t i = 0; kind == ENVELOPE_OK && i < keyring->count; i++)
            kind = bind_entry(b, &keyring->entries[i], tenant, error);
    }
    envelope_keyring_free(keyring);
    if (kind == ENVELOPE_OK)
        *bound = b;
    else
        envelope_tenant_keyring_free(b);
    return kind;
}

void envelope_tenant_keyring_free(struct envelope_tenant_keyring *keyring)
{
    if (keyring == NULL)
        return;
    for (size_t i = 0; i < keyring->count; i++)
        envelope_key_free(keyring->keys[i]);
    alloc_put(keyring->alloc, keyring, sizeof(*keyring));
}

size_t envelope_tenant_keyring_count(
    const struct envelope_tenant_keyring *keyring)
{
    return keyring->count;
}

void envelope_tenant_keyring_fingerprints(
    const struct envelope_tenant_keyring *keyring,
    uint8_t (*out)[ENVELOPE_FINGERPRINT_SIZE])
{
    memcpy(out, keyring->fingerprints,
           keyring->count * sizeof(keyring->fingerprints[0]));
}

enum envelope_kind envelope_tenant_keyring_decrypt_at(
    struct envelope_tenant_keyring *keyring, size_t index,
    struct envelope_bytes ciphertext, struct envelope_bytes aad, uint8_t *out,
    size_t out_size, struct envelope_error *error)
{
    if (index >= keyring->count)
        return fail_index(index, keyring->count, error);
    return envelope_open(keyring->keys[index], ciphertext, aad, out, out_size,
                         error);
}

enum envelope_kind envelope_tenant_keyring_decrypt(
    struct envelope_tenant_keyring *keyring, struct envelope_bytes ciphertext,
    struct envelope_bytes aad, uint8_t *out, size_t out_size, size_t *index,
    struct envelope_error *error)
{
    enum envelope_kind kind = ENVELOPE_AUTHENTICATION_FAILED;
    size_t i;

    for (i = 0; i < keyring->count; i++) {
        kind = envelope_open(keyring->keys[i], ciphertext, aad, out, out_size,
                             error);
        if (kind != ENVELOPE_AUTHENTICATION_FAILED)
            break;
    }
    if (kind == ENVELOPE_OK && index != NULL)
        *index = i;
    return kind;
}
