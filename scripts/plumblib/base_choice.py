"""Which commit a head is compared with."""

from __future__ import annotations

import os
from dataclasses import dataclass

from plumblib.errors import NoBase, Shallow, UsageError
from plumblib.git import Repository

VARIABLE = "PLUMB_BASE"
_HEAD_NAMES = ("HEAD", "@")


@dataclass(frozen=True)
class Base:
    """A commit to compare with; `title` says what is compared with what.

    `again`: it is HEAD's own state, to be measured twice.  `merged`: HEAD
    is in the main branch already, so nobody is asked to agree to it.
    """

    commit: str
    title: str
    again: bool = False
    merged: bool = False


def asked_for(ref: str | None) -> str | None:
    """The branch a change is for, as CI may say it without an option."""
    return ref or os.environ.get(VARIABLE) or None


def choose(
    repository: Repository, ref: str | None, dirty: bool
) -> Base:
    """The base for `ref` (default: the remote's main branch).

    It is the merge base of ref and HEAD; where that is HEAD itself and
    nothing is uncommitted, the parent commit.  Raises NoBase or
    UsageError, which say what to do.
    """
    if repository.says("rev-parse", "--is-shallow-repository") == "true":
        raise Shallow(
            "this clone is shallow, so the merge base that git would name"
            " can be a wrong one. Fetch the rest: `git fetch --unshallow`"
            " (in CI: fetch-depth: 0)."
        )
    head = repository.commit("HEAD")
    if head is None:
        raise NoBase("there is no commit yet to compare with. Commit first.")
    subject = "uncommitted changes on " if dirty else ""
    subject += f"HEAD {head[:7]}"
    if ref in _HEAD_NAMES:
        if dirty:
            return Base(head, f"{subject} against HEAD itself")
        title = f"A/A: HEAD {head[:7]} measured twice"
        return Base(head, title, again=True, merged=True)
    name = _resolved(repository, ref) if ref else default_ref(repository)
    base = _merge_base(repository, name, head)
    if base != head or dirty:
        return Base(base, f"{subject} against merge base {base[:7]} of {name}")
    parent = repository.commit("HEAD^")
    if parent is None:
        return Base(
            head,
            f"A/A: HEAD {head[:7]} measured twice, since it is in {name}, has"
            " no parent, and nothing is uncommitted",
            again=True,
            merged=True,
        )
    return Base(
        parent,
        f"{subject} against its parent {parent[:7]}, since HEAD is in {name}"
        " and nothing is uncommitted",
        merged=True,
    )


def default_ref(repository: Repository) -> str:
    """The main branch: as the remote says, else by its usual names.

    Raises NoBase where there is none.
    """
    remote = _remote(repository)
    if remote:
        told = repository.git(
            *("symbolic-ref", "--quiet", "--short"),
            f"refs/remotes/{remote}/HEAD",
            check=False,
        ).stdout.strip()
        # the branch may have been renamed since it was cloned
        if told and repository.commit(f"refs/remotes/{told}"):
            return told
    places = [f"{remote}/"] if remote else []
    for place in (*places, ""):
        kind = "remotes" if place else "heads"
        for branch in ("main", "master"):
            if repository.commit(f"refs/{kind}/{place}{branch}"):
                return f"{place}{branch}"
    raise NoBase(
        "git does not say which branch is the main one: there is no"
        " origin/HEAD, main or master. Name it: `make bench-vs-base"
        " BASE=branch` or `plumb vs-base branch`."
    )


def _remote(repository: Repository) -> str:
    """The remote of the current branch; origin; or the only one."""
    branch = repository.git(
        "symbolic-ref", "--quiet", "--short", "HEAD", check=False
    ).stdout.strip()
    if branch:
        told = repository.git(
            "config", f"branch.{branch}.remote", check=False
        ).stdout.strip()
        if told and told != ".":
            return told
    remotes = repository.says("remote").split()
    if "origin" in remotes:
        return "origin"
    return remotes[0] if len(remotes) == 1 else ""


def _resolved(repository: Repository, ref: str) -> str:
    """A ref as given, or as the remote's branch of that name: CI checks
    out one branch and has the others as remote ones only."""
    remote = _remote(repository)
    for name in (ref, f"{remote}/{ref}"):
        if repository.commit(name):
            return name
    raise UsageError(
        f"{ref!r} is no commit, branch or tag that git knows here; fetch it,"
        " or name another with BASE=..."
    )


def _merge_base(repository: Repository, name: str, head: str) -> str:
    found = repository.git("merge-base", name, head, check=False)
    if found.code == 0:
        return found.stdout.split()[0]
    raise NoBase(
        f"{name} and HEAD have no common ancestor, so there is no merge"
        " base. Name a commit of this history with BASE=..."
    )
