/* SPDX-License-Identifier: MIT */
/* Random trees come back as they went; random and damaged frames are read
 * alike by both decoders, within their bounds. */
#include "base/prng.h"
#include "testkit/testkit.h"
#include "wabin/reference/wabin_ref.h"
#include "wabin/sample/wabin_sample.h"
#include "wabin/tests/wabin_kept.h"
#include "wabin/wabin.h"

#include <stdlib.h>

#define TREES       2048
#define FRAMES      100000
#define FRAME_MAX   1536
#define MUTATIONS   4
#define RESERVE_MAX (64 * FRAME_MAX + 1024)

/* ---- trees ------------------------------------------------------------- */

/* Text of up to max characters out of a set. */
static struct wabin_str text(struct wabin_doc *doc, uint64_t *rng,
                             const char *set, size_t least, size_t max)
{
    char bytes[64];
    struct wabin_str copy;
    size_t size = least + prng_below(rng, max - least + 1);

    for (size_t i = 0; i < size; i++)
        bytes[i] = set[prng_below(rng, strlen(set))];
    assert_true(wabin_doc_copy(doc, wabin_str(bytes, size), &copy));
    return copy;
}

static const char letters[] = "abcxyzABF019-._:!";

static struct wabin_value value(struct wabin_doc *doc, uint64_t *rng)
{
    static const enum wabin_server servers[] = {
        WABIN_SERVER_PN, WABIN_SERVER_LID, WABIN_SERVER_HOSTED,
        WABIN_SERVER_HOSTED_LID};
    static const enum wabin_server others[] = {
        WABIN_SERVER_GROUP, WABIN_SERVER_BOT, WABIN_SERVER_CALL,
        WABIN_SERVER_INTEROP};
    struct wabin_jid jid = {.user = text(doc, rng, letters, 0, 16)};

    switch (prng_below(rng, 4)) {
    case 0: /* with every device that the wire has */
        jid.server = (uint8_t)servers[prng_below(rng, 4)];
        jid.device = (uint16_t)prng_below(rng, 256);
        return wabin_value_jid(jid);
    case 1:
        jid.server = (uint8_t)others[prng_below(rng, 4)];
        return wabin_value_jid(jid);
    default:
        return wabin_value_text(text(doc, rng, letters, 0, 40));
    }
}

static void grow(struct wabin_doc *doc, uint64_t *rng, struct wabin_node *node,
                 unsigned depth)
{
    node->tag = text(doc, rng, letters, 0, 16);
    for (uint64_t i = prng_below(rng, 5); i > 0; i--)
        assert_true(wabin_push_attr(doc, node, text(doc, rng, letters, 0, 16),
                                    value(doc, rng)));
    uint64_t kind = prng_below(rng, depth < 5 ? 4 : 3);
    if (kind == 1) {
        struct wabin_str bytes = text(doc, rng, letters, 0, 40);
        wabin_set_bytes(node, bytes.data, bytes.size);
    } else if (kind == 2) {
        wabin_set_text(node, text(doc, rng, "0123456789-.", 1, 16));
    } else if (kind == 3) {
        size_t count = 1 + prng_below(rng, 4);
        struct wabin_node *list = wabin_new_children(doc, node, count);
        assert_non_null(list);
        for (size_t i = 0; i < count; i++)
            grow(doc, rng, &list[i], depth + 1);
    }
}

static void test_trees_come_back(void **state)
{
    (void)state;
    struct wabin_doc doc, back;
    struct wabin_buf out = {0};
    uint64_t rng = 20240229;

    wabin_doc_init(&doc, NULL);
    wabin_doc_init(&back, NULL);
    for (size_t i = 0; i < TREES; i++) {
        struct wabin_node *tree = wabin_node_new(&doc, WABIN_STR(""));
        const struct wabin_node *root = NULL;
        grow(&doc, &rng, tree, 0);
        CHECK_ENUM(wabin_status_name, WABIN_OK,
                   wabin_marshal_exact(tree, &out, NULL));
        CHECK_ENUM(wabin_status_name, WABIN_OK,
                   wabin_decode_frame(&back, out.data, out.size, &root, NULL));
        CHECK_BOOL(true, wabin_node_equal(tree, root));
        wabin_doc_reset(&doc);
        wabin_doc_reset(&back);
    }
    wabin_buf_release(&out);
    wabin_doc_release(&doc);
    wabin_doc_release(&back);
}

/* ---- frames ------------------------------------------------------------ */

/** Docs that unpack in different ways must not differ in anything else. */
struct readers {
    struct wabin_doc fast;
    struct wabin_doc table;
    struct wabin_doc again;
};

static void check_same_error(const struct wabin_error *want,
                             const struct wabin_error *got)
{
    CHECK_ENUM(wabin_status_name, want->status, got->status);
    CHECK_U64(want->cause, got->cause);
    CHECK_SIZE(want->at, got->at);
    CHECK_U64(want->number, got->number);
    CHECK_U64(want->length, got->length);
    if (want->text.size != 0) /* borrowed from the input by both */
        CHECK_BYTES(want->text.data, want->text.size, got->text.data,
                    got->text.size);
}

/* Decode, encode, decode: from the first encoding on, nothing changes. */
static void check_stable(struct wabin_doc *doc, const struct wabin_node *root)
{
    struct wabin_buf first = {0}, second = {0};
    const struct wabin_node *back;

    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_marshal_exact(root, &first, NULL));
    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_decode_frame(doc, first.data, first.size, &back, NULL));
    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_marshal_plain(back, &second, NULL));
    CHECK_BYTES(first.data, first.size, second.data, second.size);
    wabin_doc_reset(doc);
    wabin_buf_release(&first);
    wabin_buf_release(&second);
}

static void check_frame(struct readers *r, const uint8_t *in, size_t size)
{
    const struct wabin_node *root, *other;
    struct wabin_error error = {0}, table_error = {0}, want = {0};
    struct ref_node ref;
    enum wabin_status status, table_status, ref_status;

    wabin_doc_reset(&r->fast);
    wabin_doc_reset(&r->table);
    status = wabin_decode(&r->fast, in, size, &root, &error);
    table_status = wabin_decode(&r->table, in, size, &other, &table_error);
    ref_status = wabin_ref_decode(in, size, NULL, &ref, &want);
    CHECK_ENUM(wabin_status_name, ref_status, status);
    CHECK_ENUM(wabin_status_name, ref_status, table_status);
    if (status == WABIN_OK) {
        CHECK_BOOL(true, wabin_ref_equal(&ref, root));
        CHECK_BOOL(true, wabin_node_equal(root, other));
        if (is_kept(root))
            check_stable(&r->again, root);
    } else {
        check_same_error(&want, &error);
        check_same_error(&want, &table_error);
    }
    wabin_ref_free(&ref, NULL);
}

/* Damage some bytes, or cut or repeat a part. */
static size_t mutate(uint64_t *rng, uint8_t *bytes, size_t size)
{
    static const uint8_t tags[] = {0x00, 0x03, 0xec, 0xef, 0xf0, 0xf5, 0xf6,
                                   0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd,
                                   0xfe, 0xff, 0x80, 0xc0, 0xe2, 0x7f};

    for (uint64_t i = 1 + prng_below(rng, MUTATIONS); i > 0 && size > 1; i--) {
        size_t at = prng_below(rng, size), n = prng_below(rng, 8);
        switch (prng_below(rng, 6)) {
        case 0:
            bytes[at] ^= (uint8_t)(1u << prng_below(rng, 8));
            break;
        case 1:
            bytes[at] = (uint8_t)prng_below(rng, 256);
            break;
        case 2:
            size = at + 1;
            break;
        case 3: /* take n bytes out */
            n = n < size - at ? n : size - at - 1;
            memmove(bytes + at, bytes + at + n, size - at - n);
            size -= n;
            break;
        default:
            bytes[at] = tags[prng_below(rng, sizeof(tags))];
        }
    }
    return size;
}

static size_t random_frame(uint64_t *rng, const struct wabin_buf *seeds,
                           uint8_t *bytes)
{
    if (prng_below(rng, 8) == 0) {
        size_t size = prng_below(rng, 64);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)prng_below(rng, 256);
        return size;
    }
    const struct wabin_buf *seed =
        &seeds[prng_below(rng, WABIN_SAMPLE_JID_HEAVY + 1)];
    size_t size = seed->size - 1;
    if (size > FRAME_MAX)
        size = FRAME_MAX;
    memcpy(bytes, seed->data + 1, size);
    return mutate(rng, bytes, size);
}

static void test_damaged_frames(void **state)
{
    (void)state;
    struct alloc_probe probe = {0};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct wabin_doc_options fast = {.alloc = &alloc};
    struct wabin_doc_options table = {.unpack = wabin_unpack_table};
    struct wabin_buf seeds[WABIN_SAMPLE_JID_HEAVY + 1] = {0};
    struct readers r;
    uint64_t rng = 7;

    wabin_doc_init(&r.fast, &fast);
    wabin_doc_init(&r.table, &table);
    wabin_doc_init(&r.again, NULL);
    for (enum wabin_sample s = 0; s <= WABIN_SAMPLE_JID_HEAVY; s++) {
        const struct wabin_node *tree = wabin_sample_tree(&r.again, s, 0);
        CHECK_ENUM(wabin_status_name, WABIN_OK,
                   wabin_marshal_plain(tree, &seeds[s], NULL));
    }
    for (size_t i = 0; i < FRAMES; i++) {
        uint8_t bytes[FRAME_MAX];
        size_t size = random_frame(&rng, seeds, bytes);
        /* Most of the time is the guard page: one frame in 16 has one. */
        if (i % 16 != 0) {
            check_frame(&r, bytes, size);
            continue;
        }
        const uint8_t *in = guard_copy(bytes, size);
        check_frame(&r, in, size);
        guard_free(in, size);
    }
    if (probe.peak_size > RESERVE_MAX)
        CHECK_FAIL("%zu bytes reserved for at most %d", probe.peak_size,
                   FRAME_MAX);
    for (enum wabin_sample s = 0; s <= WABIN_SAMPLE_JID_HEAVY; s++)
        wabin_buf_release(&seeds[s]);
    wabin_doc_release(&r.fast);
    wabin_doc_release(&r.table);
    wabin_doc_release(&r.again);
    CHECK_SIZE(0, probe.live_count);
}

/* Every proper beginning of a good frame ends too early. */
static void test_proper_prefixes(void **state)
{
    (void)state;
    struct wabin_buf frame = {0};
    struct wabin_doc doc, trees;

    wabin_doc_init(&doc, NULL);
    wabin_doc_init(&trees, NULL);
    for (enum wabin_sample s = 0; s <= WABIN_SAMPLE_JID_HEAVY; s++) {
        CHECK_ENUM(wabin_status_name, WABIN_OK,
                   wabin_marshal_plain(wabin_sample_tree(&trees, s, 0), &frame,
                                       NULL));
        for (size_t size = 0; size + 1 < frame.size; size++) {
            const uint8_t *in = guard_copy(frame.data + 1, size);
            const struct wabin_node *root;
            struct wabin_error error;
            wabin_doc_reset(&doc);
            CHECK_ENUM(wabin_status_name, WABIN_EOF,
                       wabin_decode(&doc, in, size, &root, &error));
            if (error.at > size)
                CHECK_FAIL("offset %zu of %zu bytes", error.at, size);
            guard_free(in, size);
        }
    }
    wabin_buf_release(&frame);
    wabin_doc_release(&doc);
    wabin_doc_release(&trees);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees_come_back),
        cmocka_unit_test(test_damaged_frames),
        cmocka_unit_test(test_proper_prefixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
