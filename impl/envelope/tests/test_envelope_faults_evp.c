/* SPDX-License-Identifier: MIT */
/* The stand-in library: each call of libcrypto failing in turn, and messages
 * in many pieces.  Its caller is compiled here a second time, with pieces of
 * 48 bytes. */
#include <openssl/err.h>
#include <openssl/evp.h>

#include "envelope/tests/envelope_faults.h"

#define EVP_CIPHER_CTX_new()     FAULT(NULL, EVP_CIPHER_CTX_new())
#define EVP_CipherInit_ex(...)   FAULT(0, EVP_CipherInit_ex(__VA_ARGS__))
#define EVP_CipherUpdate(...)    FAULT(0, EVP_CipherUpdate(__VA_ARGS__))
#define EVP_CipherFinal_ex(...)  FAULT_AFTER(0, EVP_CipherFinal_ex(__VA_ARGS__))
#define EVP_CIPHER_CTX_ctrl(...) FAULT(0, EVP_CIPHER_CTX_ctrl(__VA_ARGS__))
#define PIECE_MAX                ((size_t)48)

#include "envelope/envelope_aead_evp.c" // NOLINT(bugprone-suspicious-include)

#include "envelope/tests/envelope_crypt_samples.h"

static uint8_t bytes[2048];
static uint8_t sealed[1024], tag[ENVELOPE_TAG_SIZE];

static bool seal_once(size_t text_size, size_t aad_size)
{
    const struct aead_message m = {.nonce = bytes,
                                   .aad = {bytes + 100, aad_size},
                                   .text = bytes + 1000,
                                   .text_size = text_size,
                                   .out = sealed};
    void *cipher = envelope_aead_evp.open();
    bool ok;

    if (cipher == NULL)
        return false;
    ok = envelope_aead_evp.key(cipher, bytes + 12) == 0 &&
         envelope_aead_evp.seal(cipher, &m, tag) == 0;
    envelope_aead_evp.close(cipher);
    return ok;
}

static bool check_once(size_t text_size, size_t aad_size, bool *valid)
{
    uint8_t out[1024];
    const struct aead_message m = {.nonce = bytes,
                                   .aad = {bytes + 100, aad_size},
                                   .text = sealed,
                                   .text_size = text_size,
                                   .out = out};
    void *cipher = envelope_aead_evp.open();
    bool ok;

    *valid = false;
    if (cipher == NULL)
        return false;
    ok = envelope_aead_evp.key(cipher, bytes + 12) == 0 &&
         envelope_aead_evp.check(cipher, &m, tag, valid) == 0;
    envelope_aead_evp.close(cipher);
    if (*valid)
        CHECK_BYTES(bytes + 1000, text_size, out, text_size);
    return ok;
}

static int setup_bytes(void **state)
{
    (void)state;
    fill_stream(bytes, sizeof(bytes));
    return 0;
}

static void test_pieces(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 47, 48, 49, 95, 96, 97, 480, 1000};

    assert_true(envelope_aead() != NULL);
    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++)
        for (size_t k = 0; k < ARRAY_COUNT(sizes) - 1; k++) {
            uint8_t want[1024], want_tag[ENVELOPE_TAG_SIZE];
            const struct aead_message m = {.nonce = bytes,
                                           .aad = {bytes + 100, sizes[k]},
                                           .text = bytes + 1000,
                                           .text_size = sizes[i],
                                           .out = want};
            void *cipher = envelope_aead_gcrypt.open();
            bool valid;

            assert_non_null(cipher);
            CHECK_U64(0, envelope_aead_gcrypt.key(cipher, bytes + 12));
            CHECK_U64(0, envelope_aead_gcrypt.seal(cipher, &m, want_tag));
            envelope_aead_gcrypt.close(cipher);
            CHECK_BOOL(true, seal_once(sizes[i], sizes[k]));
            CHECK_BYTES(want, sizes[i], sealed, sizes[i]);
            CHECK_BYTES(want_tag, sizeof(tag), tag, sizeof(tag));
            CHECK_BOOL(true, check_once(sizes[i], sizes[k], &valid));
            CHECK_BOOL(true, valid);
        }
}

static void test_every_call_failing_in_turn(void **state)
{
    (void)state;
    bool valid;

    FOR_EACH_FAULT({
        bool ok = seal_once(100, 60);
        CHECK_BOOL(!fault_happened(), ok);
    });
    CHECK_BOOL(true, seal_once(100, 60));
    FOR_EACH_FAULT({
        bool ok = check_once(100, 60, &valid);
        /* A failed end of the message is a tag that is not right. */
        CHECK_BOOL(!fault_happened(), ok && valid);
    });
    tag[0] ^= 1;
    CHECK_BOOL(true, check_once(100, 60, &valid));
    CHECK_BOOL(false, valid);
    CHECK_U64(0, ERR_peek_error());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_every_call_failing_in_turn),
    };
    return cmocka_run_group_tests(tests, setup_bytes, NULL);
}
