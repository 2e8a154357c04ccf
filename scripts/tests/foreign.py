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

# The same in parts, of which `plumb prove` may break one at a time.
PARTS_FLAGS = (
    "-O1 -g -fPIC -fvisibility=hidden -fno-ipa-ra -fno-align-functions"
)
PARTS_PROVE = """
[prove]
files = ["lib/*.c"]
flavour = "plain"
build = ["sh", "mutant.sh", "{file}", "{flags}"]
subject = "out/mutant.so"
"""
PARTS_BUILD = """
set -eu
mkdir -p "$1"
for f in lib/*.c cases.c; do
    gcc {flags} -I '{harness}' -c "$f" -o "$1/$(basename "$f" .c).o"
done
gcc -shared -Wl,-z,now -o "$1/suite.so" "$1"/*.o
"""
PARTS_MUTANT = """
set -eu
rm -rf out/mutant; cp -r out/plain out/mutant; rm out/mutant/suite.so
gcc {flags} $2 -I '{harness}' -c "$1" -o "out/mutant/$(basename "$1" .c).o"
gcc {flags} -c '{harness}/mutant/alloc_on_entry.c' -o out/mutant/entry.o
gcc -shared -Wl,-z,now -o out/mutant.so out/mutant/*.o
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


def make_parts(root: Path, source: str, **parts: str) -> Project:
    """Like make, with more source files, lib/NAME.c each, that may be
    broken one at a time."""
    made = make(root, source)
    (root / "lib").mkdir()
    for name, text in parts.items():
        (root / "lib" / f"{name}.c").write_text(text)
    harness = project.HOME / "cases" / "harness"
    for script, text in (
        ("build.sh", PARTS_BUILD), ("mutant.sh", PARTS_MUTANT)
    ):
        (root / script).write_text(
            text.format(flags=PARTS_FLAGS, harness=harness)
        )
    made.file.write_text(made.file.read_text() + PARTS_PROVE)
    return project.load(root)


def options(**changes: object) -> measure.Options:
    """What `plumb run` takes by default, on two cores."""
    given = {"flavour": "release", "jobs": 2} | changes
    return measure.Options(**given)  # type: ignore[arg-type]
