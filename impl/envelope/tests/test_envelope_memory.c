/* SPDX-License-Identifier: MIT */
/* What reads and writes ask of the allocator: nothing before the checks,
 * exactly the declared size after them, and everything given back. */
#include "envelope/tests/envelope_samples.h"

#define RECORDS 1024

/* The kilobyte of records in both encodings, and as a map with index keys. */
struct sample {
    uint8_t payload[RECORDS];
    uint8_t *current, *legacy, *map;
    size_t current_size, legacy_size, map_size;
    size_t block_size;
};

static uint8_t *map_new(const struct sample *s, const struct envelope_view *v,
                        size_t *size)
{
    const uint8_t *head = s->current + 1;
    const uint8_t *sum = v->data + v->data_size;
    const uint8_t *end = s->current + s->current_size;
    /* "msgpack" in 8 bytes, cd 0400 in 3 */
    const size_t sizes[] = {(size_t)(sum - head), (size_t)(end - sum) - 8 - 3,
                            3, 8};
    uint8_t *out = malloc(s->current_size + 4), *p = out;
    assert_non_null(out);

    *p++ = 0x84;
    for (uint8_t key = 0; key < 4; key++) {
        *p++ = key;
        memcpy(p, head, sizes[key]);
        p += sizes[key];
        head += sizes[key];
    }
    *size = (size_t)(p - out);
    return out;
}

static int setup_sample(void **state)
{
    struct sample *s = malloc(sizeof(*s));
    struct envelope_view view;
    assert_non_null(s);

    msgpack_sample_stream(0, s->payload, RECORDS);
    s->current = store_new(s->payload, RECORDS, &s->current_size);
    s->legacy = legacy_new(s->current, s->current_size, &s->legacy_size);
    CHECK_BOOL(true, envelope_decode_once(s->current, s->current_size, &view));
    s->block_size = view.data_size;
    s->map = map_new(s, &view, &s->map_size);
    *state = s;
    return 0;
}

static int teardown_sample(void **state)
{
    struct sample *s = *state;

    free(s->current);
    free(s->legacy);
    free(s->map);
    free(s);
    return 0;
}

static void check_data_requests(const uint8_t *in, size_t size,
                                size_t requested, size_t calls)
{
    struct alloc_probe probe = {0};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct envelope_buffer out;
    struct envelope_view view;

    CHECK_KIND(ENVELOPE_OK, envelope_decode(in, size, &alloc, &view, NULL));
    CHECK_KIND(ENVELOPE_OK,
               envelope_decode_full(in, size, &alloc, &view, NULL));
    CHECK_SIZE(0, probe.calls);
    CHECK_KIND(ENVELOPE_OK,
               envelope_retrieve_data(in, size, &alloc, &out, NULL));
    CHECK_SIZE(requested, probe.requested);
    CHECK_SIZE(calls, probe.calls);
    envelope_buffer_free(&alloc, &out);
    CHECK_SIZE(0, probe.live_count);
    CHECK_BOOL(true, envelope_validate(in, size, &alloc));
    CHECK_SIZE(2 * requested, probe.requested);
    CHECK_SIZE(0, probe.live_count);
}

static void test_reads_ask_for_the_declared_size(void **state)
{
    const struct sample *s = *state;
    struct alloc_probe probe = {0};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct envelope_entry entry;

    check_data_requests(s->current, s->current_size, RECORDS, 1);
    check_data_requests(s->map, s->map_size, RECORDS, 1);
    check_data_requests(s->legacy, s->legacy_size, RECORDS + s->block_size, 2);
    CHECK_KIND(ENVELOPE_OK, envelope_retrieve(s->current, s->current_size,
                                              &alloc, &entry, NULL));
    CHECK_SIZE(RECORDS + 7, probe.requested);
    CHECK_SIZE(1, probe.calls);
    envelope_entry_free(&alloc, &entry);
    CHECK_SIZE(0, probe.live_count);
    assert_null(entry.payload);
    envelope_entry_free(&alloc, &entry);
}

static void test_a_callers_buffer_asks_for_nothing(void **state)
{
    const struct sample *s = *state;
    struct alloc_probe probe = {0};
    struct alloc alloc = alloc_probe_alloc(&probe);
    uint8_t out[RECORDS];
    struct envelope_entry entry;

    CHECK_KIND(ENVELOPE_OK,
               envelope_retrieve_into(s->current, s->current_size, &alloc, out,
                                      RECORDS, &entry, NULL));
    CHECK_BYTES(s->payload, RECORDS, out, entry.payload_size);
    CHECK_BYTES("msgpack", 7, entry.format, entry.format_size);
    assert_null(entry.memory);
    CHECK_SIZE(0, probe.calls);
    CHECK_KIND(ENVELOPE_OK,
               envelope_retrieve_into(s->legacy, s->legacy_size, &alloc, out,
                                      RECORDS, &entry, NULL));
    CHECK_SIZE(s->block_size, probe.requested);
    CHECK_SIZE(0, probe.live_count);
}

static void test_too_small_a_buffer_is_left_alone(void **state)
{
    const struct sample *s = *state;
    struct alloc_probe probe = {0};
    struct alloc alloc = alloc_probe_alloc(&probe);
    uint8_t out[RECORDS] = {0};
    struct envelope_entry entry = {0};

    CHECK_KIND(ENVELOPE_NO_SPACE,
               envelope_retrieve_into(s->legacy, s->legacy_size, &alloc, out,
                                      RECORDS - 1, &entry, NULL));
    CHECK_SIZE(RECORDS, entry.payload_size);
    assert_null(entry.payload);
    CHECK_SIZE(0, probe.calls);
    for (size_t i = 0; i < RECORDS; i++)
        CHECK_U64(0, out[i]);
}

static void test_an_empty_payload_asks_for_nothing(void **state)
{
    (void)state;
    struct alloc_probe probe = {0};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct envelope_buffer out;
    struct envelope_entry entry;
    uint8_t in[32];
    size_t size =
        hex_decode("94c40100982d06cc800538ccd3cc94ccc200a76d73677061636b", in,
                   sizeof(in));

    CHECK_KIND(ENVELOPE_OK,
               envelope_retrieve_data(in, size, &alloc, &out, NULL));
    CHECK_SIZE(0, probe.calls);
    CHECK_SIZE(0, out.size);
    assert_null(out.data);
    CHECK_BOOL(true, envelope_validate(in, size, &alloc));
    CHECK_SIZE(0, probe.calls);
    CHECK_KIND(ENVELOPE_OK, envelope_retrieve(in, size, &alloc, &entry, NULL));
    CHECK_SIZE(7, probe.requested);
    assert_null(entry.payload);
    envelope_entry_free(&alloc, &entry);
    CHECK_SIZE(0, probe.live_count);
}

/* Reject what checks 1 to 6 reject: no request, in either encoding.  The
 * legacy rows would cost a buffer each if conversion came first. */
static void test_rejections_ask_for_nothing(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "",
        "c0",
        "94" HELLO_DATA HELLO_CHECKSUM "ce20000001" HELLO_FORMAT,
        "94" HELLO_DATA HELLO_CHECKSUM "cd1771" HELLO_FORMAT,
        "94 9650 68656c6c6f" HELLO_CHECKSUM "cd1771" HELLO_FORMAT,
        "94 9650 68656c6c6f" HELLO_CHECKSUM "ce20000001" HELLO_FORMAT,
        "94 c400" HELLO_CHECKSUM "05" HELLO_FORMAT,
        "94 90" HELLO_CHECKSUM "05" HELLO_FORMAT,
        "94 9650 68656c6c6f" HELLO_CHECKSUM "05 c0",
        "84 00" HELLO_DATA "01" HELLO_CHECKSUM "02 cd1771 03" HELLO_FORMAT,
        "ddffffffff",
        "919191919191919191 c1", /* nine open levels are the walk's to ask */
    };
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        struct alloc_probe probe = {0};
        struct alloc alloc = alloc_probe_alloc(&probe);
        struct envelope_buffer out;
        struct envelope_entry entry;
        uint8_t in[128], room[8];
        size_t size = hex_decode(rows[i], in, sizeof(in));

        assert_true(envelope_retrieve_data(in, size, &alloc, &out, NULL) !=
                    ENVELOPE_OK);
        assert_true(envelope_retrieve(in, size, &alloc, &entry, NULL) !=
                    ENVELOPE_OK);
        assert_true(envelope_retrieve_into(in, size, &alloc, room,
                                           sizeof(room), &entry,
                                           NULL) != ENVELOPE_OK);
        CHECK_BOOL(false, envelope_validate(in, size, &alloc));
        if (i + 1 < ARRAY_COUNT(rows))
            CHECK_SIZE(0, probe.calls);
        CHECK_SIZE(0, probe.live_count);
    }
}

/* Checks 7 to 9 fail after the buffers exist: all are given back, nothing of
 * a payload is handed out. */
static void test_late_rejections_give_everything_back(void **state)
{
    (void)state;
    static const struct {
        const char *hex;
        enum envelope_kind kind;
    } rows[] = {
        {"94 c402 5068" HELLO_CHECKSUM "05" HELLO_FORMAT,
         ENVELOPE_DECOMPRESSION_FAILED},
        {"94 925068" HELLO_CHECKSUM "05" HELLO_FORMAT,
         ENVELOPE_DECOMPRESSION_FAILED},
        {"94" HELLO_DATA "98 0000000000000000 05" HELLO_FORMAT,
         ENVELOPE_CHECKSUM_MISMATCH},
        {"94" HELLO_DATA HELLO_CHECKSUM "07" HELLO_FORMAT,
         ENVELOPE_SIZE_VALIDATION_FAILED},
    };
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        struct alloc_probe probe = {0};
        struct alloc alloc = alloc_probe_alloc(&probe);
        struct envelope_entry entry = {0};
        uint8_t in[128], room[8];
        size_t size = hex_decode(rows[i].hex, in, sizeof(in));

        CHECK_KIND(rows[i].kind,
                   envelope_retrieve(in, size, &alloc, &entry, NULL));
        assert_null(entry.payload);
        assert_true(probe.requested != 0);
        CHECK_SIZE(0, probe.live_count);
        memset(room, 0xee, sizeof(room));
        CHECK_KIND(rows[i].kind,
                   envelope_retrieve_into(in, size, &alloc, room, sizeof(room),
                                          &entry, NULL));
        CHECK_SIZE(0, entry.payload_size);
        CHECK_BYTES("\0\0\0\0\0", 5, room, 5);
        CHECK_U64(0xee, room[7]);
    }
}

static enum envelope_kind run_retrieve(const struct sample *s,
                                       const struct alloc *alloc, bool legacy)
{
    struct envelope_entry entry = {0};
    enum envelope_kind kind = envelope_retrieve(
        legacy ? s->legacy : s->current,
        legacy ? s->legacy_size : s->current_size, alloc, &entry, NULL);

    envelope_entry_free(alloc, &entry);
    return kind;
}

static enum envelope_kind run_write(const struct sample *s,
                                    const struct alloc *alloc)
{
    struct envelope_storage *storage = NULL;
    struct envelope_buffer out = {0};
    double ratio;
    enum envelope_kind kind =
        envelope_storage_new("json", 4, alloc, &storage, NULL);

    if (kind == ENVELOPE_OK)
        kind =
            envelope_store(storage, s->payload, RECORDS, NULL, 0, &out, NULL);
    if (kind == ENVELOPE_OK)
        kind = envelope_estimate_compression(storage, s->payload, RECORDS,
                                             &ratio, NULL);
    envelope_buffer_free(alloc, &out);
    envelope_storage_free(storage);
    return kind;
}

static void test_every_allocation_failing_in_turn(void **state)
{
    const struct sample *s = *state;

    for (int what = 0; what < 3; what++) {
        size_t failures = 0;
        for (size_t k = 1;; k++) {
            struct alloc_probe probe = {.fail_at = k};
            struct alloc alloc = alloc_probe_alloc(&probe);
            enum envelope_kind kind = what == 2
                                          ? run_write(s, &alloc)
                                          : run_retrieve(s, &alloc, what == 1);
            CHECK_SIZE(0, probe.live_count);
            if (probe.calls < k) {
                CHECK_KIND(ENVELOPE_OK, kind);
                break;
            }
            CHECK_KIND(ENVELOPE_OUT_OF_MEMORY, kind);
            failures++;
        }
        CHECK_SIZE(what == 0 ? 1 : what == 1 ? 2 : 3, failures);
    }
}

/* A walk that nests past its own frame may find no memory, which says
 * nothing about the input. */
static void test_the_walk_may_find_no_memory(void **state)
{
    (void)state;
    struct alloc_probe probe = {.fail_at = 1};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct envelope_view view;
    uint8_t in[128];
    size_t size =
        hex_decode("85 a178 91919191919191919190 00" HELLO_DATA
                   "01" HELLO_CHECKSUM "02" HELLO_SIZE "03" HELLO_FORMAT,
                   in, sizeof(in));

    CHECK_KIND(ENVELOPE_OUT_OF_MEMORY,
               envelope_decode(in, size, &alloc, &view, NULL));
    CHECK_KIND(ENVELOPE_OK, envelope_decode(in, size, &alloc, &view, NULL));
    CHECK_SIZE(0, probe.live_count);
}

static void test_nothing_to_release_is_fine(void **state)
{
    (void)state;
    struct envelope_buffer buffer = {0};
    struct envelope_entry entry = {0};

    envelope_buffer_free(NULL, &buffer);
    envelope_entry_free(NULL, &entry);
    envelope_storage_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_ask_for_the_declared_size),
        cmocka_unit_test(test_a_callers_buffer_asks_for_nothing),
        cmocka_unit_test(test_too_small_a_buffer_is_left_alone),
        cmocka_unit_test(test_an_empty_payload_asks_for_nothing),
        cmocka_unit_test(test_rejections_ask_for_nothing),
        cmocka_unit_test(test_late_rejections_give_everything_back),
        cmocka_unit_test(test_every_allocation_failing_in_turn),
        cmocka_unit_test(test_the_walk_may_find_no_memory),
        cmocka_unit_test(test_nothing_to_release_is_fine),
    };
    return cmocka_run_group_tests_name("envelope memory", tests, setup_sample,
                                       teardown_sample);
}
