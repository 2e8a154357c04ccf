"""process.run: what is returned, what raises, and that nothing is left."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plumblib import process

SCRIPTS = Path(__file__).resolve().parents[1]


def _ended(pid: int) -> bool:
    """Whether a process is gone or a zombie, within five seconds."""
    for _ in range(500):
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except (FileNotFoundError, ProcessLookupError):
            return True
        if stat.rpartition(")")[2].split()[0] in "ZX":
            return True
        time.sleep(0.01)
    return False


def test_returns_what_was_printed() -> None:
    result = process.run(["sh", "-c", "cat; echo b >&2"], stdin="aä\n")
    assert (result.code, result.stdout, result.stderr) == (0, "aä\n", "b\n")


def test_lines_come_one_by_one_and_the_last_without_newline() -> None:
    lines: list[str] = []
    process.run(["printf", "a\\nb\\n\\nc"], on_line=lines.append)
    assert lines == ["a", "b", "", "c"]


def test_of_long_output_both_ends_are_shown() -> None:
    with pytest.raises(process.ToolError) as caught:
        process.run(["sh", "-c", "seq 1000 >&2; exit 1"])
    told = str(caught.value).splitlines()[1:]
    assert told[0] == "  1" and told[20] == "  ..." and told[-1] == "  1000"
    assert len(told) == 41


def test_failure_names_command_status_and_stderr() -> None:
    with pytest.raises(process.ToolError) as caught:
        process.run(["sh", "-c", "echo why >&2; exit 7"])
    assert "exited with status 7\n  why" in str(caught.value)
    assert caught.value.result is not None
    assert caught.value.result.code == 7


def test_unchecked_failure_is_returned() -> None:
    assert process.run(["sh", "-c", "kill -9 $$"], check=False).code == -9


def test_missing_program_is_named() -> None:
    with pytest.raises(process.ToolError, match="no-such-program"):
        process.run(["no-such-program"])


def test_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(process.ToolError, match="absent"):
        process.run(["true"], cwd=tmp_path / "absent")


def test_timeout_kills_the_whole_group(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    script = 'sleep 60 & echo $! > "$0"; wait'
    with pytest.raises(process.ToolError, match="no end after 0.5 s"):
        process.run(["sh", "-c", script, pid_file], timeout=0.5)
    assert _ended(int(pid_file.read_text()))


def test_environment_drops_by_prefix_and_sets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    env = process.environment("GIT_", LC_ALL="C")
    assert "GIT_DIR" not in env
    assert env["LC_ALL"] == "C"
    assert env["PATH"] == os.environ["PATH"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_run_leaves_no_process(
    tmp_path: Path, number: signal.Signals
) -> None:
    pid_file = tmp_path / "pid"
    code = (
        "import signal, sys\n"
        f"sys.path.insert(0, {str(SCRIPTS)!r})\n"
        "from plumblib import cli, process\n"
        "signal.signal(signal.SIGTERM, cli._interrupt)\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "script = 'sleep 60 & echo $! > \"$0.new\"; mv \"$0.new\" \"$0\";'\n"
        "process.run(['sh', '-c', script + 'wait', sys.argv[1]])\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(pid_file)], stderr=subprocess.PIPE
    )
    while not pid_file.exists():
        time.sleep(0.01)
    child.send_signal(number)
    child.communicate(timeout=10)
    assert child.returncode != 0
    assert _ended(int(pid_file.read_text()))


def test_a_build_does_not_outlive_a_killed_run(tmp_path: Path) -> None:
    """The shell of a make's recipe ends as well."""
    note = tmp_path / "pid"
    (tmp_path / "Makefile").write_text(
        f"all:\n\techo $$$$ > {note}.new; mv {note}.new {note}; sleep 60\n"
    )
    program = (
        "from plumblib import process\n"
        f"process.run(['make', '-C', {str(tmp_path)!r}], ends_with_us=True)"
    )
    run = subprocess.Popen([sys.executable, "-B", "-c", program], cwd=SCRIPTS)
    for _ in range(1000):
        if note.exists():
            break
        time.sleep(0.01)
    run.kill()
    run.wait()
    assert _ended(int(note.read_text()))
