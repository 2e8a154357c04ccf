"""Starts an instrument: the same surroundings on every machine and run.

What a program can see besides its input moves its counts: the
environment, its arguments, where it and its stack lie.  So instruments
get an empty environment, no address randomisation, and arguments that
never change; what to do comes on standard input, as a plan.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plumblib import process
from plumblib.errors import NotMeasured, UsageError
from plumblib.records import CaseInfo, Claim

# Under valgrind each iteration of `rep movsb` counts, and the host's
# processor and caches decide whether, and from which size on, libc uses it
# or copies past the caches.
TUNABLES = ":".join(
    (
        "glibc.cpu.x86_rep_movsb_threshold=0x7fffffff",
        "glibc.cpu.x86_rep_stosb_threshold=0x7fffffff",
        "glibc.cpu.x86_data_cache_size=0x8000",
        "glibc.cpu.x86_shared_cache_size=0x100000",
        "glibc.cpu.x86_non_temporal_threshold=0xc0000",
        "glibc.malloc.arena_max=1",
    )
)


@dataclass(frozen=True)
class Plan:
    """What an instrument is asked to do."""

    subject: Path
    root: Path  # where cases find their files
    cases: tuple[str, ...]
    jobs: int = 1
    timeout: int = 60  # seconds for one case
    seed: int = 0
    scale: int = 1  # multiplies the operations of each block
    brief: bool = False  # blocks of one period, for many runs
    perturb: tuple[tuple[str, int], ...] = ()  # keys of the plan, see plan.h

    def text(self) -> str:
        """The lines that an instrument reads.  Raises UsageError for a
        path that is none of one line."""
        for path in (self.subject, self.root):
            if "\n" in str(path):
                raise UsageError(f"{str(path)!r}: has a line break in it")
        lines = [
            *(f"{key} {value}" for key, value in self.perturb),
            f"subject {self.subject}",
            f"root {self.root}",
            f"jobs {self.jobs}",
            f"timeout {self.timeout}",
            f"seed {self.seed}",
            f"scale {self.scale}",
            f"brief {int(self.brief)}",
            *(f"case {case}" for case in self.cases),
        ]
        return "\n".join(lines) + "\n"

    @property
    def limit(self) -> float:
        """Seconds after which the instrument itself must have hung: it
        ends each case in time when it is well."""
        rounds = -(-len(self.cases) // self.jobs) + 1
        return 60.0 + self.timeout * rounds


@dataclass(frozen=True)
class Surroundings:
    """What an instrument can see besides its plan.  Always the default,
    but for `plumb audit`, which shows that it does not matter."""

    env: tuple[str, ...] = ()  # more variables, as NAME=value
    args: tuple[str, ...] = ()
    folder: Path | None = None  # where it runs; None: where it lies
    prefix: str = "./"  # before its name, so that argv[0] differs
    aslr: bool = False


@dataclass(frozen=True)
class Catalogue:
    """What a subject declares."""

    cases: tuple[CaseInfo, ...]
    claims: tuple[Claim, ...]
    suites: tuple[str, ...]
    libraries: tuple[str, ...] = ()  # that are loaded with it


def catalogue(folder: Path, subject: Path) -> Catalogue:
    """Ask a subject for its cases.  Raises UsageError with the message
    of plumb-probe when the subject is malformed."""
    done = process.run(
        [folder / "plumb-probe", "--list", subject], check=False
    )
    if done.code != 0:
        raise UsageError(done.stderr.strip() or _ended("plumb-probe", done))
    told = parse_line("plumb-probe --list", done.stdout)
    suites = told["suites"]
    return Catalogue(
        cases=tuple(
            CaseInfo(
                id=case["id"],
                suite=suite["name"],
                about=case["about"],
                tags=tuple(case["tags"]),
                iters=case["iters"],
                period=case["period"],
                bytes=case["bytes"],
            )
            for suite in suites
            for case in suite["cases"]
        ),
        claims=tuple(
            Claim(**claim) for suite in suites for claim in suite["claims"]
        ),
        suites=tuple(suite["name"] for suite in suites),
        libraries=tuple(told["libraries"]),
    )


def carry_out(
    name: str,
    folder: Path,
    plan: Plan,
    on_case: Callable[[dict[str, Any]], None],
    *,
    under: Sequence[str] = (),
    settings: Sequence[str] = (),
    around: Surroundings = Surroundings(),
) -> process.Result:
    """Run `folder/name` on a plan; `on_case` gets each line it prints.

    `under` is a program to run it with, `settings` more environment.
    Raises UsageError for a plan or subject that it refused.  Other ends
    are the caller's to judge: a case without a line was not measured.
    """

    def on_line(line: str) -> None:
        on_case(parse_line(name, line))

    done = process.run(
        [
            *(() if around.aslr else ("setarch", "-R")),
            *("setpriv", "--pdeathsig", "KILL"),
            *("env", "-i", "LC_ALL=C", f"GLIBC_TUNABLES={TUNABLES}"),
            *settings,
            *around.env,
            *under,
            f"{around.prefix}{name}",
            *around.args,
        ],
        cwd=around.folder or folder,
        stdin=plan.text(),
        timeout=plan.limit,
        check=False,
        on_line=on_line,
    )
    if done.code == 2:
        raise UsageError(done.stderr.strip() or _ended(name, done))
    return done


def not_reached(name: str, done: process.Result) -> str:
    """Why a case has no line: the failure text of such a case."""
    told = done.stderr.strip().splitlines()
    return f"{_ended(name, done)} before this case" + (
        f": {told[-1]}" if told else ""
    )


def parse_line(name: str, line: str) -> dict[str, Any]:
    """One JSON object of an instrument's output."""
    try:
        value = json.loads(line)
    except ValueError as error:
        raise NotMeasured(f"{name} printed no JSON: {line[:200]!r}") from error
    if not isinstance(value, dict):
        raise NotMeasured(f"{name} printed no object: {line[:200]!r}")
    return value


def _ended(name: str, done: process.Result) -> str:
    return f"{name} {process.how_it_ended(done.code)}"
