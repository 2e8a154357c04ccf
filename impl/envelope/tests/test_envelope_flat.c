/* SPDX-License-Identifier: MIT */
/* The flat interface: its numbers, and the order in which it finds fault.
 * Compiled here a second time, to set a handle's counter. */
#include "envelope/envelope_flat.c" // NOLINT(bugprone-suspicious-include)

#include "envelope/tests/envelope_crypt_samples.h"

#define CHECK_FLAT(expected, actual)                                          \
    CHECK_I64(ENVELOPE_FLAT_##expected, (int64_t)(actual))

static void test_numbers_of_all_kinds(void **state)
{
    (void)state;
    static const struct {
        enum envelope_kind kind;
        int number;
    } rows[] = {
        {ENVELOPE_OK, 0},
        {ENVELOPE_INPUT_TOO_LARGE, 10},
        {ENVELOPE_DECOMPRESSION_BOMB, 11},
        {ENVELOPE_CHECKSUM_MISMATCH, 2},
        {ENVELOPE_COMPRESSION_FAILED, 1},
        {ENVELOPE_DECOMPRESSION_FAILED, 3},
        {ENVELOPE_SIZE_VALIDATION_FAILED, 12},
        {ENVELOPE_SERIALIZATION_FAILED, 1},
        {ENVELOPE_DESERIALIZATION_FAILED, 1},
        {ENVELOPE_INVALID_KEY_LENGTH, 7},
        {ENVELOPE_ENCRYPTION_FAILED, 1},
        {ENVELOPE_DECRYPTION_FAILED, 4},
        {ENVELOPE_RNG_FAILURE, 13},
        {ENVELOPE_INVALID_CIPHERTEXT, 1},
        {ENVELOPE_AUTHENTICATION_FAILED, 4},
        {ENVELOPE_NONCE_COUNTER_EXHAUSTED, 6},
        {ENVELOPE_INVALID_MASTER_KEY_LENGTH, 7},
        {ENVELOPE_INVALID_DOMAIN, 1},
        {ENVELOPE_DOMAIN_TOO_LONG, 14},
        {ENVELOPE_INVALID_SALT_LENGTH, 1},
        {ENVELOPE_TENANT_SALT_TOO_LONG, 15},
        {ENVELOPE_DERIVATION_FAILED, 1},
        {ENVELOPE_KEYRING_CAP_EXCEEDED, 1},
        {ENVELOPE_CURRENT_KEY_IN_DECRYPT_ONLY_LIST, 1},
        {ENVELOPE_KEYRING_INDEX_OUT_OF_RANGE, 1},
        {ENVELOPE_INVALID_MASTER_KEY, 1},
        {ENVELOPE_NO_SPACE, 8},
        {ENVELOPE_OUT_OF_MEMORY, 1},
    };
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        const struct envelope_error plain = {.kind = rows[i].kind};
        const struct envelope_error inner = {.kind = ENVELOPE_KEY_DERIVATION,
                                             .number = {rows[i].kind}};
        CHECK_I64(rows[i].number, envelope_flat_status_of(&plain));
        CHECK_I64(rows[i].number, envelope_flat_status_of(&inner));
    }
}

static void test_bound(void **state)
{
    (void)state;
    CHECK_SIZE(136, envelope_flat_bound(0));
    CHECK_SIZE(255 + 1 + 136, envelope_flat_bound(255));
    CHECK_SIZE(SIZE_MAX, envelope_flat_bound(SIZE_MAX));
    CHECK_SIZE(SIZE_MAX, envelope_flat_bound(SIZE_MAX - 200));
    /* It is one: incompressible payloads fit it. */
    for (size_t size = 0; size < 3000; size += 97) {
        uint8_t payload[3000];
        size_t made;
        fill_stream(payload, size);
        free(store_new(payload, size, &made));
        assert_true(made <= envelope_flat_bound(size));
    }
}

static void test_store_and_retrieve(void **state)
{
    (void)state;
    struct envelope_flat *h = NULL;
    uint8_t room[256] = {0}, back[16];
    size_t size = 30, back_size = 4;

    CHECK_FLAT(OK, envelope_flat_new(&h));
    CHECK_FLAT(BUFFER_TOO_SMALL,
               envelope_flat_store(h, (const uint8_t *)"hello", 5, NULL, room,
                                   &size));
    CHECK_SIZE(31, size);
    CHECK_FLAT(OK, envelope_flat_store(h, (const uint8_t *)"hello", 5, NULL,
                                       room, &size));
    CHECK_SIZE(31, size);
    CHECK_FLAT(BUFFER_TOO_SMALL,
               envelope_flat_retrieve(h, room, size, back, &back_size));
    CHECK_SIZE(5, back_size);
    CHECK_FLAT(OK, envelope_flat_retrieve(h, room, size, back, &back_size));
    CHECK_BYTES("hello", 5, back, back_size);
    room[6] ^= 1;
    CHECK_FLAT(CHECKSUM_MISMATCH,
               envelope_flat_retrieve(h, room, size, back, &back_size));
    room[0] = 0xc1;
    CHECK_FLAT(INVALID_INPUT,
               envelope_flat_retrieve(h, room, size, back, &back_size));
    size = sizeof(room);
    CHECK_FLAT(INVALID_INPUT, envelope_flat_store(h, (const uint8_t *)"hello",
                                                  5, "\xff", room, &size));
    CHECK_FLAT(OK, envelope_flat_store(h, (const uint8_t *)"hello", 5, "raw",
                                       room, &size));
    CHECK_SIZE(27, size);
    CHECK_FLAT(OK, envelope_flat_free(h));
}

static void test_encrypt_and_decrypt(void **state)
{
    (void)state;
    struct envelope_flat *h = NULL;
    uint8_t key[32], sealed[64], back[32];
    size_t size = 40, back_size = 12;
    uint64_t counter = 9;

    CHECK_FLAT(OK, envelope_flat_new(&h));
    CHECK_FLAT(OK,
               envelope_flat_derive_key((const uint8_t *)"0123456789abcdef",
                                        16, "encryption", "t", key));
    CHECK_FLAT(BUFFER_TOO_SMALL,
               envelope_flat_encrypt(h, (const uint8_t *)"cached value!", 13,
                                     key, 32, key, 0, sealed, &size));
    CHECK_SIZE(41, size);
    CHECK_FLAT(OK, envelope_flat_encrypt(h, (const uint8_t *)"cached value!",
                                         13, key, 32, key, 0, sealed, &size));
    CHECK_FLAT(OK, envelope_flat_nonce_counter(h, &counter));
    CHECK_U64(1, counter);
    CHECK_FLAT(BUFFER_TOO_SMALL,
               envelope_flat_decrypt(h, sealed, size, key, 32, key, 0, back,
                                     &back_size));
    CHECK_SIZE(13, back_size);
    CHECK_FLAT(OK, envelope_flat_decrypt(h, sealed, size, key, 32, key, 0,
                                         back, &back_size));
    CHECK_BYTES("cached value!", 13, back, back_size);
    CHECK_FLAT(DECRYPTION_FAILED,
               envelope_flat_decrypt(h, sealed, size, key, 32, key, 1, back,
                                     &back_size));
    CHECK_FLAT(INVALID_INPUT, envelope_flat_decrypt(h, sealed, 27, key, 32,
                                                    key, 0, back, &back_size));
    CHECK_FLAT(INVALID_KEY_LENGTH,
               envelope_flat_decrypt(h, sealed, size, key, 31, key, 0, back,
                                     &back_size));
    CHECK_FLAT(OK, envelope_flat_free(h));
}

static void test_rotation_comes_before_the_key(void **state)
{
    (void)state;
    struct envelope_flat *h = NULL;
    uint8_t key[32] = {0}, out[64];
    size_t size = sizeof(out);

    CHECK_FLAT(OK, envelope_flat_new(&h));
    if (h == NULL)
        CHECK_FAIL("no handle");
    h->encryptor.counter = ENVELOPE_FLAT_ROTATION_AT - 1;
    CHECK_FLAT(INVALID_KEY_LENGTH,
               envelope_flat_encrypt(h, key, 1, key, 31, key, 0, out, &size));
    CHECK_FLAT(OK,
               envelope_flat_encrypt(h, key, 1, key, 32, key, 0, out, &size));
    CHECK_FLAT(ROTATION_NEEDED,
               envelope_flat_encrypt(h, key, 1, key, 31, key, 0, out, &size));
    CHECK_FLAT(OK, envelope_flat_free(h));
}

/* One NULL at a time, in front of a handle that is none. */
static void test_pointers_come_before_handles(void **state)
{
    (void)state;
    struct envelope_flat none = {.mark = 0};
    uint8_t b[64] = {0};
    size_t n = sizeof(b);
    uint64_t counter;

    CHECK_FLAT(NULL_POINTER, envelope_flat_new(NULL));
    CHECK_FLAT(NULL_POINTER, envelope_flat_free(NULL));
    CHECK_FLAT(INVALID_HANDLE, envelope_flat_free(&none));
    CHECK_FLAT(NULL_POINTER, envelope_flat_store(NULL, b, 1, NULL, b, &n));
    CHECK_FLAT(NULL_POINTER, envelope_flat_store(&none, NULL, 0, NULL, b, &n));
    CHECK_FLAT(NULL_POINTER, envelope_flat_store(&none, b, 1, NULL, NULL, &n));
    CHECK_FLAT(NULL_POINTER, envelope_flat_store(&none, b, 1, NULL, b, NULL));
    CHECK_FLAT(INVALID_HANDLE, envelope_flat_store(&none, b, 1, NULL, b, &n));
    CHECK_FLAT(NULL_POINTER, envelope_flat_retrieve(NULL, b, 1, b, &n));
    CHECK_FLAT(NULL_POINTER, envelope_flat_retrieve(&none, NULL, 0, b, &n));
    CHECK_FLAT(NULL_POINTER, envelope_flat_retrieve(&none, b, 1, NULL, &n));
    CHECK_FLAT(NULL_POINTER, envelope_flat_retrieve(&none, b, 1, b, NULL));
    CHECK_FLAT(INVALID_HANDLE, envelope_flat_retrieve(&none, b, 1, b, &n));
    CHECK_FLAT(NULL_POINTER, envelope_flat_nonce_counter(NULL, &counter));
    CHECK_FLAT(NULL_POINTER, envelope_flat_nonce_counter(&none, NULL));
    CHECK_FLAT(INVALID_HANDLE, envelope_flat_nonce_counter(&none, &counter));
}

typedef enum envelope_flat_status flat_message_function(
    struct envelope_flat *, const uint8_t *, size_t, const uint8_t *, size_t,
    const uint8_t *, size_t, uint8_t *, size_t *);

static void test_message_pointers_come_before_handles(void **state)
{
    (void)state;
    static flat_message_function *const both[] = {envelope_flat_encrypt,
                                                  envelope_flat_decrypt};
    struct envelope_flat none = {.mark = 0};
    uint8_t b[64] = {0};
    size_t n = sizeof(b);

    for (size_t i = 0; i < ARRAY_COUNT(both); i++) {
        CHECK_FLAT(NULL_POINTER, both[i](NULL, b, 1, b, 32, b, 0, b, &n));
        CHECK_FLAT(NULL_POINTER, both[i](&none, NULL, 0, b, 32, b, 0, b, &n));
        CHECK_FLAT(NULL_POINTER, both[i](&none, b, 1, NULL, 32, b, 0, b, &n));
        CHECK_FLAT(NULL_POINTER, both[i](&none, b, 1, b, 32, NULL, 0, b, &n));
        CHECK_FLAT(NULL_POINTER, both[i](&none, b, 1, b, 32, b, 0, NULL, &n));
        CHECK_FLAT(NULL_POINTER, both[i](&none, b, 1, b, 32, b, 0, b, NULL));
        CHECK_FLAT(INVALID_HANDLE, both[i](&none, b, 1, b, 31, b, 0, b, &n));
    }
}

static void test_derivation(void **state)
{
    (void)state;
    static const uint8_t master[16];
    char long_text[1100];
    uint8_t key[32];

    memset(long_text, 'd', sizeof(long_text) - 1);
    long_text[sizeof(long_text) - 1] = '\0';
    CHECK_FLAT(NULL_POINTER,
               envelope_flat_derive_key(NULL, 16, "d", "t", key));
    CHECK_FLAT(NULL_POINTER,
               envelope_flat_derive_key(master, 16, NULL, "t", key));
    CHECK_FLAT(NULL_POINTER,
               envelope_flat_derive_key(master, 16, "d", NULL, key));
    CHECK_FLAT(NULL_POINTER,
               envelope_flat_derive_key(master, 16, "d", "t", NULL));
    CHECK_FLAT(INVALID_KEY_LENGTH,
               envelope_flat_derive_key(master, 15, "d", "t", key));
    CHECK_FLAT(INVALID_INPUT,
               envelope_flat_derive_key(master, 16, "", "t", key));
    CHECK_FLAT(DOMAIN_TOO_LONG,
               envelope_flat_derive_key(master, 16, long_text, "t", key));
    CHECK_FLAT(INVALID_INPUT,
               envelope_flat_derive_key(master, 16, "d", "", key));
    CHECK_FLAT(SALT_TOO_LONG,
               envelope_flat_derive_key(master, 16, "d", long_text, key));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_of_all_kinds),
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_store_and_retrieve),
        cmocka_unit_test(test_encrypt_and_decrypt),
        cmocka_unit_test(test_rotation_comes_before_the_key),
        cmocka_unit_test(test_pointers_come_before_handles),
        cmocka_unit_test(test_message_pointers_come_before_handles),
        cmocka_unit_test(test_derivation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
