"""plumb merge: the shards of a run become one measurement."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from plumblib import codec, merging
from plumblib.errors import UsageError
from plumblib.records import Measurement


def add_parser(sub: Any) -> None:
    parser = sub.add_parser(
        "merge",
        description="Refuses a case that is in two of them, other commits"
        " and other toolchains.",
    )
    parser.add_argument(
        "shards", metavar="SHARD.json", type=Path, nargs="+"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, required=True
    )
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    shards = {}
    for path in args.shards:
        if str(path) in shards:
            raise UsageError(f"{path}: given twice")
        shards[str(path)] = codec.load(path, Measurement)
    codec.save(args.output, merging.merge(shards))
    print(args.output)
    return 0
