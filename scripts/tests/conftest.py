"""Makes plumblib importable, and names the recorded outputs."""

import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SCRIPTS))


@pytest.fixture
def data() -> Path:
    """The folder of recorded tool outputs."""
    return SCRIPTS / "tests" / "data"
