"""Fills the submodules of a worktree from what this clone already has."""

from __future__ import annotations

from pathlib import Path

from plumblib.errors import NoBase
from plumblib.git import git


def bring_along(source: Path, tree: Path) -> None:
    """Check out each submodule of `tree` as its commit says, and theirs.

    `source` is the working tree it belongs to; nothing is fetched.  A
    submodule that was never initialised in `source` stays empty, as it is
    there.  Raises NoBase when a commit is not in this clone.
    """
    names = _names(tree)
    for path, commit in _links(tree):
        store = _store(source, path, names.get(path, path))
        if store is None:
            continue
        if git(store, "cat-file", "-e", f"{commit}^{{commit}}",
               check=False).code != 0:
            raise NoBase(
                f"submodule {path}: the base needs its commit {commit[:12]},"
                " which is not in this clone. Fetch it:"
                f" `git -C {path} fetch --all`"
            )
        _check_out(store, commit, tree / path)
        bring_along(source / path, tree / path)


def _links(tree: Path) -> list[tuple[str, str]]:
    """Path and commit of each submodule at HEAD of a worktree."""
    told = git(tree, "ls-tree", "-r", "-z", "HEAD").stdout
    found = []
    for line in told.split("\0"):
        about, _, path = line.partition("\t")
        if about.startswith("160000 "):
            found.append((path, about.split()[2]))
    return found


def _names(tree: Path) -> dict[str, str]:
    """Name of each submodule by path, as .gitmodules has it."""
    told = git(
        tree,
        *("config", "--file", ".gitmodules", "-z", "--get-regexp"),
        r"^submodule\..*\.path$",
        check=False,
    ).stdout
    found = {}
    for entry in told.split("\0"):
        key, _, path = entry.partition("\n")
        if path:
            found[path] = key[len("submodule.") : -len(".path")]
    return found


def _store(source: Path, path: str, name: str) -> Path | None:
    """The git folder that holds a submodule's objects: that of the
    checkout at the same path, or of one that has been moved."""
    if (source / path / ".git").exists():
        told = git(source / path, "rev-parse", "--absolute-git-dir")
        return Path(told.stdout.removesuffix("\n"))
    told = git(
        source,
        *("rev-parse", "--path-format=absolute", "--git-common-dir"),
        check=False,
    )
    if told.code != 0:
        return None
    kept = Path(told.stdout.removesuffix("\n")) / "modules" / name
    return kept if kept.is_dir() else None


def _check_out(store: Path, commit: str, target: Path) -> None:
    """A repository of its own that borrows the objects, so that removing
    it removes everything."""
    target.mkdir(parents=True, exist_ok=True)
    git(target, "init", "--quiet")
    common = git(
        store, "rev-parse", "--path-format=absolute", "--git-common-dir"
    ).stdout.removesuffix("\n")
    alternates = target / ".git" / "objects" / "info" / "alternates"
    alternates.write_text(f"{common}/objects\n", encoding="utf-8")
    git(target, "-c", "core.sparseCheckout=false", "checkout", "--quiet",
        "--force", "--detach", commit)
