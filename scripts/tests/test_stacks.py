"""Stacks from contexts, and what is drawn and written of them."""

import json
import re
import xml.etree.ElementTree as ElementTree
from fractions import Fraction

import pytest
import recorded

from plumblib import flamegraph, stacks
from plumblib.collect_count import Counted
from plumblib.errors import NotMeasured

SVG = "{http://www.w3.org/2000/svg}"


def both() -> tuple[stacks.Stacks, stacks.Stacks]:
    before, after = (
        stacks.of(recorded.counted(side, contexts=True))
        for side in ("before", "after")
    )
    return before, after


@pytest.mark.parametrize(
    "name, stack",
    [
        ("leaf'mid'run'run_block'measure", ("run", "mid", "leaf")),
        ("run_block'measure", ()),
        ("measure", ()),
        # deeper than callgrind keeps track of: the top is missing
        ("leaf'mid", ("mid", "leaf")),
        (
            "strdup'0x000000000483d040 [PLT]'run'run_block'measure",
            ("run", "strdup"),
        ),
        (
            "0x000000000486d368'strdup'run'run_block'measure",
            ("run", "strdup", "[stub]"),
        ),
        ("odd'even'odd'even'run_block'measure", ("even", "odd") * 2),
    ],
)
def test_names_with_their_callers(
    name: str, stack: tuple[str, ...]
) -> None:
    assert stacks.parse(name) == stack


def test_recorded_stacks_are_whole() -> None:
    before, after = both()
    assert sum(before.values()) == 423 + 2  # with an empty operation
    assert sum(after.values()) == 460 + 2
    assert all(stack[0] == "run" for stack in before)
    assert ("run", "even", "odd", "even") in before
    # callgrind keeps a function that calls itself in one context
    assert ("run", "fib") in before


def test_a_case_that_was_not_counted_has_none() -> None:
    with pytest.raises(NotMeasured, match="no such luck"):
        stacks.of(Counted("no such luck"))


def test_collapsed_lines() -> None:
    before, _ = both()
    lines = stacks.collapsed(before, recorded.OPS).splitlines()
    total = 0
    for line in lines:
        match = re.fullmatch(r"(run(?:;[^;]+)*) (\d+)", line)
        assert match, line
        total += int(match[2])
    assert total == (423 + 2) * recorded.OPS


def test_speedscope() -> None:
    before, after = both()
    made = stacks.speedscope("demo/all/one", {"base": before, "head": after})
    made = json.loads(json.dumps(made))
    frames = made["shared"]["frames"]
    assert [p["name"] for p in made["profiles"]] == [
        "base: demo/all/one", "head: demo/all/one"
    ]
    for profile, total in zip(made["profiles"], (425, 462)):
        assert profile["type"] == "sampled"
        assert len(profile["samples"]) == len(profile["weights"])
        assert sum(profile["weights"]) == profile["endValue"] == total
        for sample in profile["samples"]:
            assert frames[sample[0]] == {"name": "run"}


def test_the_flame_graph_is_well_formed_and_stands_alone() -> None:
    before, after = both()
    text = flamegraph.svg("a <case> & its title", before, after)
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert "href" not in text and "script" not in text
    assert text.count("http") == 1  # the name space
    assert root.find(f"{SVG}title").text == "a <case> & its title"
    assert text == flamegraph.svg("a <case> & its title", before, after)


def _boxes(text: str) -> dict[str, list[tuple[float, float, float, str]]]:
    """Frames by name: left, right, top and colour."""
    found: dict[str, list[tuple[float, float, float, str]]] = {}
    for group in ElementTree.fromstring(text).iter(f"{SVG}g"):
        name = group.find(f"{SVG}title").text.split("\n")[0]
        box = group.find(f"{SVG}rect").attrib
        x, width = float(box["x"]), float(box["width"])
        found.setdefault(name, []).append(
            (x, x + width, float(box["y"]), box["fill"])
        )
    return found


def test_frames_stand_on_their_callers_without_overlap() -> None:
    boxes = _boxes(flamegraph.svg("t", *both()))
    (run,) = boxes["run"]
    (mix,) = boxes["mix"]
    assert run[0] <= mix[0] < mix[1] <= run[1] and mix[2] < run[2]
    levels: dict[float, list[tuple[float, float]]] = {}
    for frames in boxes.values():
        for left, right, top, _ in frames:
            levels.setdefault(top, []).append((left, right))
    for level in levels.values():
        level.sort()
        for (_, right), (left, _) in zip(level, level[1:]):
            assert left >= right - 0.02  # rounded to hundredths


def test_colour_is_that_of_the_own_change() -> None:
    one = Fraction(1)
    base = {("run",): 10 * one, ("run", "same"): 9 * one,
            ("run", "gone"): 4 * one}
    head = {("run",): 10 * one, ("run", "same"): 9 * one,
            ("run", "dear"): 8 * one, ("run", "same", "new"): one}
    boxes = {
        name: frames[0] for name, frames in
        _boxes(flamegraph.svg("t", base, head)).items()
    }
    grey = boxes["run"][3]
    assert boxes["all"][3] == boxes["same"][3] == grey
    red, blue = boxes["dear"][3], boxes["gone"][3]
    assert len({grey, red, blue, boxes["new"][3]}) == 4
    assert int(red[1:3], 16) > int(red[5:7], 16)
    assert int(blue[1:3], 16) < int(blue[5:7], 16)
    # half as wide as it is dear: one side does not have it
    assert boxes["dear"][1] - boxes["dear"][0] == pytest.approx(
        4 / ((23 + 28) / 2) * 1180, abs=0.02
    )


def test_an_empty_graph_is_still_a_picture() -> None:
    root = ElementTree.fromstring(flamegraph.svg("t", {}, {}))
    assert root.findall(f"{SVG}g") == []
