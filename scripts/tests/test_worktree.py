"""A base is checked out whole, and nothing of it stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from repo import commit, init, sh, write

from plumblib import git, worktree
from plumblib.errors import NoBase

SCRIPTS = Path(__file__).resolve().parents[1]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with two folders, in a path that is no plain word."""
    found = init(tmp_path / "ein Prüfstand")
    write(found, "_gitignore", "/build/\n")
    write(found, "src__a_c", "int a;\n")
    write(found, "doc__ü b_txt", "text\n")
    commit(found)
    return found


def place(folder: Path) -> Path:
    return folder / worktree.FOLDER


def checked_out(folder: Path, name: str = "HEAD"):
    repository = git.find(folder)
    found = repository.commit(name)
    assert found is not None
    return worktree.checked_out(repository, found, place(folder))


def worktrees(folder: Path) -> int:
    return sh(folder, "worktree", "list").count("\n") + 1


def names(root: Path) -> set[str]:
    return {
        str(path.relative_to(root))
        for path in root.rglob("*")
        if path.is_file() and ".git" not in path.parts
    }


WHOLE = {".gitignore", "src/a.c", "doc/ü b.txt"}


def test_it_is_whole_and_then_gone(folder):
    write(folder, "src__a_c", "changed\n")
    write(folder, "new_txt", "not committed\n")
    with checked_out(folder) as root:
        assert names(root) - {".git"} == WHOLE
        assert (root / "src/a.c").read_text() == "int a;\n"
        assert worktrees(folder) == 2
        write(root, "build__made", "by a build\n")
    assert worktrees(folder) == 1
    assert list(place(folder).iterdir()) == []
    assert (folder / "src/a.c").read_text() == "changed\n"
    assert sh(folder, "status", "--porcelain") == "M src/a.c\n?? new.txt"


def test_a_project_in_a_folder_of_the_repository(folder):
    with checked_out(folder / "src") as root:
        assert root.name == "src" and names(root) == {"a.c"}


def test_an_earlier_commit_with_other_folders(folder):
    sh(folder, "mv", "src", "source")
    commit(folder)
    with checked_out(folder, "HEAD^") as root:
        assert names(root) - {".git"} == WHOLE


@pytest.mark.parametrize("cone", ["--cone", "--no-cone"])
def test_sparse_checkout_is_off_in_the_base(folder, cone):
    sh(folder, "sparse-checkout", "set", cone, "src")
    assert not (folder / "doc").exists()
    with checked_out(folder) as root:
        assert names(root) - {".git"} == WHOLE
        sh(root, "checkout", "--quiet", "--", ".")
        assert names(root) - {".git"} == WHOLE
    assert not (folder / "doc").exists()
    assert sh(folder, "sparse-checkout", "list") == "src"


def test_hooks_do_not_run(folder):
    hook = write(folder, "_git__hooks__post-checkout", "#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    with checked_out(folder) as root:
        assert (root / "src/a.c").is_file()


def test_variables_of_git_around_us_do_not_count(folder, monkeypatch):
    repository = git.find(folder)
    head = sh(folder, "rev-parse", "HEAD")
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.setenv(name, "/nonexistent")
    with worktree.checked_out(repository, head, place(folder)) as root:
        assert (root / "src/a.c").is_file()


def test_folders_that_cannot_be_written_go_too(folder):
    with checked_out(folder) as root:
        (root / "locked" / "deep").mkdir(parents=True)
        write(root, "locked__deep__f", "x")
        (root / "locked" / "deep").chmod(0o555)
        (root / "locked").chmod(0o555)
    assert list(place(folder).iterdir()) == []


def test_a_missing_commit_is_no_base(folder):
    repository = git.find(folder)
    with pytest.raises(NoBase, match="base abababa cannot be checked out"):
        with worktree.checked_out(repository, "ab" * 20, place(folder)):
            pass
    assert worktrees(folder) == 1


def test_worktrees_of_others_stay(folder, tmp_path):
    sh(folder, "worktree", "add", "--quiet", str(tmp_path / "theirs"))
    gone = tmp_path / "on a disk that is not there"
    sh(folder, "worktree", "add", "--quiet", "--detach", str(gone))
    gone.rename(tmp_path / "elsewhere")
    with checked_out(folder):
        pass
    assert worktrees(folder) == 3


def test_what_a_killed_run_left_goes_with_the_next(folder, tmp_path):
    repository = git.find(folder)
    head = sh(folder, "rev-parse", "HEAD")
    left = place(folder)
    for at in ("one", "two", "three"):
        sh(folder, "worktree", "add", "--quiet", "--detach",
           str(left / at), head)
    (left / "two").rename(tmp_path / "away")  # as `make clean` does
    sh(folder, "worktree", "lock", "--reason", "initializing",
       str(left / "three"))
    (left / "half").mkdir()
    with checked_out(folder):
        assert worktrees(folder) == 2
    assert worktrees(folder) == 1
    assert worktree.remove_all(repository, left) == 0


HOLD = """
import sys, time, signal
from pathlib import Path
from plumblib import cli, git, worktree
signal.signal(signal.SIGTERM, cli._interrupt)
folder = Path(sys.argv[1])
repository = git.find(folder)
with worktree.checked_out(repository, repository.commit("HEAD"),
                          folder / worktree.FOLDER) as root:
    print(root, flush=True)
    while True:  # a signal just before a long sleep would not end it
        time.sleep(0.1)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_leaves_nothing(folder, number):
    with subprocess.Popen(
        [sys.executable, "-B", "-c", HOLD, str(folder)],
        cwd=SCRIPTS,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as child:
        assert child.stdout is not None
        root = Path(os.fsdecode(child.stdout.readline()).strip())
        assert root.is_dir()
        child.send_signal(number)
        assert child.wait(20) != 0
    assert worktrees(folder) == 1
    assert not root.exists()


def test_a_killed_run_is_cleaned_by_the_next(folder):
    with subprocess.Popen(
        [sys.executable, "-B", "-c", HOLD, str(folder)],
        cwd=SCRIPTS,
        stdout=subprocess.PIPE,
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        child.kill()
    assert worktrees(folder) == 2
    assert worktree.remove_all(git.find(folder), place(folder)) == 1
    assert worktrees(folder) == 1


@pytest.fixture
def nested(tmp_path: Path) -> Path:
    """A clone whose submodule has a submodule; neither remote is there
    any more."""
    inner = init(tmp_path / "inner")
    commit(inner, i_txt="1")
    middle = init(tmp_path / "middle")
    commit(middle, m_txt="1")
    sh(middle, "submodule", "add", "--quiet", str(inner), "deep/inner")
    commit(middle)
    outer = init(tmp_path / "outer")
    write(outer, "_gitignore", "/build/\n")
    sh(outer, "submodule", "add", "--quiet", str(middle), "lib/mid dle")
    commit(outer, o_txt="1")
    sh(tmp_path, "clone", "--quiet", "--recursive", str(outer), "clone")
    for name in ("inner", "middle", "outer"):
        (tmp_path / name).rename(tmp_path / f"{name}-away")
    return tmp_path / "clone"


SUBMODULES = {"lib/mid dle/m.txt", "lib/mid dle/deep/inner/i.txt"}


def test_submodules_come_along_without_a_network(nested):
    with checked_out(nested) as root:
        assert SUBMODULES <= names(root)
    assert worktrees(nested) == 1
    assert sh(nested, "submodule", "status", "--recursive").count("\n") == 1


def test_the_base_has_its_own_commit_of_a_submodule(nested):
    sub = nested / "lib/mid dle"
    commit(sub, m_txt="2")
    commit(nested)
    with checked_out(nested, "HEAD^") as root:
        assert (root / "lib/mid dle/m.txt").read_text() == "1"
    with checked_out(nested) as root:
        assert (root / "lib/mid dle/m.txt").read_text() == "2"
    assert (sub / "m.txt").read_text() == "2"


def test_a_submodule_that_moved_or_went_is_found_by_its_name(nested):
    sh(nested, "mv", "lib/mid dle", "elsewhere")
    commit(nested)
    with checked_out(nested, "HEAD^") as root:
        assert SUBMODULES <= names(root)
    sh(nested, "rm", "--quiet", "elsewhere")
    commit(nested)
    with checked_out(nested, "HEAD^^") as root:
        assert SUBMODULES <= names(root)


def test_a_submodule_nobody_initialised_stays_empty(nested, tmp_path):
    sh(tmp_path, "clone", "--quiet", str(nested), "plain")
    with checked_out(tmp_path / "plain") as root:
        assert (root / "o.txt").is_file()
        assert not SUBMODULES & names(root)


def test_a_commit_of_a_submodule_that_is_not_here(nested):
    head = sh(nested, "rev-parse", "HEAD")
    link = f"160000,{'ab' * 20},lib/mid dle"
    sh(nested, "update-index", "--cacheinfo", link)
    sh(nested, "-c", "user.name=A", "commit", "--quiet", "-m", "unpushed")
    assert sh(nested, "rev-parse", "HEAD") != head
    with pytest.raises(NoBase, match="needs its commit abababababab, which"):
        with checked_out(nested):
            pass
    assert worktrees(nested) == 1
