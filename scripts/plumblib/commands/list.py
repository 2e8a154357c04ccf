"""plumb list: the cases that the project declares."""

from __future__ import annotations

from argparse import Namespace, _SubParsersAction

from plumblib import codec, files, lock, measure, options, project
from plumblib.errors import Exit, UsageError


def add_parser(sub: _SubParsersAction) -> None:
    parser = sub.add_parser("list")
    options.add_filter(parser)
    options.add_measuring(parser)
    options.add_json(parser)
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    """Names every case that matches, those tagged slow too."""
    here = project.load(args.root)
    with lock.held(here.root, args.wait):
        said = measure.declared(
            here, project.instruments(), measure.Options.of(args)
        )
    cases = [
        case
        for case in said.cases
        if args.filter is None or args.filter.search(case.id)
    ]
    if args.json:
        print(files.json_text(codec.encode(cases)), end="")
        return Exit.OK
    if not cases:
        raise UsageError(f"none of {len(said.cases)} cases matches")
    width = max(len(case.id) for case in cases)
    for case in cases:
        tags = "".join(f" [{tag}]" for tag in case.tags)
        print(f"{case.id:{width}}  {case.about}{tags}")
    return Exit.OK
