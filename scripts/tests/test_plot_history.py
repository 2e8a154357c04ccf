"""Pictures of histories: the same bytes each time, whatever the ids."""

import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from plumblib import pictures, plot_history
from plumblib.records import Figure
from plumblib.series import Point, Series, metric_named

ODD = "demo_x/walk_{a}^b/65_536@v1.2"
SVG = "{http://www.w3.org/2000/svg}"

pytestmark = pytest.mark.skipif(
    shutil.which("gnuplot") is None, reason="gnuplot is not installed"
)


def made(
    *costs: int,
    case: str = ODD,
    changed: dict[int, tuple[str, ...]] | None = None,
    residual: int = 0,
) -> Series:
    return Series(
        case,
        metric_named("instructions"),
        tuple(
            Point(
                date=f"2026-{at // 28 + 1:02}-{at % 28 + 1:02}T00:00:00Z",
                commit=f"{at:07x}",
                figure=Figure(cost, 1, residual),
                changed=(changed or {}).get(at, ()),
            )
            for at, cost in enumerate(costs)
        ),
    )


def texts(svg: str) -> list[str]:
    """All that can be read in a picture."""
    tree = ElementTree.fromstring(svg.encode())
    return [
        "".join(element.itertext()).strip()
        for element in tree.iter(f"{SVG}text")
    ]


def drawn(svg: str) -> int:
    """How many points: what is used beyond the definitions."""
    return svg.partition("</defs>")[2].count("<use ")


@pytest.mark.parametrize(
    "series",
    [
        made(),
        made(0),
        made(113_000),
        made(7, 7, 7),
        made(*range(1_000, 1_300)),
        made(9, 8, 7, changed={1: ("compiler",)}, residual=2),
    ],
    ids=["empty", "zero", "one", "flat", "many", "marked"],
)
def test_equal_series_give_equal_bytes(series: Series) -> None:
    first = plot_history.svg(series)
    assert first == plot_history.svg(series)
    assert any(text.startswith(f"{ODD}: ") for text in texts(first))
    term = plot_history.text(series, 100, 20)
    assert term == plot_history.text(series, 100, 20)
    assert ODD in term


def test_an_empty_history_says_so() -> None:
    assert "nothing recorded yet" in texts(plot_history.svg(made()))
    assert "nothing recorded yet" in plot_history.text(made(), 80, 20)


def test_one_point_shows_its_value_commit_and_day() -> None:
    svg = plot_history.svg(made(113_000))
    assert drawn(svg) == 1
    assert texts(svg).count("113,000") == 2  # the tick and the value
    assert "0000000" in texts(svg)
    assert "2026-01-01" in texts(svg)


def test_each_point_is_drawn_and_unsteady_ones_ringed() -> None:
    assert drawn(plot_history.svg(made(*range(50)))) == 50
    ringed = plot_history.svg(made(5, 6, residual=1))
    assert drawn(ringed) == 4
    assert "a ring: unsteady" in " ".join(texts(ringed))


def test_marks_name_what_changed_and_do_not_overlap() -> None:
    svg = plot_history.svg(
        made(
            *[100] * 40,
            changed={5: ("compiler",), 6: ("libz.so.1",), 30: ("valgrind",)},
        )
    )
    assert "compiler" in texts(svg)
    assert "valgrind" in texts(svg)
    assert "libz.so.1" not in texts(svg)  # no room so near the one before
    dashed = svg.partition("stroke-dasharray")[2].partition("/>")[0]
    assert dashed.count("M") == 3  # its line is there


def test_the_line_is_broken_where_the_toolchain_changed() -> None:
    def moves(series: Series) -> int:
        line = plot_history.svg(series).partition('id="history_plot_1"')[2]
        return line.partition("<use")[0].count("M")

    assert moves(made(1, 2, 3, 4)) == 1
    assert moves(made(1, 2, 3, 4, changed={2: ("libc",)})) == 2


def test_the_last_day_and_the_first_are_always_labelled() -> None:
    found = texts(plot_history.svg(made(*range(300))))
    assert "0000000" in found
    assert f"{299:07x}" in found
    assert sum(len(text) == 7 for text in found) == 5


def test_ids_are_never_obeyed(tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    for bad in (
        f"a'\nsystem('touch {proof}')\n'",
        f"a`touch {proof}`",
        f'a".system("touch {proof}")."',
    ):
        plot_history.svg(made(1, 2, case=bad, changed={1: (bad,)}))
        plot_history.text(made(1, 2, case=bad), 80, 20)
    assert not proof.exists()


def test_inline_pictures_share_a_page() -> None:
    svg = plot_history.svg(made(1, 2))
    one = pictures.inline(svg, "h1", 'a "b" <c> & d')
    two = pictures.inline(svg, "h2", "other")
    assert one.startswith("<svg role=")
    assert 'aria-label="a &quot;b&quot; &lt;c> &amp; d"' in one
    trees = [ElementTree.fromstring(text) for text in (one, two)]
    ids = [e.get("id") for tree in trees for e in tree.iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    for tree in trees:
        own = {e.get("id") for e in tree.iter()}
        for element in tree.iter():
            href = element.get("{http://www.w3.org/1999/xlink}href")
            assert href is None or href.removeprefix("#") in own
    for colour in (pictures.INK, pictures.PAPER, "10,11,12", "10,  11,  12"):
        assert colour not in one
    assert "currentColor" in one
    assert 'color="black"' not in one
