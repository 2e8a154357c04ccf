/* SPDX-License-Identifier: MIT */
/* Storage envelopes in both encodings: accepted whole, every cut rejected,
 * and no memory asked for. */
#include "msgpack/tests/msgpack_expect.h"

#include <string.h>

#include "msgpack/sample/msgpack_sample.h"

/* The bound that readers of envelopes use. */
#define ENVELOPE_DEPTH 100

static uint8_t buffer[MSGPACK_SAMPLE_SHAPE_BOUND];

/* Short payloads, whose block here is one run of literals. */
static const struct {
    size_t payload_size;
    uint8_t checksum[8];
    uint8_t token[2]; /* what the run of literals begins with */
    size_t token_size;
    size_t bin_size, legacy_size; /* of the whole envelope */
} literal[] = {
    {0, {0x2d, 0x06, 0x80, 0x05, 0x38, 0xd3, 0x94, 0xc2}, {0x00}, 1, 26, 25},
    {40,
     {0xaa, 0xfb, 0xa3, 0x18, 0xc8, 0xa9, 0x22, 0xbd},
     {0xf0, 25},
     2,
     69,
     78},
    {64,
     {0x67, 0xb4, 0xe8, 0x27, 0xd6, 0x47, 0x21, 0x1b},
     {0xf0, 49},
     2,
     90,
     103},
};

/* The envelope of one of these payloads. */
static size_t literal_envelope(size_t i, enum msgpack_sample_form form)
{
    uint8_t block[80];
    struct msgpack_sample_envelope envelope = {
        .block = block,
        .block_size = literal[i].token_size + literal[i].payload_size,
        .original_size = (uint32_t)literal[i].payload_size,
    };
    struct sink sink = sink_init(buffer, sizeof(buffer));

    memcpy(block, literal[i].token, literal[i].token_size);
    msgpack_sample_stream(0, block + literal[i].token_size,
                          literal[i].payload_size);
    memcpy(envelope.checksum, literal[i].checksum, 8);
    CHECK_STATUS(ST_OK, msgpack_sample_envelope_put(&envelope, form, &sink));
    return sink.at;
}

static size_t shaped_envelope(uint64_t seed, size_t shape,
                              enum msgpack_sample_form form)
{
    struct sink sink = sink_init(buffer, sizeof(buffer));

    CHECK_STATUS(ST_OK, msgpack_sample_shape(seed, shape, form, &sink));
    return sink.at;
}

static void expect_free_envelope(size_t size)
{
    CHECK_SIZE(0, expect_ok(buffer, size, ENVELOPE_DEPTH, size).requested);
    /* Two levels are all it takes. */
    CHECK_SIZE(0, expect_ok(buffer, size, 2, size).requested);
    walk_all(buffer, size, 1);
    CHECK_ENUM(msgpack_fault_text, MSGPACK_TOO_DEEP,
               msgpack_check(buffer, size, 1, NULL, NULL));
}

static void test_envelopes_allocate_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(literal); i++) {
        size_t size = literal_envelope(i, MSGPACK_SAMPLE_BIN);
        CHECK_SIZE(literal[i].bin_size, size);
        expect_free_envelope(size);
        size = literal_envelope(i, MSGPACK_SAMPLE_LEGACY);
        CHECK_SIZE(literal[i].legacy_size, size);
        expect_free_envelope(size);
    }
    for (uint64_t seed = 0; seed < 8; seed++) {
        for (size_t i = 0; i < MSGPACK_SAMPLE_SHAPE_COUNT; i++) {
            expect_free_envelope(shaped_envelope(seed, i, MSGPACK_SAMPLE_BIN));
            expect_free_envelope(
                shaped_envelope(seed, i, MSGPACK_SAMPLE_LEGACY));
        }
    }
    /* The control: the probe behind these zeros does see the walk's memory. */
    CHECK_BOOL(true,
               expect_hex_ok("919191919191919191c0", 100, 10).requested > 0);
}

static void test_known_bytes(void **state)
{
    (void)state;
    static const char empty[] = "94c40100982d06cc800538ccd3cc94ccc2"
                                "00a76d73677061636b";
    static const char empty_legacy[] = "949100982d06cc800538ccd3cc94ccc2"
                                       "00a76d73677061636b";
    uint8_t want[64];

    size_t want_size = hex_decode(empty, want, sizeof(want));
    size_t size = literal_envelope(0, MSGPACK_SAMPLE_BIN);
    CHECK_BYTES(want, want_size, buffer, size);
    want_size = hex_decode(empty_legacy, want, sizeof(want));
    size = literal_envelope(0, MSGPACK_SAMPLE_LEGACY);
    CHECK_BYTES(want, want_size, buffer, size);
    expect_hex_ok("94c4065068656c6c6f98cc9555cce8555c62ccdcccfd05a76d7367"
                  "7061636b",
                  ENVELOPE_DEPTH, 31);
}

/* The walk of these is measured: their sizes and headers are pinned. */
static void test_shapes_have_the_measured_headers(void **state)
{
    (void)state;
    static const size_t sizes[] = {90, 612, 24702};
    /* How many of its nine integers, the size included, have a width. */
    static const size_t wide_counts[] = {3, 7, 5};
    static const char *const tails[] = {
        "98 67 ccb4 cce8 27 ccd6 47 21 1b 40 a76d73677061636b",
        "98 cc87 47 06 cc88 ccac cc87 cc8b ccdb cd0400 a76d73677061636b",
        "98 ccba cc9b 7a 2d 4c cced ccf9 5c ce00010000 a76d73677061636b",
    };

    for (size_t i = 0; i < MSGPACK_SAMPLE_SHAPE_COUNT; i++) {
        uint8_t tail[64];
        size_t tail_size = hex_decode(tails[i], tail, sizeof(tail));
        size_t size = shaped_envelope(0, i, MSGPACK_SAMPLE_BIN);
        size_t wide_count = 0;

        CHECK_SIZE(sizes[i], size);
        CHECK_BYTES(tail, tail_size, buffer + size - tail_size, tail_size);
        for (size_t at = 1; at + 8 < tail_size;) {
            struct msgpack_head head;

            CHECK_ENUM(msgpack_fault_text, MSGPACK_OK,
                       msgpack_head_read(tail, tail_size, at, &head));
            wide_count += head.payload_size > 0;
            at += head.head_size + (size_t)head.payload_size;
        }
        CHECK_SIZE(wide_counts[i], wide_count);
    }
}

static void expect_every_cut_rejected(size_t size, size_t step)
{
    expect_ok(buffer, size, ENVELOPE_DEPTH, size);
    for (size_t cut = 0; cut < size; cut += step)
        if (walk_all(buffer, cut, ENVELOPE_DEPTH).error.fault == MSGPACK_OK)
            CHECK_FAIL("accepted when cut to %zu of %zu bytes", cut, size);
}

static void test_every_cut_is_rejected(void **state)
{
    (void)state;
    for (enum msgpack_sample_form form = MSGPACK_SAMPLE_BIN;
         form <= MSGPACK_SAMPLE_LEGACY; form++) {
        for (size_t i = 0; i < ARRAY_COUNT(literal); i++)
            expect_every_cut_rejected(literal_envelope(i, form), 1);
        expect_every_cut_rejected(shaped_envelope(0, 1, form), 1);
        expect_every_cut_rejected(shaped_envelope(0, 2, form), 97);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_envelopes_allocate_nothing),
        cmocka_unit_test(test_known_bytes),
        cmocka_unit_test(test_shapes_have_the_measured_headers),
        cmocka_unit_test(test_every_cut_is_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
