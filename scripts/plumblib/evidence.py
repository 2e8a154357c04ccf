"""Gathers what decides whether a difference is real."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction

from plumblib import code_identity, numerals, perturb, progress, toolchains
from plumblib.collect_count import Counted
from plumblib.decompose import FunctionRow
from plumblib.diagnose import Evidence, SideFinding
from plumblib.explanation import Check, SiteRow
from plumblib.perturb import CIRCUMSTANCE, Perturbation
from plumblib.profiles import OWN
from plumblib.records import Figure, Finding
from plumblib.series import metric_named
from plumblib.side import AGAIN, Side

INSTRUCTIONS = "instructions"

# What only says something about many cases together.
_TOGETHER = frozenset({"alone", "reversed", "one-worker", AGAIN.name})
PERTURBATIONS = tuple(
    how for how in perturb.PERTURBATIONS if how.name not in _TOGETHER
)


@dataclass(frozen=True)
class Trial:
    """One case on both sides, and what it is put through.

    Without a base there is only the cost of head to be explained.
    """

    metric: str
    base: Side | None
    head: Side
    band: Fraction = Fraction(0)  # what layout may move it by, certified
    perturbations: tuple[Perturbation, ...] = PERTURBATIONS
    jobs: int = 1  # counting runs at once

    @property
    def sides(self) -> list[Side]:
        return [side for side in (self.base, self.head) if side is not None]


def gather(
    trial: Trial,
    rows: tuple[FunctionRow, ...],
    sites: tuple[SiteRow, ...],
) -> Evidence:
    """Measure again, perturb, and compare all that is not cost."""
    base, head = trial.base, trial.head
    figure = head.figure(trial.metric)
    assert figure is not None  # a case without failure has all figures
    moves = _moves(trial)
    seen = Evidence(
        unit=metric_named(trial.metric).unit,
        base=None,
        head=figure,
        moves=tuple(moves),
        band=trial.band,
        rows=rows,
        sites=sites,
    )
    if base is None:
        return seen
    return Evidence(
        **vars(seen)
        | {
            "base": base.figure(trial.metric),
            "work": _unlike_work(base, head),
            "toolchain": tuple(
                line.replace("in the baseline", "in base").replace(
                    "here", "in head"
                )
                for line in toolchains.differences(
                    base.build.toolchain, head.build.toolchain
                )
            ),
            "unlike_code": _unlike_code(trial),
        }
    )


def checks(trial: Trial, seen: Evidence) -> tuple[Check, ...]:
    """The questions and their answers, in the order of a report."""
    found = [_repeats(trial, seen), _lines(trial)]
    if trial.metric == INSTRUCTIONS and trial.perturbations:
        found.append(_perturbed(trial, seen))
    if seen.base is None:
        return tuple(found)
    found.append(
        Check(
            "built and run alike",
            not seen.toolchain,
            "; ".join(seen.toolchain) or "compiler, flags, libraries equal",
        )
    )
    for name in ("input", "work"):
        same = name not in seen.work
        found.append(
            Check(f"same {name}", same, "equal" if same else "differs")
        )
    if seen.unlike_code is not None:
        found.append(_code(seen, seen.unlike_code))
    return tuple(found)


def _code(seen: Evidence, unlike: tuple[str, ...]) -> Check:
    """Only other code can have another cost of its own."""
    if not unlike:
        return Check(
            "machine code that ran",
            seen.change == 0,
            "byte-identical in every function of ours",
        )
    names = ", ".join(unlike[:5])
    more = f" and {len(unlike) - 5} more" if len(unlike) > 5 else ""
    return Check("machine code that ran", True, f"differs in {names}{more}")


def _moves(trial: Trial) -> list[SideFinding]:
    """What moved on either side although nothing of ours was changed."""
    if trial.metric != INSTRUCTIONS:
        return [
            SideFinding(side.name, one)
            for side in trial.sides
            for one in _heap_moves(side, trial.metric)
        ]
    found = [
        SideFinding(side.name, one)
        for side in trial.sides
        for again in (side.located, side.contexts)
        for one in side.findings(AGAIN, again)
    ]
    for side, how, other in _perturb(trial):
        found += [
            SideFinding(side.name, one) for one in side.findings(how, other)
        ]
    return found


def _perturb(trial: Trial) -> list[tuple[Side, Perturbation, Counted]]:
    """Count both sides under every perturbation, several at once: that
    too must not matter."""
    wanted = [
        (side, how) for side in trial.sides for how in trial.perturbations
    ]
    if not wanted:
        return []
    with progress.stage("perturbing both sides") as done:
        pool = ThreadPoolExecutor(trial.jobs)
        try:
            counts = pool.map(lambda one: one[0].count(one[1]), wanted)
            found = []
            for (side, how), other in zip(wanted, counts):
                found.append((side, how, other))
                done(f"{side.name}: {how.name}")
        finally:
            pool.shutdown(cancel_futures=True)
    return found


def _heap_moves(side: Side, metric: str) -> list[Finding]:
    first, again = side.figure(metric), side.probe_again().figures.get(metric)
    if first is None or again is None or again == first:
        return []
    change = again.per_op - first.per_op
    return [
        Finding(
            side.case,
            AGAIN.name,
            AGAIN.kind,
            True,
            Figure(change.numerator, change.denominator),
            "the same run requested something else",
        )
    ]


def _unlike_work(base: Side, head: Side) -> tuple[str, ...]:
    return tuple(
        name
        for name in ("input", "work")
        if getattr(base.probed, name) != getattr(head.probed, name)
    )


def _unlike_code(trial: Trial) -> tuple[str, ...] | None:
    if trial.metric != INSTRUCTIONS or trial.base is None:
        return None
    executed = {
        place.name
        for side in trial.sides
        for place in side.profile.functions
        if place.part == OWN
    }
    return tuple(
        code_identity.unlike(
            trial.base.build.code, trial.head.build.code, executed
        )
    )


def _repeats(trial: Trial, seen: Evidence) -> Check:
    moved = [m for m in seen.moves if m.finding.perturbation == AGAIN.name]
    times = "three times" if trial.metric == INSTRUCTIONS else "twice"
    if moved:
        return Check("measured again", False, _shown(moved))
    told = [
        f"{side.name} {numerals.plain(figure.per_op)}"
        for side in trial.sides
        if (figure := side.figure(trial.metric)) is not None
    ]
    return Check("measured again", True, f"{', '.join(told)}, {times}")


def _lines(trial: Trial) -> Check:
    """Whether cost is a multiple of the operations."""
    off = [
        f"{side.name} is off its line by {figure.residual}"
        for side in trial.sides
        if (figure := side.figure(trial.metric)) and figure.residual
    ]
    return Check(
        "in proportion to the operations", not off, "; ".join(off) or "exactly"
    )


def _perturbed(trial: Trial, seen: Evidence) -> Check:
    moved = [m for m in seen.moves if m.finding.perturbation != AGAIN.name]
    many = len(trial.perturbations)
    if not moved:
        return Check("perturbed", True, f"moved by 0 under {many}")
    good = not any(move.finding.fault for move in moved)
    return Check("perturbed", good, _shown(moved))


def _shown(moves: list[SideFinding]) -> str:
    told = []
    for side, finding in ((one.side, one.finding) for one in moves[:4]):
        kind = "" if finding.kind == CIRCUMSTANCE else f", {finding.kind}"
        told.append(
            f"{side} moved by {numerals.signed(finding.change.per_op)} under"
            f" {finding.perturbation}{kind} ({finding.why})"
        )
    if len(moves) > 4:
        told.append(f"and {len(moves) - 4} more")
    return "; ".join(told)
