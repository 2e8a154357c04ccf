/* SPDX-License-Identifier: MIT */
/* The texts of wire errors. */
#include "protobuf/protobuf_error.h"

#include <stdio.h>

static const char size_limit_text[] =
    "message length exceeds the size limit (2 GiB protobuf maximum, or a "
    "configured DecodeOptions limit)";

/* Texts without numbers, by fault; NULL where numbers belong in. */
static const char *const plain_texts[] = {
    [PROTOBUF_OK] = "ok",
    [PROTOBUF_TRUNCATED] = "unexpected end of buffer",
    [PROTOBUF_VARINT_TOO_LONG] = "varint exceeded maximum length of 10 bytes",
    [PROTOBUF_FIELD_NUMBER] = "invalid field number",
    [PROTOBUF_TOO_LARGE] = size_limit_text,
    [PROTOBUF_UTF8] = "invalid UTF-8 in string field",
    [PROTOBUF_DEPTH] = "recursion limit exceeded",
    [PROTOBUF_ELEMENT_MEMORY] = "element memory limit exceeded",
    [PROTOBUF_UNKNOWN_FIELDS] = "unknown field limit exceeded",
    [PROTOBUF_NO_MEMORY] = "out of memory",
    [PROTOBUF_NO_SPACE] = "output buffer is too small",
};

static int render(const struct protobuf_error *error, char *out, size_t size)
{
    switch (error->fault) {
    case PROTOBUF_WIRE_TYPE:
        return snprintf(out, size, "invalid wire type: %u", error->got);
    case PROTOBUF_MISMATCH:
        return snprintf(out, size,
                        "wire type mismatch on field %u: expected %u, got %u",
                        error->field, error->expected, error->got);
    case PROTOBUF_END_GROUP:
        return snprintf(out, size, "invalid end-group tag: field number %u",
                        error->field);
    default:
        return snprintf(out, size, "%s", plain_texts[error->fault]);
    }
}

size_t protobuf_error_text(const struct protobuf_error *error, char *out,
                           size_t size)
{
    int n = render(error, out, size);
    return n < 0 ? 0 : (size_t)n;
}

const char *protobuf_fault_name(enum protobuf_fault fault)
{
    static const char *const names[] = {
        [PROTOBUF_WIRE_TYPE] = "invalid wire type",
        [PROTOBUF_MISMATCH] = "wire type mismatch",
        [PROTOBUF_END_GROUP] = "invalid end-group tag",
    };

    return plain_texts[fault] != NULL ? plain_texts[fault] : names[fault];
}
