"""Call stacks of one operation, and the formats that other tools read.

The stacks are real: callgrind counted each function once for each way to
it (`--separate-callers`), and the way is part of the name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from fractions import Fraction
from typing import Any

from plumblib.collect_count import Counted
from plumblib.errors import NotMeasured

Stack = tuple[str, ...]  # the outermost function first
Stacks = dict[Stack, Fraction]  # self cost of one operation

# The harness's loop, around every operation.
_LOOP = ("measure", "run_block")
_STUB = re.compile(r"0x[0-9a-f]+( \[PLT\])?")
_STUB_NAME = "[stub]"


def of(counted: Counted) -> Stacks:
    """The stacks of a case that was counted with its contexts."""
    if counted.profile is None:
        raise NotMeasured(counted.failure or "was not counted")
    found: Stacks = defaultdict(Fraction)
    for function, cost in counted.profile.self_cost.items():
        stack = parse(function.name)
        if stack:
            found[stack] += Fraction(cost, counted.ops)
    return dict(found)


def parse(context: str) -> Stack:
    """The stack in a name like `leaf'caller'measure`, without the loop.

    Stubs through which libraries are called are left out, but where the
    cost is that of the stub itself.
    """
    names = context.split("'")[::-1]
    if tuple(names[: len(_LOOP)]) == _LOOP:
        names = names[len(_LOOP):]
    elif tuple(names) == _LOOP[: len(names)]:
        return ()
    return tuple(
        _STUB_NAME if _STUB.fullmatch(name) else name
        for at, name in enumerate(names, 1)
        if at == len(names) or not _STUB.fullmatch(name)
    )


def collapsed(stacks: Stacks, operations: int) -> str:
    """One line a stack: `outer;inner count`, with whole instructions of so
    many operations."""
    return "".join(
        f"{';'.join(stack)} {round(cost * operations)}\n"
        for stack, cost in sorted(stacks.items())
        if cost
    )


def speedscope(case: str, sides: dict[str, Stacks]) -> dict[str, Any]:
    """A speedscope file with a profile for each side; weights are the
    instructions of one operation."""
    names = sorted(
        {name for stacks in sides.values() for stack in stacks
         for name in stack}
    )
    index = {name: at for at, name in enumerate(names)}
    return {
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "exporter": "plumb",
        "name": case,
        "activeProfileIndex": len(sides) - 1,
        "shared": {"frames": [{"name": name} for name in names]},
        "profiles": [
            _sampled(f"{side}: {case}", stacks, index)
            for side, stacks in sides.items()
        ],
    }


def _sampled(
    name: str, stacks: Stacks, index: dict[str, int]
) -> dict[str, Any]:
    samples = [(stack, cost) for stack, cost in sorted(stacks.items()) if cost]
    return {
        "type": "sampled",
        "name": name,
        "unit": "none",
        "startValue": 0,
        "endValue": _number(sum((c for _, c in samples), Fraction(0))),
        "samples": [[index[one] for one in stack] for stack, _ in samples],
        "weights": [_number(cost) for _, cost in samples],
    }


def _number(cost: Fraction) -> int | float:
    return cost.numerator if cost.denominator == 1 else float(cost)
