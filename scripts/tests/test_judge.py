"""Every verdict, at each side of each limit."""

from __future__ import annotations

from fractions import Fraction

import pytest
from samples import case, figure, measurement

from plumblib.errors import Exit
from plumblib.judge import (
    SEVERITY,
    Terms,
    exit_code,
    judge,
    judge_case,
    judge_figures,
    worst,
)
from plumblib.limits import LimitTable
from plumblib.records import (
    CaseVerdict,
    LimitRule,
    Limits,
    Outcome,
)

DEFAULT = Limits()
NOTHING = Fraction(0)


def outcome(base, head, **changes) -> Outcome:
    return judge_case("demo/a/x", base, head, Terms(**changes)).outcome


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        (1000, 1000, Outcome.SAME),
        (1000, 1002, Outcome.SAME),  # exactly the warning limit
        ("1000", "10021/10", Outcome.WARN),
        (1000, 1009, Outcome.WARN),
        ("1000", "10099/10", Outcome.WARN),
        (1000, 1010, Outcome.SLOWER),  # exactly the failure limit
        (1000, 2000, Outcome.SLOWER),
        (1000, 998, Outcome.SAME),
        (1000, 991, Outcome.SAME),
        (1000, 990, Outcome.FASTER),  # exactly the failure limit below
        (1000, 0, Outcome.FASTER),
        (55, 56, Outcome.SLOWER),  # 1 of 55 is 1.8 %, no absolute floor
        (55, 54, Outcome.FASTER),
        (101, 102, Outcome.WARN),
        (100, 101, Outcome.SLOWER),
        (0, 0, Outcome.SAME),
        (0, 1, Outcome.SLOWER),  # more than any share of nothing
        (1, 0, Outcome.FASTER),
        ("1/3", "1/3", Outcome.SAME),
        ("1/3", "1/2", Outcome.SLOWER),
        (10**18, 10**18 + 1, Outcome.SAME),
        (10**18, 10**18 + 2 * 10**15, Outcome.SAME),
        (10**18, 10**18 + 2 * 10**15 + 1, Outcome.WARN),
        (10**18, 10**18 + 10**16 - 1, Outcome.WARN),
        (10**18, 10**18 + 10**16, Outcome.SLOWER),
    ],
)
def test_instructions_against_the_default_limits(base, head, expected):
    found = judge_figures(figure(base), figure(head), DEFAULT, NOTHING)
    assert found is expected


@pytest.mark.parametrize(
    ("base", "head", "slack", "expected"),
    [
        (1000, 1000, 1, Outcome.UNSTEADY),
        (1000, 1010, 1, Outcome.WARN),
        (1000, 1011, 1, Outcome.SLOWER),  # limit 10, slack 1
        (1000, 1003, 1, Outcome.UNSTEADY),
        (1000, 1004, 1, Outcome.WARN),
        (1000, 990, 1, Outcome.UNSTEADY),
        (1000, 989, 1, Outcome.FASTER),
        (0, 1, 1, Outcome.UNSTEADY),
        (0, 2, 1, Outcome.SLOWER),
        (1000, 1000, 5000, Outcome.UNSTEADY),
    ],
)
def test_slack_is_added_to_the_limit(base, head, slack, expected):
    found = judge_figures(
        figure(base), figure(head), DEFAULT, Fraction(slack)
    )
    assert found is expected


def test_a_negative_figure_is_a_fault_not_a_verdict():
    with pytest.raises(ValueError, match="negative figure: base -1"):
        judge_figures(figure(-1), figure(1), DEFAULT, NOTHING)


@pytest.mark.parametrize(
    "metric", ["heap_calls", "heap_bytes", "heap_peak", "heap_live"]
)
def test_heap_metrics_are_exact(metric):
    def with_heap(count):
        return case("demo/a/x", 1000, **{metric: count})

    base = with_heap(10**9)
    assert outcome(base, with_heap(10**9)) is Outcome.SAME
    assert outcome(base, with_heap(10**9 + 1)) is Outcome.SLOWER
    assert outcome(base, with_heap(10**9 - 1)) is Outcome.FASTER
    assert outcome(with_heap(0), with_heap(1)) is Outcome.SLOWER


def test_the_residuals_of_both_sides_are_added():
    base = case("demo/a/x", figure(1000, residual=30), iters=10)  # 3 an op
    head = case("demo/a/x", figure(1015, residual=40), iters=20)  # 2 an op
    assert outcome(base, head) is Outcome.SLOWER
    head = case("demo/a/x", figure(1014, residual=40), iters=20)
    row = judge_case("demo/a/x", base, head, Terms())
    assert row.outcome is Outcome.WARN
    assert row.note == (
        "base: residual of 30 in instructions;"
        " head: residual of 40 in instructions"
    )


def test_the_worst_metric_decides():
    base = case("demo/a/x", 1000, heap_calls=2)
    row = judge_case(
        "demo/a/x", base, case("demo/a/x", 500, heap_calls=3), Terms()
    )
    assert row.outcome is Outcome.SLOWER
    assert [(m.metric, m.outcome) for m in row.metrics] == [
        ("instructions", Outcome.FASTER),
        ("heap_calls", Outcome.SLOWER),
    ]


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"work": "c" * 32}, "its work changed"),
        ({"input": "c" * 32}, "its input changed"),
        ({"work": "c" * 32, "input": "d" * 32}, "its input and work changed"),
    ],
)
@pytest.mark.parametrize("instructions", [1, 100, 1000])
def test_other_work_is_changed_and_never_faster(changes, named, instructions):
    row = judge_case(
        "demo/a/x",
        case("demo/a/x", 100),
        case("demo/a/x", instructions, **changes),
        Terms(),
    )
    assert row.outcome is Outcome.CHANGED
    assert row.note == f"{named}: not the same operation"
    assert {metric.outcome for metric in row.metrics} == {Outcome.CHANGED}
    assert not row.accepted


def test_a_change_can_be_accepted():
    row = judge_case(
        "demo/a/x",
        case("demo/a/x"),
        case("demo/a/x", work="c" * 32),
        Terms(accepted=frozenset({"demo/a/x"})),
    )
    assert row.outcome is Outcome.CHANGED
    assert row.accepted


def test_new_and_gone():
    assert outcome(None, case("demo/a/x")) is Outcome.NEW
    assert outcome(case("demo/a/x"), None) is Outcome.GONE
    with pytest.raises(ValueError, match="on neither side"):
        outcome(None, None)


def test_a_failure_on_either_side_is_not_measured():
    good, bad = case("demo/a/x"), case("demo/a/x", failure="run: boom")
    for base, head, note in (
        (good, bad, "head: run: boom"),
        (bad, good, "base: run: boom"),
        (bad, bad, "base: run: boom; head: run: boom"),
        (None, bad, "head: run: boom"),
    ):
        row = judge_case("demo/a/x", base, head, Terms())
        assert (row.outcome, row.note) == (Outcome.NOT_MEASURED, note)
    assert outcome(bad, None) is Outcome.GONE


def test_a_figure_that_is_no_longer_taken_is_not_measured():
    base = case("demo/a/x", heap_calls=0)
    assert outcome(base, case("demo/a/x")) is Outcome.NOT_MEASURED
    assert outcome(case("demo/a/x"), base) is Outcome.NEW


def test_another_toolchain_is_not_comparable():
    terms = {"incomparable": {"demo": "compiler: gcc 12, here gcc 13"}}
    base, head = case("demo/a/x", 100), case("demo/a/x", 900)
    assert outcome(base, head, **terms) is Outcome.NOT_COMPARABLE
    assert outcome(base, None, **terms) is Outcome.NOT_COMPARABLE
    assert outcome(None, head, **terms) is Outcome.NOT_COMPARABLE
    changed = case("demo/a/x", work="c" * 32)
    assert outcome(base, changed, **terms) is Outcome.NOT_COMPARABLE
    failed = case("demo/a/x", failure="run: boom")
    assert outcome(base, failed, **terms) is Outcome.NOT_MEASURED
    same = case("map/a/x")
    other = judge_case("map/a/x", same, same, Terms(**terms))
    assert other.outcome is Outcome.SAME


def test_only_what_is_not_declared_is_gone():
    base = {i: case(i) for i in ("demo/a/x", "demo/c/x")}
    base["demo/b/x"] = case("demo/b/x", tags=("slow",))
    head = measurement(
        case("demo/a/x"), declared=("demo/a/x", "demo/b/x")
    )
    rows = judge(base, head, Terms())
    assert [(row.id, row.outcome) for row in rows] == [
        ("demo/a/x", Outcome.SAME),
        ("demo/c/x", Outcome.GONE),
    ]


def test_a_case_that_is_declared_and_left_out_is_not_measured():
    """A change could else hide a case by calling it slow."""
    base = {"demo/a/x": case("demo/a/x"), "demo/b/x": case("demo/b/x")}
    head = measurement(case("demo/a/x"), declared=tuple(base))
    row = judge(base, head, Terms())[1]
    assert (row.id, row.outcome) == ("demo/b/x", Outcome.NOT_MEASURED)
    assert "tagged slow now" in row.note
    assert row.metrics[0].base == base["demo/b/x"].figures["instructions"]


def rule(scope: str, metric: str, fail_ppm: int) -> LimitRule:
    return LimitRule(scope, metric, Limits(0, fail_ppm))


def test_the_narrowest_limit_wins():
    table = LimitTable(
        (
            rule("", "", 1),
            rule("demo", "", 2),
            rule("demo", "instructions", 3),
            rule("demo/a/x", "", 4),
            rule("demo/b/x", "instructions", 5),
            rule("", "heap_bytes", 6),
            rule("demo/a/x", "heap_bytes", 7),
        )
    )

    def fail_ppm(suite, case_id, metric):
        return table.of(suite, case_id, metric).fail_ppm

    assert fail_ppm("map", "map/a/x", "instructions") == 1
    assert fail_ppm("demo", "demo/c/x", "instructions") == 3
    assert fail_ppm("demo", "demo/c/x", "wall_ns") == 2
    assert fail_ppm("demo", "demo/a/x", "instructions") == 4
    assert fail_ppm("demo", "demo/b/x", "instructions") == 5
    assert fail_ppm("demo", "demo/b/x", "heap_bytes") == 6
    assert fail_ppm("demo", "demo/a/x", "heap_bytes") == 7
    # a rule for all metrics does not loosen an exact one
    assert table.of("demo", "demo/a/x", "heap_calls") == Limits(0, 0)
    assert LimitTable().of("demo", "demo/a/x", "instructions") == Limits()


def test_a_limit_of_a_case_is_used():
    limits = LimitTable((LimitRule("demo/a/x", "", Limits(0, 500_000)),))
    base = case("demo/a/x", 100)
    assert outcome(base, case("demo/a/x", 149), limits=limits) is Outcome.WARN
    assert (
        outcome(base, case("demo/a/x", 150), limits=limits) is Outcome.SLOWER
    )


def test_severity_ranks_every_outcome_once():
    assert sorted(SEVERITY, key=str) == sorted(Outcome, key=str)
    assert worst([]) is Outcome.SAME
    assert worst([Outcome.WARN, Outcome.FASTER]) is Outcome.WARN


def row(outcome: Outcome, accepted: bool = False) -> CaseVerdict:
    return CaseVerdict("demo/a/x", outcome, (), accepted=accepted)


@pytest.mark.parametrize(
    ("outcome", "gate", "strict", "again"),
    [
        (Outcome.SAME, 0, 0, 0),
        (Outcome.FASTER, 0, 1, 1),
        (Outcome.WARN, 0, 0, 1),
        (Outcome.UNSTEADY, 0, 0, 1),
        (Outcome.SLOWER, 1, 1, 1),
        (Outcome.CHANGED, 1, 1, 1),
        (Outcome.NEW, 1, 1, 1),
        (Outcome.GONE, 1, 1, 1),
        (Outcome.CLAIM_BROKEN, 1, 1, 1),
        (Outcome.NOT_COMPARABLE, 3, 3, 3),
        (Outcome.NOT_MEASURED, 3, 3, 3),
    ],
)
def test_the_exit_code_of_each_outcome(outcome, gate, strict, again):
    rows = [row(Outcome.SAME), row(outcome), row(Outcome.SAME)]
    assert exit_code(rows, "gate", strict=False) == gate
    assert exit_code(rows, "gate", strict=True) == strict
    assert exit_code(rows, "a/a", strict=False) == again
    if outcome is not Outcome.NEW:
        assert exit_code(rows, "vs-base", strict=False) == gate


def test_exit_codes_that_depend():
    ok, failed = Exit.OK, Exit.FAILED
    assert exit_code([row(Outcome.NEW)], "vs-base", strict=True) is ok
    for outcome in (Outcome.CHANGED, Outcome.GONE):
        accepted = [row(outcome, accepted=True)]
        assert exit_code(accepted, "gate", strict=True) is ok
    assert exit_code([], "gate", strict=True) is ok
    mixed = [row(Outcome.NOT_COMPARABLE), row(Outcome.SLOWER)]
    assert exit_code(mixed, "gate", strict=False) is failed
