"""The dump parser against recorded dumps, and against broken ones.

Expected costs are those of `callgrind_annotate`; see the data's README.
"""

from pathlib import Path

import pytest

from plumblib import callgrind
from plumblib.callgrind import Call, Function
from plumblib.errors import NotMeasured

DEMO = "/home/demo/demo"
LIBC = "/usr/lib/x86_64-linux-gnu/libc.so.6"
MSORT = "./stdlib/./stdlib/msort.c"


def _demo(name: str) -> Function:
    return Function(DEMO, "././demo.c", name)


@pytest.fixture
def dumps(data: Path) -> Path:
    return data / "callgrind"


@pytest.mark.parametrize("name", ["line", "plain"])
def test_self_costs(dumps: Path, name: str) -> None:
    found = callgrind.parse(dumps / f"{name}.dump")
    assert found.totals == callgrind.Totals("0", {"Ir": 10304})
    assert found.self_cost[_demo("cmp")] == 654
    # lines inlined from inl.h count for the function around them
    assert found.self_cost[_demo("sort")] == 334 + 448
    assert found.self_cost[_demo("down")] == 10 + 6
    assert found.self_cost[_demo("down'2")] == 104 + 60
    tmp = Function(LIBC, MSORT, "msort_with_tmp.part.0'2")
    assert found.self_cost[tmp] == 6723
    assert found.objects() == {"???": 90, DEMO: 1644, LIBC: 8570}


@pytest.mark.parametrize("name", ["line", "plain"])
def test_calls(dumps: Path, name: str) -> None:
    calls = callgrind.parse(dumps / f"{name}.dump").calls
    assert calls[_demo("main"), _demo("sort")] == Call(1, 10096)
    assert calls[_demo("main"), _demo("down")] == Call(1, 180)
    assert calls[_demo("down"), _demo("down'2")] == Call(1, 164)
    assert calls[_demo("down'2"), _demo("down'2")] == Call(10, 760)
    tmp = Function(LIBC, MSORT, "msort_with_tmp.part.0'2")
    assert calls[tmp, _demo("cmp")] == Call(183, 549)
    assert calls[tmp, tmp] == Call(60, 22506)


def test_compressed_and_plain_say_the_same(dumps: Path) -> None:
    one = callgrind.parse(dumps / "line.dump")
    two = callgrind.parse(dumps / "plain.dump")
    assert one == two


def test_inclusive_is_self_plus_calls(dumps: Path) -> None:
    found = callgrind.parse(dumps / "line.dump")
    for caller, name in ((_demo("main"), "sort"), (_demo("main"), "down")):
        callee = _demo(name)
        out = sum(
            call.inclusive
            for (source, _), call in found.calls.items()
            if source == callee
        )
        arc = found.calls[caller, callee]
        assert arc.inclusive == found.self_cost[callee] + out


def test_instructions_jumps_and_cache_events(dumps: Path) -> None:
    path = dumps / "full.dump"
    found = callgrind.parse(path)
    # `summary:` of this dump says 10304: it is not to be read
    assert found.totals.events["Ir"] == 10312
    assert found.totals.events["DLmw"] == 0
    assert found.self_cost[_demo("cmp")] == 654
    assert found.self_cost[_demo("sort")] == 782
    reads = callgrind.parse(path, "Dr")
    assert reads.self_cost[_demo("cmp")] == 654
    assert reads.self_cost[_demo("sort")] == 67
    assert reads.calls[_demo("main"), _demo("sort")] == Call(1, 2891)
    assert sum(callgrind.parse(path, "Dw").self_cost.values()) == 1585


def test_parts_are_added(dumps: Path) -> None:
    found = callgrind.parse(dumps / "parts.dump")
    assert found.totals.events == {"Ir": 10724 + 10304 + 10278 + 1268}
    assert found.self_cost[_demo("sort")] == 1344 + 1002
    assert found.calls[_demo("main"), _demo("down")] == Call(3, 540)


@pytest.mark.parametrize("name", ["line", "plain", "full"])
def test_cheap_totals_are_the_same(dumps: Path, name: str) -> None:
    path = dumps / f"{name}.dump"
    assert callgrind.totals(path) == callgrind.parse(path).totals


def test_cheap_totals_of_a_dump_larger_than_its_head(
    tmp_path: Path, dumps: Path
) -> None:
    text = (dumps / "line.dump").read_text()
    head, body = text.split("\n\nob=", 1)
    path = tmp_path / "c"
    path.write_text(head + "\n\n" + "# padding\n" * 2000 + "ob=" + body)
    assert callgrind.totals(path) == callgrind.totals(dumps / "line.dump")
    assert callgrind.parse(path).totals.events == {"Ir": 10304}


HEAD = "desc: Trigger: Client Request: 0\npositions: line\nevents: Ir\n"


@pytest.mark.parametrize(
    "text, told",
    [
        (HEAD + "fn=(1) a\n1 5\ntotals: 6\n", "add up to 5, the dump says 6"),
        (HEAD + "fn=(1) a\n1 5\n", "has no line `totals:`"),
        ("fn=(1) a\n1 5\ntotals: 5\n", "has no line `events:`"),
        (HEAD + "fn=(2)\n1 5\ntotals: 5\n", ":4: not understood"),
        (HEAD + "fn=(1) a\n1 x\ntotals: 5\n", ":5: not understood"),
        (HEAD + "fn=(1) a\nhello\ntotals: 5\n", ":5: not understood"),
        (HEAD + "zz=(1) a\n1 5\ntotals: 5\n", "unknown key 'zz'"),
        (HEAD + "fn=a\ncfn=b\ncalls=1 1\n", ":6: not understood"),
        (HEAD + "fn=a\ncfn=b\ncalls= 1\n* 5\n", ":6: not understood"),
        ("events: Dr\ntotals: 5\n", "not understood"),
        ("", "has no line `events:`"),
    ],
)
def test_broken_dumps_are_refused(
    tmp_path: Path, text: str, told: str
) -> None:
    path = tmp_path / "c.1.2"
    path.write_text(text)
    with pytest.raises(NotMeasured) as caught:
        callgrind.parse(path)
    assert told in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("cut", [0, 10, 500, 2800])
def test_cut_dumps_have_no_cheap_totals(
    tmp_path: Path, dumps: Path, cut: int
) -> None:
    path = tmp_path / "c.1.2"
    path.write_bytes((dumps / "line.dump").read_bytes()[:cut])
    with pytest.raises(NotMeasured, match="cut short"):
        callgrind.totals(path)
    with pytest.raises(NotMeasured):
        callgrind.parse(path)


def test_missing_dump_is_named(tmp_path: Path) -> None:
    for read in (callgrind.totals, callgrind.parse):
        with pytest.raises(NotMeasured, match="c.7.3: No such file"):
            read(tmp_path / "c.7.3")


@pytest.mark.parametrize("name", ["line", "plain", "full", "parts"])
def test_spots_add_up_to_the_self_costs(dumps: Path, name: str) -> None:
    found = callgrind.parse(dumps / f"{name}.dump")
    assert found.spots.keys() == found.self_cost.keys()
    for function, spots in found.spots.items():
        assert sum(spots.values()) == found.self_cost[function]


def test_spots_tell_inlined_lines_by_their_file(dumps: Path) -> None:
    spots = callgrind.parse(dumps / "line.dump").spots[_demo("sort")]
    by_file: dict[str, int] = {}
    for spot, cost in spots.items():
        assert spot.address == -1
        by_file[spot.file] = by_file.get(spot.file, 0) + cost
    assert by_file == {"././demo.c": 334, "././inl.h": 448}


def test_spots_have_addresses_where_the_dump_has(dumps: Path) -> None:
    spots = callgrind.parse(dumps / "full.dump").spots[_demo("cmp")]
    addresses = sorted(spot.address for spot in spots)
    assert len(set(addresses)) == len(addresses)
    # one instruction after the other, each at most 15 bytes long
    assert all(0 < b - a <= 15 for a, b in zip(addresses, addresses[1:]))
    assert {spot.line for spot in spots} <= set(range(1, 40))
