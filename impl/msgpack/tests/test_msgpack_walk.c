/* SPDX-License-Identifier: MIT */
/* The walk on hand-made documents: each marker, each fault, each tie. */
#include "msgpack/tests/msgpack_expect.h"

#include <string.h>

/* One complete document of each kind of marker, collections last. */
static const char *const complete[] = {
    "00",
    "7f",
    "a0",
    "a3616263",
    "bf 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e",
    "c0",
    "c2",
    "c3",
    "c400",
    "c4024142",
    "c50000",
    "c50003414243",
    "c600000000",
    "c60000000141",
    "c70005",
    "c70305aabbcc",
    "c8000105ff",
    "c8000005",
    "c900000002054142",
    "c900000000 05",
    "ca3fc00000",
    "cb3ff8000000000000",
    "cc80",
    "cdffff",
    "ce00010000",
    "cf0000000100000000",
    "d080",
    "d18000",
    "d280000000",
    "d38000000000000000",
    "d40541",
    "d5054142",
    "d60541424344",
    "d7054142434445464748",
    "d805000102030405060708090a0b0c0d0e0f",
    "d900",
    "d90141",
    "da0000",
    "da00024142",
    "db00000000",
    "db000000024142",
    "e0",
    "ff",
    "80",
    "81a0c0",
    "82a16101a16202",
    "8f000000000000000000000000000000000000000000000000000000000000",
    "90",
    "91c0",
    "9f000000000000000000000000000000",
    "dc0000",
    "dc0002c2c3",
    "dd00000000",
    "dd0000000101",
    "de0000",
    "de0001a0c0",
    "df00000000",
    "df00000001 9101 8101 02", /* a map key may be a collection */
    "82 a0c0 a0c0",            /* keys may repeat */
    "a2c328",                  /* a str need not be UTF-8 */
    "93 9291c090 81a093c0c0c0 c40191",
};

static void test_complete_documents(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(complete); i++) {
        size_t size;
        uint8_t *in = hex_new(complete[i], &size);

        expect_ok(in, size, 100, size);
        free(in);
    }
}

static void test_what_follows_is_not_looked_at(void **state)
{
    (void)state;
    static const uint8_t garbage[] = {0xc1, 0xff, 0xdd};

    for (size_t i = 0; i < ARRAY_COUNT(complete); i++) {
        size_t size;
        uint8_t *in = hex_new(complete[i], &size);
        uint8_t *longer = malloc(size + sizeof(garbage));

        assert_non_null(longer);
        memcpy(longer, in, size);
        memcpy(longer + size, garbage, sizeof(garbage));
        expect_ok(longer, size + sizeof(garbage), 100, size);
        free(longer);
        free(in);
    }
}

static void test_every_proper_prefix_is_rejected(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(complete); i++) {
        size_t size;
        uint8_t *in = hex_new(complete[i], &size);

        for (size_t cut = 0; cut < size; cut++) {
            struct outcome outcome = walk_all(in, cut, 100);

            if (outcome.error.fault == MSGPACK_OK)
                CHECK_FAIL("%s cut to %zu bytes is accepted", complete[i],
                           cut);
            /* Only a document without any byte ends before an item. */
            CHECK_BOOL(cut == 0,
                       outcome.error.fault == MSGPACK_UNEXPECTED_END);
        }
        free(in);
    }
}

static void test_empty_input_may_be_null(void **state)
{
    (void)state;
    size_t size = UNTOUCHED;
    struct msgpack_error error;

    CHECK_ENUM(msgpack_fault_text, MSGPACK_UNEXPECTED_END,
               msgpack_check(NULL, 0, 100, NULL, &error));
    CHECK_SIZE(0, error.fault_at);
    CHECK_ENUM(msgpack_fault_text, MSGPACK_UNEXPECTED_END,
               msgpack_document_size(NULL, 0, 0, NULL, &size, NULL));
    CHECK_SIZE(UNTOUCHED, size);
}

static void test_out_parameters_may_be_null(void **state)
{
    (void)state;
    static const uint8_t sound[] = {0x92, 0xc0, 0x07};
    static const uint8_t cut[] = {0x92, 0xc0};

    CHECK_ENUM(
        msgpack_fault_text, MSGPACK_OK,
        msgpack_document_size(sound, sizeof(sound), 1, NULL, NULL, NULL));
    CHECK_ENUM(msgpack_fault_text, MSGPACK_OK,
               msgpack_check(sound, sizeof(sound), 1, NULL, NULL));
    CHECK_ENUM(msgpack_fault_text, MSGPACK_ELEMENTS_OVERCLAIM,
               msgpack_check(cut, sizeof(cut), 1, NULL, NULL));
}

static void test_reserved_marker(void **state)
{
    (void)state;
    expect_hex_fault("c1", 100, MSGPACK_RESERVED_MARKER, 0);
    expect_hex_fault("91c1", 100, MSGPACK_RESERVED_MARKER, 1);
    expect_hex_fault("9301c102", 100, MSGPACK_RESERVED_MARKER, 2);
    expect_hex_fault("82 a1c1c0 c1c0", 100, MSGPACK_RESERVED_MARKER, 4);
}

static void test_truncated_prefix(void **state)
{
    (void)state;
    static const char *const cut[] = {
        "d9",   "da00",     "da",       "db000000", "db",
        "c7",   "c800",     "c9000000", "dd0000",   "dd000000",
        "c4",   "c500",     "c6000000", "dc00",     "dc",
        "de00", "df000000", "df",       "c8",       "c9",
    };

    for (size_t i = 0; i < ARRAY_COUNT(cut); i++)
        expect_hex_fault(cut[i], 100, MSGPACK_TRUNCATED_PREFIX, 0);
    expect_hex_fault("92c0da00", 100, MSGPACK_TRUNCATED_PREFIX, 2);
}

static void test_bytes_overclaim(void **state)
{
    (void)state;
    static const char *const over[] = {
        "a36162",
        "cc",
        "cb00000000000000",
        "d80500",
        "c700",
        "cd00",
        "ce000000",
        "cf00000000000000",
        "d0",
        "d100",
        "d2000000",
        "ca000000",
        "d3",
        "d405",
        "d50541",
        "d6054142",
        "d705",
        "c40241",
        "d901",
        "da0001",
    };

    for (size_t i = 0; i < ARRAY_COUNT(over); i++)
        expect_hex_fault(over[i], 100, MSGPACK_BYTES_OVERCLAIM, 0);
    expect_hex_fault("da000241", 100, MSGPACK_BYTES_OVERCLAIM, 0);
    expect_hex_fault("92c0a361", 100, MSGPACK_BYTES_OVERCLAIM, 2);
    /* An ext has a type byte besides its data. */
    expect_hex_fault("c7024142", 100, MSGPACK_BYTES_OVERCLAIM, 0);
    expect_hex_fault("c800024142", 100, MSGPACK_BYTES_OVERCLAIM, 0);
    expect_hex_fault("c9000000024142", 100, MSGPACK_BYTES_OVERCLAIM, 0);
}

static void test_elements_overclaim(void **state)
{
    (void)state;
    expect_hex_fault("81a0", 100, MSGPACK_ELEMENTS_OVERCLAIM, 0);
    expect_hex_fault("95c0c0c0c0", 100, MSGPACK_ELEMENTS_OVERCLAIM, 0);
    /* The header claims what is there, but a str takes it away. */
    expect_hex_fault("93a16161", 100, MSGPACK_ELEMENTS_OVERCLAIM, 1);
    /* So does a header inside: two are owed, and one byte is left. */
    expect_hex_fault("93c091c0", 100, MSGPACK_ELEMENTS_OVERCLAIM, 2);
    /* Complete headers, and the root is still owed an item. */
    expect_hex_fault("92dc0000", 100, MSGPACK_ELEMENTS_OVERCLAIM, 1);
    expect_hex_fault("82de0000c0", 100, MSGPACK_ELEMENTS_OVERCLAIM, 1);
    /* A scalar with a payload leaves nothing for the next item. */
    expect_hex_fault("92cc01", 100, MSGPACK_ELEMENTS_OVERCLAIM, 1);
}

static void test_claims_need_64_bits(void **state)
{
    (void)state;
    expect_hex_fault("ddffffffff", 100, MSGPACK_ELEMENTS_OVERCLAIM, 0);
    expect_hex_fault("dfffffffff", 100, MSGPACK_ELEMENTS_OVERCLAIM, 0);
    expect_hex_fault("df80000000", 100, MSGPACK_ELEMENTS_OVERCLAIM, 0);
    expect_hex_fault("df80000000c0c0", 100, MSGPACK_ELEMENTS_OVERCLAIM, 0);
    expect_hex_fault("91ddffffffff", 100, MSGPACK_ELEMENTS_OVERCLAIM, 1);
    expect_hex_fault("ddffffffffdd00000001", 100, MSGPACK_ELEMENTS_OVERCLAIM,
                     0);
    expect_hex_fault("c9ffffffff05", 100, MSGPACK_BYTES_OVERCLAIM, 0);
    expect_hex_fault("c6ffffffff41", 100, MSGPACK_BYTES_OVERCLAIM, 0);
    expect_hex_fault("dbffffffff41", 100, MSGPACK_BYTES_OVERCLAIM, 0);
    expect_hex_fault("92c9ffffffff05", 100, MSGPACK_BYTES_OVERCLAIM, 1);
}

static void test_ties(void **state)
{
    (void)state;
    /* The depth bound beats a claim, a cut prefix beats the depth bound. */
    expect_hex_fault("9191dcffff", 2, MSGPACK_TOO_DEEP, 2);
    expect_hex_fault("9191dcff", 2, MSGPACK_TRUNCATED_PREFIX, 2);
    expect_hex_fault("9191 9f", 2, MSGPACK_TOO_DEEP, 2);
    /* Bytes beat elements. */
    expect_hex_fault("92c40561", 100, MSGPACK_BYTES_OVERCLAIM, 1);
    /* The reserved marker beats all, at any depth. */
    expect_hex_fault("919191919191919191c1", 9, MSGPACK_RESERVED_MARKER, 9);
    expect_hex_fault("c1", 0, MSGPACK_RESERVED_MARKER, 0);
    /* An earlier claim beats a later marker, bound or memory. */
    expect_hex_fault("95c1", 100, MSGPACK_ELEMENTS_OVERCLAIM, 0);
    expect_hex_fault("9f91", 1, MSGPACK_ELEMENTS_OVERCLAIM, 0);
    expect_hex_fault("92919191919191919190", 8, MSGPACK_TOO_DEEP, 8);
    expect_hex_fault("92919191919191919190", 10, MSGPACK_ELEMENTS_OVERCLAIM,
                     8);
}

static void test_prefixes_of_an_envelope_keep_their_faults(void **state)
{
    (void)state;
    static const struct {
        size_t last;
        enum msgpack_fault fault;
    } runs[] = {
        {0, MSGPACK_UNEXPECTED_END},   {4, MSGPACK_ELEMENTS_OVERCLAIM},
        {20, MSGPACK_BYTES_OVERCLAIM}, {34, MSGPACK_ELEMENTS_OVERCLAIM},
        {41, MSGPACK_BYTES_OVERCLAIM}, {42, MSGPACK_OK},
    };
    size_t size;
    uint8_t *in = hex_new("94 c412 f00168656c6c6f2c2063616368656b697421"
                          "98 6dcc8a34ccb63a3c52ccd3 10 a76d73677061636b",
                          &size);
    size_t run = 0;

    CHECK_SIZE(42, size);
    for (size_t cut = 0; cut <= size; cut++) {
        if (cut > runs[run].last)
            run++;
        CHECK_ENUM(msgpack_fault_text, runs[run].fault,
                   walk_all(in, cut, 100).error.fault);
    }
    free(in);
}

static void check_text(const char *expected, struct msgpack_error error)
{
    char text[80];
    int length = msgpack_error_text(&error, text, sizeof(text));

    CHECK_STR(expected, text);
    CHECK_SIZE(strlen(expected), (size_t)length);
}

static void test_texts(void **state)
{
    (void)state;
    char text[8] = "........";

    check_text("ends before the document is complete",
               (struct msgpack_error){.fault = MSGPACK_UNEXPECTED_END});
    check_text("ends inside a length prefix",
               (struct msgpack_error){.fault = MSGPACK_TRUNCATED_PREFIX});
    check_text("contains the reserved marker 0xc1",
               (struct msgpack_error){.fault = MSGPACK_RESERVED_MARKER});
    check_text("nests deeper than 0 levels",
               (struct msgpack_error){.fault = MSGPACK_TOO_DEEP});
    check_text("nests deeper than 1024 levels",
               (struct msgpack_error){MSGPACK_TOO_DEEP, 1024, 5});
    check_text("declares more bytes than the input holds",
               (struct msgpack_error){.fault = MSGPACK_BYTES_OVERCLAIM});
    check_text("declares more elements than the input can back",
               (struct msgpack_error){.fault = MSGPACK_ELEMENTS_OVERCLAIM});
    check_text("out of memory",
               (struct msgpack_error){.fault = MSGPACK_OUT_OF_MEMORY});
    check_text("ok", (struct msgpack_error){.fault = MSGPACK_OK});

    /* As snprintf: the whole length, whatever fits, and a terminator. */
    struct msgpack_error deep = {MSGPACK_TOO_DEEP, 7, 0};
    CHECK_SIZE(26, (size_t)msgpack_error_text(&deep, NULL, 0));
    CHECK_SIZE(26, (size_t)msgpack_error_text(&deep, text, sizeof(text)));
    CHECK_STR("nests d", text);
}

static void test_heads(void **state)
{
    (void)state;
    static const uint8_t in[] = {0x8f, 0xc9, 0xff, 0xff, 0xff, 0xff,
                                 0xdf, 0xff, 0xff, 0xff, 0xff, 0xa3,
                                 0xd8, 0xdc, 0x00, 0xc1, 0xda, 0x00};
    static const struct {
        size_t at;
        struct msgpack_head head;
    } sound[] = {
        {0, {1, 0, 30}},
        {1, {5, UINT64_C(0x100000000), 0}},
        {6, {5, 0, UINT64_C(0x1fffffffe)}},
        {11, {1, 3, 0}},
        {12, {1, 17, 0}},
        {13, {3, 0, 0xc1}},
    };
    struct msgpack_head head;

    for (size_t i = 0; i < ARRAY_COUNT(sound); i++) {
        CHECK_ENUM(msgpack_fault_text, MSGPACK_OK,
                   msgpack_head_read(in, sizeof(in), sound[i].at, &head));
        CHECK_SIZE(sound[i].head.head_size, head.head_size);
        CHECK_U64(sound[i].head.payload_size, head.payload_size);
        CHECK_U64(sound[i].head.child_count, head.child_count);
    }
    CHECK_ENUM(msgpack_fault_text, MSGPACK_RESERVED_MARKER,
               msgpack_head_read(in, sizeof(in), 15, &head));
    CHECK_ENUM(msgpack_fault_text, MSGPACK_TRUNCATED_PREFIX,
               msgpack_head_read(in, sizeof(in), 16, &head));
    CHECK_SIZE(3, head.head_size); /* untouched */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_complete_documents),
        cmocka_unit_test(test_what_follows_is_not_looked_at),
        cmocka_unit_test(test_every_proper_prefix_is_rejected),
        cmocka_unit_test(test_empty_input_may_be_null),
        cmocka_unit_test(test_out_parameters_may_be_null),
        cmocka_unit_test(test_reserved_marker),
        cmocka_unit_test(test_truncated_prefix),
        cmocka_unit_test(test_bytes_overclaim),
        cmocka_unit_test(test_elements_overclaim),
        cmocka_unit_test(test_claims_need_64_bits),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_prefixes_of_an_envelope_keep_their_faults),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_heads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
