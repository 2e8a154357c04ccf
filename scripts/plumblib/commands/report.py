"""plumb report: the page for people, and the Markdown that is committed."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from plumblib import (
    codec,
    files,
    gating,
    history,
    lock,
    options,
    progress,
    project,
    report_html,
    source,
    standards,
    trust,
    walltime,
)
from plumblib.errors import Exit, UsageError
from plumblib.project import Project
from plumblib.records import Outcome, Report
from plumblib.report_html import Subject

PAGE = Path("build") / "report" / "index.html"
LATEST = Path("reports") / "latest.md"


def add_parser(sub: Any) -> None:
    parser = sub.add_parser(
        "report",
        description=f"Measure the working tree, compare it with its"
        f" committed budgets, and write {PAGE}, one file that needs no"
        f" network, and {LATEST}. With --verdict nothing is measured. What"
        " is not the whole of a gate (-f, vs-base) is not written to"
        f" {LATEST}.",
    )
    parser.add_argument(
        "--verdict",
        metavar="FILE",
        type=Path,
        help="show a verdict that `plumb gate -o FILE.json` or `plumb"
        " vs-base -o FILE.json` wrote",
    )
    parser.add_argument(
        "--wall",
        action="store_true",
        help="time the cases too, by plumb-wall, and show that beside the"
        " counts",
    )
    options.add_filter(parser)
    options.add_measuring(parser)
    source.add_source(parser)
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    """Ends with 0 when all was measured, whatever the verdict: `plumb
    gate` judges."""
    if args.verdict is not None and args.filter is not None:
        raise UsageError("report: -f chooses what to measure, not --verdict")
    if args.wall and (args.verdict or args.measurement):
        raise UsageError(
            "report: --wall times the cases beside counting them, so it goes"
            " neither with --verdict nor with -m"
        )
    here = project.load(args.root)
    with lock.held(here.root, args.wait):
        subject = _subject(here, args)
        written = {PAGE: report_html.html(subject)}
        if args.filter is None and subject.report.kind == "gate":
            written[LATEST] = report_html.markdown(subject)
        files.write_all(
            {here.root / path: text.encode() for path, text in written.items()}
        )
    for path in written:
        print(here.root / path)
    failed = any(
        row.outcome is Outcome.NOT_MEASURED for row in subject.report.cases
    )
    return Exit.NO_ANSWER if failed else Exit.OK


def _subject(here: Project, args: Namespace) -> Subject:
    about = {}
    if args.verdict is None or args.measurement is not None:
        measured = source.measurement(here, args)
        about = {
            name: case.info.about for name, case in measured.cases.items()
        }
    if args.verdict is not None:
        report = codec.load(args.verdict, Report)
    else:
        platform = measured.toolchain.platform
        report = gating.compare(
            measured,
            standards.here(here, platform),
            f"{here.name} against its committed budgets for {platform}",
            strict=False,
            wanted=args.filter,
        )
    folder = here.root / here.baselines / report.toolchain.platform
    return Subject(
        project=here.name,
        report=report,
        history=history.load(folder / history.FILE_NAME),
        about=about,
        plumb="scripts/plumb" if here.root == project.HOME else "plumb",
        times=_times(here, args, about) if args.wall else None,
        trust=trust.sections(
            here, report.toolchain.platform, args.flavour
        ),
    )


def _times(
    here: Project, args: Namespace, ids: Iterable[str]
) -> walltime.Times:
    progress.note("timing the cases with plumb-wall")
    return walltime.collect(
        project.instruments().folder,
        here.subject_path(args.flavour),
        here.root,
        ids,
    )
