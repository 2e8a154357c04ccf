"""Collects what of this machine has a bearing on measuring.

Each check is one line: whether it is well, what was found, and what to
do where it is not.  Nothing is changed.
"""

from __future__ import annotations

import platform
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from plumblib import instrument, process, project, toolchain
from plumblib.errors import PlumbError

PACKAGES = Path(__file__).resolve().parents[1] / "packages.txt"
INSTALL = "apt-get install --no-install-recommends"


@dataclass(frozen=True)
class Check:
    """One thing that was looked at; `advice` where it is not well."""

    name: str
    well: bool
    found: str
    advice: str = ""


def examine(root: Path | None) -> list[Check]:
    """All checks, in the order in which they help."""
    checks = (
        _packages,
        _valgrind,
        _surroundings,
        _processor,
        lambda: _project(root),
        lambda: _history(root),
    )
    return [found for check in checks for found in check()]


def wanted_packages() -> dict[str, str]:
    """The packages of packages.txt, with what each is for."""
    lines = PACKAGES.read_text(encoding="utf-8").splitlines()
    pairs = [line.split(maxsplit=1) for line in lines if line[:1] not in "# "]
    return {name: purpose for name, purpose in pairs}


def missing_packages() -> list[str]:
    """Those of them that are not installed."""
    wanted = wanted_packages()
    told = process.run(
        ["dpkg-query", "-W", "-f", "${db:Status-Status} ${Package}\\n"]
        + list(wanted),
        check=False,
    ).stdout
    have = {
        line.removeprefix("installed ")
        for line in told.splitlines()
        if line.startswith("installed ")
    }
    return [name for name in wanted if name not in have]


def _packages() -> Iterator[Check]:
    if not PACKAGES.is_file():
        return  # an installed plumb: `make install` saw to them
    if shutil.which("dpkg-query") is None:
        yield Check("packages", True, "not checked: no Debian system")
        return
    wanted, missing = wanted_packages(), missing_packages()
    for name in missing:
        yield Check(f"package {name}", False, f"missing: {wanted[name]}")
    if missing:
        advice = f"make setup, or: {INSTALL} {' '.join(missing)}"
        found = f"{len(missing)} of {len(wanted)} are missing"
        yield Check("packages", False, found, advice)
    else:
        yield Check("packages", True, f"all {len(wanted)} are installed")


def _valgrind() -> Iterator[Check]:
    try:
        path, version = toolchain.find_valgrind()
    except PlumbError as error:
        yield Check("valgrind", False, str(error), f"{INSTALL} valgrind")
        return
    yield Check("valgrind", True, f"{version}, {path}")
    trial = [path, "--tool=callgrind", "-q", "--callgrind-out-file=/dev/null"]
    yield _works("callgrind", [*trial, "true"], "starts", "see its message")


def _surroundings() -> Iterator[Check]:
    yield _works(
        "address layout",
        ["setarch", "-R", "true"],
        "randomisation can be turned off",
        "a container needs the system call personality:"
        " docker run --security-opt seccomp=unconfined",
    )
    yield _works(
        "parent-death signal",
        ["setpriv", "--pdeathsig", "KILL", "true"],
        "works",
        f"{INSTALL} util-linux",
    )


def _works(
    name: str, argv: list[str | Path], good: str, advice: str
) -> Check:
    try:
        process.run(argv, timeout=30)
    except process.ToolError as error:
        return Check(name, False, str(error), advice)
    return Check(name, True, good)


def _processor() -> Iterator[Check]:
    """What programs see of the processor under valgrind: libraries choose
    code by it, so absolute counts hold where these are equal."""
    yield Check("platform", True, toolchain.platform_key("release"))
    loader = Path("/lib64/ld-linux-x86-64.so.2")
    if platform.machine() != "x86_64" or not loader.exists():
        return
    argv = ["valgrind", "-q", "--tool=none", loader, "--list-diagnostics"]
    # as an instrument sees it
    env = process.environment(GLIBC_TUNABLES=instrument.TUNABLES)
    try:
        told = process.run(argv, env=env, timeout=30).stdout
    except process.ToolError as error:
        yield Check("processor", False, str(error))
        return
    seen = dict(re.findall(r"^x86\.cpu_features\.(\S+?)=(\S+)$", told, re.M))
    bits = " ".join(
        f"{int(value, 16):x}"
        for name, value in seen.items()
        if re.fullmatch(r"features\[\w+\]\.active\[\w+\]", name)
        and int(value, 16)
    )
    yield Check(
        "processor under valgrind",
        True,
        f"family {seen.get('basic.family')}, model"
        f" {seen.get('basic.model')}, isa {seen.get('isa_1')},"
        f" active feature bits {bits}",
    )
    yield Check(
        "large copies under valgrind",
        True,
        "memcpy changes its way at"
        f" {int(seen.get('non_temporal_threshold', '0'), 16):,} bytes",
    )


def _project(root: Path | None) -> Iterator[Check]:
    try:
        here = project.load(root)
        tools = project.instruments()
    except PlumbError as error:
        yield Check("project", False, str(error))
        return
    yield Check("project", True, f"{here.name}, {here.file}")
    yield Check("instruments", True, str(tools.folder))
    yield from _data(here)


def _data(here: project.Project) -> Iterator[Check]:
    """What is in no commit: folders with data, and the program that brings
    those of npm."""
    lacking = [name for name in here.data if not (here.root / name).is_dir()]
    for name in lacking:
        yield Check(
            f"data {name}",
            False,
            "missing; builds or cases depend on it",
            "the project's own step brings it: make setup",
        )
    if (here.root / "package-lock.json").is_file():
        found = shutil.which("npm")
        yield Check(
            "npm",
            found is not None or not lacking,
            found or "missing; package-lock.json is for it",
            "" if found else f"make setup, or: {INSTALL} nodejs npm",
        )


def _history(root: Path | None) -> Iterator[Check]:
    """A shallow clone can name a wrong merge base."""
    where = root or Path.cwd()
    try:
        told = process.run(
            ["git", "rev-parse", "--is-shallow-repository"],
            cwd=where,
            env=process.environment("GIT_"),
            check=False,
        )
    except process.ToolError as error:
        yield Check("git", False, str(error))
        return
    if told.code != 0:
        yield Check("git", True, f"{where} is in no repository")
    elif told.stdout.strip() == "true":
        yield Check(
            "git", False, "this clone is shallow", "git fetch --unshallow"
        )
    else:
        yield Check("git", True, "the history is complete")
