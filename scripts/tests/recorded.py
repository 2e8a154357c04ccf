"""The recorded operation of data/explain, as the collectors would give it.
"""

from __future__ import annotations

from pathlib import Path

from plumblib import callgrind, profiles, symbolize
from plumblib.collect_count import Counted
from plumblib.profiles import OpProfile
from plumblib.records import Figure

FOLDER = Path(__file__).resolve().parent / "data" / "explain"
OPS = 40
FIGURES = {"before": Figure(423, 1), "after": Figure(460, 1)}


def subject(side: str) -> Path:
    """Where the subject was, when it was recorded."""
    return Path(f"/home/demo/{side}/suite.so")


def counted(side: str, contexts: bool = False) -> Counted:
    """One count of "before" or "after"."""
    name = f"{side}-contexts.dump" if contexts else f"{side}.dump"
    profile = callgrind.parse(FOLDER / name)
    return Counted(None, "0", FIGURES[side], profile, OPS)


def lookup(side: str) -> profiles.Lookup:
    """Looks addresses up in what addr2line said."""
    told = symbolize.parse(
        (FOLDER / f"{side}.addr2line").read_text(),
        symbolize.relative_to(Path("/home/demo")),
    )
    return lambda addresses: {at: told[at] for at in addresses}


def profile(side: str) -> OpProfile:
    """The profile of one operation."""
    return profiles.of(counted(side), subject(side), lookup(side))
