"""Which commit a head is compared with, in every state of a clone."""

from __future__ import annotations

from pathlib import Path

import pytest
from repo import commit, init, sh, write

from plumblib import git
from plumblib.base_choice import asked_for, choose, default_ref
from plumblib.errors import NoBase, UsageError


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """A repository whose main branch has two commits."""
    folder = init(tmp_path / "origin")
    commit(folder, "first", a_txt="1")
    commit(folder, "second", a_txt="2")
    return folder


@pytest.fixture
def clone(origin: Path, tmp_path: Path) -> Path:
    sh(tmp_path, "clone", "--quiet", str(origin), "clone")
    return tmp_path / "clone"


def chosen(folder: Path, ref: str | None = None):
    repository = git.find(folder)
    dirty = bool(git.changed_files(repository, []))
    return choose(repository, ref, dirty)


def head(folder: Path, name: str = "HEAD") -> str:
    return sh(folder, "rev-parse", name)


def test_a_branch_is_compared_with_its_merge_base(clone, origin):
    sh(clone, "checkout", "--quiet", "-b", "topic")
    fork = head(clone)
    commit(clone, "mine", b_txt="1")
    commit(origin, "theirs", c_txt="1")
    sh(clone, "fetch", "--quiet")
    base = chosen(clone)
    assert base.commit == fork
    assert base.title == (
        f"HEAD {head(clone)[:7]} against merge base {fork[:7]} of origin/main"
    )
    assert not base.again and not base.merged


def test_local_commits_on_main_are_compared_with_the_remote(clone):
    fork = head(clone)
    commit(clone, "mine", b_txt="1")
    assert chosen(clone).commit == fork


def test_a_clean_head_that_is_merged_is_compared_with_its_parent(clone):
    base = chosen(clone)
    assert base.commit == head(clone, "HEAD^")
    assert "against its parent" in base.title
    assert "since HEAD is in origin/main" in base.title
    assert base.merged and not base.again
    assert chosen(clone, "main").commit == base.commit


def test_uncommitted_changes_are_compared_with_head(clone):
    write(clone, "new_txt", "untracked counts")
    base = chosen(clone)
    assert base.commit == head(clone)
    assert base.title.startswith("uncommitted changes on HEAD")
    sh(clone, "add", "new.txt")
    assert chosen(clone).commit == head(clone)
    write(clone, "_gitignore", "*.log\n")
    commit(clone)
    sh(clone, "push", "--quiet", "origin", "HEAD:refs/heads/other")
    sh(clone, "branch", "--quiet", "--set-upstream-to=origin/other")
    write(clone, "run_log", "ignored does not")
    base = chosen(clone, "origin/other")
    assert base.commit == head(clone, "HEAD^")


@pytest.mark.parametrize("ref", ["HEAD", "@"])
def test_head_against_itself_is_the_same_twice(clone, ref):
    base = chosen(clone, ref)
    assert base.again
    assert base.commit == head(clone)
    assert base.title.startswith("A/A: HEAD")
    write(clone, "a_txt", "3")
    base = chosen(clone, ref)
    assert not base.again
    assert base.title.endswith("against HEAD itself")


def test_without_a_parent_it_is_the_same_twice(tmp_path):
    folder = init(tmp_path / "r")
    first = commit(folder, a_txt="1")
    base = chosen(folder)
    assert base.again and base.commit == first
    assert "has no parent" in base.title


def test_a_merge_commit_is_compared_with_its_first_parent(origin):
    sh(origin, "checkout", "--quiet", "-b", "side", "HEAD^")
    commit(origin, "side", s_txt="1")
    sh(origin, "checkout", "--quiet", "main")
    before = head(origin)
    sh(origin, "merge", "--quiet", "--no-ff", "-m", "merge", "side")
    assert chosen(origin).commit == before


def test_a_merge_of_main_into_a_branch_moves_the_base(clone, origin):
    sh(clone, "checkout", "--quiet", "-b", "topic")
    commit(clone, "mine", b_txt="1")
    theirs = commit(origin, "theirs", c_txt="1")
    sh(clone, "fetch", "--quiet")
    sh(clone, "merge", "--quiet", "-m", "merge", "origin/main")
    assert chosen(clone).commit == theirs


def test_a_detached_head_works(clone, origin):
    sh(clone, "checkout", "--quiet", "--detach")
    fork = head(clone)
    commit(clone, "mine", b_txt="1")
    assert chosen(clone).commit == fork


def test_a_branch_only_the_remote_has_is_found(clone, origin):
    sh(origin, "branch", "release", "HEAD^")
    sh(clone, "fetch", "--quiet")
    sh(clone, "checkout", "--quiet", "-b", "topic")
    base = chosen(clone, "release")
    assert base.commit == head(origin, "release")
    assert "of origin/release" in base.title


def test_the_main_branch_is_found(clone, origin, tmp_path):
    assert default_ref(git.find(clone)) == "origin/main"
    sh(clone, "remote", "set-head", "origin", "--delete")
    assert default_ref(git.find(clone)) == "origin/main"
    assert default_ref(git.find(origin)) == "main"
    sh(origin, "branch", "-m", "main", "master")
    assert default_ref(git.find(origin)) == "master"
    sh(origin, "branch", "-m", "master", "trunk")
    with pytest.raises(NoBase, match="Name it: `make bench-vs-base BASE"):
        default_ref(git.find(origin))
    sh(tmp_path, "clone", "--quiet", "-o", "up", str(origin), "other")
    assert default_ref(git.find(tmp_path / "other")) == "up/trunk"


def test_ci_may_name_the_branch(monkeypatch):
    monkeypatch.delenv("PLUMB_BASE", raising=False)
    assert asked_for(None) is None
    monkeypatch.setenv("PLUMB_BASE", "")
    assert asked_for(None) is None
    monkeypatch.setenv("PLUMB_BASE", "origin/release")
    assert asked_for(None) == "origin/release"
    assert asked_for("HEAD") == "HEAD"


def test_an_unknown_name_is_a_usage_error(clone):
    with pytest.raises(UsageError, match="'nowhere' is no commit, branch"):
        chosen(clone, "nowhere")
    with pytest.raises(UsageError, match="'--all' is no commit"):
        chosen(clone, "--all")


def test_a_shallow_clone_is_refused(origin, tmp_path):
    commit(origin, "third", a_txt="3")
    sh(tmp_path, "clone", "--quiet", "--depth=2", f"file://{origin}", "s")
    for ref in (None, "HEAD", "HEAD^"):
        with pytest.raises(NoBase, match="git fetch --unshallow"):
            chosen(tmp_path / "s", ref)


def test_unrelated_histories_have_no_base(clone):
    sh(clone, "checkout", "--quiet", "--orphan", "other")
    commit(clone, "unrelated")
    with pytest.raises(NoBase, match="no common ancestor"):
        chosen(clone, "origin/main")


def test_no_repository_and_no_commit(tmp_path):
    with pytest.raises(NoBase, match="not a git repository"):
        chosen(tmp_path)
    folder = init(tmp_path / "r")
    with pytest.raises(NoBase, match="Commit first"):
        chosen(folder)


def test_variables_of_git_around_us_do_not_count(clone, monkeypatch):
    expected = chosen(clone)
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.setenv(name, "/nonexistent")
    repository = git.find(clone)
    assert choose(repository, None, False) == expected


def test_what_changed_since_a_commit(tmp_path):
    folder = init(tmp_path / "r")
    project = folder / "sub folder" / "Prüfung"
    write(project, "gate__a_txt", "1")
    write(project, "gate__gone_txt", "1")
    write(project, "gate__same_txt", "1")
    write(project, "other_txt", "1")
    first = commit(folder)
    write(project, "gate__a_txt", "2")
    (project / "gate/gone.txt").unlink()
    write(project, "other_txt", "2")
    commit(folder)
    write(project, "gate__ü x_txt", "untracked")
    found = git.changed_since(git.find(project), first, ("gate", "none"))
    assert found == ["gate/a.txt", "gate/gone.txt", "gate/ü x.txt"]
    assert git.changed_since(git.find(project), first, ()) == []
