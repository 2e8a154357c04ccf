"""Build tiny subjects from C text, and run the instruments on them."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
BIN = ROOT / "build" / "release" / "bin"
CLEAN_ENV = {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}

PRELUDE = """
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "harness/bench.h"
"""

RUN_NOTHING = ("__attribute__((unused)) static uint64_t nothing(void *s) "
               "{ (void)s; return 1; }\n")
ROW = '{.id = "t/a/b", .iters = 10, .run = nothing}'


def row(**members: str) -> str:
    given = {"id": '"t/a/b"', "iters": "10", "run": "nothing"} | members
    return "{" + ", ".join(f".{k} = {v}" for k, v in given.items()) + "}"


class Subjects:
    """Makes shared objects in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def build(self, text: str, name: str = "suite.so", *flags: str,
              compiler: str = "gcc", prelude: str = PRELUDE) -> Path:
        suffix = ".cc" if compiler == "g++" else ".c"
        source = self.folder / (name + suffix)
        source.write_text(prelude + text)
        out = self.folder / name
        subprocess.run(
            [compiler, "-O1", "-g", "-Wall", "-Wextra", "-Werror",
             "-Wno-missing-field-initializers", "-fPIC",
             "-fvisibility=hidden", "-shared", "-I", ROOT / "cases",
             *flags, source, "-o", out], check=True)
        return out

    def suite(self, rows: str, body: str = "", **options: str) -> Path:
        """A suite `t` whose cases are the given initialisers."""
        return self.build(
            f"{body}\nstatic const struct bench_case cases[] = {{{rows}}};\n"
            'static const struct bench_suite s = BENCH_SUITE("t", cases);\n'
            "BENCH_SUBJECT(&s);\n", **options)


@pytest.fixture
def subjects(tmp_path: Path) -> Subjects:
    return Subjects(tmp_path)


def probe_list(subject: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([BIN / "plumb-probe", "--list", subject],
                          capture_output=True, text=True, env=CLEAN_ENV)


def plan_of(subject: Path, cases: list[str], **settings: object) -> str:
    lines = [f"{key} {value}" for key, value in settings.items()]
    lines += [f"subject {subject}", f"root {ROOT}"]
    return "\n".join(lines + [f"case {case}" for case in cases]) + "\n"


def rows_of(text: str) -> dict[str, dict]:
    rows = [json.loads(line) for line in text.splitlines()]
    return {row["case"]: row for row in rows}


def probe(subject: Path, cases: list[str], **settings: object) -> dict:
    done = subprocess.run(
        ["setarch", "-R", "./plumb-probe"],
        input=plan_of(subject, cases, **settings),
        capture_output=True, text=True, cwd=BIN,
        env=CLEAN_ENV | {"LD_PRELOAD": "./plumb-heap.so"})
    assert done.returncode == 0, done.stderr
    return rows_of(done.stdout)


def count(subject: Path, cases: list[str], folder: Path,
          **settings: object) -> dict[str, dict]:
    """Rows of plumb-count, each with `ir`: the totals of its dumps."""
    done = subprocess.run(
        ["valgrind", "--command-line-only=yes", "--tool=callgrind",
         "--quiet", "--vgdb=no", "--skip-plt=no", "--instr-atstart=no",
         f"--callgrind-out-file={folder}/c.%p",
         f"--log-file={folder}/log.%p", "./plumb-count"],
        input=plan_of(subject, cases, **settings), capture_output=True,
        text=True, cwd=BIN, env=CLEAN_ENV)
    assert done.returncode == 0, done.stderr
    rows = rows_of(done.stdout)
    for row in rows.values():
        row["ir"] = [total_of(folder / f"c.{row['pid']}.{part}")
                     for part in range(1, 6)]
    return rows


def total_of(dump: Path) -> int | None:
    if not dump.exists():
        return None
    for line in dump.read_text().splitlines():
        if line.startswith("totals:"):
            return int(line.split()[1])
    return None


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
