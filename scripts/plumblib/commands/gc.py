"""plumb gc: remove what killed runs left, checkouts of a base, caches."""

from __future__ import annotations

import os
from argparse import Namespace, _SubParsersAction
from pathlib import Path

from plumblib import files, git, lock, project, worktree
from plumblib.errors import Exit, NoBase


def add_parser(sub: _SubParsersAction) -> None:
    parser = sub.add_parser("gc")
    parser.add_argument(
        "-n",
        "--dry-run",
        action="store_true",
        help="only say what would be removed",
    )
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    """Waits for a run under way: its folders are in use."""
    root = project.find(args.root or Path.cwd())
    with lock.held(root):
        found = [
            path
            for folder in project.OURS
            if (root / folder).is_dir()
            for path in sorted((root / folder).iterdir())
            if path != root / lock.FILE
        ]
        for path in found:
            print(f"{_size(path):>12,} bytes  {path.relative_to(root)}")
            if not args.dry_run:
                files.remove(path)
        if not args.dry_run:
            _unregister(root)
    if not found:
        print("nothing to remove")
    return Exit.OK


def _unregister(root: Path) -> None:
    """Git remembers worktrees that are gone."""
    try:
        repository = git.find(root)
    except NoBase:
        return
    worktree.remove_all(repository, root / worktree.FOLDER)


def _size(path: Path) -> int:
    if path.is_symlink() or not path.is_dir():
        return path.lstat().st_size
    return sum(
        (Path(folder) / name).lstat().st_size
        for folder, _, names in os.walk(path)
        for name in names
    )
