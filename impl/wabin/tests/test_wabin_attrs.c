/* SPDX-License-Identifier: MIT */
/* The attribute parser, and errors as text. */
#include "testkit/testkit.h"
#include "wabin/wabin.h"

#define KEY(text) WABIN_STR(text)

static struct wabin_doc doc;

static int start_doc(void **state)
{
    (void)state;
    wabin_doc_init(&doc, NULL);
    return 0;
}

static int end_doc(void **state)
{
    (void)state;
    wabin_doc_release(&doc);
    return 0;
}

static struct wabin_attr text_attr(const char *key, const char *text)
{
    return (struct wabin_attr){
        wabin_str(key, strlen(key)),
        wabin_value_text(wabin_str(text, strlen(text)))};
}

/* A node whose attributes have every kind of value. */
static const struct wabin_node *sample(void)
{
    static struct wabin_attr attrs[12];
    static struct wabin_node node;
    struct wabin_jid from = {.user = WABIN_STR("5511999998888"), .device = 7};

    attrs[0] = (struct wabin_attr){KEY("from"), wabin_value_jid(from)};
    attrs[1] = text_attr("to", "123@lid");
    attrs[2] = text_attr("bad", "@@@");
    attrs[3] = text_attr("true", "True");
    attrs[4] = text_attr("no", "F");
    attrs[5] = text_attr("yes", "yes");
    attrs[6] = text_attr("n", "1700000000");
    attrs[7] = text_attr("neg", "-5");
    attrs[8] = text_attr("over", "18446744073709551616");
    attrs[9] = text_attr("min", "-9223372036854775808");
    attrs[10] = text_attr("under", "-9223372036854775809");
    attrs[11] = text_attr("to", "second");
    node = (struct wabin_node){.tag = WABIN_STR("iq"),
                               .attrs = attrs,
                               .attr_count = ARRAY_COUNT(attrs)};
    return &node;
}

static void check_text(const char *want, struct wabin_str got)
{
    CHECK_BYTES(want, strlen(want), got.data, got.size);
}

static void test_good_values(void **state)
{
    (void)state;
    struct wabin_attrs a = wabin_attrs(sample(), &doc, WABIN_BORROWED);
    struct wabin_jid jid;
    struct wabin_error error;
    struct wabin_str text;
    bool truth = true, present = false;
    uint64_t number;
    int64_t time;

    check_text("5511999998888:7@s.whatsapp.net",
               wabin_attrs_optional_string(&a, KEY("from")));
    check_text("123@lid", wabin_attrs_optional_string(&a, KEY("to")));
    assert_null(wabin_attrs_optional_string(&a, KEY("none")).data);
    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_attrs_required_string(&a, KEY("n"), &text, &error));
    check_text("1700000000", text);
    CHECK_BOOL(true, wabin_attrs_optional_jid(&a, KEY("to"), &jid));
    CHECK_U64(WABIN_SERVER_LID, jid.server);
    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_attrs_required_jid(&a, KEY("from"), &jid, &error));
    CHECK_U64(7, jid.device);
    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_attrs_optional_jid_result(&a, KEY("from"), &present, &jid,
                                               &error));
    CHECK_BOOL(true, present);
    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_attrs_optional_jid_result(&a, KEY("none"), &present, &jid,
                                               &error));
    CHECK_BOOL(false, present);
    CHECK_U64(0, wabin_attrs_non_ad_jid(&a, KEY("from")).device);
    CHECK_BOOL(true, wabin_attrs_bool(&a, KEY("true")));
    CHECK_BOOL(true, wabin_attrs_optional_bool_value(&a, KEY("no"), &truth));
    CHECK_BOOL(false, truth);
    CHECK_BOOL(false, wabin_attrs_optional_bool(&a, KEY("none")));
    CHECK_BOOL(true, wabin_attrs_optional_u64(&a, KEY("n"), &number));
    CHECK_U64(1700000000, number);
    CHECK_BOOL(true, wabin_attrs_optional_unix_time(&a, KEY("min"), &time));
    CHECK_I64(INT64_MIN, time);
    CHECK_I64(-5, wabin_attrs_unix_time(&a, KEY("neg")));
    CHECK_I64(1700000000, wabin_attrs_unix_milli(&a, KEY("n")));
    CHECK_BOOL(true, wabin_attrs_ok(&a));
    CHECK_ENUM(wabin_status_name, WABIN_OK, wabin_attrs_finish(&a, &error));
}

static void check_message(const char *want, const struct wabin_error *error)
{
    char text[1024];
    size_t size = wabin_error_text(error, text, sizeof(text));

    CHECK_STR(want, text);
    CHECK_SIZE(strlen(want), size);
}

/* Asked for by name and not there: the caller's to handle. */
static void test_returned_errors(void **state)
{
    (void)state;
    struct wabin_attrs a = wabin_attrs(sample(), &doc, WABIN_BORROWED);
    struct wabin_error error;
    struct wabin_str text;
    struct wabin_jid jid;

    CHECK_ENUM(wabin_status_name, WABIN_MISSING_ATTR,
               wabin_attrs_required_string(&a, KEY("none"), &text, &error));
    check_message("Missing required attribute: none", &error);
    CHECK_ENUM(wabin_status_name, WABIN_MISSING_ATTR,
               wabin_attrs_required_jid(&a, KEY("none"), &jid, NULL));
    CHECK_ENUM(wabin_status_name, WABIN_BAD_JID,
               wabin_attrs_required_jid(&a, KEY("bad"), &jid, &error));
    check_message("JID parsing error: Invalid JID format: unknown server '@@'",
                  &error);
    CHECK_BOOL(true, wabin_attrs_ok(&a));
}

static void collect_some(struct wabin_attrs *a)
{
    struct wabin_jid jid;
    uint64_t number;
    int64_t time;

    CHECK_BOOL(false, wabin_attrs_optional_bool(a, KEY("yes")));
    CHECK_BOOL(false, wabin_attrs_bool(a, KEY("none")));
    CHECK_BOOL(false, wabin_attrs_optional_u64(a, KEY("over"), &number));
    CHECK_BOOL(false, wabin_attrs_optional_unix_time(a, KEY("under"), &time));
    CHECK_BOOL(false, wabin_attrs_optional_jid(a, KEY("bad"), &jid));
    CHECK_SIZE(0, wabin_attrs_jid(a, KEY("none")).user.size);
    CHECK_BOOL(false, wabin_attrs_ok(a));
}

#define COLLECTED                                                             \
    "Multiple attribute parsing errors: ["                                    \
    "AttrParse(\"Failed to parse bool from 'yes' for key 'yes'\"), "          \
    "AttrParse(\"Required attribute 'none' not found\"), "                    \
    "AttrParse(\"Failed to parse u64 from '18446744073709551616' for key "    \
    "'over': number too large to fit in target type\"), "                     \
    "AttrParse(\"Failed to parse i64 from '-9223372036854775809' for key "    \
    "'under': number too small to fit in target type\"), "

static void test_collected_errors(void **state)
{
    (void)state;
    struct wabin_attrs a = wabin_attrs(sample(), &doc, WABIN_BORROWED);
    struct wabin_attrs b = wabin_attrs(sample(), &doc, WABIN_OWNED);
    struct wabin_error error;

    collect_some(&a);
    CHECK_ENUM(wabin_status_name, WABIN_ATTR_LIST,
               wabin_attrs_finish(&a, &error));
    check_message(COLLECTED "AttrParse(\"Invalid JID: @@@\"), "
                            "AttrParse(\"Required attribute 'none' not "
                            "found\")]",
                  &error);
    CHECK_SIZE(6, error.list_count);
    collect_some(&a); /* it goes on, past its first places */
    CHECK_ENUM(wabin_status_name, WABIN_ATTR_LIST,
               wabin_attrs_finish(&a, &error));
    CHECK_SIZE(12, error.list_count);
    check_message("Attribute parsing failed: Invalid JID: @@@",
                  &error.list[10]);
    collect_some(&b);
    CHECK_ENUM(wabin_status_name, WABIN_ATTR_LIST,
               wabin_attrs_finish(&b, &error));
    check_message(COLLECTED
                  "Jid(InvalidFormat(\"Invalid JID format: unknown server "
                  "'@@'\")), AttrParse(\"Required attribute 'none' not "
                  "found\")]",
                  &error);
    check_message("JID parsing error: Invalid JID format: Invalid JID "
                  "format: unknown server '@@'",
                  &error.list[4]);
}

/* Quotes, backslashes and control characters in a list. */
static void test_quoting(void **state)
{
    (void)state;
    struct wabin_attr attr = {
        KEY("k\"\\"),
        wabin_value_text(wabin_str("a\n\r\t\0\x01\x7f\xc2\x85\xc3\xa9", 11))};
    struct wabin_node node = {
        .tag = WABIN_STR("iq"), .attrs = &attr, .attr_count = 1};
    struct wabin_attrs a = wabin_attrs(&node, &doc, WABIN_BORROWED);
    struct wabin_error error;

    CHECK_BOOL(false, wabin_attrs_optional_bool(&a, KEY("k\"\\")));
    CHECK_ENUM(wabin_status_name, WABIN_ATTR_LIST,
               wabin_attrs_finish(&a, &error));
    check_message("Multiple attribute parsing errors: [AttrParse(\"Failed to "
                  "parse bool from 'a\\n\\r\\t\\0\\u{1}\\u{7f}\\u{85}"
                  "\xc3\xa9' for key 'k\\\"\\\\'\")]",
                  &error);
}

/* A message longer than its room is cut, ends with a zero, and is measured
 * whole. */
static void test_messages_fit_their_room(void **state)
{
    (void)state;
    static const struct wabin_error error = {.status = WABIN_FORMAT_BYTE,
                                             .number = 0xf8};
    static const char whole[] =
        "Packed payload starts with format byte 0xf8, expected an "
        "uncompressed 0x00";

    for (size_t room = 0; room <= sizeof(whole); room++) {
        char *out = (char *)guard_new(room);
        CHECK_SIZE(sizeof(whole) - 1, wabin_error_text(&error, out, room));
        if (room != 0) {
            size_t kept = room < sizeof(whole) ? room - 1 : sizeof(whole) - 1;
            CHECK_BYTES(whole, kept, out, kept);
            CHECK_U64(0, (uint8_t)out[kept]);
        }
        guard_free((uint8_t *)out, room);
    }
}

/* Every kind has a message and a name of its own. */
static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        struct wabin_error error;
        const char *message;
    } rows[] = {
        {{.status = WABIN_INVALID_NODE}, "Invalid node format"},
        {{.status = WABIN_NON_STRING_KEY}, "Attribute key was not a string"},
        {{.status = WABIN_EOF}, "Unexpected end of binary data"},
        {{.status = WABIN_EMPTY_DATA},
         "Received empty data where payload was expected"},
        {{.status = WABIN_LEFTOVER_DATA, .number = 3},
         "Leftover data after decoding: 3 bytes"},
        {{.status = WABIN_MAX_DEPTH},
         "Node nesting exceeded the maximum depth"},
        {{.status = WABIN_PLAN_MISMATCH},
         "Exact-marshal encode diverged from its size plan"},
        {{.status = WABIN_INVALID_TOKEN, .number = 240},
         "Invalid token read from stream: 240"},
        {{.status = WABIN_ZLIB, .cause = WABIN_CAUSE_TOO_LARGE, .number = 9},
         "Zlib decompression error: decompressed payload exceeds 9 bytes"},
        {{.status = WABIN_INVALID_UTF8, .number = 4, .length = 2},
         "Data is not valid UTF-8: invalid utf-8 sequence of 2 bytes from "
         "index 4"},
    };

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        check_message(rows[i].message, &rows[i].error);
    CHECK_STR("UnexpectedEof", wabin_status_name(WABIN_EOF));
    CHECK_STR("unknown", wabin_status_name((enum wabin_status)99));
}

/* Out of memory while collecting is said, not hidden. */
static void test_no_memory(void **state)
{
    (void)state;
    struct alloc_probe probe = {.fail_at = 1};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct wabin_doc_options options = {.alloc = &alloc};
    struct wabin_doc empty;
    struct wabin_error error;

    wabin_doc_init(&empty, &options);
    struct wabin_attrs a = wabin_attrs(sample(), &empty, WABIN_BORROWED);
    CHECK_BOOL(false, wabin_attrs_bool(&a, KEY("none")));
    CHECK_BOOL(false, wabin_attrs_ok(&a));
    CHECK_ENUM(wabin_status_name, WABIN_NO_MEMORY,
               wabin_attrs_finish(&a, &error));
    wabin_doc_release(&empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_values),
        cmocka_unit_test(test_returned_errors),
        cmocka_unit_test(test_collected_errors),
        cmocka_unit_test(test_quoting),
        cmocka_unit_test(test_messages_fit_their_room),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, start_doc, end_doc);
}
