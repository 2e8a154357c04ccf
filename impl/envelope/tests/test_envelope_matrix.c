/* SPDX-License-Identifier: MIT */
/* The published variants of one envelope, and the outcome of each. */
#include "envelope/tests/envelope_samples.h"

/* The published matrix; its floats are a word here. */
static void check_matrix_row(struct json_object *row)
{
    const char *result = vector_text(row, "result");
    size_t size;
    uint8_t *in = vector_hex(row, "envelope_hex", &size);
    struct json_object *detail;
    struct envelope_entry entry;
    struct envelope_error error;
    enum envelope_kind kind =
        envelope_retrieve(in, size, NULL, &entry, &error);

    if (strcmp(result, "ok") == 0) {
        size_t format_size, payload_size;
        uint8_t *format = vector_hex(row, "format_hex", &format_size);
        uint8_t *payload = vector_hex(row, "payload_hex", &payload_size);
        CHECK_KIND(ENVELOPE_OK, kind);
        CHECK_BYTES(payload, payload_size, entry.payload, entry.payload_size);
        CHECK_BYTES(format, format_size, entry.format, entry.format_size);
        envelope_entry_free(NULL, &entry);
        free(format);
        free(payload);
    } else if (json_object_object_get_ex(row, "detail", &detail) &&
               strstr(json_object_get_string(detail), "floating") == NULL) {
        char expected[256];
        snprintf(expected, sizeof(expected), "deserialization failed: %s",
                 json_object_get_string(detail));
        check_error(expected, &error);
    } else {
        CHECK_KIND(strcmp(result, "InputTooLarge") == 0
                       ? ENVELOPE_INPUT_TOO_LARGE
                   : strcmp(result, "DecompressionBomb") == 0
                       ? ENVELOPE_DECOMPRESSION_BOMB
                   : strcmp(result, "DecompressionFailed") == 0
                       ? ENVELOPE_DECOMPRESSION_FAILED
                       : ENVELOPE_DESERIALIZATION_FAILED,
                   kind);
    }
    free(in);
}

static void test_published_matrix(void **state)
{
    (void)state;
    struct json_object *doc = testkit_vectors("cachekit/reader-matrix.json");
    struct json_object *rows = vector_field(doc, "cases");
    size_t count = json_object_array_length(rows);

    CHECK_SIZE(116, count);
    for (size_t i = 0; i < count; i++)
        check_matrix_row(json_object_array_get_idx(rows, i));
    json_object_put(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
