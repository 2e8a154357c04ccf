"""A bar where standard error is a terminal, plain lines elsewhere."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from plumblib import progress

SCRIPTS = Path(__file__).resolve().parents[1]

STAGE = (
    "import sys\n"
    "from importlib import util\n"
    "if 'plain' in sys.argv: util.find_spec = lambda name: None\n"
    "from plumblib import progress\n"
    "with progress.stage('counting', 2) as done:\n"
    "    done('a/b/c')\n"
    "    done('a/b/d')\n"
)


def _on_a_terminal(*words: str, **env: str) -> str:
    try:
        ours, theirs = pty.openpty()
    except OSError as error:
        pytest.skip(f"no terminal to be had here: {error}")
    known = {"TERM": "xterm-256color", "COLUMNS": "80"}
    subprocess.run(
        [sys.executable, "-B", "-c", STAGE, *words],
        cwd=SCRIPTS,
        env=os.environ | known | env,
        stderr=theirs,
        check=True,
    )
    os.close(theirs)
    told = b""
    try:
        while chunk := os.read(ours, 4096):
            told += chunk
    except OSError:  # Linux tells the end so
        pass
    os.close(ours)
    return told.decode()


def test_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.stage("counting", 2) as done:
        done("a/b/c")
    first, last = capsys.readouterr().err.splitlines()
    assert first == "plumb: counting 2 cases"
    assert last.startswith("plumb: counting 2 cases: done in ")


def test_a_failure_is_not_called_done(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(KeyError), progress.stage("building"):
        raise KeyError
    assert capsys.readouterr().err == "plumb: building\n"


COLOUR = re.compile(r"\x1b\[(\d+;)*3\d")


def test_bar_in_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    told = _on_a_terminal()
    assert "2/2" in told and "a/b/d" in told
    assert COLOUR.search(told)


def test_bar_without_colour() -> None:
    told = _on_a_terminal(NO_COLOR="1")
    assert "2/2" in told and "a/b/d" in told
    assert not COLOUR.search(told)


def test_terminal_without_rich() -> None:
    told = _on_a_terminal("plain")
    assert told.startswith("plumb: counting 2 cases\r\n")
