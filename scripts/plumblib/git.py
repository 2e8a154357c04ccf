"""Questions to git, and the few commands that change a repository.

All `GIT_*` variables are cleared: inside a hook they name another index
or repository.  Hooks are off: what we check out is nobody's work.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from plumblib import process
from plumblib.errors import NoBase
from plumblib.records import Revision


@dataclass(frozen=True)
class Repository:
    """The repository around a project."""

    top: Path  # of the working tree
    prefix: str  # from there to the project; "" or "some/folder/"

    def git(self, *words: str, check: bool = True) -> process.Result:
        """Run git at the top of the working tree."""
        return git(self.top, *words, check=check)

    def says(self, *words: str) -> str:
        """What git prints, without the last newline."""
        return self.git(*words).stdout.removesuffix("\n")

    def commit(self, name: str) -> str | None:
        """The commit of that name; None where there is none."""
        found = self.git(
            *("rev-parse", "--verify", "--quiet", "--end-of-options"),
            f"{name}^{{commit}}",
            check=False,
        )
        return found.stdout.strip() if found.code == 0 else None

    def revision(self, commit: str) -> Revision:
        """A commit as records name it."""
        subject = self.says("log", "-1", "--format=%s", commit)
        return Revision(commit, subject, False)

    def read(self, commit: str, path: str) -> str | None:
        """A file of the project at a commit, or None."""
        found = self.git(
            "cat-file", "blob", f"{commit}:{self.prefix}{path}", check=False
        )
        return found.stdout if found.code == 0 else None

    def names(self, commit: str, folder: str) -> list[str]:
        """The names of the files right in a folder of the project."""
        place = f"{self.prefix}{folder}/"
        told = self.says("ls-tree", "-z", "--name-only", commit, "--", place)
        return [
            name.removeprefix(place) for name in told.split("\0") if name
        ]


def git(folder: Path, *words: str, check: bool = True) -> process.Result:
    """Run git in a folder."""
    return process.run(
        ["git", "-c", "core.hooksPath=/dev/null", *words],
        cwd=folder,
        env=process.environment(
            "GIT_", LC_ALL="C", GIT_OPTIONAL_LOCKS="0", GIT_TERMINAL_PROMPT="0"
        ),
        check=check,
    )


def find(root: Path) -> Repository:
    """The repository around a project.  Raises NoBase outside of one."""
    told = git(
        root, "rev-parse", "--show-toplevel", "--show-prefix", check=False
    )
    if told.code != 0:
        raise NoBase(
            f"{root}: {told.stderr.strip()}\nThere is no earlier state to"
            " compare with; `plumb gate` compares with committed baselines."
        )
    top, prefix, *_ = f"{told.stdout}\n".split("\n")
    return Repository(Path(top), prefix)


def changed_files(repository: Repository, ignore: list[str]) -> list[str]:
    """What differs from HEAD in the working tree: paths from its top.

    Files that git does not know count, ignored ones do not, and neither
    does what lies in `ignore` below the project, which we make ourselves.
    """
    told = repository.says(
        *("status", "--porcelain", "-z", "--untracked-files=all"),
        *("--no-renames", "--", ":(top)"),
        *(f":(top,exclude,literal){repository.prefix}{i}" for i in ignore),
    )
    return [line[3:] for line in told.split("\0") if line]


def changed_since(
    repository: Repository, commit: str, paths: tuple[str, ...]
) -> list[str]:
    """Which of these files and folders of the project differ between a
    commit and the working tree: file names from the project's root."""
    if not paths:
        return []
    places = [f":(top,literal){repository.prefix}{path}" for path in paths]
    known = repository.says(
        *("diff", "--name-only", "--no-renames", "-z", commit, "--"), *places
    )
    unknown = repository.says(
        *("ls-files", "--others", "--exclude-standard", "-z", "--"), *places
    )
    found = {name for name in (known + "\0" + unknown).split("\0") if name}
    return sorted(name.removeprefix(repository.prefix) for name in found)
