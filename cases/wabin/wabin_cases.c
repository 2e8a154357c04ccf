/* SPDX-License-Identifier: MIT */
/*
 * The binary-node codec: its cases, and what is claimed of them.
 *
 * "...@warm" decodes into a doc that was used before, "@table" and "@scalar"
 * into such a doc with another way to unpack strings.  "unmarshal-reference"
 * is the plain decoder, with a block for each list and each content.
 */
#include "wabin/wabin_cases.h"

#include "wabin/reference/wabin_ref.h"

/* ---- inputs ------------------------------------------------------------- */

#define FASTEST(sample) [WABIN_SAMPLE_##sample] = {WABIN_SAMPLE_##sample, NULL}

static const struct unmarshal_input fastest[WABIN_SAMPLE_COUNT] = {
    FASTEST(SMALL),         FASTEST(ACK),       FASTEST(FANOUT),
    FASTEST(LARGE),         FASTEST(ATTR),      FASTEST(LONG_STRING),
    FASTEST(USYNC),         FASTEST(JID_HEAVY), FASTEST(HUGE_BYTES),
    FASTEST(MANY_CHILDREN),
};

#define FORCED(name, fn)                                                      \
    static const struct unmarshal_input name[] = {                            \
        {WABIN_SAMPLE_ACK, fn},                                               \
        {WABIN_SAMPLE_FANOUT, fn},                                            \
        {WABIN_SAMPLE_HUGE_BYTES, fn},                                        \
    }

FORCED(by_table, wabin_unpack_table);
FORCED(by_scalar, wabin_unpack_scalar);

#define HEX_DIGITS    "3EB0A1B2C3D4E5F60718"
#define NIBBLE_DIGITS "5511999990000"

#define PACKED(name, fn)                                                      \
    static const struct packed_input name[] = {                               \
        {HEX_DIGITS, 20, &wabin_hex, fn},                                     \
        {NIBBLE_DIGITS, 13, &wabin_nibbles, fn},                              \
        {HEX_DIGITS, 254, &wabin_hex, fn},                                    \
    }

PACKED(packed_fastest, NULL);
PACKED(packed_table, wabin_unpack_table);
PACKED(packed_scalar, wabin_unpack_scalar);

#define MARSHAL(name, fn)                                                     \
    static const struct marshal_input name[] = {                              \
        {WABIN_SAMPLE_SMALL, fn},         {WABIN_SAMPLE_LARGE, fn},           \
        {WABIN_SAMPLE_LONG_STRING, fn},   {WABIN_SAMPLE_HUGE_BYTES, fn},      \
        {WABIN_SAMPLE_MANY_CHILDREN, fn}, {WABIN_SAMPLE_FANOUT, fn},          \
        {WABIN_SAMPLE_GROUP_8, fn},       {WABIN_SAMPLE_GROUP_32, fn},        \
        {WABIN_SAMPLE_GROUP_128, fn},     {WABIN_SAMPLE_GROUP_512, fn},       \
    }

MARSHAL(plain, wabin_marshal_plain);
MARSHAL(guessed, wabin_marshal_auto);
MARSHAL(exact, wabin_marshal_exact);

static const struct marshal_input sink = {WABIN_SAMPLE_LARGE, NULL};

static const bool not_compressed = false;
static const bool compressed = true;

/* ---- rows --------------------------------------------------------------- */

#define DECODE_CASE(name, what, n, fn, in)                                    \
    {                                                                         \
        .id = "wabin/" name, .about = what, .iters = (n),                     \
        .setup = setup_unmarshal, .run = (fn), .work = work_unmarshal,        \
        .teardown = teardown_unmarshal, .arg = &(in),                         \
    }

/* A sample into a new doc, and into a used one. */
#define UNMARSHAL(name, what, n, sample)                                      \
    DECODE_CASE("unmarshal/" name, what, n, run_unmarshal,                    \
                fastest[WABIN_SAMPLE_##sample]),                              \
        DECODE_CASE("unmarshal/" name "@warm", what ", doc used before", n,   \
                    run_unmarshal_warm, fastest[WABIN_SAMPLE_##sample])

/* libc's heap finds its blocks in a cycle of 3 on large. */
#define REFERENCE(name, n, sample)                                            \
    {                                                                         \
        .id = "wabin/unmarshal-reference/" name,                              \
        .about = "the plain decoder, content in blocks of its own",           \
        .iters = (n), .period = 3, .setup = setup_unmarshal,                  \
        .run = run_unmarshal_reference, .work = work_unmarshal,               \
        .teardown = teardown_unmarshal,                                       \
        .arg = &fastest[WABIN_SAMPLE_##sample],                               \
    }

#define BY_TABLE_AND_SCALAR(name, n, i)                                       \
    DECODE_CASE("unmarshal/" name "@table",                                   \
                "strings unpacked by the table of pairs", n,                  \
                run_unmarshal_warm, by_table[i]),                             \
        DECODE_CASE("unmarshal/" name "@scalar",                              \
                    "strings unpacked by half bytes", n, run_unmarshal_warm,  \
                    by_scalar[i])

#define PACKED_CASE(name, what, n, in)                                        \
    {                                                                         \
        .id = "wabin/packed/" name, .about = what, .iters = (n),              \
        .setup = setup_packed, .run = run_packed, .work = work_packed,        \
        .arg = &(in),                                                         \
    }

#define PACKED_CASES(name, what, n, i)                                        \
    PACKED_CASE(name, what, n, packed_fastest[i]),                            \
        PACKED_CASE(name "@table", what ", by the table of pairs", n,         \
                    packed_table[i]),                                         \
        PACKED_CASE(name "@scalar", what ", by half bytes", n,                \
                    packed_scalar[i])

#define ENCODE_CASE(name, what, n, run_fn, work_fn, in)                       \
    {                                                                         \
        .id = "wabin/" name, .about = what, .iters = (n),                     \
        .setup = setup_marshal, .run = (run_fn), .work = (work_fn),           \
        .teardown = teardown_marshal, .arg = &(in),                           \
    }

#define MARSHAL_CASE(way, name, what, n, in)                                  \
    ENCODE_CASE(way "/" name, what, n, run_marshal, work_marshal, in)

#define MARSHAL_CASES(way, in)                                                \
    MARSHAL_CASE(way, "small", "16 bytes, one node", 300, (in)[0]),           \
        MARSHAL_CASE(way, "large", "862 bytes, 25 nodes", 30, (in)[1]),       \
        MARSHAL_CASE(way, "longstring", "568 bytes, a text of 539", 200,      \
                     (in)[2]),                                                \
        MARSHAL_CASE(way, "hugebytes", "262,177 bytes, one node", 20,         \
                     (in)[3]),                                                \
        MARSHAL_CASE(way, "manychildren", "40,147 bytes, 2,049 nodes", 1,     \
                     (in)[4]),                                                \
        MARSHAL_CASE(way, "fanout", "1,278 bytes, 18 nodes", 30, (in)[5])

#define TREE_CASE(name, what, n, setup_fn, run_fn, work_fn)                   \
    {                                                                         \
        .id = "wabin/" name, .about = what, .iters = (n),                     \
        .setup = (setup_fn), .run = (run_fn), .work = (work_fn),              \
        .teardown = teardown_tree,                                            \
    }

#define JID_CASE(name, what, n, run_fn, work_fn)                              \
    {                                                                         \
        .id = "wabin/jid/" name, .about = what, .iters = (n),                 \
        .setup = setup_jids, .run = (run_fn), .work = (work_fn),              \
    }

#define UNPACK_CASE(name, what, n, in)                                        \
    {                                                                         \
        .id = "wabin/unpack/" name, .about = what, .iters = (n),              \
        .setup = setup_unpack, .run = run_unpack, .work = work_unpack,        \
        .teardown = teardown_unpack, .arg = &(in),                            \
    }

static const struct bench_case cases[] = {
    UNMARSHAL("small", "15 bytes: JID_PAIR, NIBBLE_8", 300, SMALL),
    UNMARSHAL("ack", "30 bytes: JID_PAIR, NIBBLE_8, HEX_8", 300, ACK),
    UNMARSHAL("fanout", "1,277 bytes, 18 nodes, 8 AD_JID", 40, FANOUT),
    UNMARSHAL("large", "861 bytes, 25 nodes, 20 of raw bytes", 40, LARGE),
    UNMARSHAL("attr", "55 bytes, one node of 6 attributes", 200, ATTR),
    UNMARSHAL("longstring", "567 bytes, 539 of them content", 300,
              LONG_STRING),
    UNMARSHAL("usync", "2,010 bytes, 353 nodes", 4, USYNC),
    UNMARSHAL("jidheavy", "69 bytes, 5 JIDs and an id", 150, JID_HEAVY),
    UNMARSHAL("hugebytes", "262,176 bytes, one node", 300, HUGE_BYTES),
    UNMARSHAL("manychildren", "40,146 bytes, 2,049 nodes", 1, MANY_CHILDREN),
    BY_TABLE_AND_SCALAR("ack", 300, 0),
    BY_TABLE_AND_SCALAR("fanout", 40, 1),
    BY_TABLE_AND_SCALAR("hugebytes", 300, 2),
    REFERENCE("small", 150, SMALL),
    REFERENCE("ack", 150, ACK),
    REFERENCE("fanout", 30, FANOUT),
    REFERENCE("large", 30, LARGE),
    PACKED_CASES("hex20", "10 bytes: an id of 20 hex digits", 2000, 0),
    PACKED_CASES("nibble13", "7 bytes: 13 decimal digits", 2000, 1),
    PACKED_CASES("hex254", "127 bytes: the longest value", 200, 2),
    MARSHAL_CASES("marshal_plain", plain),
    MARSHAL_CASES("marshal_auto", guessed),
    MARSHAL_CASES("marshal_exact", exact),
    MARSHAL_CASE("marshal_exact", "group8", "1,278 bytes, structured JIDs", 30,
                 exact[6]),
    MARSHAL_CASE("marshal_exact", "group32", "4,992 bytes, 32 recipients", 8,
                 exact[7]),
    MARSHAL_CASE("marshal_exact", "group128", "19,848 bytes, 128 recipients",
                 2, exact[8]),
    MARSHAL_CASE("marshal_exact", "group512", "79,273 bytes, 512 recipients",
                 1, exact[9]),
    ENCODE_CASE("marshal_sink/large", "862 bytes, gathered by a sink", 30,
                run_marshal_sink, work_marshal_sink, sink),
    ENCODE_CASE("roundtrip/small", "15 bytes decoded and encoded again", 200,
                run_roundtrip, work_roundtrip, guessed[0]),
    ENCODE_CASE("roundtrip/large", "861 bytes decoded and encoded again", 20,
                run_roundtrip, work_roundtrip, guessed[1]),
    UNPACK_CASE("plain", "862 bytes, of which none is copied", 3000,
                not_compressed),
    UNPACK_CASE("compressed", "a zlib stream of 2,010 bytes", 10, compressed),
    TREE_CASE("attr_parser/attr", "55 bytes decoded, 5 attributes parsed", 150,
              setup_attr_parser, run_attr_parser, work_attr_parser),
    TREE_CASE("children_by_tag/usync", "150 devices by the tags of their way",
              20, setup_usync, run_children_by_tag, NULL),
    TREE_CASE("to_owned/jidheavy", "69 bytes decoded, copied, 7 look-ups", 80,
              setup_jid_heavy, run_to_owned, work_to_owned),
    JID_CASE("parse", "4 texts of 4 servers", 300, run_jid_parse,
             work_jid_parse),
    JID_CASE("format", "3 text forms", 300, run_jid_format, work_jid_format),
};

/* ---- claims ------------------------------------------------------------- */

static const struct bench_claim claims[] = {
    {"wabin/unmarshal/ack@table", "wabin/unmarshal/ack@scalar", NULL, 0,
     860000, "the table of pairs removes a seventh of an ack"},
    {"wabin/unmarshal/hugebytes@table", "wabin/unmarshal/hugebytes@scalar",
     NULL, 1000000, 1000000, "no packed value: the control"},
    {"wabin/unmarshal/fanout", "wabin/unmarshal-reference/fanout", NULL, 0,
     920000, "content inside the node needs no block"},
    {"wabin/unmarshal/large", "wabin/unmarshal-reference/large", NULL, 0,
     920000, "content inside the node needs no block"},
    {"wabin/packed/hex254@table", "wabin/packed/hex254@scalar", NULL, 0,
     550000, "a load and a store for two characters"},
    {"wabin/packed/hex20", "wabin/packed/hex20@table", NULL, 0, 750000,
     "a shuffle with slack wins from 4 bytes on"},
    {"wabin/packed/nibble13", "wabin/packed/nibble13@table", NULL, 0, 850000,
     "a shuffle with slack wins from 4 bytes on"},
};

const struct bench_suite wabin_suite =
    BENCH_SUITE_CLAIMS("wabin", cases, claims);
