"""The base of a comparison: chosen, checked out, built, its code kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from plumblib import (
    base_choice,
    cache,
    git,
    measure,
    progress,
    standards,
    toolchain,
    worktree,
)
from plumblib.base_choice import Base
from plumblib.errors import NoBase, PlumbError
from plumblib.git import Repository
from plumblib.measure import BuildFailed, Options
from plumblib.project import OURS, Instruments, Project
from plumblib.records import Toolchain


@dataclass(frozen=True)
class Setting:
    """What is compared with what, and by which means."""

    project: Project  # as it is in the working tree
    tools: Instruments
    options: Options
    repository: Repository
    base: Base
    base_project: Project  # as its plumb.toml describes it in the base

    @property
    def base_root(self) -> Path:
        """Where the base is built."""
        folder = worktree.path_of(
            self.project.root / worktree.FOLDER, self.base.commit
        )
        return folder / self.repository.prefix


def set_up(
    project: Project, tools: Instruments, options: Options, ref: str | None
) -> Setting:
    """Choose the base.  Raises NoBase where there is none."""
    repository = git.find(project.root)
    ours = _made_by_us(project, options.flavour)
    dirty = bool(git.changed_files(repository, ours))
    base = base_choice.choose(repository, ref, dirty)
    base_project = standards.project_at(repository, base.commit, project)
    return Setting(project, tools, options, repository, base, base_project)


def subject(
    setting: Setting, made: Toolchain
) -> tuple[Path, Toolchain]:
    """The base's shared object and with what it was built; `made` is the
    toolchain of head.  Built only where none was kept.  The caller holds
    the lock.  Raises NoBase."""
    key = _subject_key(setting, made)
    found = cache.subject(setting.project, key)
    if found is not None:
        return found
    with tree(setting) as base:
        measure.build_subject(base, setting.options)
        own = toolchain.detect(
            base, setting.options.flavour, made.valgrind, {}
        )
        return keep_subject(setting, base, made, own), own


@contextmanager
def tree(setting: Setting) -> Iterator[Project]:
    """The base, checked out.  What fails inside becomes NoBase, with what
    to do."""
    short = setting.base.commit[:7]
    progress.note(f"base {short}: checked out into {worktree.FOLDER}")
    with checked_out(setting) as root:
        try:
            yield replace(
                setting.base_project,
                root=root,
                timeout=setting.project.timeout,
            )
        except BuildFailed as error:
            raise NoBase(
                f"the base {short} does not build, so there is nothing to"
                f" compare with.\n{error}\nMake it build here, or name a"
                " commit that does with BASE=..."
            ) from error
        except PlumbError as error:
            raise NoBase(
                f"the base {short} cannot be measured by this plumb:"
                f" {error}\nCompare with a later commit (BASE=...)."
            ) from error


@contextmanager
def checked_out(setting: Setting) -> Iterator[Path]:
    """The files of the base, at `setting.base_root`."""
    head = setting.project
    with worktree.checked_out(
        setting.repository, setting.base.commit, head.root / worktree.FOLDER
    ) as root:
        worktree.lend(head.root, head.data, root)
        yield root


def keep_subject(
    setting: Setting, base: Project, made: Toolchain, own: Toolchain
) -> Path:
    """Keep what was built in a tree, for `subject` to find; `own` is the
    base's toolchain, `made` that of head.  Returns where it is."""
    built = base.subject_path(setting.options.flavour)
    key = _subject_key(setting, made)
    return cache.save_subject(setting.project, key, built, own)


def _subject_key(setting: Setting, made: Toolchain) -> str:
    return cache.subject_key(
        digest(setting), made, setting.options, setting.project
    )


def digest(setting: Setting) -> str:
    """What identifies everything in the base."""
    return setting.repository.says(
        "rev-parse", f"{setting.base.commit}^{{tree}}"
    )


def _made_by_us(project: Project, flavour: str) -> list[str]:
    """What a run leaves in a project, which may not ignore it: no reason
    to call its working tree changed."""
    subject = project.subject_path(flavour).relative_to(project.root)
    return [str(path) for path in (subject, *OURS)]
