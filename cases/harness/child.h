/* SPDX-License-Identifier: MIT */
/* The fork-server: each case in a child of its own, from one memory image. */
#ifndef HARNESS_CHILD_H
#define HARNESS_CHILD_H

#include <stdint.h>
#include <sys/types.h>

#include "harness/bench.h"
#include "harness/plan.h"

/** Counts of one window of operations, see heap.h. */
struct heap_window {
    uint64_t calls; /* requests for memory */
    uint64_t bytes; /* requested by them */
    int64_t peak;   /* highest live bytes above the window's start */
    int64_t live;   /* live bytes at its end above its start */
};

#define HEAP_SITES_MAX  128
#define HEAP_FRAMES_MAX 24

/** A way by which memory was requested. */
struct heap_site {
    uint64_t calls;
    uint64_t bytes;
    uint64_t depth; /* frames that are known, the innermost first */
    uintptr_t frames[HEAP_FRAMES_MAX]; /* addresses inside the calls */
};

/** All ways of one window, in the order of their first request.  The last
 * place is for all that come too late: it has no frames. */
struct heap_sites {
    uint64_t count;
    struct heap_site list[HEAP_SITES_MAX];
};

/** What a child leaves in memory shared with the server. */
struct child_report {
    const char *stage;   /* "setup", "run", ...: static text */
    int finished;        /* the child came to its end by itself */
    int started_thread;  /* refused: cases are single-threaded */
    int started_process; /* refused: its cost would not be counted */
    char failure[400];   /* empty when nothing failed */
    uint64_t value;      /* what the first run() returned */
    uint8_t input[16];   /* digest of the inputs */
    uint8_t work[16];    /* digest of the products */
    size_t files_size;   /* used of `files` */
    char files[1 << 16]; /* names of the files it read, each with its NUL */
    uint64_t heap_ops;   /* operations in each window */
    struct heap_window heap[2];
    struct heap_sites sites; /* of the second window, when asked for */
};

/** What an instrument does with a case, inside the child. */
typedef void child_measure(const struct plan *plan, const struct bench_case *c,
                           struct child_report *report);

/** What it prints of a case whose child has ended, in the server.
 * failure is NULL when the case was measured. */
typedef void child_print(const struct plan *plan, const struct bench_case *c,
                         pid_t pid, const struct child_report *report,
                         const char *failure);

/**
 * Measure each case in a child of its own, up to plan->jobs at a time.
 *
 * Every child starts from the same image, whatever the filter or order,
 * in its own process group, with a parent-death signal and a time limit;
 * when it has ended its whole group is killed, and so are all of them when
 * SIGTERM, SIGINT or SIGHUP ends the server.  The wait status decides
 * whether it was measured, never what it left behind.  Returns 0, or 2
 * when no child can be started.
 */
int child_run_all(const struct plan *plan,
                  const struct bench_case *const *cases, size_t case_count,
                  child_measure *measure, child_print *print);

/** In a child: note a failure of the present stage and end at once. */
__attribute__((noreturn, format(printf, 2, 3))) void child_fail(
    struct child_report *report, const char *fmt, ...);

#endif
