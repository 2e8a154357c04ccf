"""Reads callgrind's dumps: the totals cheaply, the call graph on demand.

The format is that of the Callgrind manual, "Callgrind Format
Specification": names and positions are compressed, each against what
came before, so a dump is read in order or not at all.  The sum of all
self costs must equal `totals:`, or the dump was not understood.
`summary:` is never read: the two differ after client requests.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, NoReturn

from plumblib.errors import NotMeasured

_HEAD_SIZE = 4096  # holds every header line of a dump
_TAIL_SIZE = 1024  # holds the last line, totals of up to some 50 events


class Function(NamedTuple):
    """Where code was found.  `file` is the one that the function is in,
    also for lines that were inlined into it from another."""

    object: str
    file: str
    name: str


class Spot(NamedTuple):
    """One place of the code: an instruction, with `--dump-instr=yes`, or
    else a line.  `address` is that inside the object as it was linked,
    -1 where the dump has none; `file` is the one the line is in."""

    address: int
    file: str
    line: int


class Call(NamedTuple):
    """How often one function called another, and what that cost."""

    count: int
    inclusive: int


@dataclass(frozen=True)
class Totals:
    """The frame of a dump: why it was written, and its sums."""

    trigger: str  # text of the client request, "" at the program's end
    events: dict[str, int]


@dataclass(frozen=True)
class Profile:
    """The costs of one dump in one event."""

    totals: Totals
    self_cost: dict[Function, int]
    calls: dict[tuple[Function, Function], Call]
    spots: dict[Function, dict[Spot, int]]  # self cost, place by place
    # How often each address was called, by object and address inside it;
    # empty unless the dump has instructions.
    entered: dict[tuple[str, int], int]

    def objects(self) -> dict[str, int]:
        """Self cost by object; those that cost nothing are left out."""
        sums: dict[str, int] = defaultdict(int)
        for function, cost in self.self_cost.items():
            sums[function.object] += cost
        return {name: cost for name, cost in sums.items() if cost}


def totals(path: Path) -> Totals:
    """The sums of a dump of one part, without reading all of it.

    Raises NotMeasured where the dump is missing or was cut short.
    """
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_SIZE)
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _TAIL_SIZE))
            tail = file.read()
    except OSError as error:
        raise NotMeasured(f"{path}: {error.strerror}") from error
    frame = _Frame()
    for line in head.decode(errors="replace").splitlines():
        if line.startswith("totals: "):
            break  # a short dump, all of it in the head
        frame.header(line)
    last = tail.decode(errors="replace").rstrip("\n").rpartition("\n")[2]
    if not last.startswith("totals: "):
        raise NotMeasured(f"{path}: has no totals: the dump was cut short")
    frame.header(last)
    try:
        return frame.totals()
    except ValueError as error:
        raise NotMeasured(f"{path}: {error}") from error


def parse(path: Path, event: str = "Ir") -> Profile:
    """Read a dump whole: self cost of each function, and each call.

    A file of several parts gives the sum of them.  Raises NotMeasured
    with the line that was not understood.
    """
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return _Parser(path, event).run(enumerate(file, 1))
    except OSError as error:
        raise NotMeasured(f"{path}: {error.strerror}") from error


@dataclass
class _Frame:
    """What header lines say."""

    trigger: str = ""
    names: list[str] = field(default_factory=list)
    sums: list[int] = field(default_factory=list)
    positions: list[str] = field(default_factory=lambda: ["line"])

    def header(self, line: str) -> None:
        key, _, value = line.partition(": ")
        if key == "events":
            self.names = value.split()
        elif key == "positions":
            self.positions = value.split()
        elif key == "totals":
            found = [int(word) for word in value.split()]
            found += [0] * (len(self.names) - len(found))
            self.sums = [
                a + b for a, b in zip(self.sums or [0] * len(found), found)
            ]
        elif key == "desc" and value.startswith("Trigger: "):
            self.trigger = value.removeprefix("Trigger: ").removeprefix(
                "Client Request: "
            )

    def totals(self) -> Totals:
        if not self.names:
            raise ValueError("has no line `events:`")
        if not self.sums:
            raise ValueError("has no line `totals:`")
        trigger = "" if self.trigger == "Program termination" else self.trigger
        return Totals(trigger, dict(zip(self.names, self.sums)))


class _Names:
    """One table of compressed names: `(7) name` defines, `(7)` refers."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def read(self, text: str) -> str:
        if not text.startswith("("):
            return text
        number, _, name = text.partition(")")
        if name:
            self._known[number] = name[1:]
        return self._known[number]


class _Parser:
    """The state of reading one file."""

    def __init__(self, path: Path, event: str) -> None:
        self._path = path
        self._event = event
        self._frame = _Frame()
        self._objects, self._files, self._functions = (
            _Names(),
            _Names(),
            _Names(),
        )
        self._object = self._file = "???"
        self._caller = self._function = Function("???", "???", "???")
        self._called_object: str | None = None
        self._called_file: str | None = None
        self._callee = self._function
        self._column = 0  # of the event among the words of a cost line
        self._instr = self._line = -1  # columns of the positions
        self._at = [0, 0]  # the position before, of each such column
        self._self: dict[Function, int] = defaultdict(int)
        self._spots: dict[Function, dict[Spot, int]] = {}
        self._here: dict[Spot, int] = {}  # the spots of `_function`
        self._calls: dict[tuple[Function, Function], Call] = {}
        self._entered: dict[tuple[str, int], int] = defaultdict(int)

    def run(self, lines: Iterator[tuple[int, str]]) -> Profile:
        number = 0
        try:
            for number, line in lines:
                first = line[:1]
                if first.isdigit() or first in ("+", "-", "*"):
                    cost = self._cost(line)
                    if cost:
                        self._self[self._function] += cost
                        spot = self._spot()
                        self._here[spot] = self._here.get(spot, 0) + cost
                elif first not in ("\n", "#"):
                    self._other(line.rstrip("\n"), lines)
            return self._finish()
        except (KeyError, ValueError, IndexError, StopIteration) as error:
            self._fail(number, f"not understood ({error!r})")

    def _cost(self, line: str) -> int:
        """Move to the position of a cost line; its cost of the event.

        Trailing zeros are left out, and the line after a jump has no
        costs at all.
        """
        words = line.split()
        at = self._at
        for column in range(len(at)):
            word = words[column]
            if word[0] in "+-":
                at[column] += int(word)
            elif word != "*":
                at[column] = int(word, 0)
        return int(words[self._column]) if len(words) > self._column else 0

    def _spot(self) -> Spot:
        """The present position."""
        return Spot(
            self._at[self._instr] if self._instr >= 0 else -1,
            self._file,
            self._at[self._line] if self._line >= 0 else 0,
        )

    def _other(self, line: str, lines: Iterator[tuple[int, str]]) -> None:
        key, equals, value = line.partition("=")
        if not equals or not key.isalpha():
            if ": " not in line and not line.endswith(":"):
                raise ValueError(line[:60])
            self._header(line)
        elif key == "ob":
            self._object = self._objects.read(value)
        elif key == "fl":
            self._file = self._files.read(value)
        elif key in ("fi", "fe"):
            # Inlined lines: a called function without cfi= is in that
            # file, but the cost stays with the function around them.
            self._file = self._files.read(value)
        elif key == "fn":
            name = self._functions.read(value)
            self._function = Function(self._object, self._file, name)
            self._here = self._spots.setdefault(self._function, {})
        elif key == "cob":
            self._called_object = self._objects.read(value)
        elif key in ("cfi", "cfl"):
            self._called_file = self._files.read(value)
        elif key == "cfn":
            self._callee = Function(
                self._called_object or self._object,
                self._called_file or self._file,
                self._functions.read(value),
            )
            self._called_object = self._called_file = None
        elif key == "calls":
            self._enter(value.split())
            self._call(int(value.split()[0]), self._cost(next(lines)[1]))
        elif key not in ("jump", "jcnd"):
            raise ValueError(f"unknown key {key!r}")

    def _enter(self, words: list[str]) -> None:
        """Note the address that is called: its position is written
        against that of the cost line before, which it leaves as it is."""
        if self._instr >= 0:
            word = words[1 + self._instr]
            address = int(word.replace("*", "+0"), 0)
            if word[0] in "+-*":
                address += self._at[self._instr]
            self._entered[self._callee.object, address] += int(words[0])

    def _call(self, count: int, inclusive: int) -> None:
        arc = (self._function, self._callee)
        before = self._calls.get(arc, Call(0, 0))
        self._calls[arc] = Call(
            before.count + count, before.inclusive + inclusive
        )

    def _header(self, line: str) -> None:
        self._frame.header(line)
        if line.startswith("events: "):
            positions = self._frame.positions
            at = self._frame.names.index(self._event)
            self._column = len(positions) + at
            self._at = [0] * len(positions)
            self._instr, self._line = (
                positions.index(name) if name in positions else -1
                for name in ("instr", "line")
            )

    def _finish(self) -> Profile:
        found = self._frame.totals()
        cost = sum(self._self.values())
        if cost != found.events[self._event]:
            self._fail(
                0,
                f"self costs add up to {cost}, the dump says"
                f" {found.events[self._event]} {self._event}",
            )
        return Profile(
            found,
            dict(self._self),
            self._calls,
            self._spots,
            dict(self._entered),
        )

    def _fail(self, line: int, what: str) -> NoReturn:
        place = f"{self._path}:{line}" if line else str(self._path)
        raise NotMeasured(f"{place}: {what}")
