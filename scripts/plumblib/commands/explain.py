"""plumb explain: is a difference real, where is it, and why."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable
from pathlib import Path

from plumblib import (
    codec,
    explain_run,
    explain_sections,
    files,
    lock,
    measure,
    options,
    outputs,
    progress,
    project,
    render_explain,
    schema,
)
from plumblib.errors import Exit
from plumblib.explanation import SCHEMA, Cause, Explanation

_METRICS = {"instructions": "instructions", "heap": "heap_calls"}

# What a difference must be for the command to end well.
_GOOD = frozenset({Cause.NONE, Cause.REAL, Cause.NEW, Cause.LAYOUT})


def _json(told: Explanation) -> str:
    value = {"schema": SCHEMA} | codec.encode(told)
    schema.check(value, SCHEMA, "the explanation made")
    return files.json_text(value)


_FORMS: dict[str, Callable[[Explanation], str]] = {
    ".txt": render_explain.text,
    ".md": render_explain.markdown,
    ".json": _json,
}


def add_parser(sub: _SubParsersAction) -> None:
    parser: ArgumentParser = sub.add_parser(
        "explain",
        description="Measure one case of the working tree and of its base"
        " again, under perturbations, and account for the difference:"
        " functions, lines, callers, the hunks that touch them, and what"
        " was recorded before. Beside the report come a differential flame"
        " graph (SVG), collapsed stacks and a speedscope file.",
        epilog="Ends with 0 when the answer stands on firm ground, 1 when"
        " the case is nondeterministic, was not the same work, or differs"
        " by its environment.",
    )
    parser.add_argument("case", metavar="CASE")
    parser.add_argument(
        "--base",
        metavar="REF",
        help="default: the main branch of the remote",
    )
    parser.add_argument(
        "--metric",
        choices=tuple(_METRICS),
        default="instructions",
        help="default: %(default)s",
    )
    outputs.add_forms(parser, "the answer")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="without the perturbations, which take most of the time",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=outputs.one_of(_FORMS),
        help="write it to FILE too, in the form of its ending: .json, .md or"
        " .txt; pictures lie beside it",
    )
    options.add_measuring(parser)
    parser.set_defaults(run=run, filter=None)


def run(args: Namespace) -> int:
    here = project.load(args.root)
    tools = project.instruments()
    with lock.held(here.root, args.wait):
        with explain_run.compare(
            here, tools, measure.Options.of(args), args.base
        ) as comparison:
            trial = comparison.trial(
                args.case, _METRICS[args.metric], args.quick
            )
            told = comparison.explain(trial)
            pictures = explain_run.pictures(
                trial, explain_sections.head(told), _beside(args, here.root)
            )
    if args.output is not None:
        files.write_text(args.output, _FORMS[args.output.suffix](told))
    form = ".json" if args.json else ".md" if args.markdown else ".txt"
    sys.stdout.write(_FORMS[form](told))
    for path in pictures:
        progress.note(f"wrote {path}")
    return Exit.OK if told.cause in _GOOD else Exit.FAILED


def _beside(args: Namespace, root: Path) -> Path:
    """Where pictures go, without an ending: beside the report."""
    if args.output is not None:
        return args.output.with_suffix("")
    return root / project.WORK / "explain" / args.case.replace("/", "_")
