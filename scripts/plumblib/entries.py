"""Where the functions of a shared object begin, and which of them were
compiled with room at their entry."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from plumblib import process
from plumblib.errors import NotMeasured

_SECTION = re.compile(
    r"__patchable_function_entries\s+PROGBITS\s+(?P<at>[0-9a-f]+)\s+"
    r"[0-9a-f]+\s+(?P<size>[0-9a-f]+)"
)
_RELATIVE = re.compile(r"^([0-9a-f]+)\s+[0-9a-f]+\s+R_\w+_RELATIVE\w*\s+(\w+)")

# One function: its name, and which of those with this name it is, in the
# order of addresses.  Copies of one inline function share a name.
Place = tuple[str, int]


def functions(subject: Path) -> dict[int, Place]:
    """Every function of an object by its address."""
    done = process.run(["nm", "-n", "--defined-only", subject])
    seen: dict[str, int] = defaultdict(int)
    found: dict[int, Place] = {}
    for line in done.stdout.splitlines():
        address, kind, name = line.split(maxsplit=2)
        if kind in "tTwWi":
            found[int(address, 16)] = (name, seen[name])
            seen[name] += 1
    return found


def patchable(subject: Path) -> set[Place]:
    """The functions that -fpatchable-function-entry has made room in.

    The compiler lists their addresses in a section of its own, and the
    linker makes each a relocation.
    """
    sections = process.run(["readelf", "-SW", subject]).stdout
    section = _SECTION.search(sections)
    if section is None:
        return set()
    start = int(section["at"], 16)
    end = start + int(section["size"], 16)
    known = functions(subject)
    found = set()
    for line in process.run(["readelf", "-rW", subject]).stdout.splitlines():
        match = _RELATIVE.match(line)
        if match and start <= int(match[1], 16) < end:
            address = int(match[2], 16)
            if address not in known:
                raise NotMeasured(f"{subject}: no function at {address:#x}")
            found.add(known[address])
    return found
