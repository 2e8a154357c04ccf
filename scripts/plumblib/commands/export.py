"""plumb export: a measurement for another tool."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from plumblib import codec, exports, files, options
from plumblib.errors import Exit
from plumblib.records import Measurement


def add_parser(sub: Any) -> None:
    parser = sub.add_parser(
        "export",
        description="Ends with 3 when cases failed that the format cannot"
        " tell of; the others are written.",
    )
    parser.add_argument(
        "measurement", metavar="MEASUREMENT.json", type=Path
    )
    parser.add_argument(
        "--format", required=True, choices=sorted(exports.FORMATS)
    )
    options.add_output(parser, "the export")
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    made = codec.load(args.measurement, Measurement)
    told = exports.FORMATS[args.format](made)
    if args.output is None:
        sys.stdout.write(files.json_text(told))
    else:
        files.write_json(args.output, told)
    if args.format in exports.TELLS_FAILURES:
        return Exit.OK
    failed = {
        name: case.failure
        for name, case in made.cases.items()
        if case.failure is not None
    }
    for name, failure in sorted(failed.items()):
        print(f"plumb: left out: {name}: {failure}", file=sys.stderr)
    return Exit.NO_ANSWER if failed else Exit.OK
