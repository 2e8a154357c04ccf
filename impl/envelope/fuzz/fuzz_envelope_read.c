/* SPDX-License-Identifier: MIT */
/* Of any bytes: both paths of a decode agree, all reads agree, and what reads
 * reads the same after it was stored anew. */
#include <string.h>

#include "envelope/envelope.h"
#include "testkit/fuzz.h"

/* Payloads that are decompressed at all: a declared size may be 1,000 times
 * the input's. */
#define PAYLOAD_MAX (1u << 20)

static void check_same_view(const struct envelope_view *a,
                            const struct envelope_view *b)
{
    FUZZ_CHECK(a->data == b->data && a->data_size == b->data_size);
    FUZZ_CHECK(a->array_span == b->array_span);
    FUZZ_CHECK(a->checksum == b->checksum);
    FUZZ_CHECK(a->original_size == b->original_size);
    FUZZ_CHECK(a->format == b->format && a->format_size == b->format_size);
}

static void check_paths(const uint8_t *data, size_t size)
{
    struct envelope_view once, full, either;
    struct envelope_error a, b;
    bool short_path = envelope_decode_once(data, size, &once);
    enum envelope_kind kind =
        envelope_decode_full(data, size, NULL, &full, &a);
    enum envelope_kind same = envelope_decode(data, size, NULL, &either, &b);

    FUZZ_CHECK(kind == same);
    FUZZ_CHECK(!short_path || kind == ENVELOPE_OK);
    if (kind != ENVELOPE_OK) {
        char of_a[256], of_b[256];
        FUZZ_CHECK(envelope_error_text(&a, of_a, sizeof(of_a)) > 0);
        FUZZ_CHECK(envelope_error_text(&b, of_b, sizeof(of_b)) > 0);
        FUZZ_CHECK(strcmp(of_a, of_b) == 0);
        return;
    }
    check_same_view(&full, &either);
    if (short_path)
        check_same_view(&full, &once);
}

/* Store what was read; read it again. */
static void check_again(const struct envelope_entry *entry)
{
    const char *format = entry->format != NULL ? entry->format : "";
    struct envelope_storage *storage = NULL;
    struct envelope_buffer made;
    struct envelope_entry again;

    FUZZ_CHECK(envelope_storage_new(format, entry->format_size, NULL, &storage,
                                    NULL) == ENVELOPE_OK);
    FUZZ_CHECK(envelope_store(storage, entry->payload, entry->payload_size,
                              NULL, 0, &made, NULL) == ENVELOPE_OK);
    FUZZ_CHECK(envelope_retrieve(made.data, made.size, NULL, &again, NULL) ==
               ENVELOPE_OK);
    FUZZ_CHECK(again.payload_size == entry->payload_size);
    FUZZ_CHECK(again.payload_size == 0 ||
               memcmp(again.payload, entry->payload, again.payload_size) == 0);
    FUZZ_CHECK(again.format_size == entry->format_size);
    FUZZ_CHECK(again.format_size == 0 ||
               memcmp(again.format, format, again.format_size) == 0);
    envelope_entry_free(NULL, &again);
    envelope_buffer_free(NULL, &made);
    envelope_storage_free(storage);
}

static void check_reads(const uint8_t *data, size_t size)
{
    struct envelope_entry entry;
    struct envelope_buffer payload;
    enum envelope_kind kind =
        envelope_retrieve(data, size, NULL, &entry, NULL);

    FUZZ_CHECK(envelope_retrieve_data(data, size, NULL, &payload, NULL) ==
               kind);
    FUZZ_CHECK(envelope_validate(data, size, NULL) == (kind == ENVELOPE_OK));
    if (kind != ENVELOPE_OK)
        return;
    FUZZ_CHECK(payload.size == entry.payload_size);
    FUZZ_CHECK(payload.size == 0 ||
               memcmp(payload.data, entry.payload, payload.size) == 0);
    check_again(&entry);
    envelope_buffer_free(NULL, &payload);
    envelope_entry_free(NULL, &entry);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct envelope_view view;

    check_paths(data, size);
    if (envelope_decode(data, size, NULL, &view, NULL) != ENVELOPE_OK ||
        view.original_size <= PAYLOAD_MAX)
        check_reads(data, size);
    return 0;
}
