"""ci/*.sh: which commands run, and which of them decides the exit code."""

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
case $1 in
gate) exit ${GATE_CODE:-0} ;;
vs-base) exit ${BASE_CODE:-0} ;;
audit) exit ${AUDIT_CODE:-0} ;;
prove) exit ${PROVE_CODE:-0} ;;
report) mkdir -p build/report && echo page > build/report/index.html ;;
esac
"""
BEFORE = ["make test", "canary"]


@pytest.fixture
def run(tmp_path: Path):
    """Runs a copy of one, by default `.ci/run`, beside a make, a canary and
    a plumb that only say that they were called."""
    root = tmp_path / "a checkout"
    (root / "bin").mkdir(parents=True)
    for name in ("ci/run.sh", "ci/nightly.sh", ".ci/run"):
        (root / name).parent.mkdir(exist_ok=True)
        shutil.copy(project.HOME / name, root / name)
    for name, text in (
        ("bin/make", MAKE),
        ("ci/canary.sh", CANARY),
        ("scripts/plumb", PLUMB),
    ):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
        (root / name).chmod(0o755)

    def start(
        name: str = ".ci/run", **codes: int
    ) -> tuple[int, list[str], str]:
        (root / "log").unlink(missing_ok=True)
        done = subprocess.run(
            [root / name],
            cwd=tmp_path,
            env={
                "PATH": f"{root}/bin:{os.environ['PATH']}",
                **{key: str(code) for key, code in codes.items()},
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


@pytest.mark.parametrize(
    "codes, end",
    [
        ({}, 0),
        ({"GATE_CODE": 1, "AUDIT_CODE": 3}, 1),
        ({"GATE_CODE": 3, "AUDIT_CODE": 1}, 3),
        ({"AUDIT_CODE": 1}, 1),
        ({"PROVE_CODE": 1}, 1),
    ],
)
def test_a_night_runs_to_its_end(run, tmp_path, codes, end):
    found, log, _ = run("ci/nightly.sh", **codes)
    assert found == end
    assert log == ["make setup", "plumb gate", "plumb audit", "plumb prove",
                   "plumb report"]
    kept = tmp_path / "a checkout" / "build" / "ci" / "report.html"
    assert kept.read_text() == "page\n"
