"""What `plumb.toml` says: how to build a subject, and what judges it.

The keys are documented in scripts/README.md.  Nothing here knows a
project by name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from plumblib import records, toml_file
from plumblib.errors import UsageError
from plumblib.toml_file import Table

FILE_NAME = "plumb.toml"
DEFAULT_TIMEOUT = 60  # seconds a case may take in one instrument
MOST_TIMEOUT = 100_000  # what the instruments' plan takes

# What plumb makes in a checkout for itself: locks and run folders,
# checkouts of a base, and what was measured of one.  No difference from
# the commit, and `plumb gc` empties them.
WORK = Path("build") / "plumb"
OURS = (WORK, Path("build") / "worktrees", Path("build") / "cache")

# The project that brings its own instruments: the one this file is in.
HOME = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Command:
    """An argument list in which {flavour} and {jobs} are replaced.  Run in
    the project's root; empty where there is nothing to run."""

    words: tuple[str, ...]

    def argv(
        self, flavour: str, jobs: int, **places: str
    ) -> list[str]:
        filled = {"flavour": flavour, "jobs": str(jobs)} | places
        words = list(self.words)
        for name, value in filled.items():
            words = [word.replace(f"{{{name}}}", value) for word in words]
        return words


@dataclass(frozen=True)
class Prove:
    """How `plumb prove` breaks one source file at a time."""

    files: tuple[str, ...]  # globs below the root
    flavour: str  # of the plain side
    build: Command  # {file}, {flags} and {slot} are replaced too
    subject: str  # what it makes, below the root; may have {slot}

    @property
    def side_by_side(self) -> bool:
        """Whether several mutants can be there at once."""
        return "{slot}" in self.subject


@dataclass(frozen=True)
class Project:
    """A checkout that has a plumb.toml.  All paths are below `root`."""

    root: Path
    name: str
    subject: str  # template of the path of the shared object
    build: Command
    toolchain: Command
    suites: tuple[str, ...]  # that must be there; empty: any
    data: tuple[str, ...]  # folders outside git that results depend on
    timeout: int
    baselines: str
    gate_files: tuple[str, ...]  # a change of these is one of the judge
    limits: tuple[records.LimitRule, ...]
    prove: Prove | None = None  # where plumb.toml has the table

    @property
    def file(self) -> Path:
        return self.root / FILE_NAME

    def subject_path(self, flavour: str) -> Path:
        """The shared object that holds everything measured."""
        return self.root / self.subject.replace("{flavour}", flavour)


@dataclass(frozen=True)
class Instruments:
    """The programs that measure: where they lie and how to build them."""

    root: Path
    folder: Path
    build: Command


def find(start: Path) -> Path:
    """The nearest folder upwards that has a plumb.toml."""
    start = start.resolve()
    for folder in (start, *start.parents):
        if (folder / FILE_NAME).is_file():
            return folder
    raise UsageError(
        f"no {FILE_NAME} in {start} or a folder above it; it says how to"
        f" build a project's cases, see {HOME / 'scripts' / 'README.md'}"
    )


def load(root: Path | None = None) -> Project:
    """Read the project at `root`, or the one around the current folder.

    Raises UsageError with file, line, key and what was expected.
    """
    root = find(Path.cwd()) if root is None else root.resolve()
    top = toml_file.load(root / FILE_NAME)
    project = top.table("project")
    subject = top.table("subject")
    gate = top.table("gate")
    baselines = _path(gate, "baselines", "baselines")
    found = Project(
        root=root,
        name=project.text("name"),
        subject=_path(subject, "file", None, "{flavour}"),
        build=_command(subject, "build"),
        toolchain=_command(subject, "toolchain", ()),
        suites=subject.words("suites", ()),
        data=_paths(subject, "data", ()),
        timeout=subject.number("timeout", DEFAULT_TIMEOUT, 1, MOST_TIMEOUT),
        baselines=baselines,
        gate_files=_paths(gate, "files", (FILE_NAME, baselines)),
        limits=_limits(top),
        prove=_prove(top),
    )
    _instruments(top, root)
    for table in (project, subject, gate, top):
        table.finish()
    return found


def instruments() -> Instruments:
    """The instruments that belong to this plumb.

    They measure every project, and both sides of a comparison.
    """
    found = _instruments(toml_file.load(HOME / FILE_NAME), HOME)
    if found is None:
        raise UsageError(f"{HOME / FILE_NAME}: has no [instruments] table")
    return found


def _instruments(top: Table, root: Path) -> Instruments | None:
    table = top.table("instruments")
    if not top.has("instruments"):
        return None
    found = Instruments(
        root=root,
        folder=root / _path(table, "folder"),
        build=_command(table, "build", ()),
    )
    table.finish()
    return found


def _prove(top: Table) -> Prove | None:
    table = top.table("prove")
    if not top.has("prove"):
        return None
    subject = _path(table, "subject", None, "{slot}")
    found = Prove(
        files=_paths(table, "files", None),
        flavour=table.text("flavour"),
        build=_command(table, "build", None, "{file}", "{flags}", "{slot}"),
        subject=subject,
    )
    table.finish()
    return found


def _limits(top: Table) -> tuple[records.LimitRule, ...]:
    found: dict[tuple[str, str], records.LimitRule] = {}
    for table in top.tables("limits"):
        rule = _rule(table)
        if (rule.scope, rule.metric) in found:
            table.fail("scope", "has limits for this metric already")
        found[rule.scope, rule.metric] = rule
    return tuple(found.values())


def _rule(table: Table) -> records.LimitRule:
    known = [metric.name for metric in records.METRICS]
    scope = table.text("scope", "")
    metric = table.text("metric", "")
    if metric and metric not in known:
        table.fail("metric", f"expected one of {', '.join(known)}")
    warn = table.number("warn_ppm")
    fail = table.number("fail_ppm")
    if warn > fail:
        table.fail("warn_ppm", f"{warn} is above fail_ppm, {fail}")
    table.finish()
    return records.LimitRule(scope, metric, records.Limits(warn, fail))


def _command(
    table: Table,
    key: str,
    default: tuple[str, ...] | None = None,
    *places: str,
) -> Command:
    words = table.words(key, default)
    if not words and default is None:
        table.fail(key, "expected an argument list that is not empty")
    for word in words:
        _check_places(table, key, word, ("{flavour}", "{jobs}", *places))
    return Command(words)


def _paths(
    table: Table, key: str, default: tuple[str, ...] | None
) -> tuple[str, ...]:
    found = table.words(key, default)
    for path in found:
        _check_path(table, key, path)
    return found


def _path(
    table: Table, key: str, default: str | None = None, *places: str
) -> str:
    path = table.text(key, default)
    _check_path(table, key, path)
    _check_places(table, key, path, places)
    return path


def _check_path(table: Table, key: str, path: str) -> None:
    parts = PurePosixPath(path)
    if parts.is_absolute() or ".." in parts.parts:
        table.fail(
            key, f"expected a path below the project's root, found {path!r}"
        )


def _check_places(
    table: Table, key: str, text: str, known: tuple[str, ...]
) -> None:
    for place in re.findall(r"\{\w*\}", text):
        if place not in known:
            expected = " or ".join(known) or "no {} in it"
            table.fail(key, f"unknown {place}, expected {expected}")

