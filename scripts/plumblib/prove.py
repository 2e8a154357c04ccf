"""Shows that the gate finds what it should: known regressions, predicted.

A mutant is the subject with one file compiled so that each function entry
costs k instructions, or one allocation, more.  How often a case enters
the functions of the file is counted on the plain side, so the increase of
every case is known beforehand, and must be found exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from plumblib.collect_count import Counted
from plumblib.entries import Place
from plumblib.judge import judge_figures
from plumblib.records import Figure, Limits, Outcome

NOP = "nop"
ALLOC = "alloc"
SIZES = (1, 2, 8)

# Parts of limits, in millionths, that the detection table sweeps.
SWEEP = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000)
BANDS = ((0, 2_000), (2_000, 10_000), (10_000, 50_000), (50_000, None))


@dataclass(frozen=True)
class Mutant:
    """One file, and what each entry of its functions costs more."""

    file: str
    kind: str  # NOP or ALLOC
    size: int  # instructions, or allocations

    @property
    def flags(self) -> str:
        if self.kind == NOP:
            return f"-fpatchable-function-entry={self.size}"
        return "-pg -mfentry"

    @property
    def name(self) -> str:
        return f"{self.file} +{self.size} {self.kind}"


@dataclass(frozen=True)
class Proof:
    """What was predicted for a mutant, and what was found, by case; cases
    that neither should move nor did are left out."""

    mutant: Mutant
    predicted: dict[str, Fraction]
    found: dict[str, Fraction]
    failures: dict[str, str]  # cases that could not be measured

    @property
    def exact(self) -> bool:
        return self.predicted == self.found and not self.failures


def predict(
    mutant: Mutant,
    plain: Mapping[str, Counted],
    subject: Path,
    known: Mapping[int, Place],
    touched: set[Place],
) -> dict[str, Fraction]:
    """The increase of each case that enters a touched function.

    `known` has the functions of the plain subject by address.
    """
    addresses = {at for at, place in known.items() if place in touched}
    predicted = {}
    for case, one in plain.items():
        if one.profile is None:
            continue
        entered = sum(
            count
            for (name, at), count in one.profile.entered.items()
            if name == str(subject) and at in addresses
        )
        if entered:
            predicted[case] = Fraction(entered * mutant.size, one.ops)
    return predicted


def compare(
    mutant: Mutant,
    predicted: dict[str, Fraction],
    plain: Mapping[str, Figure | None],
    broken: Mapping[str, tuple[Figure | None, str | None]],
) -> Proof:
    """Hold what a mutant costs against the plain side.

    Each value of `broken` is a figure or why there is none.
    """
    found = {}
    failures = {}
    for case, before in plain.items():
        after, failure = broken[case]
        if before is None or after is None:
            failures[case] = failure or "the plain side was not measured"
        elif after.per_op != before.per_op:
            found[case] = after.per_op - before.per_op
    return Proof(mutant, predicted, found, failures)


@dataclass(frozen=True)
class Detection:
    """Regressions of one size, and how many of them each failure limit
    called slower.  `wrong` counts those called otherwise than their size
    says."""

    low_ppm: int
    high_ppm: int | None
    count: int
    slower: tuple[int, ...]  # by limit, in the order of SWEEP
    wrong: int


def detections(
    proofs: Iterable[Proof], plain: Mapping[str, Figure]
) -> list[Detection]:
    """The detection table: sizes of regression against limits."""
    increases = [
        (plain[case], plain[case].per_op + change)
        for proof in proofs
        if proof.mutant.kind == NOP
        for case, change in proof.found.items()
        if change > 0
    ]
    rows = []
    for low, high in BANDS:
        inside = [
            (base, head)
            for base, head in increases
            if low <= _ppm(base, head)
            and (high is None or _ppm(base, head) < high)
        ]
        slower = [0] * len(SWEEP)
        wrong = 0
        for base, head in inside:
            for at, limit in enumerate(SWEEP):
                called = _is_slower(base, head, limit)
                slower[at] += called
                wrong += called != (_ppm(base, head) >= limit)
        rows.append(Detection(low, high, len(inside), tuple(slower), wrong))
    return rows


def _ppm(base: Figure, head: Fraction) -> Fraction:
    return (head - base.per_op) / base.per_op * 1_000_000


def _is_slower(base: Figure, head: Fraction, limit: int) -> bool:
    figure = Figure(head.numerator, head.denominator)
    limits = Limits(warn_ppm=min(limit, 2_000), fail_ppm=limit)
    outcome = judge_figures(base, figure, limits, Fraction(0))
    return outcome is Outcome.SLOWER
