/* SPDX-License-Identifier: MIT */
/* Packed views: check and count a payload, read every element, step over all
 * of them.  Payloads have elements of one, two and three bytes as 63 to 23 to
 * 14, which is how the tags of real tiles are. */
#include "harness/bench.h"
#include "mvt/sample/mvt_sample.h"
#include "protobuf/protobuf_packed.h"

struct packed_state {
    const uint8_t *payload;
    size_t size;
};

static void *setup_payload(const struct bench_setup *s)
{
    const size_t *size = s->arg;
    struct packed_state *st = bench_buffer(s, sizeof(*st));
    uint8_t *payload = bench_buffer(s, *size);

    mvt_sample_packed(s->seed, payload, *size);
    bench_input_here(s, payload, *size);
    *st = (struct packed_state){payload, *size};
    return st;
}

/* The operations of a codec; each makes its view. */
#define DEFINE_RUNS(codec, T)                                                 \
    static uint64_t run_check_##codec(void *state)                            \
    {                                                                         \
        const struct packed_state *st = state;                                \
        struct protobuf_packed_##codec view;                                  \
        return protobuf_packed_##codec##_from(&view, st->payload, st->size,   \
                                              NULL) == PROTOBUF_OK            \
                   ? view.count                                               \
                   : 0;                                                       \
    }                                                                         \
    static uint64_t run_iterate_##codec(void *state)                          \
    {                                                                         \
        const struct packed_state *st = state;                                \
        struct protobuf_packed_##codec view;                                  \
        struct protobuf_packed_##codec##_iter iter;                           \
        uint64_t sum = 0;                                                     \
        T element;                                                            \
        if (protobuf_packed_##codec##_from(&view, st->payload, st->size,      \
                                           NULL) != PROTOBUF_OK)              \
            return 0;                                                         \
        iter = protobuf_packed_##codec##_iter(&view);                         \
        while (protobuf_packed_##codec##_next(&iter, &element))               \
            sum += (uint64_t)element;                                         \
        return sum;                                                           \
    }                                                                         \
    static uint64_t run_skip_##codec(void *state)                             \
    {                                                                         \
        const struct packed_state *st = state;                                \
        struct protobuf_packed_##codec view;                                  \
        struct protobuf_packed_##codec##_iter iter;                           \
        if (protobuf_packed_##codec##_from(&view, st->payload, st->size,      \
                                           NULL) != PROTOBUF_OK)              \
            return 0;                                                         \
        iter = protobuf_packed_##codec##_iter(&view);                         \
        return protobuf_packed_##codec##_skip(&iter, iter.left);              \
    }                                                                         \
    static void work_##codec(void *state, const struct bench_digest *d)       \
    {                                                                         \
        const struct packed_state *st = state;                                \
        struct protobuf_packed_##codec view;                                  \
        struct protobuf_packed_##codec##_iter iter;                           \
        T element;                                                            \
        bench_digest_u64(d, protobuf_packed_##codec##_from(                   \
                                &view, st->payload, st->size, NULL));         \
        bench_digest_u64(d, view.count);                                      \
        iter = protobuf_packed_##codec##_iter(&view);                         \
        while (protobuf_packed_##codec##_next(&iter, &element))               \
            bench_digest_u64(d, (uint64_t)element);                           \
    }

DEFINE_RUNS(uint32, uint32_t)
DEFINE_RUNS(sint32, int32_t)

static const size_t size_1k = 1024, size_64k = 65536;

#define CASE(op, codec, size_name, size_arg, size_bytes, count)               \
    {                                                                         \
        .id = "protobuf/packed/" #op "/" #codec "-" size_name,                \
        .about = #op " a packed view of " #codec ", " size_name,              \
        .iters = count, .bytes = size_bytes, .setup = setup_payload,          \
        .run = run_##op##_##codec, .work = work_##codec, .arg = &(size_arg),  \
    }
#define CASES(op, codec)                                                      \
    CASE(op, codec, "1k", size_1k, 1024, 50),                                 \
        CASE(op, codec, "64k", size_64k, 65536, 2)

static const struct bench_case cases[] = {
    CASES(check, uint32), CASES(check, sint32),   CASES(iterate, uint32),
    CASES(skip, uint32),  CASES(iterate, sint32), CASES(skip, sint32),
};

const struct bench_suite protobuf_suite = BENCH_SUITE("protobuf", cases);
