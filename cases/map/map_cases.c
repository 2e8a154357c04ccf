/* SPDX-License-Identifier: MIT */
/*
 * The deterministic map: one operation is one pass over all n addresses.
 * The map's seed is the case's seed, so it is an input like any other.
 */
#include "base/address_sample.h"
#include "base/dethash.h"
#include "harness/bench.h"
#include "map/map_probe.h"

#define TABLE_SIZE_MAX (1u << 24)

struct address {
    char text[ADDRESS_SAMPLE_SIZE];
    size_t size;
};

struct map_state {
    struct dethash map;
    struct dethash_seed seed;
    size_t count;
    struct address *present; /* what the map is filled with */
    struct address *probes;  /* what is looked up */
};

struct map_input {
    size_t count;
    uint64_t probe_salt;
};

static const struct map_input hit_8 = {8, 0};
static const struct map_input hit_64 = {64, 0};
static const struct map_input hit_4096 = {4096, 0};
static const struct map_input miss_8 = {8, ADDRESS_SAMPLE_ABSENT};
static const struct map_input miss_64 = {64, ADDRESS_SAMPLE_ABSENT};
static const struct map_input miss_4096 = {4096, ADDRESS_SAMPLE_ABSENT};

static struct address *make_addresses(const struct bench_setup *s,
                                      size_t count, uint64_t salt)
{
    struct address *list = bench_buffer(s, count * sizeof(*list));
    for (size_t i = 0; i < count; i++)
        list[i].size = address_sample((uint32_t)i, salt, list[i].text);
    bench_input_here(s, list, count * sizeof(*list));
    return list;
}

static int fill(struct map_state *st)
{
    dethash_init(&st->map, st->seed, TABLE_SIZE_MAX, NULL);
    for (size_t i = 0; i < st->count; i++)
        if (dethash_insert(&st->map, st->present[i].text, st->present[i].size,
                           i) != ST_OK)
            return 0;
    return 1;
}

static void *setup_map(const struct bench_setup *s)
{
    const struct map_input *in = s->arg;
    struct map_state *st = bench_buffer(s, sizeof(*st));
    st->count = in->count;
    st->seed = (struct dethash_seed){.k0 = s->seed, .k1 = 0};
    bench_input_here(s, &st->seed, sizeof(st->seed));
    st->present = make_addresses(s, in->count, 0);
    st->probes = in->probe_salt == 0
                     ? st->present
                     : make_addresses(s, in->count, in->probe_salt);
    return fill(st) ? st : bench_fail(s, "no memory for the map");
}

static void teardown_map(void *state)
{
    struct map_state *st = state;
    dethash_release(&st->map);
}

static uint64_t run_get(void *state)
{
    struct map_state *st = state;
    uint64_t sum = 0;
    for (size_t i = 0; i < st->count; i++) {
        uint64_t value = 1;
        if (dethash_get(&st->map, st->probes[i].text, st->probes[i].size,
                        &value))
            sum += value + 1;
    }
    return sum;
}

static uint64_t run_insert(void *state)
{
    struct map_state *st = state;
    dethash_release(&st->map);
    return fill(st) ? st->map.count : 0;
}

/** The whole table, slot by slot, and the answer to each probe. */
static void work_map(void *state, const struct bench_digest *d)
{
    struct map_state *st = state;
    const struct dethash_slot *slot;
    for (size_t at = 0; (slot = dethash_next(&st->map, &at)) != NULL;) {
        bench_digest_u64(d, at);
        bench_digest_u64(d, slot->hash);
        bench_digest(d, slot->key, slot->key_size);
        bench_digest_u64(d, slot->value);
    }
    for (size_t i = 0; i < st->count; i++)
        bench_digest_u64(d, dethash_probe_count(&st->map, st->probes[i].text,
                                                st->probes[i].size));
}

#define MAP_CASE(name, what, n, fn, in)                                       \
    {                                                                         \
        .id = "map/" name, .about = what, .iters = (n), .setup = setup_map,   \
        .run = (fn), .work = work_map, .teardown = teardown_map,              \
        .arg = &(in),                                                         \
    }

static const struct map_probe_input probes[] = {
    {8, 0},
    {64, 0},
    {8, ADDRESS_SAMPLE_ABSENT},
    {64, ADDRESS_SAMPLE_ABSENT},
};

#define PROBE_CASE(name, what, n, kind, i)                                    \
    {                                                                         \
        .id = "map/" name, .about = what, .iters = (n),                       \
        .setup = setup_##kind##_probe, .run = run_##kind##_probe,             \
        .work = work_##kind##_probe, .teardown = teardown_map_probe,          \
        .arg = &probes[i],                                                    \
    }

static const struct bench_case cases[] = {
    MAP_CASE("hit/8", "get of the 8 keys in a map of 8", 1000, run_get, hit_8),
    MAP_CASE("hit/64", "get of the 64 keys in a map of 64", 200, run_get,
             hit_64),
    MAP_CASE("hit/4096", "get of the 4,096 keys in a map of 4,096", 4, run_get,
             hit_4096),
    MAP_CASE("miss/8", "get of 8 absent keys in a map of 8", 1000, run_get,
             miss_8),
    MAP_CASE("miss/64", "get of 64 absent keys in a map of 64", 200, run_get,
             miss_64),
    MAP_CASE("miss/4096", "get of 4,096 absent keys in a map of 4,096", 4,
             run_get, miss_4096),
    MAP_CASE("insert/8", "a map of 8 keys built from empty", 500, run_insert,
             hit_8),
    MAP_CASE("insert/64", "a map of 64 keys built from empty", 100, run_insert,
             hit_64),
    MAP_CASE("insert/4096", "a map of 4,096 keys built from empty", 4,
             run_insert, hit_4096),
    PROBE_CASE("identity_probe_hits/8", "8 identities that are cached", 500,
               identity, 0),
    PROBE_CASE("identity_probe_hits/64", "64 identities that are cached", 100,
               identity, 1),
    PROBE_CASE("identity_probe_misses/8", "8 that are not, of 8", 500,
               identity, 2),
    PROBE_CASE("identity_probe_misses/64", "64 that are not, of 64", 100,
               identity, 3),
    PROBE_CASE("address_probe/8", "8 addresses in a map of 8", 1000, address,
               0),
    PROBE_CASE("address_probe/64", "64 addresses in a map of 64", 200, address,
               1),
};

const struct bench_suite map_suite = BENCH_SUITE("map", cases);
