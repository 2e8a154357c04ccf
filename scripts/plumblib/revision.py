"""Collects which commit is measured, and whether files differ from it."""

from __future__ import annotations

from pathlib import Path

from plumblib import process
from plumblib.errors import NotMeasured
from plumblib.records import Revision


def read(root: Path) -> Revision:
    """The revision of the checkout at `root`; an empty one outside git.

    A file that git does not know is a difference too, unless ignored.
    """
    inside = _git(root, "rev-parse", "--git-dir")
    if inside.code != 0:
        if "not a git repository" in inside.stderr:
            return Revision("", "", False)
        raise NotMeasured(f"{root}: {inside.stderr.strip()}")
    status = _git(root, "status", "--porcelain").stdout
    commit = _git(root, "log", "-1", "--format=%H%x00%s")
    if commit.code != 0:  # no commit yet
        return Revision("", "", bool(status))
    sha, _, subject = commit.stdout.strip("\n").partition("\0")
    return Revision(sha, subject, bool(status))


def _git(root: Path, *words: str) -> process.Result:
    return process.run(
        ["git", *words],
        cwd=root,
        env=process.environment("GIT_", LC_ALL="C"),
        check=False,
    )
