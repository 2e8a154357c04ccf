"""One measurement: builds the subject, runs the instruments, assembles."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from plumblib import (
    collect_count,
    collect_probe,
    instrument,
    process,
    progress,
    revision,
    toolchain,
)
from plumblib.collect_count import Counted
from plumblib.collect_probe import Probed
from plumblib.errors import NotMeasured, UsageError
from plumblib.project import WORK, Command, Instruments, Project
from plumblib.records import CaseInfo, CaseResult, Figure, Measurement

SCRATCH = WORK  # run folders lie in it


class BuildFailed(NotMeasured):
    """A build command failed; the message has the end of its output."""


@dataclass(frozen=True)
class Options:
    """What is measured, and how."""

    flavour: str
    jobs: int
    pattern: re.Pattern[str] | None = None
    slow: bool = False

    @staticmethod
    def of(args: Namespace) -> Options:
        """From the options that add_measuring and add_filter give."""
        return Options(args.flavour, args.jobs, args.filter, args.slow)

    def wants(self, case: CaseInfo) -> bool:
        if case.slow and not self.slow:
            return False
        return self.pattern is None or bool(self.pattern.search(case.id))


def measure(
    project: Project, tools: Instruments, options: Options
) -> Measurement:
    """Build and measure a project; the caller holds the lock.

    The instruments may be another checkout's: both sides of a comparison
    are measured with the same.  Cases that could not be measured are in
    the result, with their failure.  Raises BuildFailed, NotMeasured and
    UsageError for what concerns all of them.
    """
    valgrind, version = toolchain.find_valgrind()
    said = declared(project, tools, options)
    infos = [case for case in said.cases if options.wants(case)]
    plan = instrument.Plan(
        subject=project.subject_path(options.flavour),
        root=project.root,
        cases=tuple(case.id for case in infos),
        jobs=options.jobs,
        timeout=project.timeout,
    )
    probed = _probe(tools, plan)
    counted = _count(tools, plan, valgrind)
    outside = _outside(counted.values(), project, tools)
    return Measurement(
        project=project.name,
        made_at=datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        revision=revision.read(project.root, plan.subject),
        toolchain=toolchain.detect(
            project, options.flavour, version, outside
        ),
        cases={
            info.id: _result(info, probed[info.id], counted[info.id], outside)
            for info in infos
        },
        claims=said.claims,
        declared=tuple(case.id for case in said.cases),
    )


def declared(
    project: Project, tools: Instruments, options: Options
) -> instrument.Catalogue:
    """Build subject and instruments, and ask the subject for its cases.

    Raises UsageError when a suite is missing that plumb.toml declares.
    """
    build_instruments(tools, options)
    build_subject(project, options)
    subject = project.subject_path(options.flavour)
    said = instrument.catalogue(tools.folder, subject)
    for suite in project.suites:
        if suite not in said.suites:
            raise UsageError(
                f"{project.file}: subject.suites: {suite!r} is not in"
                f" {subject}, which has: {', '.join(said.suites)}"
            )
    return said


def planned(
    project: Project,
    tools: Instruments,
    options: Options,
    brief: bool = False,
) -> instrument.Plan:
    """Build, and plan the cases that are wanted.  Raises UsageError when
    there is none."""
    said = declared(project, tools, options)
    cases = tuple(case.id for case in said.cases if options.wants(case))
    if not cases:
        raise UsageError("no case matches; `plumb list` names them")
    return instrument.Plan(
        project.subject_path(options.flavour),
        project.root,
        cases,
        options.jobs,
        project.timeout,
        brief=brief,
    )


def build_subject(project: Project, options: Options) -> None:
    """Bring the subject up to date.  Raises BuildFailed."""
    _build("the subject", project.root, project.build, options)
    subject = project.subject_path(options.flavour)
    if not subject.is_file():
        raise BuildFailed(
            f"{project.file}: subject.build made no {subject}, the"
            " subject.file"
        )


def build_instruments(tools: Instruments, options: Options) -> None:
    """Bring the instruments up to date.  Raises BuildFailed."""
    if tools.build.words:
        _build("the instruments", tools.root, tools.build, options)


def _build(what: str, root: Path, command: Command, options: Options) -> None:
    # Variables of a make around us would change this build.
    env = process.environment("MAKE")
    env.pop("MFLAGS", None)
    argv = command.argv(options.flavour, options.jobs)
    with progress.stage(f"building {what}"):
        try:
            process.run(argv, cwd=root, env=env, ends_with_us=True)
        except process.ToolError as error:
            raise BuildFailed(f"in {root}: {error}") from error


def _probe(tools: Instruments, plan: instrument.Plan) -> dict[str, Probed]:
    if not plan.cases:
        return {}
    with progress.stage("probing", len(plan.cases)) as done:
        return collect_probe.collect(tools.folder, plan, done)


def _count(
    tools: Instruments, plan: instrument.Plan, valgrind: Path
) -> dict[str, Counted]:
    if not plan.cases:
        return {}
    with progress.stage("counting", len(plan.cases)) as done:
        return collect_count.count(
            valgrind, tools.folder, plan, plan.root / SCRATCH, done
        )


def _outside(
    counted: Iterable[Counted], project: Project, tools: Instruments
) -> dict[Path, str]:
    """Shared objects of the system in which cases spent instructions,
    with the names under which records know them."""
    own = (project.root.resolve(), tools.root.resolve())
    found = {
        Path(name)
        for one in counted
        for name in one.objects
        if name.startswith("/")
    }
    return {
        path: path.name
        for path in sorted(found)
        if not any(path.is_relative_to(root) for root in own)
    }


def _result(
    info: CaseInfo,
    probed: Probed,
    counted: Counted,
    outside: dict[Path, str],
) -> CaseResult:
    failure = _failure(probed, counted)
    figures: dict[str, Figure] = {}
    if failure is None and counted.figure is not None:
        figures = {"instructions": counted.figure} | probed.figures
    return CaseResult(
        info=info,
        failure=failure,
        input=probed.input,
        work=probed.work,
        figures=figures,
        objects=tuple(
            sorted(
                outside[Path(name)]
                for name in counted.objects
                if Path(name) in outside
            )
        ),
        files=probed.files,
    )


def _failure(probed: Probed, counted: Counted) -> str | None:
    """Why there are no figures.  The same failure in both runs is told
    once; a value that differs means that they did not do the same."""
    if probed.failure is not None or counted.failure is not None:
        if probed.failure == counted.failure:
            return probed.failure
        both = (
            ("natively", probed.failure),
            ("under valgrind", counted.failure),
        )
        return "; ".join(f"{where}: {why}" for where, why in both if why)
    if probed.value != counted.value:
        return (
            f"run returned {probed.value} natively and {counted.value}"
            " under valgrind: does it depend on the processor or on an"
            " address?"
        )
    return None
