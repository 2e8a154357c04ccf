"""What `make test` makes of its programs: nothing that died is green."""

import subprocess
from pathlib import Path

import pytest

RUN_TESTS = Path(__file__).resolve().parents[1] / "run_tests"
START = "[==========] Running 2 test(s)."
GOOD = "[       OK ] a\n[       OK ] b"


def _run(tmp_path: Path, script: str) -> subprocess.CompletedProcess[str]:
    program = tmp_path / "test_x"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return subprocess.run(
        [RUN_TESTS, "--unit", program], capture_output=True, text=True
    )


def _says(text: str) -> str:
    return f"cat <<'END'\n{text}\nEND"


@pytest.mark.parametrize(
    "script, last, told",
    [
        (_says(f"{START}\n{GOOD}"), "2 passed, 0 failed", "ok   test_x"),
        (
            _says(f"{START}\n[       OK ] a"),
            "1 passed, 1 failed",
            "FAILED test_x: ended after 1 of its 2 tests",
        ),
        (
            _says(f"{START}\n{GOOD}") + "\nkill -SEGV $$",
            "2 passed, 1 failed",
            "FAILED test_x: ended with status -11",
        ),
        ("exit 0", "0 passed, 1 failed", "FAILED test_x: ran no test"),
        (
            _says(
                f"{START}\n[       OK ] a\n[  FAILED  ] b\n"
                "[  FAILED  ] 1 test(s), listed below:\n[  FAILED  ] b"
            )
            + "\nexit 1",
            "1 passed, 1 failed",
            "FAILED test_x: b\n",
        ),
    ],
)
def test_programs(tmp_path: Path, script: str, last: str, told: str) -> None:
    done = _run(tmp_path, script)
    assert done.stdout.splitlines()[-1] == last
    assert told in done.stdout
    assert (done.returncode == 0) == last.endswith(" 0 failed")


def test_what_is_skipped_is_named_once_with_its_reason(tmp_path: Path) -> None:
    said = (
        f"{START}\n[       OK ] a\n*** skipped: no vectors ***\n"
        "[  SKIPPED ] b\n[  SKIPPED ] 1 test(s), listed below:\n"
        "[  SKIPPED ] b"
    )
    done = _run(tmp_path, _says(said))
    assert done.returncode == 0
    assert done.stdout.count("SKIPPED test_x: b\n") == 1
    assert "*** skipped: no vectors ***" in done.stdout
    assert done.stdout.endswith("\n1 passed, 0 failed\n")


def test_nothing_to_run_is_red(tmp_path: Path) -> None:
    done = subprocess.run([RUN_TESTS], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stdout == "0 passed, 0 failed\n"
