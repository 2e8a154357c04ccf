/* SPDX-License-Identifier: MIT */
/* The sample trees: their published frames, and what each costs in memory. */
#include "testkit/testkit.h"
#include "wabin/reference/wabin_ref.h"
#include "wabin/sample/wabin_sample.h"
#include "wabin/wabin.h"

#include <openssl/sha.h>
#include <stdlib.h>

#define GROUPS 4 /* the last samples, which have no allocation goals */

/** What is published of a sample's frame, and heap calls that it may make. */
struct expected {
    const char *sha256;
    size_t size;
    const char *start;  /* hex of the first bytes */
    size_t decode_goal; /* heap calls of a cold decode, at most */
    size_t boxed_count; /* those of the plain decoder, exactly */
    size_t plain_count; /* of wabin_marshal_plain */
    size_t exact_count; /* of wabin_marshal_exact */
};

static const struct expected expected[WABIN_SAMPLE_COUNT] = {
    [WABIN_SAMPLE_SMALL] =
        {"0c3cb97a9b61b868671d75a8fa5108daea8c527d52d56e201151cc519abd0ffc",
         16, "00f8071311fa0e0308ff8312345f0438", 1, 1, 1, 1},
    [WABIN_SAMPLE_ACK] =
        {"5377bf5310785b21e0185ddb69f7ae494afeab8f0b58bd2e86c138e4cc4e6d0a",
         31, "00f8071b11faff875511999990000f0308fb0a3eb0a1b2c3d4e5f607181513",
         1, 1, 1, 1},
    [WABIN_SAMPLE_FANOUT] =
        {"620f061ac9bc329dfa7fc2c15f3f6218eb7a06de89fbbc078975c93dcf93a0eb",
         1278,
         "00f8081311faff875511999990000f1c08fb0a3eb0a1b2c3d4e5f607180438f801"
         "f8026bf808f804110cf70000ff875511999990000ff801f8061d5145044dfc",
         27, 45, 2, 3},
    [WABIN_SAMPLE_LARGE] =
        {"2c12a6c0c8331f8fe8ad30e17cababbcc5686846534e58905d21a700f3e38768",
         862,
         "00f80a1911fafc067365727665720308fc0661626364656604291679f802f80879"
         "fc03736964fc096d6573736167653a316a6d619bf801f8026df801f80144f8",
         26, 50, 1, 3},
    [WABIN_SAMPLE_ATTR] =
        {"c8e7be58a63123106d9dc5c48b8f7cc9a416997a945f7cf4d1b14824b1174bef",
         56, "00f80d1916fc07746573743a6e73", 1, 1, 1, 1},
    [WABIN_SAMPLE_LONG_STRING] =
        {"97c0f55a5f42eb3cf6b19d682704ffd6cc01d64594c6a86d01ca6283cfcd45d4",
         568, "00f80813", 1, 2, 1, 1},
    [WABIN_SAMPLE_USYNC] =
        {"2965aa98244a44fbc7ff209516b3d8eb7a223ffb5c1a5212d8ec9cd4282c623e",
         2011, "00f8041904", 404, 557, 2, 6},
    [WABIN_SAMPLE_JID_HEAVY] =
        {"6aaae76aac072379ee7236a38fb3b900c3b88b81e4ee3c8eb9d6c052acffeb70",
         70, "00f80f1306faff86", 1, 1, 1, 1},
    [WABIN_SAMPLE_HUGE_BYTES] =
        {"f8dd9500a6ab3d5d8813bbcbd301884d24d4675213f64657f6afd6a0ac69a181",
         262177, "00f8061311fafc06736572766572", 1, 2, 2, 1},
    [WABIN_SAMPLE_MANY_CHILDREN] =
        {"2a531058ee3af983621e82efef520e72524105bb3d41a605e73a6da146a82d72",
         40147, "00f8061911fafc06736572766572", 2050, 4099, 7, 10},
    [WABIN_SAMPLE_GROUP_8] =
        {"0bde4978611391013cde07f4bafb77b61619492a79577ed0fcfa5d595617057e",
         1278, "00f8081311faff0912036300", 0, 0, 0, 0},
    [WABIN_SAMPLE_GROUP_32] =
        {"ee0a7225a7c1940e564d27bd5cb768eae0a3270cffc07cd6a43f3538a89d888f",
         4992, "00f8081311faff0912036300", 0, 0, 0, 0},
    [WABIN_SAMPLE_GROUP_128] =
        {"b0fc96959888460704835180bcd7a4c1cc4f2d62fdd800c09e81ce621f9a3fcb",
         19848, "00f8081311faff0912036300", 0, 0, 0, 0},
    [WABIN_SAMPLE_GROUP_512] =
        {"96fd3774cfb0dae71391a9ae6db0c73f4126fd02180320c2a8da5e7d229f6258",
         79273, "00f8081311faff0912036300", 0, 0, 0, 0},
};

static void check_sha256(const char *want, const uint8_t *data, size_t size)
{
    uint8_t digest[SHA256_DIGEST_LENGTH], bytes[SHA256_DIGEST_LENGTH];

    SHA256(data, size, digest);
    hex_decode(want, bytes, sizeof(bytes));
    CHECK_BYTES(bytes, sizeof(bytes), digest, sizeof(digest));
}

static const struct wabin_node *sample_tree(struct wabin_doc *doc,
                                            enum wabin_sample sample)
{
    const struct wabin_node *tree = wabin_sample_tree(doc, sample, 0);
    assert_non_null(tree);
    return tree;
}

static void marshal(const struct wabin_node *tree, struct wabin_buf *frame)
{
    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_marshal_plain(tree, frame, NULL));
}

static void test_frames_are_the_published_ones(void **state)
{
    (void)state;
    struct wabin_buf frame = {0}, exact = {0};
    struct wabin_doc doc;

    wabin_doc_init(&doc, NULL);
    for (enum wabin_sample s = 0; s < WABIN_SAMPLE_COUNT; s++) {
        const struct wabin_node *tree = sample_tree(&doc, s);
        uint8_t start[64];
        size_t start_size =
            hex_decode(expected[s].start, start, sizeof(start));

        marshal(tree, &frame);
        CHECK_SIZE(expected[s].size, frame.size);
        CHECK_BYTES(start, start_size, frame.data, start_size);
        check_sha256(expected[s].sha256, frame.data, frame.size);
        CHECK_ENUM(wabin_status_name, WABIN_OK,
                   wabin_marshal_exact(tree, &exact, NULL));
        CHECK_BYTES(frame.data, frame.size, exact.data, exact.size);
        CHECK_SIZE(exact.size, exact.capacity);
        wabin_doc_reset(&doc);
    }
    wabin_buf_release(&frame);
    wabin_buf_release(&exact);
    wabin_doc_release(&doc);
}

/* Other seeds draw other digits, and nothing else. */
static void test_seeds_keep_sizes(void **state)
{
    (void)state;
    struct wabin_buf frame = {0}, other = {0};
    struct wabin_doc doc;
    size_t changed = 0;

    wabin_doc_init(&doc, NULL);
    for (enum wabin_sample s = 0; s < WABIN_SAMPLE_COUNT; s++) {
        for (uint64_t seed = 1; seed < 8; seed++) {
            const struct wabin_node *tree = wabin_sample_tree(&doc, s, seed);
            assert_non_null(tree);
            marshal(tree, &other);
            CHECK_SIZE(expected[s].size, other.size);
            marshal(sample_tree(&doc, s), &frame);
            changed += memcmp(frame.data, other.data, frame.size) != 0;
            wabin_doc_reset(&doc);
        }
    }
    /* usync and manychildren have nothing to draw. */
    CHECK_SIZE((size_t)7 * (WABIN_SAMPLE_COUNT - 2), changed);
    wabin_buf_release(&frame);
    wabin_buf_release(&other);
    wabin_doc_release(&doc);
}

/* ---- heap calls -------------------------------------------------------- */

static void check_decode_calls(const struct wabin_buf *frame, size_t goal)
{
    struct alloc_probe probe = {0};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct wabin_doc_options options = {.alloc = &alloc};
    const struct wabin_node *root;
    struct wabin_doc doc;

    wabin_doc_init(&doc, &options);
    CHECK_ENUM(
        wabin_status_name, WABIN_OK,
        wabin_decode(&doc, frame->data + 1, frame->size - 1, &root, NULL));
    if (probe.calls > goal || probe.calls > 2)
        CHECK_FAIL("%zu heap calls, at most %zu and 2", probe.calls, goal);
    size_t cold = probe.calls;
    for (int i = 0; i < 3; i++) {
        wabin_doc_reset(&doc);
        CHECK_ENUM(
            wabin_status_name, WABIN_OK,
            wabin_decode(&doc, frame->data + 1, frame->size - 1, &root, NULL));
    }
    CHECK_SIZE(cold, probe.calls);
    wabin_doc_release(&doc);
    CHECK_SIZE(0, probe.live_count);
}

static void check_boxed_calls(const struct wabin_buf *frame, size_t count)
{
    struct alloc_probe probe = {0};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct ref_node root;
    struct wabin_error error;

    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_ref_decode(frame->data + 1, frame->size - 1, &alloc,
                                &root, &error));
    CHECK_SIZE(count, probe.calls);
    wabin_ref_free(&root, &alloc);
    CHECK_SIZE(0, probe.live_count);
}

static void check_encode_calls(const struct wabin_node *tree,
                               const struct expected *want)
{
    struct alloc_probe probe = {0};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct wabin_buf out = {.alloc = &alloc};

    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_marshal_plain(tree, &out, NULL));
    CHECK_SIZE(want->plain_count, probe.calls);
    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_marshal_exact(tree, &out, NULL));
    CHECK_SIZE(want->plain_count + want->exact_count, probe.calls);
    wabin_buf_release(&out);
    CHECK_SIZE(0, probe.live_count);
}

static void test_heap_calls(void **state)
{
    (void)state;
    struct wabin_buf frame = {0};
    struct wabin_doc doc;

    wabin_doc_init(&doc, NULL);
    for (enum wabin_sample s = 0; s < WABIN_SAMPLE_COUNT - GROUPS; s++) {
        const struct wabin_node *tree = sample_tree(&doc, s);
        marshal(tree, &frame);
        check_decode_calls(&frame, expected[s].decode_goal);
        check_boxed_calls(&frame, expected[s].boxed_count);
        check_encode_calls(tree, &expected[s]);
        wabin_doc_reset(&doc);
    }
    wabin_buf_release(&frame);
    wabin_doc_release(&doc);
}

/* Copies of small stanzas fit where a caller keeps a few hundred bytes. */
static void test_small_copies_make_no_heap_call(void **state)
{
    (void)state;
    static const enum wabin_sample small[] = {WABIN_SAMPLE_SMALL,
                                              WABIN_SAMPLE_ACK};
    struct wabin_doc doc, copy;
    _Alignas(8) char block[512];
    struct alloc_probe probe = {0};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct wabin_doc_options options = {
        .alloc = &alloc,
        .first_block = block,
        .first_size = sizeof(block),
    };

    wabin_doc_init(&doc, NULL);
    wabin_doc_init(&copy, &options);
    for (size_t i = 0; i < ARRAY_COUNT(small); i++) {
        const struct wabin_node *tree = sample_tree(&doc, small[i]);
        const struct wabin_node *owned = wabin_copy(&copy, tree);
        assert_non_null(owned);
        CHECK_BOOL(true, wabin_node_equal(tree, owned));
        CHECK_SIZE(0, probe.calls);
        wabin_doc_reset(&copy);
    }
    wabin_doc_release(&copy);
    wabin_doc_release(&doc);
}

/* The published large cases that are no samples. */
static void check_large_content(struct wabin_node *node, const char *sha256,
                                size_t size)
{
    struct wabin_buf frame = {0};

    marshal(node, &frame);
    CHECK_SIZE(size, frame.size);
    check_sha256(sha256, frame.data, frame.size);
    wabin_buf_release(&frame);
}

static void test_large_strings(void **state)
{
    (void)state;
    const size_t size = 1048576;
    char *bytes = malloc(size), *text = malloc(size);
    struct wabin_attr attr = {
        .key = WABIN_STR("v"),
        .value = wabin_value_text(wabin_str(text, size)),
    };
    struct wabin_node node = {.tag = WABIN_STR("t")};

    memset(bytes, 0x5a, size);
    memset(text, 'x', size);
    wabin_set_bytes(&node, bytes, size - 1);
    check_large_content(
        &node,
        "5bbf6d0149154fa8f11f15f47221df97b12a4fe5f395e9db49a4af53126d53c3",
        1048583);
    wabin_set_bytes(&node, bytes, size);
    check_large_content(
        &node,
        "b5b30c77384ff9cb8df0a0c1150403fde930dbd2757a81f5212463e6e08d73f4",
        1048585);
    node = (struct wabin_node){
        .tag = WABIN_STR("t"), .attrs = &attr, .attr_count = 1};
    check_large_content(
        &node,
        "84dc7426356aa8b8c793b7fdf3771878cd84fe628df3fd10655e55ff1dabb717",
        1048586);
    free(bytes);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_are_the_published_ones),
        cmocka_unit_test(test_seeds_keep_sizes),
        cmocka_unit_test(test_heap_calls),
        cmocka_unit_test(test_small_copies_make_no_heap_call),
        cmocka_unit_test(test_large_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
