/* SPDX-License-Identifier: MIT */
/* The list of suites: one line for each folder beside this file. */
#include "harness/bench.h"

extern const struct bench_suite map_suite;
extern const struct bench_suite msgpack_suite;

BENCH_SUBJECT(&map_suite, &msgpack_suite);
