"""Claims hold to the last millionth and on any machine."""

from __future__ import annotations

import pytest
from samples import case, figure, measurement

from plumblib.claims import (
    as_before,
    bounds,
    judge_claims,
    loosened,
    unasked,
)
from plumblib.records import Claim, Outcome


def claim(least: int, most: int, metric: str = "instructions") -> Claim:
    return Claim("demo/pair/x", "demo/scalar/x", metric, least, most, "why")


def verdict(mine, other, least, most):
    head = measurement(
        case("demo/pair/x", mine),
        case("demo/scalar/x", other),
        claims=(claim(least, most),),
    )
    (row,) = judge_claims(head)
    return row


@pytest.mark.parametrize(
    ("mine", "other", "least", "most", "holds"),
    [
        (86, 100, 0, 860_000, True),
        (87, 100, 0, 860_000, False),
        (86, 100, 860_000, 900_000, True),
        (85, 100, 860_000, 900_000, False),
        (100, 100, 1_000_000, 1_000_000, True),
        (101, 100, 1_000_000, 1_000_000, False),
        (99, 100, 1_000_000, 1_000_000, False),
        ("1/3", "2/3", 500_000, 500_000, True),
        (0, 0, 1_000_000, 1_000_000, True),
        (1, 0, 0, 5_000_000, False),
        (figure(87, 10), 100, 0, 860_000, True),  # residual 1 an operation
        (figure(88, 10), 100, 0, 860_000, False),
        (86, figure(99, 10), 0, 860_000, True),
    ],
)
def test_bounds_are_exact(mine, other, least, most, holds):
    row = verdict(mine, other, least, most)
    assert row.outcome is (Outcome.SAME if holds else Outcome.CLAIM_BROKEN)
    assert row.against == "demo/scalar/x"


def test_a_broken_claim_says_what_was_claimed():
    row = verdict(100, 100, 0, 860_000)
    assert row.note == "claimed at most 0.86 of it: why"


def test_bounds_in_words():
    assert bounds(claim(0, 860_000)) == "at most 0.86 of it"
    assert bounds(claim(500_000, 2_000_000)) == "0.5 to 2 of it"
    assert bounds(claim(1_000_000, 1_000_000)) == "to cost the same"
    assert bounds(claim(333_333, 333_333)) == "exactly 0.333333 of it"


def test_a_claim_needs_both_cases():
    failed = measurement(
        case("demo/pair/x", failure="run: boom"),
        claims=(claim(0, 860_000),),
    )
    (row,) = judge_claims(failed)
    assert row.outcome is Outcome.NOT_MEASURED
    assert row.note == (
        "demo/pair/x: run: boom; demo/scalar/x: no such case"
    )
    heap = measurement(
        case("demo/pair/x"),
        case("demo/scalar/x", heap_calls=1),
        claims=(claim(0, 860_000, "heap_calls"),),
    )
    (row,) = judge_claims(heap)
    assert row.note == "demo/pair/x: no figure for heap_calls"


def test_a_claim_on_cases_not_asked_for_is_left_out():
    head = measurement(
        case("demo/pair/x"),
        declared=("demo/pair/x", "demo/scalar/x"),
        claims=(claim(0, 860_000),),
    )
    assert judge_claims(head) == ()
    assert unasked(head) == 1


def test_a_claim_taken_back_is_noticed():
    tight = measurement(claims=(claim(0, 860_000),))
    loose = measurement(claims=(claim(0, 900_000),))
    assert loosened(tight, tight) == ()
    assert loosened(loose, tight) == ()
    assert loosened(tight, loose) == tight.claims
    assert loosened(tight, measurement()) == tight.claims
    assert as_before(loose, tight.claims).claims == tight.claims
    assert as_before(measurement(), tight.claims).claims == tight.claims
    heap = measurement(claims=(claim(0, 1, "heap_calls"),))
    assert as_before(heap, tight.claims).claims == tight.claims + heap.claims
