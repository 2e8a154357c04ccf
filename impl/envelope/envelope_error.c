/* SPDX-License-Identifier: MIT */
/* Errors in words.  Each text is put together from the plain value, in the
 * caller's buffer. */
#include "envelope/envelope_error.h"

#include <inttypes.h>
#include <stdio.h>

#include "envelope/envelope_internal.h"
#include "msgpack/msgpack.h"

void envelope_note(struct envelope_error *error, enum envelope_kind kind,
                   enum envelope_detail detail, uint64_t number0,
                   uint64_t number1)
{
    if (error != NULL)
        *error = (struct envelope_error){.kind = kind,
                                         .detail = (uint8_t)detail,
                                         .number = {number0, number1}};
}

const char *envelope_kind_text(enum envelope_kind kind)
{
    static const char *const texts[] = {
#define X(name, text) text,
        ENVELOPE_KIND_LIST(X)
#undef X
    };
    return (size_t)kind < ARRAY_COUNT(texts) ? texts[kind] : "unknown kind";
}

/* Long enough for the longest text of a part. */
#define PART_SIZE 96

static const char *expected_text(uint8_t expected)
{
    static const char *const texts[] = {
        [EXPECT_ROOT] = "struct StorageEnvelope",
        [EXPECT_ROOT_4] = "struct StorageEnvelope with 4 elements",
        [EXPECT_BYTES] = "byte array",
        [EXPECT_U8] = "u8",
        [EXPECT_U32] = "u32",
        [EXPECT_ARRAY_8] = "an array of length 8",
        [EXPECT_STRING] = "a string",
        [EXPECT_FIELD] = "field identifier",
    };
    return texts[expected];
}

static const char *field_text(uint64_t field)
{
    static const char *const texts[ENVELOPE_FIELD_COUNT] = {
        "compressed_data", "checksum", "original_size", "format"};
    return texts[field];
}

/* number[0] is the value, or its two's complement when number[1] is 1. */
static void integer_text(const struct envelope_error *error, char *out)
{
    if (error->number[1] != 0)
        snprintf(out, PART_SIZE, "integer `-%" PRIu64 "`",
                 0 - error->number[0]);
    else
        snprintf(out, PART_SIZE, "integer `%" PRIu64 "`", error->number[0]);
}

static void what_text(const struct envelope_error *error, char *out)
{
    static const char *const texts[] = {
        [WHAT_NIL] = "unit value",
        [WHAT_FALSE] = "boolean `false`",
        [WHAT_TRUE] = "boolean `true`",
        [WHAT_INTEGER] = "",
        [WHAT_FLOAT] = "floating point `number`",
        [WHAT_STRING] = "string",
        [WHAT_SEQUENCE] = "sequence",
        [WHAT_MAP] = "map",
        [WHAT_EXT] = "newtype struct",
    };
    if (error->what == WHAT_INTEGER)
        integer_text(error, out);
    else
        snprintf(out, PART_SIZE, "%s", texts[error->what]);
}

/* The names of the markers that stand for no integer, float, nil or bool. */
static void marker_text(uint8_t marker, char *out)
{
    static const char *const texts[32] = {
        [0x01] = "Reserved", [0x04] = "Bin8",    [0x05] = "Bin16",
        [0x06] = "Bin32",    [0x07] = "Ext8",    [0x08] = "Ext16",
        [0x09] = "Ext32",    [0x14] = "FixExt1", [0x15] = "FixExt2",
        [0x16] = "FixExt4",  [0x17] = "FixExt8", [0x18] = "FixExt16",
        [0x19] = "Str8",     [0x1a] = "Str16",   [0x1b] = "Str32",
        [0x1c] = "Array16",  [0x1d] = "Array32", [0x1e] = "Map16",
        [0x1f] = "Map32",
    };
    if (marker < 0x90)
        snprintf(out, PART_SIZE, "FixMap(%d)", marker & 15);
    else if (marker < 0xa0)
        snprintf(out, PART_SIZE, "FixArray(%d)", marker & 15);
    else if (marker < 0xc0)
        snprintf(out, PART_SIZE, "FixStr(%d)", marker & 31);
    else
        snprintf(out, PART_SIZE, "%s", texts[marker & 31]);
}

static void prescan_text(const struct envelope_error *error, char *out)
{
    const struct msgpack_error walk = {
        .fault = (enum msgpack_fault)error->number[0],
        .max_depth = (size_t)error->number[1],
    };
    int used = snprintf(out, PART_SIZE, "decode pre-scan: ");
    msgpack_error_text(&walk, out + used, PART_SIZE - (size_t)used);
}

/* The detail of a (de)serialization failure. */
static void decode_detail(const struct envelope_error *error, char *out)
{
    char what[PART_SIZE / 2] = "";
    const char *expected = expected_text(error->expected);

    switch ((enum envelope_detail)error->detail) {
    case DETAIL_PRESCAN:
        prescan_text(error, out);
        break;
    case DETAIL_LENGTH:
        snprintf(out, PART_SIZE, "invalid length %" PRIu64 ", expected %s",
                 error->number[0], expected);
        break;
    case DETAIL_TOO_MANY:
        snprintf(out, PART_SIZE,
                 "array had incorrect length, expected %" PRIu64,
                 error->number[0]);
        break;
    case DETAIL_TYPE:
        what_text(error, what);
        snprintf(out, PART_SIZE, "invalid type: %s, expected %s", what,
                 expected);
        break;
    case DETAIL_VALUE:
        integer_text(error, what);
        snprintf(out, PART_SIZE, "invalid value: %s, expected %s", what,
                 expected);
        break;
    case DETAIL_MARKER:
        marker_text((uint8_t)error->number[0], what);
        snprintf(out, PART_SIZE, "wrong msgpack marker %s", what);
        break;
    case DETAIL_TEXT_NOT_UTF8:
        snprintf(out, PART_SIZE, "string found to be invalid utf8");
        break;
    case DETAIL_BYTES_NOT_UTF8:
        snprintf(out, PART_SIZE,
                 "invalid value: byte array, expected a string");
        break;
    case DETAIL_DUPLICATE:
        snprintf(out, PART_SIZE, "duplicate field `%s`",
                 field_text(error->number[0]));
        break;
    case DETAIL_MISSING:
        snprintf(out, PART_SIZE, "missing field `%s`",
                 field_text(error->number[0]));
        break;
    default:
        snprintf(out, PART_SIZE, "format is not valid utf-8");
        break;
    }
}

/* The detail of a failed encryption or decryption. */
static void crypt_detail(const struct envelope_error *error, char *out)
{
    switch ((enum envelope_detail)error->detail) {
    case DETAIL_CIPHERTEXT_SHORT:
        snprintf(out, PART_SIZE, "Ciphertext too short");
        break;
    case DETAIL_TEXT_LONG:
        snprintf(out, PART_SIZE, "longer than one nonce may seal");
        break;
    case DETAIL_FORKED:
        snprintf(out, PART_SIZE, "encryptor was made before a fork");
        break;
    default:
        snprintf(out, PART_SIZE, "cipher library error %" PRIu64,
                 error->number[0]);
        break;
    }
}

/* What follows the kind's text and a colon, or nothing. */
static void tail_text(const struct envelope_error *error, char *out)
{
    const uint64_t n = error->number[0];

    switch (error->kind) {
    case ENVELOPE_SERIALIZATION_FAILED:
    case ENVELOPE_DESERIALIZATION_FAILED:
        decode_detail(error, out);
        break;
    case ENVELOPE_ENCRYPTION_FAILED:
    case ENVELOPE_DECRYPTION_FAILED:
    case ENVELOPE_INVALID_CIPHERTEXT:
        crypt_detail(error, out);
        break;
    case ENVELOPE_INVALID_KEY_LENGTH:
        snprintf(out, PART_SIZE, "expected 32 bytes, got %" PRIu64, n);
        break;
    case ENVELOPE_INVALID_MASTER_KEY_LENGTH:
        snprintf(out, PART_SIZE, "expected at least 16 bytes, got %" PRIu64,
                 n);
        break;
    case ENVELOPE_INVALID_SALT_LENGTH:
        snprintf(out, PART_SIZE, "expected at least 1 byte, got %" PRIu64, n);
        break;
    case ENVELOPE_INVALID_DOMAIN:
        snprintf(out, PART_SIZE, "Domain cannot be empty");
        break;
    case ENVELOPE_DERIVATION_FAILED:
        snprintf(out, PART_SIZE, "HKDF expand failed");
        break;
    case ENVELOPE_INVALID_MASTER_KEY:
        snprintf(out, PART_SIZE, "expected 32 bytes or 64 hex digits");
        break;
    case ENVELOPE_KEYRING_CAP_EXCEEDED:
        snprintf(out, PART_SIZE,
                 "at most 3 decrypt-only keys allowed, got %" PRIu64, n);
        break;
    default:
        break;
    }
}

int envelope_error_text(const struct envelope_error *error, char *text,
                        size_t text_size)
{
    const char *head = envelope_kind_text(error->kind);
    char tail[PART_SIZE] = "";

    if (error->kind == ENVELOPE_KEYRING_INDEX_OUT_OF_RANGE)
        return snprintf(text, text_size,
                        "%s %" PRIu64 " out of range (entry count %" PRIu64
                        ")",
                        head, error->number[0], error->number[1]);
    if (error->kind == ENVELOPE_KEY_DERIVATION) {
        const struct envelope_error inner = {
            .kind = (enum envelope_kind)error->number[0],
            .number = {error->number[1]},
        };
        char inner_text[2 * PART_SIZE];
        envelope_error_text(&inner, inner_text, sizeof(inner_text));
        return snprintf(text, text_size, "%s: %s", head, inner_text);
    }
    tail_text(error, tail);
    return snprintf(text, text_size, "%s%s%s", head,
                    tail[0] != '\0' ? ": " : "", tail);
}
