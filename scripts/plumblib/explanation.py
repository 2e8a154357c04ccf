"""The records of an explanation: evidence, and what it amounts to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from plumblib.decompose import FunctionRow
from plumblib.records import Figure

SCHEMA = "plumb-explanation/1"


class Cause(Enum):
    """What a difference is, once it has been looked into."""

    NONE = "no difference"
    REAL = "real"
    NOT_SAME_WORK = "not the same work"
    ENVIRONMENT = "environment"
    NONDETERMINISTIC = "nondeterministic"
    LAYOUT = "layout"
    NEW = "new"


@dataclass(frozen=True)
class Check:
    """One question about whether a difference is real.  `good` when the
    answer leaves it standing."""

    question: str
    good: bool
    answer: str


@dataclass(frozen=True)
class SiteRow:
    """A way by which memory is requested, of one operation.  `frames` are
    functions with their places, the requesting one first; `functions` are
    their names."""

    frames: tuple[str, ...]
    functions: tuple[str, ...]
    base_calls: Fraction
    head_calls: Fraction
    base_bytes: Fraction
    head_bytes: Fraction


@dataclass(frozen=True)
class Touch:
    """A hunk of the difference, and the functions it touches.  Without
    any it is merely in a file of theirs."""

    place: str
    functions: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Past:
    """A recorded figure of the case."""

    date: str
    commit: str
    figure: Figure


@dataclass(frozen=True)
class Explanation:
    """Everything that is to be said of one case in one metric.

    `rows` add up to the difference; without a base they are the costs of
    head.  `reasons` says what of the difference between the commits
    touches them, or that nothing does.
    """

    case: str
    metric: str
    title: str
    base: Figure | None
    head: Figure
    checks: tuple[Check, ...]
    rows: tuple[FunctionRow, ...]
    sites: tuple[SiteRow, ...]
    hunks: tuple[Touch, ...]
    reasons: str
    past: tuple[Past, ...]
    before: str
    cause: Cause
    sentence: str

    @property
    def change(self) -> Fraction:
        if self.base is None:
            return self.head.per_op
        return self.head.per_op - self.base.per_op
