"""A report as Markdown: the comment of a pull request."""

from __future__ import annotations

from plumblib import rows
from plumblib.advice import Advice, advise
from plumblib.records import Report, Toolchain

LIMIT = 60_000  # characters; GitHub refuses a comment of 65,536
_NOTE = 600  # characters of one note or notice, before it is escaped
_NOTICES = 12_000  # characters of all notices
_ADVICE = 18_000  # characters of all advice
_WHY = 12_000  # characters about the reasons of red rows
_CUT = 200  # characters that say what was cut

_HEAD = (
    f"| {' | '.join(rows.HEADINGS)} |\n"
    "|:---|:---|:---|---:|---:|---:|---:|\n"
)


def markdown(report: Report) -> str:
    """The whole comment, always shorter than LIMIT; what had to be cut is
    counted in its place."""
    before = [f"### plumb {rows.headline(report)}\n"]
    before.append(f"{_text(_short(report.title))}\n")
    before.append(
        _fitting(
            [f"> {_text(_short(notice))}\n\n" for notice in report.notices],
            _NOTICES,
            "notices",
        )
    )
    after = [
        _fitting([_why(*w) for w in report.why.items()], _WHY, "cases"),
        _fitting(list(map(_advice, advise(report))), _ADVICE, "notes"),
    ]
    after.append(f"{rows.folded(report)}\n" if rows.folded(report) else "")
    after.append(_conditions(report))
    room = LIMIT - sum(len(part) + 1 for part in (*before, *after))
    table = _table(rows.table(report), room - len(_HEAD))
    return "\n".join(part for part in (*before, table, *after) if part)


def _table(found: list[rows.Row], room: int) -> str:
    lines = [f"| {' | '.join(_cell(row))} |\n" for row in found]
    return _HEAD + _fitting(lines, room, "rows") if found else ""


def _fitting(parts: list[str], room: int, what: str) -> str:
    """As many parts as fit into `room`, and how many did not."""
    text = ""
    for at, part in enumerate(parts):
        if len(text) + len(part) > room - _CUT:
            rest = len(parts) - at
            return (
                f"{text}\n{rest:,} more {what} were cut here; `--json` has"
                " them all.\n"
            )
        text += part
    return text


def _cell(row: rows.Row) -> list[str]:
    outcome, case, *others = rows.cells(row)
    return [f"**{outcome}**", f"`{case}`", *others]


def _advice(line: Advice) -> str:
    note = f"{_text(_short(line.note))}; " if line.note else ""
    return (
        f"- **{line.outcome.value}** {_text(line.named)}: {note}{line.step}\n"
    )


def _why(case: str, lines: tuple[str, ...]) -> str:
    below = "".join(f"  - {_text(_short(line))}\n" for line in lines)
    return f"- `{case}`\n{below}"


def _conditions(report: Report) -> str:
    """Under what all of this was measured."""
    told = [
        "Costs are of one operation, net of an empty one, counted exactly.",
        _toolchain(report.toolchain),
    ]
    if report.floor:
        told.append(f"A/A floor: {report.floor}.")
    return f"<sub>{_text(' '.join(told))}</sub>\n"


def _toolchain(made: Toolchain) -> str:
    return (
        f"{made.platform}; {made.compiler}; {made.flags}; {made.libc};"
        f" valgrind {made.valgrind.removeprefix('valgrind').lstrip(' -')}."
    )


def _short(text: str) -> str:
    """A note whose end may be cut, on one line."""
    if len(text) <= _NOTE:
        return text
    cut = len(text) - _NOTE
    return f"{text[:_NOTE]} ... ({cut:,} characters were cut)"


def _text(text: str) -> str:
    """Words of others, which must not become tags, cells or mentions."""
    for char, shown in (
        ("&", "&amp;"),
        ("<", "&lt;"),
        (">", "&gt;"),
        ("|", "\\|"),
        ("@", "@&#8203;"),
    ):
        text = text.replace(char, shown)
    return " ".join(text.split())
