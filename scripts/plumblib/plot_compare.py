"""Draw one comparison with matplotlib: a bar for the change of each case.

The largest increase stands at the top.  A long comparison leaves out the
cases that did not move and counts them in the caption.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from plumblib import numerals
from plumblib.errors import NotMeasured
from plumblib.pictures import BAD, CALM, GOOD, INK, MARK, PAPER
from plumblib.records import METRICS, CaseVerdict, Outcome, Report
from plumblib.rows import cases_of, difference

_MAIN = METRICS[0]
_FOLD_ABOVE = 40  # bars; beyond, cases that did not move are left out
_BAR = 0.24  # inches from bar to bar
_LETTER = 0.076  # inches of a letter at 9 points
_AROUND = 0.9  # inches above and below the bars
_COLOURS = {
    Outcome.SAME: CALM,
    Outcome.FASTER: GOOD,
    Outcome.SLOWER: BAD,
}


@dataclass(frozen=True)
class Bar:
    """One case.  `percent` is 0 where there is nothing to compare."""

    case: str
    percent: float
    label: str  # stands beside the bar
    outcome: Outcome


def svg(report: Report) -> str:
    """The picture as an SVG document; equal reports, equal bytes."""
    bars, left_out = bars_of(report)
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise NotMeasured(
            "python3-matplotlib is missing; `plumb doctor` says how to"
            " install it"
        ) from error
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # nobody's matplotlibrc
        matplotlib.rcParams.update(
            {
                "svg.hashsalt": "plumb",
                "svg.fonttype": "none",
                "text.parse_math": False,
                "font.size": 9,
                "font.family": ["DejaVu Sans Mono", "monospace"],
                "text.color": INK,
                "axes.facecolor": "none",
                "axes.edgecolor": INK,
                "axes.labelcolor": INK,
                "xtick.color": INK,
                "ytick.color": INK,
            }
        )
        figure = Figure()
        _draw(figure, bars, left_out)
        out = io.StringIO()
        figure.savefig(
            out, format="svg", facecolor=PAPER, metadata={"Date": None}
        )
    return out.getvalue()


def bars_of(report: Report) -> tuple[list[Bar], int]:
    """The bars from top to bottom, and how many cases are left out."""
    bars = [_bar(verdict) for verdict in cases_of(report)]
    bars.sort(key=lambda bar: (-bar.percent, bar.case))
    if len(bars) <= _FOLD_ABOVE:
        return bars, 0
    moved = [
        bar
        for bar in bars
        if bar.percent or bar.outcome is not Outcome.SAME
    ]
    return moved, len(bars) - len(moved)


def _bar(verdict: CaseVerdict) -> Bar:
    percent, words = 0.0, []
    for metric in verdict.metrics:
        change = difference(metric)
        if change is None or metric.base is None:
            continue
        if metric.metric == _MAIN.name:
            base = metric.base.per_op
            if base:
                percent = float(Fraction(change) * 100 / base)
            words.insert(0, numerals.percent(change, base))
        elif change:
            words.append(f"{metric.metric} {numerals.signed(change)}")
    if verdict.outcome not in (
        Outcome.SAME,
        Outcome.FASTER,
        Outcome.SLOWER,
    ):
        words.append(verdict.outcome.value)
    return Bar(verdict.id, percent, ", ".join(words), verdict.outcome)


def _draw(figure: Any, bars: list[Bar], left_out: int) -> None:
    """Lay out in inches: ids, bars, and room for the labels beside."""
    names = max((len(bar.case) for bar in bars), default=0) * _LETTER + 0.3
    labels = max((len(bar.label) for bar in bars), default=0) * _LETTER + 0.3
    caption = _caption(left_out if bars else None)
    width = max(names + 4.8 + labels, len(caption) * _LETTER + 0.3)
    height = max(len(bars), 1) * _BAR + _AROUND
    figure.set_size_inches(width, height)
    axes = figure.add_axes(
        (
            names / width,
            0.4 / height,
            1 - (names + 0.4) / width,
            1 - _AROUND / height,
        )
    )
    figure.text(0.1 / width, 1 - 0.25 / height, caption)
    low = min(0.0, *(bar.percent for bar in bars), -0.5)
    high = max(0.0, *(bar.percent for bar in bars), 0.5)
    scale = (high - low) / (width - names - labels - 0.5)  # % to an inch
    axes.set_xlim(low - 0.1 * scale, high + labels * scale)
    axes.set_ylim(max(len(bars), 1) - 0.4, -0.6)
    axes.axvline(0, color=INK, linewidth=0.8)
    for at, bar in enumerate(bars):
        colour = _COLOURS.get(bar.outcome, MARK)
        axes.barh(at, bar.percent, height=0.6, color=colour)
        axes.text(
            max(bar.percent, 0) + 0.08 * scale,
            at,
            bar.label,
            verticalalignment="center_baseline",
            color=INK if colour is CALM else colour,
        )
    axes.set_yticks(
        range(len(bars)), [bar.case for bar in bars], fontsize=9
    )
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_formatter(
        lambda value, _: f"{value:+g} %" if value else "0"
    )
    axes.spines[["top", "right", "left"]].set_visible(False)


def _caption(left_out: int | None) -> str:
    if left_out is None:
        return "no cases to compare"
    text = f"change of {_MAIN.about} (less is better)"
    if left_out:
        text += f"; {left_out:,} more did not move"
    return text
