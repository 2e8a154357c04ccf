"""A project at somebody's desk: what tests of commands that judge share.

The fixtures `root` and `plumb` of conftest.py hand it out.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from repo import commit, init, sh

import foreign
from plumblib import codec
from plumblib.cli import main
from plumblib.records import Report

SOURCE = r"""
static uint64_t steps(void *state)
{
    (void)state;
    __asm__ volatile(".rept %(nops)d\n nop\n .endr");
    return %(value)d;
}

static uint64_t other(void *state)
{
    (void)state;
    __asm__ volatile("nop");
    return 7;
}

static const struct bench_case cases[] = {
    {.id = "demo/steps/x", .about = "nops", .iters = 10, .run = steps},
    %(more)s
};
"""
OTHER = '{.id = "demo/other/x", .about = "n", .iters = 10, .run = other},'


def source(nops: int = 200, value: int = 5, more: str = OTHER) -> str:
    return SOURCE % {"nops": nops, "value": value, "more": more}


def make(folder: Path) -> Path:
    """A repository with one commit, in a path that is no plain word."""
    root = init(folder / "Ein Prüfstand")
    foreign.make(root, source())
    commit(root, "a project")
    return root


class Run:
    """What a run of plumb gave."""

    def __init__(self, code: int, out: str, err: str, root: Path) -> None:
        self.code, self.out, self.err = code, out, err
        file = root / "build" / "verdict.json"
        self.report: Report | None = None
        if file.exists():
            self.report = codec.load(file, Report)
            file.unlink()

    def outcomes(self) -> dict[str, str]:
        assert self.report is not None
        return {row.id: row.outcome.value for row in self.report.cases}


def run(root: Path, capfd: pytest.CaptureFixture[str], *words: str) -> Run:
    """Run a command that judges; no worktree is left afterwards."""
    verdict = ()
    if words[0] != "accept":
        verdict = ("-o", str(root / "build" / "verdict.json"))
    capfd.readouterr()
    code = main(["-C", str(root), *words, *verdict])
    told = capfd.readouterr()
    assert sh(root, "worktree", "list").count("\n") == 0
    return Run(code, told.out, told.err, root)


def no_base(run: Run, told: str) -> None:
    assert run.code == 3
    assert told in run.err
    assert run.report is None


def change(root: Path, **changes: object) -> None:
    foreign.make(root, source(**changes))  # type: ignore[arg-type]


def loosen(root: Path) -> None:
    file = root / "plumb.toml"
    file.write_text(
        file.read_text()
        + "\n[[limits]]\nwarn_ppm = 500000\nfail_ppm = 500000\n"
    )
