"""What the last audit and proof found, in the report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import foreign
import pytest
from samples import TOOLCHAIN, case
from test_report_html import Page, about

from plumblib import certificate, codec, project, report_html, trust
from plumblib.records import (
    BrokenFile,
    Certificate,
    Detection,
    Figure,
    Finding,
    Proven,
)

BAND = Finding("demo/a/1", "heap", "layout", False, Figure(-3, 1), "memcpy")
FAULT = Finding(
    "demo/b/1", "later", "circumstance", True, Figure(9, 1), "rand"
)
AUDIT = Certificate(
    subject="ab" * 32,
    toolchain=TOOLCHAIN,
    cases=("demo/a/1", "demo/b/1", "demo/c/1"),
    perturbations=("heap", "later"),
    findings=(BAND, FAULT),
    bands={"demo/a/1": Figure(3, 1)},
)
PROVEN = Proven(
    subject="ab" * 32,
    toolchain=TOOLCHAIN,
    cases=3,
    limits=(1_000, 10_000),
    files=(
        BrokenFile("lib/a.c", 2, 3, 4, 4), BrokenFile("lib/b.c", 1, 0, 2, 2)
    ),
    detections=(Detection(0, 2_000, 12, (5, 0), 0),),
    uncovered=("lib/<c>.h: inlined into what calls it (3 cases run it)",),
)


@pytest.fixture
def demo(tmp_path: Path) -> project.Project:
    return foreign.make(tmp_path, "static const struct bench_case cases[1];")


def test_nothing_is_said_where_nothing_was_found(demo) -> None:
    assert trust.sections(demo, "p", "release") == ()


def test_what_was_accepted_is_shown_and_called_so(demo) -> None:
    folder = demo.root / demo.baselines / "p"
    codec.save(folder / "audit.json", AUDIT)
    codec.save(folder / "prove.json", PROVEN)
    audit, proven = trust.sections(demo, "p", "release")
    assert audit.told.startswith(
        "3 cases, each counted again under 2 perturbations: 1 moved by 0, 1"
        " only in libraries and with the layout of memory, 1 otherwise."
    )
    assert audit.told.endswith("in another state of the code than is"
                               " measured here.")
    assert audit.tables[0].rows == (("demo/a/1", "±3", "heap"),)
    assert audit.remarks == ("demo/b/1, later: rand",)
    assert "1 source files" in proven.told and "6 of 6 such" in proven.told
    assert proven.tables[0].rows == (("0 to 0.2 %", "12", "5", "0"),)
    assert proven.tables[1].rows[1] == ("lib/b.c", "1", "0", "2 of 2")
    # of the subject as it is built
    subject = demo.subject_path("release")
    subject.parent.mkdir(parents=True)
    subject.write_bytes(b"built")
    digest = certificate.subject_digest(subject)
    here = replace(PROVEN, subject=digest)
    codec.save(certificate.path(demo.root, Proven), here)
    codec.save(folder / "audit.json", replace(AUDIT, subject=digest))
    for section in trust.sections(demo, "p", "release"):
        assert "another state" not in section.told


def test_both_forms_show_it(demo) -> None:
    pytest.importorskip("jinja2")
    folder = demo.root / demo.baselines / "p"
    codec.save(folder / "audit.json", AUDIT)
    codec.save(folder / "prove.json", PROVEN)
    found = trust.sections(demo, "p", "release")
    subject = replace(about(case("demo/a/1")), trust=found)
    lines = report_html.markdown(subject).splitlines()
    for line in (
        "## Counts that must not move",
        "| `demo/a/1` | ±3 | heap |",
        "| `0 to 0.2 %` | 12 | 5 | 0 |",
        "| `lib/a.c` | 2 | 3 | 4 of 4 |",
        "## Toolchain",
    ):
        assert line in lines
    at = lines.index(
        "| regression | count | slower at 0.1 % | slower at 1 % |"
    )
    assert lines[at + 1] == "|:---|---:|---:|---:|"
    page = Page(report_html.html(subject))
    assert "lib/<c>.h: inlined into" in " ".join(page.words)
    assert ("section", {"id": "trust"}) in page.elements
