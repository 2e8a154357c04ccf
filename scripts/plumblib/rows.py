"""A report as rows of text, from which every table is made."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction

from plumblib import numerals
from plumblib.errors import Exit
from plumblib.judge import SEVERITY
from plumblib.records import CaseVerdict, MetricVerdict, Outcome, Report

# What such a row is about is the case, not each of its metrics.
_WHOLE_CASE = frozenset(
    {
        Outcome.NEW,
        Outcome.GONE,
        Outcome.CHANGED,
        Outcome.NOT_COMPARABLE,
        Outcome.NOT_MEASURED,
    }
)


@dataclass(frozen=True)
class Row:
    """One line of a table; empty where there is nothing to say."""

    case: str
    metric: str
    base: str
    head: str
    difference: str
    percent: str
    outcome: Outcome
    note: str


HEADINGS = (
    "verdict",
    "case",
    "metric",
    "base",
    "head",
    "difference",
    "change",
)


def cells(row: Row) -> tuple[str, ...]:
    """A row in the order of HEADINGS."""
    return (
        row.outcome.value,
        row.case,
        row.metric,
        row.base,
        row.head,
        row.difference,
        row.percent,
    )


def headline(report: Report) -> str:
    """The verdict in one line, made from the rows: "failed: 2 slower,
    54 same"."""
    verdict = {
        Exit.OK: "passed",
        Exit.FAILED: "failed",
        Exit.NO_ANSWER: "no answer",
    }[Exit(report.exit_code)]
    if report.kind == "a/a":
        verdict = f"A/A run {verdict}"
    counts = Counter(row.outcome for row in cases_of(report))
    told = [
        f"{counts[outcome]:,} {outcome.value}"
        for outcome in reversed(SEVERITY)
        if counts[outcome]
    ]
    claims = Counter(row.outcome for row in claims_of(report))
    told += [
        f"{claims[outcome]:,} of the claims {_claim_word(outcome)}"
        for outcome in reversed(SEVERITY)
        if claims[outcome]
    ]
    if report.unchecked:
        told.append(
            f"{report.unchecked:,} of the claims not checked (left out by -f,"
            " or slow and without --slow)"
        )
    return f"{verdict}: {', '.join(told) or 'no cases'}"


def cases_of(report: Report) -> tuple[CaseVerdict, ...]:
    """The verdicts that are not those of claims."""
    return tuple(row for row in report.cases if not row.against)


def claims_of(report: Report) -> tuple[CaseVerdict, ...]:
    """The verdicts of claims."""
    return tuple(row for row in report.cases if row.against)


def changed(report: Report) -> tuple[CaseVerdict, ...]:
    """What is worth a row: all that is not `same`, the worst first."""
    found = [row for row in report.cases if row.outcome is not Outcome.SAME]
    found.sort(key=lambda row: (-SEVERITY.index(row.outcome), row.id))
    return tuple(found)


def table(report: Report) -> list[Row]:
    """The rows of all that changed.  What cannot be compared stands there
    once a suite: no figure in it means anything."""
    rows: list[Row] = []
    unlike: dict[str, list[CaseVerdict]] = {}
    for verdict in changed(report):
        if verdict.outcome is Outcome.NOT_COMPARABLE:
            unlike.setdefault(suite_of(verdict), []).append(verdict)
        else:
            rows += rows_of(verdict)
    for suite, verdicts in sorted(unlike.items()):
        name = f"{suite}/* ({len(verdicts):,})"
        outcome = Outcome.NOT_COMPARABLE
        rows.append(
            Row(name, "", "", "", "", "", outcome, verdicts[0].note)
        )
    return rows


def suite_of(verdict: CaseVerdict) -> str:
    """The suite is the first part of an id."""
    return verdict.id.partition("/")[0]


def rows_of(verdict: CaseVerdict) -> list[Row]:
    """The rows of one case: its metrics that moved, or the first of them
    where the verdict is about the case itself."""
    if verdict.against:
        return [_claim_row(verdict)]
    note = verdict.note
    if verdict.accepted:
        note = f"accepted; {note}" if note else "accepted"
    if verdict.outcome in _WHOLE_CASE and all(
        metric.outcome is verdict.outcome for metric in verdict.metrics
    ):
        moved = verdict.metrics[:1]
    else:
        moved = tuple(
            metric
            for metric in verdict.metrics
            if metric.outcome is not Outcome.SAME
        )
    if not moved:
        return [Row(verdict.id, "", "", "", "", "", verdict.outcome, note)]
    return [_metric_row(verdict.id, metric, note) for metric in moved]


def moves(report: Report) -> list[tuple[Fraction, CaseVerdict, MetricVerdict]]:
    """How far each metric of the `same` cases moved, the furthest last."""
    found = [
        (_share(metric), row, metric)
        for row in cases_of(report)
        if row.outcome is Outcome.SAME
        for metric in row.metrics
    ]
    return sorted(found, key=lambda move: (move[0], move[1].id))


def folded(report: Report) -> str:
    """All unchanged cases in one sentence, with the largest difference."""
    same = [c for c in cases_of(report) if c.outcome is Outcome.SAME]
    if not same:
        return ""
    every = "every other case" if changed(report) else "every case"
    share, row, metric = (moves(report) or [(Fraction(0), same[0], None)])[-1]
    if share == 0 or metric is None:
        return f"{every.capitalize()} ({len(same):,}) moved by 0."
    change = difference(metric)
    assert change is not None and metric.base is not None
    return (
        f"{every.capitalize()} ({len(same):,}) stayed within its limits;"
        f" the largest difference is"
        f" {numerals.percent(change, metric.base.per_op)}"
        f" ({numerals.signed(change)} {metric.metric}, {row.id})."
    )


def difference(metric: MetricVerdict) -> Fraction | None:
    """Head less base, of one operation; None when a side is missing."""
    if metric.base is None or metric.head is None:
        return None
    return metric.head.per_op - metric.base.per_op


def _share(metric: MetricVerdict) -> Fraction:
    change = difference(metric)
    if not change or metric.base is None:
        return Fraction(0)
    return abs(change) / (metric.base.per_op or 1)


def _metric_row(case_id: str, metric: MetricVerdict, note: str) -> Row:
    base, head = metric.base, metric.head
    change = difference(metric)
    return Row(
        case=case_id,
        metric=metric.metric,
        base=numerals.plain(base.per_op) if base else "",
        head=numerals.plain(head.per_op) if head else "",
        difference="" if change is None else numerals.signed(change),
        percent=(
            ""
            if change is None or base is None
            else numerals.percent(change, base.per_op)
        ),
        outcome=metric.outcome,
        note=note,
    )


def _claim_row(verdict: CaseVerdict) -> Row:
    """The ratio stands where a change would."""
    (metric,) = verdict.metrics
    name = f"{verdict.id} of {verdict.against}"
    ratio = ""
    if metric.base and metric.head and metric.base.per_op:
        ratio = f"x {numerals.plain(metric.head.per_op / metric.base.per_op)}"
    row = _metric_row(name, metric, verdict.note)
    return replace(row, percent=ratio)


def _claim_word(outcome: Outcome) -> str:
    return {
        Outcome.SAME: "held",
        Outcome.CLAIM_BROKEN: "broken",
    }.get(outcome, outcome.value)
