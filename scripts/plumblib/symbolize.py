"""Where in the source an address of a shared object is, inlining undone.

Callgrind knows a file and a line for each address, but not through which
calls the compiler put that line there; `addr2line -i` does.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from plumblib import process

_UNKNOWN = "??"
_CODE = frozenset("tTwWi")  # letters of nm for functions


class Frame(NamedTuple):
    """A line of a function.  `file` is relative to the project's root
    where it lies below it; empty, with line 0, where nothing is known."""

    function: str
    file: str
    line: int


class Symbol(NamedTuple):
    """A function of an object: `size` bytes from `address` on."""

    address: int
    size: int
    name: str


# From the place itself outwards: the last is the function that was not
# inlined.
Frames = tuple[Frame, ...]


def relative_to(root: Path) -> Callable[[str], str]:
    """Turns a file name of the debug information into one that both sides
    of a comparison share."""
    top = f"{root}{os.sep}"

    def relative(name: str) -> str:
        if name.startswith(_UNKNOWN):
            return ""
        return os.path.normpath(name).removeprefix(top)

    return relative


def frames(
    subject: Path, addresses: Iterable[int], root: Path
) -> dict[int, Frames]:
    """The frames of each address; `root` is where the subject was built.

    All addresses go to one addr2line: starting it costs more than most
    look-ups.
    """
    wanted = sorted(set(addresses))
    if not wanted:
        return {}
    told = process.run(
        ["addr2line", "-e", subject, "-a", "-f", "-i", "-C"],
        env=process.environment(LC_ALL="C"),
        stdin="".join(f"{address:#x}\n" for address in wanted),
    ).stdout
    return parse(told, relative_to(root))


def parse(told: str, relative: Callable[[str], str]) -> dict[int, Frames]:
    """Reads the output of `addr2line -a -f -i`: an address, then pairs of
    lines, a function and a place, one pair a frame."""
    found: dict[int, list[Frame]] = {}
    here: list[Frame] = []
    function = ""
    for line in told.splitlines():
        if line.startswith("0x"):
            here = found.setdefault(int(line, 16), [])
            function = ""
        elif not function:
            function = line
        else:
            here.append(_frame(function, line, relative))
            function = ""
    return {address: tuple(inner) for address, inner in found.items()}


def symbols(subject: Path) -> list[Symbol]:
    """The functions of an object, by address.  Raises ToolError."""
    told = process.run(
        ["nm", "--defined-only", "--print-size", "-C", subject],
        env=process.environment(LC_ALL="C"),
    ).stdout
    found = []
    for line in told.splitlines():
        match = re.fullmatch(r"([0-9a-f]+) ([0-9a-f]+) (\w) (.+)", line)
        if match and match[3] in _CODE:
            found.append(Symbol(int(match[1], 16), int(match[2], 16),
                                match[4]))
    return sorted(found)


def _frame(
    function: str, place: str, relative: Callable[[str], str]
) -> Frame:
    file, _, number = place.partition(" (discriminator")[0].rpartition(":")
    name = relative(file)
    return Frame(
        "" if function == _UNKNOWN else function,
        name,
        int(number) if name and number.isdigit() else 0,
    )
