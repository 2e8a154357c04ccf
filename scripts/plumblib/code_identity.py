"""Whether two builds execute the same machine code.

Each function is disassembled, and what the linker decided is taken out:
addresses of the function and of what it refers to.  What is left is equal
where the bytes are equal but for relocated operands.  Constant data and
libraries may still differ, so equal code with unequal counts is a
difference of data or environment, not of what was compiled.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from plumblib import process
from plumblib.symbolize import symbols

_HEAD = re.compile(r"^([0-9a-f]+) <.+>:$")
_TARGET = re.compile(r"\b(?:0x)?[0-9a-f]+ <([^>]+)>")
_RELATIVE = re.compile(r"-?0x[0-9a-f]+\(%rip\)")
_OFFSET = re.compile(r"[+-]0x[0-9a-f]+$")


@dataclass(frozen=True)
class Code:
    """A function's instructions as objdump prints them, and where each
    is."""

    printed: tuple[str, ...]
    addresses: tuple[int, ...]

    @cached_property
    def text(self) -> tuple[str, ...]:
        """Without what linking decided.  Few functions are asked."""
        return tuple(map(normal, self.printed))


def read(subject: Path) -> dict[str, list[Code]]:
    """All functions of an object, by name; several of one name are in
    the order of their addresses.  Raises ToolError."""
    told = process.run(
        ["objdump", "--disassemble", "--no-show-raw-insn", "-C", "-w",
         subject],
        env=process.environment(LC_ALL="C"),
    ).stdout
    by_address = _functions(told)
    found: dict[str, list[Code]] = defaultdict(list)
    for symbol in symbols(subject):
        if symbol.address not in by_address:
            continue
        # what follows the last instruction is padding
        inside = [
            (address, text)
            for address, text in by_address[symbol.address]
            if address < symbol.address + symbol.size
        ]
        found[symbol.name].append(
            Code(
                tuple(text for _, text in inside),
                tuple(address for address, _ in inside),
            )
        )
    return dict(found)


def unlike(
    base: dict[str, list[Code]],
    head: dict[str, list[Code]],
    executed: Iterable[str],
) -> list[str]:
    """The executed functions whose code differs, or is on one side only.
    Of several with one name all must be equal."""
    return sorted(
        name
        for name in set(executed)
        if _texts(base.get(name)) != _texts(head.get(name))
        or name not in base
    )


def normal(text: str) -> str:
    """An instruction as objdump prints it, without addresses.

    A target inside the function is kept as its offset, another function
    by its name.  Data has an address only: that is dropped.
    """
    operation, _, comment = text.partition("#")
    operation = _TARGET.sub(r"<\1>", operation)
    if _RELATIVE.search(operation):
        operation = _RELATIVE.sub("(%rip)", operation)
        match = _TARGET.search(comment)
        # the nearest symbol below means nothing, one that is hit does
        if match and not _OFFSET.search(match[1]):
            operation += f" <{match[1]}>"
    return " ".join(operation.split())


def _functions(told: str) -> dict[int, list[tuple[int, str]]]:
    """By address of a function, its instructions.  Half a million lines
    are common, so most are not matched but cut."""
    found: dict[int, list[tuple[int, str]]] = {}
    here: list[tuple[int, str]] = []
    for line in told.splitlines():
        address, tab, text = line.partition(":\t")
        if tab:
            here.append((int(address, 16), text))
        elif match := _HEAD.match(line):
            here = found.setdefault(int(match[1], 16), [])
    return found


def _texts(codes: list[Code] | None) -> list[tuple[str, ...]]:
    return [code.text for code in codes or ()]
