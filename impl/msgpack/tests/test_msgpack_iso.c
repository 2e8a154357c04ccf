/* SPDX-License-Identifier: MIT */
/* Real documents, written by another encoder: iso_documents.py makes them. */
#include "msgpack/tests/msgpack_expect.h"

#include <errno.h>

#include "base/prng.h"

static uint8_t buffer[ROOM_SIZE];

/* The bytes of a document below data/iso, or a skipped test. */
static size_t read_document(const char *name)
{
    char path[128];

    snprintf(path, sizeof(path), "data/iso/%s.msgpack", name);
    FILE *f = fopen(path, "rb");
    if (f == NULL) {
        fprintf(stderr, "\n*** skipped: %s: %s; run make setup ***\n\n", path,
                strerror(errno));
        skip();
    }
    size_t size = fread(buffer, 1, sizeof(buffer), f);
    fclose(f);
    CHECK_BOOL(true, size < sizeof(buffer));
    return size;
}

static void check_document(const char *name, size_t known_size,
                           size_t known_depth)
{
    size_t size = read_document(name);
    uint64_t random = size;

    CHECK_SIZE(known_size, size);
    CHECK_SIZE(0, expect_ok(buffer, size, known_depth, size).requested);
    CHECK_ENUM(msgpack_fault_text, MSGPACK_TOO_DEEP,
               walk_all(buffer, size, known_depth - 1).error.fault);
    for (size_t i = 0; i < 300; i++) {
        size_t cut = prng_below(&random, size);
        if (walk_all(buffer, cut, 100).error.fault == MSGPACK_OK)
            CHECK_FAIL("%s is accepted when cut to %zu bytes", name, cut);
    }
}

static void test_subdivisions_of_countries(void **state)
{
    (void)state;
    check_document("iso_3166-2", 243225, 3);
}

static void test_languages(void **state)
{
    (void)state;
    check_document("iso_639-3", 388700, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_subdivisions_of_countries),
        cmocka_unit_test(test_languages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
