/* SPDX-License-Identifier: MIT */
/* Keys do not outlive their use: a thread leaves none on its stack, and none
 * in its cipher object when it ends. */
#include <pthread.h>

#include "envelope/tests/envelope_secrets.h"

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

/* ---- the end of a thread ------------------------------------------------ */

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
        cmocka_unit_test(test_the_stack_holds_no_key),
        cmocka_unit_test(test_a_thread_wipes_when_it_ends),
    };
    return cmocka_run_group_tests(tests, setup_secrets, NULL);
}
