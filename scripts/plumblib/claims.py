"""Judge claims: bounds on the ratio of two cases of one run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from plumblib.limits import MILLION
from plumblib.records import (
    CaseResult,
    CaseVerdict,
    Claim,
    Measurement,
    MetricVerdict,
    Outcome,
)
from plumblib.steadiness import slack_of


def judge_claims(head: Measurement) -> tuple[CaseVerdict, ...]:
    """The verdict of every claim whose cases were asked for."""
    return tuple(
        judge_claim(claim, head.cases)
        for claim in head.claims
        if all(
            case_id in head.cases or case_id not in head.declared
            for case_id in (claim.id, claim.against)
        )
    )


def unasked(head: Measurement) -> int:
    """How many claims have no verdict because a case of theirs was left
    out: by a filter, or because it is slow."""
    return len(head.claims) - len(judge_claims(head))


def judge_claim(claim: Claim, cases: dict[str, CaseResult]) -> CaseVerdict:
    """Judge one claim; the figure of `against` stands as base."""
    mine, other = cases.get(claim.id), cases.get(claim.against)
    missing = "; ".join(
        f"{case_id}: {_why_missing(side, claim.metric)}"
        for case_id, side in ((claim.id, mine), (claim.against, other))
        if side is None or claim.metric not in side.figures
    )
    if missing or mine is None or other is None:
        outcome, note = Outcome.NOT_MEASURED, missing
    else:
        outcome = Outcome.SAME
        if not _holds(claim, mine, other):
            outcome = Outcome.CLAIM_BROKEN
        note = f"claimed {bounds(claim)}: {claim.about}"
    metric = MetricVerdict(
        claim.metric,
        outcome,
        other.figures.get(claim.metric) if other else None,
        mine.figures.get(claim.metric) if mine else None,
    )
    return CaseVerdict(claim.id, outcome, (metric,), note, claim.against)


def bounds(claim: Claim) -> str:
    """The claim in words: "at most 0.86 of it"."""
    least, most = _share(claim.min_ppm), _share(claim.max_ppm)
    if claim.min_ppm == claim.max_ppm:
        return "to cost the same" if most == "1" else f"exactly {most} of it"
    if claim.min_ppm == 0:
        return f"at most {most} of it"
    return f"{least} to {most} of it"


def loosened(base: Measurement, head: Measurement) -> tuple[Claim, ...]:
    """The claims of base that head no longer makes as tightly."""
    now = {(c.id, c.against, c.metric): c for c in head.claims}
    gone = []
    for claim in base.claims:
        kept = now.get((claim.id, claim.against, claim.metric))
        if (
            kept is None
            or kept.min_ppm < claim.min_ppm
            or kept.max_ppm > claim.max_ppm
        ):
            gone.append(claim)
    return tuple(gone)


def as_before(head: Measurement, before: Iterable[Claim]) -> Measurement:
    """Head, held to these claims in place of its own about the same."""
    kept = tuple(before)
    about = {(claim.id, claim.against, claim.metric) for claim in kept}
    own = [
        claim
        for claim in head.claims
        if (claim.id, claim.against, claim.metric) not in about
    ]
    return replace(head, claims=(*kept, *own))


def _holds(claim: Claim, mine: CaseResult, other: CaseResult) -> bool:
    """Whether the ratio can lie in its bounds.  Multiplied out, so that a
    cost of 0 on either side needs no exception."""
    cost = mine.figures[claim.metric].per_op * MILLION
    slack = slack_of(mine, claim.metric) * MILLION
    unit = other.figures[claim.metric].per_op
    unit_slack = slack_of(other, claim.metric)
    return (
        cost + slack >= claim.min_ppm * (unit - unit_slack)
        and cost - slack <= claim.max_ppm * (unit + unit_slack)
    )


def _why_missing(side: CaseResult | None, metric: str) -> str:
    if side is None:
        return "no such case"
    return side.failure or f"no figure for {metric}"


def _share(ppm: int) -> str:
    """Millionths as a decimal without trailing zeros."""
    whole, rest = divmod(ppm, MILLION)
    return f"{whole}.{rest:06d}".rstrip("0").rstrip(".")
