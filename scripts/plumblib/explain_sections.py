"""An explanation as headed lists, tables and quotes, whatever the form."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from plumblib import diagnose, numerals
from plumblib.decompose import CallerRow, FunctionRow, LineRow
from plumblib.explanation import Explanation, SiteRow
from plumblib.profiles import OWN
from plumblib.series import metric_named
from plumblib.symbolize import Frame

_FUNCTIONS = 12  # rows of a table
_DETAILED = 3  # functions with callers and lines
_LINES = 5  # of one function
_CALLERS = 3
_SITES = 8
_HUNKS = 5


@dataclass(frozen=True)
class Table:
    """Figures under headings; the first column is words."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Quote:
    """Lines to be shown as they are."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Points:
    """A list; each point may have a list below it."""

    items: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Section:
    title: str
    parts: tuple[str | Table | Quote | Points, ...]


def head(told: Explanation) -> str:
    """The case and its figures, in one line."""
    unit = metric_named(told.metric).unit
    now = numerals.plain(told.head.per_op)
    if told.base is None:
        return f"{told.case}, {told.metric}: {now} {unit}"
    before = told.base.per_op
    change = told.change
    return (
        f"{told.case}, {told.metric}: {numerals.plain(before)} to {now}"
        f" {unit}, {numerals.signed(change)}"
        f" ({numerals.percent(change, before)})"
    )


def sections(told: Explanation) -> tuple[Section, ...]:
    """The report's sections in their order; the verdict is the last."""
    return (
        Section("Is it real", (_checks(told),)),
        _where(told),
        _why(told),
        Section("Before", (_sentence(told.before),)),
        Section("Verdict", (told.sentence,)),
    )


def _checks(told: Explanation) -> Points:
    return Points(
        tuple(
            (
                f"{'ok ' if check.good else 'BAD'}  {check.question}:"
                f" {check.answer}",
                (),
            )
            for check in told.checks
        )
    )


def _where(told: Explanation) -> Section:
    title = "Where" if told.base else "Where its cost lies"
    if not (told.rows or told.sites):
        return Section(title, ("No function and no call site changed.",))
    if told.sites:
        return Section(title, (_site_table(told.sites), _ways(told.sites)))
    own = [row for row in told.rows if row.part == OWN]
    others = [row for row in told.rows if row.part != OWN]
    parts: list[str | Table | Quote | Points] = []
    if own:
        parts += _functions("Our code", own)
    elif others:
        parts.append("Our code costs what it did.")
    if others:
        parts += _functions("Libraries, and stubs through which they are"
                            " called", others)
    return Section(title, tuple(parts))


def _functions(
    what: str, rows: list[FunctionRow]
) -> list[str | Table | Quote | Points]:
    total = numerals.signed(sum((row.change for row in rows), Fraction(0)))
    parts: list[str | Table | Quote | Points] = [
        f"{what}, {total} an operation:",
        Table(
            (
                "function", "change", "Δcalls × cost", "calls × Δcost",
                "calls", "self", "with callees",
            ),
            tuple(_function_row(row) for row in rows[:_FUNCTIONS]),
        ),
    ]
    rest = rows[_FUNCTIONS:]
    if rest:
        sums = sum((row.change for row in rest), Fraction(0))
        parts.append(
            f"{len(rest):,} more functions changed, together by"
            f" {numerals.signed(sums)}; JSON has them all."
        )
    parts.append(Points(tuple(_details(row) for row in rows[:_DETAILED])))
    return parts


def _function_row(row: FunctionRow) -> tuple[str, ...]:
    return (
        _name(row),
        numerals.signed(row.change),
        numerals.signed(row.by_calls),
        numerals.signed(row.by_cost),
        _both(row.base_calls, row.head_calls),
        _both(row.base_cost, row.head_cost),
        _both(row.base_inclusive, row.head_inclusive),
    )


def _name(row: FunctionRow) -> str:
    name = f"{row.name} ({row.object})" if row.object else row.name
    return f"{name}, was {row.was}" if row.was else name


def _details(row: FunctionRow) -> tuple[str, tuple[str, ...]]:
    """Of one function: what changed in words, callers, lines."""
    below = []
    if row.cycle:
        others = ", ".join(name for name in row.cycle if name != row.name)
        below.append(f"calls itself{f' through {others}' if others else ''}")
    for caller in row.callers[:_CALLERS]:
        below.append(f"called by {caller.name}: {_often(caller)}")
    below += [line(one, row.name) for one in row.lines[:_LINES]]
    rest = row.lines[_LINES:]
    if rest:
        sums = sum((one.change for one in rest), Fraction(0))
        below.append(
            f"{len(rest):,} more lines, together {numerals.signed(sums)}"
        )
    place = f" in {row.file}" if row.file else ""
    return f"{row.name}{place}: {diagnose.calls(row)}", tuple(below)


def line(row: LineRow, function: str) -> str:
    """A line of a function, and the calls through which it was inlined."""
    inner, *outer = row.frames
    where = "" if row.side == "head" else "base "
    text = f"{numerals.signed(row.change)}  {where}{_place(inner)}"
    if inner.function and inner.function != function:
        text += f" {inner.function}"
    for frame in outer:
        text += f", inlined in {frame.function} at {_place(frame)}"
    return text


def _place(frame: Frame) -> str:
    if not frame.line:
        return "unknown line"
    return f"{frame.file}:{frame.line}" if frame.file else f":{frame.line}"


def _often(caller: CallerRow) -> str:
    if caller.base_calls == caller.head_calls:
        return diagnose.times(caller.head_calls)
    return f"{_both(caller.base_calls, caller.head_calls)} times"


def _both(old: Fraction, new: Fraction) -> str:
    if old == new:
        return numerals.plain(new)
    return f"{numerals.plain(old)} -> {numerals.plain(new)}"


def _site_table(sites: tuple[SiteRow, ...]) -> Table:
    return Table(
        ("requested in", "calls", "bytes"),
        tuple(
            (
                site.frames[0],
                _both(site.base_calls, site.head_calls),
                _both(site.base_bytes, site.head_bytes),
            )
            for site in sites[:_SITES]
        ),
    )


def _ways(sites: tuple[SiteRow, ...]) -> Points:
    return Points(
        tuple(
            (
                site_change(site),
                tuple(f"called by {frame}" for frame in site.frames[1:]),
            )
            for site in sites[:_DETAILED]
        )
    )


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def site_change(site: SiteRow) -> str:
    """One call site in words."""
    return (
        f"{site.frames[0]}:"
        f" {numerals.signed(site.head_calls - site.base_calls)} calls,"
        f" {numerals.signed(site.head_bytes - site.base_bytes)} bytes"
    )


def _why(told: Explanation) -> Section:
    if told.base is None:
        return Section("Why", ("There is no base to compare with.",))
    parts: list[str | Table | Quote | Points] = [
        _sentence(told.reasons or "nothing changed its cost")
    ]
    for touch in told.hunks[:_HUNKS]:
        of = f" ({', '.join(touch.functions)})" if touch.functions else ""
        parts += [f"{touch.place}{of}", Quote(touch.lines)]
    rest = len(told.hunks) - _HUNKS
    if rest > 0:
        parts.append(f"{rest:,} more hunks.")
    return Section("Why", tuple(parts))
