"""What the figures of a report are worth: the last audit and the last
proof, as sections of it."""

from __future__ import annotations

from dataclasses import dataclass

from plumblib import certificate, numerals, prove
from plumblib.project import Project
from plumblib.records import Certificate, Proven

_ELSEWHERE = " Found in another state of the code than is measured here."


@dataclass(frozen=True)
class Table:
    """Rows of text; the first column is a name."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Section:
    """A heading, what was found in a sentence or two, and the parts."""

    title: str
    told: str
    tables: tuple[Table, ...] = ()
    remarks: tuple[str, ...] = ()


def sections(
    project: Project, platform: str, flavour: str
) -> tuple[Section, ...]:
    """Of what was found in the subject as it is built, else of what was
    accepted; nothing where there is neither."""
    found = []
    for kind, told in ((Certificate, _audit), (Proven, _proven)):
        made = certificate.current(project, flavour, kind)
        before = certificate.accepted(project, platform, kind)
        if made is not None:
            found.append(told(made, True))
        elif before is not None:
            digest = certificate.built(project, flavour)
            found.append(told(before, before.subject == digest))
    return tuple(found)


def _audit(made: Certificate, here: bool) -> Section:
    faulty = {one.case for one in made.faults}
    exact = len(made.cases) - len(faulty | made.bands.keys())
    told = (
        f"{len(made.cases)} cases, each counted again under"
        f" {len(made.perturbations)} perturbations: {exact} moved by 0,"
        f" {len(made.bands)} only in libraries and with the layout of memory,"
        f" {len(faulty)} otherwise."
    )
    rows = [
        (
            case,
            f"±{numerals.plain(band.per_op)}",
            ", ".join(
                one.perturbation
                for one in made.findings
                if one.case == case
            ),
        )
        for case, band in sorted(made.bands.items())
    ]
    return Section(
        "Counts that must not move",
        told + ("" if here else _ELSEWHERE),
        (Table(("case", "layout", "moved under"), tuple(rows)),),
        tuple(
            f"{one.case}, {one.perturbation}: {one.why}"
            for one in made.faults
        ),
    )


def _proven(made: Proven, here: bool) -> Section:
    mutants = sum(one.mutants for one in made.files)
    exact = sum(one.exact for one in made.files)
    entered = [one for one in made.files if one.cases]
    sizes = ", ".join(str(size) for size in prove.SIZES[:-1])
    told = (
        f"{len(entered)} source files made dearer one at a time, by {sizes}"
        f" and {prove.SIZES[-1]} instructions and by an allocation at each"
        f" function entry: {exact} of {mutants} such mutants cost in every"
        " case measured exactly what was predicted, and nothing else moved."
    )
    limits = tuple(f"{limit / 10_000:g} %" for limit in made.limits)
    detections = tuple(
        (prove.band(row), f"{row.count:,}", *(f"{n:,}" for n in row.slower))
        for row in made.detections
    )
    broken = tuple(
        (
            one.file,
            str(one.functions),
            str(one.cases),
            f"{one.exact} of {one.mutants}",
        )
        for one in made.files
        if one.mutants
    )
    return Section(
        "Regressions that must be found",
        told + ("" if here else _ELSEWHERE),
        (
            Table(
                (
                    "regression",
                    "count",
                    *(f"slower at {limit}" for limit in limits),
                ),
                detections,
            ),
            Table(("file", "functions", "cases", "as predicted"), broken),
        ),
        made.uncovered,
    )
