/* SPDX-License-Identifier: MIT */
#include "harness/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ROOT_FD (40) /* fixed, and clear of the subjects' */

static struct plan plan;
static char text[2 << 20];

static bool complain(const char *key, const char *value, const char *expected)
{
    fprintf(stderr, "plan: %s \"%s\": expected %s\n", key, value, expected);
    return false;
}

static bool parse_number(const char *key, const char *value, uint64_t min,
                         uint64_t max, uint64_t *out)
{
    char expected[80];
    char *end;
    errno = 0;
    unsigned long long n = strtoull(value, &end, 10);
    if (errno == 0 && *end == '\0' && end != value && *value != '-' &&
        n >= min && n <= max) {
        *out = n;
        return true;
    }
    snprintf(expected, sizeof(expected), "a number from %llu to %llu",
             (unsigned long long)min, (unsigned long long)max);
    return complain(key, value, expected);
}

/** The keys that are numbers, and where they go. */
static const struct number_key {
    const char *name;
    uint64_t min, max;
    uint64_t *to;
} number_keys[] = {
    {"jobs", 1, PLAN_JOBS_MAX, &plan.jobs},
    {"timeout", 1, 100000, &plan.timeout_s},
    {"seed", 0, UINT64_MAX, &plan.seed},
    {"scale", 1, 1024, &plan.scale},
    {"brief", 0, 1, &plan.brief},
    {"heap-sites", 0, 1, &plan.heap_sites},
    {"stack-shift", 0, 1 << 20, &plan.stack_shift},
    {"heap-dirt", 0, 1 << 20, &plan.heap_dirt},
    {"buffer-shift", 0, 1 << 20, &plan.buffer_shift},
    {"map-shift", 0, 1 << 20, &plan.map_shift},
    {"delay-ms", 0, 60000, &plan.delay_ms},
};

static const struct number_key *find_number_key(const char *name)
{
    for (size_t i = 0; i < sizeof(number_keys) / sizeof(number_keys[0]); i++)
        if (strcmp(number_keys[i].name, name) == 0)
            return &number_keys[i];
    return NULL;
}

/** Occupy address space, so that what is loaded next lies elsewhere.  Page
 * by page: each goes into the highest hole, where the subject would. */
static bool shift_maps(void)
{
    for (uint64_t i = 0; i < plan.map_shift; i++)
        if (mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
            MAP_FAILED)
            return complain("map-shift", "", "room for so many pages");
    return true;
}

static bool load(const char *path)
{
    char why[512];
    if (!shift_maps())
        return false;
    if (subject_load(path, 0, &plan.subject, why, sizeof(why)))
        return true;
    fprintf(stderr, "%s\n", why);
    return false;
}

static bool open_root(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return complain("root", path, strerror(errno));
    if (dup2(fd, ROOT_FD) < 0)
        return complain("root", path, strerror(errno));
    close(fd);
    plan.root_fd = ROOT_FD;
    return true;
}

static bool add_case(const char *id)
{
    if (plan.subject.table == NULL)
        return complain("case", id, "a subject line before");
    const struct bench_case *c = subject_find(&plan.subject, id);
    if (c == NULL)
        return complain("case", id, "a case of the subject");
    if (plan.case_count == PLAN_CASES_MAX)
        return complain("case", id, "at most 8,192 cases");
    plan.cases[plan.case_count++] = c;
    return true;
}

static bool parse_line(const char *key, const char *value)
{
    const struct number_key *number = find_number_key(key);
    if (number != NULL)
        return parse_number(key, value, number->min, number->max, number->to);
    if (strcmp(key, "subject") == 0)
        return load(value);
    if (strcmp(key, "root") == 0)
        return open_root(value);
    if (strcmp(key, "case") == 0)
        return add_case(value);
    return complain(key, value, "a known key");
}

/** Read all of standard input into `text`, with a final NUL. */
static bool read_text(void)
{
    size_t size = 0;
    for (;;) {
        ssize_t n = read(STDIN_FILENO, text + size, sizeof(text) - 1 - size);
        if (n == 0)
            break;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return complain("standard input", "", strerror(errno));
        size += (size_t)n;
        if (size == sizeof(text) - 1)
            return complain("standard input", "", "at most 2 MiB");
    }
    text[size] = '\0';
    /* Lines after it would be left out without a word. */
    return memchr(text, '\0', size) == NULL ||
           complain("standard input", "", "no byte 0");
}

const struct plan *plan_read(void)
{
    plan.root_fd = -1;
    plan.jobs = 1;
    plan.timeout_s = 600;
    plan.scale = 1;
    if (!read_text())
        return NULL;
    char *rest = text;
    for (char *line = strsep(&rest, "\n"); line != NULL;
         line = strsep(&rest, "\n")) {
        if (*line == '\0')
            continue;
        char *value = strchr(line, ' ');
        if (value == NULL) {
            complain(line, "", "a value after the key");
            return NULL;
        }
        *value++ = '\0';
        if (!parse_line(line, value))
            return NULL;
    }
    if (plan.subject.table == NULL) {
        complain("subject", "", "a subject line");
        return NULL;
    }
    return &plan;
}

uint64_t plan_block_ops(const struct plan *p, const struct bench_case *c)
{
    uint64_t period = c->period != 0 ? c->period : 1;
    return (p->brief != 0 ? period : c->iters) * p->scale;
}
