"""Measure commits of the past, for a history that began too late."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timezone

from plumblib import measure, standards, worktree
from plumblib.errors import PlumbError, UsageError
from plumblib.git import Repository
from plumblib.history import History
from plumblib.measure import Options
from plumblib.project import Instruments, Project
from plumblib.records import Measurement


@dataclass(frozen=True)
class Past:
    """A commit, and when it was made: "2026-01-31T12:00:00Z"."""

    commit: str
    date: str


def commits(
    repository: Repository, what: str, newest: int | None
) -> list[Past]:
    """The commits of a branch or range, oldest first, without those that
    came in by a merge.  Raises UsageError when git knows none."""
    told = repository.git(
        "log",
        "--first-parent",
        "--format=%H %ct",
        *([f"--max-count={newest}"] if newest else []),
        "--end-of-options",
        what,
        "--",
        check=False,
    )
    if told.code != 0 or not told.stdout:
        raise UsageError(f"{what}: names no commits; {told.stderr.strip()}")
    lines = (line.split() for line in told.stdout.splitlines())
    found = [Past(commit, _utc(int(seconds))) for commit, seconds in lines]
    return found[::-1]


def _utc(seconds: int) -> str:
    when = datetime.fromtimestamp(seconds, timezone.utc)
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")


def missing(past: list[Past], known: History) -> list[Past]:
    """Those of which the history has nothing."""
    recorded = {
        entry.revision.commit
        for entry in known.entries
        if not entry.revision.dirty
    }
    return [one for one in past if one.commit not in recorded]


def measured(
    past: list[Past],
    repository: Repository,
    project: Project,
    tools: Instruments,
    options: Options,
) -> Iterator[tuple[Past, Measurement | PlumbError]]:
    """Build and measure each commit in a worktree, with our instruments
    and data files.  One that cannot be is no reason to stop.  The caller
    holds the lock."""
    for one in past:
        try:
            described = standards.project_at(repository, one.commit, project)
            with worktree.checked_out(
                repository, one.commit, project.root / worktree.FOLDER
            ) as root:
                worktree.lend(project.root, project.data, root)
                made = measure.measure(
                    replace(described, root=root, timeout=project.timeout),
                    tools,
                    options,
                )
        except PlumbError as error:
            yield one, error
        else:
            revision = repository.revision(one.commit)
            yield one, replace(made, revision=revision)
