"""The command line: finds the command, runs it, ends with its exit code.

Each command is a module of `plumblib.commands` with

    add_parser(sub) -> None   adds its parser, with `run` as default
    run(args) -> int          does it; returns an `errors.Exit`

and one line in COMMANDS.  Only modules of commands that the line names are
imported; what is slow to import or may be missing (rich, jsonschema,
jinja2, matplotlib) is imported inside the functions that need it.
"""

from __future__ import annotations

import importlib
import signal
import sys
import traceback
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from plumblib import streams
from plumblib.errors import Exit, Interrupted, PlumbError

COMMANDS: dict[str, str] = {
    "list": "list the cases",
    "run": "measure the cases",
    "gate": "compare with the committed budgets",
    "accept": "make what is measured the new budgets",
    "vs-base": "compare with the merge base of a branch",
    "explain": "say whether a difference is real, where it is, and why",
    "history": "show, draw or extend the history of a case",
    "report": "write a page with verdicts, pictures and histories",
    "export": "write a measurement in another tool's format",
    "merge": "put the shards of a run together",
    "audit": "count again under perturbations, which must not matter",
    "doctor": "say what is missing and how to install it",
    "gc": "remove old worktrees, run folders and caches",
    "prove": "compile known regressions in, and find each exactly",
}


def command(argv: Sequence[str]) -> int:
    """`main` for a process of its own: with standard streams that may be
    closed, full, or left by their reader."""
    streams.prepare()
    code = main(argv)
    try:
        sys.stdout.flush()
    except PlumbError as error:
        print(f"plumb: {error}", file=sys.stderr)
        return code or error.exit_code
    return code


def main(argv: Sequence[str]) -> int:
    """Run one command.  Returns its exit code, never that of a verdict
    when there is none: what is unforeseen is no answer."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    try:
        args = _parser(argv).parse_args(argv)
        return int(args.run(args))
    except PlumbError as error:
        sys.stdout.flush()
        print(f"plumb: {error}", file=sys.stderr)
        return error.exit_code
    except (KeyboardInterrupt, Interrupted):
        print("plumb: interrupted", file=sys.stderr)
        return Exit.INTERRUPTED
    except OSError as error:  # a full disk, no rights, no memory
        print(f"plumb: {error}", file=sys.stderr)
        return Exit.NO_ANSWER
    except Exception:
        traceback.print_exc()
        print("plumb: this is a fault of plumb itself", file=sys.stderr)
        return Exit.NO_ANSWER


def _parser(argv: Sequence[str]) -> ArgumentParser:
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
    for name, about in COMMANDS.items():
        if name in argv:
            module = importlib.import_module(
                f"plumblib.commands.{name.replace('-', '_')}"
            )
            module.add_parser(sub)
        else:
            sub.add_parser(name, help=about)  # for the list of commands
    return parser


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise Interrupted
