"""Shows that counts depend on nothing but the code and its input.

Every case is counted again under each perturbation.  A difference under
a circumstance is a fault; under another layout it is one in our own code,
and a band of the case where only libraries moved.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from plumblib import collect_count
from plumblib.callgrind import Function, Profile
from plumblib.collect_count import Counted
from plumblib.instrument import Plan
from plumblib.perturb import LAYOUT, Perturbation
from plumblib.records import Figure, Finding

OnCase = Callable[[str], None]

_NONE = Figure(0, 1)


@dataclass(frozen=True)
class Moved:
    """A function whose cost an operation differs, and by how much."""

    function: Function
    change: Fraction
    caller: str = ""  # our own function above it, when it is a library's

    def text(self) -> str:
        name = self.function.name
        place = Path(self.function.object).name
        told = f"{name} ({place}): {_signed(self.change)}"
        return f"{told}, called by {self.caller}" if self.caller else told


@dataclass(frozen=True)
class Bench:
    """What is needed to count: the instruments and where dumps may lie."""

    valgrind: Path
    folder: Path
    scratch: Path
    subject: Path
    options: tuple[str, ...] = ("--dump-instr=no",)  # of callgrind

    def count(
        self, plan: Plan, how: Perturbation, on_case: OnCase
    ) -> dict[str, Counted]:
        """Servers of one case each run side by side, as its cases do in
        a server of all."""
        parts = how.plans(plan)
        with how.surroundings(self.folder) as around:

            def count(part: Plan) -> dict[str, Counted]:
                return collect_count.count(
                    self.valgrind,
                    self.folder,
                    part,
                    self.scratch,
                    on_case,
                    self.options,
                    around,
                )

            pool = ThreadPoolExecutor(plan.jobs)
            try:
                found = list(pool.map(count, parts))
            finally:
                pool.shutdown(cancel_futures=True)
        return {case: one for part in found for case, one in part.items()}


def examine(
    plain: dict[str, Counted],
    other: dict[str, Counted],
    how: Perturbation,
    subject: Path,
) -> list[Finding]:
    """Compare a perturbed count of all cases with the plain one."""
    found = []
    for case, before in plain.items():
        finding = _compare(case, before, other[case], how, subject)
        if finding is not None:
            found.append(finding)
    return found


def bands(findings: list[Finding]) -> dict[str, Figure]:
    """By case without a fault, the largest difference that the layout
    alone made."""
    faulty = {one.case for one in findings if one.fault}
    found: dict[str, Figure] = {}
    for one in findings:
        size = _figure(abs(one.change.per_op))
        if one.case in faulty:
            continue
        if size.per_op > found.get(one.case, _NONE).per_op:
            found[one.case] = size
    return found


def unsteady(plain: dict[str, Counted], subject: Path) -> list[Finding]:
    """Cases whose blocks do not lie on one line, or could not be counted:
    faults before anything was perturbed."""
    found = []
    for case, one in plain.items():
        if one.figure is None:
            why = one.failure or "not counted"
            found.append(Finding(case, "none", "none", True, _NONE, why))
        elif one.figure.residual:
            found.append(
                Finding(
                    case,
                    "none",
                    "none",
                    True,
                    _figure(Fraction(one.figure.residual, one.ops)),
                    f"the blocks are {one.figure.residual} instructions off"
                    f" a line{_dearest(one, subject)}",
                )
            )
    return found


def moved(before: Counted, after: Counted, subject: Path) -> list[Moved]:
    """Functions whose self cost an operation changed, largest first."""
    assert before.profile is not None and after.profile is not None
    old, new = before.profile.self_cost, after.profile.self_cost
    changes = []
    for function in old.keys() | new.keys():
        change = Fraction(new.get(function, 0), after.ops) - Fraction(
            old.get(function, 0), before.ops
        )
        if change and not _is_loop(function):
            caller = _caller(function, before.profile, after.profile, subject)
            changes.append(Moved(function, change, caller))
    return sorted(
        changes, key=lambda one: (-abs(one.change), one.function)
    )


def _compare(
    case: str,
    before: Counted,
    after: Counted,
    how: Perturbation,
    subject: Path,
) -> Finding | None:
    if before.figure is None:
        return None  # a fault already
    if after.figure is None:
        why = after.failure or "not counted"
        return Finding(case, how.name, how.kind, True, _NONE, why)
    change = after.figure.per_op - before.figure.per_op
    if not change and after.figure.residual == before.figure.residual:
        return None
    functions = moved(before, after, subject)
    own = [one for one in functions if one.function.object == str(subject)]
    fault = how.kind != LAYOUT or bool(own)
    named = (own or functions)[:3]
    why = "; ".join(one.text() for one in named) or "no function moved"
    return Finding(
        case, how.name, how.kind, fault, _figure(change), why
    )


def _caller(
    function: Function, before: Profile, after: Profile, subject: Path
) -> str:
    """The function of the subject nearest above a library's function on
    the dearest way down to it; empty for the subject's own."""
    if function.object == str(subject):
        return ""
    above = function
    for _ in range(20):  # a way through a recursion would have no end
        costs = {
            caller: call.inclusive
            for profile in (before, after)
            for (caller, callee), call in profile.calls.items()
            if callee == above
        }
        if not costs:
            return ""
        above = max(costs, key=lambda caller: (costs[caller], caller))
        if above.object == str(subject):
            return above.name
    return ""


def _dearest(one: Counted, subject: Path) -> str:
    """Names our function that costs the most, as a place to look."""
    assert one.profile is not None
    own = {
        function: cost
        for function, cost in one.profile.self_cost.items()
        if function.object == str(subject)
    }
    if not own:
        return ""
    return f"; most is spent in {max(own, key=lambda f: (own[f], f)).name}"


def _is_loop(function: Function) -> bool:
    """The harness's own loop: its constant part is shared out over fewer
    or more operations."""
    return Path(function.object).name == "plumb-count"


def _figure(cost: Fraction) -> Figure:
    return Figure(cost.numerator, cost.denominator)


def _signed(change: Fraction) -> str:
    value = float(change)
    return f"{value:+,.0f}" if change.denominator == 1 else f"{value:+,.2f}"
