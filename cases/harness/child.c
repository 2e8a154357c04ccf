/* SPDX-License-Identifier: MIT */
#include "harness/child.h"

#include <alloca.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/thread_guard.h"

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
    struct job jobs[PLAN_JOBS_MAX];
    unsigned running;
    sigset_t awaited; /* blocked in the server, but for wait_for_some() */
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

/* Where in a page the stack of a case begins.  Any place would do, but
 * budgets hold for the one that they were made with. */
#define STACK_PAGE 4096
#define STACK_AT   2208

/** Measure under the plan's perturbations; all are nothing by default.
 *
 * Above the stack lie environment, arguments and what the kernel hands
 * over, and how much they take is none of a case's business: a copy to a
 * buffer on the stack costs other instructions at another alignment.  So a
 * case begins at the same place of a page, whatever is above. */
__attribute__((noinline)) static void measure_perturbed(
    const struct server *s, const struct bench_case *c,
    struct child_report *report)
{
    const struct plan *plan = s->plan;
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    size_t above = (here - STACK_AT) % STACK_PAGE;
    // cppcheck-suppress allocaCalled ; less than a page, and a perturbation
    volatile char *shift = alloca(above + plan->stack_shift + 1);
    shift[0] = 0;
    if (plan->heap_dirt != 0)
        dirty_heap(plan->heap_dirt);
    if (plan->delay_ms != 0)
        usleep((useconds_t)plan->delay_ms * 1000);
    s->measure(plan, c, report);
}

/** Whether this process ever had a child, however it was started: one that
 * is there, or one that was waited for, which had its page faults. */
static bool had_children(void)
{
    siginfo_t info;
    struct rusage used;
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) ==
               0 ||
           getrusage(RUSAGE_CHILDREN, &used) != 0 || used.ru_minflt != 0;
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
    report->started_process = had_children();
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
    else if (r->started_process)
        snprintf(text, size,
                 "started a process: what that costs is not counted");
    else if (!r->finished)
        snprintf(text, size, "%s: exited with status %d", r->stage,
                 WEXITSTATUS(status));
    else if (r->failure[0] != '\0')
        snprintf(text, size, "%s: %s", r->stage, r->failure);
    else
        return NULL;
    return text;
}

/** A child has ended, and is not yet reaped: until then its number belongs
 * to its group, and whatever the case has started itself can be killed. */
static void finish(struct server *s, pid_t pid)
{
    int status;
    kill(-pid, SIGKILL);
    waitpid(pid, &status, 0);
    for (unsigned slot = 0; slot < PLAN_JOBS_MAX; slot++) {
        struct job *job = &s->jobs[slot];
        if (job->pid != pid)
            continue;
        char text[512];
        const struct child_report *r = &s->reports[slot];
        const char *failure = judge_end(s, job, r, status, text, sizeof(text));
        s->print(s->plan, job->bench, pid, r, failure);
        job->pid = 0;
        s->running--;
        return;
    }
}

static void kill_late_ones(struct server *s)
{
    for (unsigned slot = 0; slot < PLAN_JOBS_MAX; slot++) {
        struct job *job = &s->jobs[slot];
        if (job->pid == 0 || job->timed_out || !is_past(job->deadline))
            continue;
        job->timed_out = true;
        kill(-job->pid, SIGKILL);
    }
}

/** End as the signal says, and take along what the cases have started: the
 * parent-death signal reaches only the children themselves. */
static void end_by(struct server *s, int number)
{
    for (unsigned slot = 0; slot < PLAN_JOBS_MAX; slot++)
        if (s->jobs[slot].pid != 0)
            kill(-s->jobs[slot].pid, SIGKILL);
    signal(number, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &s->awaited, NULL);
    raise(number);
}

/** Sleep until a child ends or a second has gone, then collect. */
static void wait_for_some(struct server *s)
{
    const struct timespec second = {.tv_sec = 1, .tv_nsec = 0};
    int number = sigtimedwait(&s->awaited, NULL, &second);
    if (number > 0 && number != SIGCHLD)
        end_by(s, number);
    siginfo_t ended = {.si_pid = 0};
    while (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid != 0) {
        finish(s, ended.si_pid);
        ended.si_pid = 0;
    }
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
    size_t reports_size = sizeof(struct child_report) * PLAN_JOBS_MAX;
    server.reports = mmap(NULL, reports_size, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (server.reports == MAP_FAILED) {
        perror("shared memory");
        return 2;
    }
    static const int awaited[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP};
    sigemptyset(&server.awaited);
    for (size_t i = 0; i < sizeof(awaited) / sizeof(awaited[0]); i++)
        sigaddset(&server.awaited, awaited[i]);
    sigprocmask(SIG_BLOCK, &server.awaited, NULL);

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
    munmap(server.reports, reports_size);
    return 0;
}
