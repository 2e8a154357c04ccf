#!/usr/bin/python3
"""Does `explain` name the function that was slowed down?  A figure.

Functions are chosen by a seed among all that some cases call, broken one
at a time by a few nops at the entry, and explained.  Needs the [prove]
table of plumb.toml, which says how to compile one file otherwise.

Usage: mutants.py [COUNT [SEED]]      Exit: 0 when all were named first.
"""

from __future__ import annotations

import random
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

TESTS = Path(__file__).resolve().parent
sys.path.insert(0, str(TESTS.parent))

from plumblib import (  # noqa: E402
    explain_run,
    lock,
    measure,
    process,
    project,
    toolchain,
)
from plumblib.explain_run import Comparison  # noqa: E402
from plumblib.explanation import Explanation  # noqa: E402
from plumblib.profiles import OWN, Place  # noqa: E402
from plumblib.project import Project  # noqa: E402
from plumblib.side import Build, Side  # noqa: E402

SIZES = (1, 2, 8)
CASES = 12  # that functions are looked for in


@dataclass(frozen=True)
class Mutant:
    """One function, slowed down by `size` instructions a call."""

    case: str
    place: Place
    size: int
    calls: Fraction


@dataclass(frozen=True)
class Finding:
    """What was found out about a mutant."""

    mutant: Mutant
    told: Explanation

    @property
    def named(self) -> bool:
        """The function is the first row, with the exact change."""
        first = self.told.rows[0] if self.told.rows else None
        return (
            first is not None
            and (first.name, first.file) == self.mutant.place[3:1:-1]
            and first.by_cost == self.told.change
            and first.by_calls == 0
            and first.change == self.mutant.size * self.mutant.calls
            and self.mutant.place.name in self.told.sentence
        )


def examine(here: Project, count: int, seed: int) -> Iterator[Finding]:
    """Break and explain; the caller holds the lock."""
    assert here.prove is not None
    chosen = measure.Options(here.prove.flavour, jobs=2)
    tools = project.instruments()
    said = measure.declared(here, tools, chosen)
    _, version = toolchain.find_valgrind()
    made = toolchain.detect(here, chosen.flavour, version, {})
    ids = tuple(case.id for case in said.cases if chosen.wants(case))
    plain = Build(
        "base", here.subject_path(chosen.flavour), here.root, made, ids
    )
    picked = random.Random(seed)
    cases = picked.sample(ids, min(CASES, len(ids)))
    sides = {
        case: explain_run.alone(here, tools, chosen, plain)
        .trial(case, "instructions", once=True).head
        for case in cases
    }
    for mutant in _choose(here, sides, count, picked):
        build(here, mutant)
        broken = Build(
            "head", here.root / here.prove.subject, here.root, made, ids
        )
        alone = explain_run.alone(here, tools, chosen, broken)
        yield Finding(mutant, _explain(alone, sides[mutant.case], mutant))


def build(here: Project, mutant: Mutant) -> None:
    """Compile one file with its function slowed down."""
    assert here.prove is not None
    # a relative path has no space in it, wherever the checkout is
    wrapper = measure.SCRATCH / "nops.py"
    shutil.copy(TESTS / "nops.py", here.root / wrapper)
    flags = f"-wrapper ./{wrapper},{mutant.place.name},{mutant.size}"
    argv = here.prove.build.argv(
        here.prove.flavour, 2, file=mutant.place.file, flags=flags
    )
    process.run(argv, cwd=here.root, env=process.environment("MAKE"))


def _choose(
    here: Project, sides: dict[str, Side], count: int, picked: random.Random
) -> list[Mutant]:
    """Mutants of functions that a case calls, and that one file has."""
    assert here.prove is not None
    files = {
        str(path.relative_to(here.root))
        for glob in here.prove.files
        for path in here.root.glob(glob)
    }
    known = sorted(
        (case, place, cost.calls)
        for case, side in sides.items()
        for place, cost in side.profile.functions.items()
        if place.part == OWN and cost.calls and place.file in files
    )
    chosen = picked.sample(known, min(count, len(known)))
    return [
        Mutant(case, place, picked.choice(SIZES), calls)
        for case, place, calls in chosen
    ]


def _explain(head: Comparison, base: Side, mutant: Mutant) -> Explanation:
    trial = head.trial(mutant.case, "instructions", once=True)
    return head.explain(replace(trial, base=base))


def main(argv: list[str]) -> int:
    count = int(argv[0]) if argv else 20
    seed = int(argv[1]) if argv[1:] else 1
    here = project.load()
    named = total = 0
    with lock.held(here.root, True):
        for found in examine(here, count, seed):
            mutant, first = found.mutant, found.told.rows[:1]
            total += 1
            named += found.named
            print(
                f"{'named ' if found.named else 'MISSED'} {mutant.case}:"
                f" {mutant.place.name} +{mutant.size} x {mutant.calls},"
                f" first row {first[0].name if first else 'none'}"
                f" {first[0].change if first else ''}",
                flush=True,
            )
    print(f"{named} of {total} mutants: the mutated function is first")
    return 0 if named == total > 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
