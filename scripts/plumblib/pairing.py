"""Which function of base is which function of head."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable

from plumblib.profiles import Place

Pair = tuple[Place | None, Place | None]

# What gcc appends to the name of a copy or a part of a function.
_CLONE = re.compile(r"(\.(constprop|isra|part|cold|lto_priv)(\.\d+)?)+$")

# One after the other, for what is left: the same name in the same file; a
# file that was renamed; a copy that the compiler specialised otherwise.
_KEYS: tuple[Callable[[Place], Hashable], ...] = (
    lambda place: place,
    lambda place: place._replace(file=""),
    lambda place: place._replace(file="", name=plain_name(place.name)),
)


def plain_name(name: str) -> str:
    """The name that a function has in the source."""
    return _CLONE.sub("", name)


def pair(base: Iterable[Place], head: Iterable[Place]) -> list[Pair]:
    """Pairs all functions; one that is on one side only has None for its
    partner.  A key that names several functions pairs none."""
    old, new = set(base), set(head)
    found: list[Pair] = []
    for key in _KEYS:
        ours = _by_key(old, key)
        theirs = _by_key(new, key)
        for name in ours.keys() & theirs.keys():
            found.append((ours[name], theirs[name]))
            old.remove(ours[name])
            new.remove(theirs[name])
    found += [(place, None) for place in old]
    found += [(None, place) for place in new]
    return sorted(found, key=lambda both: both[1] or both[0] or ())


def _by_key(
    places: set[Place], key: Callable[[Place], Hashable]
) -> dict[Hashable, Place]:
    often = Counter(map(key, places))
    return {
        key(place): place for place in places if often[key(place)] == 1
    }
