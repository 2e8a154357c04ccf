"""A change of what judges it is judged by the merge base, and named."""

from __future__ import annotations

from pathlib import Path

from desk import change, loosen, no_base
from repo import commit, sh


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
