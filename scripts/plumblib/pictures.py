"""What all pictures share: their colours, and how a page takes one in.

A picture is an SVG document that stands alone on white paper.  `inline`
makes of it an element of a page, which then takes ink and paper from the
page's own colours, light or dark.
"""

from __future__ import annotations

import re

INK = "#0a0b0c"  # text and axes; used for nothing else
PAPER = "#fefdfc"  # background; used for nothing else
LINE = "#3b82c4"
MARK = "#c9762b"
GOOD = "#3d9a50"
BAD = "#d14545"
CALM = "#8a8f98"

# As gnuplot and matplotlib spell the two colours.
_INK = re.compile(r"#0a0b0c|rgb\( *10, *11, *12\)")
_PAPER = re.compile(r"#fefdfc|rgb\( *254, *253, *252\)")
_OWN_INK = re.compile(r' color="black"')  # would win over the page's
_ID = re.compile(r"""\bid=(['"])([^'"]+)\1""")
_REFERENCE = re.compile(r"""(href=['"]#|url\(#)([^'")]+)""")
_METADATA = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)


def inline(svg: str, prefix: str, about: str) -> str:
    """The `<svg>` element of a document, for a page with other pictures.

    `prefix` keeps its ids apart from theirs.  `about` is what a screen
    reader says; it is plain text.
    """
    element = _METADATA.sub("", svg[svg.index("<svg") :])
    element = _OWN_INK.sub("", element)
    element = _INK.sub("currentColor", element)
    element = _PAPER.sub("none", element)
    element = _ID.sub(rf'id="{prefix}-\2"', element)
    element = _REFERENCE.sub(rf"\1{prefix}-\2", element)
    label = _attribute(about)
    return element.replace(
        "<svg", f'<svg role="img" aria-label="{label}"', 1
    ).strip()


def _attribute(text: str) -> str:
    for plain, safe in ("&", "&amp;"), ("<", "&lt;"), ('"', "&quot;"):
        text = text.replace(plain, safe)
    return text
