"""Which commit is measured, asked in real repositories."""

from pathlib import Path

import pytest

from plumblib import process, revision
from plumblib.errors import NotMeasured
from plumblib.project import WORK
from plumblib.records import Revision


def _git(root: Path, *words: str) -> str:
    who = ("-c", "user.name=A", "-c", "user.email=a@b.example")
    env = process.environment("GIT_")
    return process.run(["git", *who, *words], cwd=root, env=env).stdout


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "ein Ort ä"
    root.mkdir()
    _git(root, "init", "-q", "-b", "main")
    (root / "a").write_text("1")
    _git(root, "add", "a")
    _git(root, "commit", "-q", "-m", "area: ä%s\n\nwhy")
    return root


def test_a_clean_commit(root: Path) -> None:
    sha = _git(root, "rev-parse", "HEAD").strip()
    assert revision.read(root) == Revision(sha, "area: ä%s", False)


def test_what_makes_it_dirty(root: Path) -> None:
    (root / WORK).mkdir(parents=True)
    (root / WORK / "lock").write_text("1")
    assert not revision.read(root).dirty
    (root / "b").write_text("new")
    assert revision.read(root).dirty
    assert not revision.read(root, root / "b").dirty
    _git(root, "add", "b")
    assert revision.read(root).dirty
    _git(root, "commit", "-q", "-m", "b")
    assert not revision.read(root).dirty
    (root / "a").write_text("2")
    assert revision.read(root).dirty


def test_variables_of_a_hook_are_not_followed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    assert revision.read(root).subject == "area: ä%s"


def test_without_a_commit_or_a_repository(tmp_path: Path) -> None:
    assert revision.read(tmp_path) == Revision("", "", False)
    _git(tmp_path, "init", "-q")
    assert revision.read(tmp_path) == Revision("", "", False)
    (tmp_path / "a").write_text("1")
    assert revision.read(tmp_path) == Revision("", "", True)


def test_a_broken_repository_is_told(root: Path) -> None:
    (root / ".git" / "config").write_text("[core\n")
    with pytest.raises(NotMeasured, match="bad config"):
        revision.read(root)
