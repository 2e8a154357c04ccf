"""What accepting a measurement makes of the budgets: pure, no files.

Budgets go down by themselves, and up only with a reason.  Everything is
accepted or nothing: a refusal says why, and what would be accepted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from plumblib import baseline, numerals, toolchains
from plumblib.baseline import Baseline, Budget
from plumblib.errors import Exit, NotComparable, NotMeasured, PlumbError
from plumblib.judge import judge_metric
from plumblib.limits import LimitTable
from plumblib.records import CaseResult, Figure, Measurement, Outcome


class Refused(PlumbError):
    """A budget would go up without a reason."""

    exit_code = Exit.FAILED


@dataclass(frozen=True)
class Wish:
    """What the person at the keyboard asked for."""

    limits: LimitTable = LimitTable()
    whole: bool = True  # no filter: what is not declared is gone
    why: str = ""  # the reason for increases; empty forbids them
    new_toolchain: bool = False


@dataclass(frozen=True)
class Accepted:
    """The budgets as they will be, and what that changes, line by line."""

    baselines: dict[str, Baseline]
    lines: tuple[str, ...]


def accept(
    before: Mapping[str, Baseline], measured: Measurement, wish: Wish
) -> Accepted:
    """Merge a measurement into the baselines of its platform.

    Raises NotMeasured when a case failed, NotComparable when a suite
    would hold figures of two toolchains, Refused when a budget would go
    up beyond its limit without a reason.
    """
    _refuse_failures(measured)
    by_suite: dict[str, dict[str, CaseResult]] = {}
    for case_id, case in sorted(measured.cases.items()):
        by_suite.setdefault(case.info.suite, {})[case_id] = case
    after: dict[str, Baseline] = {}
    work = _Work(wish)
    for suite in sorted({*before, *by_suite}):
        merged = _merge_suite(
            suite, before.get(suite), by_suite.get(suite, {}), measured, work
        )
        if merged is not None and merged.cases:
            after[suite] = merged
    if work.risen:
        raise Refused(
            "nothing was accepted: budgets only go down by themselves\n"
            + "\n".join(f"  {line}" for line in work.risen)
            + '\nIf they are to go up: plumb accept --allow-increase --why'
            ' "..."; -f REGEX accepts a part.'
        )
    return Accepted(after, tuple(work.lines))


class _Work:
    """What is gathered on the way."""

    def __init__(self, wish: Wish) -> None:
        self.wish = wish
        self.lines: list[str] = []
        self.risen: list[str] = []


def _merge_suite(
    suite: str,
    old: Baseline | None,
    cases: dict[str, CaseResult],
    measured: Measurement,
    work: _Work,
) -> Baseline | None:
    budgets = dict(old.cases) if old else {}
    gone = sorted(set(budgets) - set(measured.declared) - set(cases))
    if work.wish.whole:
        for case_id in gone:
            del budgets[case_id]
            work.lines.append(f"gone: {case_id}")
    if not cases:
        return replace(old, cases=budgets) if old else None
    now = toolchains.used_by(cases.values(), measured.toolchain)
    fresh = old is None
    if old is not None:
        unlike = toolchains.differences(old.toolchain, measured.toolchain)
        if unlike:
            _check_whole(suite, unlike, sorted({*budgets} - {*cases}), work)
            work.lines.append(f"new toolchain: {suite}: {'; '.join(unlike)}")
            fresh = True
        elif set(budgets) - set(cases):
            # the cases that stay may use what these do not
            now = replace(now, objects=old.toolchain.objects | now.objects)
    for case_id, case in cases.items():
        budget = budgets.get(case_id)
        budgets[case_id] = _merge_case(case, budget, fresh, work)
    return Baseline(suite, now, budgets)


def _merge_case(
    case: CaseResult, old: Budget | None, fresh: bool, work: _Work
) -> Budget:
    """`fresh`: the old figures are of another toolchain, none may stay."""
    case_id = case.info.id
    new = Budget(
        case.figures,
        case.input,
        case.work,
        case.info.iters,
        slow=case.info.slow,
    )
    if old is None:
        work.lines.append(f"new: {case_id}: {_costs(case.figures)}")
        return new
    if (old.input, old.work) != (case.input, case.work):
        work.lines.append(
            f"changed: {case_id}: {_costs(old.figures)} ->"
            f" {_costs(case.figures)}"
        )
        return new
    lost = sorted(set(old.figures) - set(case.figures))
    if lost:
        raise NotMeasured(
            f"{case_id}: has a budget for {', '.join(lost)}, but no figure;"
            " nothing was accepted"
        )
    figures, why, kept = {}, {}, False
    for metric, figure in case.figures.items():
        budget = old.figures.get(metric)
        reason = old.why.get(metric, "")
        if budget is None or figure.per_op < budget.per_op:
            reason = ""
        elif figure.per_op > budget.per_op:
            if work.wish.why:
                reason = work.wish.why
            elif not fresh and _within_limit(case, old, metric, work.wish):
                figure, kept = budget, True
            else:
                work.risen.append(_step(case_id, metric, budget, figure))
        figures[metric] = figure
        if reason:
            why[metric] = reason
        _tell(case_id, metric, budget, case.figures[metric], figure, work)
    # a residual that is kept is one over the blocks it was taken with
    iters = old.iters if kept else case.info.iters
    if case.info.slow != old.slow:
        tagged = "now slow" if case.info.slow else "no longer slow"
        work.lines.append(f"{case_id}: {tagged}")
    return replace(new, figures=figures, iters=iters, why=why)


def _within_limit(
    case: CaseResult, old: Budget, metric: str, wish: Wish
) -> bool:
    base = baseline.result(case.info.id, old)
    verdict = judge_metric(base, case, metric, wish.limits)
    return verdict.outcome is not Outcome.SLOWER


def _tell(
    case_id: str,
    metric: str,
    old: Figure | None,
    measured: Figure,
    kept: Figure,
    work: _Work,
) -> None:
    if old is None:
        cost = numerals.plain(measured.per_op)
        work.lines.append(f"{case_id}: {cost} {metric}, a new figure")
    elif measured.per_op != old.per_op:
        step = _step(case_id, metric, old, measured)
        if kept == old:
            step += ": within its limit, the budget stays"
        work.lines.append(step)


def _step(case_id: str, metric: str, old: Figure, new: Figure) -> str:
    change = new.per_op - old.per_op
    return (
        f"{case_id}: {numerals.plain(old.per_op)} ->"
        f" {numerals.plain(new.per_op)} {metric}"
        f" ({numerals.percent(change, old.per_op)})"
    )


def _costs(figures: Mapping[str, Figure]) -> str:
    return ", ".join(
        f"{numerals.plain(figure.per_op)} {metric}"
        for metric, figure in figures.items()
        if figure.total or metric == "instructions"
    )


def _refuse_failures(measured: Measurement) -> None:
    failed = [
        f"  {case_id}: {case.failure}"
        for case_id, case in sorted(measured.cases.items())
        if case.failure is not None
    ]
    if failed:
        raise NotMeasured(
            "nothing was accepted: these cases were not measured\n"
            + "\n".join(failed)
        )


def _check_whole(
    suite: str, unlike: list[str], left: list[str], work: _Work
) -> None:
    """Refuse to put figures of two toolchains into one suite."""
    differing = "\n".join(f"  {line}" for line in unlike)
    if not work.wish.new_toolchain:
        raise NotComparable(
            f"nothing was accepted: the budgets of {suite} were made with"
            f" another toolchain\n{differing}\n`plumb accept"
            " --new-toolchain` measures whole suites anew with this one."
        )
    if left:
        raise NotComparable(
            f"nothing was accepted: {suite} would hold figures of two"
            f" toolchains\n{differing}\nMeasure these as well (without -f,"
            f" with --slow): {', '.join(left)}"
        )
