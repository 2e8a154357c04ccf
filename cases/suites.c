/* SPDX-License-Identifier: MIT */
/* The list of suites: one line for each folder beside this file. */
#include "harness/bench.h"

extern const struct bench_suite envelope_suite;
extern const struct bench_suite map_suite;
extern const struct bench_suite msgpack_suite;
extern const struct bench_suite mvt_suite;
extern const struct bench_suite protobuf_suite;
extern const struct bench_suite wabin_suite;

BENCH_SUBJECT(&envelope_suite, &map_suite, &msgpack_suite, &mvt_suite,
              &protobuf_suite, &wabin_suite);
