"""plumb-dec for the tests of its commands: built once, run anywhere."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def plumb_dec() -> Path:
    """The program, built as a user would."""
    subprocess.run(["make", "-s", "dec"], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return ROOT / "build/release/plumb-dec"


@pytest.fixture
def run(request: pytest.FixtureRequest, plumb_dec: Path, tmp_path: Path):
    """Run the module's COMMAND of plumb-dec, in a folder of its own."""
    command = request.module.COMMAND

    def run_it(*args: str, stdin: bytes = b"") -> subprocess.CompletedProcess:
        return subprocess.run([plumb_dec, command, *args], input=stdin,
                              cwd=tmp_path, capture_output=True, timeout=60)

    return run_it
