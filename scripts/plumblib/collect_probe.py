"""Collects what needs no valgrind: fingerprints and heap figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from plumblib import instrument
from plumblib.records import Figure

# Metric, key of the instrument, and whether it is a sum over operations;
# the peak is the highest of them, whatever their number.
HEAP = (
    ("heap_calls", "calls", True),
    ("heap_bytes", "bytes", True),
    ("heap_peak", "peak", False),
    ("heap_live", "live", True),
)

# Relative: ld.so splits the list at spaces, which paths may have.
PRELOAD = ("LD_PRELOAD=./plumb-heap.so",)


@dataclass(frozen=True)
class Probed:
    """One case, natively run; without figures, `failure` says why."""

    failure: str | None
    value: str = ""  # what the first operation returned, in hex
    input: str = ""
    work: str = ""
    figures: dict[str, Figure] = field(default_factory=dict)
    files: tuple[str, ...] = ()  # that setup read, below the project's root


def collect(
    folder: Path,
    plan: instrument.Plan,
    on_case: Callable[[str], None],
) -> dict[str, Probed]:
    """Probe every case of the plan with the instruments in `folder`."""
    found: dict[str, Probed] = {}

    def take(line: dict[str, Any]) -> None:
        found[line["case"]] = _probed(line)
        on_case(line["case"])

    done = instrument.carry_out(
        "plumb-probe",
        folder,
        plan,
        take,
        settings=PRELOAD,
    )
    missing = Probed(instrument.not_reached("plumb-probe", done))
    return {case: found.get(case, missing) for case in plan.cases}


def _probed(line: dict[str, Any]) -> Probed:
    if line["failure"] is not None:
        return Probed(line["failure"])
    figures = {
        metric: _figure(line["heap"], key, summed)
        for metric, key, summed in HEAP
    }
    if figures["heap_live"].total < 0:
        return Probed(
            f"run: an operation frees {-figures['heap_live'].per_op} bytes"
            " more than it requests: it uses up what there was, so the next"
            " ones cost something else; is its period declared?"
        )
    return Probed(
        None,
        line["value"],
        line["input"],
        line["work"],
        figures,
        tuple(sorted(set(line["files"]))),
    )


def _figure(heap: dict[str, Any], key: str, summed: bool) -> Figure:
    """The second of two windows; how far the first was from it."""
    first, second = heap[key]
    cost = Fraction(second, heap["ops"] if summed else 1)
    return Figure(cost.numerator, cost.denominator, abs(first - second))
