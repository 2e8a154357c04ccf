"""Two runs in one checkout: the second waits or refuses."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from plumblib import lock
from plumblib.errors import UsageError

SCRIPTS = Path(__file__).resolve().parents[1]

HOLD = (
    "import sys, pathlib\n"
    "from plumblib import lock\n"
    "with lock.held(pathlib.Path(sys.argv[1])):\n"
    "    print('held', flush=True)\n"
    "    sys.stdin.read()\n"
)


def _holder(root: Path) -> subprocess.Popen[str]:
    child = subprocess.Popen(
        [sys.executable, "-B", "-c", HOLD, str(root)],
        cwd=SCRIPTS,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    return child


def test_refuses_names_the_other_and_a_kill_leaves_nothing(
    tmp_path: Path,
) -> None:
    root = tmp_path / "ein Ort"
    root.mkdir()
    first = _holder(root)
    assert first.stdout is not None
    assert first.stdout.readline() == "held\n"
    with pytest.raises(UsageError, match=f"ein Ort .process {first.pid}"):
        with lock.held(root, wait=False):
            pass
    first.kill()
    first.wait()
    with lock.held(root, wait=False):
        pass


def test_second_waits_and_says_so(tmp_path: Path) -> None:
    with lock.held(tmp_path):
        second = _holder(tmp_path)
        assert second.stderr is not None
        assert "waiting for it to end" in second.stderr.readline()
        time.sleep(0.1)
        assert second.poll() is None
    assert second.communicate(timeout=10)[0] == "held\n"
    assert second.returncode == 0
