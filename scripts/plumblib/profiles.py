"""What one operation costs, function by function: a dump, made comparable.

A dump speaks of one build: absolute paths, addresses of call stubs, sums
over thousands of operations.  A profile speaks of the operation, in names
that the other side of a comparison has too.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from plumblib.callgrind import Function, Profile
from plumblib.collect_count import Counted
from plumblib.errors import NotMeasured
from plumblib.symbolize import Frame, Frames

OWN = "own"  # the subject's code
LIBRARY = "library"
LINKAGE = "linkage"  # stubs through which other objects are called
HARNESS = "harness"  # the loop around the operation

_HARNESS_NAME = "plumb-count"
_STUB = re.compile(r"0x[0-9a-f]+( \[PLT\])?")


class Place(NamedTuple):
    """A function, as both sides of a comparison would call it."""

    part: str  # OWN, LIBRARY, LINKAGE or HARNESS
    object: str  # file name of a library; else empty
    file: str  # of our own functions, where it is known
    name: str


@dataclass(frozen=True)
class Cost:
    """Of one operation: how often, and what in instructions."""

    calls: Fraction
    cost: Fraction


@dataclass(frozen=True)
class OpProfile:
    """All costs of one operation.

    `own` has calls and self cost; `arcs`, by caller and callee, calls and
    inclusive cost; `lines` splits the self cost of our own functions by
    source line, through inlined frames.
    """

    functions: dict[Place, Cost]
    arcs: dict[tuple[Place, Place], Cost]
    lines: dict[Place, dict[Frames, Fraction]]


Lookup = Callable[[list[int]], dict[int, Frames]]


def of(counted: Counted, subject: Path, lookup: Lookup) -> OpProfile:
    """The profile of a counted case.

    `lookup` gives the frames of addresses of the subject; without
    addresses in the dump it is not asked, and lines are those that
    callgrind knows.  Raises NotMeasured for a case without a profile.
    """
    if counted.profile is None:
        raise NotMeasured(counted.failure or "was not counted")
    return _Maker(counted.profile, counted.ops, subject, lookup).make()


class _Maker:
    """Renames everything once, then adds up what has one name."""

    def __init__(
        self, profile: Profile, ops: int, subject: Path, lookup: Lookup
    ) -> None:
        self._profile = profile
        self._ops = ops
        self._subject = str(subject.resolve())
        self._frames = lookup(list(self._addresses()))
        self._places: dict[Function, Place] = {}

    def make(self) -> OpProfile:
        profile, ops = self._profile, self._ops
        calls: dict[Place, int] = defaultdict(int)
        arcs: dict[tuple[Place, Place], list[int]] = {}
        for (caller, callee), call in profile.calls.items():
            arc = (self._place(caller), self._place(callee))
            calls[arc[1]] += call.count
            sums = arcs.setdefault(arc, [0, 0])
            sums[0] += call.count
            sums[1] += call.inclusive
        costs: dict[Place, int] = defaultdict(int)
        for function, cost in profile.self_cost.items():
            costs[self._place(function)] += cost
        return OpProfile(
            {
                place: Cost(Fraction(calls[place], ops), Fraction(cost, ops))
                for place, cost in costs.items()
                if place.part != HARNESS
            },
            {
                arc: Cost(Fraction(count, ops), Fraction(inclusive, ops))
                for arc, (count, inclusive) in arcs.items()
                if arc[1].part != HARNESS
            },
            self._lines(),
        )

    def _addresses(self) -> Iterator[int]:
        for function, spots in self._profile.spots.items():
            if function.object == self._subject:
                yield from (spot.address for spot in spots
                            if spot.address >= 0)

    def _place(self, function: Function) -> Place:
        if function not in self._places:
            self._places[function] = self._named(function)
        return self._places[function]

    def _named(self, function: Function) -> Place:
        if function.object == self._subject:
            return Place(OWN, "", self._file(function), function.name)
        if Path(function.object).name == _HARNESS_NAME:
            return Place(HARNESS, "", "", function.name)
        if _STUB.fullmatch(function.name):
            return Place(LINKAGE, "", "", self._stub_name(function))
        return Place(
            LIBRARY, Path(function.object).name, "", function.name
        )

    def _file(self, function: Function) -> str:
        """Callgrind may name a header here, of a line inlined into the
        function; the outermost frame is the function itself.  Most of its
        instructions decide: one may have no line of its own."""
        files = Counter(
            found[-1].file
            for spot in self._profile.spots.get(function, ())
            if (found := self._frames.get(spot.address))
        )
        return files.most_common(1)[0][0] if files else ""

    def _stub_name(self, function: Function) -> str:
        """A stub has an address only, but calls one function."""
        targets = {
            callee.name
            for (caller, callee) in self._profile.calls
            if caller == function
        }
        return f"{targets.pop()}@plt" if len(targets) == 1 else "a stub"

    def _lines(self) -> dict[Place, dict[Frames, Fraction]]:
        found: dict[Place, dict[Frames, Fraction]] = {}
        for function, spots in self._profile.spots.items():
            place = self._place(function)
            if place.part != OWN:
                continue
            lines = found.setdefault(place, defaultdict(Fraction))
            for spot, cost in spots.items():
                inner = self._frames.get(spot.address) or (
                    Frame(function.name, "", spot.line),
                )
                lines[inner] += Fraction(cost, self._ops)
        return {place: dict(lines) for place, lines in found.items()}
