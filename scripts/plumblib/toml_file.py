"""A TOML file whose mistakes are reported with line and key.

`tomllib` gives line numbers for syntax errors only; `Table` finds the
line of a key that parsed well but does not say what is expected.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from plumblib import files
from plumblib.errors import UsageError

_WORDS = {
    str: "a string",
    int: "a whole number",
    bool: "true or false",
    dict: "a table",
    list: "an array",
}


class Table:
    """One table of the file.  Each key is taken once with the type it
    must have; `finish` refuses those that nobody took."""

    def __init__(
        self, file: _File, value: dict[str, Any], path: tuple[str | int, ...]
    ) -> None:
        self._file = file
        self._value = value
        self._path = path
        self._taken: list[str] = []

    def has(self, key: str) -> bool:
        return key in self._value

    def text(self, key: str, default: str | None = None) -> str:
        """A string that is not empty."""
        value = self._take(key, str, default)
        if not value and default != "":
            self.fail(key, "expected a string that is not empty")
        if any(ord(letter) < 32 for letter in value):
            self.fail(key, f"has a control character in it: {value!r}")
        return value

    def number(
        self,
        key: str,
        default: int | None = None,
        least: int = 0,
        most: int = 10**9,
    ) -> int:
        """A whole number from `least` to `most`."""
        value = self._take(key, int, default)
        if value < least:
            self.fail(key, f"expected at least {least}, found {value}")
        if value > most:
            self.fail(key, f"expected at most {most}, found {value:.3g}")
        return value

    def words(
        self, key: str, default: tuple[str, ...] | None = None
    ) -> tuple[str, ...]:
        """An array of strings, for example an argument list."""
        value = self._take(key, list, default)
        for item in value:
            if not isinstance(item, str) or not item:
                self.fail(
                    key, f"expected an array of strings, found {item!r} in it"
                )
            if "\0" in item:
                self.fail(key, f"has a NUL in it: {item!r}")
        return tuple(value)

    def table(self, key: str) -> Table:
        """A table inside this one; an empty one when it is not there."""
        value = self._take(key, dict, {})
        return Table(self._file, value, (*self._path, key))

    def tables(self, key: str) -> list[Table]:
        """An array of tables, `[[key]]`."""
        value = self._take(key, list, [])
        for item in value:
            if not isinstance(item, dict):
                self.fail(key, f"expected [[{key}]] tables, found {item!r}")
        return [
            Table(self._file, item, (*self._path, key, at))
            for at, item in enumerate(value)
        ]

    def finish(self) -> None:
        """Refuse keys that were not taken."""
        for key in self._value:
            if key not in self._taken:
                known = ", ".join(sorted(self._taken))
                self.fail(key, f"unknown key, expected one of: {known}")

    def fail(self, key: str, what: str) -> NoReturn:
        """Raise UsageError for a key of this table: file, line, key."""
        path = (*self._path, key)
        shown = ".".join(step for step in path if isinstance(step, str))
        raise UsageError(f"{self._file.place(path)}: {shown}: {what}")

    def _take(self, key: str, kind: type, default: Any) -> Any:
        self._taken.append(key)
        if key not in self._value:
            if default is None:
                self.fail(key, f"is missing, expected {_WORDS[kind]}")
            return default
        value = self._value[key]
        if type(value) is not kind:  # a bool is no whole number
            self.fail(key, f"expected {_WORDS[kind]}, found {value!r}")
        return value


def load(path: Path) -> Table:
    """Parse a file.  Raises UsageError with the line of a mistake."""
    text = files.read_text(path)
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: is not TOML: {error}") from error
    return Table(_File(path, text), value, ())


class _File:
    """Where things stand in the file."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._text = text

    def place(self, path: tuple[str | int, ...]) -> str:
        """`file:line` of a key, or of the nearest table around it."""
        best_line, best_depth = 0, 0
        for line, found in _lines(self._text):
            depth = len(found)
            if best_depth < depth <= len(path) and found == path[:depth]:
                best_line, best_depth = line, depth
        return f"{self._path}:{best_line}" if best_line else str(self._path)


_HEADER = re.compile(r"\s*\[(\[?)([^\[\]]+)\]")
_KEY = re.compile(r"\s*([^\s=#\[][^=#]*?)\s*=")


def _lines(text: str) -> Iterator[tuple[int, tuple[str | int, ...]]]:
    """Each line that names a table or a key, with the path it names."""
    table: tuple[str | int, ...] = ()
    counts: dict[tuple[str | int, ...], int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            name = _dotted(header.group(2))
            if name is None:
                continue
            table = name
            if header.group(1):
                at = counts.get(name, 0)
                counts[name] = at + 1
                table = (*name, at)
            yield number, table
        elif pair := _KEY.match(line):
            key = _dotted(pair.group(1))
            if key is not None:
                yield number, (*table, *key)


def _dotted(key: str) -> tuple[str, ...] | None:
    """A TOML key as a path, or None where the line only looked like one
    (inside an array or a string of several lines)."""
    try:
        value = tomllib.loads(f"{key} = 0")
    except tomllib.TOMLDecodeError:
        return None
    path = []
    while isinstance(value, dict):
        ((step, value),) = value.items()
        path.append(step)
    return tuple(path)
