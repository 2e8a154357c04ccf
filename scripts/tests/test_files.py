"""Files are replaced whole or not at all, and bad ones are explained."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from plumblib import files
from plumblib.errors import UsageError

SCRIPTS = Path(__file__).resolve().parents[1]


def test_written_sorted_and_readable_by_all(tmp_path: Path) -> None:
    path = tmp_path / "Übung 1" / "a b.json"
    files.write_json(path, {"b": [1], "a": "ä"})
    assert path.read_text() == '{\n  "a": "ä",\n  "b": [\n    1\n  ]\n}\n'
    assert path.stat().st_mode & 0o444 == 0o444
    assert os.listdir(path.parent) == ["a b.json"]
    assert files.load_json(path) == {"a": "ä", "b": [1]}


def test_a_symbolic_link_stays_one(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    link.symlink_to(real)
    files.write_text(link, "new")
    assert link.is_symlink() and real.read_text() == "new"


def test_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    """A file size limit stands in for the full disk: the write fails in
    the same place, after some of the bytes."""
    path = tmp_path / "a.json"
    path.write_text("old")
    code = (
        "import sys, pathlib\n"
        "from plumblib import files, errors\n"
        "try:\n"
        "    files.write_text(pathlib.Path(sys.argv[1]), 'x' * 100_000)\n"
        "except errors.UsageError as error:\n"
        "    sys.exit(str(error))\n"
    )

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    done = subprocess.run(
        [sys.executable, "-B", "-c", code, str(path)],
        cwd=SCRIPTS,
        preexec_fn=limit,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "what was there is unchanged: File too large" in done.stderr
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.json"]


def test_killed_while_writing_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    code = (
        "import os, signal, sys, pathlib\n"
        "from plumblib import files\n"
        "os.fsync = lambda file: os.kill(os.getpid(), signal.SIGKILL)\n"
        "files.write_text(pathlib.Path(sys.argv[1]), 'new')\n"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", code, str(path)], cwd=SCRIPTS
    )
    assert done.returncode == -9
    assert path.read_text() == "old"


@pytest.mark.parametrize(
    "text, told",
    [
        ("", "f:1: is empty"),
        (" \n", "is empty"),
        ('{"a": 1,\n "b": [1, 2', "f:2: is truncated"),
        ('{"a": "unfini', "f:1: is truncated"),
        ('{"a": 1,\n"b"', "f:2: is truncated"),
        ("hello", "f:1: is not JSON: Expecting value"),
        ('{"a": 1}\n}', "f:2: is not JSON: Extra data"),
        ('{"a": NaN}', "f: is not acceptable JSON: NaN is not a number"),
        ("[" * 100_000, "f: is not acceptable JSON"),
        (
            '{"x": {"a": 1},\n "y": {"a": 1,\n "b": "}{",\n  "a": 2}}',
            "f:4: key 'a' stands twice",
        ),
        ('{"q\\"": [{}],\n "q\\"" : 1}', "f:2: key 'q\"' stands twice"),
    ],
)
def test_bad_json_is_explained(text: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        files.parse_json(text, "f")
    assert told in str(caught.value)


def test_unreadable_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a: No such file"):
        files.load_json(tmp_path / "a")
    (tmp_path / "b").write_bytes(b'{"a": "\xff"}')
    with pytest.raises(UsageError, match="b: byte 7 is not UTF-8"):
        files.load_json(tmp_path / "b")


@pytest.mark.parametrize("kind", ["fifo", "device"])
def test_what_has_no_end_is_not_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "demo.json"
    if kind == "fifo":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    with pytest.raises(UsageError, match=r"demo\.json: is no regular file"):
        files.read_text(path)
