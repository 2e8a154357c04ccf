"""What was found good is not checked again; what was not, is."""

from pathlib import Path

import pytest

from plumblib import schema
from plumblib.errors import UsageError
from plumblib.records import SCHEMA_BASELINE

GOOD = {"schema": SCHEMA_BASELINE, "suite": "demo", "cases": {}}


@pytest.fixture(autouse=True)
def memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(schema, "_memory", [])
    folder = tmp_path / "cache"
    schema.remember_in(folder)
    return folder


def test_a_good_value_is_looked_at_once(
    monkeypatch: pytest.MonkeyPatch, memory: Path
) -> None:
    schema.check(GOOD, SCHEMA_BASELINE, "one")
    assert len(list(memory.glob("good-*"))) == 1
    monkeypatch.setattr(schema, "_validator", None)  # cannot be called
    schema.check(dict(reversed(GOOD.items())), SCHEMA_BASELINE, "the same")
    with pytest.raises(TypeError):
        schema.check(GOOD | {"suite": "other"}, SCHEMA_BASELINE, "another")


def test_a_bad_value_is_bad_each_time(memory: Path) -> None:
    bad = GOOD | {"suite": "no name"}
    for _ in range(2):
        with pytest.raises(UsageError, match="file: suite: 'no name'"):
            schema.check(bad, SCHEMA_BASELINE, "file")
    assert not list(memory.glob("*"))
    with pytest.raises(UsageError, match="this plumb reads 'plumb-audit"):
        schema.check(GOOD, "plumb-audit/1", "file")


def test_other_schemas_make_everything_new(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    schema.check(GOOD, SCHEMA_BASELINE, "one")
    monkeypatch.setattr(schema, "_texts", lambda: "others")
    monkeypatch.setattr(schema, "_validator", None)
    with pytest.raises(TypeError):
        schema.check(GOOD, SCHEMA_BASELINE, "one")
