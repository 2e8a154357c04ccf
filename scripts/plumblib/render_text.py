"""A report for a terminal, or as plain lines for everything else."""

from __future__ import annotations

import os
from typing import TextIO

from plumblib import rows
from plumblib.advice import advise
from plumblib.records import Outcome, Report

_STYLES = {
    Outcome.SLOWER: "bold red",
    Outcome.CLAIM_BROKEN: "bold red",
    Outcome.CHANGED: "red",
    Outcome.GONE: "red",
    Outcome.NOT_MEASURED: "magenta",
    Outcome.NOT_COMPARABLE: "magenta",
    Outcome.NEW: "yellow",
    Outcome.WARN: "yellow",
    Outcome.UNSTEADY: "yellow",
    Outcome.FASTER: "green",
    Outcome.SAME: "",
}


def write(report: Report, out: TextIO) -> None:
    """Print a report.  Colours and a drawn table only on a terminal, and
    not where NO_COLOR is set."""
    drawn = out.isatty() and not os.environ.get("NO_COLOR")
    if not (drawn and _write_drawn(report, out)):
        out.write(text(report))


def text(report: Report) -> str:
    """The report as plain lines."""
    parts = [f"notice: {notice}\n" for notice in report.notices]
    parts.append(f"{report.title}\n")
    found = rows.table(report)
    if found:
        parts.append(aligned([rows.HEADINGS, *map(rows.cells, found)], 3))
    parts.append(_rest(report))
    return "\n".join(parts)


def _rest(report: Report) -> str:
    """All that stands under the table; the verdict is the last line."""
    lines = [line for case in report.why.items() for line in _why(*case)]
    for line in advise(report):
        note = f"{line.note}; " if line.note else ""
        lines.append(
            f"{line.outcome.value}: {line.named}: {note}"
            f"{line.step.replace('`', '')}"
        )
    if rows.folded(report):
        lines.append(rows.folded(report))
    if report.floor:
        lines.append(f"A/A floor: {report.floor}.")
    lines.append(f"plumb {rows.headline(report)}")
    return "\n".join(lines) + "\n"


def _why(case: str, lines: tuple[str, ...]) -> list[str]:
    told = [f"    {line.replace('`', '')}" for line in lines]
    return [f"{case}:", *told, ""]


def aligned(table: list[tuple[str, ...]], words: int) -> str:
    """Columns under one another: the first ones are words and go to the
    left, the others are figures and go to the right."""
    widths = [max(map(len, column)) for column in zip(*table)]
    lines = (
        "  ".join(
            cell.ljust(width) if at < words else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths))
        ).rstrip()
        for row in table
    )
    return "\n".join(lines) + "\n"


def _write_drawn(report: Report, out: TextIO) -> bool:
    """Draw with rich; False where it is not installed."""
    try:
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text
    except ImportError:
        return False
    console = Console(file=out, highlight=False)
    for notice in report.notices:
        console.print(Text(f"notice: {notice}", style="bold yellow"))
    console.print(Text(report.title))
    found = rows.table(report)
    if found:
        table = Table()
        for at, heading in enumerate(rows.HEADINGS):
            table.add_column(
                heading,
                justify="left" if at < 3 else "right",
                overflow="fold",
            )
        for row in found:
            style = _STYLES[row.outcome]
            table.add_row(*(Text(cell) for cell in rows.cells(row)),
                          style=style)
        console.print(table)
    *lines, verdict = _rest(report).splitlines()
    for line in lines:
        console.print(Text(line))
    style = "bold green" if report.exit_code == 0 else "bold red"
    console.print(Text(verdict, style=style))
    return True
