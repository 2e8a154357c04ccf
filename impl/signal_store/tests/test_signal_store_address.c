/* SPDX-License-Identifier: MIT */
/* Addresses: what they say, and that it does not matter where they keep it. */
#include "signal_store/signal_store_address.h"

#include "base/address_sample.h"
#include "base/dethash.h"
#include "testkit/testkit.h"

#include <stdlib.h>

static struct wabin_str str(const char *text)
{
    return wabin_str(text, strlen(text));
}

static void check_text(const char *want,
                       const struct signal_store_address *address)
{
    struct wabin_str text = signal_store_address_text(address);
    CHECK_BYTES(want, strlen(want), text.data, text.size);
}

static struct wabin_jid jid(const char *user, enum wabin_server server,
                            uint16_t device)
{
    return (struct wabin_jid){.user = str(user),
                              .server = (uint8_t)server,
                              .device = device,
                              .agent = 3};
}

static void test_addresses_of_jids(void **state)
{
    (void)state;
    const struct {
        struct wabin_jid jid;
        const char *text;
    } rows[] = {
        {jid("5511987650001", WABIN_SERVER_PN, 5), "5511987650001:5@c.us.0"},
        {jid("123456789012345", WABIN_SERVER_LID, 0), "123456789012345@lid.0"},
        {jid("1", WABIN_SERVER_BOT, 65535), "1:65535@bot.0"},
        {jid("1", WABIN_SERVER_LEGACY, 0), "1@c.us.0"},
        {jid("1", WABIN_SERVER_HOSTED_LID, 99), "1:99@hosted.lid.0"},
        {jid("", WABIN_SERVER_LID, 0), "@lid.0"},
    };
    struct signal_store_address address = {0};

    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        CHECK_STATUS(ST_OK,
                     signal_store_address_of_jid(&address, &rows[i].jid));
        check_text(rows[i].text, &address);
        CHECK_SIZE(strlen(rows[i].text) - 2, address.name_size);
        CHECK_U64(0, address.number);
    }
    signal_store_address_release(&address);
}

/* The sample of base is what JIDs render to. */
static void test_the_sample_is_made_of_jids(void **state)
{
    (void)state;
    struct signal_store_address address = {0};

    for (uint32_t i = 0; i < 64; i++) {
        char want[ADDRESS_SAMPLE_SIZE], user[24];
        address_sample(i, 0, want);
        size_t user_size = strcspn(want, ":@");
        memcpy(user, want, user_size);
        user[user_size] = '\0';
        struct wabin_jid from =
            jid(user, i % 2 == 0 ? WABIN_SERVER_PN : WABIN_SERVER_LID,
                (uint16_t)(i % 4));
        CHECK_STATUS(ST_OK, signal_store_address_of_jid(&address, &from));
        check_text(want, &address);
    }
}

static void test_names_and_numbers(void **state)
{
    (void)state;
    struct signal_store_address a = {0}, b = {0};

    CHECK_STATUS(ST_OK, signal_store_address_set(&a, str(""), 1));
    CHECK_STATUS(ST_OK, signal_store_address_set(&b, str(""), 2));
    check_text(".1", &a);
    CHECK_BOOL(true, signal_store_address_compare(&a, &b) < 0);
    CHECK_BOOL(true, signal_store_address_compare(&b, &a) > 0);
    CHECK_STATUS(ST_OK, signal_store_address_set(&a, str("x"), UINT32_MAX));
    check_text("x.4294967295", &a);
    struct wabin_str name = signal_store_address_name(&a);
    CHECK_BYTES("x", 1, name.data, name.size);
    CHECK_STATUS(ST_OK, signal_store_address_set(&b, str("x.4294967295"), 0));
    CHECK_BOOL(true, signal_store_address_compare(&a, &b) < 0);
}

/* Texts of 40 to 56 bytes: inline up to 47, and no difference above. */
static void test_the_boundary_does_not_show(void **state)
{
    (void)state;
    struct alloc_probe probe = {0};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct signal_store_address last = {.alloc = &alloc};

    CHECK_STATUS(ST_OK, signal_store_address_set(&last, str("a"), 0));
    for (size_t size = 40; size <= 56; size++) {
        struct signal_store_address next = {.alloc = &alloc};
        char name[64], want[64];
        memset(name, 'a', sizeof(name));
        size_t calls = probe.calls;
        CHECK_STATUS(ST_OK, signal_store_address_set(
                                &next, wabin_str(name, size - 2), 7));
        CHECK_SIZE(size > SIGNAL_STORE_ADDRESS_INLINE, probe.calls - calls);
        memset(want, 'a', size - 2);
        memcpy(want + size - 2, ".7", 3);
        check_text(want, &next);
        /* "aa" comes behind "a." and before it with one more "a" */
        CHECK_BOOL(true, signal_store_address_compare(&last, &next) < 0);
        CHECK_I64(0, signal_store_address_compare(&next, &next));
        struct wabin_str text = signal_store_address_text(&next);
        CHECK_U64(dethash_siphash13(1, 2, want, size),
                  dethash_siphash13(1, 2, text.data, text.size));
        signal_store_address_release(&last);
        last = next;
    }
    signal_store_address_release(&last);
    CHECK_SIZE(0, probe.live_count);
}

static void test_rewriting_leaves_nothing(void **state)
{
    (void)state;
    struct signal_store_address address = {0};
    static const char secret[] = "0123456789012345678901234567890123456789";
    char nothing[sizeof(address.near)] = "ab.1";

    CHECK_STATUS(ST_OK, signal_store_address_set(&address, str(secret), 12));
    CHECK_STATUS(ST_OK, signal_store_address_set(&address, str("ab"), 1));
    CHECK_BYTES(nothing, sizeof(nothing), address.near, sizeof(address.near));
    /* A part of itself, and through a block. */
    CHECK_STATUS(ST_OK, signal_store_address_set(
                            &address, signal_store_address_text(&address), 2));
    check_text("ab.1.2", &address);
    char longer[100];
    memset(longer, 'x', sizeof(longer));
    CHECK_STATUS(ST_OK, signal_store_address_set(
                            &address, wabin_str(longer, sizeof(longer)), 3));
    CHECK_STATUS(ST_OK, signal_store_address_set(
                            &address, signal_store_address_text(&address), 4));
    CHECK_SIZE(104, signal_store_address_text(&address).size);
    signal_store_address_release(&address);
}

static void test_no_memory_leaves_it_alone(void **state)
{
    (void)state;
    struct alloc_probe probe = {.fail_at = 1};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct signal_store_address address = {.alloc = &alloc};
    char longer[64];

    memset(longer, 'x', sizeof(longer));
    CHECK_STATUS(ST_OK, signal_store_address_set(&address, str("ab"), 1));
    CHECK_STATUS(ST_NO_MEMORY,
                 signal_store_address_set(&address, wabin_str(longer, 64), 1));
    check_text("ab.1", &address);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_addresses_of_jids),
        cmocka_unit_test(test_the_sample_is_made_of_jids),
        cmocka_unit_test(test_names_and_numbers),
        cmocka_unit_test(test_the_boundary_does_not_show),
        cmocka_unit_test(test_rewriting_leaves_nothing),
        cmocka_unit_test(test_no_memory_leaves_it_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
