"""From an instrument's lines and dumps to figures, without running one."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from plumblib import collect_count, collect_probe, instrument, process
from plumblib.collect_count import Line
from plumblib.errors import NotMeasured, UsageError
from plumblib.instrument import Plan
from plumblib.records import Figure

PLAN = Plan(Path("/s/suite.so"), Path("/s"), ("a/b/c", "a/b/d"))


@pytest.mark.parametrize(
    "counts, iters, slope, residual",
    [
        ((34, 134, 234, 434), 10, Fraction(10), 0),
        ((0, 1, 2, 4), 3, Fraction(1, 3), 0),
        ((34, 135, 234, 434), 10, Fraction(10), 1),  # first point off
        ((34, 134, 230, 434), 10, Fraction(10), 4),  # second, other side
        ((0, 10, 20, 41), 10, Fraction(41, 40), 1),  # 1/4 and 1/2: up to 1
        ((100, 100, 100, 100), 10, Fraction(0), 0),
    ],
)
def test_line_and_residual(
    counts: tuple[int, int, int, int],
    iters: int,
    slope: Fraction,
    residual: int,
) -> None:
    assert collect_count.fit(counts, iters) == Line(slope, residual)


def _dump(path: Path, trigger: str, ir: int) -> None:
    path.write_text(
        f"desc: Trigger: Client Request: {trigger}\npositions: line\n"
        f"events: Ir\nob=(1) /lib/l.so\nfl=(1) a.c\nfn=(1) f\n1 {ir}\n"
        f"totals: {ir}\n"
    )


def _dumps(folder: Path, pid: int, *counts: int) -> None:
    for at, (block, ir) in enumerate(zip(collect_count.BLOCKS, counts), 1):
        _dump(folder / f"c.{pid}.{at}", block, ir)


def _count(
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    *lines: dict[str, Any],
    code: int = 0,
    stderr: str = "",
) -> dict[str, collect_count.Counted]:
    """collect() with an instrument that printed `lines`."""

    def run(*args: Any, on_line: Any, **kwargs: Any) -> process.Result:
        for line in lines:
            on_line(collect_count.instrument.json.dumps(line))
        return process.Result(("x",), code, "", stderr)

    monkeypatch.setattr(process, "run", run)
    return collect_count.collect(
        Path("/usr/bin/valgrind"), folder, PLAN, folder, lambda name: None
    )


def _said(case: str, pid: int, **more: Any) -> dict[str, Any]:
    line = {"case": case, "pid": pid, "iters": 10, "value": "7"}
    return line | {"failure": None} | more


EMPTY = (99, 34, 114, 194, 354)  # 8 an operation


def test_figures_are_net(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _dumps(tmp_path, 1, *EMPTY)
    _dumps(tmp_path, 2, 999, 34, 634, 1234, 2434)
    _dumps(tmp_path, 3, 999, 34, 145, 254, 475)  # 441 of 40, and off
    found = _count(
        monkeypatch,
        tmp_path,
        _said("", 1),
        _said("a/b/c", 2),
        _said("a/b/d", 3),
    )
    assert found["a/b/c"].figure == Figure(52, 1)
    assert found["a/b/c"].objects == ("/lib/l.so",)
    assert found["a/b/d"].figure == Figure(441 - 320, 40, 1)


@pytest.mark.parametrize(
    "spoil, told",
    [
        (lambda d: (d / "c.2.4").unlink(), "c.2.4: No such file"),
        (lambda d: _dump(d / "c.2.6", "5", 9), "c.2.6: a dump too many"),
        (lambda d: (d / "c.2.3").write_text("events: Ir\n"), "cut short"),
        (lambda d: _dump(d / "c.2.3", "2", 9), "expected the dump of block"),
        (lambda d: _dump(d / "c.2.2", "0", 0), "counted no instruction"),
        (lambda d: _dumps(d, 2, *EMPTY), "does `run` do anything?"),
        (lambda d: _dumps(d, 2, 9, 9, 9, 9, 9), "does `run` do anything?"),
    ],
)
def test_bad_dumps_are_not_measured(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, spoil: Any, told: str
) -> None:
    _dumps(tmp_path, 1, *EMPTY)
    _dumps(tmp_path, 2, 999, 34, 634, 1234, 2434)
    spoil(tmp_path)
    found = _count(monkeypatch, tmp_path, _said("", 1), _said("a/b/c", 2))
    assert found["a/b/c"].figure is None
    assert told in (found["a/b/c"].failure or "")


def test_a_failure_is_told_with_what_valgrind_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _dumps(tmp_path, 1, *EMPTY)
    (tmp_path / "log.2").write_text("==2== \n==2== unhandled bytes: 0x62\n")
    found = _count(
        monkeypatch,
        tmp_path,
        _said("", 1),
        _said("a/b/c", 2, failure="run: killed by signal 4"),
        code=-9,
        stderr="first\nlast",
    )
    assert (
        found["a/b/c"].failure
        == "run: killed by signal 4 (unhandled bytes: 0x62)"
    )
    assert found["a/b/d"].failure == (
        "plumb-count killed by signal 9 (Killed) before this case: last"
    )


@pytest.mark.parametrize(
    "empty, told",
    [
        ((99, 34, 115, 194, 354), "off its line by 1"),
        ((99, 34, 114), "c.1.4: No such file"),
    ],
)
def test_without_the_empty_operation_nothing_is_measured(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    empty: tuple[int, ...],
    told: str,
) -> None:
    _dumps(tmp_path, 1, *empty)
    with pytest.raises(NotMeasured, match=told):
        _count(monkeypatch, tmp_path, _said("", 1))
    with pytest.raises(NotMeasured, match="the empty operation: setup: x"):
        _count(monkeypatch, tmp_path, _said("", 1, failure="setup: x"))
    with pytest.raises(NotMeasured, match="exited with status 1 before"):
        _count(monkeypatch, tmp_path, code=1, stderr="setarch: no")


def test_a_refused_plan_is_a_usage_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="^plumb-count: no such case$"):
        _count(
            monkeypatch, tmp_path, code=2, stderr="plumb-count: no such case\n"
        )


def test_output_that_is_no_json_is_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def run(*args: Any, on_line: Any, **kwargs: Any) -> process.Result:
        on_line("Segmentation fault")
        raise AssertionError("not reached")

    monkeypatch.setattr(process, "run", run)
    with pytest.raises(NotMeasured, match="no JSON: 'Segmentation fault'"):
        collect_probe.collect(tmp_path, PLAN, lambda name: None)


def _probe(
    monkeypatch: pytest.MonkeyPatch, folder: Path, **heap: list[int]
) -> dict[str, collect_probe.Probed]:
    """What is made of a line about a/b/c with these heap windows."""
    line = _said("a/b/c", 1, heap={"ops": 4} | heap) | {
        "input": "1" * 32,
        "work": "2" * 32,
        "files": ["f", "e", "f"],
    }

    def run(*args: Any, on_line: Any, **kwargs: Any) -> process.Result:
        on_line(instrument.json.dumps(line))
        return process.Result(("x",), 1, "", "")

    monkeypatch.setattr(process, "run", run)
    return collect_probe.collect(folder, PLAN, lambda name: None)


def test_heap_figures(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = _probe(
        monkeypatch,
        tmp_path,
        calls=[6, 6],
        bytes=[10, 8],
        peak=[64, 64],
        live=[0, 2],
    )
    assert found["a/b/c"].files == ("e", "f")
    assert found["a/b/c"].figures == {
        "heap_calls": Figure(3, 2),
        "heap_bytes": Figure(2, 1, 2),
        "heap_peak": Figure(64, 1),
        "heap_live": Figure(1, 2, 2),
    }
    assert found["a/b/d"].failure == (
        "plumb-probe exited with status 1 before this case"
    )


def test_an_operation_that_uses_up_memory_is_not_measured(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No budget below 0 could be read back, and it cannot go on for long."""
    found = _probe(
        monkeypatch,
        tmp_path,
        calls=[0, 0],
        bytes=[0, 0],
        peak=[0, 0],
        live=[-40, -40],
    )["a/b/c"]
    assert not found.figures
    assert "an operation frees 10 bytes more than it requests" in (
        found.failure or ""
    )


def test_plan_text_and_limit() -> None:
    plan = Plan(
        Path("/a b/ä.so"), Path("/a b"), ("x/y", "x/z", "x/w"), 2, 10
    )
    assert plan.text() == (
        "subject /a b/ä.so\nroot /a b\njobs 2\ntimeout 10\nseed 0\n"
        "scale 1\nbrief 0\ncase x/y\ncase x/z\ncase x/w\n"
    )
    assert plan.limit == 60 + 3 * 10
    with pytest.raises(UsageError, match="line break"):
        Plan(Path("/a\nb"), Path("/"), ()).text()
