"""The history of one metric of one case, ready to be shown or drawn."""

from __future__ import annotations

import re
from dataclasses import dataclass

from plumblib.history import History
from plumblib.records import METRICS, Figure, Metric, Toolchain


@dataclass(frozen=True)
class Point:
    """A figure, and what of the toolchain changed since the point before
    it: names such as "compiler" or "libz.so.1"."""

    date: str
    commit: str  # as `git log --oneline` shortens it; "+" when dirty
    figure: Figure
    changed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Series:
    """All points of a case, oldest first.  May be empty."""

    case: str
    metric: Metric
    points: tuple[Point, ...] = ()


def metric_named(name: str) -> Metric:
    """The metric of that name; KeyError when there is none."""
    return {metric.name: metric for metric in METRICS}[name]


def series(history: History, case: str, metric: Metric) -> Series:
    """Pick one metric of one case out of a history."""
    points: list[Point] = []
    before: Toolchain | None = None
    for entry in history.entries:
        figure = entry.cases.get(case, {}).get(metric.name)
        if figure is None:
            continue
        commit = entry.revision.commit[:7] or "no commit"
        points.append(
            Point(
                date=entry.date,
                commit=commit + "+" * entry.revision.dirty,
                figure=figure,
                changed=_changed(before, entry.toolchain),
            )
        )
        before = entry.toolchain
    return Series(case, metric, tuple(points))


def case_ids(
    history: History, pattern: re.Pattern[str] | None = None
) -> list[str]:
    """Every case that the history knows and the pattern finds, sorted."""
    ids = {name for entry in history.entries for name in entry.cases}
    return sorted(
        name for name in ids if pattern is None or pattern.search(name)
    )


def _changed(before: Toolchain | None, after: Toolchain) -> tuple[str, ...]:
    """What differs.  A library that only one run used says nothing: runs
    of other cases use other libraries."""
    if before is None:
        return ()
    names = ("platform", "compiler", "flags", "libc", "valgrind")
    changed = [
        name for name in names if getattr(before, name) != getattr(after, name)
    ]
    changed += [
        name
        for name in sorted(before.objects.keys() & after.objects.keys())
        if before.objects[name] != after.objects[name]
    ]
    return tuple(changed)
