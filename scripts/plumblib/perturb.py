"""The perturbations under which a count must stay what it is.

A *circumstance* is none of a case's business: environment, arguments,
clock, order, company.  Every difference under one is a fault.  *Layout*
is where stack, heap, buffers and code lie; honest library code may take
another path there (alignment of a copy, say), our own code may not.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from plumblib.instrument import Plan, Surroundings

CIRCUMSTANCE = "circumstance"
LAYOUT = "layout"

# Cases that sleep do so side by side, in more workers than cores.
_SLEEPERS = 16


@dataclass(frozen=True)
class Perturbation:
    """One change of a counting run, and what it stands for."""

    name: str
    kind: str  # CIRCUMSTANCE or LAYOUT
    about: str
    perturb: tuple[tuple[str, int], ...] = ()
    around: Surroundings = Surroundings()
    scale: int = 1
    jobs: int | None = None
    reverse: bool = False
    alone: bool = False  # each case in a server of its own
    moved: bool = False  # runs in another folder

    def plans(self, plan: Plan) -> list[Plan]:
        """The plan, changed; several where cases run alone."""
        cases = plan.cases[::-1] if self.reverse else plan.cases
        changed = replace(
            plan,
            cases=cases,
            jobs=self.jobs or plan.jobs,
            scale=plan.scale * self.scale,
            perturb=self.perturb,
        )
        if not self.alone:
            return [changed]
        return [replace(changed, cases=(case,), jobs=1) for case in cases]

    @contextmanager
    def surroundings(self, folder: Path) -> Iterator[Surroundings]:
        """What an instrument in `folder` is run with."""
        if not self.moved:
            yield self.around
            return
        elsewhere = Path(tempfile.mkdtemp(prefix="plumb-elsewhere-"))
        try:
            for program in folder.iterdir():
                os.symlink(program.resolve(), elsewhere / program.name)
            yield replace(self.around, folder=elsewhere)
        finally:
            shutil.rmtree(elsewhere, ignore_errors=True)


def _variables(count: int) -> tuple[str, ...]:
    return tuple(f"PLUMB_AUDIT_{i}={'x' * (i % 7)}" for i in range(count))


def _circumstance(name: str, about: str, **how: object) -> Perturbation:
    return Perturbation(name, CIRCUMSTANCE, about, **how)  # type: ignore


def _layout(name: str, about: str, **how: object) -> Perturbation:
    return Perturbation(name, LAYOUT, about, **how)  # type: ignore


PERTURBATIONS: tuple[Perturbation, ...] = (
    _circumstance("repeat", "the same run again"),
    _circumstance(
        "env-1",
        "one more environment variable",
        around=Surroundings(env=_variables(1)),
    ),
    _circumstance(
        "env-40",
        "forty more environment variables",
        around=Surroundings(env=_variables(40)),
    ),
    _circumstance(
        "arguments",
        "long arguments, and a longer name of the program",
        around=Surroundings(args=("x" * 3000, "y"), prefix="./././././"),
    ),
    _circumstance("folder", "another working directory", moved=True),
    _circumstance("alone", "each case in a process of its own", alone=True),
    _circumstance("reversed", "all cases in reversed order", reverse=True),
    _circumstance("one-worker", "one case at a time", jobs=1),
    _circumstance("doubled", "blocks of twice the operations", scale=2),
    _circumstance(
        "later",
        "every case starts 1.3 s later",
        perturb=(("delay-ms", 1300),),
        jobs=_SLEEPERS,
    ),
    _layout(
        "stack-16", "stack 16 bytes lower", perturb=(("stack-shift", 16),)
    ),
    _layout(
        "stack-4096",
        "stack 4,096 bytes lower",
        perturb=(("stack-shift", 4096),),
    ),
    _layout(
        "heap",
        "heap used and freed before setup",
        perturb=(("heap-dirt", 300),),
    ),
    _layout(
        "buffer-16", "buffers 16 bytes on", perturb=(("buffer-shift", 16),)
    ),
    _layout(
        "buffer-4096",
        "buffers 4,096 bytes on",
        perturb=(("buffer-shift", 4096),),
    ),
    _layout(
        "address",
        "the subject at another address",
        perturb=(("map-shift", 37),),
    ),
    _layout(
        "random-address",
        "everything at random addresses",
        around=Surroundings(aslr=True),
    ),
)
