"""The records that the steps hand to each other: plain frozen data.

A *measurement* is what one run produced, a *baseline* what is committed,
a *verdict* their comparison.  Each is a JSON file with a `schema` key;
the JSON Schemas in `scripts/plumblib/schemas/` say what may stand in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

SCHEMA_MEASUREMENT = "plumb-measurement/1"
SCHEMA_BASELINE = "plumb-baseline/1"
SCHEMA_TOOLCHAIN = "plumb-toolchain/1"
SCHEMA_TOOLCHAINS = "plumb-toolchains/1"
SCHEMA_HISTORY = "plumb-history/1"
SCHEMA_VERDICT = "plumb-verdict/1"
SCHEMA_AUDIT = "plumb-audit/1"
SCHEMA_PROVEN = "plumb-proven/1"

SLOW = "slow"  # the one tag that has a meaning here


@dataclass(frozen=True)
class Metric:
    """A name, a unit, and whether any increase at all fails the gate."""

    name: str
    unit: str
    about: str
    exact: bool  # limit 0: one more allocation is a failure


METRICS: tuple[Metric, ...] = (
    Metric("instructions", "Ir", "instructions of one operation, net", False),
    Metric("heap_calls", "calls", "heap requests of one operation", True),
    Metric("heap_bytes", "bytes", "bytes requested by one operation", True),
    Metric("heap_peak", "bytes", "highest live bytes in one operation", True),
    Metric("heap_live", "bytes", "bytes still live after it", True),
)


@dataclass(frozen=True)
class Figure:
    """An exact cost: `total` for `ops` operations, in lowest terms.

    `residual` is how far, in units of the metric, the worst counted block
    lies from the straight line: 0 is exact, anything else is unsteady.
    """

    total: int
    ops: int
    residual: int = 0

    @property
    def per_op(self) -> Fraction:
        return Fraction(self.total, self.ops)


@dataclass(frozen=True)
class CaseInfo:
    """What a subject says of a case, from `plumb-probe --list`.

    A case with the tag "slow" is measured only where that is asked for.
    """

    id: str
    suite: str
    about: str
    tags: tuple[str, ...]
    iters: int
    period: int
    bytes: int

    @property
    def slow(self) -> bool:
        return SLOW in self.tags


@dataclass(frozen=True)
class Claim:
    """A bound on the ratio of two cases of one run, in millionths."""

    id: str
    against: str
    metric: str
    min_ppm: int
    max_ppm: int
    about: str


@dataclass(frozen=True)
class CaseResult:
    """One case of a measurement.  `failure` is None when it was measured;
    otherwise it says what happened, and there are no figures."""

    info: CaseInfo
    failure: str | None
    input: str  # digest of all inputs, 32 hex digits
    work: str  # digest of all that was produced, 32 hex digits
    figures: dict[str, Figure] = field(default_factory=dict)
    objects: tuple[str, ...] = ()  # shared objects that spent instructions
    files: tuple[str, ...] = ()  # that setup read, below the project's root


@dataclass(frozen=True)
class Toolchain:
    """What must be equal for absolute budgets to be comparable.

    `objects` maps the file name of a shared object outside the project,
    libc for example, to its build-id.
    """

    platform: str  # arch-os-libc, plus -flavour when it is not release
    compiler: str
    flags: str
    libc: str
    valgrind: str
    objects: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Revision:
    """What was measured: a commit, and whether files differed from it."""

    commit: str  # 40 hex digits, or "" outside git
    subject: str  # first line of the commit message
    dirty: bool


@dataclass(frozen=True)
class Measurement:
    """All cases of one run of the instruments.

    `declared` names every case of the subject, those that a filter or a
    tag kept from being measured too: only what is not declared is gone.
    """

    project: str
    made_at: str  # UTC, "2026-01-31T12:00:00Z"; the only time stamp
    revision: Revision
    toolchain: Toolchain
    cases: dict[str, CaseResult]  # by id
    claims: tuple[Claim, ...] = ()
    declared: tuple[str, ...] = ()


class Outcome(Enum):
    """What became of a case, or of one metric of it (design, section 6)."""

    SAME = "same"
    FASTER = "faster"
    WARN = "warn"
    SLOWER = "slower"
    CHANGED = "changed"
    NEW = "new"
    GONE = "gone"
    UNSTEADY = "unsteady"
    NOT_COMPARABLE = "not-comparable"
    NOT_MEASURED = "not-measured"
    CLAIM_BROKEN = "claim-broken"


@dataclass(frozen=True)
class Limits:
    """Limits of one metric of one case, in millionths of the base."""

    warn_ppm: int = 2_000
    fail_ppm: int = 10_000


@dataclass(frozen=True)
class LimitRule:
    """A `[[limits]]` table of plumb.toml.  The narrowest rule wins: a case
    before a suite before the project (`scope` is empty), and in one scope a
    metric by name before all metrics (`metric` is empty).  A rule without
    a metric leaves the exact ones alone: those are loosened by name only.
    """

    scope: str  # "", a suite, or the id of a case
    metric: str
    limits: Limits


@dataclass(frozen=True)
class MetricVerdict:
    """One metric of one case, on both sides."""

    metric: str
    outcome: Outcome
    base: Figure | None
    head: Figure | None


@dataclass(frozen=True)
class CaseVerdict:
    """One case: the worst of its metrics decides.  `note` is one line for
    people: what differs; empty when the figures say it all.

    A row about a claim has `against`, the other case of the ratio, whose
    figure of the same run then stands as base.
    """

    id: str
    outcome: Outcome
    metrics: tuple[MetricVerdict, ...]
    note: str = ""
    against: str = ""
    accepted: bool = False  # a changed or gone case that was agreed to


@dataclass(frozen=True)
class Report:
    """All verdicts of one comparison; renderers turn it into text.  `why`
    has lines about red cases, by id."""

    kind: str  # "gate", "vs-base", or "a/a": the same commit twice
    title: str  # "HEAD against merge base 1a2b3c4" or "against baselines"
    base: Revision | None
    head: Revision
    toolchain: Toolchain
    cases: tuple[CaseVerdict, ...]
    notices: tuple[str, ...] = ()  # gate-changed and the like, printed first
    floor: str = ""  # what the last A/A run found, one sentence
    why: dict[str, tuple[str, ...]] = field(default_factory=dict)
    strict: bool = False  # a case that became cheaper fails too
    unchecked: int = 0  # claims, because a case of theirs was left out
    exit_code: int = 0


@dataclass(frozen=True)
class Finding:
    """A case that cost something else under a perturbation.

    `fault`: under a circumstance, or in the project's own code, or not
    counted at all; otherwise only libraries moved, with the layout.
    `change` is in instructions of one operation.
    """

    case: str
    perturbation: str  # "none": before anything was perturbed
    kind: str  # "circumstance", "layout" or "none"
    fault: bool
    change: Figure
    why: str  # the functions that moved, or what kept it from counting


@dataclass(frozen=True)
class Certificate:
    """What an audit of cases found.  `bands` is by case the largest
    difference that the layout alone made, in libraries."""

    subject: str  # digest of the shared object that was audited
    toolchain: Toolchain
    cases: tuple[str, ...]
    perturbations: tuple[str, ...]
    findings: tuple[Finding, ...]
    bands: dict[str, Figure] = field(default_factory=dict)

    @property
    def faults(self) -> tuple[Finding, ...]:
        return tuple(found for found in self.findings if found.fault)


@dataclass(frozen=True)
class BrokenFile:
    """A source file that was made more expensive on purpose: how many of
    its functions, how many cases enter them, how many mutants there were
    and how many cost in every case what was predicted."""

    file: str
    functions: int
    cases: int
    mutants: int
    exact: int


@dataclass(frozen=True)
class Detection:
    """Regressions of one size, and how many of them each failure limit
    called slower.  `wrong` counts those called otherwise than their size
    says."""

    low_ppm: int
    high_ppm: int | None
    count: int
    slower: tuple[int, ...]  # by limit
    wrong: int


@dataclass(frozen=True)
class Proven:
    """What `plumb prove` found, in short."""

    subject: str  # digest of the shared object of the default flavour
    toolchain: Toolchain
    cases: int
    limits: tuple[int, ...]  # in millionths, of the detections
    files: tuple[BrokenFile, ...]
    detections: tuple[Detection, ...]
    uncovered: tuple[str, ...]  # what no mutant reaches, and why
