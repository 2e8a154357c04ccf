/* SPDX-License-Identifier: MIT */
/* The compressor, the hash, the random source and the registration for forks
 * failing in turn.  Their callers are compiled here a second time. */
#define OPENSSL_SUPPRESS_DEPRECATED
#define LZ4_STATIC_LINKING_ONLY
#include <errno.h>
#include <lz4.h>
#include <openssl/sha.h>
#include <pthread.h>
#include <sys/random.h>

#include "envelope/tests/envelope_faults.h"

static int compressed_size; /* what a failing compressor answers */
static ssize_t random_answer;
static int random_errno;

static ssize_t no_random(void)
{
    errno = random_errno;
    return random_answer;
}

#define LZ4_compress_fast_extState_fastReset(...)                             \
    FAULT(compressed_size, LZ4_compress_fast_extState_fastReset(__VA_ARGS__))
#define SHA256_Init(...)    FAULT(0, SHA256_Init(__VA_ARGS__))
#define SHA256_Update(...)  FAULT(0, SHA256_Update(__VA_ARGS__))
#define SHA256_Final(...)   FAULT_AFTER(0, SHA256_Final(__VA_ARGS__))
#define getrandom(...)      FAULT(no_random(), getrandom(__VA_ARGS__))
#define pthread_atfork(...) FAULT(ENOMEM, pthread_atfork(__VA_ARGS__))

/* NOLINTBEGIN(bugprone-suspicious-include) */
#include "envelope/envelope_kdf.c"
#include "envelope/envelope_nonce.c"
#include "envelope/envelope_write.c"
/* NOLINTEND(bugprone-suspicious-include) */

#include "envelope/tests/envelope_crypt_samples.h"

/* ---- the compressor ----------------------------------------------------- */

static void store_once(enum envelope_kind expected)
{
    struct alloc_probe probe = {0};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct envelope_storage *s = new_storage(&alloc);
    struct envelope_buffer out = {0};
    uint8_t room[256];
    size_t written = 77;
    double ratio = 77;

    FOR_EACH_FAULT({
        enum envelope_kind kind = envelope_store(s, (const uint8_t *)"hello",
                                                 5, NULL, 0, &out, NULL);
        CHECK_KIND(fault_happened() ? expected : ENVELOPE_OK, kind);
        envelope_buffer_free(&alloc, &out);
    });
    FOR_EACH_FAULT({
        enum envelope_kind kind =
            envelope_store_into(s, (const uint8_t *)"hello", 5, NULL, 0, room,
                                sizeof(room), &written, NULL);
        CHECK_KIND(fault_happened() ? expected : ENVELOPE_OK, kind);
        CHECK_SIZE(fault_happened() ? 77 : 31, written);
    });
    FOR_EACH_FAULT({
        enum envelope_kind kind = envelope_estimate_compression(
            s, (const uint8_t *)"hello", 5, &ratio, NULL);
        CHECK_KIND(fault_happened() ? expected : ENVELOPE_OK, kind);
        CHECK_BOOL(fault_happened(), ratio == 77);
    });
    envelope_storage_free(s);
    CHECK_SIZE(0, probe.live_count);
}

static void test_a_failing_compressor(void **state)
{
    (void)state;
    compressed_size = 0;
    store_once(ENVELOPE_COMPRESSION_FAILED);
    compressed_size = -1;
    store_once(ENVELOPE_COMPRESSION_FAILED);
    /* A block above its limit, without half a gigabyte. */
    compressed_size = (int)ENVELOPE_COMPRESSED_MAX + 1;
    store_once(ENVELOPE_INPUT_TOO_LARGE);
}

/* ---- the hash ------------------------------------------------------------
 */

static const uint8_t master_bytes[32] = {1, 2, 3};
static const struct envelope_bytes master = {master_bytes, 32};

static void test_a_failing_hash(void **state)
{
    (void)state;
    static const uint8_t zeros[sizeof(struct envelope_tenant_keys)];
    uint8_t tenant[100] = {7}; /* makes the salt longer than a block */
    uint8_t key[ENVELOPE_KEY_SIZE], print[ENVELOPE_FINGERPRINT_SIZE];
    struct envelope_tenant_keys keys;
    struct envelope_error error;

    FOR_EACH_FAULT({
        memset(key, 0xee, sizeof(key));
        enum envelope_kind kind = envelope_derive_domain_key(
            master, ENVELOPE_BYTES("encryption"),
            (struct envelope_bytes){tenant, sizeof(tenant)}, key, &error);
        CHECK_KIND(fault_happened() ? ENVELOPE_DERIVATION_FAILED : ENVELOPE_OK,
                   kind);
        CHECK_BOOL(fault_happened(), key[0] == 0xee && key[31] == 0xee);
    });
    check_error("Key derivation failed: HKDF expand failed", &error);
    assert_true(fault_calls >= 16);
    FOR_EACH_FAULT({
        enum envelope_kind kind = envelope_derive_tenant_keys(
            master, ENVELOPE_BYTES("t"), &keys, NULL);
        CHECK_KIND(fault_happened() ? ENVELOPE_DERIVATION_FAILED : ENVELOPE_OK,
                   kind);
        if (fault_happened())
            CHECK_BYTES(zeros, sizeof(keys), &keys, sizeof(keys));
    });
    FOR_EACH_FAULT({
        enum envelope_kind kind =
            envelope_key_fingerprint(master, print, NULL);
        CHECK_KIND(fault_happened() ? ENVELOPE_DERIVATION_FAILED : ENVELOPE_OK,
                   kind);
    });
}

/* A keyring whose derivations fail: released, whatever step it was. */
static void test_a_keyring_with_a_failing_hash(void **state)
{
    (void)state;
    uint8_t prints[1][ENVELOPE_FINGERPRINT_SIZE];

    FOR_EACH_FAULT({
        struct alloc_probe probe = {0};
        struct alloc alloc = alloc_probe_alloc(&probe);
        struct envelope_keyring *ring = NULL;
        struct envelope_tenant_keyring *bound = NULL;
        struct envelope_error error;

        CHECK_KIND(ENVELOPE_OK,
                   envelope_keyring_new(master, NULL, 0, &alloc, &ring, NULL));
        enum envelope_kind kind = envelope_keyring_fingerprints(
            ring, ENVELOPE_BYTES("t"), prints, &error);
        enum envelope_kind last = envelope_keyring_for_tenant(
            ring, ENVELOPE_BYTES("t"), &bound, &error);
        if (fault_happened()) {
            assert_true(kind == ENVELOPE_KEY_DERIVATION ||
                        last == ENVELOPE_KEY_DERIVATION);
            check_error("Key derivation failed: Key derivation failed: HKDF "
                        "expand failed",
                        &error);
        } else {
            CHECK_KIND(ENVELOPE_OK, last);
        }
        envelope_tenant_keyring_free(bound);
        CHECK_SIZE(0, probe.live_count);
    });
}

/* ---- the random source ---------------------------------------------------
 */

static enum envelope_kind init_afresh(struct envelope_encryptor *e)
{
    process.started = false;
    process.hears_of_forks = false;
    return envelope_encryptor_init(e, NULL);
}

static void test_a_failing_random_source(void **state)
{
    (void)state;
    static const struct {
        ssize_t answer;
        int number;
    } rows[] = {{-1, ENOSYS}, {-1, EAGAIN}, {0, 0}, {7, 0}};
    struct envelope_encryptor e = {.instance_id = 77};
    struct envelope_error error;

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        random_answer = rows[i].answer;
        random_errno = rows[i].number;
        /* Registration first, then the source; then it works again. */
        fault_at = 2;
        fault_calls = 0;
        CHECK_KIND(ENVELOPE_RNG_FAILURE, init_afresh(&e));
        CHECK_U64(77, e.instance_id);
        fault_at = 0;
        CHECK_KIND(ENVELOPE_OK, envelope_encryptor_init(&e, &error));
        e.instance_id = 77;
    }
    fault_at = 1;
    fault_calls = 0;
    CHECK_KIND(ENVELOPE_OUT_OF_MEMORY, init_afresh(&e));
    fault_at = 0;
    CHECK_KIND(ENVELOPE_OK, init_afresh(&e));
}

static void test_an_interrupted_random_source(void **state)
{
    (void)state;
    struct envelope_encryptor e;

    random_answer = -1;
    random_errno = EINTR;
    fault_at = 2;
    fault_calls = 0;
    CHECK_KIND(ENVELOPE_OK, init_afresh(&e));
    CHECK_SIZE(3, fault_calls);
    fault_at = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_failing_compressor),
        cmocka_unit_test(test_a_failing_hash),
        cmocka_unit_test(test_a_keyring_with_a_failing_hash),
        cmocka_unit_test(test_a_failing_random_source),
        cmocka_unit_test(test_an_interrupted_random_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
