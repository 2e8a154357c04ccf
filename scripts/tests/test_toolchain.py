"""The toolchain of a project, and a valgrind that is absent or too old."""

from pathlib import Path

import pytest

import foreign
from plumblib import process, toolchain
from plumblib.errors import NotMeasured, UsageError
from plumblib.project import Command, Project, load


def _program(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


@pytest.mark.parametrize(
    "script, told",
    [
        ("echo valgrind-3.18.1", "3.18.1, 3.19 or later is needed"),
        ("echo valgrind-2.99", "2.99, 3.19 or later is needed"),
        ("echo hello", "not understood: 'hello'"),
        ("exit 1", "exited with status 1"),
    ],
)
def test_wrong_valgrind(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, told: str
) -> None:
    _program(tmp_path, "valgrind", script)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotMeasured, match=told):
        toolchain.find_valgrind()


def test_no_valgrind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotMeasured, match="valgrind: not found, .*3.19"):
        toolchain.find_valgrind()


@pytest.mark.parametrize("version", ["3.19.0", "3.22.0.GIT", "4.0"])
def test_good_valgrind(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str
) -> None:
    _program(tmp_path, "valgrind", f"echo valgrind-{version}")
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    assert toolchain.find_valgrind() == (tmp_path / "valgrind", version)


def test_platform_has_the_flavour_unless_it_is_release() -> None:
    plain = toolchain.platform_key("release")
    assert plain.count("-") == 2
    assert toolchain.platform_key("o3") == f"{plain}-o3"


def test_build_id_or_digest(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text("int a;\n")

    def build(name: str, *flags: str) -> Path:
        out = tmp_path / name
        process.run(["gcc", "-shared", *flags, "-o", out, source])
        return out

    known = build("known.so", "-Wl,--build-id=0x" + "00ff" * 10)
    assert toolchain.build_id(known) == "00ff" * 10
    none = build("none.so", "-Wl,--build-id=none")
    assert toolchain.build_id(none).startswith("sha256:")
    assert toolchain.build_id(none) != toolchain.build_id(known)


def _project(tmp_path: Path, *words: str) -> Project:
    made = foreign.make(tmp_path, "")
    quoted = ", ".join(f"'{word}'" for word in words)
    made.file.write_text(
        made.file.read_text() + f"toolchain = [{quoted}]\n"
    )
    return load(tmp_path)


def test_the_build_is_asked(tmp_path: Path) -> None:
    said = '{"compiler": "cc 1.2", "flags": "-O2 -DX={flavour}"}'
    found = toolchain.detect(
        _project(tmp_path, "echo", said), "o3", "3.19.0"
    )
    assert found.compiler == "cc 1.2"
    assert found.flags == "-O2 -DX=o3"
    assert found.valgrind == "3.19.0"
    assert found.objects == {}


@pytest.mark.parametrize(
    "said, told",
    [
        ("gcc", "is not JSON"),
        ('["gcc"]', "expected an object with the strings"),
        ('{"compiler": "gcc"}', "expected an object with the strings"),
        ('{"compiler": 1, "flags": ""}', "expected an object with the"),
    ],
)
def test_a_wrong_answer_names_the_key(
    tmp_path: Path, said: str, told: str
) -> None:
    with pytest.raises(UsageError, match=told) as caught:
        toolchain.detect(_project(tmp_path, "echo", said), "release", "3")
    assert "plumb.toml: subject.toolchain: echo" in str(caught.value)


def test_make_around_us_does_not_change_what_is_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MAKEFLAGS", "-- CC=tcc")
    told = '{"compiler": "gcc", "flags": "%s"}'
    found = toolchain.detect(
        _project(tmp_path, "sh", "-c", 'printf "$0" "$MAKEFLAGS"', told),
        "release",
        "3",
    )
    assert found.flags == ""


def test_command_places() -> None:
    assert Command(("a{flavour}", "{jobs}")).argv("x", 2) == ["ax", "2"]
