"""Exact figures as people read them."""

from __future__ import annotations

from fractions import Fraction


def plain(value: Fraction | int) -> str:
    """1,204,331 where it is whole, else with two decimals: 183.33.

    What is not 0 is never shown as 0: then as many decimals as it takes.
    """
    value = Fraction(value)
    if value.denominator == 1:
        return f"{value.numerator:,}"
    digits = 2
    while round(abs(value) * 10**digits) == 0:
        digits += 1
    scaled = round(abs(value) * 10**digits)
    whole, rest = divmod(scaled, 10**digits)
    sign = "-" if value < 0 else ""
    return f"{sign}{whole:,}.{rest:0{digits}d}"


def signed(value: Fraction | int) -> str:
    """The same with its sign: +12, -3.50, 0."""
    return f"+{plain(value)}" if value > 0 else plain(value)


def percent(change: Fraction | int, base: Fraction | int) -> str:
    """A change as a share of base: "+1.82 %"; "from 0" has no share."""
    if change == 0:
        return "0 %"
    if base == 0:
        return "from 0"
    return f"{signed(Fraction(change) * 100 / base)} %"
