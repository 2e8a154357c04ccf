"""The one way to run another program.

Always an argument list, never a shell.  Each program gets a process group
of its own, and the whole group is killed when time runs out or when we
are interrupted, so that no compiler and no valgrind outlives us.
"""

from __future__ import annotations

import os
import selectors
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from plumblib.errors import NotMeasured


_TOLD_TO_END = ("setpriv", "--pdeathsig", "TERM")


@dataclass(frozen=True)
class Result:
    """How a program ended.  `code` is negative for a signal."""

    argv: tuple[str, ...]
    code: int
    stdout: str
    stderr: str


class ToolError(NotMeasured):
    """A program is missing, failed or ran out of time.

    `result` is None when it was never started or did not end by itself.
    """

    def __init__(self, message: str, result: Result | None = None) -> None:
        super().__init__(message)
        self.result = result


def environment(drop: str = "", **settings: str) -> dict[str, str]:
    """Our environment without the variables that begin with `drop`.

    `environment("GIT_")` is what a git command in a worktree needs;
    `environment(LC_ALL="C")` is for programs whose output is parsed.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not (drop and name.startswith(drop))
    }
    return kept | settings


def run(
    argv: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: str = "",
    timeout: float | None = None,
    check: bool = True,
    on_line: Callable[[str], None] | None = None,
    ends_with_us: bool = False,
) -> Result:
    """Run a program to its end and return what it printed.

    `env` replaces the environment.  `on_line` is given each line of its
    standard output as it comes, without the newline.  With `check`, an
    exit code other than 0 raises ToolError with what it said on stderr.
    A missing program and an expired `timeout` (seconds) always raise.

    `ends_with_us`: it is told to end (SIGTERM) when we are killed in a way
    that leaves us no time to.  A make then ends its compilers too.
    """
    words = tuple(str(word) for word in argv)
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as told:
        given.write(stdin.encode())
        given.seek(0)
        try:
            child = subprocess.Popen(
                (*_TOLD_TO_END, *words) if ends_with_us else words,
                cwd=cwd,
                env=env,
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=told,
                process_group=0,
            )
        except FileNotFoundError as error:
            missing = f"{error.filename}: not found"
            if error.filename == words[0]:
                missing += "; `plumb doctor` names the package that has it"
            raise ToolError(missing) from error
        except PermissionError as error:
            raise ToolError(f"{error.filename}: cannot be run") from error
        try:
            stdout = _read(child, timeout, on_line)
            code = child.wait(timeout)
        except subprocess.TimeoutExpired as error:
            _kill(child)
            raise ToolError(
                f"{shown(words)}: no end after {timeout:g} s"
            ) from error
        except BaseException:
            _kill(child)
            raise
        told.seek(0)
        stderr = told.read().decode(errors="replace")
    result = Result(words, code, stdout, stderr)
    if check and code != 0:
        raise ToolError(
            f"{shown(words)}: {how_it_ended(code)}{_excerpt(stderr)}", result
        )
    return result


def shown(argv: Sequence[str | Path]) -> str:
    """A command as one would type it."""
    return shlex.join(str(word) for word in argv)


def how_it_ended(code: int) -> str:
    """An exit code in words."""
    if code < 0:
        return f"killed by signal {-code} ({signal.strsignal(-code)})"
    return f"exited with status {code}"


def _read(
    child: subprocess.Popen[bytes],
    timeout: float | None,
    on_line: Callable[[str], None] | None,
) -> str:
    """Read standard output to its end, line by line for `on_line`."""
    assert child.stdout is not None
    end = None if timeout is None else time.monotonic() + timeout
    chunks: list[bytes] = []
    rest = b""
    with selectors.DefaultSelector() as ready, child.stdout as pipe:
        ready.register(pipe, selectors.EVENT_READ)
        while True:
            left = None if end is None else end - time.monotonic()
            if left is not None and left <= 0 or not ready.select(left):
                assert timeout is not None
                raise subprocess.TimeoutExpired(child.args, timeout)
            chunk = os.read(pipe.fileno(), 1 << 16)
            if not chunk:
                break
            chunks.append(chunk)
            if on_line is not None:
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    on_line(line.decode(errors="replace"))
    if on_line is not None and rest:
        on_line(rest.decode(errors="replace"))
    return b"".join(chunks).decode(errors="replace")


def _kill(child: subprocess.Popen[bytes]) -> None:
    """Kill the group.  The leader is reaped last: until then its number
    cannot belong to another group."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.wait()


def _excerpt(stderr: str, lines: int = 20) -> str:
    """What a program said, ready to follow a message.  Of much, the
    beginning, where a compiler's first error is, and the end."""
    said = stderr.strip().splitlines()
    if len(said) > 2 * lines:
        said = [*said[:lines], "...", *said[-lines:]]
    return "".join(f"\n  {line}" for line in said)
