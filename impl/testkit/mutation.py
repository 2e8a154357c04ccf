"""Mutation checks: each known fault, put into a copy, must fail a test.

A module lists its mutants and calls check().  A mutant that no test sees, one
that does not compile, and one whose text is no longer in its file are all
failures: the list can neither rot nor pass by accident.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEST_SECONDS = 30  # a walk that never ends is seen too
CC = ["gcc", "-std=gnu11", "-D_GNU_SOURCE", "-O1", "-g", "-Iimpl", "-w"]
LIBRARIES = ["-lcmocka", "-ljson-c", "-lpthread"]


@dataclass(frozen=True)
class Mutant:
    """One fault: in `file`, `old`, which is there once, becomes `new`."""

    about: str
    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Suite:
    """What is built: sources that mutants change, sources that they do not,
    and the tests, the quickest to see a fault first."""

    changing: tuple[str, ...]
    fixed: tuple[str, ...]
    tests: tuple[str, ...]


class Stale(Exception):
    """A mutant says nothing: why."""


def object_of(folder: Path, source: str) -> Path:
    return folder / (source.replace("/", "+") + ".o")


def build(tree: Path, source: str, folder: Path) -> Path:
    """Compile one source of a tree into a folder; raises Stale."""
    target = object_of(folder, source)
    done = subprocess.run([*CC, "-c", "-o", str(target), source], cwd=tree,
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise Stale(f"does not compile:\n{done.stderr}")
    return target


def first_red(objects: list[Path], tests: list[Path], tree: Path,
              folder: Path) -> str | None:
    """Link and run the tests until one fails; its name, or None."""
    for test in tests:
        program = folder / (test.stem + ".run")
        subprocess.run(["gcc", "-o", str(program), str(test),
                        *map(str, objects), *LIBRARIES], check=True)
        try:
            done = subprocess.run([str(program)], cwd=tree,
                                  stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL,
                                  timeout=TEST_SECONDS)
        except subprocess.TimeoutExpired:
            return f"{test.stem} (no end)"
        if done.returncode != 0:
            return test.stem
        program.unlink()
    return None


class Bench:
    """A scratch folder with everything built that mutants leave alone."""

    def __init__(self, suite: Suite, scratch: Path, pool: ThreadPoolExecutor):
        self.suite = suite
        self.scratch = scratch
        self.folder = scratch / "sound"
        self.folder.mkdir()
        kept = list(pool.map(self.build_sound, (*suite.fixed, *suite.tests)))
        self.fixed = kept[:len(suite.fixed)]
        self.tests = kept[len(suite.fixed):]

    def build_sound(self, source: str) -> Path:
        return build(ROOT, source, self.folder)

    def run(self, number: int, mutant: Mutant | None) -> str | None:
        """The test that a mutant fails, or None; raises Stale."""
        tree = self.scratch / str(number)
        shutil.copytree(ROOT / "impl", tree / "impl",
                        ignore=shutil.ignore_patterns("*.py", "corpus",
                                                      "__pycache__"))
        try:
            if mutant is not None:
                change(tree / mutant.file, mutant)
            folder = tree / "objects"
            folder.mkdir()
            objects = [build(tree, source, folder)
                       for source in self.suite.changing]
            return first_red(objects + self.fixed, self.tests, tree, folder)
        finally:
            shutil.rmtree(tree)


def change(path: Path, mutant: Mutant) -> None:
    """Put a fault into a file; raises Stale."""
    text = path.read_text(encoding="utf-8")
    count = text.count(mutant.old)
    if count != 1:
        raise Stale(f"{mutant.old!r} is {count} times in {mutant.file}")
    path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")


def judge(bench: Bench, number: int, mutant: Mutant) -> bool:
    """Run one mutant and print what became of it."""
    place = Path(mutant.file).name
    try:
        red = bench.run(number, mutant)
    except Stale as why:
        print(f"STALE     {place}: {mutant.about}: {why}", flush=True)
        return False
    if red is None:
        print(f"SURVIVED  {place}: {mutant.about}", flush=True)
        return False
    test = red.removesuffix(".c").rpartition("+")[2]
    print(f"seen      {place}: {mutant.about}: {test}", flush=True)
    return True


def check(suite: Suite, mutants: list[Mutant]) -> int:
    """Run every mutant; 0 when the tests see all of them, else 1."""
    with tempfile.TemporaryDirectory(prefix="mutation-") as scratch, \
            ThreadPoolExecutor(os.cpu_count()) as pool:
        bench = Bench(suite, Path(scratch), pool)
        red = bench.run(0, None)
        if red is not None:
            print(f"the tests fail without any fault: {red}", file=sys.stderr)
            return 1
        seen = list(pool.map(lambda item: judge(bench, *item),
                             enumerate(mutants, start=1)))
    print(f"{sum(seen)} of {len(seen)} faults seen")
    return 0 if all(seen) else 1
