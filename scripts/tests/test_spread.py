"""What a seed is worth: counted, shown, never gated."""

from __future__ import annotations

from fractions import Fraction

import foreign

from plumblib import spread
from plumblib.cli import main
from plumblib.records import Figure

SOURCE = """
static void *setup(const struct bench_setup *s)
    { uint64_t *n = (uint64_t *)bench_buffer(s, 8); *n = s->seed % 7;
      return n; }
static uint64_t run_seeded(void *s)
    { uint64_t sum = 1;
      for (uint64_t i = 0; i < *(uint64_t *)s; i++)
          __asm__ volatile("" : "+r"(sum));
      return sum; }
static uint64_t run_plain(void *s)
    { static volatile uint64_t n; (void)s; n++; return n; }
static const struct bench_case cases[] = {
    {.id = "demo/seeded", .about = "", .iters = 10, .setup = setup,
     .run = run_seeded},
    {.id = "demo/plain", .about = "", .iters = 10, .run = run_plain},
};
"""


def figures(**costs: int) -> dict[str, Figure]:
    return {case: Figure(cost, 1) for case, cost in costs.items()}


def test_lowest_median_highest_and_values():
    runs = [figures(a=cost) for cost in (110, 100, 130, 100)]
    (one,) = spread.spread(figures(a=105), runs)
    assert (one.lowest, one.median, one.highest) == (100, 105, 130)
    assert (one.values, one.wide) == (3, Fraction(3, 10))


def test_a_case_that_one_run_lost_is_left_out():
    assert spread.spread(figures(a=1, b=1), [figures(a=1), figures(b=1)]) == []


def test_random_seeds_differ_and_fixed_ones_do_not():
    assert len(set(spread.seeds("random", 20))) == 20
    assert 0 not in spread.seeds("random", 20)
    assert spread.seeds("5", 3) == [5, 5, 5]


def test_a_seeded_case_spreads_and_an_honest_one_does_not(tmp_path, capsys):
    foreign.make(tmp_path, SOURCE)
    args = ["-C", str(tmp_path), "run", "--seed"]
    assert main([*args, "random", "--runs", "8"]) == 0
    shown = {line.split()[0]: line.split()
             for line in capsys.readouterr().out.splitlines()}
    assert int(shown["demo/seeded"][-1]) > 1
    assert shown["demo/plain"][-2:] == ["0.0%", "1"]
    assert main([*args, "3", "--runs", "2"]) == 0
    shown = {line.split()[0]: line.split()
             for line in capsys.readouterr().out.splitlines()}
    assert shown["demo/seeded"][-2:] == ["0.0%", "1"]


def test_such_counts_make_no_record(tmp_path, capsys):
    foreign.make(tmp_path, SOURCE)
    args = ["-C", str(tmp_path), "run", "--seed", "1"]
    assert main([*args, "--json"]) == 2
    assert "makes no measurement" in capsys.readouterr().err
