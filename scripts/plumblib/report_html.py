"""The report: one page that needs no network, and the same in Markdown.

Nothing in them depends on when or where they are made, so equal records
give equal bytes.  The templates lie in `reports/`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from plumblib import numerals, pictures, plot_compare, plot_history, rows
from plumblib.advice import advise
from plumblib.errors import NotMeasured
from plumblib.history import History
from plumblib.judge import SEVERITY
from plumblib.project import HOME
from plumblib.records import METRICS, CaseVerdict, Figure, Report, Revision
from plumblib.series import series
from plumblib.trust import Section
from plumblib.walltime import Times

TEMPLATES = HOME / "reports"
_MAIN = METRICS[0]
_HEAP = METRICS[1:]


@dataclass(frozen=True)
class Subject:
    """What a report is about.  `about` has the words of each case,
    `plumb` how the command is called in this project, and `times` what
    plumb-wall saw, where it was asked."""

    project: str
    report: Report
    history: History
    about: dict[str, str] = field(default_factory=dict)
    plumb: str = "plumb"
    times: Times | None = None
    trust: tuple[Section, ...] = ()


@dataclass(frozen=True)
class Cell:
    """A figure as it is shown, and a number by which it sorts."""

    text: str
    order: float


def html(subject: Subject) -> str:
    """The whole page."""
    from markupsafe import Markup

    anchors = {
        name: f"history-{at}" for at, name in enumerate(_ids(subject), 1)
    }
    picture = plot_compare.svg(subject.report)
    return _rendered(
        "report.html.j2",
        subject,
        advice=advise(subject.report),
        lines=[
            _line(verdict, subject, anchors)
            for verdict in _by_severity(rows.cases_of(subject.report))
        ],
        claims=[
            {"outcome": row.outcome.value, "row": row}
            for verdict in rows.claims_of(subject.report)
            for row in rows.rows_of(verdict)
        ],
        comparison=Markup(
            pictures.inline(picture, "comparison", "change of each case")
        ),
        suites=[
            {
                "name": suite,
                "plots": [_plot(name, subject, anchors) for name in names],
            }
            for suite, names in groupby(
                _ids(subject), lambda name: name.partition("/")[0]
            )
        ],
    )


def markdown(subject: Subject) -> str:
    """The figures of every case, for a file that is committed."""
    return _rendered(
        "latest.md.j2",
        subject,
        lines=[
            _line(verdict, subject, {})
            for verdict in rows.cases_of(subject.report)
        ],
    )


def commands(subject: Subject) -> str:
    """What to type for the same figures."""
    report = subject.report
    lines = []
    if report.head.commit:
        lines.append(f"git checkout {report.head.commit}")
    if report.kind == "gate":
        lines.append(f"{subject.plumb} gate")
    else:
        base = report.base.commit if report.base else ""
        lines.append(f"{subject.plumb} vs-base {base}".rstrip())
    lines.append(f"{subject.plumb} report")
    return "\n".join(lines)


def _rendered(template: str, subject: Subject, **more: Any) -> str:
    try:
        import jinja2
        from markupsafe import Markup, escape
    except ImportError as error:
        raise NotMeasured(
            "python3-jinja2 is missing; `plumb doctor` says how to install"
            " it"
        ) from error

    def code(text: str) -> Markup:
        """What stands between `backticks`, as code."""
        return Markup(
            re.sub(r"`([^`]*)`", r"<code>\1</code>", str(escape(text)))
        )

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["code"] = code
    environment.filters["cell"] = lambda text: text.replace("|", "\\|")
    environment.filters["commit"] = _commit
    report = subject.report
    return environment.get_template(template).render(
        project=subject.project,
        report=report,
        headline=rows.headline(report),
        notices=[
            *report.notices,
            *(fault.message for fault in subject.history.faults),
        ],
        toolchain=_toolchain(report),
        trust=subject.trust,
        commands=commands(subject),
        headings=_headings(subject),
        machine=subject.times.machine if subject.times else "",
        **more,
    )


def _ids(subject: Subject) -> list[str]:
    """The cases of the report; those that are gone keep their history."""
    return sorted(
        {verdict.id for verdict in rows.cases_of(subject.report)}
    )


def _by_severity(verdicts: Iterable[CaseVerdict]) -> list[CaseVerdict]:
    return sorted(
        verdicts,
        key=lambda verdict: (-SEVERITY.index(verdict.outcome), verdict.id),
    )


def _headings(subject: Subject) -> list[str]:
    return [
        "verdict",
        "case",
        f"base, {_MAIN.unit}",
        f"head, {_MAIN.unit}",
        "difference",
        "change",
        *(metric.name.replace("_", " ") for metric in _HEAP),
        *(["time, ns"] if subject.times else []),
    ]


def _line(
    verdict: CaseVerdict, subject: Subject, anchors: dict[str, str]
) -> dict[str, Any]:
    """One case with all its figures, moved or not."""
    found = {metric.metric: metric for metric in verdict.metrics}
    main = found.get(_MAIN.name)
    cells = _main_cells(
        main.base if main else None, main.head if main else None
    )
    for metric in _HEAP:
        one = found.get(metric.name)
        cells.append(
            _heap_cell(one.base if one else None, one.head if one else None)
        )
    if subject.times is not None:
        cells.append(_time_cell(subject.times.per_op.get(verdict.id)))
    return {
        "severity": SEVERITY.index(verdict.outcome),
        "outcome": verdict.outcome.value,
        "case": verdict.id,
        "anchor": anchors.get(verdict.id, ""),
        "about": subject.about.get(verdict.id, ""),
        "note": verdict.note,
        "cells": cells,
    }


def _main_cells(base: Figure | None, head: Figure | None) -> list[Cell]:
    cells = [_cell(base), _cell(head)]
    if base is None or head is None:
        return [*cells, Cell("", 0), Cell("", 0)]
    change = head.per_op - base.per_op
    share = float(change / base.per_op) if base.per_op else float(change)
    return [
        *cells,
        Cell(numerals.signed(change), float(change)),
        Cell(numerals.percent(change, base.per_op), share),
    ]


def _heap_cell(base: Figure | None, head: Figure | None) -> Cell:
    """The figure of head, and where it differs that of base before it."""
    shown = _cell(head)
    if base is None or head is None or base.per_op == head.per_op:
        return shown
    return Cell(f"{numerals.plain(base.per_op)} → {shown.text}", shown.order)


def _time_cell(time: float | None) -> Cell:
    """Three digits: a time has no more that mean something."""
    if time is None:
        return Cell("", -1)
    digits = 2 - math.floor(math.log10(time)) if time > 0 else 0
    return Cell(f"{round(time, digits):,.{max(digits, 0)}f}", time)


def _cell(figure: Figure | None) -> Cell:
    if figure is None:
        return Cell("", -1)
    text = numerals.plain(figure.per_op)
    if figure.residual:
        text += f" ±{figure.residual}"
    return Cell(text, float(figure.per_op))


def _plot(
    name: str, subject: Subject, anchors: dict[str, str]
) -> dict[str, Any]:
    from markupsafe import Markup

    found = series(subject.history, name, _MAIN)
    picture = plot_history.svg(found)
    return {
        "anchor": anchors[name],
        "about": subject.about.get(name, ""),
        "picture": Markup(
            pictures.inline(picture, f"p{anchors[name]}", f"history of {name}")
        ),
    }


def _toolchain(report: Report) -> list[tuple[str, str]]:
    made = report.toolchain
    return [
        ("platform", made.platform),
        ("compiler", made.compiler),
        ("flags", made.flags),
        ("libc", made.libc),
        ("valgrind", made.valgrind),
        *sorted(made.objects.items()),
    ]


def _commit(revision: Revision) -> str:
    """A revision in words."""
    if not revision.commit:
        return "outside git"
    dirty = " with uncommitted changes" if revision.dirty else ""
    return f"{revision.commit[:12]}{dirty} ({revision.subject})"
