/* SPDX-License-Identifier: MIT */
/*
 * plumb-probe: everything about a case that needs no valgrind.
 *
 *   plumb-probe --list SUBJECT   the cases, as JSON
 *   plumb-probe < PLAN           fingerprints and heap figures of each case
 *
 * The second form runs with plumb-heap.so preloaded.  A case is set up
 * twice in its child: once to digest its inputs and what it produces, once
 * more for two windows of heap counts, which must agree.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "harness/child.h"
#include "harness/context.h"
#include "harness/heap.h"
#include "harness/json_out.h"
#include "harness/list.h"
#include "harness/plan.h"
#include "harness/run_block.h"

/* Absent unless plumb-heap.so is preloaded. */
#pragma weak plumb_heap_begin
#pragma weak plumb_heap_end
#pragma weak plumb_heap_watch

static struct child_report *this_report;

__attribute__((noreturn)) static void end_case(const struct context *ctx)
{
    child_fail(this_report, "%s", ctx->failure);
}

/* ---- digests ----------------------------------------------------------- */

/** Lengths go in too, so that no two splits of the same bytes are equal. */
static void digest_put(void *ctx, const void *data, size_t size)
{
    XXH3_state_t *state = ctx;
    uint64_t length = size;
    XXH3_128bits_update(state, &length, sizeof(length));
    XXH3_128bits_update(state, data, size);
}

static XXH3_state_t *digest_new(struct child_report *report)
{
    XXH3_state_t *state = XXH3_createState();
    if (state == NULL)
        child_fail(report, "out of memory");
    XXH3_128bits_reset(state);
    return state;
}

static void digest_end(XXH3_state_t *state, uint8_t out[16])
{
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state));
    memcpy(out, canonical.digest, 16);
    XXH3_freeState(state);
}

/** A name too many ends the case: it would not be known what it read. */
static void note_file(const char *path)
{
    struct child_report *r = this_report;
    size_t size = strlen(path) + 1;
    if (size > sizeof(r->files) - r->files_size)
        child_fail(r, "%s: more names of files than the probe keeps", path);
    memcpy(r->files + r->files_size, path, size);
    r->files_size += size;
}

/* ---- the two passes over a case ---------------------------------------- */

static void *open_case(const struct plan *plan, const struct bench_case *c,
                       struct context *ctx, struct child_report *report)
{
    void *state;
    ctx->root_fd = plan->root_fd;
    ctx->buffer_shift = plan->buffer_shift;
    ctx->give_up = end_case;
    report->stage = "setup";
    if (!context_open(ctx, c, plan->seed, &state))
        child_fail(report, "%s", ctx->failure);
    return state;
}

static void close_case(const struct bench_case *c, struct context *ctx,
                       void *state, struct child_report *report)
{
    report->stage = "teardown";
    context_close(ctx, c, state);
}

static void take_fingerprints(const struct plan *plan,
                              const struct bench_case *c,
                              struct child_report *report)
{
    XXH3_state_t *input = digest_new(report);
    XXH3_state_t *work = digest_new(report);
    struct context ctx = {
        .input_ctx = input, .input = digest_put, .opened = note_file};
    void *state = open_case(plan, c, &ctx, report);
    report->stage = "run";
    report->value = run_block(c->run, state, 1);
    digest_put(work, &report->value, sizeof(report->value));
    if (c->work != NULL) {
        const struct bench_digest d = {.ctx = work, .put = digest_put};
        report->stage = "work";
        c->work(state, &d);
    }
    close_case(c, &ctx, state, report);
    digest_end(input, report->input);
    digest_end(work, report->work);
}

static void count_heap(const struct plan *plan, const struct bench_case *c,
                       struct child_report *report)
{
    struct context ctx = {.input = NULL};
    void *state = open_case(plan, c, &ctx, report);
    uint64_t ops = c->period != 0 ? c->period : 1;
    report->stage = "run";
    report->heap_ops = ops;
    run_block(c->run, state, ops);
    for (int i = 0; i < 2; i++) {
        plumb_heap_begin();
        run_block(c->run, state, ops);
        plumb_heap_end(&report->heap[i]);
    }
    if (plan->heap_sites) {
        struct heap_window again;
        plumb_heap_watch(&report->sites);
        plumb_heap_begin();
        run_block(c->run, state, ops);
        plumb_heap_end(&again);
        plumb_heap_watch(NULL);
    }
    close_case(c, &ctx, state, report);
}

static void measure(const struct plan *plan, const struct bench_case *c,
                    struct child_report *report)
{
    this_report = report;
    take_fingerprints(plan, c, report);
    count_heap(plan, c, report);
}

/* ---- output ------------------------------------------------------------ */

static void print_hex(const char *key, const uint8_t *bytes, size_t size)
{
    printf(",\"%s\":\"", key);
    for (size_t i = 0; i < size; i++)
        printf("%02x", bytes[i]);
    putchar('"');
}

/** The child was forked with all objects loaded, so an address means the
 * same here: [object, offset, nearest symbol that the object exports]. */
static void print_frame(uintptr_t address)
{
    Dl_info info;
    if (dladdr((const void *)address, &info) == 0) {
        printf("[null,%" PRIuPTR ",null]", address);
        return;
    }
    putchar('[');
    json_out_string(stdout, info.dli_fname);
    printf(",%" PRIuPTR ",", address - (uintptr_t)info.dli_fbase);
    json_out_string(stdout, info.dli_sname);
    putchar(']');
}

static void print_sites(const struct heap_sites *sites)
{
    printf(",\"sites\":[");
    for (uint64_t i = 0; i < sites->count; i++) {
        const struct heap_site *site = &sites->list[i];
        printf("%s{\"calls\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"frames\":[",
               i == 0 ? "" : ",", site->calls, site->bytes);
        for (uint64_t k = 0; k < site->depth; k++) {
            if (k > 0)
                putchar(',');
            print_frame(site->frames[k]);
        }
        printf("]}");
    }
    putchar(']');
}

static void print_files(const struct child_report *r)
{
    printf(",\"files\":[");
    for (size_t at = 0; at < r->files_size; at += strlen(r->files + at) + 1) {
        if (at > 0)
            putchar(',');
        json_out_string(stdout, r->files + at);
    }
    putchar(']');
}

static void print(const struct plan *plan, const struct bench_case *c,
                  pid_t pid, const struct child_report *r, const char *failure)
{
    const struct heap_window *a = &r->heap[0];
    const struct heap_window *b = &r->heap[1];
    printf("{\"case\":");
    json_out_string(stdout, c->id);
    printf(",\"pid\":%ld,\"iters\":%" PRIu64 ",\"value\":\"%016" PRIx64
           "\",\"failure\":",
           (long)pid, c->iters, r->value);
    json_out_string(stdout, failure);
    print_hex("input", r->input, sizeof(r->input));
    print_hex("work", r->work, sizeof(r->work));
    print_files(r);
    printf(",\"heap\":{\"ops\":%" PRIu64 ",\"calls\":[%" PRIu64 ",%" PRIu64
           "],\"bytes\":[%" PRIu64 ",%" PRIu64 "],\"peak\":[%" PRId64
           ",%" PRId64 "],\"live\":[%" PRId64 ",%" PRId64 "]}",
           r->heap_ops, a->calls, b->calls, a->bytes, b->bytes, a->peak,
           b->peak, a->live, b->live);
    if (plan->heap_sites)
        print_sites(&r->sites);
    puts("}");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--list") == 0)
        return list_subject(argv[2]);
    if (argc != 1) {
        fputs("usage: plumb-probe --list SUBJECT | plumb-probe < PLAN\n",
              stderr);
        return 2;
    }
    if (plumb_heap_begin == NULL || plumb_heap_end == NULL) {
        fputs("plumb-probe: needs LD_PRELOAD=plumb-heap.so; "
              "use `plumb run`\n",
              stderr);
        return 2;
    }
    const struct plan *plan = plan_read();
    if (plan == NULL)
        return 2;
    return child_run_all(plan, plan->cases, plan->case_count, measure, print);
}
