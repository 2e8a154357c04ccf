/* SPDX-License-Identifier: MIT */
/* Filling and probing by address. */
#include "map/map_probe.h"

#include "base/address_sample.h"
#include "base/dethash.h"
#include "signal_store/signal_store_address.h"

#define TABLE_SIZE_MAX (1u << 24)
#define IDENTITY       "0123456789abcdef0123456789abcdef"

struct probe_state {
    struct signal_store *store; /* of identity probes */
    struct dethash map;         /* of address probes */
    size_t count;
    struct signal_store_address *present;
    struct signal_store_address *probes;
};

/* An address of the sample: user, device and server of a JID. */
static bool make_address(struct signal_store_address *address, size_t i,
                         uint64_t salt)
{
    char text[ADDRESS_SAMPLE_SIZE];
    size_t size = address_sample((uint32_t)i, salt, text);
    const char *user_end = memchr(text, i % 4 != 0 ? ':' : '@', size);
    struct wabin_jid jid = {
        .user = wabin_str(text, (size_t)(user_end - text)),
        .device = (uint16_t)(i % 4),
        .server = i % 2 == 0 ? WABIN_SERVER_PN : WABIN_SERVER_LID,
    };

    return signal_store_address_of_jid(address, &jid) == ST_OK;
}

static struct signal_store_address *make_addresses(const struct bench_setup *s,
                                                   size_t count, uint64_t salt)
{
    struct signal_store_address *list = bench_buffer(s, count * sizeof(*list));

    for (size_t i = 0; i < count; i++) {
        if (!make_address(&list[i], i, salt))
            return bench_fail(s, "no memory for an address");
        struct wabin_str text = signal_store_address_text(&list[i]);
        bench_input_here(s, text.data, text.size);
    }
    return list;
}

static struct probe_state *setup_addresses(const struct bench_setup *s)
{
    const struct map_probe_input *in = s->arg;
    struct probe_state *st = bench_buffer(s, sizeof(*st));

    st->count = in->count;
    st->present = make_addresses(s, in->count, 0);
    st->probes =
        in->salt == 0 ? st->present : make_addresses(s, in->count, in->salt);
    return st->present != NULL && st->probes != NULL ? st : NULL;
}

/* ---- the identity cache --------------------------------------------------
 */

struct signal_store *map_probe_store(const struct bench_setup *s,
                                     struct signal_store_seed seed)
{
    struct signal_store *store;

    if (signal_store_new(seed, NULL, &store) != ST_OK)
        return bench_fail(s, "no memory for the store");
    if (!signal_store_is_repeatable(store)) {
        signal_store_free(store);
        return bench_fail(s, "the store has a random seed: its figures "
                             "cannot gate");
    }
    bench_input_here(s, &seed.seed, sizeof(seed.seed));
    return store;
}

void *setup_identity_probe(const struct bench_setup *s)
{
    struct probe_state *st = setup_addresses(s);

    if (st == NULL)
        return NULL;
    st->store = map_probe_store(s, signal_store_seed_fixed(s->seed, 0));
    if (st->store == NULL)
        return NULL;
    for (size_t i = 0; i < st->count; i++)
        if (!signal_store_try_put(st->store,
                                  signal_store_address_text(&st->present[i]),
                                  WABIN_STR(IDENTITY)))
            return bench_fail(s, "an identity was not put");
    return st;
}

uint64_t run_identity_probe(void *state)
{
    struct probe_state *st = state;
    uint64_t found = 0;

    for (size_t i = 0; i < st->count; i++) {
        const struct signal_store_bytes *bytes = NULL;
        if (signal_store_try_get(st->store,
                                 signal_store_address_text(&st->probes[i]),
                                 &bytes) == SIGNAL_STORE_BYTES)
            found++;
        signal_store_bytes_release(bytes);
    }
    return found;
}

void work_identity_probe(void *state, const struct bench_digest *d)
{
    struct probe_state *st = state;

    for (size_t i = 0; i < st->count; i++) {
        const struct signal_store_bytes *bytes = NULL;
        struct wabin_str text = {0};
        bench_digest_u64(
            d, signal_store_try_get(st->store,
                                    signal_store_address_text(&st->probes[i]),
                                    &bytes));
        if (bytes != NULL)
            text = signal_store_bytes_text(bytes);
        bench_digest(d, text.data, text.size);
        signal_store_bytes_release(bytes);
    }
}

/* ---- the bare map --------------------------------------------------------
 */

void *setup_address_probe(const struct bench_setup *s)
{
    struct probe_state *st = setup_addresses(s);
    struct dethash_seed seed = {.k0 = s->seed, .k1 = 0};

    if (st == NULL)
        return NULL;
    bench_input_here(s, &seed, sizeof(seed));
    dethash_init(&st->map, seed, TABLE_SIZE_MAX, NULL);
    for (size_t i = 0; i < st->count; i++) {
        struct wabin_str key = signal_store_address_text(&st->present[i]);
        if (dethash_insert(&st->map, key.data, key.size, i) != ST_OK)
            return bench_fail(s, "no memory for the map");
    }
    return st;
}

uint64_t run_address_probe(void *state)
{
    struct probe_state *st = state;
    uint64_t sum = 0;

    for (size_t i = 0; i < st->count; i++) {
        struct wabin_str key = signal_store_address_text(&st->probes[i]);
        uint64_t value = 0;
        if (dethash_get(&st->map, key.data, key.size, &value))
            sum += value;
    }
    return sum;
}

void work_address_probe(void *state, const struct bench_digest *d)
{
    struct probe_state *st = state;

    bench_digest_u64(d, run_address_probe(st));
    for (size_t i = 0; i < st->count; i++) {
        struct wabin_str key = signal_store_address_text(&st->probes[i]);
        bench_digest_u64(d, dethash_probe_count(&st->map, key.data, key.size));
    }
}

void teardown_map_probe(void *state)
{
    struct probe_state *st = state;

    /* The addresses are short: none has a block. */
    signal_store_free(st->store);
    dethash_release(&st->map);
}
