/* SPDX-License-Identifier: MIT */
/* What can be wrong with protobuf bytes, and how to say it. */
#ifndef PROTOBUF_PROTOBUF_ERROR_H
#define PROTOBUF_PROTOBUF_ERROR_H

#include <stddef.h>
#include <stdint.h>

/** Kinds of failure.  The last two are ours: the format knows neither. */
enum protobuf_fault {
    PROTOBUF_OK,
    PROTOBUF_TRUNCATED,       /* a value runs past its message */
    PROTOBUF_VARINT_TOO_LONG, /* bits beyond 64, or an 11th byte */
    PROTOBUF_WIRE_TYPE,       /* 6, 7, or a group end without its start */
    PROTOBUF_FIELD_NUMBER,    /* 0, or a tag above 32 bits */
    PROTOBUF_TOO_LARGE,       /* a message beyond the size limit */
    PROTOBUF_MISMATCH,        /* a known field with another wire type */
    PROTOBUF_UTF8,            /* a string that is not UTF-8 */
    PROTOBUF_DEPTH,           /* messages or groups nest too deep */
    PROTOBUF_END_GROUP,       /* a group ends with another number */
    PROTOBUF_ELEMENT_MEMORY,  /* repeated elements beyond their budget */
    PROTOBUF_UNKNOWN_FIELDS,  /* kept unknown fields beyond their limit */
    PROTOBUF_NO_MEMORY,       /* the allocator gave none */
    PROTOBUF_NO_SPACE,        /* the output buffer is too small */
};

/** A failure with its numbers; which ones count depends on the fault. */
struct protobuf_error {
    enum protobuf_fault fault;
    uint32_t field;   /* MISMATCH, END_GROUP: a field number */
    uint8_t expected; /* MISMATCH: a wire type */
    uint8_t got;      /* MISMATCH, WIRE_TYPE: a wire type */
    size_t at;        /* byte offset of the token that failed */
};

/**
 * Render an error, snprintf style: at most size bytes with the final NUL go
 * to out, which may be NULL when size is 0.  Returns the text's whole size
 * without the NUL.
 */
size_t protobuf_error_text(const struct protobuf_error *error, char *out,
                           size_t size);

/** Name of a fault for messages of tests and logs; static, never NULL. */
const char *protobuf_fault_name(enum protobuf_fault fault);

#endif
