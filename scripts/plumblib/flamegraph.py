"""A differential flame graph: SVG that stands alone.

A frame is as wide as the mean of its cost in base and head, so that what
only one side has is still there, and frames never overlap.  Its colour is
the change of its own cost, without what it calls: the guilty frame is
red, not all below it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape

from plumblib import numerals
from plumblib.stacks import Stacks

WIDTH = 1200
_MARGIN = 10
_HEIGHT = 18  # of a frame
_TOP = 64  # title and legend
_BOTTOM = 12
_LETTER = 6.7  # width of one, at 11 pixels monospaced
_THINNEST = 0.2  # pixels; thinner frames are not drawn
_SAME = (232, 232, 228)
_DEARER = (240, 122, 104)
_CHEAPER = (116, 169, 216)


@dataclass
class _Node:
    """A function called in one way."""

    name: str
    base: Fraction = Fraction(0)  # with all that it calls
    head: Fraction = Fraction(0)
    change: Fraction = Fraction(0)  # of itself alone
    below: dict[str, _Node] = field(default_factory=dict)

    @property
    def width(self) -> Fraction:
        return (self.base + self.head) / 2

    def depth(self) -> int:
        deepest = 0
        level = [self]
        while level := [n for node in level for n in node.below.values()]:
            deepest += 1
        return deepest


def svg(title: str, base: Stacks, head: Stacks) -> str:
    """The picture; equal input gives equal bytes."""
    root = _tree(base, head)
    depth = root.depth()
    height = _TOP + (depth + 1) * _HEIGHT + _BOTTOM
    most = max((abs(node.change) for node in _all(root)), default=Fraction(0))
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}"'
        f' height="{height}" viewBox="0 0 {WIDTH} {height}"'
        ' font-family="DejaVu Sans Mono, Menlo, Consolas, monospace"'
        ' font-size="11">',
        f"<title>{escape(title)}</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        *_legend(title),
        *_frames(root, depth, most),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _tree(base: Stacks, head: Stacks) -> _Node:
    root = _Node("all")
    for stack in sorted(base.keys() | head.keys()):
        old, new = base.get(stack, Fraction(0)), head.get(stack, Fraction(0))
        node = root
        node.base += old
        node.head += new
        for name in stack:
            node = node.below.setdefault(name, _Node(name))
            node.base += old
            node.head += new
        node.change += new - old
    return root


def _all(root: _Node) -> Iterator[_Node]:
    open_ = [root]
    while open_:
        node = open_.pop()
        yield node
        open_ += node.below.values()


def _legend(title: str) -> Iterator[str]:
    yield f'<text x="{_MARGIN}" y="20" font-size="14">{escape(title)}</text>'
    x = _MARGIN
    for colour, word in (
        (_DEARER, "itself dearer"),
        (_CHEAPER, "itself cheaper"),
        (_SAME, "itself the same; width: mean of base and head"),
    ):
        yield (
            f'<rect x="{x}" y="32" width="12" height="12" rx="2"'
            f' fill="{_hex(colour)}"/>'
        )
        yield f'<text x="{x + 17}" y="42">{word}</text>'
        x += 17 + round(len(word) * _LETTER) + 20


def _frames(root: _Node, depth: int, most: Fraction) -> Iterator[str]:
    """All frames, the root at the bottom, children from left to right by
    name."""
    if root.width == 0:
        return
    scale = Fraction(WIDTH - 2 * _MARGIN) / root.width
    open_ = [(root, Fraction(_MARGIN), 0)]
    while open_:
        node, x, level = open_.pop()
        y = _TOP + (depth - level) * _HEIGHT
        yield _frame(node, float(x), y, float(node.width * scale), most)
        for name in sorted(node.below):
            child = node.below[name]
            if child.width * scale >= _THINNEST:
                open_.append((child, x, level + 1))
            x += child.width * scale


def _frame(
    node: _Node, x: float, y: int, width: float, most: Fraction
) -> str:
    change = node.head - node.base
    told = (
        f"{node.name}\n{numerals.plain(node.base)} to"
        f" {numerals.plain(node.head)} instructions,"
        f" {numerals.signed(change)}"
        f" ({numerals.percent(change, node.base)})\n"
        f"itself {numerals.signed(node.change)}"
    )
    text = ""
    room = int((width - 6) / _LETTER)
    if room >= 3:
        name = node.name
        if len(name) > room:
            name = f"{name[: room - 2]}.."
        text = f'<text x="{x + 3:.1f}" y="{y + 13}">{escape(name)}</text>'
    return (
        f"<g><title>{escape(told)}</title>"
        f'<rect x="{x:.2f}" y="{y}" width="{width:.2f}"'
        f' height="{_HEIGHT - 1}" rx="1.5"'
        f' fill="{_hex(_colour(node.change, most))}"/>{text}</g>'
    )


def _colour(change: Fraction, most: Fraction) -> tuple[int, ...]:
    """From grey to full colour; the smallest change is still seen."""
    if not change:
        return _SAME
    share = 0.35 + 0.65 * float(abs(change) / most)
    full = _DEARER if change > 0 else _CHEAPER
    return tuple(
        round(grey + (bright - grey) * share)
        for grey, bright in zip(_SAME, full)
    )


def _hex(colour: tuple[int, ...]) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)
