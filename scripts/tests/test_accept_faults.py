"""accept, killed or out of space at any point, leaves whole files."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from samples import TOOLCHAIN, case, measurement

import foreign
from plumblib import baseline, codec, history
from plumblib.cli import main
from plumblib.records import Measurement

SCRIPTS = Path(__file__).resolve().parents[1]
GCC_13 = replace(TOOLCHAIN, compiler="gcc 13")

# Runs `plumb` and kills it at the Nth call that changes a file.
KILLED = """
import os, signal, sys
from plumblib.cli import main
left = int(sys.argv[1])
def counted(call):
    def wrapped(*args, **names):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*args, **names)
    return wrapped
for name in ("fsync", "replace", "rename", "unlink", "fchmod"):
    setattr(os, name, counted(getattr(os, name)))
sys.exit(main(sys.argv[2:]))
"""

PLAIN = """
import sys
from plumblib.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project whose budgets were accepted once."""
    found = foreign.make(tmp_path / "mein Prüfstand", "").root
    first = measurement(
        *(case(f"{suite}/{i}/x", 100) for suite in ("demo", "map", "old")
          for i in range(20))
    )
    assert accept(found, first) == 0
    return found


def save(root: Path, measured: Measurement) -> str:
    path = root / "build" / "measured.json"
    codec.save(path, measured)
    return str(path)


def accept(root: Path, measured: Measurement) -> int:
    return main(["-C", str(root), "accept", "-m", save(root, measured)])


def second() -> Measurement:
    """Cheaper, with another compiler, and without one of the suites."""
    return measurement(
        *(case(f"{suite}/{i}/x", 90) for suite in ("demo", "map")
          for i in range(20)),
        toolchain=GCC_13,
        made_at="2026-02-01T12:00:00Z",
    )


def state(root: Path) -> dict[str, bytes]:
    folder = root / "baselines" / TOOLCHAIN.platform
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if not path.name.startswith(".")
    }


def plumb(root, code, *first, measured=None, **how) -> int:
    measured = measured or save(root, second())
    words = ["accept", "--new-toolchain", "-m", measured]
    done = subprocess.run(
        [sys.executable, "-B", "-c", code, *first, "-C", str(root), *words],
        cwd=SCRIPTS,
        capture_output=True,
        text=True,
        **how,
    )
    if done.returncode > 0:
        assert "cannot be written, what was there is unchanged" in done.stderr
    return done.returncode


def test_killed_at_any_point(root):
    before = state(root)
    folder = root / "baselines" / TOOLCHAIN.platform
    seen = set()
    for step in range(1, 100):
        for name, data in before.items():
            (folder / name).write_bytes(data)
        code = plumb(root, KILLED, str(step))
        after = state(root)
        if code == 0:
            break
        assert code == -9
        changed = {name for name in before if after.get(name) != before[name]}
        seen.add(frozenset(changed))
        found = baseline.load(folder)  # every file is whole
        assert len(history.load(folder / "history.jsonl").entries) in (1, 2)
        # figures of two toolchains under the name of the new one: never
        if found["demo"].toolchain == GCC_13:
            costs = {
                budget.figures["instructions"].total
                for suite in ("demo", "map")
                for budget in found[suite].cases.values()
            }
            assert costs == {90}
    else:
        pytest.fail("never came to its end")
    assert frozenset() in seen  # killed before the first file changed
    assert len(seen) >= 4  # and between them
    assert "old.json" not in after
    # the next accept after the last kill is as if there had been none
    for found in baseline.load(folder).values():
        assert found.toolchain == GCC_13


def test_no_space_at_any_point(root):
    """Limits on the size of a file stand in for a full disk: each file in
    turn is the one that has no room."""
    before = state(root)
    assert plumb(root, PLAIN) == 0
    sizes = {len(data) for data in state(root).values()}
    folder = root / "baselines" / TOOLCHAIN.platform
    for room in [0, *(size - 1 for size in sizes)]:
        for name, data in before.items():
            (folder / name).write_bytes(data)
        measured = save(root, second())

        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

        assert plumb(root, PLAIN, measured=measured, preexec_fn=limit) == 2
        assert state(root) == before
        assert list(folder.glob(".*")) == []


def test_a_full_disk(root):
    """The baselines on a disk of their own, with room for one more of the
    files but not for all."""
    if os.geteuid() != 0 or _in_namespace("true") != 0:
        pytest.skip("skipped: only root can mount a small disk")
    before = state(root)
    pages = sum(-(-len(data) // 4096) for data in before.values())
    script = (
        'cp -r "$1" "$2" && mount -t tmpfs -o size=$SIZE none "$1" &&'
        ' cp -r "$2/." "$1" && shift 2 || exit 99;'
        ' dir=$1; shift; "$@"; code=$?; cp -r "$dir/." "$OUT"; exit $code'
    )
    folder = root / "baselines" / TOOLCHAIN.platform
    out = root / "after"
    out.mkdir()
    words = [
        *(sys.executable, "-B", "-c", PLAIN, "-C", str(root), "accept"),
        *("--new-toolchain", "-m", save(root, second())),
    ]
    code = _in_namespace(
        *("env", f"OUT={out}", f"SIZE={(pages + 2) * 4}k"),
        *("sh", "-c", script, "sh"),
        *(str(folder), str(root / "kept"), str(folder), *words),
    )
    assert code == 2
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def _in_namespace(*words: str) -> int:
    """Run a program whose mounts nobody else sees."""
    return subprocess.run(
        ["unshare", "-m", *words], cwd=SCRIPTS, check=False
    ).returncode


def test_a_bad_file_keeps_accept_from_writing(root, capsys):
    path = root / "baselines" / TOOLCHAIN.platform / "demo.json"
    raw = json.loads(path.read_text())
    raw["cases"]["demo/0/x"]["figures"]["instructions"] = -1
    path.write_text(json.dumps(raw))
    before = state(root)
    assert accept(root, second()) == 2
    assert "instructions: -1 is less than" in capsys.readouterr().err
    assert state(root) == before
