"""Real measurements of tiny projects: the good case, and each way in
which a case can fail."""

from pathlib import Path

import pytest

import foreign
from plumblib import codec, measure, project
from plumblib.errors import UsageError
from plumblib.records import CaseResult, Figure, Measurement

GOOD = r"""
#include <stdlib.h>

static int input = 5;

static void *setup(const struct bench_setup *s)
{
    return bench_input(s, &input, sizeof(input));
}

/* One more instruction for each step, and `steps` calls to malloc. */
static uint64_t heap(void *state)
{
    uint64_t sum = *(int *)state;
    for (int i = 0; i < 3; i++) {
        void *volatile p = malloc(100);
        sum += p != NULL;
        free(p);
    }
    return sum;
}

static uint64_t nops(void *state)
{
    __asm__ volatile(".rept 100\n nop\n .endr");
    return *(int *)state;
}

static uint64_t more_nops(void *state)
{
    __asm__ volatile(".rept 101\n nop\n .endr");
    return *(int *)state;
}

static const struct bench_case cases[] = {
    {.id = "demo/heap/3", .about = "three blocks", .iters = 10,
     .bytes = 4, .setup = setup, .run = heap},
    {.id = "demo/nops/100", .about = "a hundred", .iters = 10,
     .setup = setup, .run = nops},
    {.id = "demo/nops/101", .about = "and one", .iters = 7,
     .tags = "slow", .setup = setup, .run = more_nops},
};
"""


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Measurement:
    root = tmp_path_factory.mktemp("Mein Prüfstand 100%p") / "x y"
    return measure.measure(
        foreign.make(root, GOOD),
        project.instruments(),
        foreign.options(slow=True),
    )


def test_counts_are_exact(good: Measurement) -> None:
    """The nops are counted one by one: 100, and 101, the load of the
    state above what the empty operation has."""
    hundred = good.cases["demo/nops/100"].figures["instructions"]
    more = good.cases["demo/nops/101"].figures["instructions"]
    assert more.per_op - hundred.per_op == 1
    assert 100 <= hundred.per_op <= 103
    assert hundred.residual == more.residual == 0


def test_heap_is_counted_by_what_was_asked(good: Measurement) -> None:
    figures = good.cases["demo/heap/3"].figures
    assert figures["heap_calls"] == Figure(3, 1)
    assert figures["heap_bytes"] == Figure(300, 1)
    assert figures["heap_peak"] == Figure(100, 1)
    assert figures["heap_live"] == Figure(0, 1)


def test_objects_are_those_that_ran(good: Measurement) -> None:
    assert good.cases["demo/heap/3"].objects == ("libc.so.6",)
    assert good.cases["demo/nops/100"].objects == ()
    assert list(good.toolchain.objects) == ["libc.so.6"]
    assert "GCC" in good.toolchain.compiler


def test_fingerprints_depend_on_input_and_work(good: Measurement) -> None:
    hundred, more = (
        good.cases["demo/nops/100"],
        good.cases["demo/nops/101"],
    )
    heap = good.cases["demo/heap/3"]
    assert hundred.input == more.input == heap.input
    assert hundred.work == more.work != heap.work


def test_measuring_again_gives_the_same(
    good: Measurement, tmp_path: Path
) -> None:
    """In another folder, with one worker, in the other order of ids."""
    again = measure.measure(
        foreign.make(tmp_path, GOOD),
        project.instruments(),
        foreign.options(slow=True, jobs=1),
    )
    assert again.cases == good.cases
    assert again.toolchain == good.toolchain


def test_it_is_a_record(good: Measurement, tmp_path: Path) -> None:
    codec.save(tmp_path / "m.json", good)
    assert codec.load(tmp_path / "m.json", Measurement) == good


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    made = measure.measure(
        foreign.make(tmp_path, GOOD), project.instruments(), foreign.options()
    )
    # slow cases are declared but not measured by default
    assert list(made.cases) == ["demo/heap/3", "demo/nops/100"]
    assert made.declared == ("demo/heap/3", "demo/nops/100", "demo/nops/101")
    assert list((tmp_path / project.WORK).iterdir()) == []
    assert made.revision.commit == ""


BAD = r"""
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *ok(const struct bench_setup *s) { return bench_buffer(s, 8); }

static void *crash_setup(const struct bench_setup *s) { (void)s; abort(); }

static void *no_file(const struct bench_setup *s)
{
    size_t size;
    return bench_file(s, "data/absent.bin", &size);
}

static uint64_t good(void *state)
{
    *(volatile uint64_t *)state += 1;
    return 7;
}

static uint64_t crash(void *state)
{
    (void)state;
    return *(volatile int *)8;
}

static uint64_t hang(void *state)
{
    for (;;)
        *(volatile int *)state += 1;
}

static void *body(void *arg) { return arg; }

static uint64_t thread(void *state)
{
    pthread_t t;
    if (pthread_create(&t, NULL, body, state) == 0)
        pthread_join(t, NULL);
    return 1;
}

static uint64_t leave(void *state) { (void)state; _exit(0); }

static uint64_t nothing(void *state) { (void)state; return 0; }

static void crash_teardown(void *state) { (void)state; abort(); }

#define ROW(name, s, r, t) \
    {.id = "demo/" name, .about = name, .iters = 10, .setup = s, .run = r, \
     .teardown = t}

static const struct bench_case cases[] = {
    ROW("crash/setup", crash_setup, good, NULL),
    ROW("crash/run", ok, crash, NULL),
    ROW("crash/teardown", ok, good, crash_teardown),
    ROW("absent/file", no_file, good, NULL),
    ROW("hang/run", ok, hang, NULL),
    ROW("thread/run", ok, thread, NULL),
    ROW("leave/run", ok, leave, NULL),
    ROW("nothing/run", ok, nothing, NULL),
    ROW("good/run", ok, good, NULL),
};
"""


@pytest.fixture(scope="module")
def bad(
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, CaseResult]:
    root = tmp_path_factory.mktemp("bad")
    made = measure.measure(
        foreign.make(root, BAD, timeout=4),
        project.instruments(),
        foreign.options(jobs=4),
    )
    return made.cases


@pytest.mark.parametrize(
    "case, told",
    [
        ("crash/setup", "setup: killed by signal 6"),
        ("crash/run", "run: killed by signal 11"),
        ("crash/teardown", "teardown: killed by signal 6"),
        ("absent/file", "data/absent.bin: No such file or directory"),
        ("hang/run", "run: no end after 4 s"),
        ("thread/run", "run: started a thread"),
        ("leave/run", "run: exited with status 0"),
        ("nothing/run", "does `run` do anything?"),
    ],
)
def test_failures_are_told_and_have_no_figures(
    bad: dict[str, CaseResult], case: str, told: str
) -> None:
    result = bad[f"demo/{case}"]
    assert result.failure is not None and told in result.failure
    assert result.figures == {}


def test_other_cases_are_measured_all_the_same(
    bad: dict[str, CaseResult],
) -> None:
    assert bad["demo/good/run"].failure is None
    assert bad["demo/good/run"].figures["instructions"].residual == 0


def test_the_example_of_bench_h_is_a_subject(tmp_path: Path) -> None:
    """The head comment has a whole subject; it is measured as it is."""
    header = project.HOME / "cases" / "harness" / "bench.h"
    comment = header.read_text().partition("*/\n#ifndef")[0]
    lines = [
        line.removeprefix(" *     ") if line.startswith(" *     ") else ""
        for line in comment.splitlines()
    ]
    here = foreign.make(tmp_path, "")
    (tmp_path / "cases.c").write_text("\n".join(lines))
    made = measure.measure(here, project.instruments(), foreign.options())
    (result,) = made.cases.values()
    assert result.info.id == "demo/sum/fox"
    # 20 bytes, some instructions each
    assert 20 <= result.figures["instructions"].per_op <= 20 * 10


def _error(root: Path, source: str) -> str:
    with pytest.raises((UsageError, measure.BuildFailed)) as caught:
        measure.measure(
            foreign.make(root, source),
            project.instruments(),
            foreign.options(),
        )
    return str(caught.value)


ONE = (
    "static uint64_t f(void *s) { (void)s; return 1; }\n"
    "static const struct bench_case cases[] = {%s};"
)


@pytest.mark.parametrize(
    "rows, told",
    [
        (
            '{.id = "demo/a/b", .iters = 1, .run = f},' * 2,
            "two cases have the id demo/a/b",
        ),
        ('{.id = "other/a", .iters = 1, .run = f}', "other/a: expected an"),
        (
            '{.id = "demo/a", .iters = 3, .period = 2, .run = f}',
            "iters 3 is no multiple of period 2",
        ),
        ('{.id = "demo/a", .iters = 1}', "demo/a: no run function"),
    ],
)
def test_malformed_subjects_are_refused(
    tmp_path: Path, rows: str, told: str
) -> None:
    assert told in _error(tmp_path, ONE % rows)


def test_a_build_that_fails_shows_the_compiler(tmp_path: Path) -> None:
    assert "error: unknown type name" in _error(tmp_path, "oops x;")


def test_a_build_that_makes_nothing(tmp_path: Path) -> None:
    here = foreign.make(tmp_path, "")
    (tmp_path / "build.sh").write_text("exit 0\n")
    with pytest.raises(measure.BuildFailed, match="subject.build made no"):
        measure.measure(here, project.instruments(), foreign.options())


def test_a_declared_suite_must_be_there(tmp_path: Path) -> None:
    here = foreign.make(tmp_path, GOOD)
    here.file.write_text(
        here.file.read_text() + 'suites = ["demo", "lost"]\n'
    )
    with pytest.raises(UsageError, match="'lost' is not in .*has: demo"):
        measure.measure(
            project.load(tmp_path), project.instruments(), foreign.options()
        )
