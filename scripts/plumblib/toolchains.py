"""Whether two toolchains count alike, and which of one a suite uses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from plumblib.records import CaseResult, Toolchain

_FIELDS = ("platform", "compiler", "flags", "libc", "valgrind")


def differences(before: Toolchain, now: Toolchain) -> list[str]:
    """What makes figures of these two not comparable; empty if nothing.

    Of shared objects only those that both name count: code that is no
    longer used, or newly used, is a change of the subject.
    """
    unlike = [
        (name, getattr(before, name), getattr(now, name)) for name in _FIELDS
    ]
    unlike += [
        (f"build of {name}", build, now.objects[name])
        for name, build in sorted(before.objects.items())
        if name in now.objects
    ]
    return [
        f"{name}: {old!r} in the baseline, {new!r} here"
        for name, old, new in unlike
        if old != new
    ]


def used_by(cases: Iterable[CaseResult], toolchain: Toolchain) -> Toolchain:
    """The toolchain with only the objects in which these cases spend
    instructions: an update of any other leaves their figures alone."""
    names = {name for case in cases for name in case.objects}
    return replace(
        toolchain,
        objects={
            name: build
            for name, build in toolchain.objects.items()
            if name in names
        },
    )
