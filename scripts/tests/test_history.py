"""The history only grows, and a bad line neither hides nor spreads."""

import json
from dataclasses import replace
from pathlib import Path

import samples
import pytest
from plumblib import history, schema
from plumblib.errors import NotMeasured, UsageError
from plumblib.records import SCHEMA_HISTORY, Figure
from plumblib.series import case_ids, metric_named, series

ID = "demo/walk_x/64@y.z"
IR = metric_named("instructions")


def test_a_history_that_does_not_exist_is_empty(tmp_path: Path) -> None:
    assert history.load(tmp_path / "none.jsonl") == history.History()


def test_append_then_load_gives_the_same(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "history.jsonl"
    run = samples.measurement(samples.case(ID, 7, heap_calls=0))
    assert history.append(path, run) == ()
    assert history.append(path, run, date="2025-01-01T00:00:00Z") == ()

    found = history.load(path)
    assert found.faults == ()
    assert [entry.date for entry in found.entries] == [
        "2025-01-01T00:00:00Z",  # by date, though appended last
        "2026-01-31T12:00:00Z",
    ]
    for entry in found.entries:
        assert entry.revision == run.revision
        assert entry.toolchain == run.toolchain
        assert entry.cases == {
            ID: {"instructions": Figure(7, 1), "heap_calls": Figure(0, 1)}
        }
    assert path.read_bytes().count(b"\n") == 2


def test_failed_cases_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    bad = samples.case("demo/bad/1", failure="run: crashed")
    with pytest.raises(NotMeasured):
        history.append(path, samples.measurement(bad))
    assert not path.exists()
    history.append(path, samples.measurement(bad, samples.case(ID, 1)))
    assert case_ids(history.load(path)) == [ID]


def test_a_line_cut_short_is_reported_kept_and_repaired(
    tmp_path: Path,
) -> None:
    path = tmp_path / "history.jsonl"
    for day in 1, 2:
        history.append(
            path,
            samples.measured_on(day, samples.case(ID, day)),
        )
    whole = path.read_bytes()
    cut = whole[: whole.rindex(b'"toolchain"') + 3]
    path.write_bytes(cut)

    found = history.load(path)
    assert [entry.date[:10] for entry in found.entries] == ["2026-01-01"]
    assert [fault.line for fault in found.faults] == [2]
    assert found.faults[0].message.startswith(f"{path}:2: is truncated")

    later = samples.measured_on(3, samples.case(ID, 3))
    assert history.append(path, later) == found.faults
    assert path.read_bytes().startswith(cut + b"\n")  # nothing was lost
    found = history.load(path)
    assert len(found.entries) == 2
    assert [fault.line for fault in found.faults] == [2]

    faults, beside = history.repair(path)
    assert faults == found.faults
    assert beside.read_bytes() == cut[cut.index(b"\n") + 1 :] + b"\n"
    assert history.load(path) == history.History(found.entries, ())
    assert history.repair(path) == ((), beside)


def test_a_last_line_without_its_newline_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    run = samples.measurement(samples.case(ID, 7))
    history.append(path, run)
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert len(history.load(path).entries) == 1
    history.append(path, run)
    assert len(history.load(path).entries) == 2


def line_with(**changes: object) -> str:
    raw = json.loads(
        history.encode(samples.measurement(samples.case(ID, 7)))
    )
    return json.dumps(raw | changes)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("<<<<<<< HEAD", "merge conflict"),
        ("nonsense", "is not JSON"),
        ("7", "schema is None"),
        (line_with(schema="plumb-history/9"), "schema is 'plumb-history/9'"),
        (line_with(date="yesterday"), "date is 'yesterday'"),
        (line_with(cases={ID: {"instructions": [7, 0, 0]}}), "ops above 0"),
        (line_with(cases={ID: {"instructions": [7, 1, -1]}}), "residual"),
        (line_with(cases={ID: {"instructions": [7.5, 1, 0]}}), "whole"),
        (line_with(cases={ID: {"instructions": [True, 1, 0]}}), "whole"),
        (line_with(cases={ID: {"instructions": [7, 1]}}), "[total, ops"),
        (line_with(cases={ID: 7}), "expected metrics"),
        (line_with(cases=[]), "expected dict"),
        (line_with(more=1), "unknown key 'more'"),
        (line_with(toolchain={}), "'platform' is missing"),
        (
            line_with(
                revision={"commit": "HEAD", "subject": "", "dirty": False}
            ),
            "expected 40 hex digits",
        ),
        (line_with()[:-1] + ', "date": ""}', "key 'date' stands twice"),
    ],
)
def test_bad_lines_say_what_was_expected(
    tmp_path: Path, line: str, expected: str
) -> None:
    path = tmp_path / "history.jsonl"
    path.write_text(f"{line_with()}\n{line}\n{line_with()}\n")
    found = history.load(path)
    assert len(found.entries) == 2
    assert [fault.line for fault in found.faults] == [2]
    assert found.faults[0].message.startswith(f"{path}:2: ")
    assert expected in found.faults[0].message

    # The committed JSON Schema refuses what the reader refuses.
    try:
        raw = json.loads(line)
    except ValueError:
        return
    if "twice" not in expected:
        with pytest.raises(UsageError):
            schema.check(raw, SCHEMA_HISTORY, "line")


def test_bytes_that_are_not_text_survive(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    path.write_bytes(b"\xff\xfe\n")
    run = samples.measurement(samples.case(ID, 7))
    (fault,) = history.append(path, run)
    assert fault.message == f"{path}:1: byte 0 is not UTF-8"
    assert path.read_bytes().startswith(b"\xff\xfe\n{")


def test_series_marks_what_changed_in_the_toolchain(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    newer = replace(samples.TOOLCHAIN, compiler="gcc 13", libc="glibc 2.40")
    rebuilt = replace(newer, objects={"libc.so.6": "cd" * 20})
    other = replace(rebuilt, objects={"libz.so.1": "ef" * 20})
    for day, toolchain in enumerate(
        (samples.TOOLCHAIN, newer, newer, rebuilt, other), start=1
    ):
        history.append(
            path,
            samples.measured_on(
                day, samples.case(ID, day), toolchain=toolchain
            ),
        )
    found = series(history.load(path), ID, IR)
    assert [point.changed for point in found.points] == [
        (),
        ("compiler", "libc"),
        (),
        ("libc.so.6",),
        (),  # other libraries only: the run was of other cases
    ]
    assert [point.figure.per_op for point in found.points] == [1, 2, 3, 4, 5]
    assert {point.commit for point in found.points} == {"abababa"}


def test_series_of_what_was_never_recorded_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    history.append(path, samples.measurement(samples.case(ID, 7)))
    found = history.load(path)
    assert series(found, "demo/other/1", IR).points == ()
    assert series(found, ID, metric_named("heap_calls")).points == ()
