"""Commits of the past are built, measured and recorded as they were."""

import subprocess
from pathlib import Path

import foreign
import pytest
from plumblib import history, toolchain
from plumblib.cli import main
from plumblib.series import metric_named, series

NOPS = r"""
static uint64_t nops(void *state)
{
    (void)state;
    __asm__ volatile(".rept %d\n nop\n .endr");
    return 1;
}

static const struct bench_case cases[] = {
    {.id = "demo/nops/1", .about = "nops", .iters = 10, .run = nops},
};
"""


def commit(root: Path, source: str, day: int) -> None:
    """Commit a state of the project on a day of May."""
    foreign.make(root, source)
    when = f"2025-05-{day:02}T12:00:00+02:00"
    for words in (
        ["init", "-q", "-b", "main"],
        ["add", "."],
        ["commit", "-q", "-m", f"day {day}"],
    ):
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=b", *words],
            cwd=root,
            check=True,
            env={"PATH": "/usr/bin:/bin", "GIT_COMMITTER_DATE": when},
        )


def test_backfill(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = tmp_path / "a b"
    commit(root, NOPS % 100, 1)
    commit(root, "oops", 2)
    commit(root, NOPS % 130, 3)
    (root / ".git" / "info" / "exclude").write_text("build\nout\nbaselines\n")
    words = ["-C", str(root), "history", "backfill"]

    assert main([*words, "-n", "1"]) == 0
    assert main(words) == 3  # one of the other two does not build
    said = capsys.readouterr()
    assert "left out" in said.err and "oops" in said.err
    path = Path(said.out.splitlines()[-1])
    assert path == (
        root
        / "baselines"
        / toolchain.platform_key("release")
        / history.FILE_NAME
    )
    known = history.load(path)
    assert known.faults == ()
    assert [(e.date, e.revision.subject) for e in known.entries] == [
        ("2025-05-01T10:00:00Z", "day 1"),
        ("2025-05-03T10:00:00Z", "day 3"),
    ]
    found = series(known, "demo/nops/1", metric_named("instructions"))
    first, last = (point.figure.per_op for point in found.points)
    assert last - first == 30
    assert not (root / "build" / "worktrees").exists() or not list(
        (root / "build" / "worktrees").iterdir()
    )

    assert main([*words, "HEAD~2..HEAD"]) == 3
    assert len(history.load(path).entries) == 2  # nothing twice
    assert main([*words, "nowhere"]) == 2
