#!/usr/bin/python3
"""Turn tables of Debian's iso-codes into MessagePack documents.

The real documents among the inputs: ISO 3166-2 (subdivisions of countries)
and ISO 639-3 (languages), as an independent encoder writes them.  They are
data of their own licence (LGPL-2.1+) and are not kept in the repository;
their digests are, so that everybody measures the same bytes.

    iso_documents.py [--source DIR] [--output DIR]

Does nothing when the documents are there already.  Exit status: 0 they are
there, 1 they cannot be made, 2 usage.
"""

import argparse
import hashlib
import json
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DIGESTS = Path(__file__).with_suffix(".sha256")
SOURCE = Path("/usr/share/iso-codes/json")
VERSION = "4.15.0"  # of the package whose tables give these digests


class Missing(Exception):
    """Why the documents cannot be made."""


def read_digests(path: Path) -> dict[str, str]:
    """The list beside this script, as sha256sum writes it: name to digest."""
    lines = path.read_text(encoding="ascii").splitlines()
    return {name: digest for digest, name in (line.split() for line in lines)}


def is_there(path: Path, digest: str) -> bool:
    """Tell whether a document is there with the right bytes."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() == digest
    except FileNotFoundError:
        return False


def encode(table: Path) -> bytes:
    """A table as one document: maps in the table's order, shortest forms."""
    try:
        import msgpack
    except ImportError as error:
        raise Missing("python3-msgpack is not installed") from error
    try:
        text = table.read_text(encoding="utf-8")
    except OSError as error:
        raise Missing(f"{table}: {error.strerror}; "
                      "is the package iso-codes installed?") from error
    return msgpack.packb(json.loads(text), use_bin_type=True)


def replace(path: Path, data: bytes) -> None:
    """Write beside, then rename: a document is whole or not there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")
    with beside.open("wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
    beside.rename(path)


def make(source: Path, output: Path, name: str, digest: str) -> None:
    """Make one document unless it is there; raises Missing."""
    path = output / name
    if is_there(path, digest):
        return
    table = source / Path(name).with_suffix(".json")
    data = encode(table)
    if hashlib.sha256(data).hexdigest() != digest:
        raise Missing(f"{table} is not that of iso-codes {VERSION}: "
                      f"{name} would have other bytes than everybody else's")
    replace(path, data)
    print(f"{name}: {len(data)} bytes", file=sys.stderr)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=Path, default=SOURCE,
                        help="folder of the JSON tables")
    parser.add_argument("--output", type=Path, default=ROOT / "data/iso",
                        help="folder of the documents")
    args = parser.parse_args(argv)
    try:
        for name, digest in read_digests(DIGESTS).items():
            make(args.source, args.output, name, digest)
    except Missing as error:
        print(f"iso_documents: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
