/* SPDX-License-Identifier: MIT */
/* Keys do not outlive their use: what is given back to an allocator, and what
 * a cipher object gives back, holds none of them. */
#include "envelope/tests/envelope_secrets.h"

/* ---- our memory -------------------------------------------------------- */

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_look_finds_a_key),
        cmocka_unit_test(test_memory_given_back_holds_no_key),
        cmocka_unit_test(test_failing_paths_wipe_too),
    };
    return cmocka_run_group_tests(tests, setup_secrets, NULL);
}
