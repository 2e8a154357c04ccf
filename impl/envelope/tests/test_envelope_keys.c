/* SPDX-License-Identifier: MIT */
/* Keys: known derivations, their limits and their order, associated data, and
 * master keys as people hand them in. */
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include "envelope/tests/envelope_crypt_samples.h"

/* A master key of one byte repeated, or a text. */
static struct envelope_bytes master_of(const char *text, uint8_t room[32])
{
    if (strlen(text) != 1)
        return text_bytes(text);
    memset(room, text[0], 32);
    return (struct envelope_bytes){room, 32};
}

static void test_known_keys(void **state)
{
    (void)state;
    static const struct {
        const char *master, *domain, *tenant, *key, *print;
    } rows[] = {
        {"\x42", "encryption", "tenant-123",
         "00e4a5f52d101eb99a4fe924a215e2b12524f73c4fa17eff40e243da39ca3e42",
         "8d08521488d68a3c319fc13ba2fe9daa"},
        {"\x11", "encryption", "tenant-123",
         "6e96b4a28b5bfd681adb2e94d67cd8f58dc86b1e31763bead3e15e074f223bd8",
         "32a84f793e7aa871d6cd521011eb0d59"},
        {"\x11", "authentication", "tenant-123",
         "5ac274d801508376c5e257695f57c2358e5c067f9ef198dea554694298c2490b",
         "8eabbba20f8fb242e30db2b5adcc4616"},
        {"\x11", "cache_keys", "tenant-123",
         "2bee49886121ea0f07d48e29dc267d7cd7054070a57266dd1d1ea4a697f2ef90",
         "2526490fdb23ab8b51954a30cf176669"},
        {"\x22", "encryption", "tenant-123",
         "5ff80d507f832aeac87ad43969b01776201b4ef183af70d27ae0d29035c8ac7b",
         "c59062368101e8406d531fb1232e89d7"},
        {"\x61", "encryption", "cross-sdk-test",
         "cf7fc0bcba58980ed702558db1c2efa3fa01c930636f2321515cccf66f656440",
         "96179a9bc881aa7ca83f04b78a66afd3"},
        {"test_master_key_32_bytes_long!!!", "cache", "tenant-123",
         "a8ad8ff4b3e19c52842cee7cd9e9d0a22f75a3dd6dbc34c981a3a7989013d980",
         "456395e30f640dd17b0f6b707a5779cc"},
        {"test_master_key_32_bytes_long!!!", "foo", "bar",
         "cf334c89b09f885f47909d805bcf053522ba39a87c56840e1e0c8f507c81c3a1",
         "0bb458bd96cabfbdbf2dbd71eee06a54"},
        {"test_master_key_32_bytes_long!!!", "foob", "ar",
         "5bb4a6729b1c3a5ae2f07480cfe9ecaab12b820186fcccfac4bea0fd292bf8fe",
         "9a562758942b4089b888858c2281b1a8"},
        {"0123456789abcdef", "encryption", "t",
         "28773cb804c3a6404013ac9a884e18f8b98040f423a4107f9a2e037d2424c4a8",
         "934db318dc8fec6077e9d1ccc62e70a4"},
    };
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        uint8_t room[32], want[32], key[ENVELOPE_KEY_SIZE];
        uint8_t print[ENVELOPE_FINGERPRINT_SIZE];

        CHECK_KIND(ENVELOPE_OK, envelope_derive_domain_key(
                                    master_of(rows[i].master, room),
                                    text_bytes(rows[i].domain),
                                    text_bytes(rows[i].tenant), key, NULL));
        hex_decode(rows[i].key, want, sizeof(want));
        CHECK_BYTES(want, sizeof(want), key, sizeof(key));
        CHECK_KIND(ENVELOPE_OK, envelope_key_fingerprint(
                                    (struct envelope_bytes){key, sizeof(key)},
                                    print, NULL));
        hex_decode(rows[i].print, want, sizeof(want));
        CHECK_BYTES(want, sizeof(print), print, sizeof(print));
    }
}

static void test_tenant_keys(void **state)
{
    (void)state;
    static const char *const domains[] = {"encryption", "authentication",
                                          "cache_keys"};
    uint8_t room[32], key[ENVELOPE_KEY_SIZE];
    const struct envelope_bytes master = master_of("\x11", room);
    const struct envelope_bytes tenant = ENVELOPE_BYTES("tenant-123");
    struct envelope_tenant_keys keys, zeros = {0};
    const uint8_t *const derived[] = {keys.encryption, keys.authentication,
                                      keys.cache_keys};

    CHECK_KIND(ENVELOPE_OK,
               envelope_derive_tenant_keys(master, tenant, &keys, NULL));
    for (size_t i = 0; i < ARRAY_COUNT(domains); i++) {
        CHECK_KIND(ENVELOPE_OK,
                   envelope_derive_domain_key(master, text_bytes(domains[i]),
                                              tenant, key, NULL));
        CHECK_BYTES(key, sizeof(key), derived[i], ENVELOPE_KEY_SIZE);
    }
    CHECK_BYTES(tenant.data, tenant.size, keys.tenant, keys.tenant_size);
    CHECK_KIND(ENVELOPE_INVALID_SALT_LENGTH,
               envelope_derive_tenant_keys(
                   master, (struct envelope_bytes){NULL, 0}, &keys, NULL));
    assert_memory_equal(&zeros, &keys, sizeof(keys));
    CHECK_KIND(ENVELOPE_OK,
               envelope_derive_tenant_keys(master, tenant, &keys, NULL));
    envelope_tenant_keys_wipe(&keys);
    assert_memory_equal(&zeros, &keys, sizeof(keys));
}

/* Each limit at and one past, and which of two faults is named. */
static void test_limits_and_their_order(void **state)
{
    (void)state;
    static const uint8_t bytes[1100];
    static const struct {
        size_t master, domain, tenant;
        enum envelope_kind kind;
        const char *text;
    } rows[] = {
        {16, 1, 1, ENVELOPE_OK, NULL},
        {32, 255, 1024, ENVELOPE_OK, NULL},
        {1000, 10, 10, ENVELOPE_OK, NULL},
        {15, 1, 1, ENVELOPE_INVALID_MASTER_KEY_LENGTH,
         "Invalid master key length: expected at least 16 bytes, got 15"},
        {0, 0, 0, ENVELOPE_INVALID_MASTER_KEY_LENGTH,
         "Invalid master key length: expected at least 16 bytes, got 0"},
        {16, 0, 0, ENVELOPE_INVALID_DOMAIN,
         "Invalid domain string: Domain cannot be empty"},
        {16, 256, 0, ENVELOPE_DOMAIN_TOO_LONG,
         "Domain exceeds maximum length"},
        {16, 255, 0, ENVELOPE_INVALID_SALT_LENGTH,
         "Invalid salt length: expected at least 1 byte, got 0"},
        {16, 255, 1025, ENVELOPE_TENANT_SALT_TOO_LONG,
         "Tenant salt exceeds maximum length"},
    };
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        uint8_t key[ENVELOPE_KEY_SIZE];
        struct envelope_error error;

        memset(key, 0xee, sizeof(key));
        CHECK_KIND(rows[i].kind,
                   envelope_derive_domain_key(
                       (struct envelope_bytes){bytes, rows[i].master},
                       (struct envelope_bytes){bytes, rows[i].domain},
                       (struct envelope_bytes){bytes, rows[i].tenant}, key,
                       &error));
        if (rows[i].text == NULL)
            continue;
        check_error(rows[i].text, &error);
        for (size_t k = 0; k < sizeof(key); k++)
            CHECK_U64(0xee, key[k]);
    }
}

/* libcrypto's own HKDF, with the salt put together by hand. */
static void derive_by_library(struct envelope_bytes master,
                              struct envelope_bytes domain,
                              struct envelope_bytes tenant, uint8_t out[32])
{
    EVP_KDF *kdf = EVP_KDF_fetch(NULL, "HKDF", NULL);
    EVP_KDF_CTX *context = EVP_KDF_CTX_new(kdf);
    uint8_t salt[2048];
    struct sink s = sink_init(salt, sizeof(salt));
    char digest[] = "SHA256";

    CHECK_STATUS(ST_OK, sink_put(&s, "cachekit_v1_", 12));
    CHECK_STATUS(ST_OK, sink_put_u8(&s, (uint8_t)domain.size));
    CHECK_STATUS(ST_OK, sink_put(&s, domain.data, domain.size));
    CHECK_STATUS(ST_OK, sink_put_be16(&s, (uint16_t)tenant.size));
    CHECK_STATUS(ST_OK, sink_put(&s, tenant.data, tenant.size));
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_octet_string(
            OSSL_KDF_PARAM_KEY, (void *)(uintptr_t)master.data, master.size),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, salt, s.at),
        OSSL_PARAM_construct_octet_string(
            OSSL_KDF_PARAM_INFO, (void *)(uintptr_t)domain.data, domain.size),
        OSSL_PARAM_construct_end(),
    };
    assert_non_null(context);
    CHECK_I64(1, EVP_KDF_derive(context, out, 32, parameters));
    EVP_KDF_CTX_free(context);
    EVP_KDF_free(kdf);
}

/* Salts below, at and above a block of the hash; masters too. */
static void test_derivation_against_the_library(void **state)
{
    (void)state;
    uint8_t bytes[2048];
    uint64_t rng = 9;

    fill_stream(bytes, sizeof(bytes));
    for (int i = 0; i < 400; i++) {
        const struct envelope_bytes master = {bytes,
                                              16 + prng_below(&rng, 120)};
        const struct envelope_bytes domain = {bytes + 7,
                                              1 + prng_below(&rng, 255)};
        const struct envelope_bytes tenant = {
            bytes + 300, 1 + prng_below(&rng, i % 2 ? 1024 : 40)};
        uint8_t want[32], key[32];

        derive_by_library(master, domain, tenant, want);
        CHECK_KIND(ENVELOPE_OK, envelope_derive_domain_key(master, domain,
                                                           tenant, key, NULL));
        CHECK_BYTES(want, sizeof(want), key, sizeof(key));
    }
}

/* ---- associated data --------------------------------------------------- */

static void check_aad(const struct envelope_aad *aad, const char *hex)
{
    uint8_t want[256], room[256];
    size_t size = hex_decode(hex, want, sizeof(want));
    struct sink s = sink_init(room, sizeof(room));

    CHECK_STATUS(ST_OK, envelope_aad_put(aad, &s));
    CHECK_BYTES(want, size, room, s.at);
    for (size_t cut = 0; cut < size; cut++) {
        s = sink_init(room, cut);
        CHECK_STATUS(ST_NO_SPACE, envelope_aad_put(aad, &s));
    }
}

static void test_associated_data(void **state)
{
    (void)state;
    struct envelope_aad aad = {.tenant = ENVELOPE_BYTES("t1"),
                               .cache_key = ENVELOPE_BYTES("k"),
                               .format = ENVELOPE_BYTES("msgpack")};

    check_aad(&aad, "03 00000002 7431 00000001 6b 00000007 6d73677061636b"
                    "00000005 46616c7365");
    aad.compressed = true;
    check_aad(&aad, "03 00000002 7431 00000001 6b 00000007 6d73677061636b"
                    "00000004 54727565");
    aad.has_original_type = true; /* an empty one is a component too */
    check_aad(&aad, "03 00000002 7431 00000001 6b 00000007 6d73677061636b"
                    "00000004 54727565 00000000");
    aad.original_type = ENVELOPE_BYTES("numpy");
    aad.cache_key = ENVELOPE_BYTES("");
    check_aad(&aad, "03 00000002 7431 00000000 00000007 6d73677061636b"
                    "00000004 54727565 00000005 6e756d7079");
}

static void test_a_component_has_a_limit(void **state)
{
    (void)state;
    static const uint8_t byte;
    uint8_t room[64];
    struct sink s = sink_init(room, sizeof(room));
    const struct envelope_aad aad = {
        .tenant = {&byte, (size_t)UINT32_MAX + 1}};

    CHECK_STATUS(ST_LIMIT, envelope_aad_put(&aad, &s));
}

/* ---- master keys ------------------------------------------------------- */

#define DIGITS                                                                \
    "007f80ffa55ac33c1ee12dd24bb469968778f00f01102332455467768998abba"

static void test_master_keys_as_text(void **state)
{
    (void)state;
    static const char *const good[] = {
        DIGITS, "007F80FFA55AC33C1EE12DD24BB469968778F00F01102332455467768998"
                "ABBA"};
    static const char *const bad[] = {
        "",
        DIGITS "0",
        DIGITS "00",
        DIGITS "\n",
        " " DIGITS,
        "7f80ffa55ac33c1ee12dd24bb469968778f00f01102332455467768998abba",
        "007f80ffa55ac33c1ee12dd24bb469968778f00f01102332455467768998abbg",
        "+07f80ffa55ac33c1ee12dd24bb469968778f00f01102332455467768998abba",
        "0x7f80ffa55ac33c1ee12dd24bb469968778f00f01102332455467768998abba",
        "00 7f 80ffa55ac33c1ee12dd24bb469968778f00f01102332455467768998ab",
        "007f80ffa55ac33c1ee12dd24bb469968778f00f01102332455467768998ab\r\n",
        "007f80ffa55ac33c1ee12dd24bb469968778f00f01102332455467768998ab/:",
        "007f80ffa55ac33c1ee12dd24bb469968778f00f01102332455467768998ab@`",
    };
    uint8_t want[32], key[32];

    hex_decode(DIGITS, want, sizeof(want));
    for (size_t i = 0; i < ARRAY_COUNT(good); i++) {
        CHECK_KIND(ENVELOPE_OK, envelope_master_key_from_hex(
                                    text_bytes(good[i]), key, NULL));
        CHECK_BYTES(want, sizeof(want), key, sizeof(key));
    }
    memset(key, 0xee, sizeof(key));
    for (size_t i = 0; i < ARRAY_COUNT(bad); i++) {
        struct envelope_error error;
        CHECK_KIND(
            ENVELOPE_INVALID_MASTER_KEY,
            envelope_master_key_from_hex(text_bytes(bad[i]), key, &error));
        check_error("Invalid master key: expected 32 bytes or 64 hex digits",
                    &error);
        CHECK_U64(0xee, key[0]);
    }
}

static void test_master_keys_as_bytes(void **state)
{
    (void)state;
    uint8_t bytes[64], key[32];

    fill_stream(bytes, sizeof(bytes));
    for (size_t size = 0; size <= sizeof(bytes); size++)
        CHECK_KIND(size == 32 ? ENVELOPE_OK : ENVELOPE_INVALID_MASTER_KEY,
                   envelope_master_key_from_bytes(
                       (struct envelope_bytes){bytes, size}, key, NULL));
    CHECK_BYTES(bytes, 32, key, 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_keys),
        cmocka_unit_test(test_tenant_keys),
        cmocka_unit_test(test_limits_and_their_order),
        cmocka_unit_test(test_derivation_against_the_library),
        cmocka_unit_test(test_associated_data),
        cmocka_unit_test(test_a_component_has_a_limit),
        cmocka_unit_test(test_master_keys_as_text),
        cmocka_unit_test(test_master_keys_as_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
