"""What was measured before and need not be measured again.

A key holds everything that a measurement depends on and that is known
before: the tree or the built subject, the toolchain, the processor, the
instruments and this package, the options.  The files that cases read are
known afterwards; their names are kept under that key, and the measurement
under one that holds their bytes too.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from plumblib import codec, files
from plumblib.errors import UsageError
from plumblib.measure import Options
from plumblib.project import Instruments, Project
from plumblib.records import Measurement, Toolchain

FOLDER = Path("build") / "cache"
KEPT_SECONDS = 30 * 24 * 3600
_SUBJECT = "suite.so"
_TOOLCHAIN = "toolchain.json"

# Variables that builds commonly read.
_BUILD_VARIABLES = (
    "AR", "CC", "CFLAGS", "CPPFLAGS", "CXX", "CXXFLAGS", "LDFLAGS", "PATH",
)


def instrument_digest(tools: Instruments) -> str:
    """What measures: the programs, and the modules that read them."""
    package = Path(__file__).resolve().parent
    programs = [path for path in tools.folder.iterdir() if path.is_file()]
    return _digest(
        f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}"
        for path in sorted([*programs, *package.glob("*.py")])
    )


def base_key(
    tree: str,
    head: Measurement,
    tools: Instruments,
    options: Options,
    project: Project,
) -> str:
    """The key of a base measured for this head, which was just measured
    here with the same toolchain, instruments and data."""
    return _digest(
        (
            f"tree {tree} {project.name}",
            f"toolchain {codec.encode(head.toolchain)}",
            f"instruments {instrument_digest(tools)}",
            f"processor {_processor()}",
            _options(options),
            *(f"{name}={os.environ.get(name)}" for name in _BUILD_VARIABLES),
            *data_files(project),
        )
    )


def head_key(
    surroundings: Iterable[str], tools: Instruments, options: Options
) -> str:
    """The key of a measurement of a subject that is built; all else it
    depends on is in `surroundings`."""
    return _digest(
        (
            *surroundings,
            f"instruments {instrument_digest(tools)}",
            f"processor {_processor()}",
            _options(options),
        )
    )


def subject_key(
    tree: str, made: Toolchain, options: Options, project: Project
) -> str:
    """The key of a base's subject, built here with a head's toolchain."""
    return _digest(
        (
            f"subject {tree} {project.name} {options.flavour}",
            f"toolchain {codec.encode(replace(made, objects={}))}",
            *(f"{name}={os.environ.get(name)}" for name in _BUILD_VARIABLES),
        )
    )


def subject(project: Project, key: str) -> tuple[Path, Toolchain] | None:
    """A shared object that was kept, and with what it was built."""
    folder = project.root / FOLDER / f"subject-{key}"
    if not (folder / _TOOLCHAIN).is_file():
        return None
    os.utime(folder)
    made = codec.load(folder / _TOOLCHAIN, Toolchain)
    return folder / _SUBJECT, made


def save_subject(
    project: Project, key: str, built: Path, made: Toolchain
) -> Path:
    """Keep a shared object; returns where.  The toolchain is written
    last: without it there is nothing kept."""
    folder = project.root / FOLDER / f"subject-{key}"
    files.write_bytes(folder / _SUBJECT, built.read_bytes())
    codec.save(folder / _TOOLCHAIN, made)
    return folder / _SUBJECT


def load(project: Project, key: str) -> Measurement | None:
    """A measurement kept under this key, if it is whole and the files that
    its cases read are as they were."""
    names = _names_path(project, key)
    if not names.is_file():
        return None
    read = [name for name in files.read_text(names).split("\0") if name]
    path = _measured_path(project, _with_files(key, project, read))
    if not path.is_file():
        return None
    try:
        found = codec.load(path, Measurement)
    except UsageError:
        path.unlink()
        return None
    os.utime(names)
    os.utime(path)
    return found


def save(project: Project, key: str, measured: Measurement) -> None:
    """Keep a measurement, unless a case failed: that may have been the
    machine.  The caller has held the lock since before it was made."""
    if any(case.failure is not None for case in measured.cases.values()):
        return
    read = sorted({n for case in measured.cases.values() for n in case.files})
    path = _measured_path(project, _with_files(key, project, read))
    codec.save(path, measured)
    files.write_text(_names_path(project, key), "\0".join(read))
    _remove_old(project)


def _with_files(key: str, project: Project, names: Iterable[str]) -> str:
    """The key, with the bytes of these files below the project's root.
    Both sides of a comparison read head's."""
    return _digest(
        (key, *(f"{name} {_bytes_of(project.root / name)}" for name in names))
    )


def _bytes_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return f"none: {error.strerror}"


def _remove_old(project: Project) -> None:
    """Remove what was not used for long."""
    limit = time.time() - KEPT_SECONDS
    for path in (project.root / FOLDER).iterdir():
        if path.stat().st_mtime < limit:
            files.remove(path)


def floor(project: Project, made: Toolchain, tools: Instruments) -> str:
    """What the last A/A run on this toolchain found, in words."""
    path = _floor_path(project, made, tools)
    if not path.is_file():
        return ""
    return files.read_text(path).strip()


def save_floor(
    project: Project, made: Toolchain, tools: Instruments, found: str
) -> None:
    """Keep the sentence that later reports state."""
    files.write_text(_floor_path(project, made, tools), f"{found}\n")


def _floor_path(project: Project, made: Toolchain, tools: Instruments) -> Path:
    # whichever libraries the measured cases happen to use
    made = replace(made, objects={})
    key = _digest((str(codec.encode(made)), instrument_digest(tools)))
    return project.root / FOLDER / f"floor-{key}.txt"


def _measured_path(project: Project, key: str) -> Path:
    return project.root / FOLDER / f"measured-{key}.json"


def _names_path(project: Project, key: str) -> Path:
    return project.root / FOLDER / f"files-{key}.txt"


def _processor() -> str:
    """What libraries choose their code by: a cache may have been made on
    another machine."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").split("\n")
    except OSError:
        return ""
    wanted = ("vendor_id", "cpu family", "model", "flags", "Features")
    return "\n".join(
        sorted({line for line in lines if line.startswith(wanted)})
    )


def _options(options: Options) -> str:
    pattern = options.pattern.pattern if options.pattern else None
    return f"options {options.flavour} {pattern!r} {options.slow}"


def data_files(project: Project) -> list[str]:
    """Name, size and time of each file in the folders that plumb.toml
    names because builds or cases depend on them."""
    found = []
    for folder in project.data:
        for path in sorted((project.root / folder).rglob("*")):
            about = path.lstat()
            found.append(f"{path} {about.st_size} {about.st_mtime_ns}")
    return found


def _digest(parts: Iterable[str]) -> str:
    text = "\0".join(parts)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
