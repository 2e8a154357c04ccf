/* SPDX-License-Identifier: MIT */
/* A value that readers skip may nest as deep as the walk allows, on a small
 * stack. */
#include <pthread.h>

#include "envelope/tests/envelope_samples.h"

struct deep {
    uint8_t bytes[512];
    size_t size;
    struct envelope_error error; /* of its read */
};

/* The envelope of "hello" as a map, with an unknown key whose value nests so
 * that the document is `depth` levels deep. */
static void make_deep(struct deep *d, unsigned depth, uint8_t marker,
                      bool key_first)
{
    uint8_t *p = d->bytes;

    *p++ = 0x85;
    if (!key_first)
        p += hex_decode("00" HELLO_DATA "01" HELLO_CHECKSUM "02" HELLO_SIZE
                        "03" HELLO_FORMAT,
                        p, 64);
    p += hex_decode("a178", p, 2);
    for (unsigned level = 1; level < depth; level++) {
        *p++ = marker;
        if (marker == 0x81)
            *p++ = 0xa0;
    }
    *p++ = 0xc0;
    if (key_first)
        p += hex_decode("00" HELLO_DATA "01" HELLO_CHECKSUM "02" HELLO_SIZE
                        "03" HELLO_FORMAT,
                        p, 64);
    d->size = (size_t)(p - d->bytes);
}

static void *read_deep(void *argument)
{
    struct deep *d = argument;
    struct envelope_buffer out;

    d->error = (struct envelope_error){.kind = ENVELOPE_OK};
    if (envelope_retrieve_data(d->bytes, d->size, NULL, &out, &d->error) ==
        ENVELOPE_OK)
        envelope_buffer_free(NULL, &out);
    return NULL;
}

static void read_on_stack(struct deep *d, size_t stack_size)
{
    pthread_attr_t attributes;
    pthread_t thread;

    CHECK_I64(0, pthread_attr_init(&attributes));
    CHECK_I64(0, pthread_attr_setstacksize(&attributes, stack_size));
    CHECK_I64(0, pthread_create(&thread, &attributes, read_deep, d));
    CHECK_I64(0, pthread_join(thread, NULL));
    pthread_attr_destroy(&attributes);
}

static void test_depth_is_inclusive_on_small_stacks(void **state)
{
    (void)state;
    static const size_t stacks[] = {1 << 20, 2 << 20};
    static const uint8_t markers[] = {0x91, 0x81};

    for (size_t s = 0; s < ARRAY_COUNT(stacks); s++)
        for (size_t m = 0; m < ARRAY_COUNT(markers); m++)
            for (int first = 0; first < 2; first++) {
                struct deep d = {.size = 0};

                make_deep(&d, 100, markers[m], first == 1);
                read_on_stack(&d, stacks[s]);
                CHECK_KIND(ENVELOPE_OK, d.error.kind);
                make_deep(&d, 101, markers[m], first == 1);
                read_on_stack(&d, stacks[s]);
                check_error("deserialization failed: decode pre-scan: nests "
                            "deeper than 100 levels",
                            &d.error);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depth_is_inclusive_on_small_stacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
