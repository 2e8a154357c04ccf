/* SPDX-License-Identifier: MIT */
/* Positive control of the allocation probe: an error code cannot tell when a
 * check ran, so a reader that reserves first must be seen to be caught.  The
 * reader is compiled here a second time, with a hook before the checks. */
#include <stdint.h>

struct envelope_view;
struct alloc;
static void reserve_first(const struct envelope_view *view,
                          const struct alloc *alloc);
#define ENVELOPE_BEFORE_SIZES(view, alloc) reserve_first(view, alloc)
#include "envelope/envelope_read.c" // NOLINT(bugprone-suspicious-include)

#include "envelope/tests/envelope_samples.h"

static bool armed;

static void reserve_first(const struct envelope_view *view,
                          const struct alloc *alloc)
{
    if (!armed)
        return;
    void *p = alloc_get(alloc, view->original_size);
    alloc_put(alloc, p, view->original_size);
}

static void check_control(const char *size_hex, uint64_t size,
                          enum envelope_kind kind)
{
    uint8_t in[128];
    char hex[128];

    snprintf(hex, sizeof(hex),
             "94" HELLO_DATA HELLO_CHECKSUM "%s" HELLO_FORMAT, size_hex);
    size_t in_size = hex_decode(hex, in, sizeof(in));
    for (int i = 0; i < 2; i++) {
        struct alloc_probe probe = {0};
        struct alloc alloc = alloc_probe_alloc(&probe);
        struct envelope_buffer out;

        armed = i == 1;
        CHECK_KIND(kind,
                   envelope_retrieve_data(in, in_size, &alloc, &out, NULL));
        CHECK_SIZE(armed ? size : 0, probe.requested);
        CHECK_SIZE(0, probe.live_count);
    }
}

static void test_the_probe_sees_a_reader_that_reserves(void **state)
{
    (void)state;
    check_control("ce000f4241", 1000001, ENVELOPE_DECOMPRESSION_BOMB);
    check_control("ce20000001", 536870913, ENVELOPE_INPUT_TOO_LARGE);
}

/* The published bomb, whose block has 1,000 bytes. */
static void test_the_published_bomb(void **state)
{
    (void)state;
    struct json_object *doc = testkit_vectors("cachekit/wire-format.json");
    struct json_object *rows = vector_field(doc, "reject_vectors");
    size_t seen = 0;

    for (size_t i = 0; i < json_object_array_length(rows); i++) {
        struct json_object *row = json_object_array_get_idx(rows, i);
        const char *name = vector_text(row, "name");
        if (strcmp(name, "reject_ratio_bomb") != 0 &&
            strcmp(name, "reject_original_size_over_cap") != 0)
            continue;
        size_t size;
        uint8_t *in = vector_hex(row, "envelope_hex", &size);
        for (int k = 0; k < 2; k++) {
            struct alloc_probe probe = {0};
            struct alloc alloc = alloc_probe_alloc(&probe);
            armed = k == 1;
            CHECK_BOOL(false, envelope_validate(in, size, &alloc));
            CHECK_BOOL(armed, probe.requested >= 1000001);
            CHECK_BOOL(!armed, probe.requested == 0);
        }
        free(in);
        seen++;
    }
    CHECK_SIZE(2, seen);
    json_object_put(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_probe_sees_a_reader_that_reserves),
        cmocka_unit_test(test_the_published_bomb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
