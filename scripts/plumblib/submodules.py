"""Fills the submodules of a worktree from what this clone already has."""

from __future__ import annotations

from pathlib import Path

from plumblib.errors import NoBase
from plumblib.git import git
from plumblib.process import Result


def bring_along(source: Path, tree: Path) -> None:
    """Check out each submodule of `tree` as its commit says, and theirs.

    `source` is the working tree it belongs to, or the git folder of one
    that is not checked out; nothing is fetched.  A submodule that was
    never initialised in `source` stays empty, as it is there.  Raises
    NoBase when a commit is not in this clone.
    """
    names = _names(tree)
    for path, commit in _links(tree):
        store = _store(source, path, names.get(path, path))
        if store is None:
            continue
        if not _has(store, commit):
            raise NoBase(
                f"submodule {path}: the base needs its commit {commit[:12]},"
                " which is not in this clone. Fetch it:"
                f" `git -C {path} fetch --all`"
            )
        _check_out(store, commit, tree / path)
        initialised = (source / path / ".git").exists()
        below = source / path if initialised else store
        bring_along(below, tree / path)


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
    common = source
    if (source / ".git").exists():
        told = git(
            source, "rev-parse", "--path-format=absolute", "--git-common-dir"
        )
        common = Path(told.stdout.removesuffix("\n"))
    kept = common / "modules" / name
    return kept if kept.is_dir() else None


def _has(store: Path, commit: str) -> bool:
    told = _in_store(
        store, "cat-file", "-e", f"{commit}^{{commit}}", check=False
    )
    return told.code == 0


def _in_store(store: Path, *words: str, check: bool = True) -> Result:
    """Run git on a git folder, which may name a checkout that is gone."""
    place = (f"--git-dir={store}", f"--work-tree={store}")
    return git(store, *place, *words, check=check)


def _check_out(store: Path, commit: str, target: Path) -> None:
    """A repository of its own that borrows the objects, so that removing
    it removes everything."""
    target.mkdir(parents=True, exist_ok=True)
    git(target, "init", "--quiet")
    common = _in_store(
        store, "rev-parse", "--path-format=absolute", "--git-common-dir"
    ).stdout.removesuffix("\n")
    alternates = target / ".git" / "objects" / "info" / "alternates"
    alternates.write_text(f"{common}/objects\n", encoding="utf-8")
    git(
        target,
        *("-c", "core.sparseCheckout=false"),
        *("checkout", "--quiet", "--force", "--detach", commit),
    )
