"""Where a command's measurement comes from: made now, or from a file."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path

from plumblib import codec, measure, project, recall
from plumblib.project import Project
from plumblib.records import Measurement


def add_source(parser: ArgumentParser) -> None:
    """-m FILE: `args.measurement` is a path or None."""
    parser.add_argument(
        "-m",
        "--measurement",
        metavar="FILE",
        type=Path,
        help="use a measurement that `plumb run -o FILE` made",
    )


def measurement(
    here: Project, args: Namespace, fresh: bool = False
) -> Measurement:
    """Measure the project, recall what was measured of the same bytes
    (not if `fresh`), or read a file.  The caller holds the lock."""
    wanted = measure.Options.of(args)
    if args.measurement is None:
        tools = project.instruments()
        return recall.measurement(here, tools, wanted, fresh)
    made = codec.load(args.measurement, Measurement)
    return replace(
        made,
        cases={
            case_id: case
            for case_id, case in made.cases.items()
            if wanted.wants(case.info)
        },
    )
