"""plumb-wall's times, read and shown beside counts."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import foreign
from plumblib import project, report_html, walltime
from plumblib.cli import main
from plumblib.errors import NotMeasured
from plumblib.history import History
from plumblib.judge import Terms, judge
from plumblib.records import Report
from plumblib.report_html import Subject
from plumblib.walltime import Times
from samples import HEAD, TOOLCHAIN, case, measurement

pytest.importorskip("jinja2")
pytest.importorskip("matplotlib")

CONTEXT = {"num_cpus": 2, "mhz_per_cpu": 2096}
SOURCE = r"""
static uint64_t nops(void *state)
{
    (void)state;
    __asm__ volatile(".rept 100\n nop\n .endr");
    return 5;
}

static void *no_state(struct bench_context *ctx)
{
    bench_fail(ctx, "there is no state");
    return NULL;
}

static const struct bench_case cases[] = {
    {.id = "demo/n.ps/x", .about = "nops", .iters = 10, .run = nops},
    {.id = "demo/nops/x", .about = "nops", .iters = 10, .run = nops},
    {.id = "demo/broken/x", .about = "fails", .iters = 10, .run = nops,
     .setup = no_state},
};
"""


def one(name: str, time: float, unit: str, **more: object) -> dict:
    return {
        "name": name,
        "run_type": "iteration",
        "cpu_time": time,
        "time_unit": unit,
        **more,
    }


def told(*benchmarks: dict) -> str:
    return json.dumps({"context": CONTEXT, "benchmarks": benchmarks})


def test_times_are_in_nanoseconds() -> None:
    found = walltime.parse(
        told(
            one("demo/a/1", 117.25, "ns"),
            one("demo/b/1", 1.5, "ms"),
            one("demo/c/1", 0, "ns", error_occurred=True),
            {"name": "demo/a/1_mean", "run_type": "aggregate"},
        )
    )
    assert found == Times(
        "2 processors of 2096 MHz", {"demo/a/1": 117.25, "demo/b/1": 1.5e6}
    )


@pytest.mark.parametrize("text", ["", "{}", '{"context": [1]}', "[]"])
def test_what_is_no_result_is_refused(text: str) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        walltime.parse(text)


def test_cases_are_timed_by_id(tmp_path: Path) -> None:
    made = foreign.make(tmp_path / "a project", SOURCE)
    subprocess.run(
        ["sh", "build.sh", "out/release"], cwd=made.root, check=True
    )
    tools = project.instruments().folder
    subject = made.subject_path("release")
    found = walltime.collect(
        tools, subject, made.root, ["demo/n.ps/x", "demo/broken/x"]
    )
    assert found.per_op.keys() == {"demo/n.ps/x"}
    assert found.per_op["demo/n.ps/x"] > 0
    with pytest.raises(NotMeasured, match="plumb-wall exited with status"):
        walltime.collect(tools, subject, made.root, ["demo/none/x"])


def test_a_time_stands_beside_the_count() -> None:
    cases = judge(
        {name: case(name) for name in ("demo/a/1", "demo/b/1")},
        measurement(case("demo/a/1"), case("demo/b/1")),
        Terms(),
    )
    report = Report(
        kind="gate",
        title="t",
        base=HEAD,
        head=HEAD,
        toolchain=TOOLCHAIN,
        cases=cases,
        exit_code=0,
    )
    subject = Subject("demo", report, History(()))
    without = report_html.markdown(subject)
    assert "time" not in without
    times = Times("9 processors of 1 MHz", {"demo/a/1": 123456.7})
    text = report_html.markdown(replace(subject, times=times))
    assert "9 processors of 1 MHz" in text and "not gated" in text
    (a, b) = (line for line in text.splitlines() if line.startswith("| `"))
    assert a.endswith("| 123,000 |") and b.endswith("|  |")
    assert "9 processors of 1 MHz" in report_html.html(
        replace(subject, times=times)
    )


@pytest.mark.parametrize("words", [("--verdict", "v"), ("-m", "m")])
def test_old_figures_are_not_timed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple
) -> None:
    foreign.make(tmp_path, SOURCE)
    assert main(["-C", str(tmp_path), "report", "--wall", *words]) == 2
    assert "--wall times the cases beside counting" in capsys.readouterr().err
