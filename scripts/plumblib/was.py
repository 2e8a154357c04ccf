"""Where a figure lies among those recorded before."""

from __future__ import annotations

from plumblib import numerals
from plumblib.explanation import Past
from plumblib.history import History
from plumblib.records import Figure
from plumblib.series import metric_named, series


def points(history: History, case: str, metric: str) -> tuple[Past, ...]:
    """All recorded figures of a case, oldest first."""
    found = series(history, case, metric_named(metric))
    return tuple(
        Past(point.date, point.commit, point.figure)
        for point in found.points
    )


def told(past: tuple[Past, ...], figure: Figure) -> str:
    """One sentence on them."""
    if not past:
        return "no figure of this case was recorded yet"
    cost = figure.per_op
    lowest = min(past, key=lambda one: one.figure.per_op)
    highest = max(past, key=lambda one: one.figure.per_op)
    if cost > highest.figure.per_op:
        where = f"above {_all(past)}, the highest is {_one(highest)}"
    elif cost < lowest.figure.per_op:
        where = f"below {_all(past)}, the lowest is {_one(lowest)}"
    elif lowest.figure.per_op == highest.figure.per_op:
        where = f"at {_all(past)}"
    else:
        where = f"among {_all(past)}, {_one(lowest)} to {_one(highest)}"
    last = past[-1]
    change = cost - last.figure.per_op
    share = numerals.percent(change, last.figure.per_op)
    return (
        f"{numerals.plain(cost)} lies {where}; it is"
        f" {numerals.signed(change)} ({share}) from the last, {_one(last)}"
    )


def _all(past: tuple[Past, ...]) -> str:
    many = len(past)
    return f"all {many:,} recorded" if many > 1 else "the one recorded"


def _one(point: Past) -> str:
    cost = numerals.plain(point.figure.per_op)
    return f"{cost} of {point.date[:10]} ({point.commit})"
