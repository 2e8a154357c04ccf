"""The committed budgets: one file a suite, and what they were made with.

`baselines/<platform>/toolchain.json` names the suites that have budgets,
each with its toolchain; `<suite>.json` beside it holds them.  A suite that
is not named there has none, whatever files lie about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plumblib import certificate, codec, files, schema
from plumblib.errors import UsageError
from plumblib.records import (
    SCHEMA_BASELINE,
    SCHEMA_TOOLCHAINS,
    SLOW,
    CaseInfo,
    CaseResult,
    Figure,
    Toolchain,
)

TOOLCHAIN_FILE = "toolchain.json"
_NOT_SUITES = (TOOLCHAIN_FILE, *certificate.FILE_NAMES.values())


@dataclass(frozen=True)
class Budget:
    """What one case may cost, and of which work that is the cost.

    `why` gives for a metric the reason for its last increase; `slow` says
    that the case was tagged so, and may be left out.
    """

    figures: dict[str, Figure]
    input: str
    work: str
    iters: int
    why: dict[str, str] = field(default_factory=dict)
    slow: bool = False


@dataclass(frozen=True)
class Baseline:
    """The budgets of one suite, all made with one toolchain, whose objects
    are those in which the suite spends instructions."""

    suite: str
    toolchain: Toolchain
    cases: dict[str, Budget]


def load(folder: Path) -> dict[str, Baseline]:
    """All baselines of a platform, by suite; none where there is no
    folder.  Raises UsageError with file, key and what was expected."""
    index = folder / TOOLCHAIN_FILE
    if not index.is_file():
        return {}
    return parse(
        {
            path.name: files.read_text(path)
            for path in sorted(folder.glob("*.json"))
        },
        folder,
    )


def parse(texts: Mapping[str, str], folder: Path) -> dict[str, Baseline]:
    """Like load, from the texts of the files by name."""
    index = str(folder / TOOLCHAIN_FILE)
    raw = files.parse_json(texts[TOOLCHAIN_FILE], index)
    schema.check(raw, SCHEMA_TOOLCHAINS, index)
    found = {}
    for suite, toolchain in raw["suites"].items():
        name = f"{suite}.json"
        if name not in texts:
            raise UsageError(
                f"{folder / name}: is missing, but {TOOLCHAIN_FILE} names its"
                " suite; restore it, or remove the suite there as well"
            )
        where = f"{index}: suites.{suite}"
        found[suite] = Baseline(
            suite=suite,
            toolchain=codec.decode(Toolchain, toolchain, where),
            cases=_parse_suite(texts[name], suite, str(folder / name)),
        )
    return found


def texts(baselines: Mapping[str, Baseline]) -> dict[str, str]:
    """The files of a platform by name.  The toolchains come last: a suite
    whose new figures stand under its old toolchain is not comparable,
    which is safe, while the opposite would compare what is not alike."""
    for suite in baselines:
        if f"{suite}.json" in _NOT_SUITES:
            raise UsageError(
                f"a suite cannot be called {suite!r}: its budgets would lie"
                f" in {suite}.json, which holds something else"
            )
    written = {
        f"{suite}.json": _suite_to_json(baseline)
        for suite, baseline in sorted(baselines.items())
    }
    written[TOOLCHAIN_FILE] = {
        "schema": SCHEMA_TOOLCHAINS,
        "suites": {
            suite: codec.encode(baseline.toolchain)
            for suite, baseline in baselines.items()
        },
    }
    for name, value in written.items():
        schema.check(value, value["schema"], f"the new {name}")
    return {name: files.json_text(value) for name, value in written.items()}


def results(baselines: Mapping[str, Baseline]) -> dict[str, CaseResult]:
    """The budgets as the base side of a comparison."""
    return {
        case_id: result(case_id, budget)
        for baseline in baselines.values()
        for case_id, budget in baseline.cases.items()
    }


def result(case_id: str, budget: Budget) -> CaseResult:
    """One budget as if it had just been measured."""
    return CaseResult(
        info=CaseInfo(
            id=case_id,
            suite=case_id.partition("/")[0],
            about="",
            tags=(SLOW,) if budget.slow else (),
            iters=budget.iters,
            period=1,
            bytes=0,
        ),
        failure=None,
        input=budget.input,
        work=budget.work,
        figures=budget.figures,
    )


def _parse_suite(text: str, suite: str, name: str) -> dict[str, Budget]:
    raw = files.parse_json(text, name)
    schema.check(raw, SCHEMA_BASELINE, name)
    if raw["suite"] != suite:
        raise UsageError(
            f"{name}: suite: expected {suite!r}, as the file is called,"
            f" found {raw['suite']!r}"
        )
    for case_id in raw["cases"]:
        if not case_id.startswith(f"{suite}/"):
            raise UsageError(
                f"{name}: cases.{case_id}: expected a case of the suite"
                f" {suite!r}"
            )
    return {
        case_id: _parse_budget(budget)
        for case_id, budget in raw["cases"].items()
    }


def _parse_budget(raw: dict[str, Any]) -> Budget:
    figures, why = {}, {}
    for metric, figure in raw["figures"].items():
        if isinstance(figure, int):
            figures[metric] = Figure(figure, 1)
            continue
        figures[metric] = Figure(
            figure["total"], figure["ops"], figure["residual"]
        )
        if "why" in figure:
            why[metric] = figure["why"]
    return Budget(
        figures,
        raw["input"],
        raw["work"],
        raw["iters"],
        why,
        raw.get("slow", False),
    )


def _suite_to_json(baseline: Baseline) -> dict[str, Any]:
    return {
        "schema": SCHEMA_BASELINE,
        "suite": baseline.suite,
        "cases": {
            case_id: _budget_to_json(budget)
            for case_id, budget in baseline.cases.items()
        },
    }


def _budget_to_json(budget: Budget) -> dict[str, Any]:
    return {
        "figures": {
            metric: _figure_to_json(figure, budget.why.get(metric))
            for metric, figure in budget.figures.items()
        },
        "input": budget.input,
        "work": budget.work,
        "iters": budget.iters,
    } | ({"slow": True} if budget.slow else {})


def _figure_to_json(figure: Figure, why: str | None) -> Any:
    """A whole number where that says it all, so that a change is one line
    of a diff."""
    if figure.ops == 1 and figure.residual == 0 and not why:
        return figure.total
    return codec.encode(figure) | ({"why": why} if why else {})
