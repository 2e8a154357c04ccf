"""Where a difference lies: functions of two profiles side by side.

The change of a function's own cost is split exactly in two:

    Δinstructions = Δcalls × cost + calls × Δcost

with the cost of a call in base and the number of calls in head.  What a
function does more often and what it does dearer are so told apart, and
the rows of all functions add up to the change of the case.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction

from plumblib import callgraph
from plumblib.hunks import Difference, moved_frames
from plumblib.pairing import Pair, pair
from plumblib.profiles import HARNESS, Cost, OpProfile, Place
from plumblib.symbolize import Frames

_NOTHING = Cost(Fraction(0), Fraction(0))


@dataclass(frozen=True)
class CallerRow:
    """How often an operation calls a function from one place."""

    name: str
    base_calls: Fraction
    head_calls: Fraction


@dataclass(frozen=True)
class LineRow:
    """The cost of one source line in a function, of one operation.

    `frames` begin with the line itself; where it was inlined, the calls
    around it follow.  `side` is "base" for a line that head no longer
    has: then its number is that in base.
    """

    frames: Frames
    side: str
    base: Fraction
    head: Fraction

    @property
    def change(self) -> Fraction:
        return self.head - self.base


@dataclass(frozen=True)
class FunctionRow:
    """One function on both sides; all figures are of one operation."""

    part: str
    object: str
    file: str
    name: str
    was: str  # its name in base, where that differs
    base_calls: Fraction
    head_calls: Fraction
    base_cost: Fraction  # self
    head_cost: Fraction
    by_calls: Fraction  # Δcalls × cost
    by_cost: Fraction  # calls × Δcost
    base_inclusive: Fraction
    head_inclusive: Fraction
    cycle: tuple[str, ...] = ()  # it and the others, when they call in turn
    callers: tuple[CallerRow, ...] = ()
    lines: tuple[LineRow, ...] = ()

    @property
    def change(self) -> Fraction:
        return self.head_cost - self.base_cost


def decompose(
    base: OpProfile, head: OpProfile, difference: Difference
) -> list[FunctionRow]:
    """A row for each function whose own cost or calls changed, largest
    change first.  `difference` tells where lines of base are in head."""
    pairs = pair(base.functions, head.functions)
    inclusive = (callgraph.inclusive(base), callgraph.inclusive(head))
    around = callgraph.cycles([*base.arcs, *head.arcs])
    rows = []
    for both in pairs:
        old, new = _costs(both, base, head)
        if old == new:
            continue
        by_calls, by_cost = split(old, new)
        place = both[1] or both[0]
        assert place is not None
        rows.append(
            FunctionRow(
                part=place.part,
                object=place.object,
                file=place.file,
                name=place.name,
                was=_former_name(both),
                base_calls=old.calls,
                head_calls=new.calls,
                base_cost=old.cost,
                head_cost=new.cost,
                by_calls=by_calls,
                by_cost=by_cost,
                base_inclusive=_at(inclusive[0], both[0]),
                head_inclusive=_at(inclusive[1], both[1]),
                cycle=tuple(
                    sorted(member.name for member in around.get(place, ()))
                ),
                callers=_callers(both, base, head),
                lines=_lines(both, base, head, difference),
            )
        )
    return sorted(rows, key=_order)


def split(old: Cost, new: Cost) -> tuple[Fraction, Fraction]:
    """Δcalls × cost and calls × Δcost; their sum is the change.

    A function that only one side calls has one cost, so all is due to
    the calls.  One that nothing calls (it was entered before counting
    began) can only have become dearer.
    """
    change = new.cost - old.cost
    if old.calls == new.calls:
        return Fraction(0), change
    if old.calls == 0:
        return change, Fraction(0)
    by_calls = (new.calls - old.calls) * old.cost / old.calls
    return by_calls, change - by_calls


def _costs(
    both: Pair, base: OpProfile, head: OpProfile
) -> tuple[Cost, Cost]:
    old, new = both
    return (
        base.functions[old] if old else _NOTHING,
        head.functions[new] if new else _NOTHING,
    )


def _former_name(both: Pair) -> str:
    old, new = both
    return old.name if old and new and old.name != new.name else ""


def _callers(
    both: Pair, base: OpProfile, head: OpProfile
) -> tuple[CallerRow, ...]:
    """By name: a caller in base is the one of that name in head."""
    counts: dict[str, list[Fraction]] = defaultdict(
        lambda: [Fraction(0), Fraction(0)]
    )
    for side, (profile, place) in enumerate(zip((base, head), both)):
        if place is None:
            continue
        for caller, arc in callgraph.callers(profile, place).items():
            name = "(the case)" if caller.part == HARNESS else caller.name
            counts[name][side] += arc.calls
    rows = [CallerRow(name, *calls) for name, calls in counts.items()]
    return tuple(
        sorted(
            rows,
            key=lambda row: (
                -abs(row.head_calls - row.base_calls),
                -row.head_calls,
                row.name,
            ),
        )
    )


def _lines(
    both: Pair, base: OpProfile, head: OpProfile, difference: Difference
) -> tuple[LineRow, ...]:
    """Lines whose cost changed.  A line of base that the diff moved is
    the same line; one that it changed stands for itself."""
    old, new = both
    costs: dict[tuple[Frames, str], list[Fraction]] = defaultdict(
        lambda: [Fraction(0), Fraction(0)]
    )
    for frames, cost in (base.lines.get(old, {}) if old else {}).items():
        there = moved_frames(difference, frames)
        key = (frames, "base") if there is None else (there, "head")
        costs[key][0] += cost
    for frames, cost in (head.lines.get(new, {}) if new else {}).items():
        costs[frames, "head"][1] += cost
    rows = [
        LineRow(frames, side, *sums)
        for (frames, side), sums in costs.items()
        if sums[0] != sums[1]
    ]
    return tuple(
        sorted(rows, key=lambda row: (-abs(row.change), row.frames, row.side))
    )


def _at(costs: dict[Place, Fraction], place: Place | None) -> Fraction:
    return costs[place] if place else Fraction(0)


def _order(row: FunctionRow) -> tuple[Fraction, Fraction, str]:
    return (
        -abs(row.change),
        -abs(row.head_calls - row.base_calls),
        row.name,
    )
