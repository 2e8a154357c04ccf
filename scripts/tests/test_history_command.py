"""plumb history at the command line: what it prints, writes and returns."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import samples
import pytest
from plumblib import codec, history
from plumblib.cli import main

ID = "demo/walk_x/64@y"
PLATFORM = samples.TOOLCHAIN.platform


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with two accepts of one case, the second by gcc 13."""
    (tmp_path / "plumb.toml").write_text(
        '[project]\nname = "demo"\n'
        '[subject]\nfile = "suite.so"\nbuild = ["true"]\n'
    )
    newer = replace(samples.TOOLCHAIN, compiler="gcc 13")
    for day, toolchain in (1, samples.TOOLCHAIN), (2, newer):
        history.append(
            tmp_path / "baselines" / PLATFORM / history.FILE_NAME,
            samples.measured_on(
                day,
                samples.case(ID, 900 + 100 * day, heap_calls=day),
                toolchain=toolchain,
            ),
        )
    return tmp_path


def plumb(root: Path, *words: str) -> int:
    return main(["-C", str(root), "history", *words])


def test_show_tells_each_step(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert plumb(root, "show", ID) == 0
    title, first, second = capsys.readouterr().out.splitlines()
    assert title == f"{ID}, instructions of one operation, net (Ir)"
    assert first.split() == ["2026-01-01", "abababa", "1,000"]
    assert second.split()[2:] == ["1,100", "+10", "%", "other", "compiler"]

    assert plumb(root, "show", "-f", "walk", "--metric", "heap_calls") == 0
    assert capsys.readouterr().out.splitlines()[2].split()[2] == "2"

    assert plumb(root, "show", "-f", "walk", "--json") == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert [p["figure"]["total"] for p in found["points"]] == [1000, 1100]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["show"], "give a CASE or -f"),
        (["show", ID, "-f", "x"], "give a CASE or -f"),
        (["show", "-f", "zzz"], "no case matches 'zzz'"),
        (["show", "demo/walk_z/64@y"], f"near it: {ID}"),
        (["plot", "demo/walk_z/64@y"], f"near it: {ID}"),
        (["show", ID, "--platform", "vax"], "no such platform"),
    ],
)
def test_mistakes_end_with_2(
    root: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    expected: str,
) -> None:
    assert plumb(root, *words) == 2
    assert expected in capsys.readouterr().err


def test_several_platforms_must_be_told_apart(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = root / "baselines" / PLATFORM
    shutil.copytree(here, root / "baselines" / "arm")
    assert plumb(root, "show", ID) == 2
    assert f"arm, {PLATFORM}" in capsys.readouterr().err
    assert plumb(root, "show", ID, "--platform", "arm") == 0


def test_record_then_break_then_repair(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = samples.measurement(
        samples.case(ID, 1), samples.case("demo/b/1", failure="run: died")
    )
    codec.save(root / "m.json", run)
    words = ["record", str(root / "m.json"), "--date", "2025-06-01T00:00:00Z"]
    assert plumb(root, *words) == 0
    said = capsys.readouterr()
    path = Path(said.out.strip())
    assert path == root / "baselines" / PLATFORM / history.FILE_NAME
    assert "demo/b/1" in said.err

    path.write_bytes(path.read_bytes()[:-20])
    assert plumb(root, "show", ID) == 2
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 3  # all that can be read
    assert f"{path}:3: is truncated" in said.err

    assert plumb(root, "repair") == 0
    assert plumb(root, "show", ID) == 0


def test_record_refuses_a_time_that_is_none(root: Path) -> None:
    codec.save(root / "m.json", samples.measurement(samples.case(ID)))
    with pytest.raises(SystemExit) as ended:
        plumb(root, "record", str(root / "m.json"), "--date", "June")
    assert ended.value.code == 2


@pytest.mark.skipif(
    shutil.which("gnuplot") is None, reason="gnuplot is not installed"
)
def test_plot_writes_or_prints(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert plumb(root, "plot", ID) == 0
    path = Path(capsys.readouterr().out.strip())
    assert path == root / "build" / "history" / "demo_walk_x_64@y.svg"
    assert "1,100" in path.read_text()

    assert plumb(root, "plot", ID, "-o", str(root / "a b.svg")) == 0
    assert (root / "a b.svg").read_bytes() == path.read_bytes()

    capsys.readouterr()
    assert plumb(root, "plot", ID, "--term") == 0
    assert "1,100" in capsys.readouterr().out
