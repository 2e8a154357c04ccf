"""A project that is not ours, compared with its own past, for real."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from repo import commit, init, sh
from samples import TOOLCHAIN

import foreign
from plumblib import certificate, codec, project
from plumblib.cli import main
from plumblib.records import Certificate, Proven, Report

SOURCE = r"""
static uint64_t steps(void *state)
{
    (void)state;
    __asm__ volatile(".rept %(nops)d\n nop\n .endr");
    return %(value)d;
}

static uint64_t other(void *state)
{
    (void)state;
    __asm__ volatile("nop");
    return 7;
}

static const struct bench_case cases[] = {
    {.id = "demo/steps/x", .about = "nops", .iters = 10, .run = steps},
    %(more)s
};
"""
OTHER = '{.id = "demo/other/x", .about = "n", .iters = 10, .run = other},'


def source(nops: int = 200, value: int = 5, more: str = OTHER) -> str:
    return SOURCE % {"nops": nops, "value": value, "more": more}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with one commit, in a path that is no plain word."""
    root = init(tmp_path_factory.mktemp("fremd") / "Ein Prüfstand")
    foreign.make(root, source())
    commit(root, "a project")
    return root


@pytest.fixture
def root(made: Path, tmp_path: Path) -> Path:
    found = tmp_path / "Ein Prüfstand"
    shutil.copytree(made, found, symlinks=True)
    return found


class Run:
    """What a run of plumb gave."""

    def __init__(self, code: int, out: str, err: str, root: Path) -> None:
        self.code, self.out, self.err = code, out, err
        file = root / "build" / "verdict.json"
        self.report: Report | None = None
        if file.exists():
            self.report = codec.load(file, Report)
            file.unlink()

    def outcomes(self) -> dict[str, str]:
        assert self.report is not None
        return {row.id: row.outcome.value for row in self.report.cases}


@pytest.fixture
def plumb(root: Path, capfd: pytest.CaptureFixture[str], monkeypatch):
    """Runs a command that judges, and has no worktree left afterwards."""
    for name in ("CI", "PLUMB_ACCEPT_GATE_CHANGE", "PLUMB_BASE"):
        monkeypatch.delenv(name, raising=False)

    def run(*words: str) -> Run:
        verdict = ()
        if words[0] != "accept":
            verdict = ("-o", str(root / "build" / "verdict.json"))
        capfd.readouterr()
        code = main(["-C", str(root), *words, *verdict])
        told = capfd.readouterr()
        assert sh(root, "worktree", "list").count("\n") == 0
        return Run(code, told.out, told.err, root)

    return run


def change(root: Path, **changes: object) -> None:
    foreign.make(root, source(**changes))  # type: ignore[arg-type]


def test_the_same_twice_is_measured_twice(root, plumb):
    for _ in range(2):
        run = plumb("vs-base", "HEAD")
        assert run.code == 0
        assert run.err.count("plumb: counting 2 cases: done") == 2
        assert "checked out into build/worktrees" in run.err
        assert "figures were kept" not in run.err
        assert run.report.kind == "a/a"
        for row in run.report.cases:
            for metric in row.metrics:
                assert metric.base == metric.head
                assert metric.base.residual == 0
        assert run.out.endswith("plumb A/A run passed: 2 same\n")
    # what it found is the floor that other reports state
    run = plumb("vs-base")  # no parent: the same twice as well
    assert "has no parent" in run.report.title
    change(root)
    commit(root, "nothing")
    run = plumb("vs-base")
    assert run.report.kind == "vs-base"
    assert run.report.floor.startswith("0 in 2 cases, every metric (A/A run")


def test_a_slowdown_is_red_and_exact(root, plumb):
    change(root, nops=202)
    run = plumb("vs-base", "--markdown")
    assert run.code == 1
    assert run.outcomes() == {"demo/steps/x": "slower", "demo/other/x": "same"}
    assert run.out.startswith("### plumb failed: 1 slower, 1 same\n")
    assert "| +2 | +" in run.out
    assert "Every other case (1) moved by 0." in run.out
    assert run.report.title.startswith("uncommitted changes on HEAD")
    # committed, the base is its parent, which is measured already
    commit(root, "slower")
    run = plumb("vs-base")
    assert run.code == 1
    assert "against its parent" in run.report.title
    assert f"base {run.report.base.commit[:7]}: its figures" in run.err
    assert run.report.base.subject == "a project"
    change(root, nops=50)
    run = plumb("vs-base", "HEAD")
    assert (run.code, run.outcomes()["demo/steps/x"]) == (0, "faster")
    assert plumb("vs-base", "HEAD", "--strict").code == 1
    run = plumb("vs-base", "-f", "nothing")
    assert run.code == 2 and "no case matches" in run.err


def test_what_has_not_changed_is_not_measured_again(root, plumb):
    (root / "data").mkdir()
    data = root / "data" / "input"
    file = root / "plumb.toml"
    text = file.read_text().replace("timeout", 'data = ["data"]\ntimeout')
    file.write_text(text)
    commit(root, "with data")
    told = "nothing that is measured has changed since"

    def counted() -> bool:
        run = plumb("gate")
        assert (told in run.err) is ("counting" not in run.err)
        return told not in run.err

    assert counted()
    assert not counted()
    run = plumb("vs-base")  # the base is another commit with other files
    assert told in run.err and run.err.count("counting 2 cases: done") == 1
    assert "counting" not in plumb("vs-base").err
    run = plumb("vs-base", "--fresh")
    assert run.err.count("counting 2 cases: done") == 2
    change(root, nops=201)
    commit(root, "slower")  # the revision is that of now
    run = plumb("gate")
    assert run.report.head.subject == "slower"
    change(root, nops=200)
    file.write_text(text)
    commit(root, "as before")
    run = plumb("gate")
    assert told in run.err and run.report.head.subject == "as before"
    data.write_text("new")
    assert counted()
    assert plumb("accept").err.count("counting 2 cases: done") == 1
    source = root / "cases.c"
    source.write_text(source.read_text().replace('("nop")', '("ud2")'))
    assert counted() and counted()  # a failure may have been the machine


READS = r"""
static size_t size;

static void *setup(const struct bench_setup *s)
{
    return bench_file(s, "eingabe/ä.bin", &size);
}

static uint64_t sum(void *state)
{
    const unsigned char *bytes = state;
    uint64_t found = 0;
    for (size_t i = 0; i < size; i++) {
        found += bytes[i];
        __asm__ volatile("" : "+r"(found));
    }
    return found;
}

static const struct bench_case cases[] = {
    {.id = "demo/sum/x", .about = "a file", .iters = 10, .setup = setup,
     .run = sum},
};
"""


def test_a_file_that_a_case_reads_is_part_of_what_is_kept(root, plumb):
    """It changes neither the subject nor a folder named as data."""
    file = root / "eingabe" / "ä.bin"
    file.parent.mkdir()
    file.write_bytes(b"a" * 100)
    foreign.make(root, READS)
    commit(root, "reads a file")
    assert plumb("accept").code == 0
    assert "counting" not in plumb("gate").err
    commit(root, "budgets")
    assert plumb("vs-base", "HEAD^").code == 0
    file.write_bytes(b"a" * 101)
    run = plumb("gate")
    assert (run.code, run.outcomes()["demo/sum/x"]) == (1, "changed")
    # the base reads the file as it was there: not the same work
    run = plumb("vs-base", "HEAD^")
    assert (run.code, run.outcomes()["demo/sum/x"]) == (1, "changed")
    file.unlink()
    assert plumb("gate").code == 3


def test_a_source_folder_that_moved(root, plumb):
    (root / "src").mkdir()
    sh(root, "mv", "cases.c", "src/cases.c")
    script = root / "build.sh"
    script.write_text(script.read_text().replace("cases.c", "src/cases.c"))
    commit(root, "moved")
    assert plumb("vs-base").code == 0


def test_new_gone_and_changed(root, plumb):
    assert plumb("accept").code == 0
    commit(root, "budgets")
    more = '{.id = "demo/new/x", .about = "n", .iters = 10, .run = other},'
    change(root, nops=190, value=6, more=more)
    run = plumb("vs-base", "HEAD")
    assert run.code == 1
    assert run.outcomes() == {
        "demo/steps/x": "changed",
        "demo/other/x": "gone",
        "demo/new/x": "new",
    }
    run = plumb("gate")
    assert run.code == 1
    assert run.outcomes()["demo/new/x"] == "new"
    # agreed to by what is committed beside it
    assert plumb("accept").code == 0
    run = plumb("vs-base", "HEAD")
    assert run.code == 0
    assert [row.accepted for row in run.report.cases] == [False, True, True]
    assert plumb("gate").code == 0


def no_base(run: Run, told: str) -> None:
    assert run.code == 3
    assert told in run.err
    assert run.report is None


def test_a_base_that_does_not_build(root, plumb):
    change(root, more="oops")
    commit(root, "broken")
    change(root)
    commit(root, "mended")
    run = plumb("vs-base")
    no_base(run, "does not build, so there is nothing to compare with.")
    assert "'oops' undeclared" in run.err.replace("‘", "'").replace("’", "'")
    assert "BASE=" in run.err


def test_a_base_from_before_the_project_was_measured(root, plumb):
    sh(root, "rm", "--quiet", "--cached", "plumb.toml")
    sh(root, "commit", "--quiet", "--amend", "-m", "before")
    sh(root, "add", "plumb.toml")
    commit(root, "measured")
    no_base(plumb("vs-base"), "has no plumb.toml: it is from before")


def test_a_base_that_another_plumb_described(root, plumb):
    text = (root / "plumb.toml").read_text()
    (root / "plumb.toml").write_text(text + "\n[future]\nkey = 1\n")
    before = commit(root, "future")
    (root / "plumb.toml").write_text(text)
    commit(root, "now")
    run = plumb("vs-base")
    no_base(run, "described in a way that this plumb does not read")
    assert f"{before[:7]}:plumb.toml" in run.err


def test_a_base_with_another_table(root, plumb):
    file = root / "cases.c"
    text = file.read_text()
    table = "#undef BENCH_ABI\n#define BENCH_ABI 77u\n"
    file.write_text(text.replace('"bench.h"\n', f'"bench.h"\n{table}', 1))
    commit(root, "another table")
    file.write_text(text)
    commit(root, "this table")
    run = plumb("vs-base")
    no_base(run, "cannot be measured by this plumb")
    assert "77" in run.err


def test_a_base_without_cases(root, plumb):
    file = root / "cases.c"
    text = file.read_text()
    file.write_text(
        '#include "bench.h"\n'
        'static const struct bench_suite demo = {"demo", NULL, 0, NULL, 0};\n'
        "BENCH_SUBJECT(&demo);\n"
    )
    commit(root, "no cases yet")
    file.write_text(text)
    commit(root, "cases")
    no_base(plumb("vs-base"), "from before the suite existed")


def loosen(root: Path) -> None:
    file = root / "plumb.toml"
    file.write_text(
        file.read_text()
        + "\n[[limits]]\nwarn_ppm = 500000\nfail_ppm = 500000\n"
    )


def test_a_change_that_judges_itself(root, plumb, monkeypatch):
    sh(root, "checkout", "--quiet", "-b", "topic")
    change(root, nops=220)
    loosen(root)
    commit(root, "slower, and more patient")
    told = "gate-changed: this change judges itself, it touches plumb.toml."
    run = plumb("vs-base")
    assert run.code == 0  # at a desk it is said
    assert run.out.startswith(f"notice: {told}")
    monkeypatch.setenv("CI", "true")
    run = plumb("vs-base")
    assert run.code == 1  # judged by the limits of the merge base
    assert run.outcomes()["demo/steps/x"] == "slower"
    assert "fails until a maintainer agrees" in run.report.notices[0]
    change(root, nops=200)
    loosen(root)
    run = plumb("vs-base")
    assert run.outcomes()["demo/steps/x"] == "same"
    assert run.code == 1  # even where every case is good
    monkeypatch.setenv("PLUMB_ACCEPT_GATE_CHANGE", "1")
    change(root, nops=220)
    loosen(root)
    run = plumb("vs-base")
    assert (run.code, run.report.notices) == (0, (told,))


def claiming(root: Path, most: int, nops: int) -> None:
    """steps costs at most that much of other, in millionths."""
    change(root, nops=nops)
    file = root / "cases.c"
    table = """
static const struct bench_claim claims[] = {
    {"demo/steps/x", "demo/other/x", NULL, 0, %d, "it is dear"},
};
static const struct bench_suite demo = BENCH_SUITE_CLAIMS(
    "demo", cases, claims);
"""
    text = file.read_text()
    old = 'static const struct bench_suite demo = BENCH_SUITE("demo", cases);'
    assert old in text
    file.write_text(text.replace(old, table % most))


def test_a_loosened_claim_is_a_change_of_the_judge(root, plumb, monkeypatch):
    claiming(root, 200_000_000, nops=200)
    commit(root, "a claim")
    sh(root, "checkout", "--quiet", "-b", "topic")
    claiming(root, 300_000_000, nops=201)
    commit(root, "a looser one")
    run = plumb("vs-base")
    (told,) = run.report.notices
    assert told == (
        "gate-changed: this change judges itself, it no longer makes claims:"
        " demo/steps/x: at most 200 of it, demo/other/x."
    )
    assert run.code == 0  # at a desk it is said
    monkeypatch.setenv("CI", "true")
    run = plumb("vs-base")
    assert run.code == 1
    (row,) = [row for row in run.report.cases if row.against]
    assert row.outcome.value == "claim-broken"  # held to that of the base
    assert "claims are those of" in run.report.notices[0]
    monkeypatch.setenv("PLUMB_ACCEPT_GATE_CHANGE", "1")
    run = plumb("vs-base")
    assert (run.code, run.report.notices) == (0, (told,))
    # a part of the cases says how many claims it does not check
    monkeypatch.delenv("CI")
    run = plumb("vs-base", "-f", "steps")
    assert run.report.unchecked == 1
    assert "1 of the claims not checked (left out by -f" in run.out


def test_a_shallow_clone_is_no_way_around_the_judge(
    root, plumb, monkeypatch
):
    assert plumb("accept").code == 0
    change(root, nops=220)
    commit(root, "slower")
    words = ("--allow-increase", "--why", "it does more")
    assert plumb("accept", *words).code == 0
    commit(root, "and its budget")
    (root / ".git" / "shallow").write_text(sh(root, "rev-parse", "HEAD"))
    assert plumb("gate").code == 0
    monkeypatch.setenv("CI", "true")
    run = plumb("gate")
    no_base(run, "this clone is shallow")


def test_a_limit_for_nothing_is_refused(root, plumb):
    loosen(root)
    file = root / "plumb.toml"
    text = file.read_text()
    file.write_text(text + 'scope = "demo/step/x"\n')
    run = plumb("gate")
    assert run.code == 2
    assert "limits.scope: 'demo/step/x' is neither a suite nor" in run.err
    file.write_text(text + 'scope = "demo/steps/x"\n')
    assert plumb("gate").code == 1


def test_budgets_of_a_change_that_judges_itself(root, plumb, monkeypatch):
    assert plumb("accept").code == 0
    commit(root, "budgets")
    sh(root, "checkout", "--quiet", "-b", "topic")
    change(root, nops=220)
    words = ("--allow-increase", "--why", "it does more")
    assert plumb("accept", *words).code == 0
    commit(root, "slower, with a reason")
    assert plumb("gate").code == 0
    monkeypatch.setenv("CI", "true")
    run = plumb("gate")
    assert (run.code, run.outcomes()["demo/steps/x"]) == (1, "slower")
    monkeypatch.setenv("PLUMB_ACCEPT_GATE_CHANGE", "1")
    assert plumb("gate").code == 0
    monkeypatch.delenv("PLUMB_ACCEPT_GATE_CHANGE")
    # once it is merged, nobody is asked again
    sh(root, "checkout", "--quiet", "main")
    sh(root, "merge", "--quiet", "topic")
    assert plumb("gate").code == 0


def test_the_gate_of_a_foreign_project(root, plumb):
    run = plumb("gate")
    assert run.code == 1 and set(run.outcomes().values()) == {"new"}
    assert plumb("accept").code == 0
    assert plumb("gate").code == 0
    change(root, nops=201)
    run = plumb("gate")  # 0.5 %
    assert (run.code, run.outcomes()["demo/steps/x"]) == (0, "warn")
    change(root, nops=250)
    assert plumb("gate").code == 1
    run = plumb("accept")
    assert run.code == 1 and "budgets only go down by themselves" in run.err
    change(root, nops=50)
    assert plumb("gate", "--strict").code == 1
    assert plumb("accept").code == 0
    index = next(root.glob("baselines/*/toolchain.json"))
    raw = json.loads(index.read_text())
    raw["suites"]["demo"]["valgrind"] = "3.99"
    index.write_text(json.dumps(raw))
    run = plumb("gate")
    assert run.code == 3
    assert "valgrind: '3.99' in the baseline" in run.out
    assert "make bench-vs-base" in run.out
    assert plumb("accept").code == 3
    index.write_text("{")
    run = plumb("gate")
    assert run.code == 2 and "toolchain.json:1: is truncated" in run.err
    assert index.read_text() == "{"


def test_accept_takes_up_the_audit_of_what_it_measured(root, plumb):
    assert plumb("accept").code == 0
    here = project.load(root)
    subject = here.subject_path("release")
    made = Certificate(
        subject=certificate.subject_digest(subject),
        toolchain=TOOLCHAIN,
        cases=("demo/steps/x",),
        perturbations=(),
        findings=(),
        bands={},
    )
    proven = Proven(made.subject, TOOLCHAIN, 1, (), (), (), ())
    codec.save(certificate.path(root, Certificate), made)
    codec.save(certificate.path(root, Proven), proven)
    committed = next(root.glob("baselines/*")) / "audit.json"
    assert plumb("accept").out.endswith("; commit it\n")
    assert codec.load(committed, Certificate) == made
    assert codec.load(committed.with_name("prove.json"), Proven) == proven
    assert plumb("accept").out == "the budgets stay as they are\n"
    committed.unlink()
    change(root, nops=190)  # of another subject, the audit says nothing
    assert plumb("accept").code == 0
    assert not committed.exists()
    assert plumb("gate").code == 0


def test_a_case_that_is_called_slow_does_not_drop_out(root, plumb):
    assert plumb("accept").code == 0
    commit(root, "budgets")
    file = root / "cases.c"
    text = file.read_text()
    slow = '.tags = "slow", .about = "nops"'
    file.write_text(text.replace('.about = "nops"', slow))
    for words in (("gate",), ("vs-base", "HEAD")):
        run = plumb(*words)
        assert (run.code, run.outcomes()["demo/steps/x"]) == (
            3,
            "not-measured",
        )
        assert "`plumb accept --slow`" in run.out
        assert plumb(*words, "--slow").code == 0
        assert plumb(*words, "-f", "other").code == 0
    assert plumb("accept").out == "the budgets stay as they are\n"
    assert "demo/steps/x: now slow\n" in plumb("accept", "--slow").out
    for words in (("gate",), ("vs-base", "HEAD")):
        run = plumb(*words)
        assert (run.code, run.outcomes()) == (0, {"demo/other/x": "same"})
    file.write_text(text)
    assert "demo/steps/x: no longer slow\n" in plumb("accept").out


def test_a_case_that_crashes_is_not_green(root, plumb):
    assert plumb("accept").code == 0
    file = root / "cases.c"
    file.write_text(file.read_text().replace('("nop")', '("ud2")'))
    run = plumb("gate")
    assert run.code == 3
    assert run.outcomes() == {
        "demo/other/x": "not-measured",
        "demo/steps/x": "same",
    }
    run = plumb("vs-base", "HEAD")
    assert run.code == 3
    assert "signal 4" in run.out
    run = plumb("accept")
    assert run.code == 3 and "nothing was accepted" in run.err
