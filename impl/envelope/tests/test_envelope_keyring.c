/* SPDX-License-Identifier: MIT */
/* Keyrings: which entry reads what, in which order things are refused, and
 * how often keys are derived.  The key derivation is compiled here a second
 * time, to be counted. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
#include <stddef.h>

static size_t hashes_begun;
#define SHA256_Init(context) (hashes_begun++, (SHA256_Init)(context))
#include "envelope/envelope_kdf.c" // NOLINT(bugprone-suspicious-include)
#undef SHA256_Init

#include "envelope/tests/envelope_crypt_samples.h"

/* Hashes of one derivation with a salt of at most a block: inner and outer,
 * twice.  A fingerprint is one. */
#define HASHES_A_KEY ((size_t)4)

static const uint8_t k1[32] = {0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
                               0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
                               0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
                               0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11};
static uint8_t k2[32], k3[32], k4[16];

#define KEY(bytes) ((struct envelope_bytes){(bytes), sizeof(bytes)})
#define TENANT     ENVELOPE_BYTES("tenant-123")
#define TEXT       ENVELOPE_BYTES("under this key")
#define AAD        ENVELOPE_BYTES("about it")

static int setup_keys(void **state)
{
    (void)state;
    memset(k2, 0x22, sizeof(k2));
    memset(k3, 0x33, sizeof(k3));
    memset(k4, 0x44, sizeof(k4));
    return 0;
}

static struct envelope_keyring *new_ring(struct envelope_bytes current,
                                         const struct envelope_bytes *others,
                                         size_t count)
{
    struct envelope_keyring *ring = NULL;

    CHECK_KIND(ENVELOPE_OK, envelope_keyring_new(current, others, count, NULL,
                                                 &ring, NULL));
    return ring;
}

static void seal_with(struct envelope_bytes master, uint8_t *out,
                      size_t out_size)
{
    struct envelope_encryptor e;
    uint8_t key[ENVELOPE_KEY_SIZE];

    CHECK_KIND(ENVELOPE_OK, envelope_encryptor_init(&e, NULL));
    CHECK_KIND(ENVELOPE_OK,
               envelope_derive_domain_key(master, ENVELOPE_BYTES("encryption"),
                                          TENANT, key, NULL));
    CHECK_KIND(ENVELOPE_OK,
               envelope_encrypt(&e, TEXT, KEY(key), AAD, out, out_size, NULL));
}

static void test_construction(void **state)
{
    (void)state;
    static const uint8_t short_key[15];
    const struct envelope_bytes four[] = {KEY(k2), KEY(k3), KEY(k4),
                                          KEY(short_key)};
    const struct envelope_bytes own[] = {KEY(k2), KEY(k1)};
    const struct envelope_bytes twice[] = {KEY(k2), KEY(k2)};
    const struct envelope_bytes bad[] = {KEY(k1), KEY(short_key)};
    struct envelope_keyring *ring = NULL;
    struct envelope_error error;

    /* Too many comes before too short. */
    CHECK_KIND(
        ENVELOPE_KEYRING_CAP_EXCEEDED,
        envelope_keyring_new(KEY(short_key), four, 4, NULL, &ring, &error));
    check_error("Keyring cap exceeded: at most 3 decrypt-only keys allowed, "
                "got 4",
                &error);
    CHECK_KIND(
        ENVELOPE_INVALID_MASTER_KEY_LENGTH,
        envelope_keyring_new(KEY(short_key), own, 2, NULL, &ring, &error));
    check_error("Invalid master key length: expected at least 16 bytes, got "
                "15",
                &error);
    /* Too short, also in the list, before the current key in it. */
    CHECK_KIND(ENVELOPE_INVALID_MASTER_KEY_LENGTH,
               envelope_keyring_new(KEY(k1), bad, 2, NULL, &ring, &error));
    CHECK_KIND(ENVELOPE_CURRENT_KEY_IN_DECRYPT_ONLY_LIST,
               envelope_keyring_new(KEY(k1), own, 2, NULL, &ring, &error));
    check_error("Current key must not appear in the decrypt-only list "
                "(forward-only rotation invariant)",
                &error);
    assert_null(ring);
    ring = new_ring(KEY(k1), twice, 2);
    CHECK_SIZE(3, envelope_keyring_count(ring));
    envelope_keyring_free(ring);
    ring = new_ring(KEY(k1), four, 3);
    CHECK_SIZE(4, envelope_keyring_count(ring));
    envelope_keyring_free(ring);
    ring = new_ring(KEY(k1), NULL, 0);
    CHECK_SIZE(1, envelope_keyring_count(ring));
    envelope_keyring_free(ring);
    envelope_keyring_free(NULL);
    envelope_tenant_keyring_free(NULL);
}

/* The keys are copies. */
static void test_keys_are_copied(void **state)
{
    (void)state;
    uint8_t mine[32], sealed[64], out[64];
    const size_t size = TEXT.size + ENVELOPE_SEAL_EXTRA;
    memcpy(mine, k1, sizeof(mine));
    struct envelope_keyring *ring = new_ring(KEY(mine), NULL, 0);

    seal_with(KEY(k1), sealed, sizeof(sealed));
    memset(mine, 0, sizeof(mine));
    CHECK_KIND(ENVELOPE_OK,
               envelope_keyring_decrypt(ring, TENANT,
                                        (struct envelope_bytes){sealed, size},
                                        AAD, out, sizeof(out), NULL, NULL));
    CHECK_BYTES(TEXT.data, TEXT.size, out, TEXT.size);
    envelope_keyring_free(ring);
}

/* Either keyring, behind one face. */
struct any_ring {
    struct envelope_keyring *unbound;
    struct envelope_tenant_keyring *bound;
};

static enum envelope_kind any_at(const struct any_ring *r, size_t i,
                                 struct envelope_bytes c, uint8_t *out,
                                 struct envelope_error *error)
{
    return r->unbound != NULL
               ? envelope_keyring_decrypt_at(r->unbound, i, TENANT, c, AAD,
                                             out, 64, error)
               : envelope_tenant_keyring_decrypt_at(r->bound, i, c, AAD, out,
                                                    64, error);
}

static enum envelope_kind any_decrypt(const struct any_ring *r,
                                      struct envelope_bytes c,
                                      struct envelope_bytes aad, uint8_t *out,
                                      size_t out_size, size_t *index,
                                      struct envelope_error *error)
{
    return r->unbound != NULL
               ? envelope_keyring_decrypt(r->unbound, TENANT, c, aad, out,
                                          out_size, index, error)
               : envelope_tenant_keyring_decrypt(r->bound, c, aad, out,
                                                 out_size, index, error);
}

static void check_entry(const struct any_ring *r, size_t entry,
                        const uint8_t *sealed)
{
    const struct envelope_bytes c = {sealed, TEXT.size + ENVELOPE_SEAL_EXTRA};
    struct envelope_error error;
    uint8_t out[64];
    size_t index = 99;

    for (size_t i = 0; i < 4; i++)
        CHECK_KIND(i == entry ? ENVELOPE_OK : ENVELOPE_AUTHENTICATION_FAILED,
                   any_at(r, i, c, out, &error));
    CHECK_KIND(ENVELOPE_KEYRING_INDEX_OUT_OF_RANGE,
               any_at(r, 4, c, out, &error));
    check_error("Keyring entry index 4 out of range (entry count 4)", &error);
    CHECK_KIND(ENVELOPE_OK,
               any_decrypt(r, c, AAD, out, sizeof(out), &index, &error));
    CHECK_SIZE(entry, index);
    CHECK_BYTES(TEXT.data, TEXT.size, out, TEXT.size);
    /* Only a wrong tag moves on. */
    index = 99;
    CHECK_KIND(ENVELOPE_AUTHENTICATION_FAILED,
               any_decrypt(r, c, ENVELOPE_BYTES("about another"), out,
                           sizeof(out), &index, &error));
    CHECK_KIND(ENVELOPE_NO_SPACE,
               any_decrypt(r, c, AAD, out, TEXT.size - 1, &index, &error));
    CHECK_KIND(ENVELOPE_INVALID_CIPHERTEXT,
               any_decrypt(r, (struct envelope_bytes){sealed, 27}, AAD, out,
                           sizeof(out), &index, &error));
    CHECK_SIZE(99, index);
}

static struct envelope_keyring *four_entries(void)
{
    const struct envelope_bytes others[] = {KEY(k2), KEY(k3), KEY(k4)};

    return new_ring(KEY(k1), others, 3);
}

static void test_both_keyrings_read_alike(void **state)
{
    (void)state;
    const struct envelope_bytes masters[] = {KEY(k1), KEY(k2), KEY(k3),
                                             KEY(k4)};
    struct any_ring unbound = {.unbound = four_entries()}, bound = {0};
    uint8_t sealed[64];

    CHECK_KIND(ENVELOPE_OK, envelope_keyring_for_tenant(four_entries(), TENANT,
                                                        &bound.bound, NULL));
    CHECK_SIZE(4, envelope_tenant_keyring_count(bound.bound));
    for (size_t i = 0; i < 4; i++) {
        seal_with(masters[i], sealed, sizeof(sealed));
        check_entry(&unbound, i, sealed);
        check_entry(&bound, i, sealed);
    }
    envelope_keyring_free(unbound.unbound);
    envelope_tenant_keyring_free(bound.bound);
}

/* The fingerprints are those of derived keys, never of master keys. */
static void test_fingerprints(void **state)
{
    (void)state;
    uint8_t a[4][ENVELOPE_FINGERPRINT_SIZE], b[4][ENVELOPE_FINGERPRINT_SIZE];
    uint8_t want[ENVELOPE_FINGERPRINT_SIZE];
    struct envelope_keyring *ring = four_entries();
    struct envelope_tenant_keyring *bound = NULL;

    CHECK_KIND(ENVELOPE_OK,
               envelope_keyring_fingerprints(ring, TENANT, a, NULL));
    hex_decode("32a84f793e7aa871d6cd521011eb0d59", want, sizeof(want));
    CHECK_BYTES(want, sizeof(want), a[0], sizeof(a[0]));
    hex_decode("c59062368101e8406d531fb1232e89d7", want, sizeof(want));
    CHECK_BYTES(want, sizeof(want), a[1], sizeof(a[1]));
    CHECK_KIND(ENVELOPE_OK,
               envelope_keyring_for_tenant(ring, TENANT, &bound, NULL));
    envelope_tenant_keyring_fingerprints(bound, b);
    CHECK_BYTES(a, sizeof(a), b, sizeof(b));
    envelope_tenant_keyring_free(bound);
}

static void test_a_tenant_that_is_no_salt(void **state)
{
    (void)state;
    static const uint8_t long_tenant[1025];
    const struct envelope_bytes none = {NULL, 0};
    struct envelope_keyring *ring = four_entries();
    struct envelope_tenant_keyring *bound = NULL;
    struct envelope_error error;
    uint8_t prints[4][ENVELOPE_FINGERPRINT_SIZE], out[64];
    static const char empty[] = "Key derivation failed: Invalid salt length: "
                                "expected at least 1 byte, got 0";

    /* Before the ciphertext is looked at, and ending the search. */
    CHECK_KIND(ENVELOPE_KEY_DERIVATION,
               envelope_keyring_decrypt(ring, none, none, AAD, out,
                                        sizeof(out), NULL, &error));
    check_error(empty, &error);
    CHECK_KIND(ENVELOPE_KEY_DERIVATION,
               envelope_keyring_fingerprints(ring, none, prints, &error));
    check_error(empty, &error);
    CHECK_KIND(ENVELOPE_KEY_DERIVATION,
               envelope_keyring_decrypt_at(ring, 0, KEY(long_tenant), none,
                                           AAD, out, sizeof(out), &error));
    check_error("Key derivation failed: Tenant salt exceeds maximum length",
                &error);
    /* Consumed all the same: the leak checks of the sanitizers see to it. */
    CHECK_KIND(ENVELOPE_KEY_DERIVATION,
               envelope_keyring_for_tenant(ring, none, &bound, &error));
    check_error(empty, &error);
    assert_null(bound);
}

/* n entries: n derivations when bound, none after. */
static void test_derivations_are_counted(void **state)
{
    (void)state;
    const size_t size = TEXT.size + ENVELOPE_SEAL_EXTRA;
    uint8_t sealed[64], out[64];
    struct envelope_keyring *ring = four_entries();
    struct envelope_tenant_keyring *bound = NULL;
    uint8_t prints[4][ENVELOPE_FINGERPRINT_SIZE];

    seal_with(KEY(k4), sealed, sizeof(sealed));
    const struct envelope_bytes c = {sealed, size};
    hashes_begun = 0;
    CHECK_KIND(ENVELOPE_OK, envelope_keyring_decrypt(ring, TENANT, c, AAD, out,
                                                     sizeof(out), NULL, NULL));
    CHECK_SIZE(4 * HASHES_A_KEY, hashes_begun);
    hashes_begun = 0;
    CHECK_KIND(ENVELOPE_OK,
               envelope_keyring_for_tenant(ring, TENANT, &bound, NULL));
    CHECK_SIZE(4 * (HASHES_A_KEY + 1), hashes_begun);
    hashes_begun = 0;
    CHECK_KIND(ENVELOPE_OK, envelope_tenant_keyring_decrypt(
                                bound, c, AAD, out, sizeof(out), NULL, NULL));
    CHECK_KIND(ENVELOPE_OK, envelope_tenant_keyring_decrypt_at(
                                bound, 3, c, AAD, out, sizeof(out), NULL));
    envelope_tenant_keyring_fingerprints(bound, prints);
    CHECK_SIZE(0, hashes_begun);
    envelope_tenant_keyring_free(bound);
}

static enum envelope_kind run_all(const struct alloc *alloc)
{
    const struct envelope_bytes others[] = {KEY(k2), KEY(k3)};
    struct envelope_keyring *ring = NULL;
    struct envelope_tenant_keyring *bound = NULL;
    enum envelope_kind kind =
        envelope_keyring_new(KEY(k1), others, 2, alloc, &ring, NULL);

    if (kind == ENVELOPE_OK)
        kind = envelope_keyring_for_tenant(ring, TENANT, &bound, NULL);
    envelope_tenant_keyring_free(bound);
    return kind;
}

static void test_every_allocation_failing_in_turn(void **state)
{
    (void)state;
    size_t failures = 0;

    for (size_t k = 1;; k++) {
        struct alloc_probe probe = {.fail_at = k};
        struct alloc alloc = alloc_probe_alloc(&probe);
        enum envelope_kind kind = run_all(&alloc);

        CHECK_SIZE(0, probe.live_count);
        if (probe.calls < k) {
            CHECK_KIND(ENVELOPE_OK, kind);
            break;
        }
        CHECK_KIND(ENVELOPE_OUT_OF_MEMORY, kind);
        failures++;
    }
    /* The ring and its three keys; the bound one and its three. */
    CHECK_SIZE(8, failures);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_construction),
        cmocka_unit_test(test_keys_are_copied),
        cmocka_unit_test(test_both_keyrings_read_alike),
        cmocka_unit_test(test_fingerprints),
        cmocka_unit_test(test_a_tenant_that_is_no_salt),
        cmocka_unit_test(test_derivations_are_counted),
        cmocka_unit_test(test_every_allocation_failing_in_turn),
    };
    return cmocka_run_group_tests(tests, setup_keys, NULL);
}
