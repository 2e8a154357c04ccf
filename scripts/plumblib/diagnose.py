"""Calls a difference what the evidence shows it to be: no files, no runs.

The order matters: a difference in the work says nothing about cost, one
that wanders is not one, and only what is left is the change's doing.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from plumblib import numerals
from plumblib.decompose import FunctionRow
from plumblib.explanation import Cause, SiteRow
from plumblib.profiles import OWN
from plumblib.records import Figure, Finding


@dataclass(frozen=True)
class SideFinding:
    """A figure that moved without a reason, on "base" or "head"."""

    side: str
    finding: Finding


@dataclass(frozen=True)
class Evidence:
    """What was found out about one metric of one case.

    `unlike_code` names our executed functions whose machine code differs,
    None where it was not compared; `band` is what layout alone moves this
    case by, as it was certified.  Without a base there is nothing to
    compare with.
    """

    unit: str
    base: Figure | None
    head: Figure
    work: tuple[str, ...] = ()  # "input", "work": which differ
    moves: tuple[SideFinding, ...] = ()
    toolchain: tuple[str, ...] = ()
    unlike_code: tuple[str, ...] | None = None
    band: Fraction = Fraction(0)
    rows: tuple[FunctionRow, ...] = ()
    sites: tuple[SiteRow, ...] = ()

    @property
    def change(self) -> Fraction:
        before = self.base.per_op if self.base else 0
        return self.head.per_op - before


def diagnose(seen: Evidence) -> tuple[Cause, str]:
    """The cause, and a sentence for people that begins with it."""
    cause, why = _cause(seen)
    return cause, f"{cause.value}: {why}"


def _cause(seen: Evidence) -> tuple[Cause, str]:
    faults = [move for move in seen.moves if move.finding.fault]
    if seen.base is None and not faults:
        return Cause.NEW, (
            f"{_plain(seen.head)} {seen.unit}, and nothing to compare with"
            f"{_place(seen)}"
        )
    if seen.work:
        return Cause.NOT_SAME_WORK, (
            f"the {' and the '.join(seen.work)} of the case changed, so its"
            " costs are those of two operations"
        )
    if faults:
        return Cause.NONDETERMINISTIC, _wandering(faults)
    if seen.change == 0:
        return Cause.NONE, f"both sides cost {_plain(seen.head)}"
    if seen.toolchain:
        return Cause.ENVIRONMENT, (
            f"{_size(seen)}, but the sides are not built or run alike"
            f" ({'; '.join(seen.toolchain)}){_place(seen)}"
        )
    if seen.unlike_code == ():
        return Cause.ENVIRONMENT, (
            f"{_size(seen)}, yet every function of ours that ran is"
            " byte-identical on both sides: what differs is data, or what"
            f" it calls outside{_place(seen)}"
        )
    if _within_layout(seen):
        return Cause.LAYOUT, (
            f"{_size(seen)} is no more than where memory lies moves this"
            f" case by (±{numerals.plain(_band(seen))}), and our own code is"
            f" called as often{_place(seen)}"
        )
    return Cause.REAL, f"{_size(seen)}{_place(seen)}"


def _band(seen: Evidence) -> Fraction:
    """The certified band, or what was seen just now."""
    return max(
        (
            seen.band,
            *(abs(move.finding.change.per_op) for move in seen.moves),
        )
    )


def _within_layout(seen: Evidence) -> bool:
    own_calls_equal = all(
        row.base_calls == row.head_calls and row.change == 0
        for row in seen.rows
        if row.part == OWN
    )
    return abs(seen.change) <= _band(seen) and own_calls_equal


def _wandering(faults: list[SideFinding]) -> str:
    """Names the perturbation, the size, and the function."""
    first = max(faults, key=lambda one: abs(one.finding.change.per_op))
    found = first.finding
    moved = numerals.signed(found.change.per_op)
    others = len(faults) - 1
    rest = f"; so do {others} more perturbations" if others else ""
    return (
        f"{first.side} moves by {moved} under"
        f" `{found.perturbation}`: {found.why}{rest}"
    )


def _size(seen: Evidence) -> str:
    assert seen.base is not None
    change = seen.change
    share = numerals.percent(change, seen.base.per_op)
    return f"{numerals.signed(change)} {seen.unit} ({share})"


def _plain(figure: Figure) -> str:
    return numerals.plain(figure.per_op)


def _place(seen: Evidence) -> str:
    """The function or call site in which most of it lies."""
    if seen.rows:
        return f", most of it in {function(seen.rows[0])}"
    if seen.sites:
        return f", most of it requested in {seen.sites[0].frames[0]}"
    return ""


def function(row: FunctionRow) -> str:
    """A row as words: "`f` (+64: called as often, each +1)"."""
    change = numerals.signed(row.change)
    return f"`{row.name}` ({change}: {calls(row)})"


def calls(row: FunctionRow) -> str:
    """What changed about the calls of a function."""
    old, new = row.base_calls, row.head_calls
    if old == 0 and new:
        return f"called {times(new)}, was not called before"
    if new == 0 and old:
        return f"no longer called, was {times(old)}"
    each = ""
    if old and new:
        dearer = row.head_cost / new - row.base_cost / old
        each = f"each {numerals.signed(dearer)}" if dearer else ""
    if old == new:
        often = f"called {times(new)} as before"
        return f"{often}, {each}" if each else often
    more = f"{numerals.signed(new - old)} calls to {numerals.plain(new)}"
    return f"{more}, {each}" if each else f"{more}, each as dear as before"


def times(count: Fraction) -> str:
    """How often an operation does something."""
    return "once" if count == 1 else f"{numerals.plain(count)} times"
