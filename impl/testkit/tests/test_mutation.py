#!/usr/bin/python3
"""The mutation check itself: what it lets pass, and what it does not."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import mutation  # noqa: E402
from mutation import Mutant, Suite  # noqa: E402

SOURCE = "impl/m/twice.c"
SUITE = Suite(changing=(SOURCE,), fixed=("impl/m/fixed.c",),
              tests=("impl/m/tests/test_m.c",))
SEEN = Mutant("once", SOURCE, "2 * x", "x")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one function and one test."""
    files = {
        SOURCE: "int twice(int x) { return x == 9 ? 18 : 2 * x; }\n",
        "impl/m/fixed.c": "int three(void) { return 3; }\n",
        "impl/m/tests/test_m.c": "int twice(int); int three(void);\n"
        "int main(void) { return twice(three()) != 6; }\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setattr(mutation, "ROOT", tmp_path)
    monkeypatch.setattr(mutation, "TEST_SECONDS", 1)
    return tmp_path


@pytest.mark.parametrize("mutant, status, word", [
    (SEEN, 0, "seen"),
    (Mutant("no end", SOURCE, "return x", "for (;;); return x"), 0, "no end"),
    (Mutant("untested", SOURCE, "x == 9 ? 18", "x == 9 ? 19"), 1, "SURVIVED"),
    (Mutant("gone", SOURCE, "3 * x", "x"), 1, "STALE"),
    (Mutant("twice there", SOURCE, "x", "y"), 1, "STALE"),
    (Mutant("no C", SOURCE, "2 * x", "2 *"), 1, "does not compile"),
])
def test_each_end(mutant, status, word, capsys):
    assert mutation.check(SUITE, [mutant]) == status
    assert word in capsys.readouterr().out


def test_one_unseen_fault_is_enough(capsys):
    unseen = Mutant("untested", SOURCE, "18", "19")
    assert mutation.check(SUITE, [SEEN, unseen, SEEN]) == 1
    assert "2 of 3 faults seen" in capsys.readouterr().out


def test_red_without_a_fault(project, capsys):
    (project / SOURCE).write_text("int twice(int x) { return x; }\n")
    assert mutation.check(SUITE, [SEEN]) == 1
    assert "without any fault" in capsys.readouterr().err


def test_the_project_is_left_alone(project):
    before = (project / SOURCE).read_text()
    mutation.check(SUITE, [SEEN])
    assert (project / SOURCE).read_text() == before
    assert not list(project.rglob("*.o"))
