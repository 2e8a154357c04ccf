"""A difference split over functions, calls and lines."""

from fractions import Fraction

import recorded

from plumblib import decompose, hunks
from plumblib.decompose import FunctionRow, split
from plumblib.pairing import pair
from plumblib.profiles import OWN, Cost, OpProfile, Place
from plumblib.symbolize import Frame


def cost(calls: int, total: int) -> Cost:
    return Cost(Fraction(calls), Fraction(total))


def place(name: str, file: str = "a.c") -> Place:
    return Place(OWN, "", file, name)


def rows() -> dict[str, FunctionRow]:
    difference = hunks.parse((recorded.FOLDER / "change.diff").read_text())
    found = decompose.decompose(
        recorded.profile("before"), recorded.profile("after"), difference
    )
    return {row.name: row for row in found}


def test_calls_and_cost_are_told_apart_and_add_up() -> None:
    assert split(cost(4, 40), cost(6, 60)) == (20, 0)
    assert split(cost(4, 40), cost(4, 52)) == (0, 12)
    assert split(cost(4, 40), cost(6, 78)) == (20, 18)
    assert split(cost(0, 0), cost(3, 30)) == (30, 0)
    assert split(cost(3, 30), cost(0, 0)) == (-30, 0)
    assert split(cost(3, 10), cost(4, 16)) == (Fraction(10, 3),
                                               Fraction(8, 3))
    assert split(cost(0, 5), cost(0, 7)) == (0, 2)


def test_a_recorded_change() -> None:
    found = rows()
    assert list(found)[0] == "mix"
    mix = found["mix"]
    assert (mix.base_calls, mix.head_calls) == (4, 6)
    old, new = mix.base_cost / 4, mix.head_cost / 6
    assert mix.by_calls == 2 * old
    assert mix.by_cost == 6 * (new - old) > 0
    # all that changed is mix and the loop in run; libraries did not
    assert set(found) == {"mix", "run"}
    assert sum(row.change for row in found.values()) == 460 - 423


def test_callers_and_inclusive_costs() -> None:
    mix = rows()["mix"]
    (caller,) = mix.callers
    assert (caller.name, caller.base_calls, caller.head_calls) == ("run", 4, 6)
    assert mix.base_inclusive == mix.base_cost
    run = rows()["run"]
    assert run.callers[0].name == "(the case)"
    assert run.head_inclusive - run.base_inclusive == 37


def test_moved_lines_are_the_same_changed_ones_are_not() -> None:
    """The new line is inlined code; the one below it moved down by one and
    counts as the same line."""
    lines = rows()["mix"].lines
    assert sum(line.change for line in lines) == rows()["mix"].change
    added = [
        line
        for line in lines
        if line.frames == (Frame("twist", "twist.h", 4),
                           Frame("mix", "demo.c", 31))
    ]
    assert len(added) == 1 and added[0].base == 0 and added[0].head > 0
    moved = [
        line for line in lines if line.frames[-1] == Frame("mix", "demo.c", 32)
    ]
    assert moved and all(line.base > 0 for line in moved)


def test_a_line_that_is_gone_stands_for_base() -> None:
    """Line 4 was removed, so line 5 is line 4 now."""
    change = hunks.Difference(
        (hunks.Hunk("a.c", "a.c", 4, 1, 3, 0, ("-x();",)),)
    )

    def side(*lines: tuple[int, int]) -> OpProfile:
        costs = {(Frame("f", "a.c", n),): Fraction(c) for n, c in lines}
        total = sum(cost for _, cost in lines)
        return OpProfile({place("f"): cost(1, total)}, {}, {place("f"): costs})

    base, head = side((3, 1), (4, 7), (5, 2)), side((3, 1), (4, 3))
    (row,) = decompose.decompose(base, head, change)
    assert [
        (line.side, line.frames[0].line, line.change) for line in row.lines
    ] == [("base", 4, -7), ("head", 4, 1)]


def test_renamed_files_and_specialised_copies_are_found_again() -> None:
    old = [place("f"), place("g.isra.0"), place("h", "old.c"), place("gone")]
    new = [place("f"), place("g.constprop.1"), place("h", "new.c"),
           place("fresh")]
    found = pair(old, new)
    assert set(found) == {
        (place("f"), place("f")),
        (place("g.isra.0"), place("g.constprop.1")),
        (place("h", "old.c"), place("h", "new.c")),
        (place("gone"), None),
        (None, place("fresh")),
    }


def test_two_static_functions_of_one_name_stay_apart() -> None:
    old = [place("fill", "a.c"), place("fill", "b.c")]
    new = [place("fill", "a.c"), place("fill", "b.c")]
    assert set(pair(old, new)) == set(zip(old, new))
    # which of them was moved cannot be told
    moved = [place("fill", "c.c"), place("fill", "d.c")]
    assert set(pair(old, moved)) == {
        (old[0], None), (old[1], None), (None, moved[0]), (None, moved[1])
    }


def test_a_function_on_one_side_only() -> None:
    one = OpProfile({place("f"): cost(2, 10)}, {}, {})
    none = OpProfile({}, {}, {})
    (row,) = decompose.decompose(none, one, hunks.Difference())
    assert (row.change, row.by_calls, row.by_cost) == (10, 10, 0)
    (row,) = decompose.decompose(one, none, hunks.Difference())
    assert (row.change, row.by_calls, row.by_cost) == (-10, -10, 0)


def test_what_is_equal_has_no_row() -> None:
    found = recorded.profile("before")
    assert decompose.decompose(found, found, hunks.Difference()) == []
