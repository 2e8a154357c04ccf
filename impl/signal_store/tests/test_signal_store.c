/* SPDX-License-Identifier: MIT */
/* The identity cache: answers, marks, users, eviction, and its seed. */
#include "signal_store/signal_store.h"

#include "base/address_sample.h"
#include "testkit/testkit.h"

#include <stdio.h>
#include <stdlib.h>

#define KEEP   SIGNAL_STORE_ENTRIES_MAX
#define EXCESS (SIGNAL_STORE_ENTRIES_MAX + SIGNAL_STORE_SLACK)

static struct wabin_str str(const char *text)
{
    return wabin_str(text, strlen(text));
}

static struct signal_store *new_store(const struct alloc *alloc)
{
    struct signal_store *store = NULL;
    CHECK_STATUS(
        ST_OK, signal_store_new(signal_store_seed_fixed(0, 0), alloc, &store));
    return store;
}

static void check_answer(enum signal_store_answer want,
                         struct signal_store *store, const char *address,
                         const char *want_bytes)
{
    const struct signal_store_bytes *bytes = NULL;

    CHECK_U64(want, signal_store_try_get(store, str(address), &bytes));
    if (want != SIGNAL_STORE_BYTES) {
        assert_null(bytes);
        return;
    }
    struct wabin_str text = signal_store_bytes_text(bytes);
    CHECK_BYTES(want_bytes, strlen(want_bytes), text.data, text.size);
    signal_store_bytes_release(bytes);
}

static void test_three_answers(void **state)
{
    (void)state;
    struct signal_store *store = new_store(NULL);

    check_answer(SIGNAL_STORE_NOT_CACHED, store, "1@lid.0", NULL);
    assert_true(signal_store_try_put(store, str("1@lid.0"), str("key")));
    check_answer(SIGNAL_STORE_BYTES, store, "1@lid.0", "key");
    assert_true(signal_store_try_put(store, str("1@lid.0"), str("other")));
    check_answer(SIGNAL_STORE_BYTES, store, "1@lid.0", "other");
    CHECK_STATUS(ST_OK, signal_store_delete(store, str("1@lid.0")));
    check_answer(SIGNAL_STORE_ABSENT, store, "1@lid.0", NULL);
    CHECK_STATUS(ST_OK, signal_store_delete(store, str("2@lid.0")));
    check_answer(SIGNAL_STORE_ABSENT, store, "2@lid.0", NULL);
    assert_true(signal_store_try_put(store, str("2@lid.0"), str("")));
    check_answer(SIGNAL_STORE_BYTES, store, "2@lid.0", "");
    CHECK_SIZE(2, signal_store_count(store));
    signal_store_free(store);
}

/* Bytes outlive what was put in their place, and the store. */
static void test_bytes_are_shared(void **state)
{
    (void)state;
    struct alloc_probe probe = {0};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct signal_store *store = new_store(&alloc);
    const struct signal_store_bytes *first = NULL, *again = NULL;

    assert_true(signal_store_try_put(store, str("1@lid.0"), str("key")));
    size_t calls = probe.calls;
    CHECK_U64(SIGNAL_STORE_BYTES,
              signal_store_try_get(store, str("1@lid.0"), &first));
    CHECK_U64(SIGNAL_STORE_BYTES,
              signal_store_try_get(store, str("1@lid.0"), &again));
    CHECK_BOOL(true, first == again);
    CHECK_SIZE(calls, probe.calls);
    signal_store_bytes_release(again);
    assert_true(signal_store_try_put(store, str("1@lid.0"), str("other")));
    signal_store_free(store);
    CHECK_BYTES("key", 3, signal_store_bytes_text(first).data, 3);
    signal_store_bytes_release(first);
    signal_store_bytes_release(NULL);
    CHECK_SIZE(0, probe.live_count);
}

/* ---- marks -------------------------------------------------------------- */

/** What a flush saw. */
struct record {
    size_t written;
    size_t deleted;
    bool refuse;
    struct signal_store *store; /* to be asked while its lock is taken */
};

static bool write_entry(void *ctx, struct wabin_str address,
                        struct wabin_str bytes)
{
    struct record *record = ctx;
    const struct signal_store_bytes *held = NULL;

    if (bytes.data != NULL)
        record->written++;
    else
        record->deleted++;
    if (record->store != NULL) {
        CHECK_U64(SIGNAL_STORE_NOT_CACHED,
                  signal_store_try_get(record->store, address, &held));
        CHECK_BOOL(false,
                   signal_store_try_put(record->store, address, str("x")));
    }
    return !record->refuse;
}

static void check_flush(struct signal_store *store, size_t written,
                        size_t deleted)
{
    struct record record = {.store = store};

    CHECK_SIZE(0, signal_store_flush(store, write_entry, &record));
    CHECK_SIZE(written, record.written);
    CHECK_SIZE(deleted, record.deleted);
}

static void test_marks(void **state)
{
    (void)state;
    struct signal_store *store = new_store(NULL);
    struct record refusing = {.refuse = true};

    assert_true(signal_store_try_put(store, str("1@lid.0"), str("a")));
    assert_true(signal_store_try_put(store, str("2@lid.0"), str("b")));
    CHECK_SIZE(2, signal_store_flush(store, write_entry, &refusing));
    check_flush(store, 2, 0); /* the lock is seen as taken meanwhile */
    check_flush(store, 0, 0);
    assert_true(signal_store_try_put(store, str("1@lid.0"), str("a")));
    check_flush(store, 0, 0); /* the same bytes */
    CHECK_STATUS(ST_OK, signal_store_delete(store, str("1@lid.0")));
    assert_true(signal_store_try_put(store, str("2@lid.0"), str("c")));
    CHECK_STATUS(ST_OK, signal_store_delete(store, str("2@lid.0")));
    check_flush(store, 0, 2); /* deleted ones are not dirty */
    CHECK_STATUS(ST_OK, signal_store_delete(store, str("1@lid.0")));
    assert_true(signal_store_try_put(store, str("1@lid.0"), str("d")));
    check_flush(store, 1, 0); /* nor the other way round */
    signal_store_free(store);
}

static void test_notes_are_clean_and_yield(void **state)
{
    (void)state;
    struct signal_store *store = new_store(NULL);

    CHECK_STATUS(ST_OK, signal_store_note(store, str("1@lid.0"), str("old")));
    CHECK_STATUS(ST_OK, signal_store_note(store, str("2@lid.0"),
                                          (struct wabin_str){0}));
    check_answer(SIGNAL_STORE_BYTES, store, "1@lid.0", "old");
    check_answer(SIGNAL_STORE_ABSENT, store, "2@lid.0", NULL);
    check_flush(store, 0, 0);
    assert_true(signal_store_try_put(store, str("2@lid.0"), str("new")));
    CHECK_STATUS(ST_OK, signal_store_note(store, str("2@lid.0"),
                                          (struct wabin_str){0}));
    check_answer(SIGNAL_STORE_BYTES, store, "2@lid.0", "new");
    signal_store_free(store);
}

static void test_users(void **state)
{
    (void)state;
    struct signal_store *store = new_store(NULL);

    CHECK_BOOL(false, signal_store_has_user(store, str("1")));
    assert_true(signal_store_try_put(store, str("1:5@c.us.0"), str("a")));
    assert_true(signal_store_try_put(store, str("1@c.us.0"), str("a")));
    assert_true(signal_store_try_put(store, str("2@lid.0"), str("a")));
    assert_true(signal_store_try_put(store, str("@lid.0"), str("a")));
    CHECK_BOOL(true, signal_store_has_user(store, str("1")));
    CHECK_BOOL(true, signal_store_has_user(store, str("2")));
    CHECK_BOOL(true, signal_store_has_user(store, str("")));
    CHECK_BOOL(false, signal_store_has_user(store, str("1:5")));
    CHECK_STATUS(ST_OK, signal_store_delete(store, str("2@lid.0")));
    CHECK_STATUS(ST_OK, signal_store_delete(store, str("3@lid.0")));
    CHECK_BOOL(true, signal_store_has_user(store, str("2")));
    CHECK_BOOL(false, signal_store_has_user(store, str("3")));
    signal_store_free(store);
}

/* ---- eviction ----------------------------------------------------------- */

static struct wabin_str numbered(char text[24], size_t i)
{
    int size = snprintf(text, 24, "%zu@lid.0", i);
    return wabin_str(text, (size_t)size);
}

/* Entries from..to that are dirty, clean with bytes, or known absent. */
static void fill(struct signal_store *store, size_t from, size_t to, char kind)
{
    char text[24];

    for (size_t i = from; i < to; i++) {
        struct wabin_str address = numbered(text, i);
        if (kind == 'd')
            assert_true(signal_store_try_put(store, address, str("x")));
        else
            CHECK_STATUS(ST_OK,
                         signal_store_note(
                             store, address,
                             kind == 'b' ? str("x") : (struct wabin_str){0}));
    }
}

static size_t count_kind(struct signal_store *store, size_t from, size_t to,
                         enum signal_store_answer kind)
{
    size_t count = 0;
    char text[24];

    for (size_t i = from; i < to; i++) {
        const struct signal_store_bytes *bytes = NULL;
        count +=
            signal_store_try_get(store, numbered(text, i), &bytes) == kind;
        signal_store_bytes_release(bytes);
    }
    return count;
}

static void test_nothing_goes_before_the_slack_is_used(void **state)
{
    (void)state;
    struct signal_store *store = new_store(NULL);

    fill(store, 0, EXCESS, 'b');
    CHECK_SIZE(EXCESS, signal_store_count(store));
    fill(store, EXCESS, EXCESS + 1, 'd');
    CHECK_SIZE(KEEP, signal_store_count(store));
    CHECK_SIZE(1, count_kind(store, EXCESS, EXCESS + 1, SIGNAL_STORE_BYTES));
    signal_store_free(store);
}

static void test_absent_ones_go_first(void **state)
{
    (void)state;
    struct signal_store *store = new_store(NULL);

    fill(store, 0, 200, 'a');
    fill(store, 200, EXCESS + 1, 'b');
    CHECK_SIZE(KEEP, signal_store_count(store));
    CHECK_SIZE(0, count_kind(store, 0, 200, SIGNAL_STORE_ABSENT));
    CHECK_SIZE(KEEP, count_kind(store, 200, EXCESS + 1, SIGNAL_STORE_BYTES));
    signal_store_free(store);
}

static void test_dirty_ones_never_go(void **state)
{
    (void)state;
    struct signal_store *store = new_store(NULL);
    const size_t many = 3 * (size_t)EXCESS;

    fill(store, 0, many, 'd');
    CHECK_SIZE(many, signal_store_count(store));
    CHECK_SIZE(many, count_kind(store, 0, many, SIGNAL_STORE_BYTES));
    check_flush(store, many, 0);
    fill(store, many, many + 1, 'd');
    CHECK_SIZE(KEEP, signal_store_count(store));
    signal_store_free(store);
}

/* ---- seeds -------------------------------------------------------------- */

/* A store says whether its seed was chosen: measurements ask. */
static void test_random_seeds_are_not_repeatable(void **state)
{
    (void)state;
    struct signal_store_seed first, second;
    struct signal_store *fixed = new_store(NULL), *drawn = NULL;

    CHECK_STATUS(ST_OK, signal_store_seed_random(&first));
    CHECK_STATUS(ST_OK, signal_store_seed_random(&second));
    CHECK_BOOL(false,
               memcmp(&first.seed, &second.seed, sizeof(first.seed)) == 0);
    CHECK_STATUS(ST_OK, signal_store_new(first, NULL, &drawn));
    CHECK_BOOL(true, signal_store_is_repeatable(fixed));
    CHECK_BOOL(false, signal_store_is_repeatable(drawn));
    signal_store_free(fixed);
    signal_store_free(drawn);
}

/* ---- memory ------------------------------------------------------------- */

static void test_every_allocation_failing_in_turn(void **state)
{
    (void)state;
    for (size_t k = 1;; k++) {
        struct alloc_probe probe = {.fail_at = k};
        struct alloc alloc = alloc_probe_alloc(&probe);
        struct signal_store *store = NULL;
        size_t failed = 0;
        char text[24];

        if (signal_store_new(signal_store_seed_fixed(1, 2), &alloc, &store) ==
            ST_OK) {
            for (size_t i = 0; i < 20; i++) {
                struct wabin_str address = numbered(text, i);
                size_t count = signal_store_count(store);
                if (!signal_store_try_put(store, address, str("x"))) {
                    failed++;
                    CHECK_SIZE(count, signal_store_count(store));
                    check_answer(SIGNAL_STORE_NOT_CACHED, store, text, NULL);
                }
                failed += signal_store_delete(store, str("a@lid.0")) != ST_OK;
                failed += signal_store_note(store, str("b@lid.0"), str("y")) !=
                          ST_OK;
            }
        } else {
            failed++;
        }
        signal_store_free(store);
        CHECK_SIZE(0, probe.live_count);
        CHECK_BOOL(probe.calls >= k, failed != 0);
        if (probe.calls < k)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_answers),
        cmocka_unit_test(test_bytes_are_shared),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_notes_are_clean_and_yield),
        cmocka_unit_test(test_users),
        cmocka_unit_test(test_nothing_goes_before_the_slack_is_used),
        cmocka_unit_test(test_absent_ones_go_first),
        cmocka_unit_test(test_dirty_ones_never_go),
        cmocka_unit_test(test_random_seeds_are_not_repeatable),
        cmocka_unit_test(test_every_allocation_failing_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
