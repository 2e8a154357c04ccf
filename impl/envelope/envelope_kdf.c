/* SPDX-License-Identifier: MIT */
/* Keys: HKDF over HMAC over libcrypto's SHA-256.  The three steps are put
 * together here, each as its RFC has it, because libcrypto's own HKDF takes
 * twice the instructions and five times the time: it looks its algorithms up
 * by name for each of eight short hashes. */

/* libcrypto would rather have its lookup used. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include "envelope/envelope_crypt.h"
#include "envelope/envelope_internal.h"

#define SALT_PREFIX      ENVELOPE_BYTES("cachekit_v1_")
#define SALT_PREFIX_SIZE 12
#define SALT_MAX                                                              \
    (SALT_PREFIX_SIZE + 1 + ENVELOPE_DOMAIN_MAX + 2 + ENVELOPE_TENANT_MAX)
#define FINGERPRINT_PREFIX ENVELOPE_BYTES("key_fingerprint_v1")

/* Hash up to two parts. */
static bool hash(struct envelope_bytes a, struct envelope_bytes b,
                 uint8_t out[SHA256_DIGEST_LENGTH])
{
    SHA256_CTX context;
    bool ok = SHA256_Init(&context) == 1 &&
              SHA256_Update(&context, a.data, a.size) == 1 &&
              SHA256_Update(&context, b.data, b.size) == 1 &&
              SHA256_Final(out, &context) == 1;

    explicit_bzero(&context, sizeof(context));
    return ok;
}

/* One of the two hashes of an HMAC: of the key's block, changed by a pad, and
 * of a text in two parts. */
static bool hash_padded(const uint8_t block[SHA256_CBLOCK], uint8_t pad,
                        struct envelope_bytes a, struct envelope_bytes b,
                        uint8_t out[SHA256_DIGEST_LENGTH])
{
    uint8_t padded[SHA256_CBLOCK];
    SHA256_CTX context;
    bool ok;

    for (size_t i = 0; i < sizeof(padded); i++)
        padded[i] = block[i] ^ pad;
    ok = SHA256_Init(&context) == 1 &&
         SHA256_Update(&context, padded, sizeof(padded)) == 1 &&
         SHA256_Update(&context, a.data, a.size) == 1 &&
         SHA256_Update(&context, b.data, b.size) == 1 &&
         SHA256_Final(out, &context) == 1;
    explicit_bzero(padded, sizeof(padded));
    explicit_bzero(&context, sizeof(context));
    return ok;
}

/* RFC 2104: H(key ^ opad, H(key ^ ipad, text)), the text in two parts. */
static bool hmac(struct envelope_bytes key, struct envelope_bytes a,
                 struct envelope_bytes b, uint8_t out[SHA256_DIGEST_LENGTH])
{
    static const struct envelope_bytes nothing;
    uint8_t block[SHA256_CBLOCK] = {0}, inner[SHA256_DIGEST_LENGTH];
    bool ok = true;

    if (key.size > sizeof(block))
        ok = hash(key, nothing, block);
    else
        memcpy(block, key.data, key.size);
    ok =
        ok && hash_padded(block, 0x36, a, b, inner) &&
        hash_padded(block, 0x5c, (struct envelope_bytes){inner, sizeof(inner)},
                    nothing, out);
    explicit_bzero(block, sizeof(block));
    explicit_bzero(inner, sizeof(inner));
    return ok;
}

/* RFC 5869, for an output of one hash: T(1) of the extracted key. */
static bool hkdf(struct envelope_bytes salt, struct envelope_bytes secret,
                 struct envelope_bytes info, uint8_t out[ENVELOPE_KEY_SIZE])
{
    static const struct envelope_bytes nothing;
    uint8_t extracted[SHA256_DIGEST_LENGTH];
    bool ok = hmac(salt, secret, nothing, extracted) &&
              hmac((struct envelope_bytes){extracted, sizeof(extracted)}, info,
                   ENVELOPE_BYTES("\x01"), out);

    explicit_bzero(extracted, sizeof(extracted));
    return ok;
}

static enum envelope_kind check_derivation(struct envelope_bytes master,
                                           struct envelope_bytes domain,
                                           struct envelope_bytes tenant_salt,
                                           struct envelope_error *error)
{
    if (master.size < ENVELOPE_MASTER_KEY_MIN)
        return envelope_fail_with(error, ENVELOPE_INVALID_MASTER_KEY_LENGTH,
                                  DETAIL_NONE, master.size, 0);
    if (domain.size == 0)
        return envelope_fail(error, ENVELOPE_INVALID_DOMAIN);
    if (domain.size > ENVELOPE_DOMAIN_MAX)
        return envelope_fail(error, ENVELOPE_DOMAIN_TOO_LONG);
    if (tenant_salt.size == 0)
        return envelope_fail(error, ENVELOPE_INVALID_SALT_LENGTH);
    if (tenant_salt.size > ENVELOPE_TENANT_MAX)
        return envelope_fail(error, ENVELOPE_TENANT_SALT_TOO_LONG);
    return ENVELOPE_OK;
}

static uint8_t *put_bytes(uint8_t *p, struct envelope_bytes bytes)
{
    memcpy(p, bytes.data, bytes.size);
    return p + bytes.size;
}

/* The salt, whose lengths keep "foo" and "bar" from being "foob" and "ar". */
static struct envelope_bytes make_salt(struct envelope_bytes domain,
                                       struct envelope_bytes tenant,
                                       uint8_t salt[SALT_MAX])
{
    uint8_t *p = put_bytes(salt, SALT_PREFIX);

    *p++ = (uint8_t)domain.size;
    p = put_bytes(p, domain);
    *p++ = (uint8_t)(tenant.size >> 8);
    *p++ = (uint8_t)tenant.size;
    p = put_bytes(p, tenant);
    return (struct envelope_bytes){salt, (size_t)(p - salt)};
}

enum envelope_kind envelope_derive_domain_key(
    struct envelope_bytes master, struct envelope_bytes domain,
    struct envelope_bytes tenant_salt, uint8_t key[ENVELOPE_KEY_SIZE],
    struct envelope_error *error)
{
    uint8_t salt[SALT_MAX], derived[ENVELOPE_KEY_SIZE];
    enum envelope_kind kind =
        check_derivation(master, domain, tenant_salt, error);

    if (kind != ENVELOPE_OK)
        return kind;
    if (hkdf(make_salt(domain, tenant_salt, salt), master, domain, derived))
        memcpy(key, derived, sizeof(derived));
    else
        kind = envelope_fail(error, ENVELOPE_DERIVATION_FAILED);
    explicit_bzero(derived, sizeof(derived));
    return kind;
}

enum envelope_kind envelope_derive_tenant_keys(
    struct envelope_bytes master, struct envelope_bytes tenant,
    struct envelope_tenant_keys *keys, struct envelope_error *error)
{
    static const char *const domains[] = {"encryption", "authentication",
                                          "cache_keys"};
    uint8_t *const out[] = {keys->encryption, keys->authentication,
                            keys->cache_keys};

    for (size_t i = 0; i < ARRAY_COUNT(domains); i++) {
        const struct envelope_bytes domain = {(const uint8_t *)domains[i],
                                              strlen(domains[i])};
        enum envelope_kind kind =
            envelope_derive_domain_key(master, domain, tenant, out[i], error);
        if (kind != ENVELOPE_OK) {
            envelope_tenant_keys_wipe(keys);
            return kind;
        }
    }
    memcpy(keys->tenant, tenant.data, tenant.size);
    keys->tenant_size = tenant.size;
    return ENVELOPE_OK;
}

void envelope_tenant_keys_wipe(struct envelope_tenant_keys *keys)
{
    explicit_bzero(keys, sizeof(*keys));
}

enum envelope_kind envelope_key_fingerprint(
    struct envelope_bytes key, uint8_t fingerprint[ENVELOPE_FINGERPRINT_SIZE],
    struct envelope_error *error)
{
    uint8_t digest[SHA256_DIGEST_LENGTH];

    if (!hash(FINGERPRINT_PREFIX, key, digest))
        return envelope_fail(error, ENVELOPE_DERIVATION_FAILED);
    memcpy(fingerprint, digest, ENVELOPE_FINGERPRINT_SIZE);
    return ENVELOPE_OK;
}
