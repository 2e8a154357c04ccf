"""ci/run.sh: which command decides, and with which exit code."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from plumblib import project

MAKE = "#!/bin/sh\necho make $* >> log\nexit ${MAKE_CODE:-0}\n"
CANARY = "#!/bin/sh\necho canary >> log\nexit ${CANARY_CODE:-0}\n"
PLUMB = """#!/bin/sh
echo plumb $1 >> log
case $1 in gate) exit ${GATE_CODE:-0} ;; vs-base) exit ${BASE_CODE:-0} ;; esac
"""
BEFORE = ["make test", "canary"]


@pytest.fixture
def run(tmp_path: Path):
    """Runs a copy of it beside a make, a canary and a plumb that only say
    that they were called."""
    root = tmp_path / "a checkout"
    (root / "bin").mkdir(parents=True)
    for name in ("ci/run.sh", ".ci/run"):
        (root / name).parent.mkdir()
        shutil.copy(project.HOME / name, root / name)
    for name, text in (
        ("bin/make", MAKE),
        ("ci/canary.sh", CANARY),
        ("scripts/plumb", PLUMB),
    ):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
        (root / name).chmod(0o755)

    def start(**codes: int) -> tuple[int, list[str], str]:
        (root / "log").unlink(missing_ok=True)
        done = subprocess.run(
            [root / ".ci" / "run"],
            cwd=tmp_path,
            env={
                "PATH": f"{root}/bin:{os.environ['PATH']}",
                **{name: str(code) for name, code in codes.items()},
            },
            capture_output=True,
            text=True,
        )
        log = (root / "log").read_text().splitlines()
        return done.returncode, log, done.stdout

    return start


def test_green(run):
    assert run()[:2] == (0, [*BEFORE, "plumb gate"])


def test_a_red_test_ends_it(run):
    assert run(MAKE_CODE=2)[:2] == (2, ["make test"])
    assert run(CANARY_CODE=1)[:2] == (1, BEFORE)


@pytest.mark.parametrize("code", [1, 2])
def test_a_red_gate_is_not_asked_again(run, code):
    found = run(GATE_CODE=code, BASE_CODE=0)
    assert found[:2] == (code, [*BEFORE, "plumb gate"])


@pytest.mark.parametrize("code", [0, 1, 3])
def test_without_an_answer_the_merge_base_decides(run, code):
    found, log, said = run(GATE_CODE=3, BASE_CODE=code)
    assert found == code
    assert log == [*BEFORE, "plumb gate", "plumb vs-base"]
    assert "comparing with the merge base instead" in said
