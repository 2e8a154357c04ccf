"""Why functions changed: what of a difference touches them."""

from __future__ import annotations

from collections.abc import Iterable

from plumblib import hunks, symbolize
from plumblib.explanation import Touch
from plumblib.hunks import Difference, Range
from plumblib.pairing import plain_name
from plumblib.side import Build

_SHOWN_LINES = 12  # of one hunk
_FUNCTIONS = 5  # whose code is looked up in the difference


def touches(
    difference: Difference,
    own: bool,
    base: list[Range],
    head: list[Range],
) -> tuple[tuple[Touch, ...], str]:
    """The hunks that touch the changed functions, or else those in the
    same files; and a sentence on them.

    `own`: whether any of them is ours; `base` and `head` are where they
    are in the source.
    """
    touched = hunks.touching(difference, base, head)
    if touched:
        found = tuple(
            Touch(hunk.place, names, _short(hunk.lines))
            for hunk, names in touched
        )
        functions = sorted({name for one in found for name in one.functions})
        places = "1 hunk" if len(found) == 1 else f"{len(found)} hunks"
        return found, f"{places} of the change in {', '.join(functions)}"
    if not difference.hunks:
        return (), "no line differs between base and head"
    if not own:
        return (), (
            "no function of ours changed its cost: the difference lies in"
            " libraries"
        )
    files = {one.file for one in (*base, *head)}
    near = tuple(
        Touch(hunk.place, (), _short(hunk.lines))
        for hunk in difference.hunks
        if {hunk.old_file, hunk.new_file} & files
    )
    where = "only their files" if near else "not even their files"
    return near, (
        f"no hunk touches these functions, {where}: the compiler inlined or"
        " aligned otherwise, a macro, type or constant changed, or other"
        " calls come in"
    )


def ranges_of(
    build: Build, names: Iterable[str]
) -> list[Range]:
    """Where functions are in the source, with all that was inlined into
    them: from each of their instructions, whether it ran or not.

    A name may be that in the source, or of a copy of the compiler's.
    """
    wanted = set(list(names)[:_FUNCTIONS])
    addresses = [
        address
        for name, copies in build.code.items()
        if name in wanted or plain_name(name) in wanted
        for one in copies
        for address in one.addresses
    ]
    found = symbolize.frames(build.subject, addresses, build.root)
    return hunks.ranges(found.values())


def _short(lines: tuple[str, ...]) -> tuple[str, ...]:
    rest = len(lines) - _SHOWN_LINES
    if rest <= 0:
        return lines
    return (*lines[:_SHOWN_LINES], f"... and {rest} more lines")
