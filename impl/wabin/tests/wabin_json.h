/* SPDX-License-Identifier: MIT */
/* Nodes, JIDs and errors as the published vectors write them. */
#ifndef WABIN_TESTS_WABIN_JSON_H
#define WABIN_TESTS_WABIN_JSON_H

#include "testkit/testkit.h"
#include "wabin/wabin.h"

#include <stdlib.h>

/** A JSON text with its size: NUL stays in it. */
static inline struct wabin_str json_str(struct json_object *text)
{
    return wabin_str(json_object_get_string(text),
                     (size_t)json_object_get_string_len(text));
}

static inline struct wabin_str field_str(struct json_object *object,
                                         const char *key)
{
    return json_str(vector_field(object, key));
}

static inline struct wabin_jid json_jid(struct json_object *jid)
{
    return (struct wabin_jid){
        .user = field_str(jid, "user"),
        .server = (uint8_t)wabin_server_find(field_str(jid, "server")),
        .agent = (uint8_t)vector_u64(jid, "agent"),
        .device = (uint16_t)vector_u64(jid, "device"),
        .integrator = (uint16_t)vector_u64(jid, "integrator"),
    };
}

static inline void check_jid(struct json_object *expected,
                             const struct wabin_jid *jid)
{
    struct wabin_jid want = json_jid(expected);

    CHECK_BYTES(want.user.data, want.user.size, jid->user.data,
                jid->user.size);
    CHECK_U64(want.server, jid->server);
    CHECK_U64(want.agent, jid->agent);
    CHECK_U64(want.device, jid->device);
    CHECK_U64(want.integrator, jid->integrator);
}

static inline void fill_node(struct wabin_doc *doc, struct wabin_node *node,
                             struct json_object *json);

static inline void fill_content(struct wabin_doc *doc, struct wabin_node *node,
                                struct json_object *content)
{
    struct json_object *part;

    if (json_object_object_get_ex(content, "bytes", &part)) {
        size_t size;
        uint8_t *data = vector_hex(content, "bytes", &size);
        struct wabin_str copy;
        assert_true(wabin_doc_copy(doc, wabin_str((char *)data, size), &copy));
        wabin_set_bytes(node, copy.data, copy.size);
        free(data);
    } else if (json_object_object_get_ex(content, "text", &part)) {
        wabin_set_text(node, json_str(part));
    } else {
        part = vector_field(content, "nodes");
        size_t count = json_object_array_length(part);
        wabin_set_nodes(node, NULL, 0);
        if (count == 0)
            return;
        struct wabin_node *list = wabin_new_children(doc, node, count);
        assert_non_null(list);
        for (size_t i = 0; i < count; i++)
            fill_node(doc, &list[i], json_object_array_get_idx(part, i));
    }
}

static inline void fill_node(struct wabin_doc *doc, struct wabin_node *node,
                             struct json_object *json)
{
    struct json_object *attrs = vector_field(json, "attrs");
    struct json_object *content = vector_field(json, "content");

    node->tag = field_str(json, "tag");
    for (size_t i = 0; i < json_object_array_length(attrs); i++) {
        struct json_object *pair = json_object_array_get_idx(attrs, i);
        struct json_object *value = json_object_array_get_idx(pair, 1);
        assert_true(wabin_push_attr(
            doc, node, json_str(json_object_array_get_idx(pair, 0)),
            json_object_is_type(value, json_type_object)
                ? wabin_value_jid(json_jid(vector_field(value, "jid")))
                : wabin_value_text(json_str(value))));
    }
    if (content != NULL)
        fill_content(doc, node, content);
}

/** The tree of a JSON node, borrowing its texts. */
static inline struct wabin_node *json_node(struct wabin_doc *doc,
                                           struct json_object *json)
{
    struct wabin_node *node = wabin_node_new(doc, WABIN_STR(""));
    assert_non_null(node);
    fill_node(doc, node, json);
    return node;
}

static inline void check_argument(struct json_object *arg,
                                  const struct wabin_error *error)
{
    char text[512];
    size_t size = wabin_error_argument(error, text, sizeof(text));
    struct json_object *part;
    struct wabin_str want;

    if (arg == NULL) {
        CHECK_SIZE(0, size);
        return;
    }
    if (json_object_object_get_ex(arg, "valid_up_to", &part)) {
        CHECK_U64(json_object_get_uint64(part), error->number);
        part = vector_field(arg, "error_len");
        CHECK_U64(part != NULL ? json_object_get_uint64(part) : 0,
                  error->length);
        return;
    }
    if (json_object_is_type(arg, json_type_int)) {
        CHECK_U64(json_object_get_uint64(arg), error->number);
        return;
    }
    if (json_object_object_get_ex(arg, "Parse", &part))
        CHECK_BOOL(true, error->cause == WABIN_CAUSE_DEVICE);
    else if (!json_object_object_get_ex(arg, "InvalidFormat", &part))
        part = arg;
    want = json_str(part);
    CHECK_BYTES(want.data, want.size, text, size);
}

/** An error as {kind, arg, text}; a list has a list of them as arg. */
static inline void check_error(struct json_object *expected,
                               const struct wabin_error *error)
{
    struct json_object *arg = vector_field(expected, "arg");
    struct wabin_str want = field_str(expected, "text");
    char text[4096];
    size_t size = wabin_error_text(error, text, sizeof(text));

    CHECK_STR(vector_text(expected, "kind"), wabin_status_name(error->status));
    CHECK_BYTES(want.data, want.size, text, size);
    if (!json_object_is_type(arg, json_type_array)) {
        check_argument(arg, error);
        return;
    }
    CHECK_SIZE(json_object_array_length(arg), error->list_count);
    for (size_t i = 0; i < error->list_count; i++)
        check_error(json_object_array_get_idx(arg, i), &error->list[i]);
}

#endif
