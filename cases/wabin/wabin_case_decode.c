/* SPDX-License-Identifier: MIT */
/* Operations that read: decoding, packed strings, and frames. */
#include "wabin/wabin_cases.h"

#include <stdbool.h>
#include <zlib.h>

#include "wabin/reference/wabin_ref.h"

/* ---- decoding ----------------------------------------------------------- */

struct unmarshal_state {
    const uint8_t *nodes;
    size_t size;
    struct wabin_doc_options options;
    struct wabin_doc doc; /* of the warm cases */
};

void *setup_unmarshal(const struct bench_setup *s)
{
    const struct unmarshal_input *input = s->arg;
    struct unmarshal_state *st = bench_buffer(s, sizeof(*st));
    struct case_frame frame = case_frame(s, input->sample);

    if (frame.data == NULL)
        return NULL;
    st->nodes = frame.data + 1;
    st->size = frame.size - 1;
    st->options.unpack = input->unpack;
    wabin_doc_init(&st->doc, &st->options);
    return st;
}

/* Something of the tree, or 0. */
static uint64_t decode(struct wabin_doc *doc, const struct unmarshal_state *st)
{
    const struct wabin_node *root;

    if (wabin_decode(doc, st->nodes, st->size, &root, NULL) != WABIN_OK)
        return 0;
    return 1 + root->attr_count + root->content_size;
}

uint64_t run_unmarshal(void *state)
{
    struct unmarshal_state *st = state;
    struct wabin_doc doc;

    wabin_doc_init(&doc, &st->options);
    uint64_t seen = decode(&doc, st);
    wabin_doc_release(&doc);
    return seen;
}

uint64_t run_unmarshal_warm(void *state)
{
    struct unmarshal_state *st = state;

    wabin_doc_reset(&st->doc);
    return decode(&st->doc, st);
}

uint64_t run_unmarshal_reference(void *state)
{
    struct unmarshal_state *st = state;
    struct ref_node root;
    struct wabin_error error;

    enum wabin_status status =
        wabin_ref_decode(st->nodes, st->size, NULL, &root, &error);
    uint64_t seen = status == WABIN_OK ? 1 + root.attr_count : 0;
    wabin_ref_free(&root, NULL);
    return seen;
}

void work_unmarshal(void *state, const struct bench_digest *d)
{
    struct unmarshal_state *st = state;
    const struct wabin_node *root;

    wabin_doc_reset(&st->doc);
    if (wabin_decode(&st->doc, st->nodes, st->size, &root, NULL) == WABIN_OK)
        case_digest_tree(d, root);
}

void teardown_unmarshal(void *state)
{
    struct unmarshal_state *st = state;
    wabin_doc_release(&st->doc);
}

/* ---- packed strings ----------------------------------------------------- */

#define BEFORE 16 /* bytes of the frame around the value */
#define BEHIND 16

struct packed_state {
    const struct packed_input *input;
    wabin_unpack_fn *unpack;
    const uint8_t *in;
    size_t in_size;
    struct wabin_window window;
    char out[2 * WABIN_PACKED_MAX + WABIN_DOC_SLACK];
};

void *setup_packed(const struct bench_setup *s)
{
    const struct packed_input *input = s->arg;
    struct packed_state *st = bench_buffer(s, sizeof(*st));
    char text[2 * WABIN_PACKED_MAX];
    uint8_t frame[BEFORE + WABIN_PACKED_MAX + BEHIND] = {0};

    st->input = input;
    st->in_size = (input->size + 1) / 2;
    for (size_t i = 0; i < input->size; i++)
        text[i] = input->digits[(i + s->seed) % strlen(input->digits)];
    wabin_pack_text(wabin_str(text, input->size), frame + BEFORE);
    size_t size = BEFORE + st->in_size + BEHIND;
    st->window.start = bench_input(s, frame, size);
    st->window.end = st->window.start + size;
    st->in = st->window.start + BEFORE;
    st->unpack =
        input->unpack != NULL ? input->unpack : wabin_unpack_fastest();
    return st;
}

uint64_t run_packed(void *state)
{
    struct packed_state *st = state;
    const uint8_t *end = st->unpack(st->in, st->in_size, &st->window,
                                    st->input->alphabet, st->out);
    return (uint64_t)(end != NULL) + (uint8_t)st->out[0];
}

void work_packed(void *state, const struct bench_digest *d)
{
    struct packed_state *st = state;
    uint64_t done = run_packed(st);

    bench_digest_u64(d, done);
    bench_digest(d, st->out, 2 * st->in_size);
}

/* ---- frames ------------------------------------------------------------- */

struct unpack_state {
    const uint8_t *frame;
    size_t size;
    struct wabin_unpacker unpacker;
    struct wabin_buf out;
};

/* The compressed form of a frame, at the default level. */
static void compress_frame(const struct bench_setup *s,
                           struct unpack_state *st, struct case_frame plain)
{
    uLongf size = compressBound(plain.size - 1);
    uint8_t *frame = bench_buffer(s, size + 1);

    frame[0] = 2;
    if (compress(frame + 1, &size, plain.data + 1, plain.size - 1) != Z_OK) {
        bench_fail(s, "zlib does not compress");
        return;
    }
    st->frame = frame;
    st->size = size + 1;
}

void *setup_unpack(const struct bench_setup *s)
{
    const bool *compressed = s->arg;
    struct unpack_state *st = bench_buffer(s, sizeof(*st));
    struct case_frame frame =
        case_frame(s, *compressed ? WABIN_SAMPLE_USYNC : WABIN_SAMPLE_LARGE);

    wabin_unpacker_init(&st->unpacker, WABIN_UNPACK_MAX, NULL);
    st->frame = frame.data;
    st->size = frame.size;
    if (frame.data != NULL && *compressed) {
        st->frame = NULL;
        compress_frame(s, st, frame);
    }
    return st->frame != NULL ? st : NULL;
}

uint64_t run_unpack(void *state)
{
    struct unpack_state *st = state;
    struct wabin_nodes nodes;

    if (wabin_unpack(&st->unpacker, st->frame, st->size, &st->out, &nodes,
                     NULL) != WABIN_OK)
        return 0;
    return nodes.size + nodes.data[0];
}

void work_unpack(void *state, const struct bench_digest *d)
{
    struct unpack_state *st = state;
    struct wabin_nodes nodes = {0};

    if (wabin_unpack(&st->unpacker, st->frame, st->size, &st->out, &nodes,
                     NULL) == WABIN_OK)
        bench_digest(d, nodes.data, nodes.size);
}

void teardown_unpack(void *state)
{
    struct unpack_state *st = state;
    wabin_unpacker_release(&st->unpacker);
    wabin_buf_release(&st->out);
}
