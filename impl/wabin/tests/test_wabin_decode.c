/* SPDX-License-Identifier: MIT */
/* Decoding: contexts, length forms, each failure with its place. */
#include "testkit/testkit.h"
#include "wabin/reference/wabin_ref.h"
#include "wabin/wabin.h"

#define ROOM 512

/** Node bytes and how they fail. */
struct bad {
    const char *hex;
    enum wabin_status status;
    size_t at;
    uint64_t number;
    const char *argument; /* text behind the kind's own, or NULL */
};

/* Both decoders, and the one of frames, whose offsets count one byte more. */
static void check_bad(const struct bad *row)
{
    uint8_t bytes[ROOM + 1] = {0};
    size_t size = hex_decode(row->hex, bytes + 1, ROOM);
    const uint8_t *in = guard_copy(bytes + 1, size);
    const uint8_t *frame = guard_copy(bytes, size + 1);
    const struct wabin_node *root = NULL;
    struct ref_node ref;
    struct wabin_error error = {0}, other = {0};
    struct wabin_doc doc;
    char text[128];

    wabin_doc_init(&doc, NULL);
    CHECK_ENUM(wabin_status_name, row->status,
               wabin_decode(&doc, in, size, &root, &error));
    CHECK_ENUM(wabin_status_name, row->status, error.status);
    CHECK_SIZE(row->at, error.at);
    CHECK_U64(row->number, error.number);
    if (row->argument != NULL) {
        wabin_error_argument(&error, text, sizeof(text));
        CHECK_STR(row->argument, text);
    }
    CHECK_ENUM(wabin_status_name, row->status,
               wabin_ref_decode(in, size, NULL, &ref, &other));
    CHECK_SIZE(row->at, other.at);
    CHECK_U64(row->number, other.number);
    wabin_ref_free(&ref, NULL);
    if (size != 0) {
        CHECK_ENUM(wabin_status_name, row->status,
                   wabin_decode_frame(&doc, frame, size + 1, &root, &error));
        CHECK_SIZE(row->at + 1, error.at);
    }
    assert_null(root);
    wabin_doc_release(&doc);
    guard_free(in, size);
    guard_free(frame, size + 1);
}

static void check_all_bad(const struct bad *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_bad(&rows[i]);
}

static void test_lists(void **state)
{
    (void)state;
    static const struct bad rows[] = {
        {"", WABIN_EOF, 0, 0, ""},
        {"00", WABIN_INVALID_NODE, 0, 0, ""},
        {"f8", WABIN_EOF, 1, 0, NULL},
        {"f9", WABIN_EOF, 1, 0, NULL},
        {"f900", WABIN_EOF, 1, 0, NULL},
        {"f800", WABIN_INVALID_NODE, 0, 0, NULL},
        {"f90000", WABIN_INVALID_NODE, 0, 0, NULL},
        {"13", WABIN_INVALID_TOKEN, 0, 19, "19"},
        {"fc0161", WABIN_INVALID_TOKEN, 0, 252, NULL},
        {"ff01", WABIN_INVALID_TOKEN, 0, 255, NULL},
        {"fa0003", WABIN_INVALID_TOKEN, 0, 250, NULL},
        {"f001", WABIN_INVALID_TOKEN, 0, 240, NULL},
        {"f80213f802f80113", WABIN_EOF, 8, 0, NULL},
        {"f80213f80100", WABIN_INVALID_NODE, 5, 0, NULL},
        {"f80213f80113", WABIN_INVALID_TOKEN, 5, 19, NULL},
        {"f80213f9ffff", WABIN_EOF, 6, 0, NULL},
        {"f80213f9fffff800", WABIN_INVALID_NODE, 6, 0, NULL},
        {"f9ffff13", WABIN_EOF, 4, 0, NULL},
        {"f9ffff130855f0", WABIN_INVALID_TOKEN, 6, 240, NULL},
        {"f8011300", WABIN_LEFTOVER_DATA, 3, 1, "1"},
        {"f80113f80113", WABIN_LEFTOVER_DATA, 3, 3, NULL},
    };
    check_all_bad(rows, ARRAY_COUNT(rows));
}

static void test_contexts(void **state)
{
    (void)state;
    static const struct bad rows[] = {
        {"f801", WABIN_EOF, 2, 0, NULL},
        {"f80100", WABIN_INVALID_NODE, 2, 0, NULL},
        {"f801f8", WABIN_INVALID_TOKEN, 2, 248, NULL},
        {"f801f9", WABIN_INVALID_TOKEN, 2, 249, NULL},
        {"f801f0", WABIN_INVALID_TOKEN, 2, 240, NULL},
        {"f801f4", WABIN_INVALID_TOKEN, 2, 244, NULL},
        {"f801ec", WABIN_EOF, 3, 0, NULL},
        {"f80313", WABIN_EOF, 3, 0, NULL},
        {"f8031300", WABIN_NON_STRING_KEY, 3, 0, NULL},
        {"f80313f8", WABIN_INVALID_TOKEN, 3, 248, NULL},
        {"f8031308", WABIN_EOF, 4, 0, NULL},
        {"f8031308f801", WABIN_INVALID_TOKEN, 4, 248, NULL},
        {"f8031308f0", WABIN_INVALID_TOKEN, 4, 240, NULL},
        {"f80913", WABIN_EOF, 3, 0, NULL},
        {"f80513085508", WABIN_EOF, 6, 0, NULL},
        {"f80213", WABIN_EOF, 3, 0, NULL},
        {"f80213f0", WABIN_INVALID_TOKEN, 3, 240, NULL},
    };
    check_all_bad(rows, ARRAY_COUNT(rows));
}

static void test_strings(void **state)
{
    (void)state;
    static const struct bad rows[] = {
        {"f801fc", WABIN_EOF, 3, 0, NULL},
        {"f801fc0361", WABIN_EOF, 4, 0, NULL},
        {"f801fd0000", WABIN_EOF, 3, 0, NULL},
        {"f801fd00010061", WABIN_EOF, 6, 0, NULL},
        {"f801fe000000", WABIN_EOF, 3, 0, NULL},
        {"f801feffffffff", WABIN_EOF, 7, 0, NULL},
        {"f80213fc0561", WABIN_EOF, 5, 0, NULL},
        {"f801fc01ff", WABIN_INVALID_UTF8, 4, 0,
         "invalid utf-8 sequence of 1 bytes from index 0"},
        {"f8031308fc02e282", WABIN_INVALID_UTF8, 6, 0,
         "incomplete utf-8 byte sequence from index 0"},
        {"f8031308fc02c080", WABIN_INVALID_UTF8, 6, 0, NULL},
        {"f8031308fc03eda080", WABIN_INVALID_UTF8, 6, 0, NULL},
        {"f8031308fc04f4908080", WABIN_INVALID_UTF8, 6, 0, NULL},
        {"f8031308fc0461e28261", WABIN_INVALID_UTF8, 7, 1,
         "invalid utf-8 sequence of 2 bytes from index 1"},
        {"f8031308fc0561f0908061", WABIN_INVALID_UTF8, 7, 1,
         "invalid utf-8 sequence of 3 bytes from index 1"},
        {"f80313fc018045", WABIN_INVALID_UTF8, 5, 0, NULL},
        {"f8031308fafc01ff03", WABIN_INVALID_UTF8, 7, 0, NULL},
        /* a high byte in each word of what is checked by words */
        {"f801fc083132333435363780", WABIN_INVALID_UTF8, 11, 7, NULL},
        {"f801fc09313233343536373880", WABIN_INVALID_UTF8, 12, 8, NULL},
        {"f801fc1080313233343536373839303132333435", WABIN_INVALID_UTF8, 4, 0,
         NULL},
        {"f801fc1131323334353637383930313233343536ff", WABIN_INVALID_UTF8, 20,
         16, NULL},
    };
    check_all_bad(rows, ARRAY_COUNT(rows));
}

static void test_packed_strings(void **state)
{
    (void)state;
    static const struct bad rows[] = {
        {"f80213ff", WABIN_EOF, 4, 0, NULL},
        {"f80213ff0312", WABIN_EOF, 5, 0, NULL},
        {"f80213ff03c0", WABIN_EOF, 5, 0, NULL},
        {"f80213fb7f00", WABIN_EOF, 5, 0, NULL},
        {"f80213ff01fc", WABIN_INVALID_TOKEN, 5, 12, NULL},
        {"f80213ff01fd", WABIN_INVALID_TOKEN, 5, 13, NULL},
        {"f80213ff01fe", WABIN_INVALID_TOKEN, 5, 14, NULL},
        {"f80213ff01c0", WABIN_INVALID_TOKEN, 5, 12, NULL},
        {"f80213ff01de", WABIN_INVALID_TOKEN, 5, 13, NULL},
        {"f80213ff0212ce", WABIN_INVALID_TOKEN, 6, 12, NULL},
        {"f80213ff031ec1d1", WABIN_INVALID_TOKEN, 5, 14, NULL},
        {"f80213ff811c", WABIN_INVALID_TOKEN, 5, 12, NULL},
        {"f8031308ff01fd", WABIN_INVALID_TOKEN, 6, 13, NULL},
        {"f801ff01fd", WABIN_INVALID_TOKEN, 4, 13, NULL},
        {"f8031308faff01fd03", WABIN_INVALID_TOKEN, 7, 13, NULL},
    };
    check_all_bad(rows, ARRAY_COUNT(rows));
}

/* Bad halves by every way to unpack, in a short and in a long value. */
static void test_bad_halves_by_every_way(void **state)
{
    (void)state;
    static wabin_unpack_fn *const ways[] = {NULL, wabin_unpack_table,
                                            wabin_unpack_scalar};
    uint8_t frames[2][26] = {
        {0x00, 0xf8, 0x02, 0x01, 0xff, 0x01},
        {0x00, 0xf8, 0x02, 0x01, 0xff, 0x14},
    };
    const size_t sizes[2] = {7, 26};

    memset(frames[1] + 6, 0x12, 20);
    for (size_t w = 0; w < ARRAY_COUNT(ways); w++) {
        struct wabin_doc_options options = {.unpack = ways[w]};
        struct wabin_doc doc;
        wabin_doc_init(&doc, &options);
        for (unsigned i = 0; i < 6; i++) {
            uint8_t *frame = frames[i % 2];
            size_t at = i % 2 == 0 ? 6 : 11;
            const struct wabin_node *root;
            struct wabin_error error;
            frame[at] = (uint8_t)(0xfc + i / 2);
            CHECK_ENUM(wabin_status_name, WABIN_INVALID_TOKEN,
                       wabin_decode(&doc, frame + 1, sizes[i % 2] - 1, &root,
                                    &error));
            CHECK_U64(12 + i / 2, error.number);
            CHECK_SIZE(at - 1, error.at);
            CHECK_ENUM(
                wabin_status_name, WABIN_INVALID_TOKEN,
                wabin_decode_frame(&doc, frame, sizes[i % 2], &root, &error));
            CHECK_U64(12 + i / 2, error.number);
        }
        wabin_doc_release(&doc);
    }
}

static void test_jids(void **state)
{
    (void)state;
    static const struct bad rows[] = {
        {"f8031308fafc0161fc0162", WABIN_ATTR_PARSE, 8, 0,
         "JID_PAIR unknown server: b"},
        {"f8031308fafc016171", WABIN_ATTR_PARSE, 8, 0,
         "JID_PAIR unknown server: list"},
        {"f8031308fafc016100", WABIN_ATTR_PARSE, 8, 0,
         "JID_PAIR unknown server: "},
        {"f8031308fafc0161fc034c4944", WABIN_ATTR_PARSE, 8, 0,
         "JID_PAIR unknown server: LID"},
        {"f8031308fa", WABIN_EOF, 5, 0, NULL},
        {"f8031308fafc0161", WABIN_EOF, 8, 0, NULL},
        {"f8031308fa00f8", WABIN_INVALID_TOKEN, 6, 248, NULL},
        {"f8031308f70201ff021234", WABIN_ATTR_PARSE, 5, 2,
         "read_ad_jid - Invalid domain type encoding 2"},
        {"f8031308f77f01ff021234", WABIN_ATTR_PARSE, 5, 127, NULL},
        {"f8031308f78301ff021234", WABIN_ATTR_PARSE, 5, 131, NULL},
        {"f8031308f7ff01ff021234", WABIN_ATTR_PARSE, 5, 255, NULL},
        {"f8031308f7000100", WABIN_INVALID_NODE, 7, 0, NULL},
        {"f8031308f7020100", WABIN_INVALID_NODE, 7, 0, NULL},
        {"f8031308f7", WABIN_EOF, 5, 0, NULL},
        {"f8031308f700", WABIN_EOF, 6, 0, NULL},
        {"f8031308f70201", WABIN_EOF, 7, 0, NULL},
        {"f8031308f500", WABIN_INVALID_NODE, 5, 0, NULL},
        {"f8031308f5ff8312345f0007012c03", WABIN_INVALID_NODE, 14, 0, NULL},
        {"f8031308f5ff8312345f0007012c00", WABIN_INVALID_NODE, 14, 0, NULL},
        {"f8031308f5ff8312345f0007012c", WABIN_EOF, 14, 0, NULL},
        {"f8031308f5ff8312345f0007", WABIN_EOF, 12, 0, NULL},
        {"f8031308f6fc03616263003276", WABIN_INVALID_NODE, 12, 0, NULL},
        {"f8031308f600", WABIN_INVALID_NODE, 5, 0, NULL},
        {"f8031308f6fc03616263003200", WABIN_INVALID_NODE, 12, 0, NULL},
        {"f8031308f6fc0361626300", WABIN_EOF, 10, 0, NULL},
    };
    check_all_bad(rows, ARRAY_COUNT(rows));
}

/* ---- frames that decode ------------------------------------------------ */

/** Node bytes, and the frame that encoding their tree gives. */
struct good {
    const char *hex;
    const char *again;
};

static void test_longer_forms_are_accepted(void **state)
{
    (void)state;
    static const struct good rows[] = {
        {"f803130800", "00f8031308fc00"},
        {"f8031308ff80", "00f8031308fc00"},
        {"f8031308ff021f23", "00f8031308fc0431003233"},
        {"f8031308ff011f", "00f8031308fc023100"},
        {"f8031308ff821234", "00f8031308ff82123f"},
        {"f8031308ff81ff", "00f8031308fc0100"},
        {"f8031308fb01af", "00f8031308fb01af"},
        {"f8031308fdf00003616263", "00f8031308fc03616263"},
        {"f8031308fe00000003616263", "00f8031308fc03616263"},
        {"f9000113", "00f80113"},
        {"f80213f800", "00f8021300"},
        {"f80213f90000", "00f8021300"},
        {"f8021300", "00f80113"},
        {"f80213ff00", "00f80213fc00"},
        {"f80213fd000002c328", "00f80213fc02c328"},
        {"f801fc00", "00f801fc00"},
        {"f801efff", "00f801efff"},
        {"f8051308550845", "00f8051308550845"},
        {"f8031308f70000ff021234", "00f8031308faff02123403"},
        {"f8031308f78201ff021234", "00f8031308f78001ff021234"},
        {"f8031308f70003fc00", "00f8031308f70003fc00"},
        {"f8031308fafc0003", "00f8031308fa0003"},
        {"f8031308fafc053132333a3403", "00f8031308fafc053132333a3403"},
        {"f8031308f6fc036162630032cc", "00f8031308fafc03616263cc"},
        {"f8031308f5ff8312345f0007012cfc07696e7465726f70",
         "00f8031308f5ff8312345f0007012c"},
        {"f8031308faf70001fc016103", "00f8031308faf70001fc016103"},
        {"f80313f70001ff02123455", "00f80313f70001ff02123455"},
        {"f801faff02123476", "00f801faff02123476"},
        {"f80213f6fc036162630032cc", "00f80213fafc03616263cc"},
        /* a JID whose server is a JID: it is only its server's text */
        {"f8031308fafc0161fa0076", "00f8031308fafc016176"},
    };
    struct wabin_doc doc;
    struct wabin_buf out = {0};

    wabin_doc_init(&doc, NULL);
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        uint8_t bytes[64], want[64];
        size_t size = hex_decode(rows[i].hex, bytes, sizeof(bytes));
        size_t want_size = hex_decode(rows[i].again, want, sizeof(want));
        const uint8_t *in = guard_copy(bytes, size);
        const struct wabin_node *root;
        CHECK_ENUM(wabin_status_name, WABIN_OK,
                   wabin_decode(&doc, in, size, &root, NULL));
        CHECK_ENUM(wabin_status_name, WABIN_OK,
                   wabin_marshal_exact(root, &out, NULL));
        CHECK_BYTES(want, want_size, out.data, out.size);
        guard_free(in, size);
        wabin_doc_reset(&doc);
    }
    wabin_buf_release(&out);
    wabin_doc_release(&doc);
}

static const struct wabin_node *decode_hex(struct wabin_doc *doc,
                                           const char *hex,
                                           uint8_t bytes[ROOM])
{
    size_t size = hex_decode(hex, bytes, ROOM);
    const struct wabin_node *root = NULL;

    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_decode(doc, bytes, size, &root, NULL));
    return root;
}

static void check_text(const char *want, struct wabin_str got)
{
    CHECK_BYTES(want, strlen(want), got.data, got.size);
}

/* Kinds of content, and where texts point. */
static void test_content_kinds(void **state)
{
    (void)state;
    uint8_t bytes[ROOM];
    struct wabin_doc doc;
    const struct wabin_node *node;

    wabin_doc_init(&doc, NULL);
    CHECK_U64(WABIN_NOTHING, decode_hex(&doc, "f80213 00", bytes)->content);
    node = decode_hex(&doc, "f80213 f800", bytes);
    CHECK_U64(WABIN_NODES, node->content);
    CHECK_SIZE(0, node->content_size);
    node = decode_hex(&doc, "f80213 fc0161", bytes);
    CHECK_U64(WABIN_BYTES, node->content);
    CHECK_BOOL(true, node->data == (const char *)bytes + 5);
    node = decode_hex(&doc, "f80213 ec00", bytes);
    CHECK_U64(WABIN_TEXT, node->content);
    check_text("read-self", wabin_content_text(node));
    node = decode_hex(&doc, "f80213 ff021234", bytes);
    check_text("1234", wabin_content_text(node));
    node = decode_hex(&doc, "f80213 faf70001fc016103", bytes);
    check_text("a:1@s.whatsapp.net@s.whatsapp.net", wabin_content_text(node));
    node = decode_hex(&doc, "f80213 faff021234fc036c6964", bytes);
    check_text("1234@lid", wabin_content_text(node));
    node = decode_hex(&doc, "f80213 fafaff02123476 fc036c6964", bytes);
    check_text("1234@lid@lid", wabin_content_text(node));
    wabin_doc_release(&doc);
}

static void test_check_plain(void **state)
{
    (void)state;
    static const uint8_t bare[] = {0xf8, 0x01, 0x13}, five[] = {5},
                         zero[] = {0}, good[] = {0, 0xf8};
    struct wabin_error error;

    CHECK_ENUM(wabin_status_name, WABIN_EMPTY_DATA,
               wabin_check_plain(NULL, 0, &error));
    CHECK_ENUM(wabin_status_name, WABIN_FORMAT_BYTE,
               wabin_check_plain(bare, 3, &error));
    CHECK_U64(0xf8, error.number);
    CHECK_ENUM(wabin_status_name, WABIN_FORMAT_BYTE,
               wabin_check_plain(five, 1, &error));
    CHECK_ENUM(wabin_status_name, WABIN_EMPTY_DATA,
               wabin_check_plain(zero, 1, &error));
    CHECK_ENUM(wabin_status_name, WABIN_OK, wabin_check_plain(good, 2, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_contexts),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_packed_strings),
        cmocka_unit_test(test_bad_halves_by_every_way),
        cmocka_unit_test(test_jids),
        cmocka_unit_test(test_longer_forms_are_accepted),
        cmocka_unit_test(test_content_kinds),
        cmocka_unit_test(test_check_plain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
