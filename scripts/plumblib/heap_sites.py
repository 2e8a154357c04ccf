"""Where an operation requests memory: call sites of both sides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from plumblib import instrument, symbolize
from plumblib.collect_probe import PRELOAD
from plumblib.errors import NotMeasured
from plumblib.explanation import SiteRow
from plumblib.side import Side
from plumblib.symbolize import Frame, Frames

_SUBJECT = "/proc/self/fd/"  # how a subject is loaded
_OURS = ("plumb-heap.so",)  # the counting allocator's own frames
_LOOP = "plumb-probe"  # from here on all ways are one

Way = tuple[Frame, ...]

# Beyond some hundred ways the instrument adds up without frames.
_REST = Frame("(other ways)", "", 0)


class Requests(NamedTuple):
    """Of one operation."""

    calls: Fraction
    bytes: Fraction


def compare(base: Side | None, head: Side) -> tuple[SiteRow, ...]:
    """The ways to a request whose number or size changed, largest change
    first; without a base, all of head.

    A way is known by its functions: a line that moved is the same way.
    """
    before = _by_functions(collect(base)) if base else {}
    after = _by_functions(collect(head))
    rows = []
    for name in before.keys() | after.keys():
        way, old = before.get(name, ((), Requests(Fraction(0), Fraction(0))))
        now, new = after.get(name, (way, Requests(Fraction(0), Fraction(0))))
        if old != new:
            rows.append(
                SiteRow(
                    tuple(map(_shown, now)),
                    tuple(frame.function for frame in now),
                    *(old.calls, new.calls, old.bytes, new.bytes),
                )
            )
    return tuple(sorted(rows, key=_order))


def functions(rows: Iterable[SiteRow]) -> list[str]:
    """The functions on the ways of these rows, the first row's first."""
    return list(
        dict.fromkeys(name for row in rows for name in row.functions)
    )


def collect(side: Side) -> dict[Way, Requests]:
    """Run the case once more, natively, and see who requests memory.

    Raises NotMeasured where that fails.
    """
    lines: list[dict[str, Any]] = []
    done = instrument.carry_out(
        "plumb-probe",
        side.bench.folder,
        replace(side.plan, perturb=(("heap-sites", 1),)),
        lines.append,
        settings=PRELOAD,
    )
    if not lines:
        raise NotMeasured(instrument.not_reached("plumb-probe", done))
    (line,) = lines
    if line["failure"] is not None:
        raise NotMeasured(f"{side.name}: {side.case}: {line['failure']}")
    return parse(line, side.build.subject, side.build.root)


def parse(
    line: dict[str, Any], subject: Path, root: Path
) -> dict[Way, Requests]:
    """The ways in a line of plumb-probe, of one operation."""
    ops = line["heap"]["ops"]
    raw = [_of_case(site["frames"]) for site in line["sites"]]
    inlined = symbolize.frames(
        subject,
        (
            offset
            for way in raw
            for name, offset, _ in way
            if _is_own(name)
        ),
        root,
    )
    found: dict[Way, Requests] = {}
    for way, site in zip(raw, line["sites"]):
        frames = tuple(
            frame for place in way for frame in _frames(place, inlined)
        ) or (_REST,)
        before = found.get(frames, Requests(Fraction(0), Fraction(0)))
        found[frames] = Requests(
            before.calls + Fraction(site["calls"], ops),
            before.bytes + Fraction(site["bytes"], ops),
        )
    return found


def _of_case(frames: list[list[Any]]) -> list[list[Any]]:
    """Without the allocator below and the instrument above."""
    kept = []
    for frame in frames:
        name = Path(frame[0] or "").name
        if name == _LOOP:
            break
        if name not in _OURS:
            kept.append(frame)
    return kept


def _frames(place: list[Any], inlined: dict[int, Frames]) -> Frames:
    name, offset, symbol = place
    if _is_own(name):
        return inlined.get(offset, (Frame("", "", 0),))
    return (Frame(symbol or "?", Path(name or "?").name, 0),)


def _is_own(name: str | None) -> bool:
    return (name or "").startswith(_SUBJECT)


def _by_functions(
    ways: dict[Way, Requests],
) -> dict[tuple[str, ...], tuple[Way, Requests]]:
    """Ways that differ in lines only become one, shown by the first."""
    found: dict[tuple[str, ...], tuple[Way, Requests]] = {}
    for way, requests in ways.items():
        key = tuple(frame.function for frame in way)
        shown, sums = found.get(key, (way, Requests(Fraction(0), Fraction(0))))
        found[key] = (
            shown,
            Requests(sums.calls + requests.calls, sums.bytes + requests.bytes),
        )
    return found


def _shown(frame: Frame) -> str:
    place = f"{frame.file}:{frame.line}" if frame.line else frame.file
    return f"{frame.function} ({place})" if place else frame.function


def _order(row: SiteRow) -> tuple[Fraction, Fraction, tuple[str, ...]]:
    return (
        -abs(row.head_calls - row.base_calls),
        -abs(row.head_bytes - row.base_bytes),
        row.frames,
    )
