"""The audit on planted cases: each kind of hidden input must be caught,
with the function named, and honest code must pass."""

from __future__ import annotations

import json

import pytest

import foreign
from plumblib.cli import main

SOURCE = """
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define NOINLINE __attribute__((noinline))

/** Costs n instructions and some. */
static inline __attribute__((always_inline)) uint64_t burn(uint64_t n)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++)
        __asm__ volatile("" : "+r"(sum));
    return sum;
}

static NOINLINE uint64_t honest(void *s)
{
    (void)s;
    return burn(100) + 1;
}

/* A hash seeded by where the stack is. */
static NOINLINE uint64_t stack_seeded(void *s)
{
    volatile char here = 0;
    (void)s;
    return burn(((uintptr_t)&here >> 4) % 97) + 1;
}

/* One seeded by where the heap is. */
static void *setup_block(const struct bench_setup *s)
{
    (void)s;
    return malloc(100);
}
static NOINLINE uint64_t heap_seeded(void *s)
{
    return burn(((uintptr_t)s >> 4) % 97) + 1;
}

static NOINLINE uint64_t clock_branch(void *s)
{
    struct timespec now;
    (void)s;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return burn((uint64_t)(now.tv_nsec / 4000000) % 97) + 1;
}

extern char **environ;
static NOINLINE uint64_t environ_loop(void *s)
{
    uint64_t n = 0;
    (void)s;
    for (char **e = environ; *e != NULL; e++)
        n++;
    return n;
}

extern char *program_invocation_name;
static NOINLINE uint64_t program_name(void *s)
{
    (void)s;
    return burn(strlen(program_invocation_name)) + 1;
}

/* Grows by doubling: cheap but for now and then. */
static uint64_t *items;
static size_t item_count, item_room;
static NOINLINE uint64_t vector_push(void *s)
{
    (void)s;
    if (item_count == item_room) {
        item_room = item_room ? 2 * item_room : 4;
        items = realloc(items, item_room * sizeof(*items));
    }
    items[item_count++] = burn(1);
    return item_count;
}

static NOINLINE uint64_t time_random(void *s)
{
    (void)s;
    srand((unsigned)time(NULL));
    return burn((uint64_t)rand() % 97) + 1;
}

#define CASE(fn) {.id = "demo/" #fn, .about = "", .iters = 50, .run = fn}
static const struct bench_case cases[] = {
    CASE(honest), CASE(stack_seeded), CASE(clock_branch),
    CASE(environ_loop), CASE(program_name), CASE(vector_push),
    CASE(time_random),
    {.id = "demo/heap_seeded", .about = "", .iters = 50, .setup = setup_block,
     .run = heap_seeded, .teardown = free},
};
"""
PLANTED = ("stack_seeded", "heap_seeded", "clock_branch", "environ_loop",
           "program_name", "vector_push", "time_random")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> dict:
    root = tmp_path_factory.mktemp("audit")
    foreign.make(root, SOURCE)
    out = root / "audit.json"
    assert main(["-C", str(root), "audit", "-o", str(out)]) == 1
    return json.loads(out.read_text())


@pytest.mark.parametrize("name", PLANTED)
def test_each_planted_case_is_caught_and_named(certificate, name):
    faults = [one for one in certificate["findings"]
              if one["case"] == f"demo/{name}" and one["fault"]]
    assert faults
    named = [one for one in faults if name in one["why"]]
    assert named, faults
    assert f"demo/{name}" not in certificate["bands"]


def test_honest_code_passes(certificate):
    assert not [one for one in certificate["findings"]
                if one["case"] == "demo/honest"]
