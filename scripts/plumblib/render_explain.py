"""An explanation as text for a terminal, and as Markdown."""

from __future__ import annotations

from plumblib import render_text
from plumblib.explain_sections import (
    Points,
    Quote,
    Section,
    Table,
    head,
    sections,
)
from plumblib.explanation import Explanation


def text(told: Explanation) -> str:
    """Plain lines; the verdict is the last."""
    lines = [head(told), told.title]
    for number, section in enumerate(sections(told), 1):
        lines += ["", f"{number}. {section.title}"]
        for part in section.parts:
            lines += [f"   {line}".rstrip() for line in _text_part(part)]
    return "\n".join(lines) + "\n"


def markdown(told: Explanation) -> str:
    """The same with the verdict in front, the rest folded away."""
    found = sections(told)
    lines = [
        f"### plumb explain: {_code(told.case)}",
        "",
        f"**{_escaped(found[-1].parts[0])}**",  # type: ignore[arg-type]
        "",
        _escaped(f"{head(told)}; {told.title}"),
    ]
    for number, section in enumerate(found, 1):
        lines += ["", f"#### {number}. {section.title}", ""]
        lines += _markdown_section(section)
    return "\n".join(lines) + "\n"


def _text_part(part: str | Table | Quote | Points) -> list[str]:
    match part:
        case Table():
            rows = [part.headings, *part.rows]
            return render_text.aligned(rows, 1).splitlines()
        case Quote():
            return [f"    {line}" for line in part.lines]
        case Points():
            return [
                line
                for point, below in part.items
                for line in (point, *(f"    {one}" for one in below))
            ]
    return [part]


def _markdown_section(section: Section) -> list[str]:
    lines: list[str] = []
    for part in section.parts:
        match part:
            case Table():
                lines += ["", *_markdown_table(part), ""]
            case Quote():
                lines += ["", *_fenced(part.lines), ""]
            case Points():
                for point, below in part.items:
                    lines.append(f"- {_escaped(point)}")
                    lines += [f"  - {_escaped(one)}" for one in below]
                lines.append("")
            case _:
                lines += [_escaped(part), ""]
    return lines


def _markdown_table(table: Table) -> list[str]:
    marks = [":---", *["---:"] * (len(table.headings) - 1)]
    return [
        f"| {' | '.join(cells)} |"
        for cells in (
            table.headings,
            marks,
            *([_escaped(cell) for cell in row] for row in table.rows),
        )
    ]


def _fenced(lines: tuple[str, ...]) -> list[str]:
    """A fence longer than any in the lines."""
    fence = "```"
    while any(fence in line for line in lines):
        fence += "`"
    return [f"{fence}diff", *lines, fence]


def _code(word: str) -> str:
    return f"`{word}`"


def _escaped(text: str) -> str:
    """Words of others must not become tags, cells, mentions or marks."""
    for char, shown in (
        ("&", "&amp;"),
        ("<", "&lt;"),
        (">", "&gt;"),
        ("|", "\\|"),
        ("*", "\\*"),
        ("_", "\\_"),
        ("@", "@&#8203;"),
    ):
        text = text.replace(char, shown)
    return " ".join(text.split())
