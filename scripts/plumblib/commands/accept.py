"""plumb accept: make what is measured the new budgets."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Mapping
from pathlib import Path

from plumblib import (
    accepting,
    baseline,
    certificate,
    codec,
    files,
    history,
    lock,
    options,
    project,
    source,
    toolchain,
)
from plumblib.accepting import Wish
from plumblib.baseline import Baseline
from plumblib.errors import Exit, UsageError
from plumblib.limits import LimitTable
from plumblib.project import Project
from plumblib.records import Measurement


def add_parser(sub: _SubParsersAction) -> None:
    parser: ArgumentParser = sub.add_parser(
        "accept",
        description="Budgets go down, cases are added, and cases with other"
        " work are taken over; without -f, cases that are gone lose their"
        " budget. Up they go only with a reason, which is written beside"
        " the figure. All is accepted or nothing.",
    )
    options.add_filter(parser)
    options.add_measuring(parser)
    source.add_source(parser)
    parser.add_argument(
        "--allow-increase",
        action="store_true",
        help="let budgets go up; needs --why",
    )
    parser.add_argument(
        "--why", metavar="TEXT", default="", help="the reason for that"
    )
    parser.add_argument(
        "--new-toolchain",
        action="store_true",
        help="replace budgets that were made with another toolchain, whole"
        " suites at a time",
    )
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    """Ends with 1 when a budget would go up without a reason."""
    if args.allow_increase != bool(args.why.strip()):
        raise UsageError(
            "--allow-increase and --why belong together: budgets go up only"
            ' for a reason, --allow-increase --why "..."'
        )
    here = project.load(args.root)
    with lock.held(here.root, args.wait):
        # a bad file is told before minutes of measuring, not after
        baseline.load(_folder(here, toolchain.platform_key(args.flavour)))
        measured = source.measurement(here, args, fresh=True)
        if not measured.cases:
            raise UsageError(
                f"no case matches; `plumb list` names all"
                f" {len(measured.declared)}"
            )
        folder = _folder(here, measured.toolchain.platform)
        before = baseline.load(folder)
        wish = Wish(
            limits=LimitTable(here.limits),
            whole=args.filter is None,
            why=args.why.strip(),
            new_toolchain=args.new_toolchain,
        )
        accepted = accepting.accept(before, measured, wish)
        data: dict[Path, bytes] = {}
        if accepted.baselines != before:
            data = _budgets(folder, accepted.baselines, measured)
        if args.measurement is None:
            for kind in certificate.FILE_NAMES:
                data |= _certificate(here, folder, args.flavour, kind)
        files.write_all(data)
        for suite in before.keys() - accepted.baselines.keys():
            (folder / f"{suite}.json").unlink(missing_ok=True)
    for line in accepted.lines:
        print(line)
    if data:
        print(f"accepted into {folder.relative_to(here.root)}; commit it")
    else:
        print("the budgets stay as they are")
    return Exit.OK


def _folder(here: Project, platform: str) -> Path:
    return here.root / here.baselines / platform


def _budgets(
    folder: Path, after: Mapping[str, Baseline], measured: Measurement
) -> dict[Path, bytes]:
    """The files of the budgets, and the history with a line more."""
    log = folder / history.FILE_NAME
    extended, faults = history.extended(log, measured)
    for fault in faults:
        print(f"plumb: {fault.message}", file=sys.stderr)
    files_of_suites = {
        folder / name: text.encode()
        for name, text in baseline.texts(after).items()
    }
    return files_of_suites | {log: extended}


def _certificate(
    here: Project, folder: Path, flavour: str, kind: type
) -> dict[Path, bytes]:
    """The last audit or proof, where it is of what was measured and news."""
    made = certificate.current(here, flavour, kind)
    if made is None:
        return {}
    path = folder / certificate.FILE_NAMES[kind]
    data = files.json_text(codec.to_file(made)).encode()
    known = path.is_file() and path.read_bytes() == data
    return {} if known else {path: data}
