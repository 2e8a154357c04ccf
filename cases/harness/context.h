/* SPDX-License-Identifier: MIT */
/* The instruments' side of bench_setup: buffers, files, input digests. */
#ifndef HARNESS_CONTEXT_H
#define HARNESS_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/bench.h"

/** Everything one state owns.  Made by context_open, ended by
 * context_close. */
struct context {
    int root_fd;
    size_t buffer_shift; /* bytes; a perturbation, 0 otherwise */
    void **buffers;
    size_t buffer_count;
    char failure[300]; /* what bench_fail() or a buffer said */
    void *input_ctx;   /* who digests inputs; may be NULL */
    void (*input)(void *ctx, const void *data, size_t size);
    void (*opened)(const char *path); /* hears of each file; may be NULL */
    /* Called when a buffer or a file cannot be had. */
    __attribute__((noreturn)) void (*give_up)(const struct context *ctx);
};

/**
 * Run a case's setup.
 *
 *   ctx    the caller has set root_fd, buffer_shift and give_up, and may
 *          have set input, input_ctx and opened; all else is made here
 *   seed   of the inputs
 *   state  out: what setup returned; NULL when the case has no setup
 *
 * False when setup failed; ctx->failure then says why.  Close it in
 * either case.
 */
bool context_open(struct context *ctx, const struct bench_case *c,
                  uint64_t seed, void **state);

/** Run the case's teardown, if setup had made a state, and release the
 * buffers. */
void context_close(struct context *ctx, const struct bench_case *c,
                   void *state);

#endif
