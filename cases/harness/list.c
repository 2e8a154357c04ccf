/* SPDX-License-Identifier: MIT */
#include "harness/list.h"

#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "harness/json_out.h"
#include "harness/subject.h"

static void put_field(const char *key, const char *value)
{
    printf("\"%s\": ", key);
    json_out_string(stdout, value != NULL ? value : "");
}

static void put_tags(const char *tags)
{
    const char *comma = "";
    const char *p = tags != NULL ? tags : "";
    fputs("\"tags\": [", stdout);
    for (p += strspn(p, " "); *p != '\0'; p += strspn(p, " ")) {
        int size = (int)strcspn(p, " ");
        printf("%s\"%.*s\"", comma, size, p);
        comma = ", ";
        p += size;
    }
    putchar(']');
}

static void put_case(const struct bench_case *c)
{
    fputs("\n    {", stdout);
    put_field("id", c->id);
    fputs(", ", stdout);
    put_field("about", c->about);
    fputs(", ", stdout);
    put_tags(c->tags);
    printf(", \"iters\": %" PRIu64 ", \"period\": %" PRIu64
           ", \"bytes\": %" PRIu64 "}",
           c->iters, c->period != 0 ? c->period : 1, c->bytes);
}

static void put_claim(const struct bench_claim *k)
{
    fputs("\n    {", stdout);
    put_field("id", k->id);
    fputs(", ", stdout);
    put_field("against", k->against);
    fputs(", ", stdout);
    put_field("metric", k->metric != NULL ? k->metric : "instructions");
    printf(", \"min_ppm\": %" PRIu64 ", \"max_ppm\": %" PRIu64 ", ",
           k->min_ppm, k->max_ppm);
    put_field("about", k->about);
    putchar('}');
}

static void put_suite(const struct bench_suite *suite)
{
    fputs("\n  {", stdout);
    put_field("name", suite->name);
    fputs(", \"cases\": [", stdout);
    for (size_t i = 0; i < suite->case_count; i++) {
        fputs(i > 0 ? "," : "", stdout);
        put_case(&suite->cases[i]);
    }
    fputs("], \"claims\": [", stdout);
    for (size_t i = 0; i < suite->claim_count; i++) {
        fputs(i > 0 ? "," : "", stdout);
        put_claim(&suite->claims[i]);
    }
    fputs("]}", stdout);
}

/** One library that is loaded; `data` is the subject. */
static int put_library(struct dl_phdr_info *info, size_t size, void *data)
{
    static const char *comma = "";
    const struct subject *s = data;
    (void)size;
    if (info->dlpi_name[0] != '/' || strcmp(info->dlpi_name, s->name) == 0)
        return 0; /* this program, the kernel's own, or the subject */
    fputs(comma, stdout);
    json_out_string(stdout, info->dlpi_name);
    comma = ", ";
    return 0;
}

int list_subject(const char *path)
{
    struct subject s;
    char why[512];
    if (!subject_load(path, 0, &s, why, sizeof(why))) {
        fprintf(stderr, "%s\n", why);
        return 2;
    }
    printf("{\"abi\": %u, \"suites\": [", s.table->abi);
    for (uint32_t i = 0; i < s.table->suite_count; i++) {
        fputs(i > 0 ? "," : "", stdout);
        put_suite(s.table->suites[i]);
    }
    fputs("\n], \"libraries\": [", stdout);
    dl_iterate_phdr(put_library, &s);
    puts("]}");
    return 0;
}
