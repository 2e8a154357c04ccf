/* SPDX-License-Identifier: MIT */
#include "harness/child.h"

#include <alloca.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/thread_guard.h"

#define JOBS_MAX 256

/** A running child. */
struct job {
    pid_t pid; /* 0: free */
    const struct bench_case *bench;
    struct timespec deadline;
    bool timed_out;
};

struct server {
    const struct plan *plan;
    child_measure *measure;
    child_print *print;
    struct child_report *reports; /* one a job, shared with the children */
    struct job jobs[JOBS_MAX];
    unsigned running;
};

void child_fail(struct child_report *report, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(report->failure, sizeof(report->failure), fmt, args);
    va_end(args);
    report->finished = 1;
    _exit(0);
}

/** Leave the heap as a busy program would: used, and in holes. */
static void dirty_heap(uint64_t blocks)
{
    void **kept = calloc(blocks + 1, sizeof(*kept));
    for (uint64_t i = 0; kept != NULL && i < blocks; i++) {
        size_t size = 16 + (i * 37) % 3000;
        kept[i] = malloc(size);
        if (kept[i] != NULL)
            memset(kept[i], 0xa5, size);
    }
    for (uint64_t i = 0; kept != NULL && i < blocks; i++)
        if (i % 3 != 0) /* what stays keeps the holes apart */
            free(kept[i]);
}

/** Measure under the plan's perturbations; all are nothing by default. */
__attribute__((noinline)) static void measure_perturbed(
    const struct server *s, const struct bench_case *c,
    struct child_report *report)
{
    const struct plan *plan = s->plan;
    // cppcheck-suppress allocaCalled ; the size is the perturbation
    volatile char *shift = alloca(plan->stack_shift + 1);
    shift[0] = 0;
    if (plan->heap_dirt != 0)
        dirty_heap(plan->heap_dirt);
    if (plan->delay_ms != 0)
        usleep((useconds_t)plan->delay_ms * 1000);
    s->measure(plan, c, report);
}

static void child_main(const struct server *s, const struct bench_case *c,
                       struct child_report *report, pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1); /* the server died before the signal was armed */
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    /* What a case prints must not get between the answers. */
    dup2(STDERR_FILENO, STDOUT_FILENO);
    thread_guard_arm(&report->started_thread);
    measure_perturbed(s, c, report);
    report->finished = 1;
    _exit(0);
}

static struct timespec seconds_from_now(uint64_t seconds)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += (time_t)seconds;
    return t;
}

static bool is_past(struct timespec t)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > t.tv_sec ||
           (now.tv_sec == t.tv_sec && now.tv_nsec >= t.tv_nsec);
}

static bool start(struct server *s, const struct bench_case *c)
{
    unsigned slot = 0;
    while (s->jobs[slot].pid != 0)
        slot++;
    struct child_report *report = &s->reports[slot];
    memset(report, 0, sizeof(*report));
    report->stage = "start";
    pid_t server_pid = getpid();
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0)
        return false;
    if (pid == 0)
        child_main(s, c, report, server_pid);
    setpgid(pid, pid); /* both sides do it: neither may come too late */
    s->jobs[slot] = (struct job){
        .pid = pid,
        .bench = c,
        .deadline = seconds_from_now(s->plan->timeout_s),
    };
    s->running++;
    return true;
}

/** The sentence that says why a child's case counts as not measured, or
 * NULL when it was measured. */
static const char *judge_end(const struct server *s, const struct job *job,
                             const struct child_report *r, int status,
                             char *text, size_t size)
{
    if (job->timed_out)
        snprintf(text, size, "%s: no end after %llu s", r->stage,
                 (unsigned long long)s->plan->timeout_s);
    else if (r->started_thread)
        snprintf(text, size,
                 "%s: started a thread: gated cases are "
                 "single-threaded",
                 r->stage);
    else if (WIFSIGNALED(status))
        snprintf(text, size, "%s: killed by signal %d (%s)", r->stage,
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (!r->finished)
        snprintf(text, size, "%s: exited with status %d", r->stage,
                 WEXITSTATUS(status));
    else if (r->failure[0] != '\0')
        snprintf(text, size, "%s: %s", r->stage, r->failure);
    else
        return NULL;
    return text;
}

static void finish(struct server *s, pid_t pid, int status)
{
    for (unsigned slot = 0; slot < JOBS_MAX; slot++) {
        struct job *job = &s->jobs[slot];
        if (job->pid != pid)
            continue;
        char text[512];
        const struct child_report *r = &s->reports[slot];
        kill(-pid, SIGKILL); /* whatever the case has started itself */
        const char *failure = judge_end(s, job, r, status, text, sizeof(text));
        s->print(s->plan, job->bench, pid, r, failure);
        job->pid = 0;
        s->running--;
        return;
    }
}

static void kill_late_ones(struct server *s)
{
    for (unsigned slot = 0; slot < JOBS_MAX; slot++) {
        struct job *job = &s->jobs[slot];
        if (job->pid == 0 || job->timed_out || !is_past(job->deadline))
            continue;
        job->timed_out = true;
        kill(-job->pid, SIGKILL);
    }
}

/** Sleep until a child ends or a second has gone, then collect. */
static void wait_for_some(struct server *s)
{
    sigset_t chld;
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    const struct timespec second = {.tv_sec = 1, .tv_nsec = 0};
    sigtimedwait(&chld, NULL, &second);
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        finish(s, pid, status);
    kill_late_ones(s);
}

int child_run_all(const struct plan *plan,
                  const struct bench_case *const *cases, size_t case_count,
                  child_measure *measure, child_print *print)
{
    static struct server server;
    server.plan = plan;
    server.measure = measure;
    server.print = print;
    server.reports =
        mmap(NULL, sizeof(struct child_report) * JOBS_MAX,
             PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (server.reports == MAP_FAILED) {
        perror("shared memory");
        return 2;
    }
    sigset_t chld;
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    sigprocmask(SIG_BLOCK, &chld, NULL);

    size_t next = 0;
    while (next < case_count || server.running > 0) {
        while (next < case_count && server.running < plan->jobs) {
            if (!start(&server, cases[next])) {
                perror("fork");
                return 2;
            }
            next++;
        }
        wait_for_some(&server);
    }
    return 0;
}
