"""Inclusive costs in a call graph that may have cycles.

The cost of a call into a cycle holds calls back into it, so adding up
calls counts them again and again.  A cycle is therefore taken as one: it
costs what its members cost themselves, and what their calls out of it do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction

from plumblib.profiles import Cost, OpProfile, Place


def cycles(
    arcs: Iterable[tuple[Place, Place]],
) -> dict[Place, frozenset[Place]]:
    """By member, the functions that call each other in circles.

    A function that only calls itself is a cycle of one.  Those that are
    in no cycle are not in the result.
    """
    below: dict[Place, list[Place]] = defaultdict(list)
    for caller, callee in arcs:
        below[caller].append(callee)
    found: dict[Place, frozenset[Place]] = {}
    for members in _components(below):
        (first, *others) = members
        if others or first in below[first]:
            cycle = frozenset(members)
            found |= {member: cycle for member in members}
    return found


def inclusive(profile: OpProfile) -> dict[Place, Fraction]:
    """Self cost of each function plus all it calls; of each member of a
    cycle, that of the whole cycle."""
    around = cycles(profile.arcs)
    sums: dict[frozenset[Place], Fraction] = defaultdict(Fraction)

    def home(place: Place) -> frozenset[Place]:
        return around.get(place, frozenset((place,)))

    for place, cost in profile.functions.items():
        sums[home(place)] += cost.cost
    for (caller, callee), arc in profile.arcs.items():
        if callee not in home(caller):
            sums[home(caller)] += arc.cost
    return {place: sums[home(place)] for place in profile.functions}


def callers(profile: OpProfile, place: Place) -> dict[Place, Cost]:
    """Who calls a function: how often, and what those calls cost."""
    return {
        caller: arc
        for (caller, callee), arc in profile.arcs.items()
        if callee == place
    }


def _components(below: dict[Place, list[Place]]) -> list[list[Place]]:
    """Tarjan's strongly connected components, on a stack of our own: a
    call graph may be deeper than Python's."""
    order: dict[Place, int] = {}
    low: dict[Place, int] = {}
    open_: dict[Place, None] = {}  # in the order of `order`
    found: list[list[Place]] = []
    for root in list(below):
        if root in order:
            continue
        order[root] = low[root] = len(order)
        open_[root] = None
        work = [(root, iter(below[root]))]
        while work:
            place, rest = work[-1]
            callee = next(rest, None)
            if callee is None:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[place])
                if low[place] == order[place]:
                    found.append(_close(open_, place))
            elif callee not in order:
                order[callee] = low[callee] = len(order)
                open_[callee] = None
                work.append((callee, iter(below.get(callee, ()))))
            elif callee in open_:
                low[place] = min(low[place], order[callee])
    return found


def _close(open_: dict[Place, None], first: Place) -> list[Place]:
    """Take a component off the open ones: `first` and all after it."""
    members = []
    while True:
        last, _ = open_.popitem()
        members.append(last)
        if last == first:
            return members
