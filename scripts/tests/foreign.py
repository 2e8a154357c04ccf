"""A project of one C file of cases, made for a test, measured for real."""

from __future__ import annotations

from pathlib import Path

from plumblib import measure, project
from plumblib.project import Project

PLUMB_TOML = """\
[project]
name = "foreign"

[subject]
file = "out/{{flavour}}/suite.so"
build = ["sh", "build.sh", "out/{{flavour}}"]
timeout = {timeout}
"""

BUILD = """\
mkdir -p "$1" && gcc -O2 -g -fPIC -shared -Wl,-z,now -I '{harness}' \\
    -o "$1/suite.so" cases.c
"""

TABLE = """
static const struct bench_suite demo = BENCH_SUITE("demo", cases);
BENCH_SUBJECT(&demo);
"""


def make(root: Path, source: str, timeout: int = 20) -> Project:
    """Write the project: `source` defines the array `cases` of a suite
    named demo."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "cases.c").write_text(f'#include "bench.h"\n{source}{TABLE}')
    harness = project.HOME / "cases" / "harness"
    (root / "build.sh").write_text(BUILD.format(harness=harness))
    (root / "plumb.toml").write_text(PLUMB_TOML.format(timeout=timeout))
    return project.load(root)


def options(**changes: object) -> measure.Options:
    """What `plumb run` takes by default, on two cores."""
    given = {"flavour": "release", "jobs": 2} | changes
    return measure.Options(**given)  # type: ignore[arg-type]
