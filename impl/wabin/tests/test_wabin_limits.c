/* SPDX-License-Identifier: MIT */
/* Depth, stack, memory that a frame can claim, and memory that is refused. */
#include "testkit/testkit.h"
#include "wabin/sample/wabin_sample.h"
#include "wabin/wabin.h"

#include <pthread.h>
#include <stdlib.h>

#define JID_MANY ((size_t)1000000)
#define DEEPEST  ((size_t)WABIN_DEPTH_MAX) /* levels that pass */
#define LEVEL    7 /* bytes of a node that has one child */

/* What a doc may reserve beside its share of the frame: blocks are rounded
 * up, and double. */
#define BLOCK_SLACK 1024

/* ---- depth ------------------------------------------------------------- */

/* A chain of `levels` nodes named "a"; the deepest has no content. */
static uint8_t *chain(size_t levels, size_t *size)
{
    static const uint8_t outer[] = {0xf8, 0x02, 0xfc, 0x01, 'a', 0xf8, 0x01};
    static const uint8_t last[] = {0xf8, 0x01, 0xfc, 0x01, 'a'};
    uint8_t *bytes = malloc(levels * sizeof(outer));

    for (size_t i = 0; i + 1 < levels; i++)
        memcpy(bytes + i * sizeof(outer), outer, sizeof(outer));
    memcpy(bytes + (levels - 1) * sizeof(outer), last, sizeof(last));
    *size = (levels - 1) * sizeof(outer) + sizeof(last);
    return bytes;
}

static enum wabin_status decode(const uint8_t *bytes, size_t size,
                                struct wabin_error *error)
{
    const uint8_t *in = guard_copy(bytes, size);
    const struct wabin_node *root;
    struct wabin_doc doc;

    wabin_doc_init(&doc, NULL);
    enum wabin_status status = wabin_decode(&doc, in, size, &root, error);
    wabin_doc_release(&doc);
    guard_free(in, size);
    return status;
}

static void check_chain(size_t levels, enum wabin_status want)
{
    size_t size;
    uint8_t *bytes = chain(levels, &size);
    struct wabin_error error = {.at = 0};

    CHECK_ENUM(wabin_status_name, want, decode(bytes, size, &error));
    if (want == WABIN_MAX_DEPTH)
        CHECK_SIZE(DEEPEST * LEVEL, error.at);
    free(bytes);
}

static void test_depth(void **state)
{
    (void)state;
    check_chain(1, WABIN_OK);
    check_chain(128, WABIN_OK);
    check_chain(129, WABIN_MAX_DEPTH);
    check_chain(385, WABIN_MAX_DEPTH);
}

/* 128 list headers and nothing behind: too deep before too short. */
static void test_depth_before_eof(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = chain(129, &size);
    struct wabin_error error;

    CHECK_ENUM(wabin_status_name, WABIN_MAX_DEPTH,
               decode(bytes, DEEPEST * LEVEL, &error));
    CHECK_SIZE(DEEPEST * LEVEL, error.at);
    free(bytes);
}

static const uint8_t user[] = {0xfc, 0x01, 'a'};

/* JIDs as users of JIDs: `levels` of them, around the user "a". */
static enum wabin_status decode_jids(size_t levels, size_t cut,
                                     struct wabin_error *error)
{
    static const uint8_t head[] = {0xf8, 0x03, 0x13, 0x08};
    size_t size = sizeof(head) + levels + sizeof(user) + levels;
    uint8_t *bytes = malloc(size);
    uint8_t *at = bytes;

    memcpy(at, head, sizeof(head));
    memset(at + 4, 0xfa, levels);
    memcpy(at + 4 + levels, user, sizeof(user));
    memset(at + 4 + levels + sizeof(user), 3, levels);
    enum wabin_status status = decode(bytes, size - cut, error);
    free(bytes);
    return status;
}

static void test_nested_jids(void **state)
{
    (void)state;
    struct wabin_error error;

    CHECK_ENUM(wabin_status_name, WABIN_OK, decode_jids(128, 0, &error));
    CHECK_ENUM(wabin_status_name, WABIN_MAX_DEPTH,
               decode_jids(129, 0, &error));
    CHECK_SIZE(4 + 128, error.at);
    /* Too deep is seen before the byte behind the tag is missed. */
    CHECK_ENUM(wabin_status_name, WABIN_MAX_DEPTH,
               decode_jids(129, 129 + 3, &error));
    CHECK_ENUM(wabin_status_name, WABIN_EOF,
               decode_jids(128, 128 + 3, &error));
    CHECK_ENUM(wabin_status_name, WABIN_MAX_DEPTH,
               decode_jids(JID_MANY, JID_MANY + 3, &error));
}

/* ---- stack ------------------------------------------------------------- */

#if defined(__SANITIZE_ADDRESS__)
#define STACK_SIZE ((size_t)256 * 1024) /* instrumented frames are wider */
#else
#define STACK_SIZE ((size_t)64 * 1024)
#endif

/* 128 nodes, and in the deepest 128 JIDs. */
static void *decode_deep(void *unused)
{
    static uint8_t bytes[DEEPEST * LEVEL + 300];
    static const uint8_t last[] = {0xf8, 0x03, 0x13, 0x08};
    const struct wabin_node *root;
    struct wabin_doc doc;
    uint8_t *at = bytes;
    size_t size;
    uint8_t *nodes = chain(128, &size);

    (void)unused;
    memcpy(at, nodes, size - 5);
    free(nodes);
    at += size - 5;
    memcpy(at, last, sizeof(last));
    at += sizeof(last);
    memset(at, 0xfa, DEEPEST);
    at += DEEPEST;
    memcpy(at, user, sizeof(user));
    at += sizeof(user);
    memset(at, 3, DEEPEST);
    at += DEEPEST;
    wabin_doc_init(&doc, NULL);
    enum wabin_status status =
        wabin_decode(&doc, bytes, (size_t)(at - bytes), &root, NULL);
    wabin_doc_release(&doc);
    return status == WABIN_OK ? bytes : NULL;
}

static void test_deepest_frame_in_a_small_stack(void **state)
{
    (void)state;
    pthread_attr_t attr;
    pthread_t thread;
    void *done = NULL;

    assert_int_equal(0, pthread_attr_init(&attr));
    assert_int_equal(0, pthread_attr_setstacksize(&attr, STACK_SIZE));
    assert_int_equal(0, pthread_create(&thread, &attr, decode_deep, NULL));
    assert_int_equal(0, pthread_join(thread, &done));
    assert_non_null(done);
    pthread_attr_destroy(&attr);
}

/* ---- claims ------------------------------------------------------------ */

static size_t reserved_by(const uint8_t *bytes, size_t size)
{
    struct alloc_probe probe = {0};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct wabin_doc_options options = {.alloc = &alloc};
    const struct wabin_node *root;
    struct wabin_error error;
    struct wabin_doc doc;

    wabin_doc_init(&doc, &options);
    if (wabin_decode(&doc, bytes, size, &root, &error) == WABIN_OK)
        CHECK_FAIL("a frame of empty claims decodes");
    wabin_doc_release(&doc);
    return probe.peak_size;
}

static void check_reserve(const uint8_t *bytes, size_t size)
{
    size_t reserved = reserved_by(bytes, size);

    /* 20 bytes a byte at most, in blocks half full, and one block more. */
    if (reserved > 64 * size + BLOCK_SLACK)
        CHECK_FAIL("%zu bytes of input reserve %zu", size, reserved);
}

/* A claim of 65,535 children in each of many nested lists. */
static void test_nested_claims_share_what_is_left(void **state)
{
    (void)state;
    static const uint8_t claim[] = {0xf8, 0x02, 0x13, 0xf9, 0xff, 0xff};
    uint8_t bytes[127 * sizeof(claim) + 600] = {0};

    for (size_t levels = 1; levels <= 127; levels++) {
        memcpy(bytes + (levels - 1) * sizeof(claim), claim, sizeof(claim));
        for (size_t behind = 0; behind <= 600; behind += 200)
            check_reserve(bytes, levels * sizeof(claim) + behind);
    }
}

/* Claims that the bytes left could just hold, were they not shared. */
static void test_nested_claims_that_fit_one_by_one(void **state)
{
    (void)state;
    uint8_t bytes[900];

    memset(bytes, 0xf8, sizeof(bytes));
    for (size_t at = 0; at + 6 <= sizeof(bytes) && at < (DEEPEST - 1) * 6;
         at += 6) {
        size_t count = (sizeof(bytes) - at - 6) / 3;
        const uint8_t claim[] = {
            0xf8, 0x02, 0x13, 0xf9, (uint8_t)(count >> 8), (uint8_t)count};
        memcpy(bytes + at, claim, sizeof(claim));
    }
    check_reserve(bytes, sizeof(bytes));
}

static void test_attribute_claims(void **state)
{
    (void)state;
    uint8_t bytes[300] = {0xf9, 0xff, 0xff, 0x13};

    memset(bytes + 4, 0x08, sizeof(bytes) - 4);
    check_reserve(bytes, 4);
    check_reserve(bytes, sizeof(bytes));
    bytes[1] = 0; /* 147 attributes, of which the last is cut short */
    bytes[2] = 0xff;
    bytes[3] = 0x13;
    check_reserve(bytes, 4 + 2 * 126 + 1);
}

/* A long user in JIDs within JIDs is written once, not once a level. */
static void test_nested_jids_are_not_copied_again(void **state)
{
    (void)state;
    const size_t text = 100000, levels = DEEPEST;
    size_t size = 3 + levels + 5 + text + levels;
    uint8_t *bytes = malloc(size), *at = bytes;
    struct alloc_probe probe = {0};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct wabin_doc_options options = {.alloc = &alloc};
    const struct wabin_node *root;
    struct wabin_doc doc;

    memcpy(at, "\xf8\x02\x13", 3);
    memset(at + 3, 0xfa, levels);
    at += 3 + levels;
    memcpy(at, "\xfe\x00\x01\x86\xa0", 5);
    memset(at + 5, 'u', text);
    memset(at + 5 + text, 3, levels);
    wabin_doc_init(&doc, &options);
    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_decode(&doc, bytes, size, &root, NULL));
    CHECK_SIZE(text + levels * 15, root->content_size);
    if (probe.peak_size > 12 * text)
        CHECK_FAIL("%zu bytes for a text of %zu", probe.peak_size, text);
    wabin_doc_release(&doc);
    free(bytes);
}

/* ---- refusals ---------------------------------------------------------- */

static void test_every_allocation_failing_in_turn(void **state)
{
    (void)state;
    struct wabin_doc sample_doc;
    struct wabin_buf frame = {0};

    wabin_doc_init(&sample_doc, NULL);
    const struct wabin_node *tree =
        wabin_sample_tree(&sample_doc, WABIN_SAMPLE_MANY_CHILDREN, 0);
    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_marshal_plain(tree, &frame, NULL));
    for (size_t k = 1;; k++) {
        struct alloc_probe probe = {.fail_at = k};
        struct alloc alloc = alloc_probe_alloc(&probe);
        struct wabin_doc_options options = {.alloc = &alloc};
        const struct wabin_node *root;
        struct wabin_error error;
        struct wabin_doc doc;
        wabin_doc_init(&doc, &options);
        enum wabin_status status =
            wabin_decode_frame(&doc, frame.data, frame.size, &root, &error);
        wabin_doc_release(&doc);
        CHECK_SIZE(0, probe.live_count);
        if (probe.calls < k) {
            CHECK_ENUM(wabin_status_name, WABIN_OK, status);
            break;
        }
        CHECK_ENUM(wabin_status_name, WABIN_NO_MEMORY, status);
    }
    wabin_buf_release(&frame);
    wabin_doc_release(&sample_doc);
}

/* The limit of a doc holds, and one byte less than what is needed fails. */
static void test_doc_limit(void **state)
{
    (void)state;
    static const uint8_t ack[] = {0xf8, 0x03, 0x1b, 0x08, 0xff, 0x01, 0x57};
    const struct wabin_node *root;
    struct wabin_error error;
    struct wabin_doc doc;
    size_t least = 0;

    for (size_t max = 1; least == 0; max++) {
        struct wabin_doc_options options = {.max_size = max};
        wabin_doc_init(&doc, &options);
        enum wabin_status status =
            wabin_decode(&doc, ack, sizeof(ack), &root, &error);
        if (status == WABIN_OK)
            least = max;
        else
            CHECK_ENUM(wabin_status_name, WABIN_NO_MEMORY, status);
        if (wabin_doc_size(&doc) > max)
            CHECK_FAIL("%zu bytes, limit %zu", wabin_doc_size(&doc), max);
        wabin_doc_release(&doc);
    }
    if (least < sizeof(struct wabin_node) || least > BLOCK_SLACK)
        CHECK_FAIL("an ack needs %zu bytes", least);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_depth_before_eof),
        cmocka_unit_test(test_nested_jids),
        cmocka_unit_test(test_deepest_frame_in_a_small_stack),
        cmocka_unit_test(test_nested_claims_share_what_is_left),
        cmocka_unit_test(test_nested_claims_that_fit_one_by_one),
        cmocka_unit_test(test_attribute_claims),
        cmocka_unit_test(test_nested_jids_are_not_copied_again),
        cmocka_unit_test(test_every_allocation_failing_in_turn),
        cmocka_unit_test(test_doc_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
