"""The difference between base and head, as hunks: which lines it moves,
and which functions it touches."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from plumblib.git import Repository
from plumblib.symbolize import Frame, Frames

_RANGE = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(r'\\([abtnvfr"\\]|[0-7]{3})')
_NO_FILE = "/dev/null"


@dataclass(frozen=True)
class Hunk:
    """One changed place.  `old_file` or `new_file` is empty where there is
    none; `lines` begin with - or +."""

    old_file: str
    new_file: str
    old_start: int
    old_count: int
    new_start: int
    new_count: int
    lines: tuple[str, ...]

    @property
    def place(self) -> str:
        """Where it is, in head, or in base when it is gone there."""
        if self.new_file:
            return f"{self.new_file}:{self.new_start}"
        return f"{self.old_file}:{self.old_start}"


@dataclass(frozen=True)
class Range:
    """Lines of one source function, from the first with code to the
    last."""

    function: str
    file: str
    first: int
    last: int


@dataclass(frozen=True)
class Difference:
    """All hunks, and the names of renamed files."""

    hunks: tuple[Hunk, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()

    def head_place(self, file: str, line: int) -> tuple[str, int] | None:
        """Where a line of base is in head; None when it is gone.  Where as
        many lines came as went, each was changed and is still there."""
        name = dict(self.renamed).get(file, file)
        shift = 0
        for hunk in self.hunks:
            if hunk.old_file != file:
                continue
            end = hunk.old_start + hunk.old_count
            if hunk.old_count == 0:
                end += 1  # lines were added after old_start
            if line >= end:
                shift += hunk.new_count - hunk.old_count
            elif line >= hunk.old_start and hunk.old_count:
                if hunk.old_count != hunk.new_count:
                    return None
                return name, line - hunk.old_start + hunk.new_start
        return name, line + shift


def between(repository: Repository, commit: str) -> Difference:
    """What the working tree of the project changes since a commit.  File
    names are from the project's root.  Files that git does not know are
    not in it."""
    place = f":(top,literal){repository.prefix}" if repository.prefix else ":/"
    told = repository.says(
        *("-c", "core.quotePath=false", "-c", "diff.noprefix=false"),
        *("-c", "diff.mnemonicPrefix=false"),
        *("diff", "--unified=0", "--find-renames", "--no-color"),
        *("--no-ext-diff", "--no-textconv", "--diff-algorithm=histogram"),
        *(commit, "--", place),
    )
    return parse(told, repository.prefix)


def parse(text: str, prefix: str = "") -> Difference:
    """Reads `git diff -U0`; `prefix` is taken off file names."""
    hunks: list[Hunk] = []
    renamed: list[tuple[str, str]] = []
    old = new = ""
    left = 0  # lines of a hunk still to come, which may look like anything
    for line in text.split("\n"):
        if left and line[:1] in ("-", "+"):
            hunks[-1] = replace(hunks[-1], lines=(*hunks[-1].lines, line))
            left -= 1
        elif line.startswith(("--- ", "rename from ")):
            old = _file(line, prefix)
        elif line.startswith("+++ "):
            new = _file(line, prefix)
        elif line.startswith("rename to "):
            renamed.append((old, _file(line, prefix)))
        elif match := _RANGE.match(line):
            numbers = [1 if n is None else int(n) for n in match.groups()]
            left = numbers[1] + numbers[3]
            hunks.append(Hunk(old, new, *numbers, ()))
    return Difference(tuple(hunks), tuple(renamed))


def ranges(code: Iterable[Frames]) -> list[Range]:
    """Where the functions of some code are in the source, those inlined
    into it too; `code` are the frames of each instruction.

    Optimised code has a few instructions under the name of a function
    next to theirs: a line belongs to whom most of its instructions name.
    """
    lines: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    for frames in code:
        for frame in frames:
            if frame.file and frame.line:
                lines[frame.file, frame.line][frame.function] += 1
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for (file, line), names in lines.items():
        owner = max(names, key=lambda name: (names[name], name))
        found[owner, file].append(line)
    return [
        Range(function, file, min(numbers), max(numbers))
        for (function, file), numbers in sorted(found.items())
    ]


def touching(
    difference: Difference, base: list[Range], head: list[Range]
) -> list[tuple[Hunk, tuple[str, ...]]]:
    """The hunks that touch these functions, with the functions' names.

    `base` are ranges in the old files, `head` in the new ones.
    """
    found = []
    for hunk in difference.hunks:
        names = {
            one.function
            for one in base
            if one.file == hunk.old_file
            and _meet(one, hunk.old_start, hunk.old_count)
        } | {
            one.function
            for one in head
            if one.file == hunk.new_file
            and _meet(one, hunk.new_start, hunk.new_count)
        }
        if names:
            found.append((hunk, tuple(sorted(names))))
    return found


def moved_frames(difference: Difference, frames: Frames) -> Frames | None:
    """Frames of base in the lines of head; None when one is changed."""
    found = []
    for frame in frames:
        place = difference.head_place(frame.file, frame.line)
        if place is None:
            return None
        found.append(Frame(frame.function, *place))
    return tuple(found)


def _meet(one: Range, start: int, count: int) -> bool:
    """Whether lines meet a function.  Its first line of code is the one
    after its declaration or its brace, so one line above counts too; a
    hunk of no lines lies between `start` and the next."""
    if count == 0:
        return one.first - 1 <= start < one.last
    return start <= one.last and start + count > one.first - 1


def _file(line: str, prefix: str) -> str:
    """The file that a header line names, from the project's root."""
    name = re.sub(r"^(---|\+\+\+|rename from|rename to) ", "", line)
    # git ends a name that has spaces with a tab
    name = name.removesuffix("\t")
    if name.startswith('"'):
        name = _ESCAPE.sub(_unescaped, name[1:-1])
    if not line.startswith("rename"):
        if name == _NO_FILE:
            return ""
        name = name[2:]  # a/ or b/
    return name.removeprefix(prefix)


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    if code.isdigit():
        return chr(int(code, 8))
    return {"a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v",
            "f": "\f", "r": "\r"}.get(code, code)
