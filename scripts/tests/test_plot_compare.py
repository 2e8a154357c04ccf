"""The picture of a comparison: the same bytes, and all that matters."""

import re

import pytest
from plumblib import plot_compare
from plumblib.judge import Terms, judge
from plumblib.records import CaseResult, Report
from samples import HEAD, TOOLCHAIN, case, measurement

pytest.importorskip("matplotlib")


def compared(
    base: list[CaseResult], head: list[CaseResult], notice: str = ""
) -> Report:
    return Report(
        kind="vs-base",
        title="HEAD against merge base 1a2b3c4",
        base=None,
        head=HEAD,
        toolchain=TOOLCHAIN,
        cases=judge(
            {one.info.id: one for one in base}, measurement(*head), Terms()
        ),
        notices=(notice,) if notice else (),
    )


def many(count: int, moved: int) -> Report:
    return compared(
        [case(f"demo/c_{at:03}/1", 1000) for at in range(count)],
        [
            case(f"demo/c_{at:03}/1", 1000 + 5 * (at < moved))
            for at in range(count)
        ],
    )


@pytest.mark.parametrize("count", [0, 1, 5, 100])
def test_equal_reports_give_equal_bytes(count: int) -> None:
    report = many(count, count // 2)
    first = plot_compare.svg(report)
    assert first == plot_compare.svg(report)
    assert not re.search(r"\b20\d\d-\d\d-\d\d", first)  # no date


def test_text_is_text() -> None:
    svg = plot_compare.svg(many(2, 1))
    assert ">demo/c_000/1</text>" in svg
    assert ">+0.50 %, warn</text>" in svg
    assert ">0 %</text>" in svg


def test_the_largest_increase_is_first_and_all_sides_have_a_bar() -> None:
    report = compared(
        [
            case("demo/a/1", 1000),
            case("demo/b/1", 1000),
            case("demo/c/1", 1000, heap_calls=1),
            case("demo/gone/1"),
        ],
        [
            case("demo/a/1", 900),
            case("demo/b/1", 1200),
            case("demo/c/1", 1000, heap_calls=3),
            case("demo/new/1"),
            case("demo/zzz/1", failure="run: died"),
        ],
    )
    bars, left_out = plot_compare.bars_of(report)
    assert left_out == 0
    assert [(bar.case, bar.percent, bar.label) for bar in bars] == [
        ("demo/b/1", 20.0, "+20 %"),
        ("demo/c/1", 0.0, "0 %, heap_calls +2"),
        ("demo/gone/1", 0.0, "gone"),
        ("demo/new/1", 0.0, "new"),
        ("demo/zzz/1", 0.0, "not-measured"),
        ("demo/a/1", -10.0, "-10 %"),
    ]


def test_a_long_comparison_counts_what_did_not_move() -> None:
    bars, left_out = plot_compare.bars_of(many(100, 3))
    assert [bar.case for bar in bars] == [f"demo/c_00{n}/1" for n in range(3)]
    assert left_out == 97
    assert "; 97 more did not move" in plot_compare.svg(many(100, 3))


def test_dollars_are_no_mathematics() -> None:
    svg = plot_compare.svg(compared([case("demo/$x$/1")], []))
    assert "demo/$x$/1" in svg


def test_nobodys_settings_change_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib

    plain = plot_compare.svg(many(2, 1))
    monkeypatch.setitem(matplotlib.rcParams, "font.size", 40)
    monkeypatch.setitem(matplotlib.rcParams, "axes.grid", True)
    assert plot_compare.svg(many(2, 1)) == plain
    assert matplotlib.rcParams["font.size"] == 40
