"""Standard streams that cannot change what a command ends with.

A verdict is an exit code.  A reader that has seen enough (`| head -1`)
must not turn red into green, a full disk must not turn green into red, and
neither may end a run before it has judged.
"""

from __future__ import annotations

import io
import os
import sys
from typing import Any, TextIO

from plumblib.errors import UsageError


def prepare() -> None:
    """Replace standard output and error.  Called once, before anything is
    printed or opened."""
    _fill_closed()
    sys.stdout = _wrapped(1, sys.stdout, "standard output")
    sys.stderr = _wrapped(2, sys.stderr, "")


class _Stream(io.FileIO):
    """A descriptor of others.  What its reader does not want is dropped.

    `name` is for the message when it cannot be written for another
    reason; without one, that is dropped too: there is nobody to tell.
    """

    def __init__(self, number: int, told_as: str) -> None:
        super().__init__(number, "wb", closefd=False)
        self._told_as = told_as
        self._dead = False

    def write(self, data: Any) -> int | None:  # None: would block
        if not self._dead:
            try:
                return super().write(data)
            except BrokenPipeError:
                self._dead = True
            except OSError as error:
                self._dead = True
                if self._told_as:
                    raise UsageError(
                        f"{self._told_as}: {error.strerror}"
                    ) from error
        return memoryview(data).nbytes


def _fill_closed() -> None:
    """A file that is opened later must not become a standard stream."""
    number = os.open(os.devnull, os.O_RDWR)
    while number <= 2:
        number = os.open(os.devnull, os.O_RDWR)
    os.close(number)


def _wrapped(number: int, old: TextIO | None, told_as: str) -> TextIO:
    """Letters that the terminal's encoding lacks are written as escapes."""
    return io.TextIOWrapper(
        io.BufferedWriter(_Stream(number, told_as)),
        encoding=old.encoding if old is not None else "utf-8",
        errors="backslashreplace",
        line_buffering=number == 2 or os.isatty(number),
    )
