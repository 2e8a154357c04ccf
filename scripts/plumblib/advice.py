"""What to do about a verdict that is not green: one line a row."""

from __future__ import annotations

from dataclasses import dataclass

from plumblib.records import CaseVerdict, Outcome, Report
from plumblib.rows import changed, suite_of

_NAMED = 3  # cases that a line lists before it counts the rest

# In a step: the case, and the filter for it alone, which falls away where
# the step is for several.
_ONLY_IT = " -f '^{id}$'"

_ACCEPT_CHANGE = (
    "if this is meant, `plumb accept -f '^{id}$'` and commit the baseline"
)

_GATE = {
    Outcome.SLOWER: "`plumb explain {id}` names function and line; make it"
    " cheaper, or raise the budget on purpose: `plumb accept -f '^{id}$'"
    " --allow-increase --why \"...\"`",
    Outcome.CHANGED: _ACCEPT_CHANGE,
    Outcome.NEW: "give it a budget: `plumb accept -f '^{id}$'`",
    Outcome.GONE: "if it was removed on purpose, `plumb accept` (the whole"
    " suite) takes its budget away",
    Outcome.NOT_COMPARABLE: "compare with the merge base instead:"
    " `make bench-vs-base` builds both sides here",
    Outcome.FASTER: "keep what was won: `plumb accept -f '^{id}$'`",
}

_VS_BASE = {
    Outcome.SLOWER: "`plumb explain {id}` names function and line; make it"
    " cheaper, or say in the pull request why the cost is worth it",
    Outcome.CHANGED: _ACCEPT_CHANGE,
    Outcome.GONE: "if it was removed on purpose, `plumb accept` takes its"
    " budget away; commit the baseline",
    Outcome.NEW: "give it a budget: `plumb accept -f '^{id}$'`",
    Outcome.FASTER: "keep what was won: `plumb accept -f '^{id}$'`",
}

_ANY = {
    Outcome.CLAIM_BROKEN: "make `{id}` cheaper, or bound it honestly in the"
    " suite's table of claims",
    Outcome.NOT_MEASURED: "make it run alone: `plumb run -f '^{id}$'`",
    Outcome.UNSTEADY: "its cost is no multiple of its operations: give it a"
    " `period`, or find what it keeps from one to the next",
    Outcome.WARN: "not red yet; the committed budget bounds the sum of"
    " such steps",
}

_SAME_TWICE = (
    "the same code measured differently: something in it depends on an"
    " address, a clock or the environment"
)


@dataclass(frozen=True)
class Advice:
    """What is to be said of some cases with one verdict."""

    outcome: Outcome
    cases: tuple[str, ...]
    note: str
    step: str

    @property
    def named(self) -> str:
        """The cases, the first of many by name."""
        rest = len(self.cases) - _NAMED
        named = ", ".join(self.cases[:_NAMED])
        return f"{named} and {rest:,} more" if rest > 0 else named


def advise(report: Report) -> list[Advice]:
    """One line for each verdict that is not `same`; cases of which the
    same is to be said share one."""
    groups: dict[tuple[Outcome, str, bool, str], list[CaseVerdict]] = {}
    for row in changed(report):
        unlike = row.outcome is Outcome.NOT_COMPARABLE
        suite = suite_of(row) if unlike else ""
        key = (row.outcome, row.note, row.accepted, suite)
        groups.setdefault(key, []).append(row)
    return [
        Advice(
            outcome,
            tuple(_name(row) for row in rows) if not suite else (suite,),
            note,
            "accepted" if accepted else _step(report.kind, rows),
        )
        for (outcome, note, accepted, suite), rows in groups.items()
    ]


def _step(kind: str, found: list[CaseVerdict]) -> str:
    row = found[0]
    if kind == "a/a" and row.outcome is not Outcome.NOT_MEASURED:
        return _SAME_TWICE
    step = (_ANY | (_GATE if kind == "gate" else _VS_BASE))[row.outcome]
    if len(found) > 1:
        step = step.replace(_ONLY_IT, "")
    return step.replace("{id}", row.id)


def _name(row: CaseVerdict) -> str:
    return f"{row.id} of {row.against}" if row.against else row.id
