/* SPDX-License-Identifier: MIT */
/*
 * plumb-count: instructions of each case, as a fork-server under callgrind.
 *
 * A child sets its case up, turns counting on, and runs blocks of N (warm
 * up), 0, N, 2N and 4N operations from one call site, each ended by a dump.
 * The dumps hold the counts; the slope over the last four is the cost of an
 * operation, and how well they lie on a line says whether it is exact.
 */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

#include "harness/child.h"
#include "harness/context.h"
#include "harness/json_out.h"
#include "harness/plan.h"
#include "harness/run_block.h"

#define EMPTY_ITERS 1000

static const struct {
    const char *name; /* the dump's description */
    uint64_t times_n;
} blocks[] = {{"warm", 1}, {"0", 0}, {"1", 1}, {"2", 2}, {"4", 4}};

static const struct bench_case empty_case = {
    .id = "",
    .about = "the loop and the call alone",
    .iters = EMPTY_ITERS,
    .run = run_empty,
};

static struct child_report *this_report;

__attribute__((noreturn)) static void end_setup(const struct context *ctx)
{
    child_fail(this_report, "%s", ctx->failure);
}

static void count_blocks(const struct bench_case *c, void *state, uint64_t n)
{
    CALLGRIND_START_INSTRUMENTATION;
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
        run_block(c->run, state, n * blocks[i].times_n);
        CALLGRIND_DUMP_STATS_AT(blocks[i].name);
    }
    CALLGRIND_STOP_INSTRUMENTATION;
}

static void measure(const struct plan *plan, const struct bench_case *c,
                    struct child_report *report)
{
    struct context ctx = {.root_fd = plan->root_fd,
                          .buffer_shift = plan->buffer_shift,
                          .give_up = end_setup};
    void *state;
    this_report = report;
    report->stage = "setup";
    if (!context_open(&ctx, c, plan->seed, &state))
        child_fail(report, "%s", ctx.failure);
    report->stage = "run";
    report->value = run_block(c->run, state, 1);
    count_blocks(c, state, plan_block_ops(plan, c));
    report->stage = "teardown";
    context_close(&ctx, c, state);
}

static void print(const struct plan *plan, const struct bench_case *c,
                  pid_t pid, const struct child_report *report,
                  const char *failure)
{
    printf("{\"case\":");
    json_out_string(stdout, c->id);
    printf(",\"pid\":%ld,\"iters\":%" PRIu64 ",\"value\":\"%016" PRIx64
           "\",\"failure\":",
           (long)pid, plan_block_ops(plan, c), report->value);
    json_out_string(stdout, failure);
    puts("}");
    fflush(stdout);
}

int main(void)
{
    if (!RUNNING_ON_VALGRIND) {
        fputs("plumb-count: runs under valgrind --tool=callgrind; "
              "use `plumb run`\n",
              stderr);
        return 2;
    }
    const struct plan *plan = plan_read();
    if (plan == NULL)
        return 2;
    const struct bench_case *empty[] = {&empty_case};
    int rc = child_run_all(plan, empty, 1, measure, print);
    if (rc != 0)
        return rc;
    return child_run_all(plan, plan->cases, plan->case_count, measure, print);
}
