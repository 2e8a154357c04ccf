"""Where a command's measurement comes from: made now, or from a file."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path

from plumblib import codec, measure, project
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


def measurement(here: Project, args: Namespace) -> Measurement:
    """Measure the project, or read what was measured.  The caller holds
    the lock."""
    wanted = measure.Options.of(args)
    if args.measurement is None:
        return measure.measure(here, project.instruments(), wanted)
    made = codec.load(args.measurement, Measurement)
    return replace(
        made,
        cases={
            case_id: case
            for case_id, case in made.cases.items()
            if wanted.wants(case.info)
        },
    )
