#!/usr/bin/python3
"""The seed of the map is an input: fixed, its cases cost the same in every
process; another gives other figures; and one that nobody chose is refused."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))

from plumblib import collect_count, collect_probe, instrument  # noqa: E402

RELEASE = ROOT / "build" / "release"
BIN = RELEASE / "bin"
PROBES = tuple(f"map/{kind}/{n}" for n in (8, 64) for kind in (
    "identity_probe_hits", "identity_probe_misses", "address_probe"))
PROCESSES = 8

TRAP = """
#include "harness/bench.h"
#include "map/map_probe.h"

static void *setup_fixed(const struct bench_setup *s)
{
    return map_probe_store(s, signal_store_seed_fixed(1, 2));
}

static void *setup_random(const struct bench_setup *s)
{
    struct signal_store_seed seed;
    if (signal_store_seed_random(&seed) != ST_OK)
        return bench_fail(s, "no seed");
    return map_probe_store(s, seed);
}

static uint64_t run_count(void *state)
{
    return signal_store_count(state) + 1;
}

static void teardown_store(void *state)
{
    signal_store_free(state);
}

#define CASE(name, fn) {.id = "t/" name, .about = name, .iters = 10, \\
    .setup = fn, .run = run_count, .teardown = teardown_store}

static const struct bench_case cases[] = {
    CASE("fixed", setup_fixed), CASE("random", setup_random)};
static const struct bench_suite s = BENCH_SUITE("t", cases);
BENCH_SUBJECT(&s);
"""


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    """The subject and the instruments, as a user would build them."""
    subprocess.run(["make", "-s", "suite", "instruments"], cwd=ROOT,
                   check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def count(folder: Path, seed: int = 0, aslr: bool = False) -> dict[str, str]:
    """Instructions of one pass, each case as an exact fraction."""
    folder.mkdir()
    plan = instrument.Plan(RELEASE / "suite.so", ROOT, PROBES, seed=seed)
    found = collect_count.collect(
        Path(shutil.which("valgrind")), BIN, plan, folder, lambda case: None,
        around=instrument.Surroundings(aslr=aslr))
    for case, counted in found.items():
        assert counted.failure is None, f"{case}: {counted.failure}"
        assert counted.figure.residual == 0
    return {case: str(counted.figure.per_op)
            for case, counted in found.items()}


def test_a_fixed_seed_has_no_spread(tmp_path):
    """Eight processes, every other one with randomised addresses."""
    runs = [count(tmp_path / str(i), aslr=i % 2 == 1)
            for i in range(PROCESSES)]
    for case in PROBES:
        assert len({run[case] for run in runs}) == 1, case


def test_another_seed_has_other_figures(tmp_path):
    """What a map that draws its own seed would show as noise."""
    runs = [count(tmp_path / str(seed), seed=seed) for seed in range(4)]
    for case in PROBES:
        assert len({run[case] for run in runs}) > 1, case


def test_a_seed_that_nobody_chose_is_refused(tmp_path):
    source = tmp_path / "trap.c"
    source.write_text(TRAP)
    subject = tmp_path / "suite.so"
    subprocess.run(
        ["gcc", "-std=gnu11", "-O1", "-fPIC", "-fvisibility=hidden",
         "-shared", "-Iimpl", "-Icases", source,
         RELEASE / "cases/map/map_probe.o", RELEASE / "libimpl.a",
         "-o", subject], cwd=ROOT, check=True)
    plan = instrument.Plan(subject, ROOT, ("t/fixed", "t/random"))
    probed = collect_probe.collect(BIN, plan, lambda case: None)
    assert probed["t/fixed"].failure is None
    assert "random seed" in probed["t/random"].failure
