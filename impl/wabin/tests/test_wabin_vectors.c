/* SPDX-License-Identifier: MIT */
/* The published nodes: every way to encode, both decoders, every error. */
#include "wabin/tests/wabin_json.h"

#include "base/sink.h"
#include "wabin/reference/wabin_ref.h"

#define VECTORS "wabin/nodes.json"

typedef enum wabin_status marshal_fn(const struct wabin_node *node,
                                     struct wabin_buf *out,
                                     struct wabin_error *error);

static marshal_fn *const ways[] = {
    wabin_marshal_plain,
    wabin_marshal_auto,
    wabin_marshal_exact,
    wabin_marshal_into,
};

static enum status put_piece(void *ctx, const void *data, size_t size)
{
    return sink_put(ctx, data, size);
}

/* Every way gives the same bytes, or the same error and no bytes. */
static void check_encode(const struct wabin_node *node, const uint8_t *frame,
                         size_t frame_size, struct json_object *error)
{
    struct wabin_error found;
    struct wabin_buf out = {0};

    for (size_t i = 0; i < ARRAY_COUNT(ways); i++) {
        enum wabin_status status = ways[i](node, &out, &found);
        if (error != NULL) {
            CHECK_U64(found.status, status);
            check_error(error, &found);
        } else {
            CHECK_ENUM(wabin_status_name, WABIN_OK, status);
        }
        CHECK_BYTES(frame, frame_size, out.data, out.size);
    }
    wabin_buf_release(&out);
    if (error != NULL)
        return;
    uint8_t *room = malloc(frame_size);
    struct sink gathered = sink_init(room, frame_size);
    struct wabin_sink sink = {put_piece, &gathered};
    CHECK_ENUM(wabin_status_name, WABIN_OK,
               wabin_marshal_sink(node, &sink, &found));
    CHECK_BYTES(frame, frame_size, room, gathered.at);
    free(room);
}

/* Decode a guarded copy by all ways; the tree lives in doc and in *bytes. */
static enum wabin_status decode(struct wabin_doc *doc, const uint8_t *bytes,
                                size_t size, const struct wabin_node **root,
                                struct wabin_error *error)
{
    struct ref_node ref;
    struct wabin_error other;
    enum wabin_status expected =
        wabin_ref_decode(bytes, size, NULL, &ref, &other);
    enum wabin_status status = wabin_decode(doc, bytes, size, root, error);

    CHECK_ENUM(wabin_status_name, expected, status);
    if (status == WABIN_OK)
        CHECK_BOOL(true, wabin_ref_equal(&ref, *root));
    else
        CHECK_SIZE(other.at, error->at);
    wabin_ref_free(&ref, NULL);
    return status;
}

static void check_same_tree(const struct wabin_node *want,
                            const struct wabin_node *root)
{
    CHECK_BOOL(true, wabin_node_equal(want, root));
}

static void check_case(struct json_object *test)
{
    struct json_object *json = vector_field(test, "node"), *part;
    struct wabin_doc doc;
    const struct wabin_node *root, *node;
    struct wabin_error error;
    uint8_t *hex = NULL;
    size_t size = 0;

    wabin_doc_init(&doc, NULL);
    if (json_object_object_get_ex(test, "hex", &part))
        hex = vector_hex(test, "hex", &size);
    node = json != NULL ? json_node(&doc, json) : NULL;
    if (json_object_object_get_ex(test, "encode_error", &part)) {
        if (node != NULL)
            check_encode(node, NULL, 0, part);
        goto out;
    }
    const uint8_t *frame = guard_copy(hex, size);
    if (node != NULL)
        check_encode(node, frame, size, NULL);
    enum wabin_status status =
        decode(&doc, frame + 1, size - 1, &root, &error);
    if (json_object_object_get_ex(test, "decode_error", &part)) {
        check_error(part, &error);
    } else {
        CHECK_ENUM(wabin_status_name, WABIN_OK, status);
        if (json_object_object_get_ex(test, "decoded", &part))
            node = json_node(&doc, part);
        if (node != NULL)
            check_same_tree(node, root);
        else /* too deep for JSON readers: compare bytes */
            check_encode(root, frame, size, NULL);
    }
    guard_free(frame, size);
out:
    free(hex);
    wabin_doc_release(&doc);
}

static void test_encode(void **state)
{
    (void)state;
    struct json_object *all = testkit_vectors(VECTORS);
    struct json_object *cases = vector_field(all, "encode");

    for (size_t i = 0; i < json_object_array_length(cases); i++)
        check_case(json_object_array_get_idx(cases, i));
    CHECK_SIZE(150, json_object_array_length(cases));
    json_object_put(all);
}

static void test_decode_only(void **state)
{
    (void)state;
    struct json_object *all = testkit_vectors(VECTORS);
    struct json_object *cases = vector_field(all, "decode_only");
    struct wabin_doc doc;

    wabin_doc_init(&doc, NULL);
    for (size_t i = 0; i < json_object_array_length(cases); i++) {
        struct json_object *test = json_object_array_get_idx(cases, i);
        size_t size, frame_size;
        uint8_t *hex = vector_hex(test, "hex", &size);
        uint8_t *frame = vector_hex(test, "reencoded_frame", &frame_size);
        const uint8_t *in = guard_copy(hex, size);
        const struct wabin_node *root;
        struct wabin_error error;

        CHECK_ENUM(wabin_status_name, WABIN_OK,
                   decode(&doc, in, size, &root, &error));
        check_same_tree(json_node(&doc, vector_field(test, "decoded")), root);
        check_encode(root, frame, frame_size, NULL);
        wabin_doc_reset(&doc);
        guard_free(in, size);
        free(hex);
        free(frame);
    }
    wabin_doc_release(&doc);
    json_object_put(all);
}

static enum wabin_status enter(const char *entry, struct wabin_doc *doc,
                               const uint8_t *in, size_t size,
                               struct wabin_error *error)
{
    struct wabin_unpacker unpacker;
    struct wabin_buf out = {0};
    struct wabin_nodes nodes;
    const struct wabin_node *root;

    if (strcmp(entry, "node") == 0)
        return decode(doc, in, size, &root, error);
    if (strcmp(entry, "packed") == 0)
        return wabin_decode_frame(doc, in, size, &root, error);
    wabin_unpacker_init(&unpacker, WABIN_UNPACK_MAX, NULL);
    enum wabin_status status =
        wabin_unpack(&unpacker, in, size, &out, &nodes, error);
    wabin_unpacker_release(&unpacker);
    wabin_buf_release(&out);
    return status;
}

static void test_malformed(void **state)
{
    (void)state;
    struct json_object *all = testkit_vectors(VECTORS);
    struct json_object *cases = vector_field(all, "malformed"), *part;
    struct wabin_doc doc;

    wabin_doc_init(&doc, NULL);
    for (size_t i = 0; i < json_object_array_length(cases); i++) {
        struct json_object *test = json_object_array_get_idx(cases, i);
        size_t size;
        if (!json_object_object_get_ex(test, "hex", &part))
            continue; /* past the limit: see test_wabin_unpack.c */
        uint8_t *hex = vector_hex(test, "hex", &size);
        const uint8_t *in = guard_copy(hex, size);
        struct wabin_error error = {.status = WABIN_OK};

        enter(vector_text(test, "entry"), &doc, in, size, &error);
        check_error(vector_field(test, "error"), &error);
        wabin_doc_reset(&doc);
        guard_free(in, size);
        free(hex);
    }
    wabin_doc_release(&doc);
    json_object_put(all);
}

static void test_unpack(void **state)
{
    (void)state;
    struct json_object *all = testkit_vectors(VECTORS);
    struct json_object *cases = vector_field(all, "unpack"), *part;
    struct wabin_unpacker unpacker;
    struct wabin_buf out = {0};

    wabin_unpacker_init(&unpacker, WABIN_UNPACK_MAX, NULL);
    for (size_t i = 0; i < json_object_array_length(cases); i++) {
        struct json_object *test = json_object_array_get_idx(cases, i);
        size_t size, want_size;
        if (!json_object_object_get_ex(test, "hex", &part))
            continue; /* the limit: see test_wabin_unpack.c */
        uint8_t *hex = vector_hex(test, "hex", &size);
        uint8_t *want = vector_hex(test, "result_hex", &want_size);
        const uint8_t *in = guard_copy(hex, size);
        struct wabin_nodes nodes;
        struct wabin_error error;

        CHECK_ENUM(wabin_status_name, WABIN_OK,
                   wabin_unpack(&unpacker, in, size, &out, &nodes, &error));
        CHECK_BYTES(want, want_size, nodes.data, nodes.size);
        guard_free(in, size);
        free(want);
        free(hex);
    }
    wabin_unpacker_release(&unpacker);
    wabin_buf_release(&out);
    json_object_put(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_encode),
        cmocka_unit_test(test_decode_only),
        cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_unpack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
