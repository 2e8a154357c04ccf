"""Known regressions: predicted, compiled in, found."""

from __future__ import annotations

import json
from fractions import Fraction

import foreign
import pytest

from plumblib import certificate, codec, prove, prove_run
from plumblib.cli import main
from plumblib.prove import NOP, Mutant, Proof
from plumblib.records import Figure, Proven

SOURCE = """
uint64_t add(uint64_t a);
uint64_t twice(uint64_t a);
static uint64_t run_one(void *s) { (void)s; return add(1); }
static uint64_t run_six(void *s)
    { uint64_t n = 1; (void)s;
      for (int i = 0; i < 3; i++) n = twice(n); return n; }
static uint64_t run_none(void *s)
    { static volatile int n; (void)s; n++; return 7; }
static const struct bench_case cases[] = {
    {.id = "demo/one", .about = "", .iters = 10, .run = run_one},
    {.id = "demo/six", .about = "", .iters = 10, .run = run_six},
    {.id = "demo/none", .about = "", .iters = 10, .run = run_none},
};
"""
ADD = """
#include <stdint.h>
uint64_t add(uint64_t a);
__attribute__((noinline)) uint64_t add(uint64_t a) { return a + 3; }
"""
# `twice` calls add twice, once from a copy of a function that both have.
TWICE = """
#include <stdint.h>
uint64_t add(uint64_t a);
uint64_t twice(uint64_t a);
uint64_t twice(uint64_t a) { return add(add(a)) + 1; }
"""
IDLE = "int idle(void); int idle(void) { return 1; }\n"


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict:
    root = tmp_path_factory.mktemp("prove")
    foreign.make_parts(root, SOURCE, add=ADD, twice=TWICE, idle=IDLE)
    out = root / "proofs.json"
    assert main(["-C", str(root), "prove", "-o", str(out)]) == 0
    return json.loads(out.read_text())


def test_every_increase_is_found_exactly(found):
    by_name = {(one["file"], one["kind"], one["size"]): one
               for one in found["mutants"]}
    for size in (1, 2, 8):
        adds = by_name["lib/add.c", "nop", size]
        assert adds["found"] == {
            "demo/one": {"total": size, "ops": 1},
            "demo/six": {"total": 6 * size, "ops": 1}}
        twice = by_name["lib/twice.c", "nop", size]
        assert twice["found"] == {"demo/six": {"total": 3 * size, "ops": 1}}
    allocs = by_name["lib/add.c", "alloc", 1]
    assert allocs["found"]["demo/six"] == {"total": 6, "ops": 1}
    assert all(one["exact"] for one in found["mutants"])


def test_a_file_that_no_case_enters_is_named(found):
    assert found["untouched"] == ["lib/idle.c: entered by no case"]


def test_a_finished_file_is_kept(tmp_path, capsys):
    foreign.make_parts(tmp_path, SOURCE, add=ADD, twice=TWICE, idle=IDLE)
    words = ["-C", str(tmp_path), "prove"]
    assert main([*words, "--files", "lib/add.c"]) == 0
    kept = tmp_path / prove_run.KEPT
    assert len(list(kept.iterdir())) == 1
    short = certificate.path(tmp_path, Proven)
    assert not short.exists()  # one file is not the whole
    capsys.readouterr()
    (tmp_path / "mutant.sh").write_text("exit 1")
    assert main([*words, "--files", "lib/add.c"]) == 0
    told = capsys.readouterr()
    assert "4 of 4 mutants as predicted" in told.out
    assert "lib/add.c: 4 of 4 mutants as predicted" in told.err
    assert main(words) == 3  # the other files cannot be broken now


def test_what_is_left_in_short(found, tmp_path_factory):
    root = tmp_path_factory.getbasetemp() / "prove0"
    short = codec.load(certificate.path(root, Proven), Proven)
    assert [(one.file, one.cases, one.exact, one.mutants)
            for one in short.files] == [
        ("lib/add.c", 2, 4, 4), ("lib/idle.c", 0, 2, 2),
        ("lib/twice.c", 1, 4, 4)]
    assert sum(row.count for row in short.detections) == 9
    assert short.uncovered == ("lib/idle.c: entered by no case",)


def test_bystanders_take_turns():
    cases = [f"t/{n}" for n in range(100)]
    first = prove.bystanders(cases, {"t/0": Fraction(1)}, 0)
    assert prove.SAMPLE <= len(first) <= prove.SAMPLE + 2
    assert first[0] == "t/1" and first[-1] > "t/9"
    seen = {case for turn in range(7)
            for case in prove.bystanders(cases, {}, turn)}
    assert seen == set(cases)
    assert prove.bystanders(["t/a"], {}, 5) == ["t/a"]


def test_a_wrong_prediction_is_no_proof():
    mutant = Mutant("f.c", NOP, 1)
    plain = {"t/a": Figure(100, 1), "t/b": Figure(50, 1)}
    same = {"t/a": (Figure(101, 1), None), "t/b": (Figure(50, 1), None)}
    good = prove.compare(mutant, {"t/a": Fraction(1)}, plain, same)
    assert good.exact
    assert not prove.compare(mutant, {"t/a": Fraction(2)}, plain, same).exact
    assert not prove.compare(mutant, {}, plain, same).exact
    both = {"t/a": Fraction(1), "t/b": Fraction(1)}
    assert not prove.compare(mutant, both, plain, same).exact
    lost = same | {"t/b": (None, "run: killed")}
    assert not prove.compare(mutant, {"t/a": Fraction(1)}, plain, lost).exact


def test_the_detection_table_follows_the_limits():
    plain = {"t/a": Figure(1000, 1)}
    proofs = [Proof(Mutant("f.c", NOP, 1), {}, {"t/a": Fraction(n)}, {})
              for n in (1, 2, 9, 10, 60)]
    rows = prove.detections(proofs, plain)
    assert [row.count for row in rows] == [1, 2, 1, 1]
    # Limits of 0.1, 0.2, 0.5, 1, 2 and 5 %.
    assert rows[0].slower == (1, 0, 0, 0, 0, 0)
    assert rows[1].slower == (2, 2, 1, 0, 0, 0)
    assert rows[2].slower == (1, 1, 1, 1, 0, 0)
    assert rows[3].slower == (1, 1, 1, 1, 1, 1)
    assert not any(row.wrong for row in rows)


def test_a_project_without_the_table_is_told(tmp_path, capsys):
    foreign.make(tmp_path, SOURCE)
    assert main(["-C", str(tmp_path), "prove"]) == 2
    assert "has no [prove] table" in capsys.readouterr().err
