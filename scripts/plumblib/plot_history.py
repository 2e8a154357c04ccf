"""Draw the history of a case with gnuplot: a line over the accepts.

The points are spaced evenly, since what matters is their order.  The
line is broken where the toolchain changed, because figures on both sides
of such a mark do not compare; the mark says what changed.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import cycle

from plumblib import numerals, process
from plumblib.pictures import INK, LINE, MARK, PAPER
from plumblib.series import Point, Series

_WIDTH, _HEIGHT = 580, 240
_LEFT, _RIGHT = 80, 80  # margins, pixels; the last value stands right
_TICKS = 5
_LETTER = 6.2  # width of a letter of a mark, pixels


def svg(series: Series) -> str:
    """The picture as an SVG document; equal series, equal bytes."""
    top = 1 - 48 / _HEIGHT
    return _gnuplot(
        [
            f"set term svg size {_WIDTH},{_HEIGHT} noenhanced"
            f" font 'sans-serif,11' name 'history' background '{PAPER}'",
            f"set lmargin at screen {_LEFT / _WIDTH:.4f}",
            f"set rmargin at screen {1 - _RIGHT / _WIDTH:.4f}",
            f"set tmargin at screen {top:.4f}",
            f"set bmargin at screen {40 / _HEIGHT:.4f}",
            f"set border 3 linecolor rgb '{INK}'",
            f"set xtics nomirror scale 0.5 textcolor rgb '{INK}'",
            f"set ytics nomirror scale 0.5 textcolor rgb '{INK}'",
            f"set label {_quoted(_title(series))} at screen 0.01,0.94"
            f" textcolor rgb '{INK}'",
            *_marks(series),
            *_axes(series),
            *_data(series),
            _plot(series, f"linecolor rgb '{LINE}'"),
        ]
    )


def text(series: Series, columns: int, rows: int) -> str:
    """The same picture in characters, for a terminal of that size."""
    return _gnuplot(
        [
            f"set term dumb {max(columns, 40)},{max(rows, 10)} noenhanced",
            f"set title {_quoted(_title(series))}",
            "set rmargin 12",
            "set border 3",
            "set tics nomirror scale 0.5",
            *_axes(series, ticks=4),
            *_lines_at_marks(series, ""),
            *_data(series),
            _plot(series, ""),
        ]
    )


def _gnuplot(commands: list[str]) -> str:
    """Run gnuplot as everybody has it: no start-up file, plain locale."""
    script = "\n".join(["set encoding utf8", *commands, ""])
    environment = process.environment("GNUPLOT", LC_ALL="C")
    return process.run(
        ["gnuplot", "-d", "-"], stdin=script, env=environment, timeout=60
    ).stdout


def _title(series: Series) -> str:
    metric = series.metric
    title = f"{series.case}: {metric.about} ({metric.unit})"
    if any(point.figure.residual for point in series.points):
        title += "; a ring: unsteady"
    return title


def _axes(series: Series, ticks: int = _TICKS) -> list[str]:
    """Ranges, ticks, and the value of the last point beside it."""
    points = series.points
    if not points:
        return [
            "set xrange [0:1]",
            "set yrange [0:1]",
            "unset xtics",
            "unset ytics",
            "set label 'nothing recorded yet' at graph 0.5,0.5 center"
            f" textcolor rgb '{INK}'",
        ]
    low, high = _range([point.figure.per_op for point in points])
    every = ", ".join(
        f'"{_plain(points[at].commit)}\\n{points[at].date[:10]}" {at + 1}'
        for at in _spread(len(points), ticks)
    )
    rising = ", ".join(
        f"{_quoted(numerals.plain(value))} {_number(value)}"
        for value in _steps(low, high)
    )
    last = points[-1].figure.per_op
    beside = f"{len(points)},{_number(last)}"
    return [
        f"set xrange [0.5:{len(points) + 0.5}]",
        f"set yrange [{_number(low)}:{_number(high)}]",
        f"set xtics ({every})",
        f"set ytics ({rising})",
        f"set label {_quoted(numerals.plain(last))} at {beside}"
        f" left offset character 1.5,0 textcolor rgb '{LINE}'",
    ]


def _data(series: Series) -> list[str]:
    """Two blocks: all points, with a gap at each mark, and the unsteady.

    gnuplot refuses an empty block, so each begins with a missing point.
    """
    line, rings = ["NaN NaN"], ["NaN NaN"]
    for x, point in enumerate(series.points, start=1):
        row = f"{x} {_number(point.figure.per_op)}"
        if point.changed:
            line.append("")
        line.append(row)
        if point.figure.residual:
            rings.append(row)
    return ["$line << END", *line, "END", "$rings << END", *rings, "END"]


def _plot(series: Series, colour: str) -> str:
    size = 0.7 if len(series.points) <= 60 else 0.3
    return (
        f"plot $line with linespoints pointtype 7 pointsize {size} {colour}"
        f" notitle, $rings with points pointtype 6 pointsize 1.6 {colour}"
        " notitle"
    )


def _marks(series: Series) -> list[str]:
    """A broken line at each change of the toolchain, and its name above
    unless the name before it needs the room."""
    inner = _WIDTH - _LEFT - _RIGHT
    commands = _lines_at_marks(series, f"linecolor rgb '{MARK}'")
    free_from = 0.0
    for x, point in _changes(series):
        name = _shortened(point.changed)
        room = len(name) * _LETTER
        left = _LEFT + inner * (x - 0.5) / len(series.points)
        left = min(left, _WIDTH - 4 - room)
        if left >= free_from:
            commands.append(
                f"set label {_quoted(name)} at screen"
                f" {left / _WIDTH:.4f},{1 - 37 / _HEIGHT:.4f} left"
                f" font 'sans-serif,10' textcolor rgb '{MARK}'"
            )
            free_from = left + room + 8
    return commands


def _lines_at_marks(series: Series, colour: str) -> list[str]:
    return [
        f"set arrow from {x}, graph 0 to {x}, graph 1 nohead dashtype 2"
        f" {colour}"
        for x, _ in _changes(series)
    ]


def _changes(series: Series) -> list[tuple[float, Point]]:
    """Where marks stand: half a step before the changed point."""
    return [
        (at + 0.5, point)
        for at, point in enumerate(series.points)
        if point.changed
    ]


def _shortened(names: tuple[str, ...]) -> str:
    text = ", ".join(names)
    return text if len(text) <= 32 else f"{names[0]} and {len(names) - 1} more"


def _range(values: list[Fraction]) -> tuple[Fraction, Fraction]:
    """From just below the least to just above the greatest.  Never so
    close that half a percent fills the picture."""
    low, high = min(values), max(values)
    around = max((high - low) / 8, abs(high) / 200, Fraction(1))
    if low >= 0:
        return max(low - around, Fraction(0)), high + around
    return low - around, high + around


def _steps(low: Fraction, high: Fraction) -> list[Fraction]:
    """Three to seven round values between low and high."""
    step = Fraction(1, 100)
    growth = cycle((Fraction(2), Fraction(5, 2), Fraction(2)))  # 1, 2, 5, 10
    while (high - low) / step > 6:
        step *= next(growth)
    first = -(-low // step)
    return [step * at for at in range(first, high // step + 1)]


def _spread(count: int, wanted: int) -> list[int]:
    """Evenly chosen indices, the first and the last among them."""
    if count <= wanted:
        return list(range(count))
    gaps = wanted - 1
    return [at * (count - 1) // gaps for at in range(wanted)]


def _number(value: Fraction) -> str:
    """A decimal that is the same on every machine."""
    if value.denominator == 1:
        return str(value.numerator)
    return str(Decimal(value.numerator) / Decimal(value.denominator))


def _quoted(text: str) -> str:
    """A gnuplot string.  Within single quotes nothing is expanded; a line
    break would end the command, and what follows would be obeyed."""
    return "'" + _plain(text).replace("'", "''") + "'"


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text)
