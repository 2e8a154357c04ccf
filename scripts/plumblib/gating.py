"""Compares a measurement with committed budgets: the baseline gate."""

from __future__ import annotations

import re

from plumblib import baseline, claims, toolchains
from plumblib.judge import Terms, exit_code, judge
from plumblib.records import Measurement, Report
from plumblib.standards import Standards


def compare(
    measured: Measurement,
    standards: Standards,
    title: str,
    strict: bool,
    wanted: re.Pattern[str] | None = None,
) -> Report:
    """The report of a measurement against the budgets of its platform.

    `wanted`: the filter with which it was measured; what does not match
    is not missed.
    """
    terms = Terms(standards.limits, incomparable(measured, standards))
    base = {
        case_id: case
        for case_id, case in baseline.results(standards.budgets).items()
        if wanted is None or wanted.search(case_id)
    }
    rows = judge(base, measured, terms)
    return Report(
        kind="gate",
        title=title,
        base=None,
        head=measured.revision,
        toolchain=measured.toolchain,
        cases=rows,
        strict=strict,
        unchecked=claims.unasked(measured),
        exit_code=exit_code(rows, "gate", strict),
    )


def incomparable(
    measured: Measurement, standards: Standards
) -> dict[str, str]:
    """For each suite what differs in how its budgets were made."""
    found = {
        suite: "; ".join(unlike)
        for suite, made in standards.budgets.items()
        if (
            unlike := toolchains.differences(
                made.toolchain, measured.toolchain
            )
        )
    }
    if standards.platforms and not standards.budgets:
        why = (
            f"there are no budgets for {measured.toolchain.platform}, only"
            f" for {', '.join(standards.platforms)}"
        )
        suites = {case.info.suite for case in measured.cases.values()}
        found |= {suite: why for suite in suites}
    return found
