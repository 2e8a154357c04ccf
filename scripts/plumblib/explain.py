"""Answers "is it real, where, and why" for one case of two builds."""

from __future__ import annotations

from dataclasses import dataclass

from plumblib import decompose, diagnose, evidence, heap_sites, reasons, was
from plumblib.decompose import FunctionRow
from plumblib.errors import NotMeasured
from plumblib.evidence import INSTRUCTIONS, Trial
from plumblib.explanation import Explanation, SiteRow, Touch
from plumblib.history import History
from plumblib.hunks import Difference
from plumblib.profiles import OWN, OpProfile

_NO_PROFILE = OpProfile({}, {}, {})


@dataclass(frozen=True)
class Context:
    """What is known of the two builds besides their code."""

    title: str
    difference: Difference
    history: History


def explain(trial: Trial, context: Context) -> Explanation:
    """Measure both sides again and account for the difference.

    Raises NotMeasured when a side cannot be measured, or when functions
    do not add up to it.
    """
    for side in trial.sides:
        if side.failure is not None:
            raise NotMeasured(f"{side.name}: {side.case}: {side.failure}")
    rows, sites = _where(trial, context.difference)
    seen = evidence.gather(trial, rows, sites)
    cause, sentence = diagnose.diagnose(seen)
    touched, why = _why(trial, rows, sites, context.difference)
    past = was.points(context.history, trial.head.case, trial.metric)
    return Explanation(
        case=trial.head.case,
        metric=trial.metric,
        title=context.title,
        base=seen.base,
        head=seen.head,
        checks=evidence.checks(trial, seen),
        rows=rows,
        sites=sites,
        hunks=touched,
        reasons=why,
        past=past,
        before=was.told(past, seen.head),
        cause=cause,
        sentence=sentence,
    )


def rows(trial: Trial, difference: Difference) -> tuple[FunctionRow, ...]:
    """The functions of a difference in instructions, which they add up
    to; without a base, those of head."""
    base, head = trial.base, trial.head
    before = base.profile if base else _NO_PROFILE
    found = decompose.decompose(before, head.profile, difference)
    if base is not None:
        _check_sum(trial, found)
    return tuple(found)


def _where(
    trial: Trial, difference: Difference
) -> tuple[tuple[FunctionRow, ...], tuple[SiteRow, ...]]:
    """Functions for instructions, call sites for the heap."""
    if trial.metric == INSTRUCTIONS:
        return rows(trial, difference), ()
    return (), heap_sites.compare(trial.base, trial.head)


def _check_sum(trial: Trial, found: list[FunctionRow]) -> None:
    """The harness costs the same on both sides, so all the difference is
    in the rows."""
    assert trial.base is not None
    old, new = trial.base.located.figure, trial.head.located.figure
    assert old is not None and new is not None
    change = new.per_op - old.per_op
    parts = sum(row.change for row in found)
    if parts != change:
        raise NotMeasured(
            f"{trial.head.case}: its functions changed by {parts}, the case"
            f" by {change}: the harness itself was counted differently"
        )


def _why(
    trial: Trial,
    found: tuple[FunctionRow, ...],
    sites: tuple[SiteRow, ...],
    difference: Difference,
) -> tuple[tuple[Touch, ...], str]:
    """What the difference between the commits does to what changed."""
    base, head = trial.base, trial.head
    if base is None or not (found or sites):
        return (), ""
    if trial.metric == INSTRUCTIONS:
        own = [row for row in found if row.part == OWN]
        names = [(row.was or row.name, row.name) for row in own]
    else:
        names = [(name, name) for name in heap_sites.functions(sites)]
    return reasons.touches(
        difference,
        bool(names),
        reasons.ranges_of(base.build, [old for old, _ in names]),
        reasons.ranges_of(head.build, [new for _, new in names]),
    )
