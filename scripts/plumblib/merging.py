"""Put the shards of a run together: measurements in, one out, no files.

A shard is a run of some of the cases, on another machine of a CI matrix
for example.  What they measured must be one thing: the same project,
commit and toolchain, and no case twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from plumblib.errors import NotComparable, UsageError
from plumblib.records import Measurement, Toolchain


def merge(shards: Mapping[str, Measurement]) -> Measurement:
    """All cases of all shards, which go by their file names.

    Raises UsageError when a case is in two of them or when they measured
    different things, NotComparable when their toolchains differ.  The
    time is that of the last.
    """
    (first, whole), *others = shards.items()
    owner = dict.fromkeys(whole.cases, first)
    for name, shard in others:
        _refuse_other(first, whole, name, shard)
        for case in shard.cases:
            if case in owner:
                raise UsageError(f"{name}: {case} is in {owner[case]} too")
            owner[case] = name
        whole = replace(
            whole,
            made_at=max(whole.made_at, shard.made_at),
            toolchain=_joined(first, whole.toolchain, name, shard.toolchain),
            cases=whole.cases | shard.cases,
        )
    return replace(whole, cases=dict(sorted(whole.cases.items())))


def _refuse_other(
    first: str, whole: Measurement, name: str, shard: Measurement
) -> None:
    for what in "project", "revision", "claims", "declared":
        mine, other = getattr(whole, what), getattr(shard, what)
        if mine != other:
            raise UsageError(
                f"{name}: its {what} is not that of {first}:"
                f" {_told(other)}, not {_told(mine)}"
            )


def _joined(
    first: str, whole: Toolchain, name: str, shard: Toolchain
) -> Toolchain:
    """One toolchain.  Each shard knows the libraries that its own cases
    use, so their sets may differ; what is in both may not."""
    for part in fields(Toolchain):
        mine, other = getattr(whole, part.name), getattr(shard, part.name)
        if part.name == "objects":
            common = mine.keys() & other.keys()
            mine = {key: mine[key] for key in sorted(common)}
            other = {key: other[key] for key in sorted(common)}
        if mine != other:
            raise NotComparable(
                f"{name}: its {part.name} is not that of {first}:"
                f" {_told(other)}, not {_told(mine)}"
            )
    return replace(whole, objects=whole.objects | shard.objects)


def _told(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 200 else f"{text[:200]} ..."
