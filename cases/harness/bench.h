/* SPDX-License-Identifier: MIT */
/*
 * The one header of a case author.  Usable from C11 and C++17 (where g++'s
 * -Wextra wants -Wno-missing-field-initializers beside it).
 *
 * A project puts its cases, and the code they measure, into one shared
 * object that exports one symbol, the table made by BENCH_SUBJECT().  The
 * instruments (plumb-count, plumb-probe, plumb-wall) load that object and
 * measure each case; the object links nothing of theirs.
 *
 * A whole subject, as small as it can be:
 *
 *     #include "bench.h"
 *
 *     static const char text[] = "the quick brown fox";
 *
 *     static void *setup_text(const struct bench_setup *s)
 *     {
 *         return bench_input(s, text, sizeof(text));
 *     }
 *
 *     static uint64_t run_sum(void *state)
 *     {
 *         const unsigned char *p = (const unsigned char *)state;
 *         uint64_t sum = 0;
 *         for (size_t i = 0; i < sizeof(text); i++)
 *             sum = sum * 31 + p[i];
 *         return sum;
 *     }
 *
 *     static const struct bench_case cases[] = {
 *         {
 *             .id = "demo/sum/fox",
 *             .about = "polynomial sum of 20 bytes",
 *             .iters = 1000,
 *             .bytes = sizeof(text),
 *             .setup = setup_text,
 *             .run = run_sum,
 *         },
 *     };
 *
 *     static const struct bench_suite demo = BENCH_SUITE("demo", cases);
 *
 *     BENCH_SUBJECT(&demo);
 */
#ifndef PLUMB_BENCH_H
#define PLUMB_BENCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Version of the table below; an instrument refuses any other. */
#define BENCH_ABI 1u

/** Alignment in bytes of every buffer that an instrument hands out. */
#define BENCH_ALIGN 64

/**
 * What `setup` is given.  The struct, and what its functions return, belong
 * to the instrument; buffers live until after `teardown`.  Case authors call
 * the bench_* functions below instead of the members.
 */
struct bench_setup {
    uint64_t seed;   /* of the input: 0 when counting */
    const void *arg; /* the case's own `arg` */
    void *ctx;       /* the instrument's */
    void *(*buffer)(void *ctx, size_t size);
    void (*input)(void *ctx, const void *data, size_t size);
    void *(*file)(void *ctx, const char *path, size_t *size);
    void (*fail)(void *ctx, const char *why);
};

/** Where `work` puts all that one operation produced. */
struct bench_digest {
    void *ctx; /* the instrument's */
    void (*put)(void *ctx, const void *data, size_t size);
};

/**
 * One case: one operation on one input.
 *
 * `run` is called many times on one state, single-threaded.  It does one
 * operation, the measured work and nothing else, and returns a value that
 * depends on the work.  It reads no clock, no address and no environment,
 * and starts no thread and no process.
 */
struct bench_case {
    /** "suite/operation/input" of [A-Za-z0-9._@-]; kept for good. */
    const char *id;
    /** One line for people: what the input is, in numbers. */
    const char *about;
    /** Space-separated words, or NULL.  "slow": not in the default gate. */
    const char *tags;
    /** Operations in one counted block, a multiple of `period`; > 0. */
    uint64_t iters;
    /** Operations after which the cost repeats; 0 means 1. */
    uint64_t period;
    /** Input bytes of one operation, for rates; 0 when there is none. */
    uint64_t bytes;
    /** Make the state that `run` gets.  Unmeasured.  NULL: no state is
     * needed.  Returning NULL means failure, see bench_fail(). */
    void *(*setup)(const struct bench_setup *s);
    /** One operation.  Measured. */
    uint64_t (*run)(void *state);
    /** Do one operation and digest everything it produced.  Unmeasured.
     * NULL: the value that `run` returns says it all. */
    void (*work)(void *state, const struct bench_digest *d);
    /** Release the state; called once for each setup.  May be NULL. */
    void (*teardown)(void *state);
    /** Handed to `setup`. */
    const void *arg;
};

/**
 * A budget that holds on any machine: the cost of one case as a share of
 * another's, in the same run, in millionths.  min_ppm == max_ppm ==
 * 1,000,000 says that the two cost exactly the same.
 */
struct bench_claim {
    const char *id;      /* the case that is bounded */
    const char *against; /* the case it is measured against */
    const char *metric;  /* "instructions" when NULL */
    uint64_t min_ppm;    /* at least this share; 0: no lower bound */
    uint64_t max_ppm;    /* at most this share */
    const char *about;   /* why it should hold, one line */
};

/** The cases of one module, and what is claimed of them. */
struct bench_suite {
    const char *name; /* first part of each id */
    const struct bench_case *cases;
    size_t case_count;
    const struct bench_claim *claims; /* may be NULL */
    size_t claim_count;
};

/** What a subject exports as `plumb_subject`. */
struct bench_table {
    uint32_t abi;         /* BENCH_ABI */
    uint32_t suite_count; /* at `suites` */
    const struct bench_suite *const *suites;
    /** Keep a value inside the subject and give back the one before: two
     * loaded subjects that share it are one and the same. */
    uint64_t (*mark)(uint64_t value);
};

/** Initialiser of a suite without claims; `c` is an array of cases. */
#define BENCH_SUITE(suite_name, c)                                            \
    {                                                                         \
        (suite_name), (c), sizeof(c) / sizeof((c)[0]), NULL, 0                \
    }

/** Like BENCH_SUITE, but with an array of claims. */
#define BENCH_SUITE_CLAIMS(suite_name, c, k)                                  \
    {                                                                         \
        (suite_name), (c), sizeof(c) / sizeof((c)[0]), (k),                   \
            sizeof(k) / sizeof((k)[0])                                        \
    }

#ifdef __cplusplus
#define BENCH_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define BENCH_EXPORT extern __attribute__((visibility("default")))
#endif

/** Define the subject's one exported symbol; takes pointers to suites. */
#define BENCH_SUBJECT(...)                                                    \
    static uint64_t bench_subject_mark(uint64_t value)                        \
    {                                                                         \
        static uint64_t kept;                                                 \
        uint64_t before = kept;                                               \
        kept = value;                                                         \
        return before;                                                        \
    }                                                                         \
    static const struct bench_suite *const bench_subject_suites[] = {         \
        __VA_ARGS__};                                                         \
    BENCH_EXPORT const struct bench_table plumb_subject;                      \
    const struct bench_table plumb_subject = {                                \
        BENCH_ABI,                                                            \
        (uint32_t)(sizeof(bench_subject_suites) /                             \
                   sizeof(bench_subject_suites[0])),                          \
        bench_subject_suites, bench_subject_mark}

/** Zeroed memory, aligned to BENCH_ALIGN, released after teardown.  Never
 * NULL: where there is none, the case ends as not measured. */
static inline void *bench_buffer(const struct bench_setup *s, size_t size)
{
    return s->buffer(s->ctx, size);
}

/**
 * Declare what is the case's input: its digest is recorded, and a changed
 * input is never called faster or slower.  Gives an aligned copy, as
 * bench_buffer() does.  May be called several times.
 */
static inline void *bench_input(const struct bench_setup *s, const void *data,
                                size_t size)
{
    unsigned char *copy = (unsigned char *)s->buffer(s->ctx, size);
    const unsigned char *from = (const unsigned char *)data;
    for (size_t i = 0; i < size; i++)
        copy[i] = from[i];
    s->input(s->ctx, copy, size);
    return copy;
}

/** Like bench_input(), but for bytes that stand in a bench_buffer()
 * already: digests them, copies nothing. */
static inline void bench_input_here(const struct bench_setup *s,
                                    const void *data, size_t size)
{
    s->input(s->ctx, data, size);
}

/** A file, named from the project's root, as an input; *size is in bytes.
 * Where it cannot be read the case ends as not measured, with the name. */
static inline void *bench_file(const struct bench_setup *s, const char *path,
                               size_t *size)
{
    return s->file(s->ctx, path, size);
}

/** Say why setup failed; returns NULL, so `return bench_fail(s, "...")`. */
static inline void *bench_fail(const struct bench_setup *s, const char *why)
{
    s->fail(s->ctx, why);
    return NULL;
}

/** Add bytes to the work fingerprint. */
static inline void bench_digest(const struct bench_digest *d, const void *data,
                                size_t size)
{
    d->put(d->ctx, data, size);
}

/** Add a number to the work fingerprint. */
static inline void bench_digest_u64(const struct bench_digest *d,
                                    uint64_t value)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(value >> (8 * i));
    d->put(d->ctx, bytes, sizeof(bytes));
}

#ifdef __cplusplus
}
#endif

#endif
