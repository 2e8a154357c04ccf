/* SPDX-License-Identifier: MIT */
/* The attribute parser. */
#include "wabin/wabin_attrs.h"

#include "wabin/wabin_build.h"
#include "wabin/wabin_number.h"

#define ERRORS_MIN 8

/* ---- errors ------------------------------------------------------------ */

static COLD void collect(struct wabin_attrs *attrs,
                         const struct wabin_error *error)
{
    if (attrs->count == attrs->capacity) {
        size_t capacity =
            attrs->capacity == 0 ? ERRORS_MIN : 2 * attrs->capacity;
        struct wabin_error *errors =
            wabin_doc_take(attrs->doc, capacity * sizeof(*errors));
        if (errors == NULL) {
            attrs->no_memory = true;
            return;
        }
        if (attrs->count != 0)
            memcpy(errors, attrs->errors, attrs->count * sizeof(*errors));
        attrs->errors = errors;
        attrs->capacity = capacity;
    }
    attrs->errors[attrs->count++] = *error;
}

static COLD void collect_value(struct wabin_attrs *attrs,
                               enum wabin_cause cause, struct wabin_str key,
                               struct wabin_str text,
                               enum wabin_number_fault fault)
{
    struct wabin_error error = {
        .status = WABIN_ATTR_PARSE,
        .cause = cause,
        .fault = fault,
        .key = key,
        .text = text,
    };
    collect(attrs, &error);
}

static COLD void collect_missing(struct wabin_attrs *attrs,
                                 struct wabin_str key)
{
    collect_value(attrs, WABIN_CAUSE_REQUIRED, key, (struct wabin_str){0},
                  WABIN_NUMBER_OK);
}

static COLD void collect_jid(struct wabin_attrs *attrs, struct wabin_str text,
                             struct wabin_error *error)
{
    if (attrs->tree == WABIN_BORROWED) {
        collect_value(attrs, WABIN_CAUSE_JID_VALUE, (struct wabin_str){0},
                      text, WABIN_NUMBER_OK);
        return;
    }
    error->relayed = true;
    collect(attrs, error);
}

static COLD enum wabin_status missing(struct wabin_str key,
                                      struct wabin_error *error)
{
    if (error != NULL)
        *error =
            (struct wabin_error){.status = WABIN_MISSING_ATTR, .key = key};
    return WABIN_MISSING_ATTR;
}

enum wabin_status wabin_attrs_finish(const struct wabin_attrs *attrs,
                                     struct wabin_error *error)
{
    struct wabin_error found = {
        .status = attrs->no_memory ? WABIN_NO_MEMORY : WABIN_ATTR_LIST,
        .list = attrs->errors,
        .list_count = attrs->count,
    };

    if (wabin_attrs_ok(attrs))
        return WABIN_OK;
    if (error != NULL)
        *error = found;
    return found.status;
}

/* ---- text -------------------------------------------------------------- */

struct wabin_str wabin_attrs_optional_string(struct wabin_attrs *attrs,
                                             struct wabin_str key)
{
    const struct wabin_value *value = wabin_get_attr(attrs->node, key);
    struct wabin_str text;

    if (value == NULL)
        return (struct wabin_str){0};
    text = wabin_value_as_text(attrs->doc, value);
    if (text.data == NULL)
        attrs->no_memory = true;
    return text;
}

enum wabin_status wabin_attrs_required_string(struct wabin_attrs *attrs,
                                              struct wabin_str key,
                                              struct wabin_str *text,
                                              struct wabin_error *error)
{
    struct wabin_str found = wabin_attrs_optional_string(attrs, key);

    if (found.data == NULL)
        return attrs->no_memory ? wabin_attrs_finish(attrs, error)
                                : missing(key, error);
    *text = found;
    return WABIN_OK;
}

/* ---- JIDs -------------------------------------------------------------- */

static enum wabin_status value_jid(const struct wabin_value *value,
                                   struct wabin_jid *jid,
                                   struct wabin_error *error)
{
    if (value->kind == WABIN_VALUE_TEXT)
        return wabin_jid_parse(value->text, jid, error);
    *jid = wabin_value_get_jid(value);
    return WABIN_OK;
}

bool wabin_attrs_optional_jid(struct wabin_attrs *attrs, struct wabin_str key,
                              struct wabin_jid *jid)
{
    const struct wabin_value *value = wabin_get_attr(attrs->node, key);
    struct wabin_error error;

    if (value == NULL)
        return false;
    if (value_jid(value, jid, &error) == WABIN_OK)
        return true;
    collect_jid(attrs, value->text, &error);
    return false;
}

enum wabin_status wabin_attrs_optional_jid_result(struct wabin_attrs *attrs,
                                                  struct wabin_str key,
                                                  bool *present,
                                                  struct wabin_jid *jid,
                                                  struct wabin_error *error)
{
    const struct wabin_value *value = wabin_get_attr(attrs->node, key);

    *present = value != NULL;
    return value != NULL ? value_jid(value, jid, error) : WABIN_OK;
}

enum wabin_status wabin_attrs_required_jid(struct wabin_attrs *attrs,
                                           struct wabin_str key,
                                           struct wabin_jid *jid,
                                           struct wabin_error *error)
{
    bool present;
    enum wabin_status status =
        wabin_attrs_optional_jid_result(attrs, key, &present, jid, error);
    return present ? status : missing(key, error);
}

struct wabin_jid wabin_attrs_jid(struct wabin_attrs *attrs,
                                 struct wabin_str key)
{
    struct wabin_jid jid;

    if (wabin_get_attr(attrs->node, key) == NULL)
        collect_missing(attrs, key);
    else if (wabin_attrs_optional_jid(attrs, key, &jid))
        return jid;
    return (struct wabin_jid){.user = WABIN_STR("")};
}

struct wabin_jid wabin_attrs_non_ad_jid(struct wabin_attrs *attrs,
                                        struct wabin_str key)
{
    return wabin_jid_non_ad(wabin_attrs_jid(attrs, key));
}

/* ---- truth values ------------------------------------------------------ */

static bool is_one_of(struct wabin_str text, const struct wabin_str words[6])
{
    for (size_t i = 0; i < 6; i++)
        if (wabin_str_equal(words[i], text))
            return true;
    return false;
}

bool wabin_attrs_optional_bool_value(struct wabin_attrs *attrs,
                                     struct wabin_str key, bool *truth)
{
    static const struct wabin_str yes[6] = {
        {"1", 1}, {"t", 1}, {"T", 1}, {"true", 4}, {"True", 4}, {"TRUE", 4}};
    static const struct wabin_str no[6] = {{"0", 1},     {"f", 1},
                                           {"F", 1},     {"false", 5},
                                           {"False", 5}, {"FALSE", 5}};
    struct wabin_str text = wabin_attrs_optional_string(attrs, key);

    if (text.data == NULL)
        return false;
    bool is_true = is_one_of(text, yes);
    if (!is_true && !is_one_of(text, no)) {
        collect_value(attrs, WABIN_CAUSE_BOOL, key, text, WABIN_NUMBER_OK);
        return false;
    }
    *truth = is_true;
    return true;
}

bool wabin_attrs_optional_bool(struct wabin_attrs *attrs, struct wabin_str key)
{
    bool truth;
    return wabin_attrs_optional_bool_value(attrs, key, &truth) && truth;
}

bool wabin_attrs_bool(struct wabin_attrs *attrs, struct wabin_str key)
{
    if (wabin_get_attr(attrs->node, key) == NULL)
        collect_missing(attrs, key);
    return wabin_attrs_optional_bool(attrs, key);
}

/* ---- numbers ----------------------------------------------------------- */

bool wabin_attrs_optional_u64(struct wabin_attrs *attrs, struct wabin_str key,
                              uint64_t *number)
{
    struct wabin_str text = wabin_attrs_optional_string(attrs, key);

    if (text.data == NULL)
        return false;
    enum wabin_number_fault fault = wabin_parse_u64(text, UINT64_MAX, number);
    if (fault == WABIN_NUMBER_OK)
        return true;
    collect_value(attrs, WABIN_CAUSE_U64, key, text, fault);
    return false;
}

bool wabin_attrs_optional_unix_time(struct wabin_attrs *attrs,
                                    struct wabin_str key, int64_t *seconds)
{
    struct wabin_str text = wabin_attrs_optional_string(attrs, key);

    if (text.data == NULL)
        return false;
    enum wabin_number_fault fault = wabin_parse_i64(text, seconds);
    if (fault == WABIN_NUMBER_OK)
        return true;
    collect_value(attrs, WABIN_CAUSE_I64, key, text, fault);
    return false;
}

bool wabin_attrs_optional_unix_milli(struct wabin_attrs *attrs,
                                     struct wabin_str key,
                                     int64_t *milliseconds)
{
    return wabin_attrs_optional_unix_time(attrs, key, milliseconds);
}

int64_t wabin_attrs_unix_time(struct wabin_attrs *attrs, struct wabin_str key)
{
    int64_t seconds;

    if (wabin_get_attr(attrs->node, key) == NULL)
        collect_missing(attrs, key);
    else if (wabin_attrs_optional_unix_time(attrs, key, &seconds))
        return seconds;
    return 0;
}

int64_t wabin_attrs_unix_milli(struct wabin_attrs *attrs, struct wabin_str key)
{
    return wabin_attrs_unix_time(attrs, key);
}
