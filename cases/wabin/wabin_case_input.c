/* SPDX-License-Identifier: MIT */
/* Inputs of the wabin cases, and digests of what they make. */
#include "wabin/wabin_cases.h"

const struct wabin_node *case_tree(const struct bench_setup *s,
                                   struct wabin_doc *doc,
                                   enum wabin_sample sample)
{
    const struct wabin_node *tree = wabin_sample_tree(doc, sample, s->seed);
    struct wabin_buf frame = {0};

    if (tree == NULL || wabin_marshal_plain(tree, &frame, NULL) != WABIN_OK) {
        bench_fail(s, "no memory for the tree");
        return NULL;
    }
    bench_input(s, frame.data, frame.size);
    wabin_buf_release(&frame);
    return tree;
}

struct case_frame case_frame(const struct bench_setup *s,
                             enum wabin_sample sample)
{
    struct case_frame frame = {NULL, 0};
    struct wabin_buf out = {0};
    struct wabin_doc doc;

    wabin_doc_init(&doc, NULL);
    const struct wabin_node *tree = wabin_sample_tree(&doc, sample, s->seed);
    if (tree != NULL && wabin_marshal_plain(tree, &out, NULL) == WABIN_OK) {
        frame.data = bench_input(s, out.data, out.size);
        frame.size = out.size;
    } else {
        bench_fail(s, "no memory for the frame");
    }
    wabin_buf_release(&out);
    wabin_doc_release(&doc);
    return frame;
}

/* ---- digests ------------------------------------------------------------ */

void case_digest_str(const struct bench_digest *d, struct wabin_str s)
{
    bench_digest_u64(d, s.size);
    bench_digest(d, s.data, s.size);
}

void case_digest_jid(const struct bench_digest *d, const struct wabin_jid *jid)
{
    case_digest_str(d, jid->user);
    bench_digest_u64(d, jid->server);
    bench_digest_u64(d, jid->agent);
    bench_digest_u64(d, jid->device);
    bench_digest_u64(d, jid->integrator);
}

static void digest_attr(const struct bench_digest *d,
                        const struct wabin_attr *attr)
{
    case_digest_str(d, attr->key);
    bench_digest_u64(d, attr->value.kind);
    const struct wabin_jid jid = wabin_value_get_jid(&attr->value);
    case_digest_jid(d, &jid);
}

void case_digest_tree(const struct bench_digest *d,
                      const struct wabin_node *node)
{
    case_digest_str(d, node->tag);
    bench_digest_u64(d, node->attr_count);
    for (uint32_t i = 0; i < node->attr_count; i++)
        digest_attr(d, &node->attrs[i]);
    bench_digest_u64(d, node->content);
    bench_digest_u64(d, node->content_size);
    if (node->content == WABIN_BYTES || node->content == WABIN_TEXT)
        bench_digest(d, node->data, node->content_size);
    for (size_t i = 0; node->content == WABIN_NODES && i < node->content_size;
         i++)
        case_digest_tree(d, &node->nodes[i]);
}
