"""Makes plumblib importable, and names the recorded outputs."""

import shutil
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SCRIPTS))

import desk


@pytest.fixture
def data() -> Path:
    """The folder of recorded tool outputs."""
    return SCRIPTS / "tests" / "data"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return desk.make(tmp_path_factory.mktemp("fremd"))


@pytest.fixture
def root(made: Path, tmp_path: Path) -> Path:
    """A project in a repository of its own, with one commit."""
    found = tmp_path / made.name
    shutil.copytree(made, found, symlinks=True)
    return found


@pytest.fixture
def plumb(root: Path, capfd: pytest.CaptureFixture[str], monkeypatch):
    """Runs a command that judges, in `root`."""
    for name in ("CI", "PLUMB_ACCEPT_GATE_CHANGE", "PLUMB_BASE"):
        monkeypatch.delenv(name, raising=False)
    return lambda *words: desk.run(root, capfd, *words)
