/* SPDX-License-Identifier: MIT */
/*
 * The structural walk: one operation walks one document.  A case named
 * "...@reference" walks the same document with the plain variant.
 */
#include "harness/bench.h"
#include "msgpack/msgpack.h"
#include "msgpack/reference/msgpack_reference.h"
#include "msgpack/sample/msgpack_sample.h"

#define DEPTH_ENVELOPE 100 /* the bound for envelopes and payloads */
#define DEPTH_DEEP     1024

/** Puts a document: kind is what the input row says. */
typedef enum status put_document(uint64_t seed, uint32_t kind,
                                 struct sink *out);

/** Where a document comes from. */
struct msgpack_input {
    put_document *put; /* NULL: read `path` */
    uint32_t kind;     /* handed to put */
    size_t bound;      /* of the document's size, in bytes */
    size_t max_depth;
    const char *path; /* from the project's root */
};

struct msgpack_state {
    const uint8_t *in;
    size_t in_size;
    size_t max_depth;
};

/* ---- documents ---------------------------------------------------------- */

static enum status put_bin_shape(uint64_t seed, uint32_t shape,
                                 struct sink *out)
{
    return msgpack_sample_shape(seed, shape, MSGPACK_SAMPLE_BIN, out);
}

static enum status put_legacy_shape(uint64_t seed, uint32_t shape,
                                    struct sink *out)
{
    return msgpack_sample_shape(seed, shape, MSGPACK_SAMPLE_LEGACY, out);
}

static enum status put_deep(uint64_t seed, uint32_t depth, struct sink *out)
{
    (void)seed; /* a nest has no other form */
    return msgpack_sample_deep(MSGPACK_SAMPLE_ARRAYS, depth, out);
}

static void *setup_document(const struct bench_setup *s)
{
    const struct msgpack_input *input = s->arg;
    struct msgpack_state *state = bench_buffer(s, sizeof(*state));
    state->max_depth = input->max_depth;
    if (input->put == NULL) {
        state->in = bench_file(s, input->path, &state->in_size);
        return state;
    }
    uint8_t *bytes = bench_buffer(s, input->bound);
    struct sink out = sink_init(bytes, input->bound);
    if (input->put(s->seed, input->kind, &out) != ST_OK)
        return bench_fail(s, "the document does not fit its bound");
    bench_input_here(s, bytes, out.at);
    state->in = bytes;
    state->in_size = out.at;
    return state;
}

/* ---- operations --------------------------------------------------------- */

static uint64_t run_check(void *state)
{
    const struct msgpack_state *st = state;
    return msgpack_check(st->in, st->in_size, st->max_depth, NULL, NULL) + 1u;
}

static uint64_t run_document_size(void *state)
{
    const struct msgpack_state *st = state;
    size_t size = 0;
    enum msgpack_fault fault = msgpack_document_size(
        st->in, st->in_size, st->max_depth, NULL, &size, NULL);
    return fault == MSGPACK_OK ? size : 0;
}

static uint64_t run_reference(void *state)
{
    const struct msgpack_state *st = state;
    size_t size = 0;
    enum msgpack_fault fault = msgpack_reference_size(
        st->in, st->in_size, st->max_depth, NULL, &size, NULL);
    return fault == MSGPACK_OK ? size : 0;
}

/** All that a walk can say: its verdict, the size, and where it ended. */
static void work_walk(void *state, const struct bench_digest *d)
{
    const struct msgpack_state *st = state;
    struct msgpack_error error = {.fault = MSGPACK_OK};
    size_t size = 0;
    bench_digest_u64(d,
                     msgpack_document_size(st->in, st->in_size, st->max_depth,
                                           NULL, &size, &error));
    bench_digest_u64(d, size);
    bench_digest_u64(d, error.fault_at);
}

/* ---- the table ---------------------------------------------------------- */

#define SHAPE(put, shape)                                                     \
    {                                                                         \
        put, shape, MSGPACK_SAMPLE_SHAPE_BOUND, DEPTH_ENVELOPE, NULL          \
    }
#define RECORD_COUNT ((size_t)548)
#define MIX_COUNT    ((size_t)9000)
#define INT_COUNT    65000

static const struct msgpack_input bin_shapes[] = {
    SHAPE(put_bin_shape, 0),
    SHAPE(put_bin_shape, 1),
    SHAPE(put_bin_shape, 2),
};
static const struct msgpack_input legacy_shapes[] = {
    SHAPE(put_legacy_shape, 0),
    SHAPE(put_legacy_shape, 1),
    SHAPE(put_legacy_shape, 2),
};
static const struct msgpack_input records = {
    msgpack_sample_records, RECORD_COUNT,
    RECORD_COUNT *MSGPACK_SAMPLE_RECORD_BOUND + 5, DEPTH_ENVELOPE, NULL};
static const struct msgpack_input mixed = {
    msgpack_sample_mix, MIX_COUNT, MIX_COUNT * 64, DEPTH_ENVELOPE, NULL};
static const struct msgpack_input ints = {msgpack_sample_ints, INT_COUNT,
                                          INT_COUNT + 5, DEPTH_ENVELOPE, NULL};
static const struct msgpack_input deep[] = {
    {put_deep, 8, 17, DEPTH_DEEP, NULL},
    {put_deep, 9, 19, DEPTH_DEEP, NULL},
    {put_deep, 100, 201, DEPTH_DEEP, NULL},
    {put_deep, 1000, 2001, DEPTH_DEEP, NULL},
};
static const struct msgpack_input iso_3166_2 = {NULL, 0, 0, DEPTH_ENVELOPE,
                                                "data/iso/iso_3166-2.msgpack"};
static const struct msgpack_input iso_639_3 = {NULL, 0, 0, DEPTH_ENVELOPE,
                                               "data/iso/iso_639-3.msgpack"};

#define WALK_CASE(name, what, n, fn, in)                                      \
    {                                                                         \
        .id = "msgpack/" name, .about = what, .iters = (n),                   \
        .setup = setup_document, .run = (fn), .work = work_walk,              \
        .arg = &(in),                                                         \
    }

static const struct bench_case cases[] = {
    WALK_CASE("prescan/64", "envelope of 64 bytes of records, 13 items", 500,
              run_check, bin_shapes[0]),
    WALK_CASE("prescan/1024", "envelope of 1,024 bytes, 13 items", 500,
              run_check, bin_shapes[1]),
    WALK_CASE("prescan/65536", "envelope of 65,536 bytes, 13 items", 500,
              run_check, bin_shapes[2]),
    WALK_CASE("prescan/64@reference", "the same, plain", 200, run_reference,
              bin_shapes[0]),
    WALK_CASE("prescan/1024@reference", "the same, plain", 200, run_reference,
              bin_shapes[1]),
    WALK_CASE("prescan/65536@reference", "the same, plain", 200, run_reference,
              bin_shapes[2]),
    WALK_CASE("prescan_legacy/64", "block of 66 bytes as integers", 200,
              run_check, legacy_shapes[0]),
    WALK_CASE("prescan_legacy/1024", "block of 582 bytes as integers", 100,
              run_check, legacy_shapes[1]),
    WALK_CASE("prescan_legacy/65536", "block of 24,672 bytes as integers", 4,
              run_check, legacy_shapes[2]),
    WALK_CASE("prescan_legacy/65536@reference", "the same, plain", 2,
              run_reference, legacy_shapes[2]),
    WALK_CASE("document_len/65536", "envelope of 65,536 bytes, measured", 500,
              run_document_size, bin_shapes[2]),
    WALK_CASE("records/65536", "array of 548 records of 7 pairs", 8, run_check,
              records),
    WALK_CASE("records/65536@reference", "the same, plain", 2, run_reference,
              records),
    WALK_CASE("mixed/64k", "9,000 elements of all 36 kinds of marker", 8,
              run_check, mixed),
    WALK_CASE("mixed/64k@reference", "the same, plain", 2, run_reference,
              mixed),
    WALK_CASE("ints/64k", "array of 65,000 positive fixints", 8, run_check,
              ints),
    WALK_CASE("ints/64k@reference", "the same, plain", 1, run_reference, ints),
    WALK_CASE("deep/8", "8 arrays, one inside another", 500, run_check,
              deep[0]),
    WALK_CASE("deep/9", "9 arrays: one level on the heap", 500, run_check,
              deep[1]),
    WALK_CASE("deep/100", "100 arrays, one inside another", 200, run_check,
              deep[2]),
    WALK_CASE("deep/1000", "1,000 arrays, one inside another", 20, run_check,
              deep[3]),
    WALK_CASE("deep/8@reference", "the same as deep/8, plain", 200,
              run_reference, deep[0]),
    WALK_CASE("deep/9@reference", "the same as deep/9, plain", 200,
              run_reference, deep[1]),
    WALK_CASE("deep/100@reference", "the same as deep/100, plain", 50,
              run_reference, deep[2]),
    WALK_CASE("deep/1000@reference", "the same as deep/1000, plain", 5,
              run_reference, deep[3]),
    WALK_CASE("iso/3166-2", "ISO 3166-2, subdivisions of countries", 4,
              run_check, iso_3166_2),
    WALK_CASE("iso/639-3", "ISO 639-3, languages", 4, run_check, iso_639_3),
    WALK_CASE("iso/3166-2@reference", "the same, plain", 1, run_reference,
              iso_3166_2),
    WALK_CASE("iso/639-3@reference", "the same, plain", 1, run_reference,
              iso_639_3),
};

const struct bench_suite msgpack_suite = BENCH_SUITE("msgpack", cases);
