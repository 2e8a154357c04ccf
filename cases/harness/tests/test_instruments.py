"""The instruments on planted subjects: what a table or a plan may hold, and
each way a case can go wrong."""

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from conftest import (BIN, CLEAN_ENV, ROOT, ROW, RUN_NOTHING, alive, count,
                      plan_of, probe, probe_list, row)


def test_the_example_of_bench_h_works_in_c_and_cpp(subjects, tmp_path):
    text = (ROOT / "cases/harness/bench.h").read_text()
    example = "\n".join(
        line[7:] for line in text.split("\n")
        if line.startswith(" *     ") or line == " *")
    example = example.replace('"bench.h"', '"harness/bench.h"')
    for compiler, std in (("gcc", "-std=c11"), ("g++", "-std=c++17")):
        so = subjects.build(example, "ex.so", std, compiler=compiler,
                            prelude="")
        rows = count(so, ["demo/sum/fox"], tmp_path)
        assert rows["demo/sum/fox"]["failure"] is None
        assert int(rows["demo/sum/fox"]["value"], 16) != 0


@pytest.mark.parametrize("rows, expected", [
    (f"{ROW}, {ROW}", "two cases have the id t/a/b"),
    (row(id='"u/a/b"'), 'expected an id "t/operation/input"'),
    (row(id='"t/a b"'), 'expected an id "t/operation/input"'),
    (row(id='"t/a/"'), 'expected an id "t/operation/input"'),
    (row(id='"t//b"'), 'expected an id "t/operation/input"'),
    (row(id="NULL"), "suite t, case 0: no id"),
    (row(tags='"slow, big"'), 'case t/a/b: tags "slow, big": expected words'),
    (row(run="NULL"), "case t/a/b: no run function"),
    (row(iters="0"), "iters is 0, expected 1 to 2^40"),
    (row(period="3"), "iters 10 is no multiple of period 3"),
])
def test_a_wrong_table_is_refused(subjects, rows, expected):
    done = probe_list(subjects.suite(rows, RUN_NOTHING))
    assert done.returncode == 2
    assert expected in done.stderr


@pytest.mark.parametrize("names, expected", [
    (['"t"', '"t"'], "two suites have the name t"),
    (['"t"', '"u/v"'], "suite u/v: expected a name of letters"),
    (['"t"', "NULL"], "suite 1: no name"),
])
def test_wrong_suites_are_refused(subjects, names, expected):
    body = RUN_NOTHING + f"static const struct bench_case cases[] = {{{ROW}}};"
    for i, name in enumerate(names):
        body += (f"static const struct bench_suite s{i} = "
                 f"{{{name}, cases, {1 - i}, NULL, 0}};\n")
    done = probe_list(subjects.build(body + "BENCH_SUBJECT(&s0, &s1);"))
    assert done.returncode == 2
    assert expected in done.stderr


def test_tags_are_words_of_any_length(subjects):
    long = "x" * 100
    so = subjects.suite(row(tags=f'" slow  {long} "') + "," +
                        row(id='"t/c"', tags='""'), RUN_NOTHING)
    one, other = json.loads(probe_list(so).stdout)["suites"][0]["cases"]
    assert one["tags"] == ["slow", long] and other["tags"] == []


def test_another_table_version_is_refused(subjects):
    so = subjects.build(
        "BENCH_EXPORT const struct bench_table plumb_subject;"
        "const struct bench_table plumb_subject = {.abi = 99};")
    done = probe_list(so)
    assert done.returncode == 2
    assert "table version 99, this instrument reads version 1" in done.stderr


def test_a_file_that_is_no_subject_is_refused(subjects, tmp_path):
    done = probe_list(subjects.build("int x;"))
    assert done.returncode == 2 and "exports no plumb_subject" in done.stderr
    (tmp_path / "text.so").write_text("no object")
    done = probe_list(tmp_path / "text.so")
    assert done.returncode == 2 and "text.so" in done.stderr
    done = probe_list(tmp_path / "missing.so")
    assert done.returncode == 2 and "No such file" in done.stderr


@pytest.mark.parametrize("plan, expected", [
    ("", "expected a subject line"),
    ("nonsense 1\n", "expected a known key"),
    ("jobs\n", "expected a value after the key"),
    ("jobs 0\n", "expected a number from 1 to 256"),
    ("jobs two\n", "expected a number from 1 to 256"),
    ("jobs 257\n", "expected a number from 1 to 256"),
    ("jobs 1\0jobs 2\n", "expected no byte 0"),
    ("case x\n" * 400_000, "expected at most 2 MiB"),
    ("case t/a/b\n", "expected a subject line before"),
])
def test_a_wrong_plan_is_refused(plan, expected):
    done = subprocess.run(
        ["./plumb-probe"], input=plan, capture_output=True, text=True,
        cwd=BIN, env=CLEAN_ENV | {"LD_PRELOAD": "./plumb-heap.so"})
    assert done.returncode == 2
    assert expected in done.stderr


def test_an_unknown_case_is_refused(subjects):
    so = subjects.suite(ROW, RUN_NOTHING)
    done = subprocess.run(
        ["./plumb-probe"], input=plan_of(so, ["t/no/such"]),
        capture_output=True, text=True, cwd=BIN,
        env=CLEAN_ENV | {"LD_PRELOAD": "./plumb-heap.so"})
    assert done.returncode == 2
    assert 'case "t/no/such": expected a case of the subject' in done.stderr

CRASHES = RUN_NOTHING + """
static void *setup(const struct bench_setup *s)
    { return bench_buffer(s, 8); }
static void *setup_null(const struct bench_setup *s)
    { return bench_fail(s, "no \\"input\\""); }
static void *setup_mute(const struct bench_setup *s)
    { (void)s; return NULL; }
static void *setup_file(const struct bench_setup *s)
    { size_t n; return bench_file(s, "no/such/f\u00efle", &n); }
static void *setup_huge(const struct bench_setup *s)
    { return bench_buffer(s, SIZE_MAX); }
static void *setup_crash(const struct bench_setup *s)
    { (void)s; raise(SIGSEGV); return NULL; }
static uint64_t crash(void *s) { (void)s; raise(SIGSEGV); return 0; }
static uint64_t leave(void *s) { (void)s; exit(0); }
static uint64_t hang(void *s) { (void)s; for (;;) pause(); return 0; }
static void *idle(void *s) { return s; }
static uint64_t thread(void *s)
    { pthread_t t; (void)s;
      if (pthread_create(&t, NULL, idle, NULL) == 0) pthread_join(t, NULL);
      return 1; }
static int started; /* once is enough, and a hundred times is slow */
static uint64_t fork_and_wait(void *s)
    { pid_t p = started++ ? -1 : fork(); (void)s;
      if (p == 0) _exit(0);
      return p > 0 && waitpid(p, NULL, 0) == p; }
static uint64_t fork_and_go(void *s)
    { (void)s; if (!started++ && fork() == 0) for (;;) pause(); return 1; }
static uint64_t shell(void *s)
    { (void)s; return started++ ? 1 : (uint64_t)system(":"); }
static void down(void *s) { (void)s; raise(SIGSEGV); }
"""
STARTED = "started a process: what that costs is not counted"
FAULTS = {
    "setup_null": (row(setup="setup_null"), 'setup: no "input"'),
    "setup_mute": (row(setup="setup_mute"), "setup: returned NULL"),
    "setup_file": (row(setup="setup_file"),
                   "setup: no/such/f\u00efle: No such file or directory"),
    "setup_huge": (row(setup="setup_huge"),
                   "setup: buffer: Cannot allocate memory"),
    "setup_crash": (row(setup="setup_crash"),
                    "setup: killed by signal 11 (Segmentation fault)"),
    "run_crash": (row(run="crash"),
                  "run: killed by signal 11 (Segmentation fault)"),
    "run_exit": (row(run="leave"), "run: exited with status 0"),
    "run_hang": (row(run="hang"), "run: no end after 2 s"),
    "run_thread": (row(run="thread"), "run: started a thread: gated cases "
                                      "are single-threaded"),
    "run_fork": (row(run="fork_and_wait"), STARTED),
    "run_orphan": (row(run="fork_and_go"), STARTED),
    "run_shell": (row(run="shell"), STARTED),
    "teardown": (row(teardown="down"),
                 "teardown: killed by signal 11 (Segmentation fault)"),
}


@pytest.mark.parametrize("instrument", ["probe", "count"])
def test_each_fault_is_named_and_spares_the_others(subjects, tmp_path,
                                                   instrument):
    rows = [text.replace("t/a/b", f"t/{name}") + ","
            for name, (text, _) in FAULTS.items()]
    so = subjects.suite("".join(rows) + row(setup="setup"), CRASHES)
    ids = [f"t/{name}" for name in FAULTS] + ["t/a/b"]
    if instrument == "probe":
        got = probe(so, ids, jobs=2, timeout=2)
    else:
        got = count(so, ids, tmp_path, jobs=2, timeout=2)
    assert got["t/a/b"]["failure"] is None
    for name, (_, expected) in FAULTS.items():
        assert got[f"t/{name}"]["failure"] == expected
        assert not alive(got[f"t/{name}"]["pid"])


def test_a_killed_server_leaves_no_child(subjects, tmp_path):
    so = subjects.suite(row(run="hang"), "static uint64_t hang(void *s)"
                        "{ (void)s; for (;;) pause(); return 0; }")
    server = subprocess.Popen(
        ["./plumb-probe"], stdin=subprocess.PIPE, cwd=BIN, text=True,
        env=CLEAN_ENV | {"LD_PRELOAD": "./plumb-heap.so"})
    assert server.stdin is not None
    server.stdin.write(plan_of(so, ["t/a/b"]))
    server.stdin.close()
    child = wait_for_child(server.pid)
    server.kill()
    server.wait()
    deadline = time.monotonic() + 5
    while alive(child) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not alive(child)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stopped_server_takes_along_what_cases_started(subjects, number):
    so = subjects.suite(
        row(run="hang"), "static uint64_t hang(void *s) "
        "{ (void)s; fork(); for (;;) pause(); return 0; }")
    server = subprocess.Popen(
        ["./plumb-probe"], stdin=subprocess.PIPE, cwd=BIN, text=True,
        env=CLEAN_ENV | {"LD_PRELOAD": "./plumb-heap.so"})
    assert server.stdin is not None
    server.stdin.write(plan_of(so, ["t/a/b"]))
    server.stdin.close()
    child = wait_for_child(server.pid)
    grandchild = wait_for_child(child)
    server.send_signal(number)
    assert server.wait(timeout=10) == -number
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and (
            runs(child) or runs(grandchild)):
        time.sleep(0.02)
    assert not runs(child) and not runs(grandchild)


def runs(pid: int) -> bool:
    """Whether it is there and no zombie that nobody has reaped yet."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return text.rpartition(")")[2].split()[0] != "Z"


def wait_for_child(pid: int) -> int:
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        children = (f"/proc/{pid}/task/{pid}/children")
        with open(children, encoding="ascii") as file:
            found = file.read().split()
        if found:
            return int(found[0])
        time.sleep(0.02)
    raise AssertionError("the server started no child")
