"""Builds both sides of an explanation, and writes what comes beside it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path

from plumblib import (
    audit,
    base_side,
    certificate,
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
from plumblib.hunks import Difference
from plumblib.measure import Options
from plumblib.project import Instruments, Project
from plumblib.records import Certificate, Toolchain
from plumblib.side import Build, Side


@dataclass(frozen=True)
class Comparison:
    """Two builds that can be asked about any of their cases, or one."""

    project: Project
    tools: Instruments
    options: Options
    valgrind: Path
    base: Build | None
    head: Build
    context: Context

    def trial(
        self, case: str, metric: str, quick: bool = True, once: bool = False
    ) -> Trial:
        """Raises UsageError for a case that head does not have."""
        if case not in self.head.cases:
            near = get_close_matches(case, self.head.cases, n=3)
            hint = f"; near it: {', '.join(near)}" if near else ""
            raise UsageError(f"{case}: no such case{hint}")
        known = self.base is not None and case in self.base.cases
        return Trial(
            metric,
            self._side(self.base, case, once)
            if known and self.base
            else None,
            self._side(self.head, case, once),
            self._band(case),
            () if quick else PERTURBATIONS,
            self.options.jobs,
        )

    def explain(self, trial: Trial) -> Explanation:
        return explain.explain(trial, self.context)

    def _band(self, case: str) -> Fraction:
        """What layout alone moves a case by: as an audit of this very
        subject found, else as the one that was accepted certifies."""
        found = certificate.current(
            self.project, self.options.flavour, Certificate
        ) or certificate.accepted(
            self.project, self.head.toolchain.platform, Certificate
        )
        band = found.bands.get(case) if found else None
        return band.per_op if band else Fraction(0)

    def _side(self, build: Build, case: str, once: bool) -> Side:
        scratch = self.project.root / measure.SCRATCH
        return Side(
            build,
            audit.Bench(
                self.valgrind, self.tools.folder, scratch, build.subject
            ),
            instrument.Plan(
                build.subject,
                build.root,
                (case,),
                timeout=self.project.timeout,
            ),
            once,
        )


@contextmanager
def compare(
    project: Project, tools: Instruments, chosen: Options, ref: str | None
) -> Iterator[Comparison]:
    """Build head and base.  The caller holds the lock.

    Raises NoBase, with what to do, when there is nothing to compare with.
    """
    setting = base_side.set_up(project, tools, chosen, ref)
    said = measure.declared(project, tools, chosen)
    _, version = toolchain.find_valgrind()
    made = toolchain.detect(project, chosen.flavour, version, {})
    cases = tuple(case.id for case in said.cases)
    with of(setting, built(project, chosen, made, cases)) as found:
        yield found


def built(
    project: Project,
    chosen: Options,
    made: Toolchain,
    cases: tuple[str, ...],
) -> Build:
    """The working tree's side, which is built already."""
    subject = project.subject_path(chosen.flavour)
    return Build("head", subject, project.root, made, cases)


def alone(
    project: Project, tools: Instruments, chosen: Options, head: Build
) -> Comparison:
    """A head with nothing to compare it with."""
    valgrind, _ = toolchain.find_valgrind()
    context = Context(
        "the working tree alone",
        Difference(),
        _history(project, head.toolchain.platform),
    )
    return Comparison(project, tools, chosen, valgrind, None, head, context)


@contextmanager
def of(setting: Setting, head: Build) -> Iterator[Comparison]:
    """The comparison of a head that is built with the base of a setting,
    whose files are there as long."""
    project, tools = setting.project, setting.tools
    valgrind, _ = toolchain.find_valgrind()
    subject, made = base_side.subject(setting, head.toolchain)
    said = instrument.catalogue(tools.folder, subject)
    base = Build(
        "base",
        subject,
        setting.base_root,
        made,
        tuple(case.id for case in said.cases),
    )
    context = Context(
        setting.base.title,
        hunks.between(setting.repository, setting.base.commit),
        _history(project, head.toolchain.platform),
    )
    with base_side.checked_out(setting):
        yield Comparison(
            project,
            tools,
            setting.options,
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


def _history(project: Project, platform: str) -> history.History:
    return history.load(
        project.root / project.baselines / platform / history.FILE_NAME
    )
