/* SPDX-License-Identifier: MIT */
/* JIDs: text both ways, comparison, and what they are. */
#include "testkit/testkit.h"
#include "wabin/wabin.h"

static struct wabin_str str(const char *text)
{
    return wabin_str(text, strlen(text));
}

static struct wabin_jid make(const char *user, enum wabin_server server,
                             unsigned agent, unsigned device)
{
    return (struct wabin_jid){
        .user = str(user),
        .server = (uint8_t)server,
        .agent = (uint8_t)agent,
        .device = (uint16_t)device,
    };
}

static void check_jid(struct wabin_jid want, const struct wabin_jid *got)
{
    CHECK_BYTES(want.user.data, want.user.size, got->user.data,
                got->user.size);
    CHECK_U64(want.server, got->server);
    CHECK_U64(want.agent, got->agent);
    CHECK_U64(want.device, got->device);
    CHECK_U64(want.integrator, got->integrator);
}

static void check_format(const char *want, const struct wabin_jid *jid,
                         enum wabin_jid_form form)
{
    size_t size = strlen(want);
    char *out = (char *)guard_new(size);

    CHECK_SIZE(size, wabin_jid_format(jid, form, NULL, 0));
    CHECK_SIZE(size, wabin_jid_format(jid, form, out, size));
    CHECK_BYTES(want, size, out, size);
    if (size > wabin_jid_bound(jid))
        CHECK_FAIL("%s is longer than the bound", want);
    guard_free((uint8_t *)out, size);
}

static void test_servers(void **state)
{
    (void)state;
    static const char *const texts[WABIN_SERVER_COUNT] = {
        "s.whatsapp.net", "lid",    "g.us",       "broadcast",
        "newsletter",     "hosted", "hosted.lid", "msgr",
        "interop",        "bot",    "c.us",       "call"};

    for (enum wabin_server s = 0; s < WABIN_SERVER_COUNT; s++) {
        struct wabin_str text = wabin_server_text(s);
        CHECK_BYTES(texts[s], strlen(texts[s]), text.data, text.size);
        CHECK_U64(s, wabin_server_find(str(texts[s])));
        int domain = s == WABIN_SERVER_PN           ? 0
                     : s == WABIN_SERVER_LID        ? 1
                     : s == WABIN_SERVER_HOSTED     ? 128
                     : s == WABIN_SERVER_HOSTED_LID ? 129
                                                    : -1;
        CHECK_I64(domain, wabin_server_domain(s));
        CHECK_BOOL(domain < 0, wabin_server_shows_agent(s));
    }
    CHECK_U64(WABIN_SERVER_NONE, wabin_server_find(str("")));
    CHECK_U64(WABIN_SERVER_NONE, wabin_server_find(str("LID")));
    CHECK_U64(WABIN_SERVER_NONE, wabin_server_find(str("lid ")));
    CHECK_U64(WABIN_SERVER_NONE, wabin_server_find(str("s.whatsapp.ne")));
}

/** A text, the JID that it is, and that JID's text. */
struct good {
    const char *text;
    struct wabin_jid jid;
    const char *again;
};

static void test_parse(void **state)
{
    (void)state;
    const struct good rows[] = {
        {"5511999990000:7@s.whatsapp.net",
         make("5511999990000", WABIN_SERVER_PN, 0, 7), NULL},
        {"5511999990000.2@s.whatsapp.net",
         make("5511999990000", WABIN_SERVER_PN, 0, 2),
         "5511999990000:2@s.whatsapp.net"},
        {"5511999990000.0:7@s.whatsapp.net",
         make("5511999990000.0", WABIN_SERVER_PN, 0, 7), NULL},
        {"5511999990000.70000@s.whatsapp.net",
         make("5511999990000.70000", WABIN_SERVER_PN, 0, 0), NULL},
        {"12345.678:9@lid", make("12345.678", WABIN_SERVER_LID, 0, 9), NULL},
        {"x:65536@lid", make("x", WABIN_SERVER_LID, 0, 0), "x@lid"},
        {"x:+7@lid", make("x", WABIN_SERVER_LID, 0, 7), "x:7@lid"},
        {"x:007@lid", make("x", WABIN_SERVER_LID, 0, 7), "x:7@lid"},
        {":5@lid", make("", WABIN_SERVER_LID, 0, 5), "lid"},
        {"123456789.4:17@interop",
         make("123456789", WABIN_SERVER_INTEROP, 4, 17), NULL},
        {"123.999@interop", make("123.999", WABIN_SERVER_INTEROP, 0, 0), NULL},
        {"12345.6@hosted.lid", make("12345", WABIN_SERVER_HOSTED_LID, 6, 0),
         "12345@hosted.lid"},
        {"a:1.5:2@bot", make("a:1", WABIN_SERVER_BOT, 5, 2), NULL},
        {".5@interop", make("", WABIN_SERVER_INTEROP, 5, 0), "interop"},
        {"120363012345678901@g.us",
         make("120363012345678901", WABIN_SERVER_GROUP, 0, 0), NULL},
        {"h\xc3\xa9llo@lid", make("h\xc3\xa9llo", WABIN_SERVER_LID, 0, 0),
         NULL},
    };

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        size_t size = strlen(rows[i].text);
        const uint8_t *text = guard_copy(rows[i].text, size);
        struct wabin_str in = wabin_str((const char *)text, size);
        struct wabin_jid jid, scanned;
        CHECK_ENUM(wabin_status_name, WABIN_OK,
                   wabin_jid_parse(in, &jid, NULL));
        check_jid(rows[i].jid, &jid);
        CHECK_BOOL(true, wabin_jid_scan(in, &scanned));
        check_jid(rows[i].jid, &scanned);
        const char *again =
            rows[i].again != NULL ? rows[i].again : rows[i].text;
        check_format(again, &jid, WABIN_JID_FULL);
        CHECK_BOOL(true, wabin_jid_is_text(&jid, str(again)));
        CHECK_BOOL(false, wabin_jid_is_text(&jid, str("lid@")));
        guard_free(text, size);
    }
}

static void test_servers_alone(void **state)
{
    (void)state;
    struct wabin_jid jid;

    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_jid_parse(str("s.whatsapp.net"), &jid, NULL));
    check_jid(make("", WABIN_SERVER_PN, 0, 0), &jid);
    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_jid_parse(str("@g.us"), &jid, NULL));
    check_jid(make("", WABIN_SERVER_GROUP, 0, 0), &jid);
    CHECK_BOOL(false, wabin_jid_scan(str("g.us"), &jid));
    CHECK_BOOL(false, wabin_jid_scan(str("@g.us"), &jid));
}

static void test_parse_failures(void **state)
{
    (void)state;
#define FORMAT "JID parsing error: Invalid JID format: "
#define PARSE  "JID parsing error: Failed to parse component: "
    static const char *const rows[][2] = {
        {"", FORMAT "unknown server ''"},
        {"user", FORMAT "unknown server 'user'"},
        {"@@", FORMAT "unknown server '@'"},
        {"user@unknown", FORMAT "unknown server: unknown"},
        {"a@b@lid", FORMAT "unknown server: b@lid"},
        {"User@LID", FORMAT "unknown server: LID"},
        {"a.256@unknown", FORMAT "Agent component out of range: 256"},
        {"a.70000@unknown", FORMAT "unknown server: unknown"},
        {"a.256:1@x", FORMAT "Agent component out of range: 256"},
        {"a:x@unknown", PARSE "invalid digit found in string"},
        {"a:@unknown", PARSE "cannot parse integer from empty string"},
        {"a:+@unknown", PARSE "invalid digit found in string"},
        {"a:70000@unknown", PARSE "number too large to fit in target type"},
        {"a:70000x@zz", PARSE "number too large to fit in target type"},
        {"a:7000x@zz", PARSE "invalid digit found in string"},
    };

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        struct wabin_jid jid = make("kept", WABIN_SERVER_BOT, 1, 2);
        struct wabin_error error;
        char text[128];
        CHECK_ENUM(wabin_status_name, WABIN_BAD_JID,
                   wabin_jid_parse(str(rows[i][0]), &jid, &error));
        wabin_error_text(&error, text, sizeof(text));
        CHECK_STR(rows[i][1], text);
        check_jid(make("kept", WABIN_SERVER_BOT, 1, 2), &jid);
    }
}

static void test_forms(void **state)
{
    (void)state;
    struct wabin_jid bot = make("user", WABIN_SERVER_BOT, 5, 10);
    struct wabin_jid pn = make("5511999887766", WABIN_SERVER_PN, 3, 0);
    struct wabin_jid most = make("1", WABIN_SERVER_CALL, 255, 65535);
    struct wabin_jid none = make("", WABIN_SERVER_LID, 1, 7);

    check_format("user.5:10@bot", &bot, WABIN_JID_FULL);
    check_format("user@bot", &bot, WABIN_JID_NON_AD);
    check_format("user.0:10@bot", &bot, WABIN_JID_PARTICIPANT);
    check_format("5511999887766@s.whatsapp.net", &pn, WABIN_JID_FULL);
    check_format("5511999887766.0:0@s.whatsapp.net", &pn,
                 WABIN_JID_PARTICIPANT);
    check_format("1.255:65535@call", &most, WABIN_JID_FULL);
    for (int form = WABIN_JID_FULL; form <= WABIN_JID_PARTICIPANT; form++)
        check_format("lid", &none, (enum wabin_jid_form)form);
    struct wabin_jid bare = wabin_jid_non_ad(bot);
    check_jid(make("user", WABIN_SERVER_BOT, 0, 0), &bare);
}

/* Around the sizes where buffers of 64 bytes would end, with characters of
 * several bytes. */
static void test_long_texts(void **state)
{
    (void)state;
    char user[100], want[130];

    for (size_t size = 2; size <= 98; size += 2) {
        for (size_t i = 0; i < size; i += 2)
            user[i] = '\xc3', user[i + 1] = '\xa9';
        struct wabin_jid jid = make("", WABIN_SERVER_LID, 0, 12);
        jid.user = wabin_str(user, size);
        memcpy(want, user, size);
        memcpy(want + size, ":12@lid", 8);
        check_format(want, &jid, WABIN_JID_FULL);
        CHECK_BOOL(true, wabin_jid_is_text(&jid, str(want)));
    }
}

static void check_key(const struct wabin_jid *a, const struct wabin_jid *b,
                      bool same)
{
    uint8_t first[64], second[64];

    wabin_jid_key(a, first);
    wabin_jid_key(b, second);
    CHECK_BOOL(same, wabin_jid_key_size(a) == wabin_jid_key_size(b) &&
                         memcmp(first, second, wabin_jid_key_size(a)) == 0);
}

static void test_comparison(void **state)
{
    (void)state;
    struct wabin_jid a = make("1", WABIN_SERVER_PN, 0, 1), b = a;

    b.agent = 9; /* never splits an identity here */
    CHECK_BOOL(true, wabin_jid_equal(&a, &b));
    check_key(&a, &b, true);
    b.device = 2;
    CHECK_BOOL(false, wabin_jid_equal(&a, &b));
    check_key(&a, &b, false);
    CHECK_BOOL(true, wabin_jid_same_chat(&a, &b));
    CHECK_BOOL(false, wabin_jid_same_device(&a, &b));
    b = a;
    b.integrator = 3;
    CHECK_BOOL(false, wabin_jid_equal(&a, &b));
    CHECK_BOOL(true, wabin_jid_same_device(&a, &b));
    a = b = make("1", WABIN_SERVER_BOT, 0, 0);
    b.agent = 9;
    CHECK_BOOL(false, wabin_jid_equal(&a, &b));
    check_key(&a, &b, false);
    b = make("1", WABIN_SERVER_CALL, 0, 0);
    CHECK_BOOL(false, wabin_jid_equal(&a, &b));
    b = make("2", WABIN_SERVER_BOT, 0, 0);
    CHECK_BOOL(false, wabin_jid_equal(&a, &b));
}

static void test_same_text(void **state)
{
    (void)state;
    struct wabin_jid whole = make("a.1", WABIN_SERVER_BOT, 0, 0);
    struct wabin_jid parts = make("a", WABIN_SERVER_BOT, 1, 0);
    struct wabin_jid none = make("", WABIN_SERVER_BOT, 1, 0);
    struct wabin_jid other = make("", WABIN_SERVER_BOT, 0, 7);

    CHECK_BOOL(true, wabin_jid_same_text(&whole, &parts));
    CHECK_BOOL(true, wabin_jid_same_text(&parts, &whole));
    CHECK_BOOL(true, wabin_jid_same_text(&none, &other));
    CHECK_BOOL(false, wabin_jid_same_text(&none, &parts));
    parts.agent = 2;
    CHECK_BOOL(false, wabin_jid_same_text(&whole, &parts));
    parts = make("b", WABIN_SERVER_BOT, 1, 0);
    CHECK_BOOL(false, wabin_jid_same_text(&whole, &parts));
    other = make("a.1", WABIN_SERVER_CALL, 0, 0);
    CHECK_BOOL(false, wabin_jid_same_text(&whole, &other));
}

static void test_hosting(void **state)
{
    (void)state;
    struct wabin_jid jid =
        wabin_jid_with_device(make("1", WABIN_SERVER_PN, 0, 0), 99, true);

    check_jid(make("1", WABIN_SERVER_HOSTED, 0, 99), &jid);
    jid = wabin_jid_with_device(jid, 1, false);
    check_jid(make("1", WABIN_SERVER_PN, 0, 1), &jid);
    jid.server = WABIN_SERVER_HOSTED_LID;
    jid = wabin_jid_with_device(jid, 2, false);
    check_jid(make("1", WABIN_SERVER_LID, 0, 2), &jid);
    jid = wabin_jid_with_device(jid, 2, true);
    check_jid(make("1", WABIN_SERVER_HOSTED_LID, 0, 2), &jid);
    jid.server = WABIN_SERVER_GROUP;
    jid = wabin_jid_with_device(jid, 3, true);
    check_jid(make("1", WABIN_SERVER_GROUP, 0, 3), &jid);
}

static void test_predicates(void **state)
{
    (void)state;
    struct wabin_jid status = make("status", WABIN_SERVER_BROADCAST, 0, 0);
    struct wabin_jid list = make("1", WABIN_SERVER_BROADCAST, 0, 0);
    struct wabin_jid bot = make("13135550002", WABIN_SERVER_PN, 0, 0);
    struct wabin_jid psa = make("0", WABIN_SERVER_LEGACY, 0, 0);

    CHECK_BOOL(true, wabin_jid_is_status_broadcast(&status));
    CHECK_BOOL(false, wabin_jid_is_broadcast_list(&status));
    CHECK_BOOL(true, wabin_jid_is_broadcast_list(&list));
    CHECK_BOOL(true, wabin_jid_is_bot(&bot));
    bot.user = str("13165550012");
    CHECK_BOOL(true, wabin_jid_is_bot(&bot));
    bot.device = 1;
    CHECK_BOOL(false, wabin_jid_is_bot(&bot));
    CHECK_BOOL(true, wabin_jid_is_ad(&bot));
    CHECK_BOOL(true, wabin_jid_is_psa(&psa));
    psa.server = WABIN_SERVER_LID;
    CHECK_BOOL(false, wabin_jid_is_psa(&psa));
    psa.device = 99;
    CHECK_BOOL(true, wabin_jid_is_hosted(&psa));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_servers),
        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_servers_alone),
        cmocka_unit_test(test_parse_failures),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_long_texts),
        cmocka_unit_test(test_comparison),
        cmocka_unit_test(test_same_text),
        cmocka_unit_test(test_hosting),
        cmocka_unit_test(test_predicates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
