"""plumb report: which files it writes from what, and how it ends."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from plumblib import codec
from plumblib.cli import main
from plumblib.judge import Terms, judge
from plumblib.records import Measurement, Report
from samples import HEAD, TOOLCHAIN, case, measurement

pytest.importorskip("jinja2")
pytest.importorskip("matplotlib")
pytestmark = pytest.mark.skipif(
    shutil.which("gnuplot") is None, reason="gnuplot is not installed"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "plumb.toml").write_text(
        '[project]\nname = "demo"\n'
        '[subject]\nfile = "suite.so"\nbuild = ["true"]\n'
    )
    return tmp_path


def report(root: Path, made: Measurement, *words: str) -> int:
    codec.save(root / "m.json", made)
    given = ["report", "-m", str(root / "m.json"), *words]
    return main(["-C", str(root), *given])


def latest(root: Path) -> Path:
    return root / "reports" / "latest.md"


def page(root: Path) -> Path:
    return root / "build" / "report" / "index.html"


def test_page_and_markdown_are_written_and_named(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = measurement(case("demo/a/1"))
    assert report(root, made) == 0
    assert capsys.readouterr().out.splitlines() == [
        str(page(root)),
        str(latest(root)),
    ]
    assert "a case" in page(root).read_text()  # its about
    first = page(root).read_bytes(), latest(root).read_bytes()
    later = replace(made, made_at="2027-01-01T00:00:00Z")
    assert report(root, later) == 0
    assert (page(root).read_bytes(), latest(root).read_bytes()) == first


def test_a_case_that_failed_is_shown_and_ends_with_3(root: Path) -> None:
    made = measurement(case("demo/a/1", failure="run: died"))
    assert report(root, made) == 3
    assert "run: died" in page(root).read_text()


def test_a_part_of_the_cases_is_not_the_latest(root: Path) -> None:
    made = measurement(case("demo/a/1"), case("demo/b/1"))
    assert report(root, made, "-f", "a/1") == 0
    assert "demo/a/1" in page(root).read_text()
    assert "demo/b/1" not in page(root).read_text()
    assert not latest(root).exists()


def test_a_verdict_is_shown_as_it_is(root: Path) -> None:
    made = measurement(case("demo/a/1", 120))
    verdict = Report(
        kind="vs-base",
        title="HEAD against merge base cdcdcdc",
        base=replace(HEAD, commit="cd" * 20),
        head=HEAD,
        toolchain=TOOLCHAIN,
        cases=judge({"demo/a/1": case("demo/a/1")}, made, Terms()),
        exit_code=1,
    )
    path = root / "verdict.json"
    codec.save(path, verdict)
    words = ["-C", str(root), "report", "--verdict", str(path)]
    assert main(words) == 0
    assert "failed: 1 slower" in page(root).read_text()
    assert "a case" not in page(root).read_text()
    assert not latest(root).exists()
    assert report(root, made, "--verdict", str(path)) == 0
    assert "a case" in page(root).read_text()
    assert main([*words, "-f", "a"]) == 2


def test_a_broken_line_of_history_is_told_on_the_page(root: Path) -> None:
    folder = root / "baselines" / TOOLCHAIN.platform
    folder.mkdir(parents=True)
    (folder / "history.jsonl").write_text("{")
    assert report(root, measurement(case("demo/a/1"))) == 0
    assert "history.jsonl:1: is truncated" in page(root).read_text()
