/* SPDX-License-Identifier: MIT */
/* The list of suites: one line for each folder beside this file. */
#include "harness/bench.h"

extern const struct bench_suite map_suite;

BENCH_SUBJECT(&map_suite);
