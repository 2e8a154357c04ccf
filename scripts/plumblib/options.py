"""Options that several commands share, so that they mean the same."""

from __future__ import annotations

import os
import re
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path

DEFAULT_FLAVOUR = "release"
MOST_JOBS = 256  # what the instruments' plan takes


def add_filter(parser: ArgumentParser) -> None:
    """-f REGEX: `args.filter` is a compiled pattern or None."""
    parser.add_argument(
        "-f",
        "--filter",
        metavar="REGEX",
        type=_pattern,
        help="only cases whose id contains a match",
    )


def add_json(parser: ArgumentParser) -> None:
    """--json: `args.json`."""
    parser.add_argument(
        "--json", action="store_true", help="print the record as JSON"
    )


def add_output(parser: ArgumentParser, what: str) -> None:
    """-o FILE: `args.output` is a path or None."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=Path,
        help=f"write {what} to FILE",
    )


def add_measuring(parser: ArgumentParser) -> None:
    """What each command that measures takes: `args.jobs`, `.flavour`,
    `.slow`, `.wait`."""
    parser.add_argument(
        "-j",
        "--jobs",
        metavar="N",
        type=_jobs,
        default=min(len(os.sched_getaffinity(0)), MOST_JOBS),
        help="cases measured at once (default: the number of cores)",
    )
    parser.add_argument(
        "--flavour",
        metavar="NAME",
        type=_flavour,
        default=DEFAULT_FLAVOUR,
        help="how the subject is built (default: %(default)s)",
    )
    parser.add_argument(
        "--slow", action="store_true", help="include cases tagged slow"
    )
    parser.add_argument(
        "--no-wait",
        dest="wait",
        action="store_false",
        help="fail when another run is under way here, instead of waiting",
    )


def add_fresh(parser: ArgumentParser) -> None:
    """--fresh: `args.fresh`."""
    parser.add_argument(
        "--fresh",
        action="store_true",
        help="measure again even where nothing has changed since",
    )


def count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r}: expected a whole number from 1")
    return int(text)


def _jobs(text: str) -> int:
    if count(text) > MOST_JOBS:
        raise ArgumentTypeError(f"{text}: expected at most {MOST_JOBS}")
    return count(text)


def _flavour(text: str) -> str:
    """It becomes the name of a folder."""
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]*", text):
        raise ArgumentTypeError(
            f"{text!r}: expected letters, digits and ._-"
        )
    return text


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise ArgumentTypeError(
            f"{text!r} is not a regular expression: {error}"
        ) from error
