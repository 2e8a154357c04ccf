/* One case whose operation recurs in three ways; see README.md. */
#include <stdlib.h>
#include <string.h>

#include "harness/bench.h"
#include "twist.h"

#define APART __attribute__((noinline))

APART static unsigned odd(unsigned n, unsigned *sum);

APART static unsigned even(unsigned n, unsigned *sum)
{
    *sum += twist(n);
    return n == 0 ? 1 : odd(n - 1, sum) + 1;
}

APART static unsigned odd(unsigned n, unsigned *sum)
{
    *sum ^= n;
    return n == 0 ? 0 : even(n - 1, sum) + 2;
}

APART static unsigned fib(unsigned n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

APART static unsigned mix(unsigned n)
{
    n = twist(n);
    return twist(n) + 1;
}

static uint64_t run(void *state)
{
    unsigned sum = (unsigned)(uintptr_t)state;
    unsigned rounds = 6;
    for (unsigned i = 0; i < rounds; i++)
        sum += mix(i);
    char *copy = strdup("a text of some length");
    sum += (unsigned char)copy[3];
    free(copy);
    return even(6, &sum) + fib(5) + sum;
}

static const struct bench_case cases[] = {
    {.id = "demo/all/one", .about = "all of it", .iters = 10, .run = run},
};

static const struct bench_suite demo = BENCH_SUITE("demo", cases);
BENCH_SUBJECT(&demo);
