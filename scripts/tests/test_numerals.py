"""Figures are shown exactly where they can be, and never as a false 0."""

from fractions import Fraction

import pytest

from plumblib.numerals import percent, plain, signed


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (1204331, "1,204,331"),
        (-4000, "-4,000"),
        (Fraction(550, 3), "183.33"),
        (Fraction(1999, 1000), "2.00"),
        (Fraction(1, 2), "0.50"),
        (Fraction(-1, 3), "-0.33"),
        (Fraction(1, 300), "0.003"),
        (Fraction(-1, 10**6), "-0.000001"),
        (Fraction(10**20 * 3 + 1, 3), "100,000,000,000,000,000,000.33"),
    ],
)
def test_plain(value, shown):
    assert plain(value) == shown


def test_signed():
    assert signed(12) == "+12"
    assert signed(Fraction(1, 4)) == "+0.25"
    assert signed(-12) == "-12"
    assert signed(0) == "0"


@pytest.mark.parametrize(
    ("change", "base", "shown"),
    [
        (1, 55, "+1.82 %"),
        (-71, 1000, "-7.10 %"),
        (0, 0, "0 %"),
        (0, 5, "0 %"),
        (3, 0, "from 0"),
        (1, 10**6, "+0.0001 %"),
        (10, 1000, "+1 %"),
    ],
)
def test_percent(change, base, shown):
    assert percent(change, base) == shown
