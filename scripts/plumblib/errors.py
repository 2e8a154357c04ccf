"""The failures that people can act on, each with its exit code.

A message is whole sentences for the person at the terminal: which file,
line or key, what was found, what was expected.  Anything that is not a
PlumbError is a fault of our own and keeps its traceback.
"""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes of every command."""

    OK = 0
    FAILED = 1  # judged, and red
    USAGE = 2  # usage, configuration, or a bad file
    NO_ANSWER = 3  # not measured, not comparable, no base
    INTERRUPTED = 130  # 128 + SIGINT, as a shell reports it


class PlumbError(Exception):
    """Ends the command with `exit_code` and its message on stderr."""

    exit_code: Exit = Exit.NO_ANSWER


class UsageError(PlumbError):
    """A wrong option, configuration or file."""

    exit_code = Exit.USAGE


class NotMeasured(PlumbError):
    """A tool is missing or failed, so there are no figures."""


class NotComparable(PlumbError):
    """Figures exist on both sides but were made under other conditions."""


class NoBase(PlumbError):
    """There is nothing to compare with; says why, and what to do."""


class Shallow(NoBase):
    """There is a base, and this clone does not say which."""


class Interrupted(BaseException):
    """SIGTERM or SIGHUP arrived; unwinds like KeyboardInterrupt does."""
