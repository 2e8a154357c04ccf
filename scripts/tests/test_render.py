"""One comparison in every form it is shown in."""

from __future__ import annotations

import io
import json
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from samples import HEAD, TOOLCHAIN, case, figure, measurement

from plumblib import codec, render_text, rows, schema
from plumblib.judge import Terms, exit_code, judge
from plumblib.records import SCHEMA_VERDICT, Claim, Report, Revision
from plumblib.render_junit import junit
from plumblib.render_markdown import LIMIT, markdown
from plumblib.render_text import text

BASE = Revision("cd" * 20, "demo: before", False)


def report(base, head, kind="vs-base", notices=(), floor="", **terms):
    found = judge(
        {one.info.id: one for one in base}, head, Terms(**terms)
    )
    return Report(
        kind=kind,
        title="HEAD against merge base cdcdcdc",
        base=BASE,
        head=HEAD,
        toolchain=TOOLCHAIN,
        cases=found,
        notices=notices,
        floor=floor,
        exit_code=exit_code(found, kind, strict=False),
    )


def mixed(kind="vs-base", **changes) -> Report:
    """Every verdict that figures alone can bring about."""
    base = [
        case("demo/same/x", 1000, heap_calls=1),
        case("demo/slow/x", 55, heap_calls=1),
        case("demo/fast/x", 1000, heap_calls=1),
        case("demo/heap/x", 1000, heap_calls=1),
        case("demo/warn/x", 1000),
        case("demo/product/x", 1000),
        case("demo/gone/x", 1000),
        case("demo/fail/x", 1000),
        case("demo/wobble/x", 1000),
    ]
    head = measurement(
        case("demo/same/x", "10003/10", heap_calls=1),
        case("demo/slow/x", 56, heap_calls=1),
        case("demo/fast/x", 500, heap_calls=1),
        case("demo/heap/x", 1000, heap_calls=2),
        case("demo/warn/x", 1005),
        case("demo/product/x", 900, work="c" * 32),
        case("demo/new/x", 77),
        case("demo/fail/x", failure="run: killed by signal 11 <b>|@you"),
        case("demo/wobble/x", figure(1000, residual=10)),
        claims=(
            Claim("demo/slow/x", "demo/fast/x", "instructions", 0, 10**5,
                  "pairs are cheap"),
            Claim("demo/slow/x", "demo/same/x", "instructions", 0, 10**6, ""),
        ),
    )
    return report(base, head, kind, **changes)


def test_the_headline_is_made_from_the_rows():
    assert rows.headline(mixed()) == (
        "failed: 2 slower, 1 changed, 1 gone, 1 not-measured, 1 new, 1 warn,"
        " 1 unsteady, 1 faster, 1 same, 1 of the claims broken,"
        " 1 of the claims held"
    )
    green = report([case("demo/a/x")], measurement(case("demo/a/x")))
    assert rows.headline(green) == "passed: 1 same"
    failed = report([], measurement(case("demo/a/x", failure="no")))
    assert rows.headline(failed) == "no answer: 1 not-measured"
    assert rows.headline(report([], measurement())) == "passed: no cases"
    again = report(
        [case("demo/a/x")], measurement(case("demo/a/x")), "a/a"
    )
    assert rows.headline(again) == "A/A run passed: 1 same"


def test_markdown_shows_what_changed_and_folds_the_rest():
    shown = markdown(mixed(notices=("the judge changed",)))
    lines = shown.splitlines()
    assert lines[0].startswith("### plumb failed: 2 slower, 1 changed")
    assert "> the judge changed" in lines
    assert (
        "| **slower** | `demo/slow/x` | instructions | 55 | 56 | +1 |"
        " +1.82 % |" in lines
    )
    assert (
        "| **slower** | `demo/heap/x` | heap_calls | 1 | 2 | +1 | +100 % |"
        in lines
    )
    assert (
        "| **claim-broken** | `demo/slow/x of demo/fast/x` | instructions |"
        " 500 | 56 | -444 | x 0.11 |" in lines
    )
    assert (
        "| **changed** | `demo/product/x` | instructions | 1,000 | 900 |"
        " -100 | -10 % |" in lines
    )
    assert (
        "Every other case (1) stayed within its limits; the largest"
        " difference is +0.03 % (+0.30 instructions, demo/same/x)." in lines
    )
    assert "`demo/same/x`" not in shown
    assert "&lt;b&gt;\\|@&#8203;you" in shown
    assert "valgrind 3.19.0." in shown


def test_every_row_that_is_not_same_says_what_to_do():
    for kind in ("gate", "vs-base", "a/a"):
        found = mixed(kind)
        shown = markdown(found)
        for row in rows.changed(found):
            (line,) = [
                line
                for line in shown.splitlines()
                if line.startswith("- ") and f" {row.id}" in line
                and f"**{row.outcome.value}**" in line
            ]
            assert len(line) > len(row.id) + 20


def test_advice_for_several_cases_is_for_all_of_them():
    cases = [case(f"demo/a/{i}", 50) for i in range(5)]
    shown = text(report([], measurement(*cases), "gate"))
    assert (
        "new: demo/a/0, demo/a/1, demo/a/2 and 2 more: give it a budget:"
        " plumb accept\n" in shown
    )
    shown = text(report([], measurement(cases[0]), "gate"))
    assert "new: demo/a/0: give it a budget: plumb accept -f" in shown


def test_nothing_moved():
    found = report(
        [case("demo/a/x"), case("demo/b/x")],
        measurement(case("demo/a/x"), case("demo/b/x")),
        floor="0 in 2 cases",
    )
    shown = markdown(found)
    assert "Every case (2) moved by 0." in shown
    assert "A/A floor: 0 in 2 cases." in shown
    assert "|" not in shown
    assert text(found) == (
        "HEAD against merge base cdcdcdc\n"
        "\n"
        "Every case (2) moved by 0.\n"
        "A/A floor: 0 in 2 cases.\n"
        "plumb passed: 2 same\n"
    )


def test_what_cannot_be_compared_is_one_row_a_suite():
    cases = [case(f"demo/a/{i}") for i in range(30)]
    found = report(
        cases,
        measurement(*cases),
        "gate",
        incomparable={"demo": "compiler: gcc 12 there, gcc 13 here"},
    )
    assert found.exit_code == 3
    (row,) = rows.table(found)
    assert row.case == "demo/* (30)"
    shown = markdown(found)
    assert shown.count("not-comparable") == 3  # headline, row, advice
    assert "gcc 12 there, gcc 13 here; compare with the merge base" in shown


@pytest.mark.parametrize("count", [100, 1_000, 20_000])
def test_markdown_is_short_whatever_the_number_of_cases(count):
    base = [case(f"demo/{'long' * 10}/{i}", 100) for i in range(count)]
    head = measurement(
        *(
            case(one.info.id, 200, failure="boom " * 400 if i % 2 else None)
            for i, one in enumerate(base)
        )
    )
    shown = markdown(report(base, head, notices=("n" * 5_000,) * 3))
    assert len(shown) < LIMIT
    assert shown.startswith("### plumb failed: ")
    if count > 1_000:
        assert "more rows were cut here" in shown
    assert "characters were cut" in shown


def test_even_different_notes_fit():
    head = measurement(
        *(
            case(f"demo/a/{i}", failure=f"{i} {'<&|@' * 500}")
            for i in range(2_000)
        )
    )
    shown = markdown(report([], head, notices=("<&|@" * 400,) * 50))
    assert len(shown) < LIMIT
    assert "more notes were cut here" in shown
    assert "more notices were cut here" in shown
    assert "more rows were cut here" in shown


def test_plain_text_is_aligned_and_ends_with_the_verdict():
    shown = text(mixed(notices=("the judge changed",)))
    lines = shown.splitlines()
    assert lines[0] == "notice: the judge changed"
    assert (
        "slower        demo/heap/x                 heap_calls        1"
        "      2          +1   +100 %" in lines
    )
    assert lines[-1].startswith("plumb failed: 2 slower")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colours_are_for_terminals_that_want_them(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = Terminal()
    render_text.write(mixed(), out)
    assert "\x1b[" in out.getvalue()
    assert "demo/slow/x" in out.getvalue()
    monkeypatch.setenv("NO_COLOR", "1")
    out = Terminal()
    render_text.write(mixed(), out)
    assert out.getvalue() == text(mixed())
    monkeypatch.delenv("NO_COLOR")
    plain = io.StringIO()
    render_text.write(mixed(), plain)
    assert plain.getvalue() == text(mixed())


def test_junit_counts_failures_and_errors():
    root = ET.fromstring(junit(mixed("gate")).encode())
    (suite,) = root.findall("testsuite")
    assert suite.get("tests") == "12"
    # slower 2, changed, gone, new, claim
    assert suite.get("failures") == "6"
    assert suite.get("errors") == "1"
    tests = {test.get("name"): test for test in suite}
    failure = tests["demo/slow/x"].find("failure")
    assert failure is not None and failure.get("type") == "slower"
    assert "55  56  +1  +1.82 %" in (failure.text or "")
    assert tests["demo/same/x"].find("failure") is None
    assert tests["demo/warn/x"].find("system-out") is not None


def test_junit_replaces_what_xml_cannot_carry():
    head = measurement(case("demo/a/x", failure="run: \x00\x1b\ud800 <&\""))
    root = ET.fromstring(junit(report([], head)).encode())
    error = root.find("testsuite/testcase/error")
    assert error is not None
    assert error.get("message") == "head: run: ??? <&\""


def test_json_is_the_whole_report(tmp_path):
    found = mixed(notices=("a notice",))
    codec.save(tmp_path / "verdict.json", found)
    raw = json.loads((tmp_path / "verdict.json").read_text())
    schema.check(raw, SCHEMA_VERDICT, "verdict")
    assert codec.load(tmp_path / "verdict.json", Report) == found


WHY = {"demo/slow/x": ("real: +1 Ir in `walk` <b>", "a.c:7 `walk`")}


def test_reasons_stand_under_the_table_in_every_form():
    made = replace(mixed(), why=WHY)
    plain = text(made)
    assert (
        "demo/slow/x:\n    real: +1 Ir in walk <b>\n    a.c:7 walk\n" in plain
    )
    assert plain.index("verdict ") < plain.index("real: +1")
    marked = markdown(made)
    assert "- `demo/slow/x`\n  - real: +1 Ir in `walk` &lt;b&gt;\n" in marked
    raw = codec.to_file(made)
    schema.check(raw, SCHEMA_VERDICT, "verdict")
    assert raw["why"]["demo/slow/x"][1] == "a.c:7 `walk`"


def test_many_reasons_leave_the_comment_short_enough():
    why = {f"demo/slow/{i}": ("x" * 500,) * 20 for i in range(200)}
    marked = markdown(replace(mixed(), why=why))
    assert len(marked) < LIMIT
    assert "more cases were cut here" in marked
