/* SPDX-License-Identifier: MIT */
/*
 * Vector tiles: one operation works on all tiles of its input, from their
 * bytes to the sum of what it read.  "@portable" cases use no more than the
 * baseline processor has, "@reused" ones keep reader and buffer.
 *
 *   real       207 tiles, 32,509,758 bytes, 385,130 features
 *   decode33   33 of them: 10 small, 20 middling, the 3 largest
 *   encode30   the same without the 3 largest
 *   synth-*    one seeded tile in their proportions
 */
#include "mvt/mvt_case_state.h"

#define REAL_SIZE     32509758
#define DECODE33_SIZE 16163880
#define ENCODE30_SIZE 898749

#define INPUTS(path)                                                          \
    {                                                                         \
        {0, MVT_TILES_REAL, path}, {0, MVT_TILES_DECODE, path},               \
            {0, MVT_TILES_ENCODE, path}, {1024, MVT_TILES_REAL, path},        \
            {65536, MVT_TILES_REAL, path}, {1048576, MVT_TILES_REAL, path},   \
    }

enum { REAL, DECODE33, ENCODE30, SYNTH_1K, SYNTH_64K, SYNTH_1M };

static const struct mvt_case_input best[] = INPUTS(PROTOBUF_PATH_BEST);
static const struct mvt_case_input portable[] = INPUTS(PROTOBUF_PATH_PORTABLE);
static const struct mvt_case_input sse41[] = INPUTS(PROTOBUF_PATH_SSE41);

#define CASE(name, words, input, text, count, size, make, operation, digest)  \
    {                                                                         \
        .id = "mvt/" name, .about = text, .tags = words, .iters = count,      \
        .bytes = size, .setup = make, .run = operation, .work = digest,       \
        .teardown = mvt_case_teardown, .arg = &(input),                       \
    }

/* The inputs of a reading case. */
#define ON_REAL(op, at, input, run, work)                                     \
    CASE(op "/real" at, "slow", (input)[REAL], op " of 207 real tiles", 1,    \
         REAL_SIZE, mvt_case_setup, run, work)
/* Two operations: libc's heap takes as many to settle when there are blocks of
 * 10 MB, and the block of the warm-up has them behind it. */
#define ON_DECODE33(op, at, input, run, work)                                 \
    CASE(op "/decode33" at, "slow", (input)[DECODE33],                        \
         op " of 33 real tiles", 2, DECODE33_SIZE, mvt_case_setup, run, work)
#define ON_SYNTH_1K(op, at, input, run, work)                                 \
    CASE(op "/synth-1k" at, NULL, (input)[SYNTH_1K],                          \
         op " of a seeded tile of 1 KiB", 20, 1024, mvt_case_setup, run,      \
         work)
#define ON_SYNTH_64K(op, at, input, run, work)                                \
    CASE(op "/synth-64k" at, NULL, (input)[SYNTH_64K],                        \
         op " of a seeded tile of 64 KiB", 2, 65536, mvt_case_setup, run,     \
         work)
#define ON_SYNTH_1M(op, at, input, run, work)                                 \
    CASE(op "/synth-1m" at, NULL, (input)[SYNTH_1M],                          \
         op " of a seeded tile of 1 MiB", 1, 1048576, mvt_case_setup, run,    \
         work)

#define ON_ALL(op, at, input, run, work)                                      \
    ON_REAL(op, at, input, run, work), ON_DECODE33(op, at, input, run, work), \
        ON_SYNTH_1K(op, at, input, run, work),                                \
        ON_SYNTH_64K(op, at, input, run, work),                               \
        ON_SYNTH_1M(op, at, input, run, work)

/* Other paths, on the inputs that tell most. */
#define ON_SOME(op, at, input, run)                                           \
    ON_REAL(op, at, input, run, mvt_work_read),                               \
        ON_SYNTH_64K(op, at, input, run, mvt_work_read)

static const struct bench_case cases[] = {
    ON_ALL("open", "", best, mvt_run_open, mvt_work_read),
    ON_ALL("geometry", "", best, mvt_run_geometry, mvt_work_read),
    ON_ALL("geometry_buffer", "", best, mvt_run_geometry_buffer,
           mvt_work_read),
    ON_ALL("properties", "", best, mvt_run_properties, mvt_work_read),
    ON_ALL("traverse", "", best, mvt_run_traverse, mvt_work_read),
    ON_ALL("traverse_buffer", "", best, mvt_run_traverse_buffer,
           mvt_work_read),
    ON_ALL("to_tile", "", best, mvt_run_to_tile, mvt_work_read),
    ON_ALL("tags", "", best, mvt_run_tags, mvt_work_tags),

    ON_SOME("open", "@portable", portable, mvt_run_open),
    ON_SOME("geometry", "@portable", portable, mvt_run_geometry),
    ON_SOME("geometry_buffer", "@portable", portable, mvt_run_geometry_buffer),
    ON_SOME("properties", "@portable", portable, mvt_run_properties),
    ON_SOME("traverse", "@portable", portable, mvt_run_traverse),
    ON_SOME("traverse_buffer", "@portable", portable, mvt_run_traverse_buffer),
    ON_SOME("traverse_buffer", "@sse41", sse41, mvt_run_traverse_buffer),
    ON_SOME("traverse_buffer", "@reused", best, mvt_run_traverse_reused),

    CASE("encode/borrowed/encode30", NULL, best[ENCODE30],
         "30 owned tiles to bytes", 1, ENCODE30_SIZE, mvt_case_setup_owned,
         mvt_run_encode_borrowed, mvt_work_write),
    CASE("encode/borrowed/synth-64k", NULL, best[SYNTH_64K],
         "an owned tile of 64 KiB to bytes", 2, 65536, mvt_case_setup_owned,
         mvt_run_encode_borrowed, mvt_work_write),
    CASE("encode/owned/encode30", NULL, best[ENCODE30],
         "30 owned tiles copied and given away to bytes", 1, ENCODE30_SIZE,
         mvt_case_setup_owned, mvt_run_encode_owned, mvt_work_write),
    CASE("encode/owned/synth-64k", NULL, best[SYNTH_64K],
         "an owned tile of 64 KiB copied and given away to bytes", 2, 65536,
         mvt_case_setup_owned, mvt_run_encode_owned, mvt_work_write),

    CASE("reference/open/real", "slow", best[REAL],
         "207 real tiles decoded by protobuf-c", 1, REAL_SIZE, mvt_case_setup,
         mvt_run_reference_open, mvt_work_read),
    CASE("reference/traverse/real", "slow", best[REAL],
         "207 real tiles decoded by protobuf-c and read", 1, REAL_SIZE,
         mvt_case_setup, mvt_run_reference_traverse, mvt_work_read),
};

const struct bench_suite mvt_suite = BENCH_SUITE("mvt", cases);
