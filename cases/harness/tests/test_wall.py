"""plumb-wall: exit codes, paired set-up, and two subjects in one process."""

import os
import subprocess

from conftest import (BIN, CLEAN_ENV, ROW, RUN_NOTHING, Subjects, row)


def wall(*args: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BIN / "plumb-wall", *args, "--benchmark_min_time=0.01"],
        capture_output=True, text=True, env=CLEAN_ENV)


PAIRED = """
static int open_states;
static void *setup(const struct bench_setup *s)
    { open_states++; return bench_buffer(s, 8); }
static void down(void *s)
    { (void)s; if (open_states-- <= 0) abort(); }
static uint64_t busy(void *s) { (void)s; return (uint64_t)open_states; }
static void *refuse(const struct bench_setup *s)
    { return bench_fail(s, "not today"); }
__attribute__((destructor)) static void check(void)
    { if (open_states != 0) abort(); }
"""
PAIRED_ROWS = row(setup="setup", run="busy", teardown="down")


def test_wall_pairs_setup_and_teardown_however_it_repeats(subjects):
    so = subjects.suite(PAIRED_ROWS, PAIRED.replace(
        "static void *refuse", "__attribute__((unused)) static void *refuse"))
    done = wall(f"--subject={so}", "--benchmark_repetitions=3")
    assert done.returncode == 0, done.stderr
    assert "t/a/b" in done.stdout


def test_wall_exit_codes(subjects, tmp_path):
    so = subjects.suite(
        PAIRED_ROWS + ',{.id = "t/no", .iters = 1, .setup = refuse, '
        ".run = busy}", PAIRED)
    assert wall(f"--subject={so}", "--benchmark_filter=t/a").returncode == 0
    failed = wall(f"--subject={so}", "--benchmark_filter=t/no")
    assert failed.returncode == 1 and "not today" in failed.stdout
    assert wall(f"--subject={so}", "--benchmark_filter=zzz").returncode == 3
    assert wall(f"--subject={so}", "--bogus").returncode == 2
    assert wall().returncode == 2
    assert wall(f"--subject={tmp_path}/missing.so").returncode == 2
    listed = wall(f"--subject={so}", "--benchmark_list_tests=true")
    assert listed.stdout.split() == ["t/a/b", "t/no"]
    out = tmp_path / "out.json"
    wall(f"--subject={so}", "--benchmark_filter=t/a",
         f"--benchmark_out={out}", "--benchmark_out_format=json")
    assert '"name": "t/a/b"' in out.read_text()


def two(base: object, head: object) -> subprocess.CompletedProcess[str]:
    return wall(f"--subject=base={base}", f"--subject=head={head}")


def test_two_subjects_must_be_two(subjects, tmp_path):
    base = subjects.suite(ROW, RUN_NOTHING, name="base.so")
    head = subjects.suite(ROW, RUN_NOTHING, name="head.so")
    both = two(base, head)
    assert both.returncode == 0
    assert "t/a/b/base" in both.stdout and "t/a/b/head" in both.stdout
    os.link(base, tmp_path / "link.so")
    linked = two(base, tmp_path / "link.so")
    assert linked.returncode == 2 and "same file" in linked.stderr


def test_one_library_under_both_subjects_is_seen(subjects, tmp_path):
    """Cases that need the same SONAME both call the first one loaded."""
    table = (RUN_NOTHING + "static const struct bench_case cases[] = "
             f"{{{ROW}}};"
             'static const struct bench_suite s = BENCH_SUITE("t", cases);'
             "BENCH_SUBJECT(&s);")
    sides = []
    for side in ("base", "head"):
        folder = tmp_path / side
        folder.mkdir()
        lib = Subjects(folder).build(table, "libshared.so",
                                     "-Wl,-soname,libshared.so")
        so = Subjects(folder).build(
            "void unused(void); void unused(void) {}", f"{side}.so",
            "-Wl,--no-as-needed", str(lib), f"-Wl,-rpath,{folder}")
        sides.append(so)
    done = two(*sides)
    assert done.returncode == 2, done.stdout
    assert "same file" in done.stderr or "another file" in done.stderr
