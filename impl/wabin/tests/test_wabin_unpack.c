/* SPDX-License-Identifier: MIT */
/* Frames: the format byte, inflating with its limits, and shared frames. */
#include "testkit/testkit.h"
#include "wabin/sample/wabin_sample.h"
#include "wabin/wabin.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

/* A compressed frame of size bytes, all of one value; for free(). */
static uint8_t *compressed(const uint8_t *bytes, size_t size,
                           size_t *frame_size)
{
    uLongf bound = compressBound(size);
    uint8_t *frame = malloc(bound + 1);

    assert_non_null(frame);
    frame[0] = 2;
    assert_int_equal(Z_OK, compress(frame + 1, &bound, bytes, size));
    *frame_size = bound + 1;
    return frame;
}

/* Unpack a guarded copy; the result is in out or in the frame. */
static enum wabin_status unpack(struct wabin_unpacker *unpacker,
                                const uint8_t *frame, size_t size,
                                struct wabin_buf *out, char *message)
{
    const uint8_t *in = guard_copy(frame, size);
    struct wabin_nodes nodes = {0};
    struct wabin_error error = {.status = WABIN_OK};
    enum wabin_status status =
        wabin_unpack(unpacker, in, size, out, &nodes, &error);

    if (status != WABIN_OK) {
        CHECK_SIZE(0, out->size);
        assert_null(nodes.data);
        wabin_error_text(&error, message, 128);
    } else if (frame[0] & 2) {
        CHECK_BYTES(out->data, out->size, nodes.data, nodes.size);
    } else {
        CHECK_BOOL(true, nodes.data == in + 1);
        CHECK_SIZE(size - 1, nodes.size);
    }
    guard_free(in, size);
    return status;
}

static void test_plain_frames_are_views(void **state)
{
    (void)state;
    static const uint8_t flags[] = {0x00, 0x01, 0xfd, 0x04};
    struct wabin_unpacker unpacker;
    struct wabin_buf out = {0};
    char message[128];

    wabin_unpacker_init(&unpacker, WABIN_UNPACK_MAX, NULL);
    for (size_t i = 0; i < sizeof(flags); i++) {
        uint8_t frame[] = {flags[i], 0xf8, 0x01, 0x13};
        for (size_t size = 1; size <= sizeof(frame); size++)
            CHECK_ENUM(wabin_status_name, WABIN_OK,
                       unpack(&unpacker, frame, size, &out, message));
    }
    CHECK_ENUM(wabin_status_name, WABIN_EMPTY_DATA,
               unpack(&unpacker, NULL, 0, &out, message));
    assert_null(unpacker.inflate); /* nothing was set up for these */
    assert_null(out.data);
    wabin_unpacker_release(&unpacker);
}

static void test_compressed_frames(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"0278dafbc1280c000300010d", "f80113"},
        {"ff78dafbc1280c000300010d", "f80113"},
        {"0278dafbc1280c000300010ddeadbeef", "f80113"},
        {"027801010300fcfff801130300010d", "f80113"},
        {"0278da030000000001", ""},
    };
    struct wabin_unpacker unpacker;
    struct wabin_buf out = {0};
    char message[128];

    wabin_unpacker_init(&unpacker, WABIN_UNPACK_MAX, NULL);
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        uint8_t frame[64], want[8];
        size_t size = hex_decode(rows[i][0], frame, sizeof(frame));
        size_t want_size = hex_decode(rows[i][1], want, sizeof(want));
        CHECK_ENUM(wabin_status_name, WABIN_OK,
                   unpack(&unpacker, frame, size, &out, message));
        CHECK_BYTES(want, want_size, out.data, out.size);
    }
    wabin_buf_release(&out);
    wabin_unpacker_release(&unpacker);
}

#define ZLIB "Zlib decompression error: "

static void test_bad_streams(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"02", ZLIB "zlib stream truncated (no progress)"},
        {"0278", ZLIB "zlib stream truncated (no progress)"},
        {"02ffff", ZLIB "data error"},
        {"02789cfbc128fc835c", ZLIB "zlib stream truncated (no progress)"},
        {"02789cfbc1280c000300010c", ZLIB "data error"},
        {"02789cfbc1280c00", ZLIB "zlib stream truncated (no progress)"},
        {"0278f9081e0256fbc1280c000300010d", ZLIB "need dictionary"},
        {"02789c07000000", ZLIB "data error"},
        {"02fbc1280c00", ZLIB "data error"},
    };
    struct wabin_unpacker unpacker;
    struct wabin_buf out = {0};
    char message[128] = "";

    wabin_unpacker_init(&unpacker, WABIN_UNPACK_MAX, NULL);
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        uint8_t frame[64];
        size_t size = hex_decode(rows[i][0], frame, sizeof(frame));
        CHECK_ENUM(wabin_status_name, WABIN_ZLIB,
                   unpack(&unpacker, frame, size, &out, message));
        CHECK_STR(rows[i][1], message);
    }
    wabin_buf_release(&out);
    wabin_unpacker_release(&unpacker);
}

/* Exactly the limit passes, one byte more does not, whatever comes after. */
static void check_limit(size_t limit)
{
    uint8_t *zeroes = calloc(limit + 1, 1);
    struct alloc_probe probe = {0};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct wabin_unpacker unpacker;
    struct wabin_buf out = {.alloc = &alloc};
    char message[128] = "", want[128];
    size_t size;

    wabin_unpacker_init(&unpacker, limit, &alloc);
    uint8_t *frame = compressed(zeroes, limit, &size);
    CHECK_ENUM(wabin_status_name, WABIN_OK,
               unpack(&unpacker, frame, size, &out, message));
    CHECK_BYTES(zeroes, limit, out.data, out.size);
    free(frame);
    frame = compressed(zeroes, limit + 1, &size);
    frame[size - 1] ^= 1; /* the checksum behind it is wrong as well */
    CHECK_ENUM(wabin_status_name, WABIN_ZLIB,
               unpack(&unpacker, frame, size, &out, message));
    snprintf(want, sizeof(want), ZLIB "decompressed payload exceeds %zu bytes",
             limit);
    CHECK_STR(want, message);
    if (out.capacity > limit + 1)
        CHECK_FAIL("%zu bytes held for a limit of %zu", out.capacity, limit);
    free(frame);
    free(zeroes);
    wabin_buf_release(&out);
    wabin_unpacker_release(&unpacker);
    CHECK_SIZE(0, probe.live_count);
}

static void test_limits(void **state)
{
    (void)state;
    check_limit(1);
    check_limit(4095);
    check_limit(4096);
    check_limit(4097);
    check_limit(100000);
    check_limit(WABIN_UNPACK_MAX);
}

/* The state is set up once; from then on only the output may grow. */
static void test_state_is_kept(void **state)
{
    (void)state;
    struct alloc_probe probe = {0};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct wabin_unpacker unpacker;
    struct wabin_buf out = {.alloc = &alloc};
    static const uint8_t bytes[3000] = {1};
    char message[128];
    size_t size;
    uint8_t *frame = compressed(bytes, sizeof(bytes), &size);

    wabin_unpacker_init(&unpacker, WABIN_UNPACK_MAX, &alloc);
    CHECK_ENUM(wabin_status_name, WABIN_OK,
               unpack(&unpacker, frame, size, &out, message));
    size_t calls = probe.calls;
    struct wabin_unpacker moved = unpacker;
    for (int i = 0; i < 10; i++) {
        size_t cut = i % 2 == 0 ? size : size / 2;
        CHECK_ENUM(wabin_status_name, i % 2 == 0 ? WABIN_OK : WABIN_ZLIB,
                   unpack(&moved, frame, cut, &out, message));
    }
    CHECK_SIZE(calls, probe.calls);
    wabin_buf_release(&out);
    wabin_unpacker_release(&moved);
    CHECK_SIZE(0, probe.live_count);
    free(frame);
}

static void test_every_allocation_failing_in_turn(void **state)
{
    (void)state;
    static const uint8_t bytes[20000];
    size_t size;
    uint8_t *frame = compressed(bytes, sizeof(bytes), &size);

    for (size_t k = 1;; k++) {
        struct alloc_probe probe = {.fail_at = k};
        struct alloc alloc = alloc_probe_alloc(&probe);
        struct wabin_unpacker unpacker;
        struct wabin_buf out = {.alloc = &alloc};
        char message[128] = "";
        wabin_unpacker_init(&unpacker, WABIN_UNPACK_MAX, &alloc);
        enum wabin_status status =
            unpack(&unpacker, frame, size, &out, message);
        wabin_buf_release(&out);
        wabin_unpacker_release(&unpacker);
        CHECK_SIZE(0, probe.live_count);
        if (probe.calls < k) {
            CHECK_ENUM(wabin_status_name, WABIN_OK, status);
            break;
        }
        CHECK_ENUM(wabin_status_name, WABIN_ZLIB, status);
        CHECK_STR(ZLIB "insufficient memory", message);
    }
    free(frame);
}

static void test_pack(void **state)
{
    (void)state;
    struct wabin_buf out = {0};

    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_pack((const uint8_t *)"\xf8\x01\x13", 3, &out));
    CHECK_BYTES("\0\xf8\x01\x13", 4, out.data, out.size);
    CHECK_ENUM(wabin_status_name, WABIN_OK, wabin_pack(NULL, 0, &out));
    CHECK_BYTES("\0", 1, out.data, out.size);
    wabin_buf_release(&out);
}

/* ---- shared frames ----------------------------------------------------- */

static struct wabin_buf sample_nodes(const struct alloc *alloc)
{
    struct wabin_buf frame = {.alloc = alloc};
    struct wabin_doc doc;

    wabin_doc_init(&doc, NULL);
    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_marshal_plain(
                   wabin_sample_tree(&doc, WABIN_SAMPLE_LONG_STRING, 0),
                   &frame, NULL));
    wabin_doc_release(&doc);
    frame.size--;
    memmove(frame.data, frame.data + 1, frame.size);
    return frame;
}

static void test_frames_are_kept_by_their_holders(void **state)
{
    (void)state;
    struct alloc_probe probe = {0};
    struct alloc alloc = alloc_probe_alloc(&probe);
    struct wabin_doc_options options = {.alloc = &alloc};
    struct wabin_buf bytes = sample_nodes(&alloc), packed = {0};
    const uint8_t *data = bytes.data;
    size_t size = bytes.size;
    struct wabin_frame *frame = NULL;

    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_frame_new(&bytes, &options, &frame, NULL));
    assert_null(bytes.data);
    CHECK_BOOL(true, wabin_frame_bytes(frame).data == data);
    CHECK_SIZE(size, wabin_frame_bytes(frame).size);
    struct wabin_str content = wabin_content_bytes(wabin_frame_root(frame));
    CHECK_SIZE(539, content.size);
    struct wabin_slice slice = wabin_frame_share(frame, content);
    CHECK_BOOL(true, slice.bytes.data == (const uint8_t *)content.data);
    CHECK_ENUM(wabin_status_name, WABIN_OK, wabin_pack(data, size, &packed));
    CHECK_SIZE(568, packed.size);
    wabin_frame_release(wabin_frame_hold(frame));
    wabin_frame_release(frame);
    CHECK_BYTES("Lorem", 5, slice.bytes.data, 5); /* still there */
    wabin_slice_release(&slice);
    CHECK_SIZE(0, probe.live_count);
    wabin_buf_release(&packed);
    wabin_frame_release(NULL);
}

static void test_bad_frames_stay_the_callers(void **state)
{
    (void)state;
    struct wabin_buf bytes = sample_nodes(NULL);
    struct wabin_frame *frame = NULL;
    struct wabin_error error;

    bytes.size--;
    CHECK_ENUM(wabin_status_name, WABIN_EOF,
               wabin_frame_new(&bytes, NULL, &frame, &error));
    assert_null(frame);
    assert_non_null(bytes.data);
    wabin_buf_release(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_frames_are_views),
        cmocka_unit_test(test_compressed_frames),
        cmocka_unit_test(test_bad_streams),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_state_is_kept),
        cmocka_unit_test(test_every_allocation_failing_in_turn),
        cmocka_unit_test(test_pack),
        cmocka_unit_test(test_frames_are_kept_by_their_holders),
        cmocka_unit_test(test_bad_frames_stay_the_callers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
