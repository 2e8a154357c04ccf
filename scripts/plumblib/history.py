"""The history of a platform: one JSON line for each accept.

`baselines/<platform>/history.jsonl` only grows.  A line that cannot be
read (cut short by a full disk, a merge conflict) is reported with file
and line, stays in the file until `repair` sets it aside, and keeps
nobody from reading or appending the others.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plumblib import codec, files, schema
from plumblib.errors import NotMeasured, UsageError
from plumblib.records import (
    SCHEMA_HISTORY,
    Figure,
    Measurement,
    Revision,
    Toolchain,
)

FILE_NAME = "history.jsonl"
_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
_COMMIT = re.compile(r"([0-9a-f]{40})?")
_CONFLICT = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")


@dataclass(frozen=True)
class Entry:
    """One line: the figures of some cases as they were at `date`.

    The date is that of the measurement, or of the commit when an old
    commit was measured later.
    """

    date: str  # UTC, "2026-01-31T12:00:00Z"
    revision: Revision
    toolchain: Toolchain
    cases: dict[str, dict[str, Figure]]  # by id, then by metric


@dataclass(frozen=True)
class Fault:
    """A line that is not an entry."""

    line: int  # from 1
    message: str  # begins with file and line


@dataclass(frozen=True)
class History:
    """Everything in a file: entries by date, and what is not readable."""

    entries: tuple[Entry, ...] = ()
    faults: tuple[Fault, ...] = ()


def load(path: Path) -> History:
    """Read a history; a file that does not exist is an empty one.

    Raises UsageError only when the file cannot be opened.
    """
    entries: list[Entry] = []
    faults: list[Fault] = []
    for number, line in _lines(path):
        try:
            entries.append(_decode(line, path, number))
        except UsageError as error:
            faults.append(Fault(number, str(error)))
    entries.sort(key=lambda entry: entry.date)
    return History(tuple(entries), tuple(faults))


def append(
    path: Path, measurement: Measurement, date: str | None = None
) -> tuple[Fault, ...]:
    """Add a measurement's figures as the last line.

    The file is replaced whole, so a kill leaves the old one or the new
    one; the caller holds the checkout's lock.  Raises and returns what
    `extended` does.
    """
    data, faults = extended(path, measurement, date)
    files.write_bytes(path, data)
    return faults


def extended(
    path: Path, measurement: Measurement, date: str | None = None
) -> tuple[bytes, tuple[Fault, ...]]:
    """The file as it will be with a measurement's figures as last line.

    For callers that replace it together with other files.  `date` stands
    in for the time of the measurement.  Failed cases are left out;
    NotMeasured when nothing is left.  Also returns the faults of the
    lines before, for the caller to report; such lines are kept.
    """
    line = encode(measurement, date)
    faults = load(path).faults
    before = path.read_bytes() if path.exists() else b""
    if before and not before.endswith(b"\n"):
        before += b"\n"
    return before + line.encode(), faults


def repair(path: Path) -> tuple[tuple[Fault, ...], Path]:
    """Move each unreadable line, as it is, to the end of a file beside.

    Returns what was moved, and to where.  The lines are safe there before
    they leave the history.  The caller holds the checkout's lock.
    """
    beside = path.with_suffix(".rejected")
    faults = load(path).faults
    if faults:
        bad = {fault.line for fault in faults}
        kept, moved = b"", b""
        for number, line in _lines(path):
            if number in bad:
                moved += line + b"\n"
            else:
                kept += line + b"\n"
        earlier = beside.read_bytes() if beside.exists() else b""
        files.write_bytes(beside, earlier + moved)
        files.write_bytes(path, kept)
    return faults, beside


def encode(measurement: Measurement, date: str | None = None) -> str:
    """The line of a measurement, with its newline.

    A figure is written as [total, ops, residual]: with names it would be
    three times as long, in a file that only grows.
    """
    cases = {
        name: {
            metric: [figure.total, figure.ops, figure.residual]
            for metric, figure in case.figures.items()
        }
        for name, case in measurement.cases.items()
        if case.failure is None
    }
    if not cases:
        raise NotMeasured("no case was measured: nothing to record")
    raw = {
        "schema": SCHEMA_HISTORY,
        "date": date or measurement.made_at,
        "revision": codec.encode(measurement.revision),
        "toolchain": codec.encode(measurement.toolchain),
        "cases": cases,
    }
    schema.check(raw, SCHEMA_HISTORY, "the measurement, as a line of history")
    text = json.dumps(
        raw, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    return text + "\n"


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The number and the bytes of each line that is not empty."""
    data = files.read_bytes(path) if os.path.lexists(path) else b""
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip():
            yield number, line


def _decode(line: bytes, path: Path, number: int) -> Entry:
    """Read one line.  Strict, but not by the JSON Schema, which takes
    seconds over a long history; a test holds both to the same lines."""
    where = f"{path}:{number}"
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"{where}: byte {error.start} is not UTF-8") from None
    if text.startswith(_CONFLICT):
        raise UsageError(
            f"{where}: a mark of a merge conflict; the lines of both sides"
            " belong here, without the marks"
        )
    # The empty lines before it make the parser name the right line.
    raw = files.parse_json("\n" * (number - 1) + text, str(path))
    found = raw.get("schema") if isinstance(raw, dict) else None
    if found != SCHEMA_HISTORY:
        raise UsageError(
            f"{where}: schema is {found!r}, expected {SCHEMA_HISTORY!r}"
        )
    del raw["schema"]
    cases = raw.get("cases")
    if isinstance(cases, dict):
        raw["cases"] = {
            name: _named(metrics, f"{where}: cases: {name}")
            for name, metrics in cases.items()
        }
    entry: Entry = codec.decode(Entry, raw, where)
    if not _DATE.fullmatch(entry.date):
        raise UsageError(
            f"{where}: date is {entry.date!r}, expected"
            " 'YYYY-MM-DDThh:mm:ssZ'"
        )
    if not _COMMIT.fullmatch(entry.revision.commit):
        raise UsageError(
            f"{where}: revision: commit is {entry.revision.commit!r},"
            " expected 40 hex digits"
        )
    return entry


def _named(metrics: Any, where: str) -> Any:
    """Give the three numbers of each figure their names."""
    if not isinstance(metrics, dict):
        raise UsageError(f"{where}: expected metrics, found {metrics!r:.80}")
    named = {}
    for metric, raw in metrics.items():
        good = isinstance(raw, list) and len(raw) == 3
        good = good and all(type(number) is int for number in raw)
        if not good or raw[1] < 1 or raw[2] < 0:
            raise UsageError(
                f"{where}: {metric}: expected [total, ops, residual], whole"
                f" numbers with ops above 0 and residual not below, found"
                f" {raw!r:.80}"
            )
        named[metric] = dict(zip(("total", "ops", "residual"), raw))
    return named
