/* SPDX-License-Identifier: MIT */
/* Encoding: how strings and JIDs are written, and the ways to do it. */
#include "testkit/testkit.h"
#include "wabin/sample/wabin_sample.h"
#include "wabin/wabin.h"
#include "wabin/wabin_encode_internal.h"

#include <stdio.h>
#include <stdlib.h>

static void check_frame(const char *hex, const struct wabin_node *node)
{
    uint8_t want[512];
    size_t size = hex_decode(hex, want, sizeof(want));
    struct wabin_buf out = {0};

    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_marshal_plain(node, &out, NULL));
    CHECK_BYTES(want, size, out.data, out.size);
    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_marshal_exact(node, &out, NULL));
    CHECK_BYTES(want, size, out.data, out.size);
    CHECK_SIZE(size, out.capacity);
    wabin_buf_release(&out);
}

/* A value behind tag t and key v: 00 f8 03 1a 51 */
static void check_value(const char *hex, struct wabin_value value)
{
    struct wabin_attr attr = {WABIN_STR("v"), value};
    struct wabin_node node = {
        .tag = WABIN_STR("t"), .attrs = &attr, .attr_count = 1};
    char whole[256];

    snprintf(whole, sizeof(whole), "00f8031a51%s", hex);
    check_frame(whole, &node);
}

static void check_string(const char *hex, const char *text)
{
    check_value(hex, wabin_value_text(wabin_str(text, strlen(text))));
}

static void test_strings(void **state)
{
    (void)state;
    check_string("fc00", "");
    check_string("2d", "0");
    check_string("ec00", "read-self");
    check_string("efff", "1961");
    check_string("ee00", "64");
    check_string("ee72", "-1");
    check_string("ff82123f", "123");
    check_string("ff021234", "1234");
    check_string("ff06ab0123456789", "-.0123456789");
    check_string("fb82abcf", "ABC");
    check_string("fb81af", "A");
    check_string("fb0a3eb0a1b2c3d4e5f60718", "3EB0A1B2C3D4E5F60718");
    check_string("fc06616263646566", "abcdef");
    check_string("fc03412d42", "A-B");
    check_string("ff02bbbb", "....");
    check_string("fc046f6cc3a1", "ol\xc3\xa1");
}

/* The text forms have their own rules: first colon, first underscore. */
static void test_jid_texts(void **state)
{
    (void)state;
    check_string("faff875511999990000f03", "5511999990000@s.whatsapp.net");
    check_string("f70000ff875511999990000f", "5511999990000:0@s.whatsapp.net");
    check_string("f700ffff875511999990000f",
                 "5511999990000:255@s.whatsapp.net");
    check_string("fafc11353531313939393939303030303a32353603",
                 "5511999990000:256@s.whatsapp.net");
    check_string("f70007ff875511999990000f",
                 "5511999990000:+7@s.whatsapp.net");
    check_string("fafc0e353531313939393939303030303a03",
                 "5511999990000:@s.whatsapp.net");
    check_string("f70127ff88236395184570386f", "236395184570386:39@lid");
    check_string("f78063ff875511999887766f", "5511999887766:99@hosted");
    check_string("f78163ff88100000012345678f",
                 "100000012345678:99@hosted.lid");
    check_string("faff8312345f0d", "12345:5@broadcast");
    check_string("fa0b0d", "status@broadcast");
    check_string("faff8312345ffc0a6e6577736c6574746572", "12345@newsletter");
    check_string("faff8615550000002f76", "15550000002_1@lid");
    check_string("f70104ff8615550000002f", "15550000002_1:4@lid");
    check_string("fafc0f31353535303030303030325f33303076",
                 "15550000002_300@lid");
    check_string("fafc05615f315f3203", "a_1_2@s.whatsapp.net");
    check_string("fafc05613a313a3276", "a:1:2@lid");
    check_string("f78002fc03612e31", "a.1:2@hosted");
    check_string("fa0003", "@s.whatsapp.net");
    check_string("03", "s.whatsapp.net");
    check_string("fafc01615e", "a@unknown");
    check_string("fafc0161fafc016276", "a@b@lid");
    check_string("fafc0161fc00", "a@");
    check_string("fa00fc00", "@");
    check_string("fafc2178787878787878787878787878787878787878787878787878"
                 "787878787878787803",
                 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx@s.whatsapp.net");
    check_string("fc31787878787878787878787878787878787878787878787878787878"
                 "7878787878787840732e77686174736170702e6e6574",
                 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx@s.whatsapp.net");
}

static struct wabin_value jid(const char *user, enum wabin_server server,
                              uint16_t device)
{
    return wabin_value_jid((struct wabin_jid){
        .user = wabin_str(user, strlen(user)),
        .server = (uint8_t)server,
        .device = device,
    });
}

static void test_structured_jids(void **state)
{
    (void)state;
    struct wabin_value interop = jid("123456789", WABIN_SERVER_INTEROP, 7);
    struct wabin_value agent = jid("5511999990000", WABIN_SERVER_PN, 33);

    check_value("faff875511999990000f03",
                jid("5511999990000", WABIN_SERVER_PN, 0));
    check_value("f70007ff875511999990000f",
                jid("5511999990000", WABIN_SERVER_PN, 7));
    check_value("f78063ff875511999887766f",
                jid("5511999887766", WABIN_SERVER_HOSTED, 99));
    check_value("faff875511999887766ffc06686f73746564",
                jid("5511999887766", WABIN_SERVER_HOSTED, 0));
    check_value("faff091203630123456789011c",
                jid("120363012345678901", WABIN_SERVER_GROUP, 5));
    check_value("faff85123456789ffc07696e7465726f70", interop);
    interop.integrator = 300;
    check_value("f5ff85123456789f0007012c", interop);
    agent.agent = 2;
    check_value("f70021ff875511999990000f", agent);
    check_value("fafc0e6d657373656e6765725f75736572cc",
                jid("messenger_user", WABIN_SERVER_MESSENGER, 50));
    check_value("fa0003", jid("", WABIN_SERVER_PN, 0));
    check_value("f70003fc00", jid("", WABIN_SERVER_PN, 3));
    check_value("fafb03abcdef76", jid("ABCDEF", WABIN_SERVER_LID, 0));
    check_value("faf70101fc016103", jid("a:1@lid", WABIN_SERVER_PN, 0));
}

static void test_contents(void **state)
{
    (void)state;
    struct wabin_node node = {.tag = WABIN_STR("t")};

    check_frame("00f8011a", &node);
    wabin_set_text(&node, WABIN_STR(""));
    check_frame("00f8021afc00", &node);
    wabin_set_bytes(&node, NULL, 0);
    check_frame("00f8021afc00", &node);
    wabin_set_nodes(&node, NULL, 0);
    check_frame("00f8021a00", &node);
    wabin_set_text(&node, WABIN_STR("2024-01.02"));
    check_frame("00f8021aff052024a01b02", &node);
    wabin_set_bytes(&node, "get", 3);
    check_frame("00f8021afc03676574", &node);
}

/* ---- failures ---------------------------------------------------------- */

typedef enum wabin_status marshal_fn(const struct wabin_node *node,
                                     struct wabin_buf *out,
                                     struct wabin_error *error);

static void check_fails(enum wabin_status want, const char *message,
                        const struct wabin_node *node)
{
    static marshal_fn *const ways[] = {wabin_marshal_plain, wabin_marshal_auto,
                                       wabin_marshal_exact,
                                       wabin_marshal_into};
    struct wabin_buf out = {0};
    char text[128];

    for (size_t i = 0; i < ARRAY_COUNT(ways); i++) {
        struct wabin_error error;
        CHECK_ENUM(wabin_status_name, want, ways[i](node, &out, &error));
        wabin_error_text(&error, text, sizeof(text));
        CHECK_STR(message, text);
        CHECK_SIZE(0, out.size);
    }
    wabin_buf_release(&out);
}

static void test_failures(void **state)
{
    (void)state;
    const size_t many = 65536;
    struct wabin_node *children = calloc(many, sizeof(*children));
    struct wabin_node list = {.tag = WABIN_STR("list")};
    struct wabin_attr *attrs = calloc(many / 2, sizeof(*attrs));
    struct wabin_attr device = {WABIN_STR("v"),
                                jid("1", WABIN_SERVER_PN, 256)};
    struct wabin_node ad = {
        .tag = WABIN_STR("t"), .attrs = &device, .attr_count = 1};

    check_fails(WABIN_ATTR_PARSE,
                "Attribute parsing failed: AD_JID device id out of range: 256",
                &ad);
    for (size_t i = 0; i < many; i++)
        children[i].tag = WABIN_STR("item");
    wabin_set_nodes(&list, children, many);
    check_fails(WABIN_INVALID_NODE, "Invalid node format", &list);
    for (size_t i = 0; i < many / 2; i++)
        attrs[i] = (struct wabin_attr){WABIN_STR("id"), jid("", 0, 0)};
    list = (struct wabin_node){.tag = WABIN_STR("list"), .attrs = attrs};
    list.attr_count = (uint32_t)many / 2 - 1;
    wabin_set_text(&list, WABIN_STR("x")); /* the element too many */
    check_fails(WABIN_INVALID_NODE, "Invalid node format", &list);
    free(attrs);
    free(children);
}

static void test_every_allocation_failing_in_turn(void **state)
{
    (void)state;
    static marshal_fn *const ways[] = {wabin_marshal_plain, wabin_marshal_auto,
                                       wabin_marshal_exact,
                                       wabin_marshal_into};
    struct wabin_doc doc;

    wabin_doc_init(&doc, NULL);
    const struct wabin_node *tree =
        wabin_sample_tree(&doc, WABIN_SAMPLE_USYNC, 0);
    for (size_t i = 0; i < ARRAY_COUNT(ways); i++) {
        for (size_t k = 1;; k++) {
            struct alloc_probe probe = {.fail_at = k};
            struct alloc alloc = alloc_probe_alloc(&probe);
            struct wabin_buf out = {.alloc = &alloc};
            struct wabin_error error;
            enum wabin_status status = ways[i](tree, &out, &error);
            wabin_buf_release(&out);
            CHECK_SIZE(0, probe.live_count);
            if (probe.calls < k) {
                CHECK_ENUM(wabin_status_name, WABIN_OK, status);
                break;
            }
            CHECK_ENUM(wabin_status_name, WABIN_NO_MEMORY, status);
            CHECK_ENUM(wabin_status_name, WABIN_NO_MEMORY, error.status);
        }
    }
    wabin_doc_release(&doc);
}

/* A plan of one tree, used to write another. */
static enum wabin_status write_by(const struct wabin_node *planned,
                                  const struct wabin_node *written)
{
    struct plan plan;
    struct wabin_buf out = {0};
    struct wabin_error error = {.status = WABIN_OK};

    assert_true(plan_make(&plan, planned, NULL));
    enum wabin_status status = plan_write(&plan, written, &out, &error);
    plan_release(&plan);
    CHECK_ENUM(wabin_status_name, status, error.status);
    if (status != WABIN_OK)
        assert_null(out.data);
    wabin_buf_release(&out);
    return status;
}

static void test_plan_mismatch(void **state)
{
    (void)state;
    struct wabin_attr two[] = {
        {WABIN_STR("id"), wabin_value_text(WABIN_STR("12345"))},
        {WABIN_STR("to"), wabin_value_text(WABIN_STR("ABCDE"))}};
    struct wabin_node base = {
        .tag = WABIN_STR("ack"), .attrs = two, .attr_count = 1};
    struct wabin_node more = base, less = base, longer = base;

    more.attr_count = 2;
    less.attr_count = 0;
    longer.tag = WABIN_STR("receipt");
    CHECK_ENUM(wabin_status_name, WABIN_OK, write_by(&base, &base));
    CHECK_ENUM(wabin_status_name, WABIN_PLAN_MISMATCH, write_by(&base, &more));
    CHECK_ENUM(wabin_status_name, WABIN_PLAN_MISMATCH, write_by(&base, &less));
    CHECK_ENUM(wabin_status_name, WABIN_PLAN_MISMATCH,
               write_by(&base, &longer));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_jid_texts),
        cmocka_unit_test(test_structured_jids),
        cmocka_unit_test(test_contents),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_every_allocation_failing_in_turn),
        cmocka_unit_test(test_plan_mismatch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
