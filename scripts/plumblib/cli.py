"""The command line: finds the command, runs it, ends with its exit code.

Each command is a module of `plumblib.commands` with

    add_parser(sub) -> None   adds its parser, with `run` as default
    run(args) -> int          does it; returns an `errors.Exit`

and one line in COMMANDS.  All modules are imported for each command, so
what is slow to import or may be missing (rich, jsonschema, jinja2,
matplotlib) is imported inside the functions that need it.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from plumblib.errors import Exit, Interrupted, PlumbError

COMMANDS: tuple[str, ...] = (
    "list",
    "run",
    "gate",
    "accept",
    "vs-base",
    "explain",
    "history",
    "report",
    "export",
    "merge",
    "audit",
    "doctor",
    "gc",
    "prove",
)


def main(argv: Sequence[str]) -> int:
    """Run one command.  Returns its exit code; never raises for a
    failure that the user can act on."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    try:
        args = _parser().parse_args(argv)
        return int(args.run(args))
    except PlumbError as error:
        sys.stdout.flush()
        print(f"plumb: {error}", file=sys.stderr)
        return error.exit_code
    except (KeyboardInterrupt, Interrupted):
        print("plumb: interrupted", file=sys.stderr)
        return Exit.INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has seen enough.  Python flushes once
        # more at exit, which must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.OK


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="plumb",
        description="Measure the cases of a project exactly, and judge"
        " what a change costs.",
        epilog="Exit codes: 0 good, 1 judged and red, 2 usage or a bad"
        " file, 3 no answer (not measured, not comparable, no base).",
    )
    parser.add_argument(
        "-C",
        dest="root",
        metavar="DIR",
        type=Path,
        help="the project (default: the nearest folder upwards that has"
        " a plumb.toml)",
    )
    sub = parser.add_subparsers(metavar="COMMAND", required=True)
    for name in COMMANDS:
        module = importlib.import_module(
            f"plumblib.commands.{name.replace('-', '_')}"
        )
        module.add_parser(sub)
    return parser


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise Interrupted
