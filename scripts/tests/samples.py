"""Small records for tests, where only what matters has to be said."""

from __future__ import annotations

from fractions import Fraction

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
    compiler="gcc 12.2.0",
    flags="-O2",
    libc="glibc 2.36",
    valgrind="3.19.0",
    objects={"libc.so.6": "aa11"},
)
HEAD = Revision("ab" * 20, "demo: a change", False)


def figure(per_op: int | str, residual: int = 0) -> Figure:
    """A figure from its cost of one operation: 55 or "1/3"."""
    cost = Fraction(per_op)
    return Figure(cost.numerator, cost.denominator, residual)


def case(
    case_id: str,
    instructions: int | str | Figure | None = 100,
    *,
    failure: str | None = None,
    work: str = "b" * 32,
    input: str = "a" * 32,
    iters: int = 10,
    tags: tuple[str, ...] = (),
    objects: tuple[str, ...] = ("libc.so.6",),
    **others: int | str | Figure,
) -> CaseResult:
    """A measured case, or with `failure` one that was not."""
    figures = {} if instructions is None else {"instructions": instructions}
    figures |= others
    return CaseResult(
        info=CaseInfo(
            id=case_id,
            suite=case_id.partition("/")[0],
            about="a case",
            tags=tags,
            iters=iters,
            period=1,
            bytes=0,
        ),
        failure=failure,
        input=input,
        work=work,
        figures=(
            {}
            if failure
            else {
                name: given if isinstance(given, Figure) else figure(given)
                for name, given in figures.items()
            }
        ),
        objects=objects,
    )


def measurement(*cases: CaseResult, **changes: object) -> Measurement:
    """One run in which these cases were measured, and all declared."""
    by_id = {one.info.id: one for one in cases}
    given = {
        "project": "demo",
        "made_at": "2026-01-31T12:00:00Z",
        "revision": HEAD,
        "toolchain": TOOLCHAIN,
        "cases": by_id,
        "declared": tuple(sorted(by_id)),
    } | changes
    return Measurement(**given)  # type: ignore[arg-type]


def measured_on(
    day: int, *cases: CaseResult, **changes: object
) -> Measurement:
    """Like measurement, on a day of January."""
    made_at = f"2026-01-{day:02}T12:00:00Z"
    return measurement(*cases, made_at=made_at, **changes)
