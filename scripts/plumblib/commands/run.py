"""plumb run: measure the cases and write the measurement."""

from __future__ import annotations

from argparse import ArgumentTypeError, Namespace, _SubParsersAction
from dataclasses import replace

from plumblib import (
    collect_count,
    codec,
    files,
    instrument,
    lock,
    measure,
    numerals,
    options,
    progress,
    project,
    recall,
    spread,
    toolchain,
)
from plumblib.errors import Exit, UsageError
from plumblib.records import Figure, Measurement


def add_parser(sub: _SubParsersAction) -> None:
    parser = sub.add_parser("run")
    options.add_filter(parser)
    options.add_measuring(parser)
    options.add_fresh(parser)
    options.add_json(parser)
    options.add_output(parser, "the measurement")
    parser.add_argument(
        "--seed",
        metavar="N|random",
        type=_seed,
        help="count with another seed, or with random ones, and show how"
        " far the counts spread; such counts have no budgets",
    )
    parser.add_argument(
        "--runs",
        metavar="N",
        type=options.count,
        default=40,
        help="how often, with --seed (default: %(default)s)",
    )
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    """Ends with 3 when a case could not be measured."""
    here = project.load(args.root)
    tools = project.instruments()
    if args.seed is not None:
        return _spread(here, tools, args)
    with lock.held(here.root, args.wait):
        made = recall.measurement(
            here, tools, measure.Options.of(args), args.fresh
        )
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


def _spread(
    here: project.Project, tools: project.Instruments, args: Namespace
) -> int:
    """Count the cases with seed 0, then `args.runs` times with others."""
    if args.json or args.output is not None:
        raise UsageError("--seed shows a table; it makes no measurement")
    chosen = measure.Options.of(args)
    with lock.held(here.root, args.wait):
        plan = measure.planned(here, tools, chosen, brief=True)
        fixed = _figures(here, tools, plan)
        others = []
        with progress.stage("counting seeds", args.runs) as done:
            for seed in spread.seeds(args.seed, args.runs):
                others.append(
                    _figures(here, tools, replace(plan, seed=seed))
                )
                done(str(seed))
    found = spread.spread(fixed, others)
    print(spread.table(found, args.seed, args.runs), end="")
    return Exit.OK if len(found) == len(plan.cases) else Exit.NO_ANSWER


def _figures(
    here: project.Project, tools: project.Instruments, plan: instrument.Plan
) -> dict[str, Figure]:
    """The instructions of the cases that could be counted."""
    valgrind, _ = toolchain.find_valgrind()
    counted = collect_count.count(
        valgrind,
        tools.folder,
        plan,
        here.root / measure.SCRATCH,
        lambda case: None,
    )
    return {
        case: one.figure
        for case, one in counted.items()
        if one.figure is not None
    }


def _seed(text: str) -> str:
    if text == spread.RANDOM or text.isascii() and text.isdigit():
        if text == spread.RANDOM or int(text) < 2**64:
            return text
    raise ArgumentTypeError(
        f"{text!r}: expected a number below 2^64, or `random`"
    )


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
