"""A measurement in the formats of other tools: records in, JSON out.

All of them know times best.  What is counted stays a count: the unit is
named wherever the format has a place for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from plumblib.records import (
    METRICS,
    CaseResult,
    Figure,
    Measurement,
    Metric,
)

_MAIN = METRICS[0]


def google_benchmark(made: Measurement) -> dict[str, Any]:
    """The JSON of google-benchmark, as its compare.py reads it.

    The format wants a time.  Both times hold the instructions of an
    operation, and the label says so; all metrics are counters under their
    own names.  A case that failed is one with an error.
    """
    return {
        "context": {
            "date": made.made_at,
            "executable": made.project,
            "num_cpus": 1,
            "mhz_per_cpu": 0,
            "cpu_scaling_enabled": False,
            "caches": [],
            "load_avg": [],
            "library_build_type": "release",
            "commit": made.revision.commit,
            "compiler": made.toolchain.compiler,
            "flags": made.toolchain.flags,
            "platform": made.toolchain.platform,
        },
        "benchmarks": [
            _benchmark(at, name, case)
            for at, (name, case) in enumerate(sorted(made.cases.items()))
        ],
    }


def bencher(made: Measurement) -> dict[str, Any]:
    """Bencher Metric Format: benchmark to measure to value.  What a
    figure may be off its line bounds it on both sides."""
    return {
        name: {
            metric.name: {
                "value": _number(figure),
                "lower_value": _number(figure, -figure.residual),
                "upper_value": _number(figure, figure.residual),
            }
            for metric, figure in _figures(case)
        }
        for name, case in _measured(made)
    }


def github_action_benchmark(made: Measurement) -> list[dict[str, Any]]:
    """What github-action-benchmark calls customSmallerIsBetter: one entry
    for each metric of each case, named by both but for the first metric,
    whose name is the case's."""
    return [
        {
            "name": name if metric is _MAIN else f"{name} {metric.name}",
            "unit": metric.unit,
            "value": _number(figure),
            "range": f"± {figure.residual}",
            "extra": metric.about,
        }
        for name, case in _measured(made)
        for metric, figure in _figures(case)
    ]


FORMATS: dict[str, Callable[[Measurement], Any]] = {
    "gbench": google_benchmark,
    "bencher": bencher,
    "github-action-benchmark": github_action_benchmark,
}

# Formats in which a case that failed can be told.
TELLS_FAILURES = frozenset({"gbench"})


def _benchmark(at: int, name: str, case: CaseResult) -> dict[str, Any]:
    common = {
        "name": name,
        "family_index": at,
        "per_family_instance_index": 0,
        "run_name": name,
        "run_type": "iteration",
        "repetitions": 1,
        "repetition_index": 0,
        "threads": 1,
        "iterations": case.info.iters,
        "time_unit": "ns",
    }
    if case.failure is not None:
        return common | {
            "error_occurred": True,
            "error_message": case.failure,
            "real_time": 0.0,
            "cpu_time": 0.0,
        }
    counters = {metric.name: _number(fig) for metric, fig in _figures(case)}
    return (
        common
        | {
            "real_time": counters[_MAIN.name],
            "cpu_time": counters[_MAIN.name],
            "label": "times are instructions",
        }
        | counters
    )


def _measured(made: Measurement) -> Iterator[tuple[str, CaseResult]]:
    for name, case in sorted(made.cases.items()):
        if case.failure is None:
            yield name, case


def _figures(case: CaseResult) -> Iterator[tuple[Metric, Figure]]:
    """In the order of METRICS; those that were not taken are left out."""
    for metric in METRICS:
        if metric.name in case.figures:
            yield metric, case.figures[metric.name]


def _number(figure: Figure, off: int = 0) -> int | float:
    """The cost of an operation: whole where it is, else the nearest
    double.  `off` is added to the total."""
    total = figure.total + off
    if total % figure.ops == 0:
        return total // figure.ops
    return total / figure.ops
