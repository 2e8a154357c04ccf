/* SPDX-License-Identifier: MIT */
/* The tiles that an operation works on, and what it does with them. */
#ifndef CASES_MVT_MVT_CASE_STATE_H
#define CASES_MVT_MVT_CASE_STATE_H

#include "harness/bench.h"
#include "mvt/mvt.h"
#include "mvt/sample/mvt_tiles.h"

/** Where the tiles of a case come from: a set of real ones, or one that is
 * made of the seed. */
struct mvt_case_input {
    size_t synth_size;     /* least size of a synthetic tile, in bytes */
    enum mvt_tile_set set; /* when synth_size is 0 */
    enum protobuf_path path;
};

/** One tile, and the owned form that writing cases begin with. */
struct mvt_case_tile {
    const uint8_t *data;
    size_t size;
    struct mvt_tile owned;
};

struct mvt_case_state {
    struct mvt_case_tile *tiles;
    size_t count;
    struct mvt_options options;
    struct mvt_reader reader; /* of the cases that use one again and again */
    struct mvt_buffer buffer;
    struct mvt_writer writer; /* of the writing cases */
};

/** Setups: the bytes alone, and with the owned form of each tile. */
void *mvt_case_setup(const struct bench_setup *s);
void *mvt_case_setup_owned(const struct bench_setup *s);
void mvt_case_teardown(void *state);

/* One operation on all tiles of a state; named as the cases are. */
uint64_t mvt_run_open(void *state);
uint64_t mvt_run_geometry(void *state);
uint64_t mvt_run_geometry_buffer(void *state);
uint64_t mvt_run_properties(void *state);
uint64_t mvt_run_traverse(void *state);
uint64_t mvt_run_traverse_buffer(void *state);
uint64_t mvt_run_traverse_reused(void *state); /* reader and buffer kept */
uint64_t mvt_run_to_tile(void *state);
uint64_t mvt_run_tags(void *state);
uint64_t mvt_run_encode_borrowed(void *state);
uint64_t mvt_run_encode_owned(void *state);
uint64_t mvt_run_reference_open(void *state);
uint64_t mvt_run_reference_traverse(void *state);

/** All that reading a state's tiles can give: their dumps. */
void mvt_work_read(void *state, const struct bench_digest *d);

/** All that writing gives: the bytes. */
void mvt_work_write(void *state, const struct bench_digest *d);

/** The numbers of mvt_run_tags. */
void mvt_work_tags(void *state, const struct bench_digest *d);

#endif
