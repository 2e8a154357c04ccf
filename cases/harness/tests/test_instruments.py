"""The instruments on planted subjects: each way a case can go wrong, and
counts and heap figures that are known beforehand."""

import os
import re
import subprocess
import time

import pytest

from conftest import (BIN, CLEAN_ENV, ROOT, Subjects, alive, count, plan_of,
                      probe, probe_list)

RUN_NOTHING = ("__attribute__((unused)) static uint64_t nothing(void *s) "
               "{ (void)s; return 1; }\n")
ROW = '{.id = "t/a/b", .iters = 10, .run = nothing}'


def row(**members: str) -> str:
    given = {"id": '"t/a/b"', "iters": "10", "run": "nothing"} | members
    return "{" + ", ".join(f".{k} = {v}" for k, v in given.items()) + "}"


# ---- what a subject may look like -----------------------------------------

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
    (row(id="NULL"), "suite t, case 0: no id"),
    (row(run="NULL"), "case t/a/b: no run function"),
    (row(iters="0"), "iters is 0, expected 1 to 2^40"),
    (row(period="3"), "iters 10 is no multiple of period 3"),
])
def test_a_wrong_table_is_refused(subjects, rows, expected):
    done = probe_list(subjects.suite(rows, RUN_NOTHING))
    assert done.returncode == 2
    assert expected in done.stderr


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


# ---- cases that go wrong ---------------------------------------------------

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
static void down(void *s) { (void)s; raise(SIGSEGV); }
"""
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


# ---- figures that are known -----------------------------------------------

def test_added_instructions_are_counted_exactly(subjects, tmp_path):
    body = "".join(
        f"static uint64_t nops{n}(void *s) {{ (void)s; "
        f'__asm__ volatile("{"nop;" * n}"); return 1; }}\n' for n in (0, 1, 9))
    rows = ",".join(f'{{.id = "t/nops/{n}", .iters = 7, .run = nops{n}}}'
                    for n in (0, 1, 9))
    so = subjects.suite(rows, body)
    got = count(so, [f"t/nops/{n}" for n in (0, 1, 9)], tmp_path)
    slope = {}
    for name, r in got.items():
        _, zero, one, two, four = r["ir"]
        n = r["iters"]
        assert two - zero == 2 * (one - zero)
        assert four - zero == 4 * (one - zero)
        assert (one - zero) % n == 0
        slope[name] = (one - zero) // n
    assert slope["t/nops/1"] - slope["t/nops/0"] == 1
    assert slope["t/nops/9"] - slope["t/nops/0"] == 9
    assert 0 < slope[""] <= slope["t/nops/0"]


ADDRESSES = """
static uint64_t stack(void *s)
    { volatile char here; (void)s; return (uintptr_t)&here; }
static void *setup(const struct bench_setup *s)
    { return bench_buffer(s, 100); }
static uint64_t buffer(void *s) { return (uintptr_t)s; }
static void *setup_heap(const struct bench_setup *s)
    { (void)s; return malloc(100); }
static uint64_t code(void *s) { (void)s; return (uintptr_t)&code; }
static uint64_t clock_s(void *s)
    { struct timespec t; (void)s; clock_gettime(CLOCK_MONOTONIC, &t);
      return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000; }
"""


@pytest.mark.parametrize("case, settings, moved", [
    ("stack", {"stack-shift": 4096}, lambda a, b: 4096 <= a - b < 4200),
    ("buffer", {"buffer-shift": 16}, lambda a, b: (b - a) % 64 == 16),
    ("heap", {"heap-dirt": 500}, lambda a, b: a != b),
    ("code", {"map-shift": 16}, lambda a, b: a != b),
    ("clock", {"delay-ms": 300}, lambda a, b: b - a >= 300),
])
def test_perturbations_do_what_they_say(subjects, case, settings, moved):
    so = subjects.suite(
        '{.id = "t/stack", .iters = 1, .run = stack},'
        '{.id = "t/buffer", .iters = 1, .setup = setup, .run = buffer},'
        '{.id = "t/heap", .iters = 1, .setup = setup_heap, .run = buffer,'
        " .teardown = free},"
        '{.id = "t/code", .iters = 1, .run = code},'
        '{.id = "t/clock", .iters = 1, .run = clock_s}',
        "#include <time.h>\n" + ADDRESSES)
    case = f"t/{case}"
    plain = probe(so, [case])[case]
    shifted = probe(so, [case], **settings)[case]
    assert plain["failure"] is None and shifted["failure"] is None
    assert moved(int(plain["value"], 16), int(shifted["value"], 16))


HEAP_BODY = """
static uint64_t churn(void *s) {
    void *volatile a = malloc(100);
    void *volatile b = calloc(10, 20);
    (void)s;
    a = realloc(a, 1000);
    free(b);
    b = aligned_alloc(64, 128);
    free(a);
    free(b);
    return 1;
}
static void *volatile kept;
static uint64_t leak(void *s) { (void)s; kept = malloc(33); return 1; }
static void *setup(const struct bench_setup *s) {
    void **p = (void **)bench_buffer(s, sizeof(*p));
    *p = malloc(500);
    return p;
}
static uint64_t swap(void *s) {
    void *volatile *p = (void *volatile *)s;
    free(*p);
    *p = malloc(500);
    return 1;
}
static void down(void *s) { free(*(void **)s); }
static uint64_t every_third(void *s) {
    static int n;
    (void)s;
    if (n++ % 3 == 0) { void *volatile a = malloc(7); free(a); }
    return 1;
}
"""


def test_heap_figures_are_those_requested(subjects):
    so = subjects.suite(
        '{.id = "t/churn", .iters = 1, .run = churn},'
        '{.id = "t/leak", .iters = 1, .run = leak},'
        '{.id = "t/swap", .iters = 1, .setup = setup, .run = swap,'
        ' .teardown = down},'
        '{.id = "t/third", .iters = 3, .period = 3, .run = every_third}',
        HEAP_BODY)
    got = probe(so, ["t/churn", "t/leak", "t/swap", "t/third"])
    # 100, 200, 1000 for the resized block, 128; at most 1000 + 200 at once.
    assert got["t/churn"]["heap"] == {
        "ops": 1, "calls": [4, 4], "bytes": [1428, 1428],
        "peak": [1200, 1200], "live": [0, 0]}
    assert got["t/leak"]["heap"] == {
        "ops": 1, "calls": [1, 1], "bytes": [33, 33], "peak": [33, 33],
        "live": [33, 33]}
    assert got["t/swap"]["heap"] == {
        "ops": 1, "calls": [1, 1], "bytes": [500, 500], "peak": [0, 0],
        "live": [0, 0]}
    assert got["t/third"]["heap"] == {
        "ops": 3, "calls": [1, 1], "bytes": [7, 7], "peak": [7, 7],
        "live": [0, 0]}


SITES_BODY = """
#define APART __attribute__((noinline, noclone))
#define OPAQUE(p) __asm__ volatile("" : "+r"(p) : : "memory")
APART static void *get(size_t size) {
    void *p = malloc(size);
    OPAQUE(p);
    return p;
}
APART static void put(void *p) { OPAQUE(p); free(p); }
static uint64_t run(void *s) {
    (void)s;
    for (int i = 0; i < 3; i++) { void *p = get(10); put(p); }
    void *q = get(100);
    q = realloc(q, 200);
    OPAQUE(q);
    put(q);
    return 1;
}
APART static uint64_t deep(unsigned n) {
    void *p = malloc(1);
    OPAQUE(p);
    uint64_t r = n == 0 ? 1 : deep(n - 1) + 1;
    put(p);
    return r;
}
static uint64_t run_deep(void *s) { (void)s; return deep(300); }
"""


def site_shapes(row):
    """Calls, bytes, and how many frames are in the subject."""
    return sorted(
        (site["calls"], site["bytes"],
         sum(frame[0] == "/proc/self/fd/20" for frame in site["frames"]))
        for site in row["sites"])


def test_sites_tell_where_memory_is_requested(subjects):
    so = subjects.suite(
        '{.id = "t/run", .iters = 1, .run = run},'
        '{.id = "t/deep", .iters = 1, .run = run_deep}', SITES_BODY)
    got = probe(so, ["t/run", "t/deep"], **{"heap-sites": 1})
    plain = probe(so, ["t/run", "t/deep"])
    assert "sites" not in plain["t/run"]
    for case in plain:
        assert got[case]["heap"] == plain[case]["heap"]
    # Two ways through get, and realloc from run itself.
    assert site_shapes(got["t/run"]) == [(1, 100, 2), (1, 200, 1),
                                         (3, 30, 2)]
    for site in got["t/run"]["sites"]:
        names = [frame[0] for frame in site["frames"]]
        assert names[0] == "./plumb-heap.so"
        assert "./plumb-probe" in names
    # Deeper than frames are kept all look alike.
    deep = got["t/deep"]["sites"]
    assert sum(site["calls"] for site in deep) == 301
    assert max(len(site["frames"]) for site in deep) == 24
    assert len(deep) < 30


def many_ways(count):
    """Functions that each request memory, and one that calls them all."""
    body = SITES_BODY + "".join(
        f"APART static void way{i}(void) {{ put(get({i + 1})); }}\n"
        for i in range(count))
    calls = "".join(f"way{i}();" for i in range(count))
    return body + f"static uint64_t all(void *s) {{ (void)s; {calls} " \
        "return run_deep(s) + run(s); }\n"


def test_ways_beyond_the_table_are_added_up_in_one(subjects):
    so = subjects.suite('{.id = "t/all", .iters = 1, .run = all}',
                        many_ways(140))
    row = probe(so, ["t/all"], **{"heap-sites": 1})["t/all"]
    assert len(row["sites"]) == 128
    assert [site["frames"] == [] for site in row["sites"]] == (
        [False] * 127 + [True])
    for key in ("calls", "bytes"):
        assert sum(site[key] for site in row["sites"]) == (
            row["heap"][key][1])


def test_the_files_that_setup_reads_are_named(subjects):
    read = "".join(f"bench_file(s, {name}, &n);" for name in (
        '"README.md"', '"cases/harness/bench.h"'))
    body = RUN_NOTHING + (
        "static void *two(const struct bench_setup *s) { size_t n; "
        f"{read} return bench_buffer(s, 1); }}\n"
        "static void *many(const struct bench_setup *s) { size_t n; "
        'for (int i = 0; i < 500; i++) bench_file(s, "README.md", &n); '
        "return bench_buffer(s, 1); }\n")
    so = subjects.suite(
        '{.id = "t/two", .iters = 1, .setup = two, .run = nothing},'
        '{.id = "t/many", .iters = 1, .setup = many, .run = nothing},'
        '{.id = "t/none", .iters = 1, .run = nothing}', body)
    got = probe(so, ["t/two", "t/many", "t/none"])
    assert got["t/two"]["files"] == ["README.md", "cases/harness/bench.h"]
    assert got["t/none"]["files"] == []
    assert got["t/many"]["failure"] == (
        "setup: README.md: more names of files than the probe keeps")


WORK_BODY = RUN_NOTHING + """
static const char *const words[] = {"one", "two"};
static void *setup(const struct bench_setup *s) {
    const char *w = words[(size_t)s->arg];
    return bench_input(s, w, 3);
}
static void work(void *s, const struct bench_digest *d)
    { bench_digest(d, s, 2); bench_digest_u64(d, 5); }
"""


def test_fingerprints_follow_input_and_work(subjects):
    rows = ",".join(
        f'{{.id = "t/{name}", .iters = 1, .setup = setup, .run = nothing, '
        f'.work = {work}, .arg = (void *){arg}}}'
        for name, arg, work in (("a", 0, "work"), ("b", 0, "work"),
                                ("c", 1, "work"), ("d", 0, "NULL")))
    got = probe(subjects.suite(rows, WORK_BODY),
                ["t/a", "t/b", "t/c", "t/d"])
    assert all(re.fullmatch("[0-9a-f]{32}", r["input"]) for r in got.values())
    assert got["t/a"]["input"] == got["t/b"]["input"]
    assert got["t/a"]["work"] == got["t/b"]["work"]
    assert got["t/a"]["input"] != got["t/c"]["input"]
    assert got["t/a"]["work"] != got["t/c"]["work"]
    assert got["t/a"]["work"] != got["t/d"]["work"]


def test_what_a_case_prints_does_not_mix_with_the_answers(subjects):
    so = subjects.suite(
        row(run="loud"), "static uint64_t loud(void *s)"
        '{ (void)s; return (uint64_t)write(1, "noise\\n", 6); }')
    assert probe(so, ["t/a/b"])["t/a/b"]["failure"] is None


def test_the_instruments_say_how_they_are_run(subjects):
    done = subprocess.run([BIN / "plumb-count"], capture_output=True,
                          text=True, env=CLEAN_ENV)
    assert done.returncode == 2 and "runs under valgrind" in done.stderr
    done = subprocess.run([BIN / "plumb-probe"], capture_output=True,
                          text=True, env=CLEAN_ENV)
    assert done.returncode == 2 and "LD_PRELOAD" in done.stderr


# ---- wall -------------------------------------------------------------------

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
