/* SPDX-License-Identifier: MIT */
/* The published JIDs and attribute scripts. */
#include "wabin/tests/wabin_json.h"

#include <inttypes.h>
#include <stdio.h>

#define VECTORS "wabin/nodes.json"

static void check_form(struct json_object *test, const char *key,
                       const struct wabin_jid *jid, enum wabin_jid_form form)
{
    struct wabin_str want = field_str(test, key);
    char text[256];
    size_t size = wabin_jid_format(jid, form, text, sizeof(text));

    CHECK_BYTES(want.data, want.size, text, size);
    if (form == WABIN_JID_FULL)
        CHECK_BOOL(true, wabin_jid_is_text(jid, want));
}

static void test_jid_parse(void **state)
{
    (void)state;
    struct json_object *all = testkit_vectors(VECTORS);
    struct json_object *cases = vector_field(all, "jid_parse"), *part;

    for (size_t i = 0; i < json_object_array_length(cases); i++) {
        struct json_object *test = json_object_array_get_idx(cases, i);
        struct wabin_str text = field_str(test, "text");
        struct wabin_jid jid, scanned;
        struct wabin_error error;
        enum wabin_status status = wabin_jid_parse(text, &jid, &error);

        if (json_object_object_get_ex(test, "error", &part)) {
            CHECK_ENUM(wabin_status_name, WABIN_BAD_JID, status);
            check_error(part, &error);
            CHECK_BOOL(false, wabin_jid_scan(text, &scanned));
            continue;
        }
        CHECK_ENUM(wabin_status_name, WABIN_OK, status);
        check_jid(vector_field(test, "jid"), &jid);
        check_form(test, "rendered", &jid, WABIN_JID_FULL);
        check_form(test, "non_ad", &jid, WABIN_JID_NON_AD);
        CHECK_BOOL(
            json_object_get_boolean(vector_field(test, "borrowed_parse")),
            wabin_jid_scan(text, &scanned));
    }
    CHECK_SIZE(70, json_object_array_length(cases));
    json_object_put(all);
}

static void test_jid_format(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool (*is)(const struct wabin_jid *jid);
    } predicates[] = {
        {"is_ad", wabin_jid_is_ad},
        {"is_interop", wabin_jid_is_interop},
        {"is_messenger", wabin_jid_is_messenger},
        {"is_group", wabin_jid_is_group},
        {"is_broadcast_list", wabin_jid_is_broadcast_list},
        {"is_status_broadcast", wabin_jid_is_status_broadcast},
        {"is_psa", wabin_jid_is_psa},
        {"is_bot", wabin_jid_is_bot},
        {"is_newsletter", wabin_jid_is_newsletter},
        {"is_hosted", wabin_jid_is_hosted},
        {"is_empty", wabin_jid_is_empty},
    };
    struct json_object *all = testkit_vectors(VECTORS);
    struct json_object *cases = vector_field(all, "jid_format");

    for (size_t i = 0; i < json_object_array_length(cases); i++) {
        struct json_object *test = json_object_array_get_idx(cases, i);
        struct json_object *flags = vector_field(test, "predicates");
        struct wabin_jid jid = json_jid(vector_field(test, "jid"));

        check_form(test, "rendered", &jid, WABIN_JID_FULL);
        check_form(test, "non_ad", &jid, WABIN_JID_NON_AD);
        check_form(test, "phash_form", &jid, WABIN_JID_PARTICIPANT);
        CHECK_SIZE(ARRAY_COUNT(predicates),
                   (size_t)json_object_object_length(flags));
        for (size_t k = 0; k < ARRAY_COUNT(predicates); k++)
            CHECK_BOOL(json_object_get_boolean(
                           vector_field(flags, predicates[k].name)),
                       predicates[k].is(&jid));
    }
    CHECK_SIZE(25, json_object_array_length(cases));
    json_object_put(all);
}

/* ---- attribute scripts ------------------------------------------------- */

/** One call of a script and what it must give. */
struct call {
    struct wabin_attrs *attrs;
    struct wabin_str key;
    struct json_object *result;
};

static void check_status_result(const struct call *c, enum wabin_status status,
                                const struct wabin_error *error)
{
    CHECK_U64(error->status, status);
    check_error(c->result, error);
}

static void call_string(const struct call *c, bool required)
{
    struct wabin_str text, want;
    struct wabin_error error;

    if (required) {
        enum wabin_status status =
            wabin_attrs_required_string(c->attrs, c->key, &text, &error);
        if (status != WABIN_OK) {
            check_status_result(c, status, &error);
            return;
        }
    } else {
        text = wabin_attrs_optional_string(c->attrs, c->key);
    }
    CHECK_BOOL(c->result != NULL, text.data != NULL);
    if (c->result == NULL)
        return;
    want = json_str(c->result);
    CHECK_BYTES(want.data, want.size, text.data, text.size);
}

static void call_jid(const struct call *c, const char *name)
{
    struct wabin_jid jid;
    struct wabin_error error;

    if (strcmp(name, "required_jid") == 0) {
        enum wabin_status status =
            wabin_attrs_required_jid(c->attrs, c->key, &jid, &error);
        if (status != WABIN_OK) {
            check_status_result(c, status, &error);
            return;
        }
    } else if (strcmp(name, "optional_jid") == 0) {
        bool found = wabin_attrs_optional_jid(c->attrs, c->key, &jid);
        CHECK_BOOL(c->result != NULL, found);
        if (!found)
            return;
    } else if (strcmp(name, "jid") == 0) {
        jid = wabin_attrs_jid(c->attrs, c->key);
    } else {
        jid = wabin_attrs_non_ad_jid(c->attrs, c->key);
    }
    check_jid(c->result, &jid);
}

static void call_bool(const struct call *c, const char *name)
{
    bool truth = false;

    if (strcmp(name, "optional_bool_value") == 0) {
        bool found = wabin_attrs_optional_bool_value(c->attrs, c->key, &truth);
        CHECK_BOOL(c->result != NULL, found);
    } else if (strcmp(name, "optional_bool") == 0) {
        truth = wabin_attrs_optional_bool(c->attrs, c->key);
    } else {
        truth = wabin_attrs_bool(c->attrs, c->key);
    }
    if (c->result != NULL)
        CHECK_BOOL(json_object_get_boolean(c->result), truth);
}

static void call_number(const struct call *c, const char *name)
{
    char text[32] = "";
    uint64_t number;
    int64_t time;

    if (strcmp(name, "optional_u64") == 0) {
        if (wabin_attrs_optional_u64(c->attrs, c->key, &number))
            snprintf(text, sizeof(text), "%" PRIu64, number);
    } else if (strcmp(name, "optional_unix_time") == 0) {
        if (wabin_attrs_optional_unix_time(c->attrs, c->key, &time))
            snprintf(text, sizeof(text), "%" PRId64, time);
    } else {
        time = wabin_attrs_unix_time(c->attrs, c->key);
        snprintf(text, sizeof(text), "%" PRId64, time);
    }
    CHECK_STR(c->result != NULL ? json_object_get_string(c->result) : "",
              text);
}

static void do_call(const struct call *c, const char *name)
{
    struct wabin_error error = {.status = WABIN_OK};

    if (strcmp(name, "ok") == 0)
        CHECK_BOOL(json_object_get_boolean(c->result),
                   wabin_attrs_ok(c->attrs));
    else if (strcmp(name, "finish") == 0) {
        enum wabin_status status = wabin_attrs_finish(c->attrs, &error);
        if (json_object_is_type(c->result, json_type_string))
            CHECK_ENUM(wabin_status_name, WABIN_OK, status);
        else
            check_status_result(c, status, &error);
    } else if (strstr(name, "string") != NULL)
        call_string(c, name[0] == 'r');
    else if (strstr(name, "jid") != NULL)
        call_jid(c, name);
    else if (strstr(name, "bool") != NULL)
        call_bool(c, name);
    else
        call_number(c, name);
}

static void test_attr_parser(void **state)
{
    (void)state;
    struct json_object *all = testkit_vectors(VECTORS);
    struct json_object *cases = vector_field(all, "attr_parser");
    struct wabin_doc doc;

    wabin_doc_init(&doc, NULL);
    for (size_t i = 0; i < json_object_array_length(cases); i++) {
        struct json_object *test = json_object_array_get_idx(cases, i);
        struct json_object *calls = vector_field(test, "calls");
        struct wabin_attrs attrs =
            wabin_attrs(json_node(&doc, vector_field(test, "node")), &doc,
                        strcmp(vector_text(test, "parser"), "owned") == 0
                            ? WABIN_OWNED
                            : WABIN_BORROWED);

        for (size_t k = 0; k < json_object_array_length(calls); k++) {
            struct json_object *row = json_object_array_get_idx(calls, k);
            struct json_object *key = vector_field(row, "key");
            struct call c = {
                .attrs = &attrs,
                .key = key != NULL ? json_str(key) : WABIN_STR(""),
                .result = vector_field(row, "result"),
            };
            do_call(&c, vector_text(row, "call"));
        }
    }
    wabin_doc_release(&doc);
    json_object_put(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jid_parse),
        cmocka_unit_test(test_jid_format),
        cmocka_unit_test(test_attr_parser),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
