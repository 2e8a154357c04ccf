/* SPDX-License-Identifier: MIT */
/* A subject of its own: the reader beside its peers, on the same tiles, for
 * `make peers`.  All cases return the same sum. */
#include "mvt/mvt_case_state.h"
#include "mvt/peer/mvt_protozero.h"

#define REAL_SIZE 32509758

static const struct mvt_case_input real = {.set = MVT_TILES_REAL};

static uint64_t run_protozero(void *state)
{
    const struct mvt_case_state *st = state;
    uint64_t sum = 0;

    for (size_t i = 0; i < st->count; i++)
        sum += mvt_protozero_traverse(st->tiles[i].data, st->tiles[i].size);
    return sum;
}

#define CASE(name, text, operation)                                           \
    {                                                                         \
        .id = "mvt_peer/traverse/" name, .about = text, .iters = 1,           \
        .bytes = REAL_SIZE, .setup = mvt_case_setup, .run = operation,        \
        .teardown = mvt_case_teardown, .arg = &real,                          \
    }

static const struct bench_case cases[] = {
    CASE("reader", "207 real tiles, points to a buffer",
         mvt_run_traverse_buffer),
    CASE("reader@reused", "the same with one reader and one buffer",
         mvt_run_traverse_reused),
    CASE("protozero", "207 real tiles by hand on protozero", run_protozero),
    CASE("protobuf-c", "207 real tiles decoded by protobuf-c and read",
         mvt_run_reference_traverse),
};

static const struct bench_suite mvt_peer_suite =
    BENCH_SUITE("mvt_peer", cases);

BENCH_SUBJECT(&mvt_peer_suite);
