/* SPDX-License-Identifier: MIT */
/* The dictionary and its hash.  A fault here silently corrupts what is sent,
 * so every neighbour of every token is looked up. */
#include "testkit/testkit.h"
#include "wabin/wabin_token.h"

/* The plain search: one text after the other. */
static uint32_t search(struct wabin_str text)
{
    for (uint32_t i = 1; i < WABIN_TOKEN_COUNT; i++)
        if (wabin_str_equal(wabin_token_texts[i], text))
            return i;
    return 0;
}

static void check_token(uint32_t want, struct wabin_str text)
{
    uint32_t token = wabin_token_find(text);

    if (token != want)
        CHECK_FAIL("\"%.*s\" is found as token %u, not %u", (int)text.size,
                   text.data, (unsigned)token, (unsigned)want);
}

static void check_same(struct wabin_str text)
{
    check_token(search(text), text);
}

static void test_tokens_are_themselves(void **state)
{
    (void)state;
    for (uint32_t i = 1; i < WABIN_TOKEN_COUNT; i++)
        CHECK_U64(i, wabin_token_find(wabin_token_texts[i]));
}

static void test_published_tokens(void **state)
{
    (void)state;
    static const struct {
        struct wabin_str text;
        uint32_t number;
    } rows[] = {
#define SINGLE(number, text) {{text, sizeof(text) - 1}, number}
#define DOUBLE(dict, at, text)                                                \
    {                                                                         \
        {text, sizeof(text) - 1}, 236 + 256 * ((dict)-0xec) + (at)            \
    }
        SINGLE(0x01, "xmlstreamstart"),
        SINGLE(0x03, "s.whatsapp.net"),
        SINGLE(0x04, "type"),
        SINGLE(0x07, "receipt"),
        SINGLE(0x08, "id"),
        SINGLE(0x0d, "broadcast"),
        SINGLE(0x11, "to"),
        SINGLE(0x13, "message"),
        SINGLE(0x19, "iq"),
        SINGLE(0x1b, "ack"),
        SINGLE(0x1c, "g.us"),
        SINGLE(0x1d, "enc"),
        SINGLE(0x2d, "0"),
        SINGLE(0x45, "2"),
        SINGLE(0x55, "1"),
        SINGLE(0x4d, "msg"),
        SINGLE(0x53, "pkmsg"),
        SINGLE(0x51, "v"),
        SINGLE(0x64, "call"),
        SINGLE(0x76, "lid"),
        SINGLE(0x79, "usync"),
        SINGLE(0xcc, "msgr"),
        SINGLE(0xeb, "screen_height"),
        DOUBLE(0xec, 0x00, "read-self"),
        DOUBLE(0xec, 0x0f, "false"),
        DOUBLE(0xec, 0xcc, "."),
        DOUBLE(0xec, 0xff, "mute_v2"),
        DOUBLE(0xed, 0x00, "reject"),
        DOUBLE(0xed, 0xf7, "-"),
        DOUBLE(0xee, 0x00, "64"),
        DOUBLE(0xee, 0x67, ".."),
        DOUBLE(0xee, 0x1b, "..."),
        DOUBLE(0xee, 0x72, "-1"),
        DOUBLE(0xee, 0xff, "1537"),
        DOUBLE(0xef, 0x00, "1724"),
        DOUBLE(0xef, 0xff, "1961"),
    };

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        CHECK_U64(rows[i].number, wabin_token_find(rows[i].text));
    CHECK_U64(0, wabin_token_find(WABIN_STR("")));
    CHECK_U64(0, wabin_token_find(WABIN_STR("Type")));
    CHECK_U64(0, wabin_token_find(WABIN_STR("....")));
}

static void test_texts_are_plain_and_bounded(void **state)
{
    (void)state;
    size_t longest = 0;

    for (uint32_t i = 1; i < WABIN_TOKEN_COUNT; i++) {
        struct wabin_str text = wabin_token_texts[i];
        longest = text.size > longest ? text.size : longest;
        for (size_t k = 0; k < text.size; k++)
            if (text.data[k] <= ' ' || text.data[k] > '~' ||
                text.data[k] == '@')
                CHECK_FAIL("token %u is not plain", (unsigned)i);
    }
    CHECK_SIZE(WABIN_TOKEN_SIZE_MAX, longest);
    CHECK_SIZE(0, wabin_token_texts[0].size);
}

static void test_every_single_byte(void **state)
{
    (void)state;
    for (unsigned byte = 0; byte < 256; byte++) {
        const uint8_t value = (uint8_t)byte;
        const uint8_t *text = guard_copy(&value, 1);
        check_same(wabin_str((const char *)text, 1));
        guard_free(text, 1);
    }
}

/* The tokens that a text is when its byte at k is this or that. */
static void search_neighbours(struct wabin_str text, size_t k,
                              uint32_t found[256])
{
    memset(found, 0, 256 * sizeof(found[0]));
    for (uint32_t i = 1; i < WABIN_TOKEN_COUNT; i++) {
        struct wabin_str other = wabin_token_texts[i];
        if (other.size == text.size && memcmp(other.data, text.data, k) == 0 &&
            memcmp(other.data + k + 1, text.data + k + 1, text.size - k - 1) ==
                0)
            found[(uint8_t)other.data[k]] = i;
    }
}

static void test_every_neighbour(void **state)
{
    (void)state;
    uint32_t found[256];

    for (uint32_t i = 1; i < WABIN_TOKEN_COUNT; i++) {
        struct wabin_str text = wabin_token_texts[i];
        uint8_t *copy = guard_new(text.size);
        memcpy(copy, text.data, text.size);
        for (size_t k = 0; k < text.size; k++) {
            search_neighbours(text, k, found);
            CHECK_U64(i, found[(uint8_t)text.data[k]]);
            for (unsigned byte = 0; byte < 256; byte++) {
                copy[k] = (uint8_t)byte;
                check_token(found[byte],
                            wabin_str((const char *)copy, text.size));
            }
            copy[k] = (uint8_t)text.data[k];
        }
        guard_free(copy, text.size);
    }
}

/* One byte more or less, at either end. */
static void test_other_lengths(void **state)
{
    (void)state;
    for (uint32_t i = 1; i < WABIN_TOKEN_COUNT; i++) {
        struct wabin_str text = wabin_token_texts[i];
        char longer[WABIN_TOKEN_SIZE_MAX + 1] = "0";

        check_same(wabin_str(text.data, text.size - 1));
        check_same(wabin_str(text.data + 1, text.size - 1));
        memcpy(longer + 1, text.data, text.size);
        check_same(wabin_str(longer, text.size + 1));
        memcpy(longer, text.data, text.size);
        longer[text.size] = 's';
        check_same(wabin_str(longer, text.size + 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens_are_themselves),
        cmocka_unit_test(test_published_tokens),
        cmocka_unit_test(test_texts_are_plain_and_bounded),
        cmocka_unit_test(test_every_single_byte),
        cmocka_unit_test(test_every_neighbour),
        cmocka_unit_test(test_other_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
