"""Records made for the tests of what is shown and kept."""

from plumblib.records import (
    CaseInfo,
    CaseResult,
    Figure,
    Measurement,
    Revision,
    Toolchain,
)

TOOLCHAIN = Toolchain(
    platform="x86_64-linux-glibc",
    compiler="gcc (Debian 12.2.0-14) 12.2.0",
    flags="-O2 -g",
    libc="glibc 2.36",
    valgrind="3.19.0",
    objects={"libc.so.6": "ab" * 20},
)


def case(name: str, *, about: str = "words", **figures: int) -> CaseResult:
    """A measured case; each figure is a whole number an operation."""
    return CaseResult(
        info=CaseInfo(name, name.split("/")[0], about, (), 10, 1, 64),
        failure=None,
        input="1" * 32,
        work="2" * 32,
        figures={metric: Figure(n, 1) for metric, n in figures.items()},
        objects=("libc.so.6",),
    )


def failed(name: str, failure: str) -> CaseResult:
    """A case that was not measured."""
    info = CaseInfo(name, name.split("/")[0], "words", (), 10, 1, 64)
    return CaseResult(info, failure, "", "")


def measurement(
    *cases: CaseResult,
    day: int = 1,
    commit: str = "1a2b3c4" + "0" * 33,
    toolchain: Toolchain = TOOLCHAIN,
) -> Measurement:
    """A run on a day of January."""
    return Measurement(
        project="demo",
        made_at=f"2026-01-{day:02}T12:00:00Z",
        revision=Revision(commit, "area: what changes", False),
        toolchain=toolchain,
        cases={result.info.id: result for result in cases},
        declared=tuple(result.info.id for result in cases),
    )
