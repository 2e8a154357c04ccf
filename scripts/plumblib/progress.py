"""Tells on standard error how far a run has come.

A bar where that is a terminal, plain lines otherwise.  `NO_COLOR` is
honoured by rich.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec


@contextmanager
def stage(what: str, total: int = 0) -> Iterator[Callable[[str], None]]:
    """A stage of a run: "counting", of `total` cases.

    Yields a function to call with the name of each thing that is done.
    """
    bar = sys.stderr.isatty() and find_spec("rich") is not None
    show = _bar if bar else _lines
    with show(what, total) as advance:
        yield advance


def note(text: str) -> None:
    """One line beside the stages."""
    print(f"plumb: {text}", file=sys.stderr, flush=True)


@contextmanager
def _bar(what: str, total: int) -> Iterator[Callable[[str], None]]:
    from rich import progress
    from rich.console import Console

    columns = (
        progress.SpinnerColumn(),
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeElapsedColumn(),
        progress.TextColumn("[dim]{task.fields[last]}"),
    )
    console = Console(stderr=True)
    with progress.Progress(
        *columns, console=console, transient=True
    ) as shown:
        task = shown.add_task(what, total=total or None, last="")
        yield lambda name: shown.update(task, advance=1, last=name)


@contextmanager
def _lines(what: str, total: int) -> Iterator[Callable[[str], None]]:
    of = f" {total} cases" if total else ""
    print(f"plumb: {what}{of}", file=sys.stderr, flush=True)
    start = time.monotonic()
    yield lambda name: None
    took = time.monotonic() - start
    print(
        f"plumb: {what}{of}: done in {took:.1f} s",
        file=sys.stderr,
        flush=True,
    )
