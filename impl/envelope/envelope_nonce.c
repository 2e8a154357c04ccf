/* SPDX-License-Identifier: MIT */
/* Nonces: 8 bytes of an instance id and 4 of a counter, both big endian.  No
 * two messages get the same one: ids come from one process-wide counter with
 * a random start, and a counter never wraps, being kept in 64 bits. */
#include "envelope/envelope_aead.h"

#include <errno.h>
#include <pthread.h>
#include <sys/random.h>

/* Values 0 to this less one are used. */
#define COUNTER_END ((UINT64_C(1) << 32) - 1)

/*
 * The process-wide counter.  The lock is for its start; a child of fork gets
 * it unlocked, and with a counter that has no start any more.
 */
static struct {
    pthread_mutex_t lock;
    bool hears_of_forks;
    _Atomic bool started;
    _Atomic uint64_t next_id;
    _Atomic uint64_t fork_count;
} process = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void before_fork(void)
{
    pthread_mutex_lock(&process.lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&process.lock);
}

static void after_fork_in_child(void)
{
    process.started = false;
    process.fork_count++;
    pthread_mutex_unlock(&process.lock);
}

/* Eight bytes of the system's random source as a big-endian number. */
static bool random_start(uint64_t *start)
{
    uint8_t bytes[8];
    ssize_t got;

    do
        got = getrandom(bytes, sizeof(bytes), 0);
    while (got < 0 && errno == EINTR);
    if (got != (ssize_t)sizeof(bytes))
        return false;
    *start = 0;
    for (size_t i = 0; i < sizeof(bytes); i++)
        *start = *start << 8 | bytes[i];
    return true;
}

static enum envelope_kind start_locked(void)
{
    uint64_t start;

    if (process.started)
        return ENVELOPE_OK;
    if (!process.hears_of_forks &&
        pthread_atfork(before_fork, after_fork_in_parent,
                       after_fork_in_child) != 0)
        return ENVELOPE_OUT_OF_MEMORY;
    process.hears_of_forks = true;
    if (!random_start(&start))
        return ENVELOPE_RNG_FAILURE;
    process.next_id = start;
    process.started = true;
    return ENVELOPE_OK;
}

enum envelope_kind envelope_encryptor_init(
    struct envelope_encryptor *encryptor, struct envelope_error *error)
{
    enum envelope_kind kind;

    pthread_mutex_lock(&process.lock);
    kind = start_locked();
    pthread_mutex_unlock(&process.lock);
    if (kind != ENVELOPE_OK)
        return envelope_fail(error, kind);
    encryptor->instance_id = atomic_fetch_add(&process.next_id, 1);
    encryptor->fork_count = process.fork_count;
    atomic_init(&encryptor->counter, 0);
    return ENVELOPE_OK;
}

uint64_t envelope_encryptor_instance_id(
    const struct envelope_encryptor *encryptor)
{
    return encryptor->instance_id;
}

uint64_t envelope_encryptor_nonce_counter(
    const struct envelope_encryptor *encryptor)
{
    return atomic_load(&encryptor->counter);
}

enum envelope_kind envelope_nonce_take(struct envelope_encryptor *encryptor,
                                       uint8_t nonce[ENVELOPE_NONCE_SIZE],
                                       struct envelope_error *error)
{
    uint64_t id = encryptor->instance_id, counter;

    if (encryptor->fork_count !=
        atomic_load_explicit(&process.fork_count, memory_order_relaxed))
        return envelope_fail_with(error, ENVELOPE_ENCRYPTION_FAILED,
                                  DETAIL_FORKED, 0, 0);
    counter = atomic_fetch_add_explicit(&encryptor->counter, 1,
                                        memory_order_relaxed);
    if (counter >= COUNTER_END)
        return envelope_fail(error, ENVELOPE_NONCE_COUNTER_EXHAUSTED);
    for (int i = 0; i < 8; i++)
        nonce[i] = (uint8_t)(id >> (56 - 8 * i));
    for (int i = 0; i < 4; i++)
        nonce[8 + i] = (uint8_t)(counter >> (24 - 8 * i));
    return ENVELOPE_OK;
}
