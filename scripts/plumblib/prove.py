"""Shows that the gate finds what it should: known regressions, predicted.

A mutant is the subject with one file compiled so that each function entry
costs k instructions, or one allocation, more.  How often a case enters
the functions of the file is counted on the plain side, so the increase of
every case is known beforehand, and must be found exactly.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from plumblib.collect_count import Counted
from plumblib.entries import Place
from plumblib.judge import judge_figures
from plumblib.records import (
    BrokenFile,
    Detection,
    Figure,
    Limits,
    Outcome,
)

NOP = "nop"
ALLOC = "alloc"
SIZES = (1, 2, 8)
SAMPLE = 16  # of the cases that a mutant must not move

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
class FileProof:
    """What the mutants of one file showed.  `functions` have room at their
    entry; `remark` says why a file proves little, and is empty for one
    that does not."""

    file: str
    functions: tuple[str, ...]
    proofs: tuple[Proof, ...]
    remark: str = ""

    def brief(self) -> BrokenFile:
        cases = {case for one in self.proofs for case in one.predicted}
        return BrokenFile(
            self.file,
            len(self.functions),
            len(cases),
            len(self.proofs),
            sum(one.exact for one in self.proofs),
        )


def bystanders(
    cases: Sequence[str], predicted: Mapping[str, Fraction], turn: int
) -> list[str]:
    """Cases that must not move: a sample from end to end, another at each
    turn, so that in a few of them every case has had its turn."""
    rest = [case for case in cases if case not in predicted]
    step = max(1, len(rest) // SAMPLE)
    return rest[turn % step :: step]


def uncovered(
    plain: Mapping[str, Counted],
    subject: Path,
    root: Path,
    found: Sequence[FileProof],
) -> list[str]:
    """What no mutant reaches though it may run: files without a function
    of their own, parts that functions were split into, and headers, whose
    code is in the functions around it."""
    files = {one.file for one in found}
    broken = {name for one in found for name in one.functions}
    parts: dict[str, set[str]] = defaultdict(set)
    inlined: dict[str, set[str]] = defaultdict(set)
    for case, one in plain.items():
        spent = one.profile.spots if one.profile else {}
        for function, spots in spent.items():
            if function.object != str(subject):
                continue
            file = _below(root, function.file)
            if file in files and function.name not in broken:
                parts[f"{file}: {function.name}"].add(case)
            for name in {_below(root, spot.file) for spot in spots}:
                if name.endswith(".h"):
                    inlined[name].add(case)
    lines = [f"{one.file}: {one.remark}" for one in found if one.remark]
    lines += [
        f"{name}: has no entry of its own ({len(cases)} cases run it)"
        for name, cases in sorted(parts.items())
    ]
    own = tuple({f"{file.split('/')[0]}/" for file in files})
    lines += [
        f"{name}: inlined into what calls it ({len(cases)} cases run it)"
        for name, cases in sorted(inlined.items())
        if name.startswith(own)
    ]
    return lines


def _below(root: Path, file: str) -> str:
    """A source file as it is called from the root."""
    return file.removeprefix(f"{root}/").removeprefix("./")


def to_json(proof: Proof) -> dict[str, Any]:
    """One mutant of the record of all."""
    return {
        "file": proof.mutant.file,
        "kind": proof.mutant.kind,
        "size": proof.mutant.size,
        "exact": proof.exact,
        "predicted": _fractions(proof.predicted),
        "found": _fractions(proof.found),
        "failures": proof.failures,
    }


def from_json(value: Mapping[str, Any]) -> Proof:
    """The inverse."""
    changes = (
        {
            case: Fraction(change["total"], change["ops"])
            for case, change in value[key].items()
        }
        for key in ("predicted", "found")
    )
    mutant = Mutant(value["file"], value["kind"], value["size"])
    return Proof(mutant, *changes, dict(value["failures"]))


def _fractions(values: Mapping[str, Fraction]) -> dict[str, dict[str, int]]:
    return {
        case: {"total": value.numerator, "ops": value.denominator}
        for case, value in values.items()
    }


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


def band(row: Detection) -> str:
    """The sizes of a row, in percent."""
    high = f"{row.high_ppm / 10_000:g}" if row.high_ppm else "..."
    return f"{row.low_ppm / 10_000:g} to {high} %"


def _ppm(base: Figure, head: Fraction) -> Fraction:
    return (head - base.per_op) / base.per_op * 1_000_000


def _is_slower(base: Figure, head: Fraction, limit: int) -> bool:
    figure = Figure(head.numerator, head.denominator)
    limits = Limits(warn_ppm=min(limit, 2_000), fail_ppm=limit)
    outcome = judge_figures(base, figure, limits, Fraction(0))
    return outcome is Outcome.SLOWER
