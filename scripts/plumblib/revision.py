"""Collects which commit is measured, and whether files differ from it."""

from __future__ import annotations

from pathlib import Path

from plumblib.errors import NotMeasured
from plumblib.git import git
from plumblib.project import OURS
from plumblib.records import Revision


def read(root: Path, *made: Path) -> Revision:
    """The revision of the checkout at `root`; an empty one outside git.

    A file that git does not know is a difference too, unless it is
    ignored, ours, or one of `made`.
    """
    inside = git(root, "rev-parse", "--git-dir", check=False)
    if inside.code != 0:
        if "not a git repository" in inside.stderr:
            return Revision("", "", False)
        raise NotMeasured(f"{root}: {inside.stderr.strip()}")
    ignored = (*OURS, *(path.relative_to(root) for path in made))
    status = git(
        root,
        *("status", "--porcelain", "--untracked-files=all", "--", ":/"),
        *(f":(exclude,literal){path}" for path in ignored),
    ).stdout
    commit = git(root, "log", "-1", "--format=%H%x00%s", check=False)
    if commit.code != 0:  # no commit yet
        return Revision("", "", bool(status))
    sha, _, subject = commit.stdout.strip("\n").partition("\0")
    return Revision(sha, subject, bool(status))
