"""Dumps and addresses turned into what one operation costs."""

from fractions import Fraction
from pathlib import Path

import pytest
import recorded

from plumblib import callgraph, profiles, symbolize
from plumblib.collect_count import Counted
from plumblib.errors import NotMeasured
from plumblib.profiles import (
    HARNESS,
    LIBRARY,
    LINKAGE,
    OWN,
    Cost,
    OpProfile,
    Place,
)
from plumblib.symbolize import Frame

SAME = symbolize.relative_to(Path("/nowhere"))


def own(name: str) -> Place:
    return Place(OWN, "", "demo.c", name)


def test_frames_of_inlined_and_unknown_addresses() -> None:
    told = (
        "0x0000000000001180\ntwist\n././twist.h:4\neven\n././demo.c:14\n"
        "0x0000000000001190\nodd\n/home/x/demo.c:20 (discriminator 3)\n"
        "0x0000000000002000\n??\n??:0\n"
        "0x0000000000002004\nmain\n??:?\n"
    )
    assert symbolize.parse(told, symbolize.relative_to(Path("/home/x"))) == {
        0x1180: (Frame("twist", "twist.h", 4), Frame("even", "demo.c", 14)),
        0x1190: (Frame("odd", "demo.c", 20),),
        0x2000: (Frame("", "", 0),),
        0x2004: (Frame("main", "", 0),),
    }


def test_files_outside_the_project_keep_their_path() -> None:
    relative = symbolize.relative_to(Path("/home/demo"))
    assert relative("/home/demo/a/../b.c") == "b.c"
    assert relative("/home/demo2/b.c") == "/home/demo2/b.c"
    assert relative("./impl/b.c") == "impl/b.c"


def test_places_have_no_path_and_no_address() -> None:
    found = recorded.profile("before").functions
    assert own("even") in found
    assert {place.part for place in found} == {OWN, LIBRARY, LINKAGE}
    stubs = {place.name for place in found if place.part == LINKAGE}
    assert {"strdup@plt", "free@plt"} <= stubs
    libraries = {place.object for place in found if place.part == LIBRARY}
    assert libraries == {"libc.so.6"}


@pytest.mark.parametrize("side", ["before", "after"])
def test_costs_add_up_to_the_figure(side: str) -> None:
    found = recorded.profile(side)
    total = sum(cost.cost for cost in found.functions.values())
    # the figure is net of an empty operation, of two instructions
    assert total == recorded.FIGURES[side].per_op + 2


def test_calls_are_those_of_one_operation() -> None:
    found = recorded.profile("before")
    calls = {
        place.name: cost.calls for place, cost in found.functions.items()
    }
    assert calls["run"] == 1
    assert calls["mix"] == 4
    assert calls["even"] == 4  # of 6, 4, 2 and 0
    assert calls["odd"] == 3
    assert calls["strdup"] == calls["free"] == calls["strdup@plt"] == 1
    assert not any(place.part == HARNESS for place in found.functions)


def test_lines_go_through_inlined_frames() -> None:
    found = recorded.profile("before")
    for place, cost in found.functions.items():
        if place.part == OWN:
            assert sum(found.lines[place].values()) == cost.cost
    inlined = {
        frames: cost
        for frames, cost in found.lines[own("mix")].items()
        if len(frames) == 2
    }
    assert [frame for frame, _ in inlined] == [Frame("twist", "twist.h", 4)]
    assert {outer for _, outer in inlined} == {Frame("mix", "demo.c", 31)}
    assert sum(inlined.values()) > 0


def test_an_uncounted_case_has_no_profile() -> None:
    with pytest.raises(NotMeasured, match="it crashed"):
        profiles.of(Counted("it crashed"), Path("/x"), lambda _: {})


def test_a_cycle_is_one_and_costs_its_members_and_what_they_call() -> None:
    found = recorded.profile("before")
    around = callgraph.cycles(found.arcs)
    assert around[own("even")] == {own("even"), own("odd")}
    assert around[own("fib")] == {own("fib")}
    assert own("run") not in around
    inclusive = callgraph.inclusive(found)
    costs = found.functions
    assert inclusive[own("odd")] == inclusive[own("even")] == (
        costs[own("even")].cost + costs[own("odd")].cost
    )
    assert inclusive[own("fib")] == costs[own("fib")].cost
    assert inclusive[own("run")] == sum(c.cost for c in costs.values())


def _graph(*arcs: tuple[str, str, int]) -> OpProfile:
    """Each function costs 1; an arc is called once and costs as told."""
    names = {name for caller, callee, _ in arcs for name in (caller, callee)}
    one = Fraction(1)
    return OpProfile(
        {own(name): Cost(one, one) for name in names},
        {
            (own(caller), own(callee)): Cost(one, Fraction(cost))
            for caller, callee, cost in arcs
        },
        {},
    )


def test_two_cycles_and_a_leaf_that_both_call() -> None:
    graph = _graph(
        ("a", "b", 99), ("b", "a", 99), ("b", "c", 4),
        ("c", "d", 99), ("d", "c", 99), ("d", "leaf", 1), ("a", "leaf", 1),
    )
    around = callgraph.cycles(graph.arcs)
    assert around[own("a")] == {own("a"), own("b")}
    assert around[own("c")] == {own("c"), own("d")}
    assert own("leaf") not in around
    inclusive = callgraph.inclusive(graph)
    assert inclusive[own("c")] == inclusive[own("d")] == 2 + 1
    assert inclusive[own("a")] == inclusive[own("b")] == 2 + 4 + 1
    assert inclusive[own("leaf")] == 1


def test_a_chain_deeper_than_the_interpreter() -> None:
    deep = [(f"f{i}", f"f{i + 1}", 1) for i in range(5000)]
    graph = _graph(*deep, ("f5000", "f0", 1))
    around = callgraph.cycles(graph.arcs)
    assert len(around[own("f17")]) == 5001
