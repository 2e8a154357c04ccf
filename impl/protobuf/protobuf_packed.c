/* SPDX-License-Identifier: MIT */
/* Packed views: one set of functions for each codec. */
#include "protobuf/protobuf_packed.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static enum protobuf_fault first_fault(const uint8_t *payload, size_t size)
{
    size_t fault_at;
    return protobuf_packed_fault(payload, size, &fault_at);
}

/* Append to a text that may not fit; *at counts what it would have. */
PRINTF_LIKE(4, 5)
static void text_add(char *out, size_t out_size, size_t *at,
                     const char *format, ...)
{
    bool fits = *at < out_size;
    va_list args;

    va_start(args, format);
    int n = vsnprintf(fits ? out + *at : NULL, fits ? out_size - *at : 0,
                      format, args);
    va_end(args);
    if (n > 0)
        *at += (size_t)n;
}

/* A negative int32 is written as 64 bits: always ten bytes. */
#define SIGN_EXTENDED(e) ((uint64_t)(int64_t)(e))

#define VIEW         struct protobuf_packed_int32
#define ITER         struct protobuf_packed_int32_iter
#define FN(name)     protobuf_packed_int32_##name
#define ELEMENT      int32_t
#define CANONICAL(e) SIGN_EXTENDED(e)
#define PRINT        "%" PRId32
#define PRINT_AS(e)  (e)
#include "protobuf/protobuf_packed_body.h"

#define VIEW         struct protobuf_packed_int64
#define ITER         struct protobuf_packed_int64_iter
#define FN(name)     protobuf_packed_int64_##name
#define ELEMENT      int64_t
#define CANONICAL(e) ((uint64_t)(e))
#define PRINT        "%" PRId64
#define PRINT_AS(e)  (e)
#include "protobuf/protobuf_packed_body.h"

#define VIEW         struct protobuf_packed_uint32
#define ITER         struct protobuf_packed_uint32_iter
#define FN(name)     protobuf_packed_uint32_##name
#define ELEMENT      uint32_t
#define CANONICAL(e) (e)
#define PRINT        "%" PRIu32
#define PRINT_AS(e)  (e)
#include "protobuf/protobuf_packed_body.h"

#define VIEW         struct protobuf_packed_uint64
#define ITER         struct protobuf_packed_uint64_iter
#define FN(name)     protobuf_packed_uint64_##name
#define ELEMENT      uint64_t
#define CANONICAL(e) (e)
#define PRINT        "%" PRIu64
#define PRINT_AS(e)  (e)
#include "protobuf/protobuf_packed_body.h"

#define VIEW         struct protobuf_packed_sint32
#define ITER         struct protobuf_packed_sint32_iter
#define FN(name)     protobuf_packed_sint32_##name
#define ELEMENT      int32_t
#define CANONICAL(e) protobuf_zigzag32(e)
#define PRINT        "%" PRId32
#define PRINT_AS(e)  (e)
#include "protobuf/protobuf_packed_body.h"

#define VIEW         struct protobuf_packed_sint64
#define ITER         struct protobuf_packed_sint64_iter
#define FN(name)     protobuf_packed_sint64_##name
#define ELEMENT      int64_t
#define CANONICAL(e) protobuf_zigzag64(e)
#define PRINT        "%" PRId64
#define PRINT_AS(e)  (e)
#include "protobuf/protobuf_packed_body.h"

#define VIEW         struct protobuf_packed_bool
#define ITER         struct protobuf_packed_bool_iter
#define FN(name)     protobuf_packed_bool_##name
#define ELEMENT      bool
#define CANONICAL(e) ((uint64_t)(e))
#define PRINT        "%s"
#define PRINT_AS(e)  ((e) ? "true" : "false")
#include "protobuf/protobuf_packed_body.h"
