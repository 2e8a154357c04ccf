#!/usr/bin/python3
"""A wrapper for `gcc -wrapper`: slows one function down, nothing else.

    gcc -wrapper nops.py,NAME,COUNT ...

puts COUNT nops at the entry of function NAME in the assembler text, after
the compiler has decided everything: each call costs COUNT more, and no
other instruction changes.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main(argv: list[str]) -> None:
    name, count, tool, *words = argv
    if os.path.basename(tool) == "as":
        for word in words:
            if word.endswith(".s"):
                slow_down(Path(word), name, int(count))
    os.execvp(tool, [tool, *words])


def slow_down(path: Path, name: str, count: int) -> None:
    """Add the nops, or fail: a mutant that is none would prove nothing."""
    text = path.read_text()
    label = f"\n{name}:\n"
    if text.count(label) != 1:
        sys.exit(f"nops: {text.count(label)} functions are named {name}")
    path.write_text(text.replace(label, label + "\tnop\n" * count))


if __name__ == "__main__":
    main(sys.argv[1:])
