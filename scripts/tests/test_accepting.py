"""Budgets go down by themselves, and up only with a reason."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import TOOLCHAIN, case, figure, measurement

from plumblib.accepting import Refused, Wish, accept
from plumblib.errors import NotComparable, NotMeasured
from plumblib.limits import LimitTable
from plumblib.records import Figure, LimitRule, Limits


def start(*cases):
    """Budgets as the first accept of these cases makes them."""
    return accept({}, measurement(*cases), Wish()).baselines


def per_op(accepted, case_id, metric="instructions"):
    suite = case_id.partition("/")[0]
    figures = accepted.baselines[suite].cases[case_id].figures
    return figures[metric].per_op


def test_the_first_accept_takes_everything():
    found = accept(
        {}, measurement(case("demo/a/x", heap_calls=0), case("map/a/x")),
        Wish(),
    )
    assert set(found.baselines) == {"demo", "map"}
    assert found.lines == (
        "new: demo/a/x: 100 instructions",
        "new: map/a/x: 100 instructions",
    )
    assert found.baselines["demo"].toolchain == TOOLCHAIN


def test_nothing_changes_when_nothing_moved():
    before = start(case("demo/a/x"))
    found = accept(before, measurement(case("demo/a/x")), Wish())
    assert found.baselines == before
    assert found.lines == ()


def test_down_by_itself():
    before = start(case("demo/a/x", 1_204_331, heap_calls=3))
    found = accept(
        before, measurement(case("demo/a/x", 1_118_902, heap_calls=2)), Wish()
    )
    assert found.lines == (
        "demo/a/x: 1,204,331 -> 1,118,902 instructions (-7.09 %)",
        "demo/a/x: 3 -> 2 heap_calls (-33.33 %)",
    )
    assert per_op(found, "demo/a/x") == 1_118_902


@pytest.mark.parametrize(
    "head",
    [
        case("demo/a/x", 1010, heap_calls=1),
        case("demo/a/x", 500, heap_calls=2),
        case("demo/a/x", 1000, heap_calls=1, heap_peak=1),
    ],
)
def test_up_only_with_a_reason(head):
    before = start(
        case("demo/a/x", 1000, heap_calls=1, heap_peak=0), case("demo/b/x")
    )
    others = (replace(head, figures={"heap_peak": Figure(0, 1)} |
                      head.figures), case("demo/b/x", 50))
    with pytest.raises(Refused) as caught:
        accept(before, measurement(*others), Wish())
    assert caught.value.exit_code == 1
    assert "nothing was accepted" in str(caught.value)
    assert '--allow-increase --why "..."' in str(caught.value)
    found = accept(before, measurement(*others), Wish(why="it checks more"))
    budget = found.baselines["demo"].cases["demo/a/x"]
    raised = {
        metric for metric, new in budget.figures.items()
        if new.per_op > before["demo"].cases["demo/a/x"].figures[metric].per_op
    }
    assert raised and set(budget.why) == raised
    assert set(budget.why.values()) == {"it checks more"}
    assert per_op(found, "demo/b/x") == 50


def test_a_rise_within_the_limit_leaves_the_budget():
    before = start(case("demo/a/x", 1000), case("demo/b/x", 1000))
    found = accept(
        before,
        measurement(case("demo/a/x", 1009), case("demo/b/x", 900)),
        Wish(),
    )
    assert per_op(found, "demo/a/x") == 1000
    assert per_op(found, "demo/b/x") == 900
    assert found.lines[0] == (
        "demo/a/x: 1,000 -> 1,009 instructions (+0.90 %): within its limit,"
        " the budget stays"
    )


def test_small_rises_do_not_add_up():
    budgets = start(case("demo/a/x", 1000))
    for cost in (1009, 1009, 1009):
        budgets = accept(
            budgets, measurement(case("demo/a/x", cost)), Wish()
        ).baselines
    with pytest.raises(Refused):
        accept(budgets, measurement(case("demo/a/x", 1018)), Wish())


def test_the_limits_of_the_project_decide():
    wide = LimitTable((LimitRule("", "", Limits(0, 500_000)),))
    before = start(case("demo/a/x", 100))
    head = measurement(case("demo/a/x", 140))
    assert per_op(accept(before, head, Wish(wide)), "demo/a/x") == 100
    with pytest.raises(Refused):
        accept(before, head, Wish())


def test_a_reason_lasts_as_long_as_its_figure():
    raised = accept(
        start(case("demo/a/x", 100)),
        measurement(case("demo/a/x", 200)),
        Wish(why="it checks more"),
    ).baselines
    same = accept(raised, measurement(case("demo/a/x", 200)), Wish())
    assert same.baselines == raised
    down = accept(raised, measurement(case("demo/a/x", 150)), Wish())
    assert down.baselines["demo"].cases["demo/a/x"].why == {}


def test_other_work_is_taken_over():
    found = accept(
        start(case("demo/a/x", 100)),
        measurement(case("demo/a/x", 900, work="c" * 32)),
        Wish(),
    )
    assert found.lines == (
        "changed: demo/a/x: 100 instructions -> 900 instructions",
    )
    assert found.baselines["demo"].cases["demo/a/x"].work == "c" * 32


def test_gone_cases_go_only_with_the_whole():
    before = start(case("demo/a/x"), case("demo/b/x"), case("map/a/x"))
    head = measurement(case("demo/a/x"))
    found = accept(before, head, Wish())
    assert set(found.baselines) == {"demo"}
    assert set(found.baselines["demo"].cases) == {"demo/a/x"}
    assert found.lines == ("gone: demo/b/x", "gone: map/a/x")
    assert accept(before, head, Wish(whole=False)).baselines == before


def test_what_is_declared_but_not_measured_stays():
    before = start(case("demo/a/x"), case("demo/slow/x"))
    head = measurement(
        case("demo/a/x", 90), declared=("demo/a/x", "demo/slow/x")
    )
    found = accept(before, head, Wish())
    assert set(found.baselines["demo"].cases) == {"demo/a/x", "demo/slow/x"}


def test_a_failed_case_refuses_all():
    head = measurement(
        case("demo/a/x", 1), case("demo/b/x", failure="run: boom")
    )
    with pytest.raises(NotMeasured, match="demo/b/x: run: boom"):
        accept({}, head, Wish())


def test_a_lost_figure_refuses_all():
    before = start(case("demo/a/x", heap_calls=0))
    with pytest.raises(NotMeasured, match="a budget for heap_calls, but no"):
        accept(before, measurement(case("demo/a/x")), Wish())


GCC_13 = replace(TOOLCHAIN, compiler="gcc 13")


def test_toolchains_do_not_mix_in_a_suite():
    before = start(case("demo/a/x", 100), case("demo/b/x", 100))
    both = measurement(
        case("demo/a/x", 90), case("demo/b/x", 90), toolchain=GCC_13
    )
    with pytest.raises(NotComparable, match="'gcc 13' here"):
        accept(before, both, Wish())
    new = Wish(new_toolchain=True)
    found = accept(before, both, new)
    assert found.baselines["demo"].toolchain == GCC_13
    part = measurement(
        case("demo/a/x", 90),
        toolchain=GCC_13,
        declared=("demo/a/x", "demo/b/x"),
    )
    with pytest.raises(NotComparable, match="as well .*: demo/b/x"):
        accept(before, part, replace(new, whole=False))
    # one that is gone is no reason to refuse, when it is taken out
    gone = measurement(case("demo/a/x", 90), toolchain=GCC_13)
    assert accept(before, gone, new).baselines["demo"].toolchain == GCC_13
    with pytest.raises(NotComparable):
        accept(before, gone, replace(new, whole=False))


def test_a_new_toolchain_raises_no_budget_in_silence():
    before = start(case("demo/a/x", 1000))
    head = measurement(case("demo/a/x", 1001), toolchain=GCC_13)
    with pytest.raises(Refused, match="1,000 -> 1,001"):
        accept(before, head, Wish(new_toolchain=True))
    why = Wish(new_toolchain=True, why="gcc 13")
    found = accept(before, head, why)
    assert per_op(found, "demo/a/x") == 1001


def test_another_suite_keeps_its_toolchain():
    before = start(case("demo/a/x"), case("map/a/x"))
    head = measurement(
        case("demo/a/x"), toolchain=GCC_13, declared=("demo/a/x", "map/a/x")
    )
    found = accept(before, head, Wish(new_toolchain=True)).baselines
    assert found["demo"].toolchain == GCC_13
    assert found["map"].toolchain == TOOLCHAIN


def test_a_part_adds_to_the_objects_of_its_suite():
    made = replace(TOOLCHAIN, objects={"libc.so.6": "a", "libz.so.1": "b"})
    libc = case("demo/a/x", objects=("libc.so.6",))
    libz = case("demo/b/x", objects=("libz.so.1",))
    before = accept({}, measurement(libc, toolchain=made), Wish()).baselines
    part = measurement(
        libz, toolchain=made, declared=("demo/a/x", "demo/b/x")
    )
    found = accept(before, part, Wish(whole=False)).baselines["demo"]
    assert found.toolchain.objects == made.objects


def test_a_kept_unsteady_figure_keeps_its_blocks():
    before = start(case("demo/a/x", figure(1000, residual=20), iters=10))
    head = measurement(case("demo/a/x", 1011, iters=1000))
    found = accept(before, head, Wish()).baselines["demo"].cases["demo/a/x"]
    assert found.figures["instructions"] == Figure(1000, 1, 20)
    assert found.iters == 10
