"""A commit checked out beside the working tree, and nothing left of it.

Worktrees lie in one folder of ours.  What a killed run left there, or
registered in the repository, goes when the next one begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from plumblib import files, submodules
from plumblib.errors import NoBase
from plumblib.git import Repository, git
from plumblib.process import ToolError

FOLDER = Path("build") / "worktrees"


@contextmanager
def checked_out(
    repository: Repository, commit: str, folder: Path
) -> Iterator[Path]:
    """A complete checkout of a commit, removed in the end.

    Yields the project's root in it.  The caller holds the lock of the
    checkout.  Raises NoBase when git cannot make it.
    """
    remove_all(repository, folder)
    tree = path_of(folder, commit)
    try:
        try:
            _add(repository, commit, tree)
        except (ToolError, OSError) as error:
            raise NoBase(
                f"the base {commit[:7]} cannot be checked out: {error}"
            ) from error
        yield tree / repository.prefix
    finally:
        remove_all(repository, folder)


def lend(home: Path, folders: Iterable[str], root: Path) -> None:
    """Let a checkout use those folders of `home`, which git does not keep.
    Where it has files of its own by that name, they stand: what a commit
    reads is part of what it does."""
    for folder in folders:
        source, place = home / folder, root / folder
        if source.is_dir() and not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(source, target_is_directory=True)


def path_of(folder: Path, commit: str) -> Path:
    """Where a commit is checked out."""
    return folder / commit[:12]


def remove_all(repository: Repository, folder: Path) -> int:
    """Remove every worktree in a folder, registered or not.  Returns how
    many there were; those elsewhere are not touched."""
    folder = folder.resolve()
    registered = {
        Path(line.removeprefix("worktree "))
        for line in repository.says(
            "worktree", "list", "--porcelain", "-z"
        ).split("\0")
        if line.startswith("worktree ")
    }
    ours = {path for path in registered if path.is_relative_to(folder)}
    if folder.is_dir():
        ours |= set(folder.iterdir())
    for path in ours:
        files.remove(path)
        if path in registered:
            # twice: git locks one that is still being made
            repository.git(
                "worktree", "remove", "--force", "--force", str(path)
            )
    return len(ours)


def _add(repository: Repository, commit: str, tree: Path) -> None:
    """Everything in the commit is there, whatever the working tree leaves
    out (sparse checkout), and submodules with it."""
    tree.parent.mkdir(parents=True, exist_ok=True)
    full = ("-c", "core.sparseCheckout=false")
    repository.git(
        *(*full, "worktree", "add", "--quiet", "--detach", "--no-checkout"),
        *(str(tree), commit),
    )
    own_settings = repository.git(
        "config", "--bool", "extensions.worktreeConfig", check=False
    )
    if own_settings.stdout == "true\n":
        git(tree, "config", "--worktree", "core.sparseCheckout", "false")
    git(tree, *full, "reset", "--quiet", "--hard", commit)
    submodules.bring_along(repository.top, tree)
