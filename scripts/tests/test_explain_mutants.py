"""A function slowed down at its entry is what `explain` names first.

On a project of a few functions here; `mutants.py` does it on our own.
"""

from __future__ import annotations

from pathlib import Path

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
PROVE = """
[prove]
files = ["lib/*.c"]
flavour = "plain"
build = ["sh", "mutant.sh", "{file}", "{flags}"]
subject = "out/mutant.so"
"""
FLAGS = "-O2 -g -fPIC -fvisibility=hidden -fno-ipa-ra"
BUILD = """
set -eu
mkdir -p "$1"
for f in lib/*.c cases.c; do
    gcc {flags} -I '{harness}' -c "$f" -o "$1/$(basename "$f" .c).o"
done
gcc -shared -Wl,-z,now -o "$1/suite.so" "$1"/*.o
"""
MUTANT = """
set -eu
rm -rf out/mutant; cp -r out/plain out/mutant; rm out/mutant/suite.so
gcc {flags} $2 -I '{harness}' -c "$1" -o "out/mutant/$(basename "$1" .c).o"
gcc -shared -Wl,-z,now -o out/mutant.so out/mutant/*.o
"""


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> project.Project:
    root = tmp_path_factory.mktemp("mutants") / "A project"
    made = foreign.make(root, SOURCE)
    (root / "lib").mkdir()
    (root / "lib" / "lib.c").write_text(LIB)
    harness = project.HOME / "cases" / "harness"
    for name, text in (("build.sh", BUILD), ("mutant.sh", MUTANT)):
        (root / name).write_text(text.format(flags=FLAGS, harness=harness))
    made.file.write_text(made.file.read_text() + PROVE)
    return project.load(root)


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
