"""A few lines under each red row: what `plumb explain` begins with.

The worst cases are counted once more, with addresses; nothing is
perturbed.  A verdict stands whether or not it can be explained.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from plumblib import (
    diagnose,
    explain_run,
    explain_sections,
    judge,
    numerals,
    progress,
    rows,
)
from plumblib.base_side import Setting
from plumblib.errors import Exit, PlumbError
from plumblib.evidence import INSTRUCTIONS
from plumblib.explain_run import Comparison
from plumblib.explanation import Cause, Explanation
from plumblib.records import CaseVerdict, Figure, Outcome, Report
from plumblib.side import Build

_CASES = 5  # of a report, the worst
_PARTS = 3  # functions or call sites of a case
_HEAP = "heap_calls"  # stands for all heap figures: sites have both


def with_base(report: Report, setting: Setting, head: Build) -> Report:
    """The report with lines under its red rows, from both sides.  Builds
    the base where only its figures were kept."""
    return _explained(report, lambda: explain_run.of(setting, head))


def alone(report: Report, head: Comparison) -> Report:
    """The same where no base is at hand: where the cost of head is."""
    return _explained(report, lambda: nullcontext(head))


def _explained(
    report: Report,
    comparison: Callable[[], AbstractContextManager[Comparison]],
) -> Report:
    red = [row for row in rows.changed(report) if _is_red(row, report)]
    red = red[:_CASES]
    if not red:
        return report
    why: dict[str, tuple[str, ...]] = {}
    try:
        with (
            comparison() as builds,
            progress.stage("explaining", len(red)) as done,
        ):
            for row in red:
                why[row.id] = _lines(builds, row)
                done(row.id)
    except PlumbError as error:
        why[red[len(why)].id] = (f"not explained: {error}",)
    return replace(report, why=why)


def _is_red(row: CaseVerdict, report: Report) -> bool:
    """Whether a row fails and is about a cost that can be looked into."""
    code = judge.row_code(row, report.kind, report.strict)
    wanted = {Outcome.SLOWER}
    if report.kind != "gate":  # what it was is not at hand there
        wanted.add(Outcome.CHANGED)
    return code is Exit.FAILED and row.outcome in wanted and not row.against


def _lines(builds: Comparison, row: CaseVerdict) -> tuple[str, ...]:
    metric, figure = _metric(row)
    told = builds.explain(builds.trial(row.id, metric, once=True))
    if figure is not None and told.head != figure:
        again = numerals.plain(told.head.per_op)
        return (
            f"{Cause.NONDETERMINISTIC.value}: measured again, it costs"
            f" {again}",
        )
    if told.base is None:
        return tuple(_parts(told))
    lines = [told.sentence, *_parts(told)]
    if told.reasons:
        lines.append(_reasons(told))
    return tuple(lines)


def _metric(row: CaseVerdict) -> tuple[str, Figure | None]:
    """What to look into: the worst metric, and its figure in the verdict
    where sites and functions can be held against it."""
    worst = max(
        row.metrics, key=lambda one: judge.SEVERITY.index(one.outcome)
    )
    if worst.metric == INSTRUCTIONS:
        return INSTRUCTIONS, worst.head
    calls = [one.head for one in row.metrics if one.metric == _HEAP]
    return _HEAP, calls[0] if calls else None


def _parts(told: Explanation) -> list[str]:
    """The functions or call sites with the largest change; of head alone,
    with the largest cost."""
    if told.base is None and told.rows:
        whole = told.head.per_op
        return [
            f"{row.name}: {numerals.plain(row.head_cost)} of"
            f" {numerals.plain(whole)}"
            f" ({numerals.percent(row.head_cost, whole).lstrip('+')})"
            for row in told.rows[:_PARTS]
        ]
    found = []
    for at, row in enumerate(told.rows[:_PARTS]):
        if at:  # the sentence has the first
            found.append(f"then {diagnose.function(row)}")
        if row.lines:
            found.append(explain_sections.line(row.lines[0], row.name))
    return found + [
        explain_sections.site_change(site) for site in told.sites[:_PARTS]
    ]


def _reasons(told: Explanation) -> str:
    places = ", ".join(touch.place for touch in told.hunks[:_PARTS])
    return f"{told.reasons}{f': {places}' if places else ''}"
