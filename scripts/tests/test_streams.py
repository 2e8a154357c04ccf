"""Standard streams that are closed, full, or left by their reader: the exit
code stays that of the verdict."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import foreign

PLUMB = Path(__file__).resolve().parents[1] / "plumb"

CASES = r"""
static uint64_t work(void *state)
{
    (void)state;
    __asm__ volatile(".rept 100\n nop\n .endr");
    return 7;
}

static const struct bench_case cases[] = {
    {.id = "demo/nops/100", .about = "a hundred", .iters = 10, .run = work},
};
"""


@pytest.fixture(scope="module")
def red(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose gate is red: its case has no budget."""
    return foreign.make(tmp_path_factory.mktemp("red"), CASES).root


def _shell(
    script: str, root: Path, **env: str
) -> subprocess.CompletedProcess[str]:
    """`plumb` in a script is ours, in that project."""
    function = f'plumb() {{ "{sys.executable}" -B "{PLUMB}" -C "$0" "$@"; }}'
    return subprocess.run(
        ["bash", "-c", f"{function}\n{script}", root],
        env=os.environ | env,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("form", ["", "--json", "--markdown"])
@pytest.mark.parametrize("reader", ["true", "head -c 1 >/dev/null"])
@pytest.mark.parametrize("streams", ["", "2>&1"])
def test_a_reader_that_leaves_early_does_not_make_it_green(
    red: Path, form: str, reader: str, streams: str
) -> None:
    script = f"plumb gate {form} {streams} | {reader}; exit ${{PIPESTATUS[0]}}"
    done = _shell(script, red)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr and "Broken" not in done.stderr


@pytest.mark.parametrize(
    "closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-", "2>/dev/full"]
)
def test_closed_streams_do_not_count(red: Path, closed: str) -> None:
    done = _shell(f"plumb gate {closed}", red)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert ("failed: 1 new" in done.stdout) == (">&-" not in closed.split())


@pytest.mark.parametrize("words", ["list", "run", "run --json"])
def test_output_that_cannot_be_written_is_told(red: Path, words: str) -> None:
    done = _shell(f"plumb {words} >/dev/full", red)
    assert done.returncode == 2
    assert done.stderr.endswith(
        "plumb: standard output: No space left on device\n"
    )


def test_letters_that_an_encoding_lacks(red: Path) -> None:
    source = red / "cases.c"
    text = source.read_text().replace("a hundred", "ein Prüfstück")
    source.write_text(text)
    assert "ein Prüfstück\n" in _shell("plumb list", red).stdout
    done = _shell("plumb list", red, PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert r"ein Pr\xfcfst\xfcck" in done.stdout


@pytest.mark.parametrize(
    "fault, told",
    [
        ("OSError(28, 'No space left on device', 'x')", "No space left"),
        ("KeyError('y')", "a fault of plumb itself"),
    ],
)
def test_what_is_unforeseen_is_no_verdict(
    red: Path, fault: str, told: str
) -> None:
    """Exit code 1 is for what was judged."""
    program = (
        "import sys; from plumblib import cli, measure\n"
        f"def fail(*a): raise {fault}\n"
        "measure.declared = fail\n"
        f"sys.exit(cli.command(['-C', {str(red)!r}, 'gate']))"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", program],
        cwd=PLUMB.parent,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 3
    assert told in done.stderr
