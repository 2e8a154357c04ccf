"""Call sites of requests, from a line of plumb-probe as it is printed."""

from fractions import Fraction
from pathlib import Path

import pytest

from plumblib import heap_sites, symbolize
from plumblib.heap_sites import Requests
from plumblib.symbolize import Frame, Frames

SUBJECT = "/proc/self/fd/20"
BELOW = [["./plumb-heap.so", 7563, None], ["./plumb-heap.so", 6273, "malloc"]]
ABOVE = [
    ["./plumb-probe", 17822, None],
    ["/lib/x86_64-linux-gnu/libc.so.6", 160329, None],
    ["./plumb-probe", 9504, None],
]

KNOWN: dict[int, Frames] = {
    100: (Frame("get", "a.h", 9), Frame("grow", "a.c", 31)),
    104: (Frame("get", "a.h", 9), Frame("grow", "a.c", 35)),
    200: (Frame("put", "a.c", 52),),
}


def line(*sites: tuple[int, int, list[list[object]]]) -> dict[str, object]:
    return {
        "heap": {"ops": 2},
        "sites": [
            {"calls": calls, "bytes": size,
             "frames": [*BELOW, *frames, *ABOVE]}
            for calls, size, frames in sites
        ],
    }


@pytest.fixture(autouse=True)
def symbols(monkeypatch: pytest.MonkeyPatch) -> None:
    def frames(
        subject: Path, addresses: list[int], root: Path
    ) -> dict[int, Frames]:
        return {at: KNOWN[at] for at in addresses}

    monkeypatch.setattr(symbolize, "frames", frames)


def parse(**found: object) -> dict[heap_sites.Way, Requests]:
    return heap_sites.parse(found, Path("/suite.so"), Path("/"))


def test_frames_of_the_case_alone_with_inlined_ones() -> None:
    found = parse(**line((2, 64, [[SUBJECT, 100, None],
                                  [SUBJECT, 200, None]])))
    assert found == {
        (Frame("get", "a.h", 9), Frame("grow", "a.c", 31),
         Frame("put", "a.c", 52)): Requests(Fraction(1), Fraction(32))
    }


def test_library_frames_have_names_only() -> None:
    strdup = ["/lib/x86_64-linux-gnu/libc.so.6", 649641, "__strdup"]
    unknown = ["/lib/libx.so.1", 7, None]
    found = parse(**line((1, 6, [strdup, unknown, [SUBJECT, 200, None]])))
    (way,) = found
    assert way == (
        Frame("__strdup", "libc.so.6", 0), Frame("?", "libx.so.1", 0),
        Frame("put", "a.c", 52),
    )
    assert found[way] == Requests(Fraction(1, 2), Fraction(3))


def test_the_rest_has_no_frames() -> None:
    found = heap_sites.parse(
        {"heap": {"ops": 1},
         "sites": [{"calls": 3, "bytes": 9, "frames": []}]},
        Path("/suite.so"), Path("/"),
    )
    ((way, requests),) = found.items()
    assert way[0].function == "(other ways)" and requests == (3, 9)


class Told:
    """Stands in for a side that was asked for its sites."""

    def __init__(self, *sites: tuple[int, int, list[list[object]]]) -> None:
        self.ways = parse(**line(*sites))


def rows(
    monkeypatch: pytest.MonkeyPatch, base: Told | None, head: Told
) -> list[tuple[str, int, int]]:
    monkeypatch.setattr(heap_sites, "collect", lambda side: side.ways)
    return [
        (
            row.frames[0],
            int(row.head_calls - row.base_calls),
            int(row.head_bytes - row.base_bytes),
        )
        for row in heap_sites.compare(base, head)  # type: ignore[arg-type]
    ]


GROW = [[SUBJECT, 100, None]]
GROW_BELOW = [[SUBJECT, 104, None]]
PUT = [[SUBJECT, 200, None]]


def test_changes_by_size_and_equal_ways_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    base = Told((2, 64, GROW), (2, 8, PUT))
    head = Told((2, 64, GROW), (6, 40, PUT))
    assert rows(monkeypatch, base, head) == [("put (a.c:52)", 2, 16)]
    gone = Told((2, 64, GROW))
    assert rows(monkeypatch, base, gone) == [("put (a.c:52)", -1, -4)]
    assert rows(monkeypatch, base, base) == []


def test_a_way_whose_line_moved_is_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    base, head = Told((2, 64, GROW)), Told((2, 64, GROW_BELOW))
    assert rows(monkeypatch, base, head) == []


def test_without_a_base_all_ways_of_head(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    head = Told((2, 64, GROW), (4, 8, PUT))
    assert rows(monkeypatch, None, head) == [
        ("put (a.c:52)", 2, 4), ("get (a.h:9)", 1, 32)
    ]
