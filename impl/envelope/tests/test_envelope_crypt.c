/* SPDX-License-Identifier: MIT */
/* Messages: known values, both ways to hand in a key, both libraries against
 * each other, and every way to be refused. */
#include "envelope/envelope_aead.h"
#include "envelope/tests/envelope_crypt_samples.h"

#include <sys/mman.h>

static void test_known_message(void **state)
{
    (void)state;
    uint8_t k[32], a[64], c[64], out[64];
    const struct envelope_bytes key = from_hex(SAMPLE_KEY, k, sizeof(k));
    const struct envelope_bytes aad = from_hex(SAMPLE_AAD, a, sizeof(a));
    const struct envelope_bytes sealed = from_hex(SAMPLE_SEALED, c, sizeof(c));
    const struct envelope_bytes text = ENVELOPE_BYTES("cached value");
    struct envelope_encryptor e;
    struct envelope_key *ready = NULL;

    CHECK_SIZE(34, aad.size);
    encryptor_at(&e, 1, 0);
    CHECK_KIND(ENVELOPE_OK,
               envelope_encrypt(&e, text, key, aad, out, sizeof(out), NULL));
    CHECK_BYTES(sealed.data, sealed.size, out,
                text.size + ENVELOPE_SEAL_EXTRA);
    CHECK_U64(1, envelope_encryptor_nonce_counter(&e));
    CHECK_U64(1, envelope_encryptor_instance_id(&e));
    CHECK_KIND(ENVELOPE_OK,
               envelope_decrypt(sealed, key, aad, out, text.size, NULL));
    CHECK_BYTES(text.data, text.size, out, text.size);

    CHECK_KIND(ENVELOPE_OK, envelope_key_new(key, NULL, &ready, NULL));
    e.counter = 0;
    CHECK_KIND(ENVELOPE_OK,
               envelope_seal(&e, ready, text, aad, out, sizeof(out), NULL));
    CHECK_BYTES(sealed.data, sealed.size, out,
                text.size + ENVELOPE_SEAL_EXTRA);
    memset(out, 0, sizeof(out));
    CHECK_KIND(ENVELOPE_OK,
               envelope_open(ready, sealed, aad, out, text.size, NULL));
    CHECK_BYTES(text.data, text.size, out, text.size);
    envelope_key_free(ready);
}

/* Nothing under nothing is a tag. */
static void test_empty_message(void **state)
{
    (void)state;
    uint8_t k[32], out[28], want[28];
    const struct envelope_bytes key = from_hex(SAMPLE_KEY, k, sizeof(k));
    const struct envelope_bytes none = {NULL, 0};
    struct envelope_encryptor e;

    encryptor_at(&e, 1, 0);
    CHECK_KIND(ENVELOPE_OK,
               envelope_encrypt(&e, none, key, none, out, sizeof(out), NULL));
    hex_decode("000000000000000100000000 13a5d22074784e397e42f47008a80378",
               want, sizeof(want));
    CHECK_BYTES(want, sizeof(want), out, sizeof(out));
    CHECK_KIND(ENVELOPE_OK,
               envelope_decrypt((struct envelope_bytes){out, sizeof(out)}, key,
                                none, NULL, 0, NULL));
}

static void test_key_length(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 16, 24, 31, 33, 64};
    static const uint8_t bytes[64];
    const struct envelope_bytes none = {NULL, 0};
    struct envelope_encryptor e;
    struct envelope_key *ready = NULL;
    uint8_t out[64];

    encryptor_at(&e, 1, 0);
    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++) {
        const struct envelope_bytes key = {bytes, sizes[i]};
        struct envelope_error error;
        char want[96];

        snprintf(want, sizeof(want),
                 "Invalid key length: expected 32 bytes, got %zu", sizes[i]);
        CHECK_KIND(
            ENVELOPE_INVALID_KEY_LENGTH,
            envelope_encrypt(&e, none, key, none, out, sizeof(out), &error));
        check_error(want, &error);
        /* Before the ciphertext is looked at. */
        CHECK_KIND(
            ENVELOPE_INVALID_KEY_LENGTH,
            envelope_decrypt(none, key, none, out, sizeof(out), &error));
        check_error(want, &error);
        CHECK_KIND(ENVELOPE_INVALID_KEY_LENGTH,
                   envelope_key_new(key, NULL, &ready, &error));
    }
    CHECK_U64(0, envelope_encryptor_nonce_counter(&e));
    assert_null(ready);
}

static void test_short_ciphertext(void **state)
{
    (void)state;
    static const uint8_t k[32], bytes[28];
    const struct envelope_bytes key = {k, sizeof(k)}, none = {NULL, 0};
    struct envelope_error error;
    uint8_t out[1];

    for (size_t size = 0; size < ENVELOPE_SEAL_EXTRA; size++) {
        CHECK_KIND(ENVELOPE_INVALID_CIPHERTEXT,
                   envelope_decrypt((struct envelope_bytes){bytes, size}, key,
                                    none, out, sizeof(out), &error));
        check_error("Invalid ciphertext format: Ciphertext too short", &error);
    }
    CHECK_KIND(ENVELOPE_AUTHENTICATION_FAILED,
               envelope_decrypt((struct envelope_bytes){bytes, 28}, key, none,
                                out, 0, &error));
    check_error("Authentication verification failed", &error);
}

static void test_no_space(void **state)
{
    (void)state;
    static const uint8_t k[32], bytes[128];
    const struct envelope_bytes key = {k, sizeof(k)}, none = {NULL, 0};
    struct envelope_encryptor e;
    uint8_t out[128];

    encryptor_at(&e, 1, 0);
    memset(out, 0xee, sizeof(out));
    CHECK_KIND(ENVELOPE_NO_SPACE,
               envelope_encrypt(&e, (struct envelope_bytes){bytes, 100}, key,
                                none, out, 127, NULL));
    CHECK_U64(0, envelope_encryptor_nonce_counter(&e));
    CHECK_KIND(ENVELOPE_NO_SPACE,
               envelope_decrypt((struct envelope_bytes){bytes, 128}, key, none,
                                out, 99, NULL));
    for (size_t i = 0; i < sizeof(out); i++)
        CHECK_U64(0xee, out[i]);
}

/* What one nonce can seal has a limit, found before a nonce is taken. */
static void test_too_long_a_text(void **state)
{
    (void)state;
    static const uint8_t k[32];
    const struct envelope_bytes key = {k, sizeof(k)}, none = {NULL, 0};
    struct envelope_encryptor e;
    struct envelope_error error;

    encryptor_at(&e, 1, 0);
    CHECK_KIND(ENVELOPE_ENCRYPTION_FAILED,
               envelope_encrypt(&e,
                                (struct envelope_bytes){k, AEAD_TEXT_MAX + 1},
                                key, none, NULL, SIZE_MAX, &error));
    check_error("Encryption failed: longer than one nonce may seal", &error);
    CHECK_U64(0, envelope_encryptor_nonce_counter(&e));
}

/* Each byte of a message, each bit; the aad; another key: refused, and no
 * plaintext is left. */
static void test_tampering(void **state)
{
    (void)state;
    uint8_t k[32], a[64], c[64], out[16];
    struct envelope_bytes key = from_hex(SAMPLE_KEY, k, sizeof(k));
    struct envelope_bytes aad = from_hex(SAMPLE_AAD, a, sizeof(a));
    struct envelope_bytes sealed = from_hex(SAMPLE_SEALED, c, sizeof(c));
    static const uint8_t zeros[12];
    struct {
        uint8_t *bytes;
        size_t size;
    } parts[] = {{c, sealed.size}, {a, aad.size}, {k, key.size}};

    for (size_t p = 0; p < ARRAY_COUNT(parts); p++)
        for (size_t bit = 0; bit < 8 * parts[p].size; bit++) {
            struct envelope_key *ready = NULL;

            parts[p].bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            memset(out, 0xee, sizeof(out));
            CHECK_KIND(
                ENVELOPE_AUTHENTICATION_FAILED,
                envelope_decrypt(sealed, key, aad, out, sizeof(out), NULL));
            CHECK_BYTES(zeros, 12, out, 12);
            CHECK_U64(0xee, out[12]);
            CHECK_KIND(ENVELOPE_OK, envelope_key_new(key, NULL, &ready, NULL));
            CHECK_KIND(
                ENVELOPE_AUTHENTICATION_FAILED,
                envelope_open(ready, sealed, aad, out, sizeof(out), NULL));
            CHECK_BYTES(zeros, 12, out, 12);
            envelope_key_free(ready);
            parts[p].bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
    aad.size--;
    CHECK_KIND(ENVELOPE_AUTHENTICATION_FAILED,
               envelope_decrypt(sealed, key, aad, out, sizeof(out), NULL));
}

/* ---- the libraries against each other ---------------------------------- */

struct sealed_by {
    const struct aead_library *library;
    uint8_t *out;
    uint8_t tag[ENVELOPE_TAG_SIZE];
};

static void seal_by(struct sealed_by *s, const uint8_t *key,
                    struct aead_message m)
{
    void *cipher = s->library->open();

    assert_non_null(cipher);
    m.out = s->out;
    CHECK_U64(0, s->library->key(cipher, key));
    CHECK_U64(0, s->library->seal(cipher, &m, s->tag));
    s->library->close(cipher);
}

static void check_by(const struct aead_library *library, const uint8_t *key,
                     const struct sealed_by *s, struct aead_message m,
                     uint8_t *room)
{
    const uint8_t *text = m.text;
    void *cipher = library->open();
    uint8_t tag[ENVELOPE_TAG_SIZE];
    bool valid = false;

    assert_non_null(cipher);
    CHECK_U64(0, library->key(cipher, key));
    m.text = s->out;
    m.out = room;
    CHECK_U64(0, library->check(cipher, &m, s->tag, &valid));
    CHECK_BOOL(true, valid);
    CHECK_BYTES(text, m.text_size, room, m.text_size);
    memcpy(tag, s->tag, sizeof(tag));
    tag[15] ^= 0x80;
    CHECK_U64(0, library->check(cipher, &m, tag, &valid));
    CHECK_BOOL(false, valid);
    library->close(cipher);
}

#define ORACLE_MAX 70000

static void check_libraries_agree(size_t text_size, size_t aad_size,
                                  const uint8_t *bytes)
{
    struct sealed_by a = {.library = &envelope_aead_gcrypt,
                          .out = guard_new(text_size)};
    struct sealed_by b = {.library = &envelope_aead_evp,
                          .out = guard_new(text_size)};
    uint8_t *room = guard_new(text_size);
    const struct aead_message m = {.nonce = bytes + 7,
                                   .aad = {bytes + 1, aad_size},
                                   .text = bytes + 3,
                                   .text_size = text_size};

    seal_by(&a, bytes + 19, m);
    seal_by(&b, bytes + 19, m);
    CHECK_BYTES(b.out, text_size, a.out, text_size);
    CHECK_BYTES(b.tag, sizeof(b.tag), a.tag, sizeof(a.tag));
    check_by(&envelope_aead_gcrypt, bytes + 19, &b, m, room);
    check_by(&envelope_aead_evp, bytes + 19, &a, m, room);
    guard_free(room, text_size);
    guard_free(b.out, text_size);
    guard_free(a.out, text_size);
}

static void test_libraries_agree(void **state)
{
    (void)state;
    static const size_t sizes[] = {511,  512,  513,   1023,  1024,
                                   1025, 4096, 65535, 65536, 65537};
    uint8_t *bytes = malloc(ORACLE_MAX + 64);
    assert_non_null(bytes);

    fill_stream(bytes, ORACLE_MAX + 64);
    assert_true(envelope_aead() != NULL); /* makes libgcrypt ready */
    for (size_t text = 0; text <= 200; text++)
        check_libraries_agree(text, (text * 7) % 67, bytes + text);
    for (size_t aad = 0; aad <= 130; aad++)
        check_libraries_agree(33, aad, bytes + aad);
    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++)
        check_libraries_agree(sizes[i], sizes[i] % 999, bytes);
    free(bytes);
}

/* More than an int counts, in text or in aad: both libraries, in 2 GiB. */
static void test_more_than_an_int_counts(void **state)
{
    (void)state;
    testkit_only_when_slow();
    const size_t size = ((size_t)1 << 31) + 4099;
    uint8_t k[32], *in, *out;
    const struct envelope_bytes key = from_hex(SAMPLE_KEY, k, sizeof(k));
    struct sealed_by a = {.library = &envelope_aead_gcrypt};
    struct sealed_by b = {.library = &envelope_aead_evp};

    /* Zeros that take no memory until written. */
    in = mmap(NULL, size, PROT_READ,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    out = malloc(size);
    if (in == MAP_FAILED || out == NULL)
        CHECK_FAIL("no memory");
    assert_true(envelope_aead() != NULL);
    a.out = b.out = out;
    struct aead_message m = {.nonce = k, .text = in, .text_size = size};
    seal_by(&a, key.data, m);
    uint64_t sum = envelope_checksum(out, size);
    memset(out, 0, size);
    seal_by(&b, key.data, m);
    CHECK_BYTES(b.tag, sizeof(b.tag), a.tag, sizeof(a.tag));
    CHECK_U64(sum, envelope_checksum(out, size));
    m = (struct aead_message){.nonce = k, .aad = {in, size}};
    seal_by(&a, key.data, m);
    seal_by(&b, key.data, m);
    CHECK_BYTES(b.tag, sizeof(b.tag), a.tag, sizeof(a.tag));
    free(out);
    munmap(in, size);
}

/* A thread's cipher is made again after it was dropped. */
static void test_forgetting(void **state)
{
    (void)state;
    uint8_t k[32], c[64], a[64], out[12];
    const struct envelope_bytes key = from_hex(SAMPLE_KEY, k, sizeof(k));
    const struct envelope_bytes aad = from_hex(SAMPLE_AAD, a, sizeof(a));
    const struct envelope_bytes sealed = from_hex(SAMPLE_SEALED, c, sizeof(c));

    for (int i = 0; i < 3; i++) {
        CHECK_KIND(ENVELOPE_OK,
                   envelope_decrypt(sealed, key, aad, out, sizeof(out), NULL));
        envelope_crypt_forget();
        envelope_crypt_forget();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_message),
        cmocka_unit_test(test_empty_message),
        cmocka_unit_test(test_key_length),
        cmocka_unit_test(test_short_ciphertext),
        cmocka_unit_test(test_no_space),
        cmocka_unit_test(test_too_long_a_text),
        cmocka_unit_test(test_tampering),
        cmocka_unit_test(test_libraries_agree),
        cmocka_unit_test(test_more_than_an_int_counts),
        cmocka_unit_test(test_forgetting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
