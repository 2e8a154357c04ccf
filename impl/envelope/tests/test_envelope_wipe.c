/* SPDX-License-Identifier: MIT */
/* Keys do not outlive their use: what is given back to an allocator, what a
 * cipher object gives back, and what stays on the stack holds none of them.
 * The libraries' own memory is looked at through their allocation hooks. */
#include <gcrypt.h>
#include <openssl/hmac.h>
#include <pthread.h>
#include <valgrind/valgrind.h>

#include "envelope/envelope_aead.h"
#include "envelope/tests/envelope_crypt_samples.h"

/* ---- secrets ----------------------------------------------------------- */

/* A quarter of any secret, in a row, is a find. */
#define PIECE_SIZE 8

static uint8_t masters[3][32];
static uint8_t derived[3][32];   /* for TENANT, in the same order */
static uint8_t extracted[3][32]; /* HKDF's middle step */
static uint8_t padded[3][2][32]; /* that one, changed by HMAC's pads */
static size_t finds, looks;

#define TENANT ENVELOPE_BYTES("tenant-123")
#define TEXT   ENVELOPE_BYTES("a text that is no secret here")

static bool holds(const uint8_t *p, size_t size, const uint8_t *secret)
{
    for (size_t piece = 0; piece + PIECE_SIZE <= 32; piece += PIECE_SIZE)
        if (memmem(p, size, secret + piece, PIECE_SIZE) != NULL)
            return true;
    return false;
}

/* Bytes that nobody wrote are looked at too, on purpose. */
static void look(const void *p, size_t size)
{
    looks++;
    VALGRIND_DISABLE_ERROR_REPORTING;
    for (size_t i = 0; i < ARRAY_COUNT(masters); i++)
        finds += (size_t)holds(p, size, masters[i]) +
                 (size_t)holds(p, size, derived[i]) +
                 (size_t)holds(p, size, extracted[i]) +
                 (size_t)holds(p, size, padded[i][0]) +
                 (size_t)holds(p, size, padded[i][1]);
    VALGRIND_ENABLE_ERROR_REPORTING;
}

/* ---- memory, ours and the cipher library's ----------------------------- */

/* The call that fails, from 1, and the calls so far. */
struct failing {
    size_t fail_at, calls;
};

static void *take(void *ctx, size_t size)
{
    struct failing *f = ctx;

    return ++f->calls == f->fail_at ? NULL : malloc(size);
}

static void *resize(void *ctx, void *p, size_t old_size, size_t new_size)
{
    struct failing *f = ctx;

    look(p, old_size); /* may move, leaving this behind */
    return ++f->calls == f->fail_at ? NULL : realloc(p, new_size);
}

static void give_back(void *ctx, void *p, size_t size)
{
    (void)ctx;
    if (p != NULL)
        look(p, size);
    free(p);
}

/* Blocks of the cipher library carry their size in front.  All that are
 * alive are in a ring: a thread keeps its cipher, and memcheck would take
 * one that is known by a pointer into its middle for lost. */
struct front {
    size_t size;
    struct front *before, *after;
};

#define FRONT ((size_t)32)
_Static_assert(sizeof(struct front) <= FRONT, "fits, and keeps alignment");

static struct front alive = {.before = &alive, .after = &alive};

static struct front *front_of(void *block)
{
    return (struct front *)(void *)((uint8_t *)block - FRONT);
}

static void *library_take(size_t size)
{
    struct front *f = aligned_alloc(FRONT, (size + 2 * FRONT) / FRONT * FRONT);

    if (f == NULL)
        return NULL;
    memset(f, 0, size + FRONT);
    *f = (struct front){size, &alive, alive.after};
    f->before->after = f->after->before = f;
    return (uint8_t *)f + FRONT;
}

static void library_give_back(void *block)
{
    if (block == NULL)
        return;
    struct front *f = front_of(block);
    look(block, f->size);
    f->before->after = f->after;
    f->after->before = f->before;
    free(f);
}

static void *library_resize(void *block, size_t size)
{
    void *p = library_take(size);

    if (p == NULL || block == NULL)
        return p;
    size_t old_size = front_of(block)->size;
    memcpy(p, block, old_size < size ? old_size : size);
    library_give_back(block);
    return p;
}

static int not_secure(const void *p)
{
    (void)p;
    return 0;
}

/* What a derivation computes on its way, by libcrypto's own HMAC. */
static void compute_secrets(size_t i)
{
    static const char salt[] = "cachekit_v1_\x0a"
                               "encryption\0\x0a"
                               "tenant-123";
    static const char info[] = "encryption\x01";
    unsigned size = 0;

    HMAC(EVP_sha256(), salt, sizeof(salt) - 1, masters[i], 32, extracted[i],
         &size);
    HMAC(EVP_sha256(), extracted[i], 32, (const uint8_t *)info,
         sizeof(info) - 1, derived[i], &size);
    for (size_t k = 0; k < 32; k++) {
        padded[i][0][k] = extracted[i][k] ^ 0x36;
        padded[i][1][k] = extracted[i][k] ^ 0x5c;
    }
}

static int setup_secrets(void **state)
{
    (void)state;
    uint8_t key[32];

    gcry_set_allocation_handler(library_take, library_take, not_secure,
                                library_resize, library_give_back);
    fill_stream(masters[0], sizeof(masters));
    for (size_t i = 0; i < ARRAY_COUNT(masters); i++)
        compute_secrets(i);
    if (envelope_derive_domain_key((struct envelope_bytes){masters[2], 32},
                                   ENVELOPE_BYTES("encryption"), TENANT, key,
                                   NULL) != ENVELOPE_OK)
        return 1;
    return memcmp(key, derived[2], sizeof(key));
}

/* ---- what is done with keys -------------------------------------------- */

/* Everything that touches a key, sound and failing. */
static void use_keys(const struct alloc *alloc)
{
    const struct envelope_bytes none = {NULL, 0};
    const struct envelope_bytes master = {masters[0], 32};
    const struct envelope_bytes others[] = {{masters[1], 32},
                                            {masters[2], 32}};
    struct envelope_bytes sealed;
    struct envelope_encryptor e;
    struct envelope_keyring *ring = NULL;
    struct envelope_tenant_keyring *bound = NULL;
    struct envelope_key *ready = NULL;
    struct envelope_tenant_keys keys;
    uint8_t out[128], back[128], print[4][ENVELOPE_FINGERPRINT_SIZE];

    CHECK_KIND(ENVELOPE_OK, envelope_encryptor_init(&e, NULL));
    CHECK_KIND(ENVELOPE_OK,
               envelope_encrypt(&e, TEXT,
                                (struct envelope_bytes){derived[2], 32}, none,
                                out, sizeof(out), NULL));
    sealed = (struct envelope_bytes){out, TEXT.size + ENVELOPE_SEAL_EXTRA};
    CHECK_KIND(ENVELOPE_OK,
               envelope_keyring_new(master, others, 2, alloc, &ring, NULL));
    CHECK_KIND(ENVELOPE_OK,
               envelope_keyring_decrypt(ring, TENANT, sealed, none, back,
                                        sizeof(back), NULL, NULL));
    CHECK_KIND(ENVELOPE_AUTHENTICATION_FAILED,
               envelope_keyring_decrypt(ring, TENANT, sealed, TEXT, back,
                                        sizeof(back), NULL, NULL));
    CHECK_KIND(ENVELOPE_OK,
               envelope_keyring_fingerprints(ring, TENANT, print, NULL));
    CHECK_KIND(ENVELOPE_OK,
               envelope_keyring_for_tenant(ring, TENANT, &bound, NULL));
    CHECK_KIND(ENVELOPE_OK,
               envelope_tenant_keyring_decrypt(bound, sealed, none, back,
                                               sizeof(back), NULL, NULL));
    envelope_tenant_keyring_free(bound);
    CHECK_KIND(ENVELOPE_OK,
               envelope_key_new((struct envelope_bytes){derived[0], 32}, alloc,
                                &ready, NULL));
    CHECK_KIND(ENVELOPE_OK,
               envelope_seal(&e, ready, TEXT, none, out, sizeof(out), NULL));
    envelope_key_free(ready);
    CHECK_KIND(ENVELOPE_OK,
               envelope_derive_tenant_keys(master, TENANT, &keys, NULL));
    envelope_tenant_keys_wipe(&keys);
    CHECK_KIND(ENVELOPE_OK,
               envelope_keyring_new(master, others, 2, alloc, &ring, NULL));
    CHECK_KIND(ENVELOPE_KEY_DERIVATION,
               envelope_keyring_for_tenant(ring, none, &bound, NULL));
}

static void test_the_look_finds_a_key(void **state)
{
    (void)state;
    uint8_t *p = library_take(100);
    assert_non_null(p);

    finds = 0;
    memcpy(p + 41, derived[1] + 8, PIECE_SIZE);
    library_give_back(p);
    CHECK_SIZE(1, finds);
    p = malloc(64);
    assert_non_null(p);
    memcpy(p + 3, masters[2], 32);
    give_back(NULL, p, 64);
    CHECK_SIZE(2, finds);
}

static void test_memory_given_back_holds_no_key(void **state)
{
    (void)state;
    struct failing never = {0};
    const struct alloc looking = {take, resize, give_back, &never};

    finds = looks = 0;
    use_keys(&looking);
    envelope_crypt_forget();
    assert_true(looks > 10);
    CHECK_SIZE(0, finds);
}

static void fail_and_use(struct failing *f)
{
    const struct envelope_bytes others[] = {{masters[1], 32},
                                            {masters[2], 32}};
    const struct alloc looking = {take, resize, give_back, f};
    struct envelope_keyring *ring = NULL;
    struct envelope_tenant_keyring *bound = NULL;

    if (envelope_keyring_new((struct envelope_bytes){masters[0], 32}, others,
                             2, &looking, &ring, NULL) == ENVELOPE_OK &&
        envelope_keyring_for_tenant(ring, TENANT, &bound, NULL) == ENVELOPE_OK)
        envelope_tenant_keyring_free(bound);
}

static void test_failing_paths_wipe_too(void **state)
{
    (void)state;
    struct failing f = {0};

    finds = looks = 0;
    do {
        f = (struct failing){.fail_at = f.fail_at + 1};
        fail_and_use(&f);
    } while (f.calls >= f.fail_at);
    CHECK_SIZE(9, f.fail_at); /* eight allocations, then none fails */
    assert_true(looks > 30);
    CHECK_SIZE(0, finds);
}

/* ---- the stack --------------------------------------------------------- */

#define STACK_SIZE ((size_t)1 << 20)

static uint8_t result[128]; /* off the stack that is looked at */

/* Each looks at its own stack, so that no later step writes over what an
 * earlier one left. */
static void derive_one(void)
{
    CHECK_KIND(ENVELOPE_OK,
               envelope_derive_domain_key(
                   (struct envelope_bytes){masters[0], 32},
                   ENVELOPE_BYTES("encryption"), TENANT, result, NULL));
}

static void read_master_key(void)
{
    char text[65];

    for (size_t i = 0; i < 32; i++)
        snprintf(text + 2 * i, 3, "%02x", masters[0][i]);
    CHECK_KIND(ENVELOPE_OK,
               envelope_master_key_from_hex(text_bytes(text), result, NULL));
}

static struct envelope_keyring *unbound; /* made on another stack */
static uint8_t message[128];

static void decrypt_unbound(void)
{
    const struct envelope_bytes c = {message, TEXT.size + ENVELOPE_SEAL_EXTRA};

    CHECK_KIND(ENVELOPE_OK,
               envelope_keyring_decrypt_at(unbound, 0, TENANT, c,
                                           (struct envelope_bytes){NULL, 0},
                                           result, sizeof(result), NULL));
}

static void fingerprint_unbound(void)
{
    CHECK_KIND(ENVELOPE_OK,
               envelope_keyring_fingerprints(
                   unbound, TENANT,
                   (uint8_t(*)[ENVELOPE_FINGERPRINT_SIZE])result, NULL));
}

static void bind_to_tenant(void)
{
    struct envelope_tenant_keyring *bound = NULL;

    CHECK_KIND(ENVELOPE_OK,
               envelope_keyring_for_tenant(unbound, TENANT, &bound, NULL));
    envelope_tenant_keyring_free(bound);
    unbound = NULL;
}

static void leave_a_key(void)
{
    volatile uint8_t copy[32];

    for (size_t i = 0; i < 32; i++)
        copy[i] = derived[0][i];
    (void)copy[31];
}

/* Deep enough that the end of the thread does not write over the rest. */
static void *run_deep(void *argument)
{
    volatile uint8_t deep[16384];
    void (*const *run)(void) = argument;

    deep[0] = 0;
    (*run)();
    envelope_crypt_forget();
    return deep[0] == 0 ? NULL : argument;
}

static size_t finds_on_one_stack(void (*run)(void))
{
    uint8_t *stack = aligned_alloc(4096, STACK_SIZE);
    pthread_attr_t attributes;
    pthread_t thread;
    assert_non_null(stack);

    CHECK_KIND(ENVELOPE_OK,
               envelope_keyring_new((struct envelope_bytes){masters[0], 32},
                                    NULL, 0, NULL, &unbound, NULL));
    memset(stack, 0, STACK_SIZE);
    CHECK_I64(0, pthread_attr_init(&attributes));
    CHECK_I64(0, pthread_attr_setstack(&attributes, stack, STACK_SIZE));
    CHECK_I64(0, pthread_create(&thread, &attributes, run_deep, &run));
    CHECK_I64(0, pthread_join(thread, NULL));
    pthread_attr_destroy(&attributes);
    finds = 0;
    look(stack, STACK_SIZE);
    free(stack);
    envelope_keyring_free(unbound);
    unbound = NULL;
    return finds;
}

/* The first time, the dynamic linker binds what is called and saves vector
 * registers, with what is in them, on the stack. */
static size_t finds_on_stack(void (*run)(void))
{
    (void)finds_on_one_stack(run);
    return finds_on_one_stack(run);
}

static void test_the_stack_holds_no_key(void **state)
{
    (void)state;
    const struct envelope_bytes none = {NULL, 0};
    struct envelope_encryptor e;

    CHECK_KIND(ENVELOPE_OK, envelope_encryptor_init(&e, NULL));
    CHECK_KIND(ENVELOPE_OK,
               envelope_encrypt(&e, TEXT,
                                (struct envelope_bytes){derived[0], 32}, none,
                                message, sizeof(message), NULL));
    assert_true(finds_on_stack(leave_a_key) > 0);
    CHECK_SIZE(0, finds_on_stack(derive_one));
    CHECK_SIZE(0, finds_on_stack(read_master_key));
    CHECK_SIZE(0, finds_on_stack(decrypt_unbound));
    CHECK_SIZE(0, finds_on_stack(fingerprint_unbound));
    CHECK_SIZE(0, finds_on_stack(bind_to_tenant));
}

/* A thread's cipher object is wiped when the thread ends. */
static void *encrypt_once(void *argument)
{
    const struct envelope_bytes none = {NULL, 0};
    struct envelope_encryptor e;
    uint8_t out[64];

    if (envelope_encryptor_init(&e, NULL) == ENVELOPE_OK &&
        envelope_encrypt(&e, TEXT, (struct envelope_bytes){derived[0], 32},
                         none, out, sizeof(out), NULL) == ENVELOPE_OK)
        return argument;
    return NULL;
}

static void test_a_thread_wipes_when_it_ends(void **state)
{
    (void)state;
    pthread_t thread;
    void *ended;
    int done;

    finds = looks = 0;
    CHECK_I64(0, pthread_create(&thread, NULL, encrypt_once, &done));
    CHECK_I64(0, pthread_join(thread, &ended));
    assert_ptr_equal(&done, ended);
    assert_true(looks > 0); /* its object was given back */
    CHECK_SIZE(0, finds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_look_finds_a_key),
        cmocka_unit_test(test_memory_given_back_holds_no_key),
        cmocka_unit_test(test_failing_paths_wipe_too),
        cmocka_unit_test(test_the_stack_holds_no_key),
        cmocka_unit_test(test_a_thread_wipes_when_it_ends),
    };
    return cmocka_run_group_tests(tests, setup_secrets, NULL);
}
