/* SPDX-License-Identifier: MIT */
/*
 * Each subject is opened and then loaded as /proc/self/fd/<fixed number>:
 * ld.so keeps the name on the heap, and the same bytes from a longer path
 * moved counts of code that looks at addresses.
 */
#include "harness/subject.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FIRST_FD 20 /* above the descriptors that a runner hands down */

__attribute__((format(printf, 3, 4))) static bool refuse(char *why,
                                                         size_t why_size,
                                                         const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(why, why_size, fmt, args);
    va_end(args);
    return false;
}

#define WORD                                                                  \
    "abcdefghijklmnopqrstuvwxyz"                                              \
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"                                              \
    "0123456789._@-"

static bool is_word(const char *text)
{
    return *text != '\0' && text[strspn(text, WORD)] == '\0';
}

/** One word or several with a slash between each two. */
static bool id_parts_are_words(const char *text)
{
    for (;;) {
        size_t size = strspn(text, WORD);
        if (size == 0)
            return false;
        if (text[size] != '/')
            return text[size] == '\0';
        text += size + 1;
    }
}

static bool id_is_well_formed(const char *id, const char *suite)
{
    size_t suite_size = strlen(suite);
    size_t size = strlen(id);
    return size > suite_size + 1 && size < 200 &&
           strncmp(id, suite, suite_size) == 0 && id[suite_size] == '/' &&
           id_parts_are_words(id + suite_size + 1);
}

/** A suite's name begins the ids of its cases and names a file. */
static bool check_suite(const struct bench_table *t, uint32_t at, char *why,
                        size_t why_size)
{
    const struct bench_suite *suite = t->suites[at];
    if (suite == NULL || suite->name == NULL)
        return refuse(why, why_size, "suite %u: no name", at);
    if (!is_word(suite->name))
        return refuse(why, why_size,
                      "suite %s: expected a name of letters, digits and ._@-",
                      suite->name);
    for (uint32_t i = 0; i < at; i++)
        if (strcmp(t->suites[i]->name, suite->name) == 0)
            return refuse(why, why_size, "two suites have the name %s",
                          suite->name);
    return true;
}

static bool check_case(const struct bench_suite *suite,
                       const struct bench_case *c, size_t at, char *why,
                       size_t why_size)
{
    if (c->id == NULL)
        return refuse(why, why_size, "suite %s, case %zu: no id", suite->name,
                      at);
    if (!id_is_well_formed(c->id, suite->name))
        return refuse(why, why_size,
                      "case %s: expected an id \"%s/operation/input\" of "
                      "letters, digits and ._@-",
                      c->id, suite->name);
    if (c->run == NULL)
        return refuse(why, why_size, "case %s: no run function", c->id);
    if (c->tags != NULL && c->tags[strspn(c->tags, WORD " ")] != '\0')
        return refuse(why, why_size,
                      "case %s: tags \"%s\": expected words of letters, "
                      "digits and ._@- with blanks between",
                      c->id, c->tags);
    if (c->iters == 0 || c->iters > UINT64_C(1) << 40)
        return refuse(why, why_size,
                      "case %s: iters is %llu, expected 1 to 2^40", c->id,
                      (unsigned long long)c->iters);
    if (c->period != 0 && c->iters % c->period != 0)
        return refuse(why, why_size,
                      "case %s: iters %llu is no multiple of period %llu",
                      c->id, (unsigned long long)c->iters,
                      (unsigned long long)c->period);
    return true;
}

static bool check_table(const struct subject *s, const char *path, char *why,
                        size_t why_size)
{
    const struct bench_table *t = s->table;
    if (t->abi != BENCH_ABI)
        return refuse(why, why_size,
                      "%s: table version %u, this instrument reads version "
                      "%u: build the subject with this bench.h",
                      path, t->abi, BENCH_ABI);
    for (uint32_t i = 0; i < t->suite_count; i++)
        if (!check_suite(t, i, why, why_size))
            return false;
    for (uint32_t i = 0; i < t->suite_count; i++) {
        const struct bench_suite *suite = t->suites[i];
        for (size_t k = 0; k < suite->case_count; k++) {
            const struct bench_case *c = &suite->cases[k];
            if (!check_case(suite, c, k, why, why_size))
                return false;
            if (subject_find(s, c->id) != c)
                return refuse(why, why_size, "%s: two cases have the id %s",
                              path, c->id);
        }
    }
    return true;
}

bool subject_load(const char *path, unsigned slot, struct subject *s,
                  char *why, size_t why_size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return refuse(why, why_size, "%s: %s", path, strerror(errno));
    int fixed = FIRST_FD + (int)slot;
    if (fd != fixed) {
        if (dup2(fd, fixed) < 0)
            return refuse(why, why_size, "%s: %s", path, strerror(errno));
        close(fd);
    }
    snprintf(s->name, sizeof(s->name), "/proc/self/fd/%d", fixed);
    s->handle = dlopen(s->name, RTLD_NOW | RTLD_LOCAL);
    if (s->handle == NULL)
        return refuse(why, why_size, "%s: %s", path, dlerror());
    s->table = dlsym(s->handle, "plumb_subject");
    if (s->table == NULL)
        return refuse(why, why_size,
                      "%s: exports no plumb_subject: end one source file "
                      "with BENCH_SUBJECT()",
                      path);
    return check_table(s, path, why, why_size);
}

static bool loaded_as(const struct subject *s)
{
    Dl_info info;
    return dladdr((const void *)s->table, &info) != 0 &&
           strcmp(info.dli_fname, s->name) == 0;
}

bool subject_distinct(const struct subject *a, const struct subject *b,
                      char *why, size_t why_size)
{
    if (a->handle == b->handle || a->table == b->table)
        return refuse(why, why_size,
                      "both subjects are the same file: a link?");
    if (!loaded_as(a) || !loaded_as(b))
        return refuse(why, why_size,
                      "a subject's symbol comes from another file");
    a->table->mark(1);
    b->table->mark(2);
    if (a->table->mark(0) != 1 || b->table->mark(0) != 2)
        return refuse(why, why_size,
                      "a value kept in one subject shows in the other: "
                      "link with -Bsymbolic and without a SONAME");
    for (uint32_t i = 0; i < a->table->suite_count; i++) {
        const struct bench_suite *suite = a->table->suites[i];
        for (size_t k = 0; k < suite->case_count; k++) {
            const struct bench_case *c = &suite->cases[k];
            const struct bench_case *twin = subject_find(b, c->id);
            if (twin != NULL && twin->run == c->run)
                return refuse(why, why_size,
                              "case %s runs the same code in both", c->id);
        }
    }
    return true;
}

const struct bench_case *subject_find(const struct subject *s, const char *id)
{
    for (uint32_t i = 0; i < s->table->suite_count; i++) {
        const struct bench_suite *suite = s->table->suites[i];
        for (size_t k = 0; k < suite->case_count; k++) {
            const char *other = suite->cases[k].id;
            if (other != NULL && strcmp(other, id) == 0)
                return &suite->cases[k];
        }
    }
    return NULL;
}
