#!/usr/bin/python3
"""iso_documents.py: what it makes, and what it says when it cannot."""

import importlib.util
import json
from pathlib import Path

import msgpack
import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "sample/iso_documents.py"
TABLE = "iso_639-3"


@pytest.fixture(scope="module")
def script():
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("iso_documents", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def tables(script) -> Path:
    """The folder of the installed tables."""
    if not (script.SOURCE / f"{TABLE}.json").exists():
        pytest.skip("iso-codes is not installed")
    return script.SOURCE


def test_documents_hold_the_tables(script, tables, tmp_path, capsys):
    assert script.main(["--output", str(tmp_path)]) == 0
    assert f"{TABLE}.msgpack" in capsys.readouterr().err
    names = script.read_digests(script.DIGESTS)
    assert sorted(names) == sorted(p.name for p in tmp_path.iterdir())
    for name in names:
        table = (tables / name).with_suffix(".json")
        document = msgpack.unpackb((tmp_path / name).read_bytes())
        assert document == json.loads(table.read_text(encoding="utf-8"))


def test_a_second_run_does_nothing(script, tables, tmp_path, capsys):
    assert script.main(["--output", str(tmp_path)]) == 0
    before = {p: p.stat().st_mtime_ns for p in tmp_path.iterdir()}
    capsys.readouterr()
    assert script.main(["--output", str(tmp_path), "--source", "/"]) == 0
    assert capsys.readouterr() == ("", "")
    assert before == {p: p.stat().st_mtime_ns for p in tmp_path.iterdir()}


def test_a_damaged_document_is_made_again(script, tables, tmp_path):
    assert script.main(["--output", str(tmp_path)]) == 0
    path = tmp_path / f"{TABLE}.msgpack"
    sound = path.read_bytes()
    path.write_bytes(sound[:-1])
    assert script.main(["--output", str(tmp_path)]) == 0
    assert path.read_bytes() == sound


def test_absent_tables_are_named(script, tmp_path, capsys):
    output = tmp_path / "out"
    status = script.main(["--source", str(tmp_path), "--output", str(output)])
    assert status == 1
    said = capsys.readouterr().err
    assert str(tmp_path) in said and "iso-codes" in said
    assert not output.exists()


def test_other_tables_are_refused(script, tmp_path, capsys):
    for name in script.read_digests(script.DIGESTS):
        (tmp_path / name).with_suffix(".json").write_text("{}")
    output = tmp_path / "out"
    status = script.main(["--source", str(tmp_path), "--output", str(output)])
    assert status == 1
    assert script.VERSION in capsys.readouterr().err
    assert not output.exists()
