/* SPDX-License-Identifier: MIT */
/* Encryption: one operation is one message.  Nonces come from an id and a
 * counter that are set here, never from the system. */
#include "envelope/envelope_cases.h"

#include <string.h>

#include "msgpack/sample/msgpack_sample.h"

#define INSTANCE_ID 1
#define TENANT      ENVELOPE_BYTES("tenant-123")
#define DOMAIN      ENVELOPE_BYTES("encryption")

struct crypt_state {
    struct envelope_encryptor encryptor;
    uint8_t master_bytes[32];
    uint8_t key_bytes[ENVELOPE_KEY_SIZE];
    struct envelope_bytes master, key, aad, payload;
    struct envelope_bytes sealed; /* the payload */
    struct envelope_key *ready;
    struct envelope_keyring *keyring;
    struct envelope_tenant_keyring *bound;
    uint8_t *out; /* room for a message of either kind */
    size_t out_size;
    /* The pipeline: an envelope on its way to or from its sealed form. */
    struct envelope_storage *storage;
    struct envelope_bytes sealed_envelope;
    uint8_t *envelope;
    size_t envelope_size; /* room */
};

static bool make_keys(struct crypt_state *st)
{
    struct envelope_keyring *consumed;

    st->master = (struct envelope_bytes){st->master_bytes, 32};
    st->key = (struct envelope_bytes){st->key_bytes, ENVELOPE_KEY_SIZE};
    memset(st->master_bytes, 0x42, sizeof(st->master_bytes));
    return envelope_derive_domain_key(st->master, DOMAIN, TENANT,
                                      st->key_bytes, NULL) == ENVELOPE_OK &&
           envelope_key_new(st->key, NULL, &st->ready, NULL) == ENVELOPE_OK &&
           envelope_keyring_new(st->master, NULL, 0, NULL, &st->keyring,
                                NULL) == ENVELOPE_OK &&
           envelope_keyring_new(st->master, NULL, 0, NULL, &consumed, NULL) ==
               ENVELOPE_OK &&
           envelope_keyring_for_tenant(consumed, TENANT, &st->bound, NULL) ==
               ENVELOPE_OK;
}

static bool make_aad(const struct bench_setup *s, struct crypt_state *st)
{
    const struct envelope_aad aad = {
        .tenant = TENANT,
        .cache_key = ENVELOPE_BYTES("ns:bench:func:x"),
        .format = ENVELOPE_BYTES("msgpack"),
    };
    struct sink out = sink_init(bench_buffer(s, 128), 128);

    /* The published bench stops after the key: 34 bytes. */
    if (envelope_aad_put(&aad, &out) != ST_OK)
        return false;
    st->aad = (struct envelope_bytes){out.data, 1 + 4 + aad.tenant.size + 4 +
                                                    aad.cache_key.size};
    return true;
}

/* Seal some bytes into a buffer of their own. */
static bool seal_new(const struct bench_setup *s, struct crypt_state *st,
                     struct envelope_bytes plain, struct envelope_bytes *out)
{
    const size_t size = plain.size + ENVELOPE_SEAL_EXTRA;
    uint8_t *room = bench_buffer(s, size);

    *out = (struct envelope_bytes){room, size};
    return envelope_seal(&st->encryptor, st->ready, plain, st->aad, room, size,
                         NULL) == ENVELOPE_OK;
}

static bool make_pipeline(const struct bench_setup *s, struct crypt_state *st)
{
    size_t size;

    if (envelope_storage_new(NULL, 0, NULL, &st->storage, NULL) != ENVELOPE_OK)
        return false;
    st->envelope_size =
        envelope_store_bound(st->storage, st->payload.size, NULL, 0);
    st->envelope = bench_buffer(s, st->envelope_size);
    return envelope_store_into(st->storage, st->payload.data, st->payload.size,
                               NULL, 0, st->envelope, st->envelope_size, &size,
                               NULL) == ENVELOPE_OK &&
           seal_new(s, st, (struct envelope_bytes){st->envelope, size},
                    &st->sealed_envelope);
}

void *envelope_setup_crypt(const struct bench_setup *s)
{
    const size_t size = *(const size_t *)s->arg;
    struct crypt_state *st = bench_buffer(s, sizeof(*st));
    uint8_t *payload = bench_buffer(s, size);

    msgpack_sample_stream(s->seed, payload, size);
    bench_input_here(s, payload, size);
    st->payload = (struct envelope_bytes){payload, size};
    st->out_size = 2 * size + 256;
    st->out = bench_buffer(s, st->out_size);
    if (envelope_encryptor_init(&st->encryptor, NULL) != ENVELOPE_OK)
        return bench_fail(s, "no encryptor");
    st->encryptor.instance_id = INSTANCE_ID;
    if (!make_keys(st) || !make_aad(s, st) ||
        !seal_new(s, st, st->payload, &st->sealed) || !make_pipeline(s, st))
        return bench_fail(s, "the keys or messages cannot be made");
    bench_input_here(s, st->aad.data, st->aad.size);
    return st;
}

void envelope_teardown_crypt(void *state)
{
    struct crypt_state *st = state;

    envelope_storage_free(st->storage);
    envelope_tenant_keyring_free(st->bound);
    envelope_keyring_free(st->keyring);
    envelope_key_free(st->ready);
    envelope_crypt_forget();
}

/* ---- operations: the kind of failure, plus one ---------------------------
 */

uint64_t envelope_run_encrypt(void *state)
{
    struct crypt_state *st = state;

    return envelope_encrypt(&st->encryptor, st->payload, st->key, st->aad,
                            st->out, st->out_size, NULL) +
           1u;
}

uint64_t envelope_run_decrypt(void *state)
{
    struct crypt_state *st = state;

    return envelope_decrypt(st->sealed, st->key, st->aad, st->out,
                            st->out_size, NULL) +
           1u;
}

uint64_t envelope_run_seal(void *state)
{
    struct crypt_state *st = state;

    return envelope_seal(&st->encryptor, st->ready, st->payload, st->aad,
                         st->out, st->out_size, NULL) +
           1u;
}

uint64_t envelope_run_open(void *state)
{
    struct crypt_state *st = state;

    return envelope_open(st->ready, st->sealed, st->aad, st->out, st->out_size,
                         NULL) +
           1u;
}

uint64_t envelope_run_keyring_decrypt(void *state)
{
    struct crypt_state *st = state;

    return envelope_keyring_decrypt(st->keyring, TENANT, st->sealed, st->aad,
                                    st->out, st->out_size, NULL, NULL) +
           1u;
}

uint64_t envelope_run_tenant_keyring_decrypt(void *state)
{
    struct crypt_state *st = state;

    return envelope_tenant_keyring_decrypt(st->bound, st->sealed, st->aad,
                                           st->out, st->out_size, NULL, NULL) +
           1u;
}

uint64_t envelope_run_hkdf(void *state)
{
    struct crypt_state *st = state;

    return envelope_derive_domain_key(st->master, DOMAIN, TENANT, st->out,
                                      NULL) +
           1u;
}

/* Store, then seal: what a cache write does. */
uint64_t envelope_run_pipeline_put(void *state)
{
    struct crypt_state *st = state;
    size_t size = 0;

    if (envelope_store_into(st->storage, st->payload.data, st->payload.size,
                            NULL, 0, st->envelope, st->envelope_size, &size,
                            NULL) != ENVELOPE_OK ||
        envelope_seal(&st->encryptor, st->ready,
                      (struct envelope_bytes){st->envelope, size}, st->aad,
                      st->out, st->out_size, NULL) != ENVELOPE_OK)
        return 0;
    return size + ENVELOPE_SEAL_EXTRA;
}

/* Open, then retrieve: what a cache read does. */
uint64_t envelope_run_pipeline_get(void *state)
{
    struct crypt_state *st = state;
    struct envelope_entry entry;
    uint64_t result;

    if (envelope_open(st->ready, st->sealed_envelope, st->aad, st->envelope,
                      st->envelope_size, NULL) != ENVELOPE_OK ||
        envelope_retrieve(st->envelope,
                          st->sealed_envelope.size - ENVELOPE_SEAL_EXTRA, NULL,
                          &entry, NULL) != ENVELOPE_OK)
        return 0;
    result = entry.payload_size + entry.payload[0];
    envelope_entry_free(NULL, &entry);
    return result;
}

/* ---- fingerprints of the work --------------------------------------------
 */

void envelope_work_sealed(void *state, const struct bench_digest *d)
{
    struct crypt_state *st = state;

    st->encryptor.counter = 7;
    bench_digest_u64(d, envelope_run_encrypt(state));
    bench_digest(d, st->out, st->payload.size + ENVELOPE_SEAL_EXTRA);
    st->encryptor.counter = 7;
    bench_digest_u64(d, envelope_run_seal(state));
    bench_digest(d, st->out, st->payload.size + ENVELOPE_SEAL_EXTRA);
}

void envelope_work_opened(void *state, const struct bench_digest *d)
{
    struct crypt_state *st = state;
    static uint64_t (*const ways[])(void *) = {
        envelope_run_decrypt, envelope_run_open, envelope_run_keyring_decrypt,
        envelope_run_tenant_keyring_decrypt};

    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        memset(st->out, 0, st->out_size);
        bench_digest_u64(d, ways[i](state));
        bench_digest(d, st->out, st->payload.size);
    }
}

void envelope_work_key(void *state, const struct bench_digest *d)
{
    struct crypt_state *st = state;

    bench_digest_u64(d, envelope_run_hkdf(state));
    bench_digest(d, st->out, ENVELOPE_KEY_SIZE);
}

void envelope_work_pipeline(void *state, const struct bench_digest *d)
{
    struct crypt_state *st = state;

    st->encryptor.counter = 7;
    bench_digest(d, st->out, (size_t)envelope_run_pipeline_put(state));
    bench_digest_u64(d, envelope_run_pipeline_get(state));
    bench_digest(d, st->envelope,
                 st->sealed_envelope.size - ENVELOPE_SEAL_EXTRA);
}
