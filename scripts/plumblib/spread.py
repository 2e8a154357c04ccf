"""What a seed is worth: the same cases, counted with one seed and another.

A seed is an input like any other.  With a fixed one a count repeats; how
far it wanders with the seed is a result to be shown, and no gate.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from plumblib import numerals
from plumblib.records import Figure

RANDOM = "random"


@dataclass(frozen=True)
class Spread:
    """The counts of one case: with seed 0, and with others."""

    case: str
    fixed: Figure
    lowest: Fraction
    median: Fraction
    highest: Fraction
    values: int  # how many different ones

    @property
    def wide(self) -> Fraction:
        """Highest over lowest, less one."""
        return self.highest / self.lowest - 1


def seeds(word: str, runs: int) -> list[int]:
    """`random`: from the operating system, never 0; else a number, for
    as many runs: the spread of a fixed seed is 0."""
    if word != RANDOM:
        return [int(word)] * runs
    return [secrets.randbelow(2**64 - 1) + 1 for _ in range(runs)]


def spread(
    fixed: Mapping[str, Figure], others: Sequence[Mapping[str, Figure]]
) -> list[Spread]:
    """Of every case that all runs counted."""
    found = []
    for case, figure in fixed.items():
        costs = sorted(run[case].per_op for run in others if case in run)
        if len(costs) < len(others) or not costs:
            continue
        middle = len(costs) // 2
        median = (costs[middle] + costs[-middle - 1]) / 2
        found.append(
            Spread(
                case,
                figure,
                costs[0],
                median,
                costs[-1],
                len(set(costs)),
            )
        )
    return found


def table(found: Sequence[Spread], word: str, runs: int) -> str:
    """One case a line.  Says that none of it is gated."""
    width = max((len(one.case) for one in found), default=4)
    lines = [
        f"{'case':{width}}  {'seed 0':>12}  {'lowest':>12}  {'median':>12}"
        f"  {'highest':>12}  {'spread':>8}  values"
    ]
    for one in found:
        costs = (one.fixed.per_op, one.lowest, one.median, one.highest)
        shown = "  ".join(f"{numerals.plain(cost):>12}" for cost in costs)
        lines.append(
            f"{one.case:{width}}  {shown}  {float(one.wide):>8.1%}"
            f"  {one.values:>6}"
        )
    lines.append(
        f"{runs} runs with seed {word}; instructions of one operation."
        " Not a gate: only seed 0 has budgets."
    )
    return "\n".join(lines) + "\n"
