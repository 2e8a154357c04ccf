"""plumb run: measure the cases and write the measurement."""

from __future__ import annotations

from argparse import Namespace, _SubParsersAction

from plumblib import (
    codec,
    files,
    lock,
    measure,
    numerals,
    options,
    project,
)
from plumblib.errors import Exit, UsageError
from plumblib.records import Figure, Measurement


def add_parser(sub: _SubParsersAction) -> None:
    parser = sub.add_parser("run")
    options.add_filter(parser)
    options.add_measuring(parser)
    options.add_json(parser)
    options.add_output(parser, "the measurement")
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    """Ends with 3 when a case could not be measured."""
    here = project.load(args.root)
    tools = project.instruments()
    with lock.held(here.root, args.wait):
        made = measure.measure(here, tools, measure.Options.of(args))
    if not made.cases:
        raise UsageError(
            f"no case matches; `plumb list` names all {len(made.declared)}"
        )
    if args.output is not None:
        codec.save(args.output, made)
    if args.json:
        print(files.json_text(codec.to_file(made)), end="")
    elif args.output is None:
        print(table(made), end="")
    failed = [case for case in made.cases.values() if case.failure]
    return Exit.NO_ANSWER if failed else Exit.OK


def table(made: Measurement) -> str:
    """The figures of an operation, one case a line."""
    width = max(len(case) for case in made.cases)
    lines = [f"{'case':{width}}  {'instructions':>14}  {'heap':>6}  bytes"]
    for name, case in made.cases.items():
        if case.failure is not None:
            lines.append(f"{name:{width}}  not measured: {case.failure}")
            continue
        counts = [
            number(case.figures[metric])
            for metric in ("instructions", "heap_calls", "heap_bytes")
        ]
        lines.append(
            f"{name:{width}}  {counts[0]:>14}  {counts[1]:>6}  {counts[2]}"
        )
    return "\n".join(lines) + "\n"


def number(figure: Figure) -> str:
    """What one operation costs; `±` what the counts were off a line."""
    text = numerals.plain(figure.per_op)
    return f"{text} ±{figure.residual}" if figure.residual else text
