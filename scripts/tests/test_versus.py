"""A project that is not ours, compared with its own past, for real."""

from __future__ import annotations

from desk import change, no_base
from repo import commit, sh

import foreign


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
