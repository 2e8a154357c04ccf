/* SPDX-License-Identifier: MIT */
/* Probes of the identity cache and of a map keyed by addresses: one operation
 * is one pass over all n addresses, in order. */
#ifndef CASES_MAP_MAP_PROBE_H
#define CASES_MAP_MAP_PROBE_H

#include "harness/bench.h"
#include "signal_store/signal_store.h"

/** What a case looks up: n addresses of a salt, in what n of salt 0 fill. */
struct map_probe_input {
    size_t count;
    uint64_t salt;
};

/**
 * A store for a measured case.  One whose seed was not chosen would give
 * another figure each time: the case ends as not measured, and NULL is
 * returned, as when there is no memory.
 */
struct signal_store *map_probe_store(const struct bench_setup *s,
                                     struct signal_store_seed seed);

void *setup_identity_probe(const struct bench_setup *s);
uint64_t run_identity_probe(void *state); /* addresses with bytes */
void work_identity_probe(void *state, const struct bench_digest *d);

void *setup_address_probe(const struct bench_setup *s);
uint64_t run_address_probe(void *state); /* sum of the values */
void work_address_probe(void *state, const struct bench_digest *d);

void teardown_map_probe(void *state);

#endif
