/* SPDX-License-Identifier: MIT */
/* Every array form of an envelope that readers accept, and what each form
 * that they do not accept is called: one entry, one thing changed at a time.
 */
#include "envelope/tests/envelope_forms.h"

#define SHORT_ROOT(k)                                                         \
    "invalid length " k ", expected struct StorageEnvelope with 4 elements"
#define SHORT_SUM(k) "invalid length " k ", expected an array of length 8"
#define VALUE(v, to) "invalid value: integer `" v "`, expected " to
#define ROOT         "struct StorageEnvelope"
#define BYTES        "byte array"
#define ARRAY_8      "an array of length 8"

static const struct form roots[] = {
    {HELLO, NULL, NULL},
    {HELLO "ffc1", NULL, NULL},
    {"dc0004" DATA SUM SIZE FORMAT, NULL, NULL},
    {"dd00000004" DATA SUM SIZE FORMAT, NULL, NULL},
    {"95" DATA SUM SIZE FORMAT "c0", "array had incorrect length, expected 4",
     NULL},
    {"93" DATA SUM SIZE, SHORT_ROOT("3"), NULL},
    {"92" DATA SUM, SHORT_ROOT("2"), NULL},
    {"91" DATA, SHORT_ROOT("1"), NULL},
    {"90", SHORT_ROOT("0"), NULL},
    {"c0", TYPE("unit value", ROOT), NULL},
    {"c2", TYPE("boolean `false`", ROOT), NULL},
    {"07", TYPE("integer `7`", ROOT), NULL},
    {"ca3f800000", TYPE("floating point `number`", ROOT), NULL},
    {"a3616263", TYPE("string", ROOT), NULL},
    {"a2ff41", "string found to be invalid utf8", NULL},
    {"c4065068656c6c6f", TYPE("integer `80`", BYTES), NULL},
    {"c400", SHORT_ROOT("0"), NULL},
    {"d40102", TYPE("newtype struct", ROOT), NULL},
};

#define IN_DATA(hex) "94" hex SUM SIZE FORMAT

static const struct form data_forms[] = {
    {IN_DATA("c50006" HELLO_BLOCK), NULL, NULL},
    {IN_DATA("c600000006" HELLO_BLOCK), NULL, NULL},
    {IN_DATA("96" HELLO_BLOCK), NULL, NULL},
    {IN_DATA("dc0006" HELLO_BLOCK), NULL, NULL},
    {IN_DATA("dd00000006" HELLO_BLOCK), NULL, NULL},
    {IN_DATA("96 cc50 cd0068 ce00000065 cf000000000000006c 6c 6f"), NULL,
     NULL},
    {IN_DATA("96 d050 d10068 d200000065 d3000000000000006c 6c 6f"), NULL,
     NULL},
    {IN_DATA("96 cd0100 68656c6c6f"), VALUE("256", "u8"), NULL},
    {IN_DATA("96 ff 68656c6c6f"), VALUE("-1", "u8"), NULL},
    {IN_DATA("96 ca3f800000 68656c6c6f"),
     TYPE("floating point `number`", "u8"), NULL},
    {IN_DATA("96 c0 68656c6c6f"), TYPE("unit value", "u8"), NULL},
    {IN_DATA("96 c3 68656c6c6f"), TYPE("boolean `true`", "u8"), NULL},
    {IN_DATA("96 a150 68656c6c6f"), "wrong msgpack marker FixStr(1)", NULL},
    {IN_DATA("96 9150 68656c6c6f"), "wrong msgpack marker FixArray(1)", NULL},
    {IN_DATA("91 c40150"), "wrong msgpack marker Bin8", NULL},
    {IN_DATA("91 c5000150"), "wrong msgpack marker Bin16", NULL},
    {IN_DATA("91 c60000000150"), "wrong msgpack marker Bin32", NULL},
    {IN_DATA("91 d90150"), "wrong msgpack marker Str8", NULL},
    {IN_DATA("91 da000150"), "wrong msgpack marker Str16", NULL},
    {IN_DATA("91 db0000000150"), "wrong msgpack marker Str32", NULL},
    {IN_DATA("91 dc0000"), "wrong msgpack marker Array16", NULL},
    {IN_DATA("91 dd00000000"), "wrong msgpack marker Array32", NULL},
    {IN_DATA("91 de0000"), "wrong msgpack marker Map16", NULL},
    {IN_DATA("91 df00000000"), "wrong msgpack marker Map32", NULL},
    {IN_DATA("91 d50102 03"), "wrong msgpack marker FixExt2", NULL},
    {IN_DATA("91 d601 02030405"), "wrong msgpack marker FixExt4", NULL},
    {IN_DATA("91 d701 0203040506070809"), "wrong msgpack marker FixExt8",
     NULL},
    {IN_DATA("91 d801 02030405060708090a0b0c0d0e0f1011"),
     "wrong msgpack marker FixExt16", NULL},
    {IN_DATA("91 c70001"), "wrong msgpack marker Ext8", NULL},
    {IN_DATA("91 c8000001"), "wrong msgpack marker Ext16", NULL},
    {IN_DATA("91 c90000000001"), "wrong msgpack marker Ext32", NULL},
    {IN_DATA("a6" HELLO_BLOCK), NULL, NULL},
    {IN_DATA("d906" HELLO_BLOCK), NULL, NULL},
    {IN_DATA("da0006" HELLO_BLOCK), NULL, NULL},
    {IN_DATA("db00000006" HELLO_BLOCK), NULL, NULL},
    {IN_DATA("a2ff41"), "!decompression failed", NULL},
    {IN_DATA("c0"), TYPE("unit value", BYTES), NULL},
    {IN_DATA("05"), TYPE("integer `5`", BYTES), NULL},
    {IN_DATA("d3ffffffffffffff00"), TYPE("integer `-256`", BYTES), NULL},
    {IN_DATA("80"), TYPE("map", BYTES), NULL},
    {IN_DATA("d40502"), TYPE("newtype struct", BYTES), NULL},
    {IN_DATA("cb3ff8000000000000"), TYPE("floating point `number`", BYTES),
     NULL},
    {IN_DATA("c400"), "!decompression ratio exceeds safety limit", NULL},
    {IN_DATA("90"), "!decompression ratio exceeds safety limit", NULL},
};

#define IN_SUM(hex) "94" DATA hex SIZE FORMAT

static const struct form sum_forms[] = {
    {IN_SUM("dc0008 cc95 55 cce8 55 5c 62 ccdc ccfd"), NULL, NULL},
    {IN_SUM("dd00000008 cc95 55 cce8 55 5c 62 ccdc ccfd"), NULL, NULL},
    {IN_SUM("c408" HELLO_SUM8), NULL, NULL},
    {IN_SUM("c50008" HELLO_SUM8), NULL, NULL},
    {IN_SUM("c600000008" HELLO_SUM8), NULL, NULL},
    {IN_SUM("c409" HELLO_SUM8 "00"), NULL, NULL},
    {IN_SUM("c407 9555e8555c62dc"), SHORT_SUM("7"), NULL},
    {IN_SUM("c400"), SHORT_SUM("0"), NULL},
    {IN_SUM("99 cc95 55 cce8 55 5c 62 ccdc ccfd 00"),
     "array had incorrect length, expected 8", NULL},
    {IN_SUM("97 cc95 55 cce8 55 5c 62 ccdc"), SHORT_SUM("7"), NULL},
    {IN_SUM("90"), SHORT_SUM("0"), NULL},
    {IN_SUM("98 cd0095 55 cce8 55 5c 62 ccdc ccfd"), NULL, NULL},
    {IN_SUM("98 cc95 55 cce8 d055 5c 62 ccdc ccfd"), NULL, NULL},
    {IN_SUM("98 cc95 cc55 cce8 55 5c 62 ccdc ccfd"), NULL, NULL},
    {IN_SUM("98 cd0100 55 cce8 55 5c 62 ccdc ccfd"), VALUE("256", "u8"), NULL},
    /* The ninth element is not looked at, the eighth is. */
    {IN_SUM("99 cc95 55 cce8 55 5c 62 ccdc c0 00"), TYPE("unit value", "u8"),
     NULL},
    {IN_SUM("a8 6161616161616161"), TYPE("string", ARRAY_8), NULL},
    {IN_SUM("a2ff41"), "string found to be invalid utf8", NULL},
    {IN_SUM("c0"), TYPE("unit value", ARRAY_8), NULL},
    {IN_SUM("80"), TYPE("map", ARRAY_8), NULL},
    {IN_SUM("98 cc96 55 cce8 55 5c 62 ccdc ccfd"), "!integrity check failed",
     NULL},
};

#define IN_SIZE(hex) "94" DATA SUM hex FORMAT

static const struct form size_forms[] = {
    {IN_SIZE("cc05"), NULL, NULL},
    {IN_SIZE("cd0005"), NULL, NULL},
    {IN_SIZE("ce00000005"), NULL, NULL},
    {IN_SIZE("cf0000000000000005"), NULL, NULL},
    {IN_SIZE("d005"), NULL, NULL},
    {IN_SIZE("d10005"), NULL, NULL},
    {IN_SIZE("d200000005"), NULL, NULL},
    {IN_SIZE("d30000000000000005"), NULL, NULL},
    {IN_SIZE("ff"), VALUE("-1", "u32"), NULL},
    {IN_SIZE("d3ffffffffffffffff"), VALUE("-1", "u32"), NULL},
    {IN_SIZE("d38000000000000000"), VALUE("-9223372036854775808", "u32"),
     NULL},
    {IN_SIZE("cf0000000100000000"), VALUE("4294967296", "u32"), NULL},
    {IN_SIZE("cf0000000100000010"), VALUE("4294967312", "u32"), NULL},
    {IN_SIZE("cf8000000000000010"), VALUE("9223372036854775824", "u32"), NULL},
    {IN_SIZE("d30000000100000000"), VALUE("4294967296", "u32"), NULL},
    {IN_SIZE("ceffffffff"), "!input exceeds maximum size", NULL},
    {IN_SIZE("cb4014000000000000"), TYPE("floating point `number`", "u32"),
     NULL},
    {IN_SIZE("c0"), TYPE("unit value", "u32"), NULL},
    {IN_SIZE("c2"), TYPE("boolean `false`", "u32"), NULL},
    {IN_SIZE("a135"), "wrong msgpack marker FixStr(1)", NULL},
    {IN_SIZE("c40105"), "wrong msgpack marker Bin8", NULL},
    {IN_SIZE("9105"), "wrong msgpack marker FixArray(1)", NULL},
    {IN_SIZE("80"), "wrong msgpack marker FixMap(0)", NULL},
    {IN_SIZE("d40105"), "wrong msgpack marker FixExt1", NULL},
    {IN_SIZE("06"), "!size validation failed", NULL},
    {IN_SIZE("04"), "!decompression failed", NULL},
    {IN_SIZE("cd1771"), "!decompression ratio exceeds safety limit", NULL},
};

#define IN_FORMAT(hex) "94" DATA SUM SIZE hex

static const struct form format_forms[] = {
    {IN_FORMAT("a0"), NULL, ""},
    {IN_FORMAT("d907 6d736770 61636b"), NULL, NULL},
    {IN_FORMAT("da0007 6d736770 61636b"), NULL, NULL},
    {IN_FORMAT("db00000007 6d736770 61636b"), NULL, NULL},
    {IN_FORMAT("c407 6d736770 61636b"), NULL, NULL},
    {IN_FORMAT("c50007 6d736770 61636b"), NULL, NULL},
    {IN_FORMAT("c600000007 6d736770 61636b"), NULL, NULL},
    {IN_FORMAT("a4 f09f9880"), NULL, "\xf0\x9f\x98\x80"},
    {IN_FORMAT("c402 ff41"), "invalid value: byte array, expected a string",
     NULL},
    {IN_FORMAT("a2 ff41"), "string found to be invalid utf8", NULL},
    {IN_FORMAT("a2 c080"), "string found to be invalid utf8", NULL},
    {IN_FORMAT("a3 eda080"), "string found to be invalid utf8", NULL},
    {IN_FORMAT("a4 f4908080"), "string found to be invalid utf8", NULL},
    {IN_FORMAT("c0"), TYPE("unit value", STRING), NULL},
    {IN_FORMAT("01"), TYPE("integer `1`", STRING), NULL},
    {IN_FORMAT("90"), TYPE("sequence", STRING), NULL},
    {IN_FORMAT("80"), TYPE("map", STRING), NULL},
    {IN_FORMAT("d40141"), TYPE("newtype struct", STRING), NULL},
};

static void test_root_forms(void **state)
{
    (void)state;
    CHECK_FORMS(roots);
}

static void test_data_forms(void **state)
{
    (void)state;
    CHECK_FORMS(data_forms);
}

static void test_checksum_forms(void **state)
{
    (void)state;
    CHECK_FORMS(sum_forms);
}

static void test_size_forms(void **state)
{
    (void)state;
    CHECK_FORMS(size_forms);
}

static void test_format_forms(void **state)
{
    (void)state;
    CHECK_FORMS(format_forms);
}

/* NUL is a character of a format like others. */
static void test_format_may_hold_nul(void **state)
{
    (void)state;
    uint8_t in[64];
    size_t size = hex_decode(IN_FORMAT("a3 610062"), in, sizeof(in));
    struct envelope_entry entry;

    CHECK_KIND(ENVELOPE_OK, envelope_retrieve(in, size, NULL, &entry, NULL));
    CHECK_BYTES("a\0b", 3, entry.format, entry.format_size);
    envelope_entry_free(NULL, &entry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_root_forms),
        cmocka_unit_test(test_data_forms),
        cmocka_unit_test(test_checksum_forms),
        cmocka_unit_test(test_size_forms),
        cmocka_unit_test(test_format_forms),
        cmocka_unit_test(test_format_may_hold_nul),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
