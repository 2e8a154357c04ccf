/* SPDX-License-Identifier: MIT */
/* Any bytes: all ways to decode agree in tree and failure, stay within their
 * memory, and what encoding keeps comes back the same. */
#include "testkit/alloc_probe.h"
#include "testkit/fuzz.h"
#include "wabin/reference/wabin_ref.h"
#include "wabin/tests/wabin_kept.h"
#include "wabin/wabin.h"

/* 20 bytes for each of the input, in blocks that are at least half full but
 * for the last; and blocks have a least size. */
#define RESERVE_FACTOR 64
#define RESERVE_LEAST  1024

static void check_same_failure(const struct wabin_error *want,
                               const struct wabin_error *got)
{
    FUZZ_CHECK(want->status == got->status);
    FUZZ_CHECK(want->cause == got->cause);
    FUZZ_CHECK(want->at == got->at);
    FUZZ_CHECK(want->number == got->number);
    FUZZ_CHECK(want->length == got->length);
    FUZZ_CHECK(want->text.size == 0 || /* made by neither */
               wabin_str_equal(want->text, got->text));
}

/* Exact and plain encoding agree; from then on nothing changes. */
static void check_encoding(struct wabin_doc *doc,
                           const struct wabin_node *root)
{
    struct wabin_buf plain = {0}, exact = {0};
    const struct wabin_node *back;
    enum wabin_status status;

    FUZZ_CHECK(wabin_marshal_plain(root, &plain, NULL) == WABIN_OK);
    FUZZ_CHECK(wabin_marshal_exact(root, &exact, NULL) == WABIN_OK);
    FUZZ_CHECK(plain.size == exact.size && exact.size == exact.capacity);
    FUZZ_CHECK(memcmp(plain.data, exact.data, plain.size) == 0);
    status = wabin_decode_frame(doc, plain.data, plain.size, &back, NULL);
    FUZZ_CHECK(status == WABIN_OK || !is_kept(root));
    if (status == WABIN_OK && is_kept(root)) {
        FUZZ_CHECK(wabin_marshal_plain(back, &exact, NULL) == WABIN_OK);
        FUZZ_CHECK(plain.size == exact.size);
        FUZZ_CHECK(memcmp(plain.data, exact.data, plain.size) == 0);
    }
    wabin_buf_release(&plain);
    wabin_buf_release(&exact);
}

static void check_memory(const struct alloc_probe *probe, size_t size)
{
    FUZZ_CHECK(probe->peak_size <= RESERVE_FACTOR * size + RESERVE_LEAST);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct alloc_probe probe = {0};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct wabin_doc_options fast_options = {.alloc = &alloc};
    struct wabin_doc_options table_options = {.unpack = wabin_unpack_table};
    struct wabin_doc fast, table;
    const struct wabin_node *root, *other;
    struct wabin_error error = {0}, table_error = {0}, want = {0};
    struct ref_node ref;

    wabin_doc_init(&fast, &fast_options);
    wabin_doc_init(&table, &table_options);
    enum wabin_status status = wabin_decode(&fast, data, size, &root, &error);
    enum wabin_status table_status =
        wabin_decode(&table, data, size, &other, &table_error);
    enum wabin_status ref_status =
        wabin_ref_decode(data, size, NULL, &ref, &want);
    FUZZ_CHECK(status == ref_status && table_status == ref_status);
    check_memory(&probe, size);
    if (status == WABIN_OK) {
        FUZZ_CHECK(wabin_ref_equal(&ref, root));
        FUZZ_CHECK(wabin_node_equal(root, other));
        check_encoding(&table, root);
    } else {
        check_same_failure(&want, &error);
        check_same_failure(&want, &table_error);
    }
    wabin_ref_free(&ref, NULL);
    wabin_doc_release(&table);
    wabin_doc_release(&fast);
    FUZZ_CHECK(probe.live_count == 0);
    return 0;
}
