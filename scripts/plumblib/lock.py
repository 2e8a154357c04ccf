"""One run at a time in one checkout: builds and records never mix.

The lock is the kernel's (flock), so a killed run leaves none behind.
"""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from plumblib.errors import UsageError
from plumblib.project import WORK

FILE = WORK / "lock"


@contextmanager
def held(root: Path, wait: bool = True) -> Iterator[None]:
    """Hold the lock of the checkout at `root`.

    Taken by a command, once, around all that it builds, measures and
    writes.  When another run has it: waits, saying so, or with `wait`
    false raises UsageError.
    """
    path = root / FILE
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
    try:
        _acquire(file, root, wait)
        with suppress(OSError):  # a full disk; it only names the owner
            os.ftruncate(file, 0)
            os.pwrite(file, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(file)


def _acquire(file: int, root: Path, wait: bool) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return
    except BlockingIOError:
        owner = os.pread(file, 32, 0).decode(errors="replace") or "unknown"
    busy = f"another run is under way in {root} (process {owner})"
    if not wait:
        raise UsageError(f"{busy}; try again when it has ended")
    print(f"plumb: {busy}; waiting for it to end", file=sys.stderr)
    fcntl.flock(file, fcntl.LOCK_EX)
