/* SPDX-License-Identifier: MIT */
/* The ways to encode differ in capacity, calls and what stays after a
 * failure, and in nothing else. */
#include "base/sink.h"
#include "testkit/testkit.h"
#include "wabin/sample/wabin_sample.h"
#include "wabin/wabin.h"

#include <stdlib.h>

#define DEEP 1000 /* levels that encoding must be able to do */

static struct wabin_buf plain(const struct wabin_node *node)
{
    struct wabin_buf out = {0};

    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_marshal_plain(node, &out, NULL));
    return out;
}

static void check_agree(const struct wabin_node *node, size_t auto_capacity)
{
    struct wabin_buf want = plain(node), out = {0};

    CHECK_SIZE(auto_capacity, wabin_capacity_estimate(node));
    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_marshal_auto(node, &out, NULL));
    CHECK_BYTES(want.data, want.size, out.data, out.size);
    if (out.size <= auto_capacity)
        CHECK_SIZE(auto_capacity, out.capacity);
    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_marshal_exact(node, &out, NULL));
    CHECK_BYTES(want.data, want.size, out.data, out.size);
    CHECK_SIZE(want.size, out.capacity);
    wabin_buf_release(&want);
    wabin_buf_release(&out);
}

/* More than 32 KiB of children: 96 each, and for the first 32 of them their
 * tag (4) and their bytes (64 + 8). */
static void test_many_children(void **state)
{
    (void)state;
    static const uint8_t bytes[64];
    struct wabin_node root = {.tag = WABIN_STR("list")};
    struct wabin_doc doc;

    wabin_doc_init(&doc, NULL);
    struct wabin_node *child = wabin_new_children(&doc, &root, 512);
    assert_non_null(child);
    for (size_t i = 0; i < 512; i++) {
        child[i].tag = WABIN_STR("item");
        wabin_set_bytes(&child[i], bytes, sizeof(bytes));
    }
    check_agree(&root, 1040 + 4 + 96 * 512 + 32 * (4 + 64 + 8));
    wabin_doc_release(&doc);
}

/* More strings than a plan keeps without the heap. */
static void test_many_attributes(void **state)
{
    (void)state;
    struct wabin_attr attrs[40];
    struct wabin_node root = {
        .tag = WABIN_STR("iq"), .attrs = attrs, .attr_count = 40};

    for (size_t i = 0; i < 40; i++)
        attrs[i] = (struct wabin_attr){WABIN_STR("key"),
                                       wabin_value_bool(i % 2 == 0)};
    check_agree(&root, 1040 + 2 + 24 * 40);
    root.attr_count = 23; /* one less than large */
    check_agree(&root, 1024);
}

static void test_large_contents(void **state)
{
    (void)state;
    const size_t size = 1048576;
    char *bytes = calloc(size, 1);
    struct wabin_node root = {.tag = WABIN_STR("message")};

    wabin_set_bytes(&root, bytes, 10240);
    check_agree(&root, 1040 + 7 + 10240 + 8);
    wabin_set_bytes(&root, bytes, 8191);
    check_agree(&root, 1024);
    wabin_set_bytes(&root, bytes, size);
    check_agree(&root, 524288);
    free(bytes);
}

static void test_grandchildren_make_a_tree_large(void **state)
{
    (void)state;
    struct wabin_node root = {.tag = WABIN_STR("list")};
    struct wabin_doc doc;

    wabin_doc_init(&doc, NULL);
    struct wabin_node *child = wabin_new_children(&doc, &root, 2);
    assert_non_null(wabin_new_children(&doc, &child[1], 63));
    check_agree(&root, 1024);
    assert_non_null(wabin_new_children(&doc, &child[1], 64));
    check_agree(&root, 1040 + 4 + 96 * 2 + 40 * 64);
    wabin_doc_release(&doc);
}

static void test_deep_trees(void **state)
{
    (void)state;
    struct wabin_node *chain = calloc(DEEP, sizeof(*chain));

    for (size_t i = 0; i < DEEP; i++) {
        chain[i].tag = WABIN_STR("a");
        if (i + 1 < DEEP)
            wabin_set_nodes(&chain[i], &chain[i + 1], 1);
    }
    struct wabin_buf out = plain(chain);
    CHECK_SIZE(1 + (DEEP - 1) * 7 + 5, out.size);
    check_agree(chain, 1024);
    wabin_buf_release(&out);
    free(chain);
}

/* ---- buffers and sinks ------------------------------------------------- */

static void test_into_clears_and_keeps_the_capacity(void **state)
{
    (void)state;
    struct alloc_probe probe = {0};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct wabin_buf out = {.alloc = &alloc}, want;
    struct wabin_doc doc;

    wabin_doc_init(&doc, NULL);
    const struct wabin_node *large =
        wabin_sample_tree(&doc, WABIN_SAMPLE_FANOUT, 0);
    const struct wabin_node *small =
        wabin_sample_tree(&doc, WABIN_SAMPLE_ACK, 0);
    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_marshal_into(large, &out, NULL));
    size_t capacity = out.capacity, calls = probe.calls;
    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_marshal_into(small, &out, NULL));
    want = plain(small);
    CHECK_BYTES(want.data, want.size, out.data, out.size);
    CHECK_SIZE(capacity, out.capacity);
    CHECK_SIZE(calls, probe.calls);
    wabin_buf_release(&want);
    wabin_buf_release(&out);
    CHECK_SIZE(0, probe.live_count);
    wabin_doc_release(&doc);
}

static enum status put_piece(void *ctx, const void *data, size_t size)
{
    return sink_put(ctx, data, size);
}

static void test_sink_appends(void **state)
{
    (void)state;
    struct wabin_doc doc;

    wabin_doc_init(&doc, NULL);
    for (enum wabin_sample s = 0; s < WABIN_SAMPLE_COUNT; s++) {
        const struct wabin_node *tree = wabin_sample_tree(&doc, s, 0);
        struct wabin_buf want = plain(tree);
        uint8_t *room = malloc(want.size + 3);
        struct sink gathered = sink_init(room, want.size + 3);
        struct wabin_sink sink = {put_piece, &gathered};

        assert_int_equal(ST_OK, sink_put(&gathered, "abc", 3));
        CHECK_ENUM(wabin_status_name, WABIN_OK,
                   wabin_marshal_sink(tree, &sink, NULL));
        CHECK_BYTES("abc", 3, room, 3);
        CHECK_BYTES(want.data, want.size, room + 3, gathered.at - 3);
        free(room);
        wabin_buf_release(&want);
        wabin_doc_reset(&doc);
    }
    wabin_doc_release(&doc);
}

static void test_sink_refusals_are_io(void **state)
{
    (void)state;
    struct wabin_doc doc;
    struct wabin_error error;
    char text[64];

    wabin_doc_init(&doc, NULL);
    const struct wabin_node *tree =
        wabin_sample_tree(&doc, WABIN_SAMPLE_GROUP_32, 0);
    struct wabin_buf want = plain(tree);
    for (size_t room = 0; room < want.size; room += 511) {
        uint8_t *bytes = malloc(room + 1);
        struct sink gathered = sink_init(bytes, room);
        struct wabin_sink sink = {put_piece, &gathered};
        CHECK_ENUM(wabin_status_name, WABIN_IO,
                   wabin_marshal_sink(tree, &sink, &error));
        wabin_error_text(&error, text, sizeof(text));
        CHECK_STR("I/O error: output buffer is too small", text);
        CHECK_BYTES(want.data, gathered.at, bytes, gathered.at);
        free(bytes);
    }
    wabin_buf_release(&want);
    wabin_doc_release(&doc);
}

/* What was written before a failure of the tree goes out. */
static void test_sink_keeps_what_came_before_a_failure(void **state)
{
    (void)state;
    struct wabin_jid far = {
        .user = WABIN_STR("1"), .device = 256, .server = WABIN_SERVER_LID};
    struct wabin_attr attr = {WABIN_STR("v"), wabin_value_jid(far)};
    struct wabin_node node = {
        .tag = WABIN_STR("t"), .attrs = &attr, .attr_count = 1};
    uint8_t bytes[16];
    struct sink gathered = sink_init(bytes, sizeof(bytes));
    struct wabin_sink sink = {put_piece, &gathered};

    CHECK_ENUM(wabin_status_name, WABIN_ATTR_PARSE,
               wabin_marshal_sink(&node, &sink, NULL));
    CHECK_BYTES("\x00\xf8\x03\x1a\x51", 5, bytes, gathered.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_children),
        cmocka_unit_test(test_many_attributes),
        cmocka_unit_test(test_large_contents),
        cmocka_unit_test(test_grandchildren_make_a_tree_large),
        cmocka_unit_test(test_deep_trees),
        cmocka_unit_test(test_into_clears_and_keeps_the_capacity),
        cmocka_unit_test(test_sink_appends),
        cmocka_unit_test(test_sink_refusals_are_io),
        cmocka_unit_test(test_sink_keeps_what_came_before_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
