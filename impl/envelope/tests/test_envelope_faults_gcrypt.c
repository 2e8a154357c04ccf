/* SPDX-License-Identifier: MIT */
/* Each call of libgcrypt failing in turn, before or after it did its work:
 * nothing leaks, and no plaintext is left.  Its caller is compiled here a
 * second time. */
#include <gcrypt.h>

#include "envelope/tests/envelope_faults.h"

#define BROKEN GPG_ERR_GENERAL
#define gcry_cipher_open(...)                                                 \
    FAULT(GPG_ERR_ENOMEM, gcry_cipher_open(__VA_ARGS__))
#define gcry_cipher_setkey(...)                                               \
    FAULT_AFTER(BROKEN, gcry_cipher_setkey(__VA_ARGS__))
#define gcry_cipher_setiv(...) FAULT(BROKEN, gcry_cipher_setiv(__VA_ARGS__))
#undef gcry_cipher_authenticate
#define gcry_cipher_authenticate(...)                                         \
    FAULT(BROKEN, gcry_cipher_authenticate(__VA_ARGS__))
#define gcry_cipher_encrypt(...)                                              \
    FAULT_AFTER(BROKEN, gcry_cipher_encrypt(__VA_ARGS__))
#define gcry_cipher_decrypt(...)                                              \
    FAULT_AFTER(BROKEN, gcry_cipher_decrypt(__VA_ARGS__))
#define gcry_cipher_gettag(...) FAULT(BROKEN, gcry_cipher_gettag(__VA_ARGS__))
#define gcry_cipher_checktag(...)                                             \
    FAULT(BROKEN, gcry_cipher_checktag(__VA_ARGS__))

#include "envelope/envelope_aead_gcrypt.c" // NOLINT(bugprone-suspicious-include)

#include "envelope/tests/envelope_crypt_samples.h"

#define TEXT ENVELOPE_BYTES("a text that must not be left behind")
#define AAD  ENVELOPE_BYTES("about it")

static const uint8_t key_bytes[32] = {9, 8, 7};
static const struct envelope_bytes key = {key_bytes, 32};
static struct envelope_encryptor encryptor;

static void check_no_text(const uint8_t *out, size_t size)
{
    for (size_t i = 0; i < size; i++)
        CHECK_U64(0, out[i]);
}

static void encrypt_once(void)
{
    uint8_t out[128] = {0};

    envelope_crypt_forget(); /* so that each time an object is made */
    enum envelope_kind kind =
        envelope_encrypt(&encryptor, TEXT, key, AAD, out, sizeof(out), NULL);
    if (!fault_happened()) {
        CHECK_KIND(ENVELOPE_OK, kind);
        return;
    }
    assert_true(kind == ENVELOPE_ENCRYPTION_FAILED ||
                kind == ENVELOPE_OUT_OF_MEMORY);
    check_no_text(out, sizeof(out));
}

static void decrypt_once(const uint8_t *sealed)
{
    const struct envelope_bytes c = {sealed, TEXT.size + ENVELOPE_SEAL_EXTRA};
    uint8_t out[128] = {0};

    envelope_crypt_forget();
    enum envelope_kind kind =
        envelope_decrypt(c, key, AAD, out, sizeof(out), NULL);
    if (!fault_happened()) {
        CHECK_KIND(ENVELOPE_OK, kind);
        return;
    }
    assert_true(kind == ENVELOPE_DECRYPTION_FAILED ||
                kind == ENVELOPE_OUT_OF_MEMORY);
    check_no_text(out, sizeof(out));
}

static void use_ready_key(const uint8_t *sealed)
{
    const struct envelope_bytes c = {sealed, TEXT.size + ENVELOPE_SEAL_EXTRA};
    struct alloc_probe probe = {0};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct envelope_key *ready = NULL;
    uint8_t out[128] = {0}, back[128] = {0};
    enum envelope_kind kind = envelope_key_new(key, &alloc, &ready, NULL);

    if (kind == ENVELOPE_OK) {
        kind = envelope_seal(&encryptor, ready, TEXT, AAD, out, sizeof(out),
                             NULL);
        if (kind != ENVELOPE_OK)
            check_no_text(out, sizeof(out));
    }
    if (kind == ENVELOPE_OK) {
        kind = envelope_open(ready, c, AAD, back, sizeof(back), NULL);
        if (kind != ENVELOPE_OK)
            check_no_text(back, sizeof(back));
    }
    CHECK_BOOL(fault_happened(), kind != ENVELOPE_OK);
    envelope_key_free(ready);
    CHECK_SIZE(0, probe.live_count);
}

/* Of a failed tag nothing but that is known; any other answer of the library
 * is a failure of its own. */
static void test_a_failing_cipher(void **state)
{
    (void)state;
    uint8_t sealed[128];

    CHECK_KIND(ENVELOPE_OK, envelope_encryptor_init(&encryptor, NULL));
    CHECK_KIND(ENVELOPE_OK, envelope_encrypt(&encryptor, TEXT, key, AAD,
                                             sealed, sizeof(sealed), NULL));
    if (envelope_aead() != &envelope_aead_gcrypt)
        skip();
    FOR_EACH_FAULT(encrypt_once());
    CHECK_SIZE(6, fault_calls);
    FOR_EACH_FAULT(decrypt_once(sealed));
    CHECK_SIZE(6, fault_calls);
    FOR_EACH_FAULT(use_ready_key(sealed));
    CHECK_SIZE(10, fault_calls);
}

/* A keyring does not go on to the next key when the library fails. */
static void test_a_failure_is_no_wrong_key(void **state)
{
    (void)state;
    static const uint8_t other[32] = {1};
    const struct envelope_bytes second = {other, 32};
    struct envelope_keyring *ring = NULL;
    uint8_t sealed[128], out[128];
    struct envelope_error error;

    CHECK_KIND(ENVELOPE_OK, envelope_encrypt(&encryptor, TEXT, key, AAD,
                                             sealed, sizeof(sealed), NULL));
    CHECK_KIND(ENVELOPE_OK,
               envelope_keyring_new(key, &second, 1, NULL, &ring, NULL));
    if (envelope_aead() != &envelope_aead_gcrypt)
        skip();
    fault_calls = 0;
    fault_at = 2; /* setiv, after setkey */
    CHECK_KIND(
        ENVELOPE_DECRYPTION_FAILED,
        envelope_keyring_decrypt(
            ring, ENVELOPE_BYTES("t"),
            (struct envelope_bytes){sealed, TEXT.size + ENVELOPE_SEAL_EXTRA},
            AAD, out, sizeof(out), NULL, &error));
    fault_at = 0;
    check_error("Decryption failed: cipher library error 1", &error);
    envelope_keyring_free(ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_failing_cipher),
        cmocka_unit_test(test_a_failure_is_no_wrong_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
