"""plumb.toml: what it gives, and how each mistake in it is told."""

from pathlib import Path

import pytest

from plumblib import project
from plumblib.errors import UsageError
from plumblib.records import LimitRule, Limits

SMALL = """\
[project]
name = "demo"

[subject]
file = "out/{flavour}/suite.so"
build = ["make", "-j{jobs}", "F={flavour}"]
"""

FULL = (
    SMALL
    + """\
toolchain = [
  "make", "x=y",
]
suites = ["a", "b"]
data = ["data"]
timeout = 5

[gate]
baselines = "budgets"
files = ["budgets", "tools"]

[[limits]]
warn_ppm = 1_000
fail_ppm = 2_000

[[limits]]
scope = "a/b/c"
metric = "heap_peak"
warn_ppm = 0
fail_ppm = 10

[instruments]
folder = "bin"
"""
)


def _write(root: Path, text: str) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    (root / "plumb.toml").write_text(text)
    return root


def test_small_one_gets_defaults(tmp_path: Path) -> None:
    found = project.load(_write(tmp_path, SMALL))
    assert found.name == "demo"
    assert found.subject_path("asan") == tmp_path / "out/asan/suite.so"
    assert found.build.argv("asan", 3) == ["make", "-j3", "F=asan"]
    assert found.toolchain.words == ()
    assert (found.suites, found.data, found.limits) == ((), (), ())
    assert found.timeout == project.DEFAULT_TIMEOUT
    assert found.gate_files == ("plumb.toml", "baselines")


def test_full_one(tmp_path: Path) -> None:
    found = project.load(_write(tmp_path, FULL))
    assert found.suites == ("a", "b")
    assert found.baselines == "budgets"
    assert found.gate_files == ("budgets", "tools")
    assert found.limits == (
        LimitRule("", "", Limits(1000, 2000)),
        LimitRule("a/b/c", "heap_peak", Limits(0, 10)),
    )


def test_found_from_a_folder_below(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = _write(tmp_path / "Ein Projekt ä", SMALL)
    below = root / "x" / "y"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert project.load().root == root


def test_none_says_where_it_looked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=f"no plumb.toml in {tmp_path}"):
        project.load()
    with pytest.raises(UsageError, match="plumb.toml: No such file"):
        project.load(tmp_path)


def test_own_instruments_and_project_are_described() -> None:
    own = project.load(project.HOME)
    assert own.root == project.HOME
    assert project.instruments().folder.is_relative_to(project.HOME)


@pytest.mark.parametrize(
    "old, new, told",
    [
        ("[project]", "[project", "is not TOML: Expected ']'"),
        ('name = "demo"', "", ":1: project.name: is missing"),
        ('name = "demo"', "name = 7", ":2: project.name: expected a string"),
        ('name = "demo"', 'name = ""', ":2: project.name: expected a string"),
        ("[project]", "[projekt]", "project.name: is missing"),
        ('file = "out', 'fil = "out', ":4: subject.file: is missing"),
        ('"make", "x=y"', '"make", 1', ":7: subject.toolchain: expected"),
        ("out/{flavour}", "out/{kind}", ":5: subject.file: unknown {kind}"),
        ("out/{flavour}", "../x", ":5: subject.file: expected a path below"),
        ("out/{flavour}", "/x", ":5: subject.file: expected a path below"),
        ("-j{jobs}", "-j{cores}", ":6: subject.build: unknown {cores}"),
        ('build = ["make"', 'build = "make"\nx = ["make"', ":6: subject.buil"),
        ('suites = ["a", "b"]', "suites = true", ":10: subject.suites: expec"),
        ("timeout = 5", "timeout = 0", ":12: subject.timeout: expected at"),
        ("timeout = 5", "timeout = true", ":12: subject.timeout: expected a"),
        ("timeout = 5", "timeout = 100_001", ":12: subject.timeout: expecte"),
        ("timeout = 5", f"timeout = 1{'0' * 99}", ":12: subject.timeout: exp"),
        ('name = "demo"', r'name = "\u001b[31m"', ":2: project.name: has a co"),
        ('"make", "x=y"', r'"make", "\u0000"', ":7: subject.toolchain: has a"),
        ("timeout = 5", "timeuot = 5", ":12: subject.timeuot: unknown key"),
        ("[gate]", "[gates]", ":14: gates: unknown key"),
        ("fail_ppm = 2_000", "", ":18: limits.fail_ppm: is missing"),
        ("fail_ppm = 2_000", "fail_ppm = 2", ":19: limits.warn_ppm: 1000 is"),
        ("fail_ppm = 10", "fail_ppm = -1", ":26: limits.fail_ppm: expected"),
        ("fail_ppm = 10\n", "fail_ppm = 1.5\n", ":26: limits.fail_ppm: expe"),
        ('"heap_peak"', '"heap_peek"', ":24: limits.metric: expected one of"),
        ('scope = "a/b/c"', 'case = "a/b/c"', ":23: limits.case: unknown key"),
        ('scope = "a/b/c"\nmetric = "heap_peak"', 'scope = ""', ":23: limits.sc"),
        ('folder = "bin"', 'folder = "../bin"', ":29: instruments.folder: ex"),
        ("[[limits]]\nw", "limits = 1\n[x]\nw", ":18: gate.limits"),
    ],
)
def test_mistakes_are_told_with_line_and_key(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    assert FULL.count(old) >= 1
    root = _write(tmp_path, FULL.replace(old, new, 1))
    with pytest.raises(UsageError) as caught:
        project.load(root)
    assert told in str(caught.value)
    assert str(caught.value).startswith(str(root / "plumb.toml"))


def test_not_text(tmp_path: Path) -> None:
    (tmp_path / "plumb.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="is not UTF-8"):
        project.load(tmp_path)
