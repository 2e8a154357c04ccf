"""One side of a comparison under the magnifying glass: one case counted
again and again, each time to see something else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from plumblib import audit, code_identity, collect_probe, profiles, symbolize
from plumblib.code_identity import Code
from plumblib.collect_count import Counted
from plumblib.collect_probe import Probed
from plumblib.instrument import Plan
from plumblib.perturb import PERTURBATIONS, Perturbation
from plumblib.profiles import OpProfile
from plumblib.records import Figure, Finding, Toolchain
from plumblib.symbolize import Frames

AGAIN = next(how for how in PERTURBATIONS if how.name == "repeat")

_POSITIONS = ("--dump-instr=yes",)
# Each function once for each way to it.
_CONTEXTS = ("--dump-instr=no", "--separate-callers=200")


@dataclass(frozen=True)
class Build:
    """A subject that is built, and the cases that it declares.

    `root` is where it was built and where its cases find their files; its
    debug information may have that path.
    """

    name: str  # "base" or "head"
    subject: Path
    root: Path
    toolchain: Toolchain
    cases: tuple[str, ...]

    @cached_property
    def code(self) -> dict[str, list[Code]]:
        """The machine code of all functions."""
        return code_identity.read(self.subject)


@dataclass(frozen=True)
class Side:
    """The one case of a build that is looked at.

    `once`: one count, with addresses, serves for all others too.
    """

    build: Build
    bench: audit.Bench
    plan: Plan
    once: bool = False

    @property
    def name(self) -> str:
        return self.build.name

    @property
    def case(self) -> str:
        return self.plan.cases[0]

    @cached_property
    def probed(self) -> Probed:
        """Fingerprints and heap figures."""
        return self.probe_again()

    @cached_property
    def counted(self) -> Counted:
        """As `plumb run` counts it."""
        return self.located if self.once else self.count()

    @cached_property
    def located(self) -> Counted:
        """With the address of each cost."""
        return self.count(options=_POSITIONS)

    @cached_property
    def contexts(self) -> Counted:
        """With the callers of each function as part of its name."""
        return self.located if self.once else self.count(options=_CONTEXTS)

    @cached_property
    def profile(self) -> OpProfile:
        """Raises NotMeasured where the case was not counted."""
        return profiles.of(self.located, self.build.subject, self._frames)

    def figure(self, metric: str) -> Figure | None:
        """What one operation costs; None where it was not measured."""
        if metric == "instructions":
            return self.counted.figure
        return self.probed.figures.get(metric)

    @property
    def failure(self) -> str | None:
        return self.counted.failure or self.probed.failure

    def count(
        self,
        how: Perturbation = AGAIN,
        options: tuple[str, ...] = ("--dump-instr=no",),
    ) -> Counted:
        bench = replace(self.bench, options=options)
        return bench.count(self.plan, how, lambda case: None)[self.case]

    def probe_again(self) -> Probed:
        found = collect_probe.collect(
            self.bench.folder, self.plan, lambda case: None
        )
        return found[self.case]

    def findings(self, how: Perturbation, other: Counted) -> list[Finding]:
        """What a count under a perturbation shows against the plain one."""
        return audit.examine(
            {self.case: self.counted},
            {self.case: other},
            how,
            self.build.subject,
        )

    def _frames(self, addresses: list[int]) -> dict[int, Frames]:
        build = self.build
        return symbolize.frames(build.subject, addresses, build.root)
