/* SPDX-License-Identifier: MIT */
/* No nonce is given twice: in one thread, in eight, at the counter's end, and
 * in a child process. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "envelope/envelope_aead.h"
#include "envelope/tests/envelope_crypt_samples.h"

#define COUNTER_END ((UINT64_C(1) << 32) - 1)

static void test_ids_are_consecutive(void **state)
{
    (void)state;
    struct envelope_encryptor a, b, c;

    CHECK_KIND(ENVELOPE_OK, envelope_encryptor_init(&a, NULL));
    CHECK_KIND(ENVELOPE_OK, envelope_encryptor_init(&b, NULL));
    CHECK_KIND(ENVELOPE_OK, envelope_encryptor_init(&c, NULL));
    CHECK_U64(envelope_encryptor_instance_id(&a) + 1,
              envelope_encryptor_instance_id(&b));
    CHECK_U64(envelope_encryptor_instance_id(&b) + 1,
              envelope_encryptor_instance_id(&c));
    CHECK_U64(0, envelope_encryptor_nonce_counter(&a));
}

static void test_nonce_bytes(void **state)
{
    (void)state;
    struct envelope_encryptor e;
    uint8_t nonce[ENVELOPE_NONCE_SIZE], want[ENVELOPE_NONCE_SIZE];

    encryptor_at(&e, UINT64_C(0x0102030405060708), UINT64_C(0x090a0b0c));
    CHECK_KIND(ENVELOPE_OK, envelope_nonce_take(&e, nonce, NULL));
    hex_decode("0102030405060708 090a0b0c", want, sizeof(want));
    CHECK_BYTES(want, sizeof(want), nonce, sizeof(nonce));
    CHECK_KIND(ENVELOPE_OK, envelope_nonce_take(&e, nonce, NULL));
    CHECK_U64(0x0d, nonce[11]);
}

static void test_the_counters_end(void **state)
{
    (void)state;
    static const uint8_t k[32];
    const struct envelope_bytes key = {k, sizeof(k)}, none = {NULL, 0};
    struct envelope_encryptor e;
    struct envelope_error error;
    uint8_t out[ENVELOPE_SEAL_EXTRA];

    encryptor_at(&e, 1, COUNTER_END - 2);
    for (int i = 0; i < 2; i++)
        CHECK_KIND(ENVELOPE_OK, envelope_encrypt(&e, none, key, none, out,
                                                 sizeof(out), NULL));
    CHECK_BYTES("\xff\xff\xff\xfe", 4, out + 8, 4);
    memset(out, 0xee, sizeof(out));
    for (uint64_t i = 0; i < 5; i++) {
        CHECK_KIND(
            ENVELOPE_NONCE_COUNTER_EXHAUSTED,
            envelope_encrypt(&e, none, key, none, out, sizeof(out), &error));
        CHECK_U64(COUNTER_END + 1 + i, envelope_encryptor_nonce_counter(&e));
        CHECK_U64(0xee, out[0]);
    }
    check_error("Nonce counter exhausted - key rotation required", &error);
    /* Where 32 bits would begin anew. */
    e.counter = UINT64_C(1) << 40;
    CHECK_KIND(ENVELOPE_NONCE_COUNTER_EXHAUSTED,
               envelope_encrypt(&e, none, key, none, out, sizeof(out), NULL));
}

/* ---- threads ----------------------------------------------------------- */

#define THREADS 8
#define EACH    2000
#define TOTAL   ((size_t)THREADS * EACH)

struct worker {
    pthread_t thread;
    struct envelope_encryptor *encryptor;
    size_t tries;
    size_t sealed, exhausted;
    uint32_t counters[EACH]; /* of the messages sealed */
};

static void *seal_many(void *argument)
{
    static const uint8_t k[32];
    const struct envelope_bytes key = {k, sizeof(k)}, none = {NULL, 0};
    struct worker *w = argument;
    uint8_t out[ENVELOPE_SEAL_EXTRA];

    for (size_t i = 0; i < w->tries; i++) {
        enum envelope_kind kind = envelope_encrypt(
            w->encryptor, none, key, none, out, sizeof(out), NULL);
        if (kind == ENVELOPE_OK)
            w->counters[w->sealed++] = (uint32_t)out[8] << 24 |
                                       (uint32_t)out[9] << 16 |
                                       (uint32_t)out[10] << 8 | out[11];
        else
            w->exhausted += kind == ENVELOPE_NONCE_COUNTER_EXHAUSTED;
    }
    return NULL;
}

static void run_workers(struct worker *workers, size_t count,
                        struct envelope_encryptor *e, size_t tries)
{
    for (size_t i = 0; i < count; i++) {
        workers[i] = (struct worker){.encryptor = e, .tries = tries};
        CHECK_I64(0, pthread_create(&workers[i].thread, NULL, seal_many,
                                    &workers[i]));
    }
    for (size_t i = 0; i < count; i++)
        CHECK_I64(0, pthread_join(workers[i].thread, NULL));
}

static void test_eight_threads_share_one(void **state)
{
    (void)state;
    struct worker *workers = calloc(THREADS, sizeof(*workers));
    bool *seen = calloc(TOTAL, sizeof(*seen));
    struct envelope_encryptor e;
    if (workers == NULL || seen == NULL)
        CHECK_FAIL("no memory");

    encryptor_at(&e, 1, 0);
    run_workers(workers, THREADS, &e, EACH);
    for (size_t i = 0; i < THREADS; i++) {
        CHECK_SIZE(EACH, workers[i].sealed);
        for (size_t k = 0; k < EACH; k++) {
            uint32_t counter = workers[i].counters[k];
            assert_true(counter < TOTAL);
            CHECK_BOOL(false, seen[counter]);
            seen[counter] = true;
        }
    }
    CHECK_U64(TOTAL, envelope_encryptor_nonce_counter(&e));
    free(seen);
    free(workers);
}

static void test_a_hundred_threads_at_the_end(void **state)
{
    (void)state;
    enum { COUNT = 100 };
    struct worker *workers = calloc(COUNT, sizeof(*workers));
    struct envelope_encryptor e;
    size_t sealed = 0, exhausted = 0;
    assert_non_null(workers);

    encryptor_at(&e, 1, COUNTER_END - 50);
    run_workers(workers, COUNT, &e, 1);
    for (size_t i = 0; i < COUNT; i++) {
        sealed += workers[i].sealed;
        exhausted += workers[i].exhausted;
    }
    CHECK_SIZE(50, sealed);
    CHECK_SIZE(50, exhausted);
    free(workers);
}

static void *take_ids(void *argument)
{
    uint64_t *ids = argument;

    for (size_t i = 0; i < EACH; i++) {
        struct envelope_encryptor e;
        if (envelope_encryptor_init(&e, NULL) == ENVELOPE_OK)
            ids[i] = envelope_encryptor_instance_id(&e);
    }
    return NULL;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static void test_ids_of_eight_threads_differ(void **state)
{
    (void)state;
    uint64_t *ids = calloc(TOTAL, sizeof(*ids));
    pthread_t threads[THREADS];
    assert_non_null(ids);

    for (size_t i = 0; i < THREADS; i++)
        CHECK_I64(0, pthread_create(&threads[i], NULL, take_ids,
                                    ids + i * (size_t)EACH));
    for (size_t i = 0; i < THREADS; i++)
        CHECK_I64(0, pthread_join(threads[i], NULL));
    qsort(ids, TOTAL, sizeof(*ids), by_value);
    for (size_t i = 1; i < TOTAL; i++)
        CHECK_U64(ids[i - 1] + 1, ids[i]);
    free(ids);
}

/* ---- fork -------------------------------------------------------------- */

/* What a child has to say: its own id, and how the parent's encryptor did. */
struct report {
    uint64_t id;
    enum envelope_kind old, own;
    char text[80];
};

static void fill_report(struct report *r, struct envelope_encryptor *old)
{
    static const uint8_t k[32];
    const struct envelope_bytes key = {k, sizeof(k)}, none = {NULL, 0};
    struct envelope_encryptor own;
    struct envelope_error error = {.kind = ENVELOPE_OK};
    uint8_t out[ENVELOPE_SEAL_EXTRA];

    r->old = envelope_encrypt(old, none, key, none, out, sizeof(out), &error);
    envelope_error_text(&error, r->text, sizeof(r->text));
    r->own = envelope_encryptor_init(&own, NULL);
    r->id = envelope_encryptor_instance_id(&own);
    if (r->own == ENVELOPE_OK)
        r->own =
            envelope_encrypt(&own, none, key, none, out, sizeof(out), NULL);
}

static void run_child(struct report *r, struct envelope_encryptor *old)
{
    int ends[2], status;
    CHECK_I64(0, pipe(ends));
    pid_t child = fork();

    if (child == 0) {
        memset(r, 0, sizeof(*r));
        fill_report(r, old);
        ssize_t written = write(ends[1], r, sizeof(*r));
        _exit(written == (ssize_t)sizeof(*r) ? 0 : 1);
    }
    assert_true(child > 0);
    CHECK_I64((ssize_t)sizeof(*r), read(ends[0], r, sizeof(*r)));
    CHECK_I64(child, waitpid(child, &status, 0));
    CHECK_I64(0, status);
    close(ends[0]);
    close(ends[1]);
}

static void test_a_child_starts_anew(void **state)
{
    (void)state;
    static const uint8_t k[32];
    const struct envelope_bytes key = {k, sizeof(k)}, none = {NULL, 0};
    struct envelope_encryptor before, after;
    struct report a, b;
    uint8_t out[ENVELOPE_SEAL_EXTRA];

    CHECK_KIND(ENVELOPE_OK, envelope_encryptor_init(&before, NULL));
    run_child(&a, &before);
    run_child(&b, &before);
    CHECK_KIND(ENVELOPE_ENCRYPTION_FAILED, a.old);
    CHECK_STR("Encryption failed: encryptor was made before a fork", a.text);
    CHECK_KIND(ENVELOPE_OK, a.own);
    CHECK_U64(0, envelope_encryptor_nonce_counter(&before));
    /* By chance less than once in 2^48. */
    CHECK_KIND(ENVELOPE_OK, envelope_encryptor_init(&after, NULL));
    CHECK_U64(before.instance_id + 1, after.instance_id);
    assert_true(a.id - before.instance_id + 1000 > 2000);
    assert_true(b.id - before.instance_id + 1000 > 2000);
    assert_true(a.id - b.id + 1000 > 2000);
    /* The parent's own goes on. */
    CHECK_KIND(ENVELOPE_OK, envelope_encrypt(&before, none, key, none, out,
                                             sizeof(out), NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids_are_consecutive),
        cmocka_unit_test(test_nonce_bytes),
        cmocka_unit_test(test_the_counters_end),
        cmocka_unit_test(test_eight_threads_share_one),
        cmocka_unit_test(test_a_hundred_threads_at_the_end),
        cmocka_unit_test(test_ids_of_eight_threads_differ),
        cmocka_unit_test(test_a_child_starts_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
