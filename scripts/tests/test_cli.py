"""The command itself: exit codes, what it prints, and interruptions."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import foreign
from plumblib import codec, lock, measure, project
from plumblib.records import Measurement

PLUMB = Path(__file__).resolve().parents[1] / "plumb"

CASES = r"""
#include <valgrind/valgrind.h>

static uint64_t ok(void *state) { (void)state; return 7; }

static uint64_t hang(void *state)
{
    for (;;)
        __asm__ volatile("" : : "r"(state));
}

static uint64_t hang_under_valgrind(void *state)
{
    return RUNNING_ON_VALGRIND ? hang(state) : 7;
}

static uint64_t work(void *state)
{
    (void)state;
    __asm__ volatile(".rept 100\n nop\n .endr");
    return 7;
}

static const struct bench_case cases[] = {
    {.id = "demo/nops/100", .about = "a hundred", .iters = 10, .run = work},
    {.id = "demo/empty/0", .about = "nothing", .tags = "slow", .iters = 10,
     .run = ok},
    {.id = "demo/hang/1", .about = "for good", .tags = "slow stuck",
     .iters = 10, .run = hang},
    {.id = "demo/hang/valgrind", .about = "when counted", .tags = "slow",
     .iters = 10, .run = hang_under_valgrind},
};
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("Ein Prüfstand mit Leerzeichen")
    return foreign.make(root, CASES, timeout=60).root


def _plumb(
    *words: str | Path, cwd: Path | None = None, **env: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-B", PLUMB, *words],
        cwd=cwd,
        env=os.environ | env,
        capture_output=True,
        text=True,
    )


def test_run_prints_writes_and_ends_with_0(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "m.json"
    done = _plumb("-C", root, "run", "-o", out, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(out.read_text())
    made = codec.load(out, Measurement)
    assert list(made.cases) == ["demo/nops/100"]
    assert len(made.declared) == 4


def test_run_prints_a_table(root: Path) -> None:
    done = _plumb("run", "--fresh", cwd=root)
    assert done.returncode == 0, done.stderr
    header, row = done.stdout.splitlines()
    assert header.split() == ["case", "instructions", "heap", "bytes"]
    assert row.split() == ["demo/nops/100", "100", "0", "0"]
    assert "counting 1 cases: done" in done.stderr
    for more in ([], ["-f", "nops"]):  # what was measured answers a part
        again = _plumb("run", *more, cwd=root)
        assert again.stdout == done.stdout and again.returncode == 0
        assert "figures were kept (1 cases)" in again.stderr
        assert "counting" not in again.stderr


def test_a_case_that_is_not_measured_ends_with_3(root: Path) -> None:
    done = _plumb("-C", root, "run", "-f", "empty", "--slow")
    assert done.returncode == 3
    assert "not measured: counted 0" in done.stdout or (
        "does `run` do anything?" in done.stdout
    )


def test_list_names_slow_cases_too(root: Path) -> None:
    done = _plumb("-C", root, "list")
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == [
        "demo/nops/100",
        "demo/empty/0",
        "demo/hang/1",
        "demo/hang/valgrind",
    ]
    assert done.stdout.splitlines()[2].endswith("for good [slow] [stuck]")
    told = json.loads(_plumb("-C", root, "list", "-f", "0$", "--json").stdout)
    assert [case["id"] for case in told] == ["demo/nops/100", "demo/empty/0"]
    assert told[1]["tags"] == ["slow"]


@pytest.mark.parametrize(
    "words, told",
    [
        (("run", "-f", "nothing"), "no case matches"),
        (("run", "-f", "("), "'(' is not a regular expression"),
        (("run", "-j", "0"), "'0': expected a whole number from 1"),
        (("run", "-j", "9999"), "9999: expected at most 256"),
        (("run", "--flavour", "../x"), "'../x': expected letters, digits"),
        (("list", "-f", "nothing"), "none of 4 cases matches"),
        (("fly",), "invalid choice: 'fly'"),
        ((), "COMMAND"),
        (("-C", "absent", "run"), "plumb.toml: No such file"),
        (("run", "-o", "/proc/x/y"), "/proc/x/y: cannot be written"),
    ],
)
def test_usage_ends_with_2(
    root: Path, words: tuple[str, ...], told: str
) -> None:
    done = _plumb(*words, cwd=root)
    assert done.returncode == 2, done.stderr
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_no_project_names_where_it_is_explained(tmp_path: Path) -> None:
    done = _plumb("list", cwd=tmp_path)
    assert done.returncode == 2
    explained = project.HOME / "scripts" / "README.md"
    assert f"see {explained}\n" in done.stderr and explained.is_file()


def test_no_valgrind_ends_with_3(root: Path, tmp_path: Path) -> None:
    done = _plumb("-C", root, "run", PATH=str(tmp_path))
    assert done.returncode == 3
    assert "valgrind: not found" in done.stderr


def test_no_schema_checker_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from plumblib import errors, schema

    schema._validator.cache_clear()
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    with pytest.raises(errors.NotMeasured, match="python3-jsonschema is miss"):
        schema.check({"schema": "plumb-toolchain/1"}, "plumb-toolchain/1", "")
    schema._validator.cache_clear()


def _children(pid: int) -> dict[int, str]:
    """All processes below one, with their command lines."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
                name = (entry / "cmdline").read_text()
            except (FileNotFoundError, ProcessLookupError):
                continue
            above = int(stat.rpartition(")")[2].split()[1])
            parents[int(entry.name)] = (above, name)
    found: dict[int, str] = {}
    grew = True
    while grew:
        grew = False
        for child, (above, name) in parents.items():
            if (above == pid or above in found) and child not in found:
                found[child] = name
                grew = True
    return found


def _alive(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL]
)
@pytest.mark.parametrize(
    "case, program", [("1", "plumb-probe"), ("valgrind", "--tool=callgrind")]
)
def test_an_interrupted_run_leaves_no_process(
    root: Path, number: signal.Signals, case: str, program: str
) -> None:
    """Stopped while a case hangs: its server waits, and the child is in a
    group of its own."""
    words = ["-C", root, "run", "--slow", "-f", f"hang/{case}$"]
    run = subprocess.Popen(
        [sys.executable, "-B", PLUMB, *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    below: dict[int, str] = {}
    for _ in range(600):
        below = _children(run.pid)
        if sum(program in name for name in below.values()) >= 2:
            break
        time.sleep(0.05)
    assert sum(program in name for name in below.values()) >= 2
    time.sleep(0.3)
    below |= _children(run.pid)
    run.send_signal(number)
    run.communicate(timeout=20)
    if number != signal.SIGKILL:
        assert run.returncode == 130
    for _ in range(100):
        left = [name for pid, name in below.items() if _alive(pid)]
        if not left:
            break
        time.sleep(0.05)
    assert left == []
    with lock.held(root, wait=False):
        pass


def test_gc_removes_what_a_killed_run_left(root: Path) -> None:
    left = root / project.WORK / "run.abc" / "c.1"
    left.parent.mkdir(parents=True, exist_ok=True)
    left.write_text("x" * 1234)
    os.chmod(left.parent, 0o500)
    tree = root / "build" / "worktrees" / "1234"
    tree.mkdir(parents=True)
    (tree / "link").symlink_to(root)
    said = _plumb("-C", root, "gc", "--dry-run")
    assert "1,234 bytes  build/plumb/run.abc" in said.stdout
    assert left.exists()
    assert _plumb("-C", root, "gc").returncode == 0
    assert not left.parent.exists() and not tree.exists()
    assert (root / "cases.c").exists()
    assert "nothing to remove" in _plumb("-C", root, "gc").stdout


def test_options_of_the_command_line(root: Path) -> None:
    from argparse import Namespace

    made = measure.Options.of(
        Namespace(flavour="o3", jobs=3, filter=None, slow=True)
    )
    assert made == measure.Options("o3", 3, None, True)
