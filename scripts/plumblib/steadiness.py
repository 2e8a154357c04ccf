"""How far a figure may be off because its blocks were not on one line."""

from __future__ import annotations

from fractions import Fraction

from plumblib.records import CaseResult


def slack_of(side: CaseResult, metric: str) -> Fraction:
    """The tolerance that an unsteady figure is given, of one operation.

    The residual is a distance at the end of a block, so the slope over the
    shortest block, of `iters` operations, is off by residual / iters.
    """
    figure = side.figures[metric]
    return Fraction(figure.residual, side.info.iters)
