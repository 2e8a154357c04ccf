"""Where a report goes, and in which form: the options and the writing."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable
from pathlib import Path

from plumblib import codec, files, render_text
from plumblib.records import Report
from plumblib.render_junit import junit
from plumblib.render_markdown import markdown


def _json(report: Report) -> str:
    return files.json_text(codec.to_file(report))


_FORMS: dict[str, Callable[[Report], str]] = {
    ".json": _json,
    ".md": markdown,
    ".xml": junit,
    ".txt": render_text.text,
}


def add_forms(parser: ArgumentParser, what: str) -> None:
    """How it is printed: `args.json` and `.markdown`."""
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument(
        "--json", action="store_true", help=f"print {what} as JSON"
    )
    shown.add_argument(
        "--markdown",
        action="store_true",
        help="print it as Markdown, for a pull request",
    )


def add_outputs(parser: ArgumentParser) -> None:
    """What each command that judges takes: `args.json`, `.markdown`,
    `.outputs`, `.strict`."""
    add_forms(parser, "the verdict")
    parser.add_argument(
        "-o",
        "--output",
        dest="outputs",
        metavar="FILE",
        type=one_of(_FORMS),
        action="append",
        default=[],
        help="write it to FILE too, in the form of its ending: .json, .md,"
        " .txt, or .xml (JUnit); may be repeated",
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="fail for a case that became cheaper too, until its budget is"
        " moved down",
    )


def publish(report: Report, args: Namespace) -> int:
    """Write and print a report; returns its exit code."""
    for path in args.outputs:
        files.write_text(path, _FORMS[path.suffix](report))
    if args.json:
        sys.stdout.write(_json(report))
    elif args.markdown:
        sys.stdout.write(markdown(report))
    else:
        render_text.write(report, sys.stdout)
    return report.exit_code


def one_of(endings: Iterable[str]) -> Callable[[str], Path]:
    """The type of an option: a file whose ending says in which form."""
    known = tuple(endings)

    def output(name: str) -> Path:
        path = Path(name)
        if path.suffix not in known:
            raise ArgumentTypeError(
                f"{name!r} ends in none of {', '.join(known)}"
            )
        return path

    return output
