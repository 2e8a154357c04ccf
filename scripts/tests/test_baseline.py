"""Budgets survive the way to the file and back, and bad files are told."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from samples import TOOLCHAIN, case, measurement

from plumblib import baseline, files, toolchains
from plumblib.baseline import Baseline, Budget
from plumblib.errors import UsageError
from plumblib.gating import incomparable
from plumblib.limits import LimitTable
from plumblib.records import Figure
from plumblib.standards import Standards

BUDGETS = {
    "demo": Baseline(
        "demo",
        TOOLCHAIN,
        {
            "demo/a/x": Budget(
                {"instructions": Figure(183, 1), "heap_calls": Figure(0, 1)},
                "a" * 32,
                "b" * 32,
                100,
            ),
            "demo/b/x": Budget(
                {"instructions": Figure(550, 3, 7)},
                "",
                "b" * 32,
                7,
                {"instructions": "checks lengths now"},
            ),
        },
    ),
    "map": Baseline("map", replace(TOOLCHAIN, objects={}), {}),
}


def write(folder: Path, **texts: str) -> None:
    whole = baseline.texts(BUDGETS) | {
        f"{name}.json": text for name, text in texts.items()
    }
    for name, text in whole.items():
        files.write_text(folder / name, text)


def test_there_and_back(tmp_path):
    assert baseline.load(tmp_path) == {}
    assert baseline.load(tmp_path / "none") == {}
    write(tmp_path)
    assert baseline.load(tmp_path) == BUDGETS


def test_a_whole_figure_is_one_line_and_a_reason_stands_beside_its_own():
    raw = json.loads(baseline.texts(BUDGETS)["demo.json"])
    assert raw["cases"]["demo/a/x"]["figures"] == {
        "heap_calls": 0,
        "instructions": 183,
    }
    assert raw["cases"]["demo/b/x"]["figures"] == {
        "instructions": {
            "total": 550,
            "ops": 3,
            "residual": 7,
            "why": "checks lengths now",
        }
    }


def test_the_toolchains_are_written_last():
    assert list(baseline.texts(BUDGETS))[-1] == "toolchain.json"


@pytest.mark.parametrize("name", ["toolchain", "audit"])
def test_a_suite_cannot_take_the_place_of_another_file(name):
    named = {name: Baseline(name, TOOLCHAIN, {})}
    with pytest.raises(UsageError, match=f"cannot be called '{name}'"):
        baseline.texts(named)


def test_a_suite_that_is_not_named_has_no_budgets(tmp_path):
    write(tmp_path, stray="not even JSON")
    assert baseline.load(tmp_path) == BUDGETS


def test_budgets_that_could_not_be_read_back_are_not_written() -> None:
    case, budget = next(iter(BUDGETS["demo"].cases.items()))
    figures = {"heap_live": Figure(-10, 1)}
    broken = replace(
        BUDGETS["demo"], cases={case: replace(budget, figures=figures)}
    )
    with pytest.raises(UsageError, match=r"new demo.json: .*heap_live: -10"):
        baseline.texts({"demo": broken})


DEMO = json.loads(baseline.texts(BUDGETS)["demo.json"])


def demo(**changes) -> str:
    return json.dumps(DEMO | changes)


def budget(**changes) -> str:
    cases = {"demo/a/x": DEMO["cases"]["demo/a/x"] | changes}
    return demo(cases=cases)


GOOD = demo()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (GOOD[: len(GOOD) // 2], "demo.json:1: is truncated"),
        ("", "demo.json:1: is empty, expected JSON"),
        ("<<<<<<< HEAD\n{}\n", "demo.json:1: is not JSON"),
        ("[]", "demo.json: schema is None, this plumb reads"),
        (demo(schema="plumb-baseline/2"), "schema is 'plumb-baseline/2'"),
        (
            budget(figures={"instructions": -1}),
            "demo.json: cases.demo/a/x.figures.instructions: -1 is less than"
            " the minimum of 0",
        ),
        (
            budget(figures={"instructions": 1.5}),
            "figures.instructions: 1.5 is not of type 'integer'",
        ),
        (
            budget(figures={"instructions": 1.0}),
            "figures.instructions: 1.0 is not of type 'integer'",
        ),
        (
            budget(figures={"instructions": True}),
            "figures.instructions: True is not of type 'integer'",
        ),
        (
            budget(figures={"instructions": "183"}),
            "figures.instructions: '183' is not of type 'integer'",
        ),
        (
            budget(figures={"instructions": {"total": -5, "ops": 1,
                                             "residual": 0}}),
            "figures.instructions.total: -5 is less than the minimum of 0",
        ),
        (
            budget(figures={"instructions": {"total": 5, "ops": 0,
                                             "residual": 0}}),
            "figures.instructions.ops: 0 is less than the minimum of 1",
        ),
        (
            budget(figures={"instructions": {"total": 5, "ops": 1,
                                             "residual": 0, "y": 0}}),
            "figures.instructions: Additional properties are not allowed"
            " ('y' was unexpected)",
        ),
        (
            budget(wrok="b" * 32),
            "cases.demo/a/x: Additional properties are not allowed ('wrok'",
        ),
        (budget(work="xyz"), "cases.demo/a/x.work: 'xyz' does not match"),
        (budget(iters=0), "cases.demo/a/x.iters: 0 is less than the minimum"),
        (demo(extra=1), "('extra' was unexpected)"),
        (demo(suite="other"), "suite: expected 'demo', as the file is"),
        (
            demo(cases={"map/a/x": DEMO["cases"]["demo/a/x"]}),
            "cases.map/a/x: expected a case of the suite 'demo'",
        ),
        (
            '{"schema": "plumb-baseline/1",\n"suite": "demo",\n'
            '"cases": {},\n"cases": {}}',
            "demo.json:4: key 'cases' stands twice in one object",
        ),
    ],
)
def test_a_bad_file_is_told_with_its_place(tmp_path, text, told):
    write(tmp_path, demo=text)
    with pytest.raises(UsageError) as caught:
        baseline.load(tmp_path)
    assert str(tmp_path / "demo.json") in str(caught.value)
    assert told in str(caught.value)
    assert caught.value.exit_code == 2
    assert (tmp_path / "demo.json").read_text() == text


def test_a_bad_toolchain_file_is_told(tmp_path):
    write(tmp_path)
    index = tmp_path / "toolchain.json"
    raw = json.loads(index.read_text())
    del raw["suites"]["demo"]["libc"]
    index.write_text(json.dumps(raw))
    with pytest.raises(UsageError, match="'libc' is a required property"):
        baseline.load(tmp_path)


def test_a_suite_without_its_file_is_told(tmp_path):
    write(tmp_path)
    (tmp_path / "demo.json").unlink()
    with pytest.raises(UsageError, match="demo.json: is missing, but"):
        baseline.load(tmp_path)


def test_toolchains_differ_by_what_counts():
    assert toolchains.differences(TOOLCHAIN, TOOLCHAIN) == []
    other = replace(TOOLCHAIN, compiler="gcc 13", objects={"libc.so.6": "b"})
    assert toolchains.differences(TOOLCHAIN, other) == [
        "compiler: 'gcc 12.2.0' in the baseline, 'gcc 13' here",
        "build of libc.so.6: 'aa11' in the baseline, 'b' here",
    ]
    # libraries that only one side runs are no matter of the toolchain
    more = replace(TOOLCHAIN, objects=TOOLCHAIN.objects | {"libz.so.1": "c"})
    assert toolchains.differences(TOOLCHAIN, more) == []
    assert toolchains.differences(more, TOOLCHAIN) == []


def test_a_suite_knows_the_objects_it_runs():
    made = replace(TOOLCHAIN, objects={"libc.so.6": "a", "libz.so.1": "b"})
    quiet = case("demo/a/x", objects=())
    assert toolchains.used_by([quiet], made).objects == {}
    busy = case("demo/b/x", objects=("libz.so.1",))
    used = toolchains.used_by([quiet, busy], made)
    assert used.objects == {"libz.so.1": "b"}


def test_what_cannot_be_compared_is_told_by_suite():
    here = measurement(
        case("demo/a/x"),
        case("map/a/x"),
        toolchain=replace(TOOLCHAIN, objects={"libc.so.6": "new"}),
    )

    def standards(budgets, *platforms):
        return Standards(LimitTable(), budgets, platforms)

    found = incomparable(here, standards(BUDGETS, "x86_64-linux-glibc"))
    assert found == {
        "demo": "build of libc.so.6: 'aa11' in the baseline, 'new' here"
    }
    assert incomparable(here, standards({})) == {}
    found = incomparable(here, standards({}, "arm64-linux-glibc"))
    assert set(found) == {"demo", "map"}
    assert found["demo"] == (
        "there are no budgets for x86_64-linux-glibc, only for"
        " arm64-linux-glibc"
    )
