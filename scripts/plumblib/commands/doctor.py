"""plumb doctor: what is missing here, and how to get it."""

from __future__ import annotations

from argparse import Namespace, _SubParsersAction

from plumblib import codec, doctor, files, options
from plumblib.errors import Exit


def add_parser(sub: _SubParsersAction) -> None:
    parser = sub.add_parser("doctor")
    options.add_json(parser)
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    """Ends with 3 when something stands in the way of measuring."""
    checks = doctor.examine(args.root)
    if args.json:
        print(files.json_text(codec.encode(checks)), end="")
    else:
        for check in checks:
            print(f"{'ok ' if check.well else 'NOT'} {check.name}:", end=" ")
            print(check.found)
            if check.advice:
                print(f"    {check.advice}")
    well = all(check.well for check in checks)
    return Exit.OK if well else Exit.NO_ANSWER
