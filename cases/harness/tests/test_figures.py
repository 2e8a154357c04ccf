"""What the instruments find in planted cases whose counts, heap figures and
fingerprints are known beforehand."""

import re
import subprocess

import pytest

from conftest import (BIN, CLEAN_ENV, RUN_NOTHING, count, probe, row)


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


def test_brief_blocks_are_as_exact(subjects, tmp_path):
    so = subjects.suite(
        '{.id = "t/one", .iters = 70, .run = nothing},'
        '{.id = "t/three", .iters = 90, .period = 3, .run = nothing}',
        RUN_NOTHING)
    got = count(so, ["t/one", "t/three"], tmp_path, brief=1, scale=2)
    assert [got[c]["iters"] for c in ("t/one", "t/three")] == [2, 6]
    for one in got.values():
        _, zero, n, _, four = one["ir"]
        assert four - zero == 4 * (n - zero) > 0


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
        'for (int i = 0; i < 7000; i++) bench_file(s, "README.md", &n); '
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
