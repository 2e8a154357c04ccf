"""Git repositories made for a test."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_SETTINGS = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}


def sh(folder: Path, *words: str) -> str:
    """Run git in a folder; returns what it printed."""
    return subprocess.run(
        ["git", "-c", "protocol.file.allow=always", *words],
        cwd=folder,
        env=os.environ | _SETTINGS,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()


def init(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    sh(folder, "init", "--quiet", "--initial-branch=main")
    return folder


def commit(folder: Path, message: str = "a change", **texts: str) -> str:
    """Commit everything there is, after writing `texts` by name (`__`
    stands for a slash, `_` before an ending for the point)."""
    for name, text in texts.items():
        write(folder, name, text)
    sh(folder, "add", "--all")
    sh(folder, "commit", "--quiet", "--allow-empty", "-m", message)
    return sh(folder, "rev-parse", "HEAD")


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name.replace("__", "/").replace("_", ".")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path
