/* SPDX-License-Identifier: MIT */
/* LZ4 blocks: the published verdicts, and the one thing that liblz4 lets
 * pass, a match of offset 0. */
#include "envelope/envelope_block.h"
#include "envelope/tests/envelope_samples.h"

/* Room that ends at a guard page, so that a store past the capacity stops
 * the program; the block ends at one too. */
static bool decode(const uint8_t *bytes, size_t size, size_t capacity,
                   uint8_t *copy, size_t *produced)
{
    const uint8_t *block = guard_copy(bytes, size);
    uint8_t *out = guard_new(capacity);
    bool ok = envelope_block_decode(block, size, out, capacity, produced);

    if (ok && copy != NULL)
        memcpy(copy, out, *produced);
    guard_free(out, capacity);
    guard_free(block, size);
    return ok;
}

struct block_row {
    const char *hex;
    size_t capacity;
    const char *output; /* hex; NULL is a rejection */
};

static const struct block_row blocks[] = {
    {"", 0, NULL},
    {"", 5, NULL},
    {"00", 0, ""},
    {"00", 5, ""},
    {"0f", 5, ""}, /* the low nibble of the last token is nothing */
    {"1f41", 1, "41"},
    {"30616263", 20, "616263"},
    {"30616263", 3, "616263"},
    {"30616263", 2, NULL},
    {"50616263", 9, NULL},
    {"3061626358", 3, NULL},
    {"306162630100", 8, NULL},
    {"5041414141410100", 9, NULL},
    {"10410200504243444546", 10, NULL}, /* offset before the start */
    {"000100504243444546", 9, NULL},    /* nothing to copy yet */
    {"104101", 9, NULL},
    {"f0", 255, NULL},
    {"f0ffffffffffffffff", 1000, NULL},
    {"1f410100", 255, NULL},
    {"1f4101000050 4243444546", 25,
     "4141414141414141414141414141414141414141 4243444546"},
    {"f000 616161616161616161616161616161", 15,
     "616161616161616161616161616161"},
    {"204142020080 434445464748494a", 14, "414241424142434445464748494a"},
    {"314142430300704445464748 494a", 15, "4142434142434142 4445464748494a"},
};

static void test_blocks(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(blocks); i++) {
        uint8_t block[64], out[64], want[64];
        size_t size = hex_decode(blocks[i].hex, block, sizeof(block));
        size_t produced = 0;
        bool ok =
            decode(block, size, blocks[i].capacity,
                   blocks[i].capacity <= sizeof(out) ? out : NULL, &produced);

        CHECK_BOOL(blocks[i].output != NULL, ok);
        if (ok)
            CHECK_BYTES(want, hex_decode(blocks[i].output, want, sizeof(want)),
                        out, produced);
    }
}

/* Blocks that the table accepts and liblz4 rejects, because it holds them to
 * the end-of-block rules of the LZ4 format.  Known and wanted: no writer
 * makes them. */
static bool stricter_here(const char *name)
{
    static const char *const names[] = {
        "match then an empty last sequence",
        "match then 1 literal",
        "match then 4 literals",
        "match then 5 literals",
        "offset equals output position",
    };
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void check_verdict(struct json_object *row, size_t *differences)
{
    size_t size, produced, capacity = vector_u64(row, "capacity");
    uint8_t *block = vector_hex(row, "block_hex", &size);
    uint8_t *out = malloc(capacity + 1);
    bool want = json_object_get_boolean(vector_field(row, "ok"));
    bool ok = decode(block, size, capacity, out, &produced);

    assert_non_null(out);
    if (stricter_here(vector_text(row, "name"))) {
        CHECK_BOOL(true, want);
        CHECK_BOOL(false, ok);
        ++*differences;
    } else {
        CHECK_BOOL(want, ok);
    }
    if (ok) {
        size_t want_size;
        uint8_t *bytes = vector_hex(row, "output_hex", &want_size);
        CHECK_BYTES(bytes, want_size, out, produced);
        free(bytes);
    }
    free(out);
    free(block);
}

static void test_published_verdicts(void **state)
{
    (void)state;
    struct json_object *doc = testkit_vectors("cachekit/lz4-decoder.json");
    struct json_object *rows = vector_field(doc, "cases");
    size_t differences = 0;

    CHECK_SIZE(192, json_object_array_length(rows));
    for (size_t i = 0; i < 192; i++)
        check_verdict(json_object_array_get_idx(rows, i), &differences);
    CHECK_SIZE(5, differences);
    json_object_put(doc);
}

/* ---- offset 0 ---------------------------------------------------------- */

/* A block under construction, with what it decodes to if offset 0 writes
 * zeros, which is what liblz4 1.9.4 does. */
struct maker {
    uint8_t block[65536];
    size_t size;
    uint8_t out[131072];
    size_t out_size;
};

static void put_length(struct maker *m, size_t length)
{
    for (length -= 15; length >= 255; length -= 255)
        m->block[m->size++] = 255;
    m->block[m->size++] = (uint8_t)length;
}

static void put_literals(struct maker *m, size_t count, unsigned low_nibble,
                         uint8_t byte)
{
    m->block[m->size++] =
        (uint8_t)((count < 15 ? count : 15) << 4 | low_nibble);
    if (count >= 15)
        put_length(m, count);
    memset(m->block + m->size, byte, count);
    memset(m->out + m->out_size, byte, count);
    m->size += count;
    m->out_size += count;
}

static void put_sequence(struct maker *m, size_t literals, uint8_t byte,
                         unsigned offset, size_t match)
{
    put_literals(m, literals, match - 4 < 15 ? (unsigned)match - 4 : 15, byte);
    m->block[m->size++] = (uint8_t)offset;
    m->block[m->size++] = (uint8_t)(offset >> 8);
    if (match - 4 >= 15)
        put_length(m, match - 4);
    for (size_t i = 0; i < match; i++, m->out_size++)
        m->out[m->out_size] = offset != 0 ? m->out[m->out_size - offset] : 0;
}

/* The envelope of a made block has the checksum of what liblz4 makes of it,
 * so that only the offset can be what is wrong. */
static void check_made(struct maker *m, bool zero_offset)
{
    put_literals(m, 12, 0, 'z');
    struct envelope_view view = {.data = m->block,
                                 .data_size = m->size,
                                 .checksum =
                                     envelope_checksum(m->out, m->out_size),
                                 .original_size = (uint32_t)m->out_size};
    size_t room = envelope_encode_bound(m->size, 0), size;
    uint8_t *envelope = malloc(room);
    assert_non_null(envelope);

    CHECK_KIND(ENVELOPE_OK,
               envelope_encode(&view, envelope, room, &size, NULL));
    CHECK_BOOL(zero_offset,
               envelope_block_has_zero_offset(m->block, m->size, m->out_size));
    check_all_reads(zero_offset ? ENVELOPE_DECOMPRESSION_FAILED : ENVELOPE_OK,
                    envelope, size, NULL);
    free(envelope);
}

/* One zero offset after `before` sound sequences and before `after`. */
static void check_zero_offset_at(size_t before, size_t after, size_t literals,
                                 size_t match)
{
    struct maker *m = calloc(1, sizeof(*m));
    assert_non_null(m);

    put_sequence(m, 8, 'a', 1, 9);
    for (size_t i = 0; i < before; i++)
        put_sequence(m, i % 17, (uint8_t)('a' + i % 7), 1 + i % 8, 4 + i % 30);
    put_sequence(m, literals, 'k', 0, match);
    for (size_t i = 0; i < after; i++)
        put_sequence(m, i % 17, (uint8_t)('a' + i % 7), 1 + i % 8, 4 + i % 30);
    check_made(m, true);
    free(m);
}

static void test_offset_zero_never_succeeds(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 2, 3, 5, 40, 200};
    static const size_t literals[] = {0, 1, 14, 15, 16, 269, 270, 271, 600};
    static const size_t matches[] = {4, 8, 17, 18, 19, 20, 273, 274, 300};

    for (size_t b = 0; b < ARRAY_COUNT(counts); b++)
        for (size_t a = 0; a < ARRAY_COUNT(counts); a++)
            for (size_t l = 0; l < ARRAY_COUNT(literals); l++)
                for (size_t k = 0; k < ARRAY_COUNT(matches); k++)
                    check_zero_offset_at(counts[b], counts[a], literals[l],
                                         matches[k]);
}

/* The same in blocks that liblz4 decompresses; their envelopes are sound but
 * for the offset. */
static void test_offset_zero_of_long_blocks(void **state)
{
    (void)state;
    static const size_t places[] = {0, 1, 2, 3, 500, 1001, 1700, 1998, 1999};

    for (size_t i = 0; i < ARRAY_COUNT(places); i++)
        for (size_t literals = 0; literals < 40; literals += 13)
            for (size_t match = 4; match < 300; match += 49)
                check_zero_offset_at(places[i], 2000 - places[i], literals,
                                     match);
}

/* Two zero bytes that are no offset: literals, the high byte of an offset
 * with a length byte, length bytes, a token; alone and in runs. */
static void test_zero_bytes_elsewhere_are_fine(void **state)
{
    (void)state;
    for (size_t zeros = 1; zeros < 300; zeros += zeros < 40 ? 1 : 37) {
        struct maker *m = calloc(1, sizeof(*m));
        assert_non_null(m);
        put_sequence(m, 9, 'a', 1, 19);  /* 01 00 00 */
        put_sequence(m, 0, 'b', 2, 300); /* 00 02 00 */
        put_sequence(m, zeros, 0, 3, 4 + zeros % 40);
        put_sequence(m, 15, 0, 4, 19);          /* f? 00 00.. 04 00 00 */
        put_sequence(m, zeros % 15, 0, 256, 5); /* ..00 00 01 */
        check_made(m, false);
        free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_published_verdicts),
        cmocka_unit_test(test_offset_zero_never_succeeds),
        cmocka_unit_test(test_offset_zero_of_long_blocks),
        cmocka_unit_test(test_zero_bytes_elsewhere_are_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
