"""plumb history: what each case cost, accept after accept."""

from __future__ import annotations

import shutil
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from plumblib import (
    backfill,
    codec,
    files,
    git,
    history,
    lock,
    numerals,
    options,
    plot_history,
    project,
    toolchain,
)
from plumblib.errors import Exit, PlumbError, UsageError
from plumblib.measure import Options
from plumblib.records import METRICS, Measurement
from plumblib.series import Series, case_ids, metric_named, series


def add_parser(sub: Any) -> None:
    parser = sub.add_parser(
        "history",
        description="What each case cost, accept after accept. Lines that"
        " cannot be read are named on stderr, and the command then ends"
        " with 2, having done the rest.",
    )
    verbs = parser.add_subparsers(metavar="VERB", required=True)

    show = verbs.add_parser("show", help="print figures as a table")
    show.add_argument("case", metavar="CASE", nargs="?")
    options.add_filter(show)
    options.add_json(show)
    _add_metric(show)
    _add_platform(show)
    show.set_defaults(run=_show)

    plot = verbs.add_parser("plot", help="draw a case")
    plot.add_argument("case", metavar="CASE")
    plot.add_argument(
        "--term", action="store_true", help="draw in the terminal"
    )
    options.add_output(plot, "the SVG (default: build/history/CASE.svg)")
    _add_metric(plot)
    _add_platform(plot)
    plot.set_defaults(run=_plot)

    record = verbs.add_parser(
        "record", help="append a measurement that was not accepted"
    )
    record.add_argument("measurement", metavar="FILE.json", type=Path)
    record.add_argument(
        "--date",
        type=_date,
        help="when it was true, as 2026-01-31T12:00:00Z (default: when it"
        " was measured)",
    )
    record.set_defaults(run=_record)

    fill = verbs.add_parser(
        "backfill",
        help="measure commits of the past and record them",
        description="Each commit without a line is built and measured as"
        " it was, with today's instruments, and recorded under its own"
        " date. Commits that cannot be measured are named and left out.",
    )
    fill.add_argument(
        "commits",
        metavar="RANGE",
        nargs="?",
        default="HEAD",
        help="as git names it, v1..main for example (default: all of HEAD)",
    )
    fill.add_argument(
        "-n",
        "--newest",
        metavar="N",
        type=options.count,
        help="only the newest N of them",
    )
    options.add_filter(fill)
    options.add_measuring(fill)
    fill.set_defaults(run=_backfill)

    repair = verbs.add_parser(
        "repair", help="move lines that cannot be read to a file beside"
    )
    _add_platform(repair)
    repair.set_defaults(run=_repair)


def _add_metric(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--metric",
        choices=[metric.name for metric in METRICS],
        default=METRICS[0].name,
        help="default: %(default)s",
    )


def _add_platform(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--platform",
        metavar="NAME",
        help="a folder of the baselines (default: the only one)",
    )


def _show(args: Namespace) -> int:
    if (args.case is None) == (args.filter is None):
        raise UsageError("history show: give a CASE or -f REGEX, not both")
    known = history.load(_path(args))
    if args.case is None:
        ids = case_ids(known, args.filter)
        if not ids:
            raise UsageError(f"no case matches {args.filter.pattern!r}")
    else:
        ids = [_known(args.case, known)]
    metric = metric_named(args.metric)
    found = [series(known, name, metric) for name in ids]
    if args.json:
        sys.stdout.write(files.json_text(codec.encode(found)))
    else:
        print("\n\n".join(table(each) for each in found))
    return _reported(known.faults)


def _plot(args: Namespace) -> int:
    known = history.load(_path(args))
    found = series(
        known, _known(args.case, known), metric_named(args.metric)
    )
    if args.term:
        columns, rows = shutil.get_terminal_size((80, 24))
        sys.stdout.write(
            plot_history.text(found, min(columns, 120), min(rows - 2, 24))
        )
    else:
        path = args.output or _default_picture(args)
        files.write_text(path, plot_history.svg(found))
        print(path)
    return _reported(known.faults)


def _record(args: Namespace) -> int:
    here = project.load(args.root)
    measured = codec.load(args.measurement, Measurement)
    folder = here.root / here.baselines / measured.toolchain.platform
    path = folder / history.FILE_NAME
    with lock.held(here.root):
        faults = history.append(path, measured, args.date)
    left_out = sorted(
        name
        for name, case in measured.cases.items()
        if case.failure is not None
    )
    if left_out:
        print(
            f"plumb: not measured, left out: {', '.join(left_out)}",
            file=sys.stderr,
        )
    print(path)
    return _reported(faults)


def _backfill(args: Namespace) -> int:
    """Ends with 3 when a commit was left out."""
    here = project.load(args.root)
    repository = git.find(here.root)
    platform = toolchain.platform_key(args.flavour)
    path = here.root / here.baselines / platform / history.FILE_NAME
    left_out = 0
    with lock.held(here.root, args.wait):
        known = history.load(path)
        past = backfill.missing(
            backfill.commits(repository, args.commits, args.newest), known
        )
        for one, made in backfill.measured(
            past, repository, here, project.instruments(), Options.of(args)
        ):
            try:
                if isinstance(made, PlumbError):
                    raise made
                history.append(path, made, one.date)
                print(f"{one.commit[:7]} recorded: {len(made.cases)} cases")
            except PlumbError as error:
                left_out += 1
                print(f"{one.commit[:7]} left out: {error}", file=sys.stderr)
    print(path)
    faulty = _reported(known.faults)
    return Exit.NO_ANSWER if left_out else faulty


def _repair(args: Namespace) -> int:
    path = _path(args)
    with lock.held(project.load(args.root).root):
        faults, beside = history.repair(path)
    for fault in faults:
        print(fault.message)
    print(
        f"moved {len(faults)} to {beside}" if faults else f"{path}: all good"
    )
    return Exit.OK


def table(found: Series) -> str:
    """One line a point: date, commit, cost, and how it moved."""
    lines = [f"{found.case}, {found.metric.about} ({found.metric.unit})"]
    before = None
    for point in found.points:
        cost = point.figure.per_op
        shown = numerals.plain(cost)
        words = [f"{point.date[:10]}  {point.commit:<9} {shown:>16}"]
        if before is not None and cost != before:
            words.append(numerals.percent(cost - before, before))
        if point.figure.residual:
            words.append(f"unsteady by {point.figure.residual}")
        if point.changed:
            words.append(f"other {', '.join(point.changed)}")
        lines.append("  ".join(words))
        before = cost
    if not found.points:
        lines.append("nothing recorded yet")
    return "\n".join(lines)


def _known(case: str, known: history.History) -> str:
    """The case itself.  One that nothing is known of is taken for a
    mistake, unless nothing is known at all."""
    ids = case_ids(known)
    if ids and case not in ids:
        near = get_close_matches(case, ids, n=3)
        hint = f"; near it: {', '.join(near)}" if near else ""
        raise UsageError(f"{case}: not in the history{hint}")
    return case


def _path(args: Namespace) -> Path:
    """The history of the platform that is meant."""
    here = project.load(args.root)
    folder = here.root / here.baselines
    if args.platform is not None:
        if not (folder / args.platform).is_dir():
            raise UsageError(f"{folder / args.platform}: no such platform")
        return folder / args.platform / history.FILE_NAME
    found = sorted(folder.glob(f"*/{history.FILE_NAME}"))
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(
            f"{folder}: no platform has a history yet; `plumb accept` starts"
            " one"
        )
    names = ", ".join(path.parent.name for path in found)
    raise UsageError(f"several histories, choose with --platform: {names}")


def _default_picture(args: Namespace) -> Path:
    root = project.load(args.root).root
    suffix = "" if args.metric == METRICS[0].name else f".{args.metric}"
    name = args.case.replace("/", "_")
    return root / "build" / "history" / f"{name}{suffix}.svg"


def _date(text: str) -> str:
    form = "%Y-%m-%dT%H:%M:%SZ"
    try:
        return datetime.strptime(text, form).strftime(form)
    except ValueError as error:
        raise ArgumentTypeError(
            f"{text!r}: expected a time as 2026-01-31T12:00:00Z"
        ) from error


def _reported(faults: tuple[history.Fault, ...]) -> Exit:
    for fault in faults:
        print(f"plumb: {fault.message}", file=sys.stderr)
    if faults:
        print(
            "plumb: `plumb history repair` sets such lines aside",
            file=sys.stderr,
        )
    return Exit.USAGE if faults else Exit.OK
