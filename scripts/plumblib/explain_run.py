"""Builds both sides of an explanation, and writes what comes beside it."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path

from plumblib import (
    audit,
    base_side,
    certificate,
    codec,
    explain,
    files,
    flamegraph,
    history,
    hunks,
    instrument,
    measure,
    stacks,
    toolchain,
)
from plumblib.base_side import Setting
from plumblib.errors import UsageError
from plumblib.evidence import PERTURBATIONS, Trial
from plumblib.explain import Context
from plumblib.explanation import Explanation
from plumblib.measure import Options
from plumblib.project import Instruments, Project
from plumblib.records import Certificate, Toolchain
from plumblib.side import Side


@dataclass(frozen=True)
class Build:
    """One side, built, and the cases that it declares."""

    name: str
    subject: Path
    root: Path  # where it was built
    toolchain: Toolchain
    cases: tuple[str, ...]


@dataclass(frozen=True)
class Comparison:
    """Two builds that can be asked about any of their cases."""

    project: Project
    tools: Instruments
    flavour: str
    jobs: int
    valgrind: Path
    base: Build | None
    head: Build
    context: Context

    def trial(self, case: str, metric: str, quick: bool) -> Trial:
        """Raises UsageError for a case that head does not have."""
        if case not in self.head.cases:
            near = get_close_matches(case, self.head.cases, n=3)
            hint = f"; near it: {', '.join(near)}" if near else ""
            raise UsageError(f"{case}: no such case{hint}")
        known = self.base is not None and case in self.base.cases
        return Trial(
            metric,
            self._side(self.base, case) if known and self.base else None,
            self._side(self.head, case),
            self._band(case),
            () if quick else PERTURBATIONS,
            self.jobs,
        )

    def explain(self, trial: Trial) -> Explanation:
        return explain.explain(trial, self.context)

    def _band(self, case: str) -> Fraction:
        """What layout alone moves a case by: as an audit of this very
        subject found, else as the one that was accepted certifies."""
        project = self.project
        platform = self.head.toolchain.platform
        accepted = (
            project.root / project.baselines / platform / certificate.FILE_NAME
        )
        found = certificate.current(project, self.flavour)
        if found is None and accepted.is_file():
            found = codec.load(accepted, Certificate)
        band = found.bands.get(case) if found else None
        return band.per_op if band else Fraction(0)

    def _side(self, build: Build, case: str) -> Side:
        scratch = self.project.root / measure.SCRATCH
        scratch.mkdir(parents=True, exist_ok=True)
        return Side(
            build.name,
            audit.Bench(
                self.valgrind, self.tools.folder, scratch, build.subject
            ),
            instrument.Plan(
                build.subject,
                self.project.root,
                (case,),
                timeout=self.project.timeout,
            ),
            build.root,
            build.toolchain,
        )


def compare(
    project: Project, tools: Instruments, chosen: Options, ref: str | None
) -> Comparison:
    """Build head and base.  The caller holds the lock.

    Raises NoBase, with what to do, when there is nothing to compare with.
    """
    setting = base_side.set_up(project, tools, chosen, ref)
    return of(setting, _head(project, tools, chosen))


def of(setting: Setting, head: Build) -> Comparison:
    """The comparison of a head that is built with the base of a setting."""
    project, tools = setting.project, setting.tools
    valgrind, _ = toolchain.find_valgrind()
    subject, made = base_side.subject(setting, head.toolchain)
    base = Build(
        "base",
        subject,
        setting.base_root,
        made,
        _cases(instrument.catalogue(tools.folder, subject)),
    )
    context = Context(
        setting.base.title,
        hunks.between(setting.repository, setting.base.commit),
        _history(project, head.toolchain.platform),
    )
    return Comparison(
        project,
        tools,
        setting.options.flavour,
        setting.options.jobs,
        valgrind,
        base,
        head,
        context,
    )


def pictures(trial: Trial, title: str, beside: Path) -> list[Path]:
    """Write flame graph and stacks to files that begin with `beside`;
    without a base the graph shows head against itself."""
    found = {side.name: stacks.of(side.contexts) for side in trial.sides}
    head = found["head"]
    base = found.get("base", head)
    made = {
        f".{name}.collapsed": stacks.collapsed(
            one, trial.head.contexts.ops
        )
        for name, one in found.items()
    }
    made[".flame.svg"] = flamegraph.svg(title, base, head)
    made[".speedscope.json"] = files.json_text(
        stacks.speedscope(trial.head.case, found)
    )
    paths = []
    for ending, text in sorted(made.items()):
        path = beside.with_name(beside.name + ending)
        files.write_text(path, text)
        paths.append(path)
    return paths


def _head(project: Project, tools: Instruments, chosen: Options) -> Build:
    said = measure.declared(project, tools, chosen)
    _, version = toolchain.find_valgrind()
    return Build(
        "head",
        project.subject_path(chosen.flavour),
        project.root,
        toolchain.detect(project, chosen.flavour, version, {}),
        _cases(said),
    )


def _cases(said: instrument.Catalogue) -> tuple[str, ...]:
    return tuple(case.id for case in said.cases)


def _history(project: Project, platform: str) -> history.History:
    return history.load(
        project.root / project.baselines / platform / history.FILE_NAME
    )
