/* SPDX-License-Identifier: MIT */
/*
 * plumb-wall: time of each case, by google-benchmark.
 *
 *   plumb-wall --subject=[NAME=]PATH ... [--root=DIR] [--pool=N]
 *              [--benchmark_...]
 *
 * One subject registers its cases by id; with two or three, each is named
 * and registers "id/NAME", after the loader has proved that they are
 * distinct.  Every google-benchmark flag is passed through.  Exit status:
 * 0 measured, 1 a case failed, 2 usage or subject, 3 nothing matched.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/context.h"
#include "harness/gb.h"
#include "harness/subject.h"

/* One fixed input is learned by the branch predictor: a pool is rotated. */
#define POOL_DEFAULT 8
#define POOL_MAX     64

struct options {
    size_t subject_count;
    struct {
        const char *name; /* NULL when there is only one */
        const char *path;
        struct subject loaded;
    } subjects[SUBJECT_MAX];
    int root_fd;
    unsigned pool;
};

static struct options options = {.root_fd = -1, .pool = POOL_DEFAULT};

/* ---- one run ------------------------------------------------------------ */

/** The states of one run: the same case set up from seeds 0, 1, 2, ... */
struct pool {
    const struct bench_case *c;
    unsigned count;
    struct context contexts[POOL_MAX];
    void *states[POOL_MAX];
};

__attribute__((noreturn)) static void end_process(const struct context *ctx)
{
    fprintf(stderr, "plumb-wall: %s\n", ctx->failure);
    exit(1);
}

static void pool_close(struct pool *p)
{
    while (p->count > 0) {
        p->count--;
        context_close(&p->contexts[p->count], p->c, p->states[p->count]);
    }
}

/** False when a setup failed; *why then lives as long as the pool. */
static bool pool_open(struct pool *p, const struct bench_case *c,
                      const char **why)
{
    p->c = c;
    p->count = 0;
    for (unsigned i = 0; i < options.pool; i++) {
        struct context *ctx = &p->contexts[i];
        *ctx = (struct context){.root_fd = options.root_fd,
                                .give_up = end_process};
        bool ok = context_open(ctx, c, i, &p->states[i]);
        p->count++;
        if (!ok) {
            *why = ctx->failure;
            return false;
        }
    }
    return true;
}

static uint64_t run_pool(struct pool *p, uint64_t n)
{
    uint64_t last = 0;
    unsigned at = 0;
    for (uint64_t i = 0; i < n; i++) {
        last += p->c->run(p->states[at]);
        at = at + 1 < p->count ? at + 1 : 0;
    }
    return last;
}

static void body(struct gb_state *st, const void *user)
{
    static struct pool pool;
    const struct bench_case *c = user;
    const char *why;
    if (!pool_open(&pool, c, &why)) {
        gb_fail(st, why);
        pool_close(&pool);
        return;
    }
    run_pool(&pool, pool.count); /* warm caches and heap */
    uint64_t n = gb_begin(st);
    uint64_t last = run_pool(&pool, n);
    __asm__ volatile("" : : "r"(last));
    gb_end(st);
    pool_close(&pool);
    if (c->bytes != 0)
        gb_bytes(st, n * c->bytes);
}

/* ---- registration ------------------------------------------------------- */

static void register_cases(const struct subject *s, const char *name)
{
    for (uint32_t i = 0; i < s->table->suite_count; i++) {
        const struct bench_suite *suite = s->table->suites[i];
        for (size_t k = 0; k < suite->case_count; k++) {
            const struct bench_case *c = &suite->cases[k];
            char full[256];
            snprintf(full, sizeof(full), name != NULL ? "%s/%s" : "%s", c->id,
                     name);
            gb_register(full, body, c);
        }
    }
}

static bool complain(const char *why)
{
    fprintf(stderr, "plumb-wall: %s\n", why);
    return false;
}

static bool load_subjects(void)
{
    char why[512];
    for (size_t i = 0; i < options.subject_count; i++) {
        if (!subject_load(options.subjects[i].path, (unsigned)i,
                          &options.subjects[i].loaded, why, sizeof(why)))
            return complain(why);
        for (size_t k = 0; k < i; k++)
            if (!subject_distinct(&options.subjects[k].loaded,
                                  &options.subjects[i].loaded, why,
                                  sizeof(why)))
                return complain(why);
    }
    for (size_t i = 0; i < options.subject_count; i++)
        register_cases(&options.subjects[i].loaded, options.subjects[i].name);
    return true;
}

/* ---- options ------------------------------------------------------------ */

static bool add_subject(char *value)
{
    if (options.subject_count == SUBJECT_MAX)
        return complain("at most 3 subjects");
    char *equals = strchr(value, '=');
    char *slash = strchr(value, '/');
    size_t at = options.subject_count++;
    options.subjects[at].path = value;
    if (equals != NULL && (slash == NULL || equals < slash)) {
        *equals = '\0';
        options.subjects[at].name = value;
        options.subjects[at].path = equals + 1;
    }
    return true;
}

static bool open_root(const char *path)
{
    options.root_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return options.root_fd >= 0 || complain("--root: not a folder");
}

static bool parse_pool(const char *value)
{
    char *end;
    unsigned long n = strtoul(value, &end, 10);
    if (*end != '\0' || n < 1 || n > POOL_MAX)
        return complain("--pool: expected a number from 1 to 64");
    options.pool = (unsigned)n;
    return true;
}

static bool parse_option(char *arg)
{
    if (strncmp(arg, "--subject=", 10) == 0)
        return add_subject(arg + 10);
    if (strncmp(arg, "--root=", 7) == 0)
        return open_root(arg + 7);
    if (strncmp(arg, "--pool=", 7) == 0)
        return parse_pool(arg + 7);
    fprintf(stderr, "plumb-wall: unknown option %s\n", arg);
    return false;
}

static bool check_names(void)
{
    if (options.subject_count == 0)
        return complain("expected --subject=[NAME=]PATH");
    for (size_t i = 0; i < options.subject_count; i++)
        if (options.subject_count > 1 && options.subjects[i].name == NULL)
            return complain("several subjects: name each, as in "
                            "--subject=base=PATH");
    return true;
}

int main(int argc, char **argv)
{
    gb_init(&argc, argv);
    for (int i = 1; i < argc; i++)
        if (!parse_option(argv[i]))
            return 2;
    if (!check_names() || !load_subjects())
        return 2;
    char pool[16];
    snprintf(pool, sizeof(pool), "%u", options.pool);
    gb_context("input_pool", pool);
    size_t failed = 0;
    if (gb_run(&failed) == 0)
        return 3;
    return failed > 0 ? 1 : 0;
}
