"""Cases that read files: what was read is part of what was measured."""

from __future__ import annotations

from pathlib import Path

import pytest
from repo import commit, init

import foreign
from plumblib import codec
from plumblib.cli import main
from plumblib.records import Report

CASES = r"""
struct text { const unsigned char *bytes; size_t size; };

static void *setup(const struct bench_setup *s)
{
    struct text *t = bench_buffer(s, sizeof(*t));
    t->bytes = bench_file(s, "%s", &t->size);
    return t;
}

static uint64_t sum(void *state)
{
    const struct text *t = state;
    uint64_t sum = 1;
    for (size_t i = 0; i < t->size; i++)
        sum = sum * 31 + t->bytes[i];
    return sum;
}

static const struct bench_case cases[] = {
    {.id = "demo/sum/file", .about = "a file", .iters = 10, .setup = setup,
     .run = sum},
};
"""


@pytest.fixture(autouse=True)
def at_a_desk(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CI", "PLUMB_ACCEPT_GATE_CHANGE", "PLUMB_BASE"):
        monkeypatch.delenv(name, raising=False)


def _project(root: Path, file: str, ignored: str) -> Path:
    """A repository whose case reads that file."""
    init(root)
    foreign.make(root, CASES % file)
    (root / ".gitignore").write_text(ignored)
    (root / file).parent.mkdir(exist_ok=True)
    (root / file).write_text("a" * 1000)
    return root


def _judged(root: Path, *words: str) -> tuple[str, dict[str, int]]:
    """The verdict of the one case, and its instructions: base, head."""
    out = root / "build" / "verdict.json"
    main(["-C", str(root), *words, "-o", str(out)])
    (row,) = codec.load(out, Report).cases
    (found,) = (m for m in row.metrics if m.metric == "instructions")
    return row.outcome.value, {
        "base": round(found.base.per_op) if found.base else 0,
        "head": round(found.head.per_op) if found.head else 0,
    }


def test_a_file_of_the_commit(tmp_path: Path) -> None:
    """It changes under a subject that stays as it is: what was measured
    before does not stand, and each side reads its own."""
    root = _project(tmp_path / "p", "input.bin", "build\nout\n")
    commit(root, "a project")
    assert main(["-C", str(root), "accept"]) == 0
    commit(root, "budgets")
    outcome, before = _judged(root, "gate")
    assert outcome == "same"
    assert _judged(root, "vs-base", "HEAD") == ("same", before)

    (root / "input.bin").write_text("a" * 3000)
    outcome, after = _judged(root, "gate")
    assert outcome == "changed"
    assert after["base"] == before["head"] < after["head"]
    for _ in range(2):  # the second time the base is recalled
        assert _judged(root, "vs-base", "HEAD") == ("changed", after)


def test_an_explanation_reads_what_each_side_read(tmp_path: Path) -> None:
    root = _project(tmp_path / "p", "input.bin", "build\nout\n")
    commit(root, "a project")
    (root / "input.bin").write_text("a" * 3000)
    out = tmp_path / "why.txt"
    words = ["explain", "demo/sum/file", "--base", "HEAD", "--quick"]
    assert main(["-C", str(root), *words, "-o", str(out)]) == 1
    assert "not the same work: the input" in out.read_text()


def test_a_folder_that_git_does_not_keep(tmp_path: Path) -> None:
    """It is lent to the base, and is still there afterwards."""
    root = _project(tmp_path / "p", "data/input.bin", "build\nout\ndata\n")
    file = root / "plumb.toml"
    text = file.read_text().replace("timeout", 'data = ["data"]\ntimeout')
    file.write_text(text)
    commit(root, "a project")
    outcome, before = _judged(root, "vs-base", "HEAD")
    assert (outcome, before["base"]) == ("same", before["head"])
    (root / "data" / "input.bin").write_text("a" * 3000)
    outcome, after = _judged(root, "vs-base", "HEAD")
    assert (outcome, after["base"]) == ("same", after["head"])
    assert after["head"] > before["head"]
    assert (root / "data" / "input.bin").stat().st_size == 3000


def test_a_commit_that_had_the_files_itself(tmp_path: Path) -> None:
    root = _project(tmp_path / "p", "data/input.bin", "build\nout\n")
    commit(root, "a project")
    file = root / "plumb.toml"
    text = file.read_text().replace("timeout", 'data = ["data"]\ntimeout')
    file.write_text(text)
    (root / "data" / "input.bin").write_text("a" * 3000)
    outcome, found = _judged(root, "vs-base", "HEAD")
    assert outcome == "changed" and found["base"] < found["head"]
