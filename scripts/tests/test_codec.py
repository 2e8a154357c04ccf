"""Records survive the trip to a file; files that are none are refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from plumblib import codec, records
from plumblib.errors import UsageError

TOOLCHAIN = records.Toolchain(
    platform="x86_64-linux-glibc",
    compiler="gcc (Debian 12.2.0-14) 12.2.0",
    flags="-O2",
    libc="glibc 2.36",
    valgrind="3.19.0",
    objects={"libc.so.6": "ab" * 20},
)

INFO = records.CaseInfo("a/b/c@d", "a", "words", ("slow",), 10, 1, 64)

MEASUREMENT = records.Measurement(
    project="demo",
    made_at="2026-01-31T12:00:00Z",
    revision=records.Revision("0" * 40, "fix: ä", True),
    toolchain=TOOLCHAIN,
    cases={
        "a/b/c@d": records.CaseResult(
            INFO,
            None,
            "0" * 32,
            "f" * 32,
            {"instructions": records.Figure(-3, 2, 1)},
            ("libc.so.6",),
        ),
        "a/b/d": records.CaseResult(INFO, "run: crashed", "", ""),
    },
    claims=(records.Claim("a/b/d", "a/b/c@d", "instructions", 0, 9, "why"),),
    declared=("a/b/c@d", "a/b/d"),
)


@pytest.mark.parametrize("record", [TOOLCHAIN, MEASUREMENT])
def test_round_trip(tmp_path: Path, record: Any) -> None:
    path = tmp_path / "r.json"
    codec.save(path, record)
    assert codec.load(path, type(record)) == record


def _changed(tmp_path: Path, *steps: Any, to: Any) -> Path:
    """The measurement with one value replaced; to=... removes it."""
    value: Any = codec.to_file(MEASUREMENT)
    value = json.loads(json.dumps(value))
    inner = value
    for step in steps[:-1]:
        inner = inner[step]
    if to is ...:
        del inner[steps[-1]]
    else:
        inner[steps[-1]] = to
    path = tmp_path / "m.json"
    path.write_text(json.dumps(value))
    return path


FIGURE = ("cases", "a/b/c@d", "figures", "instructions")


@pytest.mark.parametrize(
    "steps, to, told",
    [
        (("schema",), "plumb-measurement/9", "plumb-measurement/9"),
        (("schema",), ..., "schema is None"),
        (("made_at",), "today", "made_at: 'today' does not match"),
        (("extra",), 1, "'extra' was unexpected"),
        (("project",), ..., "'project' is a required property"),
        ((*FIGURE, "ops"), 0, "0 is less than the minimum"),
        ((*FIGURE, "ops"), 1.0, "1.0 is not of type 'integer'"),
        ((*FIGURE, "total"), True, "True is not of type 'integer'"),
        ((*FIGURE, "total"), "7", "figures.instructions.total: '7'"),
        ((*FIGURE, "residual"), -1, "-1 is less than the minimum"),
        (("cases", "no id"), {}, "'no id' does not match"),
    ],
)
def test_refused_with_file_and_place(
    tmp_path: Path, steps: Any, to: Any, told: str
) -> None:
    path = _changed(tmp_path, *steps, to=to)
    with pytest.raises(UsageError) as caught:
        codec.load(path, records.Measurement)
    assert told in str(caught.value)
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize("text", ["[]", "3", '"schema"', "null"])
def test_not_an_object(tmp_path: Path, text: str) -> None:
    path = tmp_path / "m.json"
    path.write_text(text)
    with pytest.raises(UsageError, match="schema is None"):
        codec.load(path, records.Measurement)


@pytest.mark.parametrize(
    "kind, value, told",
    [
        (records.Figure, {"total": 1}, "x: key 'ops' is missing"),
        (records.Figure, {"total": 1, "ops": 1, "y": 1}, "unknown key 'y'"),
        (records.Figure, {"total": True, "ops": 1}, "x: total: expected int"),
        (records.Figure, [], "x: expected dict, found []"),
        (tuple[str, ...], ["a", 1], "x[1]: expected str, found 1"),
        (records.Outcome, "green", "'green' is not a valid Outcome"),
    ],
)
def test_decode_is_strict(kind: Any, value: Any, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        codec.decode(kind, value, "x")
    assert told in str(caught.value)


def test_decode_fills_defaults_and_none() -> None:
    figure = codec.decode(records.Figure, {"total": 1, "ops": 2}, "x")
    assert figure == records.Figure(1, 2)
    assert codec.decode(records.Figure | None, None, "x") is None
