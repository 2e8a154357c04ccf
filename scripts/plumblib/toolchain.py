"""Collects what must be equal for absolute budgets to be comparable."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from plumblib import files, process
from plumblib.errors import NotMeasured, UsageError
from plumblib.options import DEFAULT_FLAVOUR
from plumblib.project import Project
from plumblib.records import Toolchain

VALGRIND_LEAST = (3, 19)


def find_valgrind() -> tuple[Path, str]:
    """The valgrind on PATH and its version.

    Raises NotMeasured when there is none or it is too old.
    """
    least = ".".join(str(part) for part in VALGRIND_LEAST)
    found = shutil.which("valgrind")
    if found is None:
        raise NotMeasured(
            f"valgrind: not found, version {least} or later is needed;"
            " `plumb doctor` says how to install it"
        )
    text = _version_of(found)
    match = re.match(r"valgrind-(\d+)\.(\d+)(\S*)", text)
    if match is None:
        raise NotMeasured(f"{found} --version: not understood: {text!r}")
    if (int(match[1]), int(match[2])) < VALGRIND_LEAST:
        raise NotMeasured(
            f"{found} is version {text.removeprefix('valgrind-')},"
            f" {least} or later is needed"
        )
    return Path(found), text.removeprefix("valgrind-")


@lru_cache(maxsize=None)
def _version_of(program: str) -> str:
    return process.run([program, "--version"]).stdout.strip()


def detect(
    project: Project,
    flavour: str,
    valgrind: str,
    objects: Iterable[Path] = (),
) -> Toolchain:
    """The toolchain of a built project.

    `objects` are the shared objects outside the project in which its
    cases spent instructions.
    """
    compiler, flags = _compiler(project, flavour)
    return Toolchain(
        platform=platform_key(flavour),
        compiler=compiler,
        flags=flags,
        libc=_libc(),
        valgrind=valgrind,
        objects={path.name: build_id(path) for path in objects},
    )


def platform_key(flavour: str) -> str:
    """The folder of the baselines: arch-os-libc, plus the flavour."""
    key = "-".join(
        (
            platform.machine(),
            platform.system().lower(),
            _libc().partition(" ")[0],
        )
    )
    return key if flavour == DEFAULT_FLAVOUR else f"{key}-{flavour}"


def build_id(path: Path) -> str:
    """What identifies the bytes of a shared object: its build-id, or the
    digest of the file where the linker wrote none."""
    told = process.run(
        ["readelf", "-n", path], env=process.environment(LC_ALL="C")
    ).stdout
    match = re.search(r"Build ID: ([0-9a-f]+)", told)
    if match is not None:
        return match[1]
    with path.open("rb") as file:
        return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"


def _compiler(project: Project, flavour: str) -> tuple[str, str]:
    """Version line and flags: as the build says, else as the compiler
    left them in the subject."""
    if not project.toolchain.words:
        return _comment(project.subject_path(flavour)), ""
    argv = project.toolchain.argv(flavour, 1)
    where = f"{project.file}: subject.toolchain: {process.shown(argv)}"
    told = process.run(
        argv, cwd=project.root, env=process.environment("MAKE")
    ).stdout
    said = files.parse_json(told, where)
    if not isinstance(said, dict) or not all(
        isinstance(said.get(key), str) for key in ("compiler", "flags")
    ):
        raise UsageError(
            f"{where}: expected an object with the strings compiler and"
            f" flags, found {told.strip()!r}"
        )
    return said["compiler"], said["flags"]


def _comment(subject: Path) -> str:
    """The compilers named in an object's .comment section."""
    told = process.run(
        ["readelf", "-p", ".comment", subject],
        env=process.environment(LC_ALL="C"),
    ).stdout
    return "; ".join(re.findall(r"^\s*\[\s*[0-9a-f]+\]\s+(.+)$", told, re.M))


def _libc() -> str:
    """For example "glibc 2.36"."""
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") or "libc"
    except ValueError:
        return "libc"
