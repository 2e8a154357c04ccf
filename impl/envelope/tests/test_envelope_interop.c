/* SPDX-License-Identifier: MIT */
/* The published file of encryption: what other implementations sealed opens
 * here, and is sealed here to the same bytes. */
#include "envelope/tests/envelope_crypt_samples.h"

#define FILE_PATH "cachekit/encryption.json"

static bool has(struct json_object *row, const char *key)
{
    return json_object_object_get_ex(row, key, NULL);
}

static struct json_object *group_of(struct json_object *parent,
                                    const char *name, size_t count)
{
    struct json_object *rows = vector_field(parent, name);

    CHECK_SIZE(count, json_object_array_length(rows));
    return rows;
}

/* The key of a tenant under a master key written in hexadecimal. */
static void derive(struct json_object *row, const char *master_field,
                   const char *tenant, uint8_t key[ENVELOPE_KEY_SIZE])
{
    uint8_t master[ENVELOPE_KEY_SIZE];

    CHECK_KIND(ENVELOPE_OK,
               envelope_master_key_from_hex(
                   text_bytes(vector_text(row, master_field)), master, NULL));
    CHECK_KIND(ENVELOPE_OK,
               envelope_derive_domain_key(
                   (struct envelope_bytes){master, sizeof(master)},
                   ENVELOPE_BYTES("encryption"), text_bytes(tenant), key,
                   NULL));
}

static void check_fingerprint(struct json_object *row,
                              const uint8_t key[ENVELOPE_KEY_SIZE])
{
    struct envelope_bytes want = bytes_of(row, "derived_key_fingerprint_hex");
    uint8_t print[ENVELOPE_FINGERPRINT_SIZE];

    CHECK_KIND(
        ENVELOPE_OK,
        envelope_key_fingerprint(
            (struct envelope_bytes){key, ENVELOPE_KEY_SIZE}, print, NULL));
    CHECK_BYTES(want.data, want.size, print, sizeof(print));
    free_bytes(want);
}

/* The row's associated data, which its fields give too; for free_bytes. */
static struct envelope_bytes row_aad(struct json_object *row,
                                     const char *tenant)
{
    struct envelope_bytes want = bytes_of(row, "aad_hex");
    struct envelope_aad aad = {
        .tenant = text_bytes(tenant),
        .cache_key = text_bytes(vector_text(row, "cache_key")),
        .format = text_bytes(vector_text(row, "format")),
        .compressed = json_object_get_boolean(vector_field(row, "compressed")),
        .has_original_type = has(row, "original_type"),
    };
    uint8_t room[1024];
    struct sink s = sink_init(room, sizeof(room));

    if (aad.has_original_type)
        aad.original_type = text_bytes(vector_text(row, "original_type"));
    CHECK_STATUS(ST_OK, envelope_aad_put(&aad, &s));
    CHECK_BYTES(want.data, want.size, room, s.at);
    return want;
}

static void check_message(struct json_object *row, const char *tenant,
                          const uint8_t key_bytes[ENVELOPE_KEY_SIZE])
{
    const struct envelope_bytes key = {key_bytes, ENVELOPE_KEY_SIZE};
    struct envelope_bytes aad = row_aad(row, tenant);
    struct envelope_bytes plain = bytes_of(row, "plaintext_hex");
    struct envelope_bytes sealed = bytes_of(row, "ciphertext_hex");
    struct envelope_encryptor e;
    uint8_t out[8192];

    CHECK_SIZE(plain.size + ENVELOPE_SEAL_EXTRA, sealed.size);
    CHECK_KIND(ENVELOPE_OK,
               envelope_decrypt(sealed, key, aad, out, sizeof(out), NULL));
    CHECK_BYTES(plain.data, plain.size, out, plain.size);
    encryptor_at_nonce(&e, sealed.data);
    CHECK_KIND(ENVELOPE_OK,
               envelope_encrypt(&e, plain, key, aad, out, sizeof(out), NULL));
    CHECK_BYTES(sealed.data, sealed.size, out, sealed.size);
    free_bytes(sealed);
    free_bytes(plain);
    free_bytes(aad);
}

static void check_messages(struct json_object *rows, const char *tenant,
                           const uint8_t key[ENVELOPE_KEY_SIZE])
{
    for (size_t i = 0; i < json_object_array_length(rows); i++)
        check_message(json_object_array_get_idx(rows, i), tenant, key);
}

static void test_messages(void **state)
{
    (void)state;
    struct json_object *doc = testkit_vectors(FILE_PATH);
    const char *tenant = vector_text(doc, "tenant_id");
    uint8_t key[ENVELOPE_KEY_SIZE];

    derive(doc, "master_key_hex", tenant, key);
    check_fingerprint(doc, key);
    check_messages(group_of(doc, "vectors", 9), tenant, key);
    json_object_put(doc);
}

static void test_default_tenant(void **state)
{
    (void)state;
    struct json_object *doc = testkit_vectors(FILE_PATH);
    struct json_object *part = vector_field(doc, "default_tenant");
    const struct envelope_bytes tenant = ENVELOPE_DEFAULT_TENANT;
    uint8_t key[ENVELOPE_KEY_SIZE];

    CHECK_BYTES(vector_text(part, "tenant_id"), 7, tenant.data, tenant.size);
    derive(doc, "master_key_hex", "default", key);
    check_fingerprint(part, key);
    check_messages(group_of(part, "vectors", 1), "default", key);
    json_object_put(doc);
}

/* Associated data that differs in one component from what was sealed. */
static void test_other_associated_data(void **state)
{
    (void)state;
    struct json_object *doc = testkit_vectors(FILE_PATH);
    const char *tenant = vector_text(doc, "tenant_id");
    struct json_object *rows = group_of(doc, "aad_reject_vectors", 10);
    uint8_t key[ENVELOPE_KEY_SIZE], out[1024];

    derive(doc, "master_key_hex", tenant, key);
    for (size_t i = 0; i < 10; i++) {
        struct json_object *row = json_object_array_get_idx(rows, i);
        struct envelope_bytes aad = row_aad(row, tenant);
        struct envelope_bytes sealed = bytes_of(row, "ciphertext_hex");

        CHECK_KIND(ENVELOPE_AUTHENTICATION_FAILED,
                   envelope_decrypt(sealed,
                                    (struct envelope_bytes){key, sizeof(key)},
                                    aad, out, sizeof(out), NULL));
        free_bytes(sealed);
        free_bytes(aad);
    }
    json_object_put(doc);
}

/* What comes out of two of them is judged by reading it as an envelope. */
static void test_containers(void **state)
{
    (void)state;
    struct json_object *doc = testkit_vectors(FILE_PATH);
    const char *tenant = vector_text(doc, "tenant_id");
    struct json_object *rows =
        group_of(vector_field(doc, "decrypted_container"), "vectors", 6);
    uint8_t key[ENVELOPE_KEY_SIZE];
    size_t judged = 0;

    derive(doc, "master_key_hex", tenant, key);
    check_messages(rows, tenant, key);
    for (size_t i = 0; i < 6; i++) {
        struct json_object *row = json_object_array_get_idx(rows, i);
        struct envelope_bytes plain = bytes_of(row, "plaintext_hex");
        const char *name = vector_text(row, "name");
        bool sound = strcmp(name, "container_envelope_to_plain_reader") == 0;

        if (sound || strcmp(name, "container_plain_to_envelope_reader") == 0) {
            CHECK_BOOL(sound, envelope_validate(plain.data, plain.size, NULL));
            judged++;
        }
        free_bytes(plain);
    }
    CHECK_SIZE(2, judged);
    json_object_put(doc);
}

static void test_master_key_input(void **state)
{
    (void)state;
    struct json_object *doc = testkit_vectors(FILE_PATH);
    struct json_object *part = vector_field(doc, "master_key_input");
    struct json_object *good = group_of(part, "accept_vectors", 2);
    struct json_object *bad = group_of(part, "reject_vectors", 11);
    struct json_object *raw = group_of(part, "raw_reject_vectors", 5);
    const char *tenant = vector_text(part, "tenant_id");
    uint8_t key[ENVELOPE_KEY_SIZE];

    for (size_t i = 0; i < 2; i++) {
        struct json_object *row = json_object_array_get_idx(good, i);
        derive(row, "master_key_hex", tenant, key);
        check_fingerprint(row, key);
        check_message(row, tenant, key);
    }
    for (size_t i = 0; i < 11; i++)
        CHECK_KIND(
            ENVELOPE_INVALID_MASTER_KEY,
            envelope_master_key_from_hex(
                text_bytes(vector_text(json_object_array_get_idx(bad, i),
                                       "master_key_hex")),
                key, NULL));
    for (size_t i = 0; i < 5; i++) {
        struct envelope_bytes b =
            bytes_of(json_object_array_get_idx(raw, i), "raw_key_hex");
        CHECK_KIND(ENVELOPE_INVALID_MASTER_KEY,
                   envelope_master_key_from_bytes(b, key, NULL));
        free_bytes(b);
    }
    json_object_put(doc);
}

static struct envelope_bytes entry_master(struct json_object *entries,
                                          size_t i)
{
    return bytes_of(json_object_array_get_idx(entries, i), "master_key_hex");
}

/* k2 is current, k1 only decrypts. */
static void check_ring_message(struct json_object *row, const char *tenant,
                               struct envelope_bytes k1,
                               struct envelope_bytes k2)
{
    bool by_k1 = strcmp(vector_text(row, "encrypted_with"), "k1") == 0;
    struct envelope_bytes aad = row_aad(row, tenant);
    struct envelope_bytes plain = bytes_of(row, "plaintext_hex");
    struct envelope_bytes sealed = bytes_of(row, "ciphertext_hex");
    struct envelope_keyring *both = NULL, *alone[2] = {NULL, NULL};
    uint8_t out[256];
    size_t index = 99;

    CHECK_KIND(ENVELOPE_OK,
               envelope_keyring_new(k2, &k1, 1, NULL, &both, NULL));
    CHECK_KIND(ENVELOPE_OK,
               envelope_keyring_new(k1, NULL, 0, NULL, &alone[0], NULL));
    CHECK_KIND(ENVELOPE_OK,
               envelope_keyring_new(k2, NULL, 0, NULL, &alone[1], NULL));
    CHECK_KIND(ENVELOPE_OK,
               envelope_keyring_decrypt(both, text_bytes(tenant), sealed, aad,
                                        out, sizeof(out), &index, NULL));
    CHECK_SIZE(by_k1 ? 1 : 0, index);
    CHECK_BYTES(plain.data, plain.size, out, plain.size);
    for (int i = 0; i < 2; i++)
        CHECK_KIND(
            (i == 0) == by_k1 ? ENVELOPE_OK : ENVELOPE_AUTHENTICATION_FAILED,
            envelope_keyring_decrypt(alone[i], text_bytes(tenant), sealed, aad,
                                     out, sizeof(out), NULL, NULL));
    envelope_keyring_free(both);
    envelope_keyring_free(alone[0]);
    envelope_keyring_free(alone[1]);
    free_bytes(sealed);
    free_bytes(plain);
    free_bytes(aad);
}

static void test_keyring(void **state)
{
    (void)state;
    struct json_object *doc = testkit_vectors(FILE_PATH);
    struct json_object *part = vector_field(doc, "keyring");
    struct json_object *entries = group_of(part, "entries", 2);
    struct json_object *rows = group_of(part, "vectors", 2);
    const char *tenant = vector_text(part, "tenant_id");
    struct envelope_bytes k1 = entry_master(entries, 0);
    struct envelope_bytes k2 = entry_master(entries, 1);
    uint8_t prints[2][ENVELOPE_FINGERPRINT_SIZE];
    struct envelope_keyring *both = NULL;

    CHECK_KIND(ENVELOPE_OK,
               envelope_keyring_new(k1, &k2, 1, NULL, &both, NULL));
    CHECK_KIND(ENVELOPE_OK, envelope_keyring_fingerprints(
                                both, text_bytes(tenant), prints, NULL));
    for (size_t i = 0; i < 2; i++) {
        struct envelope_bytes want =
            bytes_of(json_object_array_get_idx(entries, i),
                     "derived_key_fingerprint_hex");
        CHECK_BYTES(want.data, want.size, prints[i], sizeof(prints[i]));
        free_bytes(want);
        check_ring_message(json_object_array_get_idx(rows, i), tenant, k1, k2);
    }
    envelope_keyring_free(both);
    free_bytes(k1);
    free_bytes(k2);
    json_object_put(doc);
}

static void check_configuration(struct json_object *row)
{
    struct json_object *list =
        vector_field(row, "decrypt_only_master_keys_hex");
    const size_t count = json_object_array_length(list);
    uint8_t current[32], others[8][32];
    struct envelope_bytes bytes[8];
    struct envelope_keyring *ring = NULL;
    enum envelope_kind kind;

    hex_decode(vector_text(row, "current_master_key_hex"), current,
               sizeof(current));
    assert_true(count <= ARRAY_COUNT(bytes));
    for (size_t i = 0; i < count; i++)
        bytes[i] = from_hex(
            json_object_get_string(json_object_array_get_idx(list, i)),
            others[i], sizeof(others[i]));
    kind =
        envelope_keyring_new((struct envelope_bytes){current, sizeof(current)},
                             bytes, count, NULL, &ring, NULL);
    if (strcmp(vector_text(row, "verdict"), "accept") == 0)
        CHECK_KIND(ENVELOPE_OK, kind);
    else
        CHECK_KIND(count > 3 ? ENVELOPE_KEYRING_CAP_EXCEEDED
                             : ENVELOPE_CURRENT_KEY_IN_DECRYPT_ONLY_LIST,
                   kind);
    envelope_keyring_free(ring);
}

static void test_keyring_configurations(void **state)
{
    (void)state;
    struct json_object *doc = testkit_vectors(FILE_PATH);
    struct json_object *rows =
        group_of(vector_field(vector_field(doc, "keyring"), "configuration"),
                 "vectors", 4);

    for (size_t i = 0; i < 4; i++)
        check_configuration(json_object_array_get_idx(rows, i));
    json_object_put(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_default_tenant),
        cmocka_unit_test(test_other_associated_data),
        cmocka_unit_test(test_containers),
        cmocka_unit_test(test_master_key_input),
        cmocka_unit_test(test_keyring),
        cmocka_unit_test(test_keyring_configurations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
