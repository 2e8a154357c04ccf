/* SPDX-License-Identifier: MIT */
/* Trees by hand: attributes, contents, look-ups, copies. */
#include "testkit/testkit.h"
#include "wabin/sample/wabin_sample.h"
#include "wabin/wabin.h"

#include <stdio.h>
#include <stdlib.h>

static struct wabin_value text_value(const char *text)
{
    return wabin_value_text(wabin_str(text, strlen(text)));
}

static void check_text(const char *want, struct wabin_str got)
{
    CHECK_BYTES(want, strlen(want), got.data, got.size);
}

static void test_set_replaces_push_appends(void **state)
{
    (void)state;
    struct wabin_doc doc;

    wabin_doc_init(&doc, NULL);
    struct wabin_node *node = wabin_node_new(&doc, WABIN_STR("iq"));
    assert_true(wabin_set_attr(&doc, node, WABIN_STR("a"), text_value("1")));
    assert_true(wabin_set_attr(&doc, node, WABIN_STR("b"), text_value("2")));
    assert_true(wabin_set_attr(&doc, node, WABIN_STR("a"), text_value("3")));
    assert_true(wabin_push_attr(&doc, node, WABIN_STR("a"), text_value("4")));
    CHECK_U64(3, node->attr_count);
    check_text("3", wabin_get_attr(node, WABIN_STR("a"))->text);
    check_text("2", node->attrs[1].value.text);
    check_text("4", node->attrs[2].value.text);
    wabin_doc_release(&doc);
}

/* Attributes past the inline three, and past what they grew to. */
static void test_attributes_grow(void **state)
{
    (void)state;
    struct wabin_doc doc;

    wabin_doc_init(&doc, NULL);
    struct wabin_node *node = wabin_node_new(&doc, WABIN_STR("iq"));
    for (uint64_t i = 0; i < 100; i++) {
        assert_true(wabin_push_attr(&doc, node, WABIN_STR("k"),
                                    wabin_value_u64(&doc, i)));
        CHECK_U64(i + 1, node->attr_count);
    }
    for (uint64_t i = 0; i < 100; i++) {
        char want[8];
        snprintf(want, sizeof(want), "%llu", (unsigned long long)i);
        check_text(want, node->attrs[i].value.text);
    }
    wabin_doc_release(&doc);
}

static void test_values(void **state)
{
    (void)state;
    struct wabin_doc doc;

    wabin_doc_init(&doc, NULL);
    check_text("18446744073709551615", wabin_value_u64(&doc, UINT64_MAX).text);
    check_text("0", wabin_value_u64(&doc, 0).text);
    check_text("-9223372036854775808", wabin_value_i64(&doc, INT64_MIN).text);
    check_text("-1", wabin_value_i64(&doc, -1).text);
    check_text("true", wabin_value_bool(true).text);
    check_text("false", wabin_value_bool(false).text);
    wabin_doc_release(&doc);
}

static void test_contents_replace_each_other(void **state)
{
    (void)state;
    struct wabin_doc doc;
    size_t count;

    wabin_doc_init(&doc, NULL);
    struct wabin_node *node = wabin_node_new(&doc, WABIN_STR("iq"));
    assert_null(wabin_children(node, &count));
    wabin_set_text(node, WABIN_STR("x"));
    check_text("x", wabin_content_text(node));
    assert_null(wabin_content_bytes(node).data);
    wabin_set_bytes(node, "yz", 2);
    check_text("yz", wabin_content_bytes(node));
    assert_null(wabin_content_text(node).data);
    struct wabin_node *children = wabin_new_children(&doc, node, 2);
    assert_non_null(children);
    CHECK_BOOL(true, wabin_children(node, &count) == children);
    CHECK_SIZE(2, count);
    assert_null(wabin_content_bytes(node).data);
    assert_null(wabin_content_as_text(&doc, node).data);
    wabin_doc_release(&doc);
}

/* Each maximal part that is no UTF-8 becomes one U+FFFD. */
static void test_content_as_text(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"plain", "plain"},
        {"ol\xc3\xa1", "ol\xc3\xa1"},
        {"\xff", "\xef\xbf\xbd"},
        {"a\xc0\x80z", "a\xef\xbf\xbd\xef\xbf\xbdz"},
        {"a\xe2\x82z", "a\xef\xbf\xbdz"},
        {"a\xe2\x82", "a\xef\xbf\xbd"},
        {"\xf0\x9f\x98\xf0\x9f\x98\x80", "\xef\xbf\xbd\xf0\x9f\x98\x80"},
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
    };
    struct wabin_doc doc;
    struct wabin_node node = {.tag = WABIN_STR("x")};

    wabin_doc_init(&doc, NULL);
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        wabin_set_bytes(&node, rows[i][0], strlen(rows[i][0]));
        check_text(rows[i][1], wabin_content_as_text(&doc, &node));
    }
    wabin_set_text(&node, WABIN_STR("t"));
    check_text("t", wabin_content_as_text(&doc, &node));
    wabin_doc_release(&doc);
}

static void test_look_ups(void **state)
{
    (void)state;
    static const struct wabin_str path[] = {{"usync", 5},
                                            {"list", 4},
                                            {"user", 4},
                                            {"devices", 7},
                                            {"device-list", 11}};
    struct wabin_doc doc;
    size_t at = 0, users = 0;

    wabin_doc_init(&doc, NULL);
    const struct wabin_node *root =
        wabin_sample_tree(&doc, WABIN_SAMPLE_USYNC, 0);
    CHECK_BOOL(true, wabin_get_path(root, path, 0) == root);
    const struct wabin_node *devices = wabin_get_path(root, path, 5);
    assert_non_null(devices);
    CHECK_SIZE(3, devices->content_size);
    assert_null(wabin_get_path(root, path + 1, 1));
    assert_null(wabin_get_child(devices, WABIN_STR("user")));
    const struct wabin_node *list = wabin_get_path(root, path, 2);
    for (const struct wabin_node *user;
         (user = wabin_next_child(list, WABIN_STR("user"), &at)) != NULL;
         users++)
        CHECK_BOOL(true, user == &list->nodes[users]);
    CHECK_SIZE(50, users);
    assert_null(wabin_get_attr(root, WABIN_STR("jid")));
    wabin_doc_release(&doc);
}

static void test_value_is(void **state)
{
    (void)state;
    struct wabin_jid jid = {.user = WABIN_STR("1"), .device = 2};
    struct wabin_value value = wabin_value_jid(jid);

    CHECK_BOOL(true, wabin_value_is(&value, WABIN_STR("1:2@s.whatsapp.net")));
    CHECK_BOOL(false, wabin_value_is(&value, WABIN_STR("1@s.whatsapp.net")));
    value = text_value("x");
    CHECK_BOOL(true, wabin_value_is(&value, WABIN_STR("x")));
    CHECK_BOOL(false, wabin_value_is(&value, WABIN_STR("xy")));
}

static void test_equality_is_structural(void **state)
{
    (void)state;
    struct wabin_attr ab[] = {{WABIN_STR("a"), text_value("1")},
                              {WABIN_STR("b"), text_value("2")}};
    struct wabin_attr ba[] = {ab[1], ab[0]};
    struct wabin_node x = {.tag = WABIN_STR("x")}, y = x;

    CHECK_BOOL(true, wabin_node_equal(&x, &y));
    wabin_set_text(&x, WABIN_STR("1"));
    wabin_set_bytes(&y, "1", 1);
    CHECK_BOOL(false, wabin_node_equal(&x, &y));
    wabin_set_nodes(&x, NULL, 0);
    y.content = WABIN_NOTHING;
    y.content_size = 0;
    CHECK_BOOL(false, wabin_node_equal(&x, &y));
    x = y = (struct wabin_node){.tag = WABIN_STR("x"), .attr_count = 2};
    x.attrs = ab;
    y.attrs = ba;
    CHECK_BOOL(false, wabin_node_equal(&x, &y));
    y.attrs = ab;
    CHECK_BOOL(true, wabin_node_equal(&x, &y));
    y.attr_count = 1;
    CHECK_BOOL(false, wabin_node_equal(&x, &y));
    y.tag = WABIN_STR("y");
    CHECK_BOOL(false, wabin_node_equal(&x, &y));
}

/* A copy needs neither the input nor the doc of what it copies. */
static void test_copies_stand_alone(void **state)
{
    (void)state;
    struct wabin_doc trees, decoded, copies;
    struct wabin_buf frame = {0}, again = {0};

    wabin_doc_init(&trees, NULL);
    wabin_doc_init(&copies, NULL);
    for (enum wabin_sample s = 0; s < WABIN_SAMPLE_COUNT; s++) {
        const struct wabin_node *root;
        CHECK_ENUM(wabin_status_name, WABIN_OK,
                   wabin_marshal_plain(wabin_sample_tree(&trees, s, 3), &frame,
                                       NULL));
        uint8_t *bytes = malloc(frame.size);
        memcpy(bytes, frame.data, frame.size);
        wabin_doc_init(&decoded, NULL);
        CHECK_ENUM(
            wabin_status_name, WABIN_OK,
            wabin_decode_frame(&decoded, bytes, frame.size, &root, NULL));
        const struct wabin_node *copy = wabin_copy(&copies, root);
        CHECK_BOOL(true, wabin_node_equal(root, copy));
        CHECK_ENUM(wabin_status_name, WABIN_OK,
                   wabin_marshal_plain(root, &frame, NULL));
        memset(bytes, 0, frame.size);
        free(bytes);
        wabin_doc_release(&decoded);
        CHECK_ENUM(wabin_status_name, WABIN_OK,
                   wabin_marshal_plain(copy, &again, NULL));
        CHECK_BYTES(frame.data, frame.size, again.data, again.size);
    }
    wabin_buf_release(&frame);
    wabin_buf_release(&again);
    wabin_doc_release(&trees);
    wabin_doc_release(&copies);
}

static void test_copies_share_the_dictionary(void **state)
{
    (void)state;
    char tag[] = "message";
    struct wabin_node node = {.tag = wabin_str(tag, 7)};
    struct wabin_doc doc;

    wabin_doc_init(&doc, NULL);
    const struct wabin_node *copy = wabin_copy(&doc, &node);
    assert_non_null(copy);
    CHECK_BOOL(true, copy->tag.data == wabin_token_texts[19].data);
    wabin_doc_release(&doc);
}

static void test_every_allocation_failing_in_turn(void **state)
{
    (void)state;
    struct wabin_doc whole;

    wabin_doc_init(&whole, NULL);
    const struct wabin_node *tree =
        wabin_sample_tree(&whole, WABIN_SAMPLE_USYNC, 0);
    for (size_t k = 1;; k++) {
        struct alloc_probe probe = {.fail_at = k};
        struct alloc alloc = alloc_probe_alloc(&probe);
        struct wabin_doc_options options = {.alloc = &alloc};
        struct wabin_doc doc;
        wabin_doc_init(&doc, &options);
        const struct wabin_node *built =
            wabin_sample_tree(&doc, WABIN_SAMPLE_USYNC, 0);
        const struct wabin_node *copy = wabin_copy(&doc, tree);
        bool all = built != NULL && copy != NULL;
        wabin_doc_release(&doc);
        CHECK_SIZE(0, probe.live_count);
        CHECK_BOOL(probe.calls < k, all);
        if (all)
            break;
    }
    wabin_doc_release(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set_replaces_push_appends),
        cmocka_unit_test(test_attributes_grow),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_contents_replace_each_other),
        cmocka_unit_test(test_content_as_text),
        cmocka_unit_test(test_look_ups),
        cmocka_unit_test(test_value_is),
        cmocka_unit_test(test_equality_is_structural),
        cmocka_unit_test(test_copies_stand_alone),
        cmocka_unit_test(test_copies_share_the_dictionary),
        cmocka_unit_test(test_every_allocation_failing_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
