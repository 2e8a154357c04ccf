"""plumb gate and accept on a project that is not ours, for real."""

from __future__ import annotations

import json

from desk import change, loosen
from repo import commit
from samples import TOOLCHAIN

from plumblib import certificate, codec, project
from plumblib.records import Certificate, Proven


def test_the_gate_of_a_foreign_project(root, plumb):
    run = plumb("gate")
    assert run.code == 1 and set(run.outcomes().values()) == {"new"}
    assert plumb("accept").code == 0
    assert plumb("gate").code == 0
    change(root, nops=201)
    run = plumb("gate")  # 0.5 %
    assert (run.code, run.outcomes()["demo/steps/x"]) == (0, "warn")
    change(root, nops=250)
    assert plumb("gate").code == 1
    run = plumb("accept")
    assert run.code == 1 and "budgets only go down by themselves" in run.err
    change(root, nops=50)
    assert plumb("gate", "--strict").code == 1
    assert plumb("accept").code == 0
    index = next(root.glob("baselines/*/toolchain.json"))
    raw = json.loads(index.read_text())
    raw["suites"]["demo"]["valgrind"] = "3.99"
    index.write_text(json.dumps(raw))
    run = plumb("gate")
    assert run.code == 3
    assert "valgrind: '3.99' in the baseline" in run.out
    assert "make bench-vs-base" in run.out
    assert plumb("accept").code == 3
    index.write_text("{")
    run = plumb("gate")
    assert run.code == 2 and "toolchain.json:1: is truncated" in run.err
    assert index.read_text() == "{"


def test_accept_takes_up_the_audit_of_what_it_measured(root, plumb):
    assert plumb("accept").code == 0
    here = project.load(root)
    subject = here.subject_path("release")
    made = Certificate(
        subject=certificate.subject_digest(subject),
        toolchain=TOOLCHAIN,
        cases=("demo/steps/x",),
        perturbations=(),
        findings=(),
        bands={},
    )
    proven = Proven(made.subject, TOOLCHAIN, 1, (), (), (), ())
    codec.save(certificate.path(root, Certificate), made)
    codec.save(certificate.path(root, Proven), proven)
    committed = next(root.glob("baselines/*")) / "audit.json"
    assert plumb("accept").out.endswith("; commit it\n")
    assert codec.load(committed, Certificate) == made
    assert codec.load(committed.with_name("prove.json"), Proven) == proven
    assert plumb("accept").out == "the budgets stay as they are\n"
    committed.unlink()
    change(root, nops=190)  # of another subject, the audit says nothing
    assert plumb("accept").code == 0
    assert not committed.exists()
    assert plumb("gate").code == 0


def test_a_case_that_is_called_slow_does_not_drop_out(root, plumb):
    assert plumb("accept").code == 0
    commit(root, "budgets")
    file = root / "cases.c"
    text = file.read_text()
    slow = '.tags = "slow", .about = "nops"'
    file.write_text(text.replace('.about = "nops"', slow))
    for words in (("gate",), ("vs-base", "HEAD")):
        run = plumb(*words)
        assert (run.code, run.outcomes()["demo/steps/x"]) == (
            3,
            "not-measured",
        )
        assert "`plumb accept --slow`" in run.out
        assert plumb(*words, "--slow").code == 0
        assert plumb(*words, "-f", "other").code == 0
    assert plumb("accept").out == "the budgets stay as they are\n"
    assert "demo/steps/x: now slow\n" in plumb("accept", "--slow").out
    for words in (("gate",), ("vs-base", "HEAD")):
        run = plumb(*words)
        assert (run.code, run.outcomes()) == (0, {"demo/other/x": "same"})
    file.write_text(text)
    assert "demo/steps/x: no longer slow\n" in plumb("accept").out


def test_a_case_that_crashes_is_not_green(root, plumb):
    assert plumb("accept").code == 0
    file = root / "cases.c"
    file.write_text(file.read_text().replace('("nop")', '("ud2")'))
    run = plumb("gate")
    assert run.code == 3
    assert run.outcomes() == {
        "demo/other/x": "not-measured",
        "demo/steps/x": "same",
    }
    run = plumb("vs-base", "HEAD")
    assert run.code == 3
    assert "signal 4" in run.out
    run = plumb("accept")
    assert run.code == 3 and "nothing was accepted" in run.err


def test_a_limit_for_nothing_is_refused(root, plumb):
    loosen(root)
    file = root / "plumb.toml"
    text = file.read_text()
    file.write_text(text + 'scope = "demo/step/x"\n')
    run = plumb("gate")
    assert run.code == 2
    assert "limits.scope: 'demo/step/x' is neither a suite nor" in run.err
    file.write_text(text + 'scope = "demo/steps/x"\n')
    assert plumb("gate").code == 1
