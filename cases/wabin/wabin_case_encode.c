/* SPDX-License-Identifier: MIT */
/* Operations that write: encoding, and decoding what is encoded again. */
#include "wabin/wabin_cases.h"

#include "base/sink.h"

#define SINK_CAPACITY 4096

struct marshal_state {
    marshal_fn *marshal;
    const struct wabin_node *tree;
    struct wabin_doc trees; /* the tree's */
    struct wabin_doc doc;   /* of round trips */
    const uint8_t *frame;   /* of round trips */
    size_t frame_size;
    struct wabin_buf out;
    uint8_t gathered[SINK_CAPACITY]; /* of sinks */
};

void *setup_marshal(const struct bench_setup *s)
{
    const struct marshal_input *input = s->arg;
    struct marshal_state *st = bench_buffer(s, sizeof(*st));

    st->marshal = input->marshal;
    wabin_doc_init(&st->trees, NULL);
    wabin_doc_init(&st->doc, NULL);
    st->tree = case_tree(s, &st->trees, input->sample);
    if (st->tree == NULL ||
        wabin_marshal_plain(st->tree, &st->out, NULL) != WABIN_OK)
        return NULL;
    uint8_t *frame = bench_buffer(s, st->out.size);
    memcpy(frame, st->out.data, st->out.size);
    st->frame = frame;
    st->frame_size = st->out.size;
    wabin_buf_release(&st->out);
    return st;
}

uint64_t run_marshal(void *state)
{
    struct marshal_state *st = state;

    if (st->marshal(st->tree, &st->out, NULL) != WABIN_OK)
        return 0;
    uint64_t seen = st->out.size + st->out.data[st->out.size - 1];
    wabin_buf_release(&st->out);
    return seen;
}

void work_marshal(void *state, const struct bench_digest *d)
{
    struct marshal_state *st = state;

    if (st->marshal(st->tree, &st->out, NULL) == WABIN_OK)
        bench_digest(d, st->out.data, st->out.size);
    wabin_buf_release(&st->out);
}

/* ---- sinks -------------------------------------------------------------- */

static enum status put_piece(void *ctx, const void *data, size_t size)
{
    return sink_put(ctx, data, size);
}

static size_t marshal_sink(struct marshal_state *st)
{
    struct sink gathered = sink_init(st->gathered, sizeof(st->gathered));
    struct wabin_sink sink = {put_piece, &gathered};

    return wabin_marshal_sink(st->tree, &sink, NULL) == WABIN_OK ? gathered.at
                                                                 : 0;
}

uint64_t run_marshal_sink(void *state)
{
    struct marshal_state *st = state;
    size_t size = marshal_sink(st);

    return size + st->gathered[size / 2];
}

void work_marshal_sink(void *state, const struct bench_digest *d)
{
    struct marshal_state *st = state;
    size_t size = marshal_sink(st);

    bench_digest(d, st->gathered, size);
}

/* ---- there and back ----------------------------------------------------- */

static bool roundtrip(struct marshal_state *st)
{
    const struct wabin_node *root;

    wabin_doc_reset(&st->doc);
    return wabin_decode_frame(&st->doc, st->frame, st->frame_size, &root,
                              NULL) == WABIN_OK &&
           st->marshal(root, &st->out, NULL) == WABIN_OK;
}

uint64_t run_roundtrip(void *state)
{
    struct marshal_state *st = state;

    if (!roundtrip(st))
        return 0;
    uint64_t seen = st->out.size + st->out.data[st->out.size - 1];
    wabin_buf_release(&st->out);
    return seen;
}

void work_roundtrip(void *state, const struct bench_digest *d)
{
    struct marshal_state *st = state;

    if (roundtrip(st))
        bench_digest(d, st->out.data, st->out.size);
    wabin_buf_release(&st->out);
}

void teardown_marshal(void *state)
{
    struct marshal_state *st = state;
    wabin_doc_release(&st->trees);
    wabin_doc_release(&st->doc);
    wabin_buf_release(&st->out);
}
