/* SPDX-License-Identifier: MIT */
/* Hex text, vector fields, guarded contents and corpus replay. */
#include "testkit/testkit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testkit/fuzz.h"

static void test_hex(void **state)
{
    (void)state;
    uint8_t out[4];
    size_t size = 0;

    CHECK_SIZE(4, hex_decode("00 fF\n9a\t7b", out, sizeof(out)));
    CHECK_BYTES("\x00\xff\x9a\x7b", 4, out, 4);
    CHECK_SIZE(0, hex_decode("", out, 0));
    uint8_t *bytes = hex_new("c0ffee", &size);
    CHECK_BYTES("\xc0\xff\xee", 3, bytes, size);
    free(bytes);
}

static void test_vector_fields(void **state)
{
    (void)state;
    struct json_object *row = json_tokener_parse(
        "{\"t\": \"text\", \"n\": 18446744073709551615, \"h\": \"0a0b\"}");
    size_t size = 0;

    assert_non_null(row);
    CHECK_STR("text", vector_text(row, "t"));
    CHECK_U64(UINT64_MAX, vector_u64(row, "n"));
    uint8_t *bytes = vector_hex(row, "h", &size);
    CHECK_BYTES("\x0a\x0b", 2, bytes, size);
    free(bytes);
    json_object_put(row);
}

/* Sizes around the page, which decide where the copy starts. */
static void test_guarded_contents(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 4095, 4096, 4097, 8192};
    uint8_t bytes[8192];

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(i * 7 + i / 256);
    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++) {
        const uint8_t *copy = guard_copy(bytes, sizes[i]);
        CHECK_BYTES(bytes, sizes[i], copy, sizes[i]);
        guard_free(copy, sizes[i]);
        uint8_t *room = guard_new(sizes[i]);
        memcpy(room, bytes, sizes[i]);
        CHECK_BYTES(bytes, sizes[i], room, sizes[i]);
        guard_free(room, sizes[i]);
    }
}

/* What the target below was given: inputs joined, each with a '/' behind. */
static char seen[256];

static int note_input(const uint8_t *data, size_t size)
{
    const size_t used = strlen(seen);

    snprintf(seen + used, sizeof(seen) - used, "%.*s/", (int)size,
             (const char *)data);
    return 0;
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[256];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(0, fclose(f));
}

static void remove_file(const char *folder, const char *name)
{
    char path[256];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    assert_int_equal(0, unlink(path));
}

static void test_replay_runs_each_file_and_its_cuts(void **state)
{
    (void)state;
    char folder[] = "/tmp/corpus-XXXXXX";

    assert_non_null(mkdtemp(folder));
    CHECK_SIZE(0, corpus_replay(folder, note_input));
    write_file(folder, "b", "xyz");
    write_file(folder, "a", "1");
    write_file(folder, "c", "");
    write_file(folder, ".hidden", "no");
    CHECK_SIZE(7, corpus_replay(folder, note_input));
    CHECK_STR("/1//x/xy/xyz//", seen);
    remove_file(folder, "a");
    remove_file(folder, "b");
    remove_file(folder, "c");
    remove_file(folder, ".hidden");
    assert_int_equal(0, rmdir(folder));
    CHECK_SIZE(0, corpus_replay(folder, note_input));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hex),
        cmocka_unit_test(test_vector_fields),
        cmocka_unit_test(test_guarded_contents),
        cmocka_unit_test(test_replay_runs_each_file_and_its_cuts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
