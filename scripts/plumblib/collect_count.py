"""Collects instructions: plumb-count under callgrind, dumps to figures."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from plumblib import callgrind, instrument
from plumblib.errors import NotMeasured
from plumblib.records import Figure

# Each block ends with a dump that bears its name: a warm-up, then 0, N,
# 2N and 4N operations.
BLOCKS = ("warm", "0", "1", "2", "4")
EMPTY = ""  # the id under which the empty operation is counted

# Every option that has a bearing on counts or output, none left to a
# default that another version may change; but not --simulate-wb,
# --simulate-hwpref and --cacheuse: naming one of them, were it to say `no`,
# switches the cache simulation of valgrind 3.19 on, and counts differ.
CALLGRIND = (
    "--command-line-only=yes",  # no ~/.valgrindrc, no VALGRIND_OPTS
    "--tool=callgrind",
    "--quiet",
    "--vgdb=no",
    "--trace-children=no",
    "--child-silent-after-fork=no",
    "--smc-check=all-non-file",
    "--dump-every-bb=0",
    "--demangle=yes",
    "--skip-plt=no",  # `yes` counts one too many a PLT call at first
    "--cache-sim=no",
    "--branch-sim=no",
    "--collect-bus=no",
    "--collect-systime=no",
    "--collect-jumps=no",
    "--collect-atstart=yes",
    "--instr-atstart=no",
    "--separate-threads=no",
    "--separate-callers=0",
    "--separate-recs=1",
    "--skip-direct-rec=no",
    "--combine-dumps=no",
    "--compress-strings=yes",
    "--compress-pos=yes",
    "--dump-line=yes",
)


@dataclass(frozen=True)
class Counted:
    """The instructions of one case; without a figure, `failure` says why.

    `profile` is that of the block of 4N operations, `ops` how many those
    are."""

    failure: str | None
    value: str = ""  # what the first operation returned, in hex
    figure: Figure | None = None
    profile: callgrind.Profile | None = None
    ops: int = 0

    @property
    def objects(self) -> tuple[str, ...]:
        """The files of all code that it ran."""
        return tuple(sorted(self.profile.objects())) if self.profile else ()


@dataclass(frozen=True)
class Line:
    """A straight line through the counts of the blocks of a case."""

    slope: Fraction
    residual: int


def collect(
    valgrind: Path,
    folder: Path,
    plan: instrument.Plan,
    dumps: Path,
    on_case: Callable[[str], None],
    options: tuple[str, ...] = ("--dump-instr=no",),
    around: instrument.Surroundings = instrument.Surroundings(),
) -> dict[str, Counted]:
    """Count every case of the plan.

    `folder` holds the instruments; dumps are written to the empty folder
    `dumps` and stay there.  `on_case` hears of each case as it ends.
    """
    empty: list[Line] = []
    found: dict[str, Counted] = {}

    def take(line: dict[str, Any]) -> None:
        case = line["case"]
        if case == EMPTY:
            empty.append(_empty_line(dumps, line))
            return
        found[case] = _counted(dumps, line, empty[0])
        on_case(case)

    done = instrument.carry_out(
        "plumb-count",
        folder,
        plan,
        take,
        under=(
            str(valgrind),
            *CALLGRIND,
            *options,
            f"--callgrind-out-file={_pattern(dumps)}/c.%p",
            f"--log-file={_pattern(dumps)}/log.%p",
        ),
        around=around,
    )
    if not empty:
        raise NotMeasured(instrument.not_reached("plumb-count", done))
    missing = Counted(instrument.not_reached("plumb-count", done))
    return {case: found.get(case, missing) for case in plan.cases}


def count(
    valgrind: Path,
    folder: Path,
    plan: instrument.Plan,
    scratch: Path,
    on_case: Callable[[str], None],
    options: tuple[str, ...] = ("--dump-instr=no",),
    around: instrument.Surroundings = instrument.Surroundings(),
) -> dict[str, Counted]:
    """Like collect, but the dumps go to a folder below `scratch`, which
    is made where it is missing, and are removed again."""
    scratch.mkdir(parents=True, exist_ok=True)
    dumps = Path(tempfile.mkdtemp(prefix="run.", dir=scratch))
    try:
        return collect(
            valgrind, folder, plan, dumps, on_case, options, around
        )
    finally:
        shutil.rmtree(dumps, ignore_errors=True)


def fit(counts: tuple[int, int, int, int], iters: int) -> Line:
    """The line through the blocks of 0 and 4N operations.

    `counts` are those of the blocks of 0, N, 2N and 4N.  The residual is
    the greatest distance of the other two from it, rounded up.
    """
    zero, one, two, four = counts
    slope = Fraction(four - zero, 4 * iters)
    far = max(
        abs(one - zero - slope * iters), abs(two - zero - slope * 2 * iters)
    )
    return Line(slope, -(-far.numerator // far.denominator))


def dump_path(dumps: Path, pid: int, block: str) -> Path:
    """The dump of one block of the case that process `pid` counted."""
    return dumps / f"c.{pid}.{BLOCKS.index(block) + 1}"


def _counted(dumps: Path, line: dict[str, Any], empty: Line) -> Counted:
    if line["failure"] is not None:
        return Counted(line["failure"] + _log(dumps, line["pid"]))
    try:
        own = _line(dumps, line)
        profile = callgrind.parse(dump_path(dumps, line["pid"], "4"))
    except NotMeasured as error:
        return Counted(str(error))
    net = own.slope - empty.slope
    if net <= 0:
        return Counted(
            f"counted {own.slope} instructions an operation, an empty one"
            f" has {empty.slope}: does `run` do anything?"
        )
    figure = Figure(net.numerator, net.denominator, own.residual)
    return Counted(None, line["value"], figure, profile, 4 * line["iters"])


def _empty_line(dumps: Path, line: dict[str, Any]) -> Line:
    """The cost of calling alone, which is part of every count."""
    if line["failure"] is not None:
        raise NotMeasured(f"the empty operation: {line['failure']}")
    found = _line(dumps, line)
    if found.residual != 0:
        raise NotMeasured(
            f"the empty operation is off its line by {found.residual}"
            " instructions: this valgrind does not count steadily"
        )
    return found


def _line(dumps: Path, line: dict[str, Any]) -> Line:
    """The counts of a case's blocks, after making sure that each dump is
    there, is the one it should be, and that there are no others."""
    further = dumps / f"c.{line['pid']}.{len(BLOCKS) + 1}"
    if further.exists():
        raise NotMeasured(
            f"{further}: a dump too many: does the case make requests to"
            " callgrind itself?"
        )
    counts = []
    for block in BLOCKS:
        path = dump_path(dumps, line["pid"], block)
        found = callgrind.totals(path)
        if found.trigger != block:
            raise NotMeasured(
                f"{path}: expected the dump of block {block!r}, found"
                f" {found.trigger!r}"
            )
        if found.events["Ir"] <= 0:
            raise NotMeasured(f"{path}: counted no instruction")
        counts.append(found.events["Ir"])
    _warm, zero, one, two, four = counts
    return fit((zero, one, two, four), line["iters"])


def _log(dumps: Path, pid: int) -> str:
    """What valgrind had to say, for example of an unknown instruction."""
    try:
        text = (dumps / f"log.{pid}").read_text(errors="replace")
    except OSError:
        return ""
    told = [line.partition("== ")[2] for line in text.splitlines()]
    first = next((line for line in told if line.strip()), "")
    return f" ({first.strip()})" if first else ""


def _pattern(folder: Path) -> str:
    """valgrind expands % in file names."""
    return str(folder).replace("%", "%%")
