"""Judge figures against figures: records in, verdicts out, no files.

Integers and fractions only, so equal inputs give equal verdicts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from plumblib.claims import judge_claims
from plumblib.errors import Exit
from plumblib.limits import MILLION, LimitTable
from plumblib.records import (
    METRICS,
    CaseResult,
    CaseVerdict,
    Figure,
    Limits,
    Measurement,
    MetricVerdict,
    Outcome,
)
from plumblib.steadiness import slack_of

# From good to bad: a case is called by the last among its metrics, and
# reports list the worst first.
SEVERITY: tuple[Outcome, ...] = (
    Outcome.SAME,
    Outcome.FASTER,
    Outcome.UNSTEADY,
    Outcome.WARN,
    Outcome.NEW,
    Outcome.NOT_COMPARABLE,
    Outcome.NOT_MEASURED,
    Outcome.GONE,
    Outcome.CHANGED,
    Outcome.CLAIM_BROKEN,
    Outcome.SLOWER,
)

# Why a case that both sides declare was not measured in head.
UNASKED = (
    "head: was left out; if it is tagged slow now, --slow measures it, and"
    " `plumb accept --slow` agrees to the tag"
)

_METRIC_ORDER = tuple(metric.name for metric in METRICS)


@dataclass(frozen=True)
class Terms:
    """Under which terms a head is judged.

    `incomparable` says for a suite what differs in the conditions under
    which its base was made; `accepted` names the cases whose change,
    removal or slowness was agreed to.
    """

    limits: LimitTable = LimitTable()
    incomparable: Mapping[str, str] = field(default_factory=dict)
    accepted: frozenset[str] = frozenset()


def judge(
    base: Mapping[str, CaseResult], head: Measurement, terms: Terms
) -> tuple[CaseVerdict, ...]:
    """The verdict of every case, by id, then that of every claim.

    A slow case of base that head declares but did not measure was not
    asked for, and has no verdict.  Any other is not measured: a case that
    becomes slow, or is called so, must not drop out unseen.
    """
    left = set(base) - set(head.cases)
    asleep = {
        case_id
        for case_id in left & set(head.declared)
        if base[case_id].info.slow or case_id in terms.accepted
    }
    rows = [
        judge_case(case_id, base.get(case_id), head.cases.get(case_id), terms)
        if case_id in head.cases or case_id not in head.declared
        else _whole(base[case_id], None, Outcome.NOT_MEASURED, UNASKED)
        for case_id in sorted((left - asleep) | set(head.cases))
    ]
    return (*rows, *judge_claims(head))


def judge_case(
    case_id: str,
    base: CaseResult | None,
    head: CaseResult | None,
    terms: Terms,
) -> CaseVerdict:
    """Judge one case, which at least one side has."""
    known = head or base
    if known is None:
        raise ValueError(f"{case_id}: on neither side")
    accepted = case_id in terms.accepted
    unlike = terms.incomparable.get(known.info.suite)
    failure = _failures(base, head)

    if failure and head is not None:
        return _whole(base, head, Outcome.NOT_MEASURED, failure)
    if unlike is not None:
        return _whole(base, head, Outcome.NOT_COMPARABLE, unlike)
    if head is None:
        return _whole(base, head, Outcome.GONE, accepted=accepted)
    if base is None:
        return _whole(base, head, Outcome.NEW)
    if changed := _changes(base, head):
        return _whole(base, head, Outcome.CHANGED, changed, accepted)

    metrics = tuple(
        judge_metric(base, head, metric, terms.limits)
        for metric in _metric_names(base, head)
    )
    outcome = worst(metric.outcome for metric in metrics)
    return CaseVerdict(case_id, outcome, metrics, _unsteady(base, head))


def judge_metric(
    base: CaseResult, head: CaseResult, metric: str, limits: LimitTable
) -> MetricVerdict:
    """Judge one metric that at least one of two measured sides has."""
    old, new = base.figures.get(metric), head.figures.get(metric)
    if new is None:
        # A figure that is no longer taken would otherwise pass unseen.
        return MetricVerdict(metric, Outcome.NOT_MEASURED, old, new)
    if old is None:
        return MetricVerdict(metric, Outcome.NEW, old, new)
    outcome = judge_figures(
        old,
        new,
        limits.of(head.info.suite, head.info.id, metric),
        slack_of(base, metric) + slack_of(head, metric),
    )
    return MetricVerdict(metric, outcome, old, new)


def judge_figures(
    base: Figure, head: Figure, limits: Limits, slack: Fraction
) -> Outcome:
    """Compare two costs of one operation.

    Limits are in millionths of base; a change of exactly the failure limit
    fails, one of exactly the warning limit passes.  `slack`, of one
    operation, is what unsteady figures may wander: it is taken off the
    difference, whichever way that goes.
    """
    old, new = base.per_op, head.per_op
    if old < 0 or new < 0:
        raise ValueError(f"negative figure: base {old}, head {new}")
    fail, warn = limits.fail_ppm * old, limits.warn_ppm * old
    rise = (new - old - slack) * MILLION
    fall = (old - new - slack) * MILLION
    if rise > 0 and rise >= fail:
        return Outcome.SLOWER
    if rise > 0 and rise > warn:
        return Outcome.WARN
    if fall > 0 and fall >= fail:
        return Outcome.FASTER
    return Outcome.UNSTEADY if slack else Outcome.SAME


def worst(outcomes: Iterable[Outcome]) -> Outcome:
    """The most severe; `same` when there are none."""
    return max(outcomes, key=SEVERITY.index, default=Outcome.SAME)


def exit_code(rows: Iterable[CaseVerdict], kind: str, strict: bool) -> Exit:
    """The exit code of a comparison; the worst row decides.

    What was judged and is red comes before what could not be judged: CI
    answers the latter by comparing with the merge base instead, and that
    must not wash away a regression against a committed budget.
    """
    codes = {row_code(row, kind, strict) for row in rows}
    for code in (Exit.FAILED, Exit.NO_ANSWER):
        if code in codes:
            return code
    return Exit.OK


def row_code(row: CaseVerdict, kind: str, strict: bool) -> Exit:
    """What one row asks for, in a report of this kind (see Report)."""
    match row.outcome:
        case Outcome.NOT_COMPARABLE | Outcome.NOT_MEASURED:
            return Exit.NO_ANSWER
        case Outcome.SAME:
            return Exit.OK
        case _ if kind == "a/a":
            return Exit.FAILED  # there every difference is a fault
        case Outcome.SLOWER | Outcome.CLAIM_BROKEN:
            return Exit.FAILED
        case Outcome.CHANGED | Outcome.GONE:
            return Exit.OK if row.accepted else Exit.FAILED
        case Outcome.NEW:
            return Exit.FAILED if kind == "gate" else Exit.OK
        case Outcome.FASTER:
            return Exit.FAILED if strict else Exit.OK
        case Outcome.WARN | Outcome.UNSTEADY:
            return Exit.OK


def _whole(
    base: CaseResult | None,
    head: CaseResult | None,
    outcome: Outcome,
    note: str = "",
    accepted: bool = False,
) -> CaseVerdict:
    """One outcome for all metrics, whatever their figures are."""
    sides = [side for side in (base, head) if side is not None]
    metrics = tuple(
        MetricVerdict(
            metric,
            outcome,
            base.figures.get(metric) if base else None,
            head.figures.get(metric) if head else None,
        )
        for metric in _metric_names(*sides)
    )
    case_id = sides[0].info.id
    return CaseVerdict(case_id, outcome, metrics, note, accepted=accepted)


def _metric_names(*sides: CaseResult) -> list[str]:
    """The metrics of either side: known ones in their order, then others."""
    names = {name for side in sides for name in side.figures}
    known = [name for name in _METRIC_ORDER if name in names]
    return known + sorted(names.difference(known))


def _failures(base: CaseResult | None, head: CaseResult | None) -> str:
    failures = [
        f"{where}: {side.failure}"
        for where, side in (("base", base), ("head", head))
        if side is not None and side.failure is not None
    ]
    return "; ".join(failures)


def _changes(base: CaseResult, head: CaseResult) -> str:
    """What of the same-work promise is broken; empty when it holds."""
    changed = [
        name
        for name, old, new in (
            ("input", base.input, head.input),
            ("work", base.work, head.work),
        )
        if old != new
    ]
    if not changed:
        return ""
    return f"its {' and '.join(changed)} changed: not the same operation"


def _unsteady(base: CaseResult, head: CaseResult) -> str:
    """Names the metrics whose blocks do not lie on one line."""
    return "; ".join(
        f"{where}: residual of {figure.residual} in {metric}"
        for where, side in (("base", base), ("head", head))
        for metric, figure in sorted(side.figures.items())
        if figure.residual
    )
