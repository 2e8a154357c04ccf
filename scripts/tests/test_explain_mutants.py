"""A function slowed down at its entry is what `explain` names first.

On a project of a few functions here; `mutants.py` does it on our own.
"""

from __future__ import annotations

import foreign
import mutants
import pytest

from plumblib import project

SOURCE = """
uint64_t outer(uint64_t n);
static uint64_t run(void *state) { return outer(state != NULL); }
static uint64_t idle(void *state) { return state == NULL; }
static const struct bench_case cases[] = {
    {.id = "demo/run/x", .about = "", .iters = 10, .run = run},
    {.id = "demo/idle/x", .about = "", .iters = 10, .run = idle},
};
"""
# Two functions recur through each other, one by itself.
LIB = """
#include <stdint.h>
#define APART __attribute__((noinline, noclone))
uint64_t outer(uint64_t n);
APART static uint64_t odd(uint64_t n);
APART static uint64_t even(uint64_t n) { return n ? odd(n - 1) + 1 : 3; }
APART static uint64_t odd(uint64_t n) { return n ? even(n - 1) ^ 5 : 4; }
APART static uint64_t fib(uint64_t n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
APART static uint64_t leaf(uint64_t n) { return n * 7; }
uint64_t outer(uint64_t n)
{
    for (int i = 0; i < 3; i++)
        n += leaf(n);
    return n + even(6) + fib(7);
}
"""


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> project.Project:
    root = tmp_path_factory.mktemp("mutants") / "A project"
    return foreign.make_parts(root, SOURCE, lib=LIB)


def test_each_function_is_named_with_its_exact_cost(
    here: project.Project,
) -> None:
    found = list(mutants.examine(here, 20, seed=3))
    broken = {one.mutant.place.name for one in found}
    assert broken == {"outer", "even", "odd", "fib", "leaf"}
    assert [one.mutant for one in found if not one.named] == []
    calls = {one.mutant.place.name: one.mutant.calls for one in found}
    assert calls["even"] == 4 and calls["odd"] == 3 and calls["leaf"] == 3


def test_a_function_that_is_not_there_makes_no_mutant(
    here: project.Project,
) -> None:
    found = next(mutants.examine(here, 1, seed=3)).mutant
    missing = found.place._replace(name="nowhere")
    with pytest.raises(mutants.process.ToolError, match="functions are named"):
        mutants.build(
            here, mutants.Mutant(found.case, missing, 1, found.calls)
        )
