"""An explanation in its forms, from the recorded change."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
import recorded

from plumblib import codec, decompose, hunks, reasons, render_explain, schema
from plumblib import was
from plumblib.explanation import (
    SCHEMA,
    Cause,
    Check,
    Explanation,
    Past,
    SiteRow,
)
from plumblib.records import Figure


@pytest.fixture
def told() -> Explanation:
    """What `plumb explain` finds in the recorded change."""
    change = hunks.parse((recorded.FOLDER / "change.diff").read_text())
    before, after = recorded.profile("before"), recorded.profile("after")
    rows = tuple(decompose.decompose(before, after, change))
    sides = [
        hunks.ranges(f for lines in one.lines.values() for f in lines)
        for one in (before, after)
    ]
    touched, why = reasons.touches(change, True, *sides)
    past = (Past("2026-01-02T00:00:00Z", "1234567", Figure(423, 1)),)
    return Explanation(
        case="demo/all/one",
        metric="instructions",
        title="HEAD 89abcde against merge base 1234567",
        base=Figure(423, 1),
        head=Figure(460, 1),
        checks=(
            Check("measured again", True, "three times"),
            Check("same work", False, "differs <b> | @all"),
        ),
        rows=rows,
        sites=(),
        hunks=touched,
        reasons=why,
        past=past,
        before=was.told(past, Figure(460, 1)),
        cause=Cause.REAL,
        sentence="real: +37 Ir (+8.75 %), most of it in `mix`",
    )


def test_text_in_the_promised_order(told: Explanation) -> None:
    text = render_explain.text(told)
    lines = text.splitlines()
    assert lines[0] == (
        "demo/all/one, instructions: 423 to 460 Ir, +37 (+8.75 %)"
    )
    titles = [line for line in lines if line[:1].isdigit()]
    assert titles == [
        "1. Is it real", "2. Where", "3. Why", "4. Before", "5. Verdict"
    ]
    assert lines[-1].strip() == told.sentence
    assert "BAD  same work: differs" in text


def test_the_guilty_function_leads_with_its_line(told: Explanation) -> None:
    lines = render_explain.text(told).splitlines()
    at = next(i for i, line in enumerate(lines) if "Δcalls × cost" in line)
    assert lines[at + 1].split()[0] == "mix"
    text = "\n".join(lines)
    assert "called by run: 4 -> 6 times" in text
    assert "twist.h:4 twist, inlined in mix at demo.c:31" in text
    assert "demo.c:31 (mix)" in text and "+    n = twist(n);" in text
    assert "460 lies above the one recorded, the highest is 423" in text


def test_markdown_cannot_be_escaped_from(told: Explanation) -> None:
    text = render_explain.markdown(told)
    assert text.splitlines()[0] == "### plumb explain: `demo/all/one`"
    assert text.splitlines()[2].startswith("**real: +37 Ir")
    assert "<b>" not in text and "@all" not in text
    assert text.count("```diff") == 2 == text.count("\n```\n")
    table = [line for line in text.splitlines() if line.startswith("| ")]
    assert len({line.count(" | ") for line in table}) == 1


def test_a_fence_in_the_change_does_not_end_the_quote(
    told: Explanation,
) -> None:
    touch = replace(told.hunks[0], lines=("+```", "+text"))
    text = render_explain.markdown(replace(told, hunks=(touch,)))
    assert "````diff\n+```\n+text\n````" in text


def test_json_keeps_to_its_schema(told: Explanation) -> None:
    raw = {"schema": SCHEMA} | codec.encode(told)
    raw = json.loads(json.dumps(raw))
    schema.check(raw, SCHEMA, "explanation")
    assert raw["rows"][0]["name"] == "mix"
    assert sum(
        row["head_cost"] - row["base_cost"] for row in raw["rows"]
    ) == 37


def test_heap_sites_have_their_own_table(told: Explanation) -> None:
    site = SiteRow(
        ("grow (a.c:7)", "put (a.c:20)"), ("grow", "put"),
        *map(Fraction, (1, 2, 64, 128)),
    )
    text = render_explain.text(
        replace(told, metric="heap_calls", rows=(), sites=(site,))
    )
    assert "grow (a.c:7)  1 -> 2  64 -> 128" in text
    assert "grow (a.c:7): +1 calls, +64 bytes" in text
    assert "called by put (a.c:20)" in text


def test_a_new_case_has_costs_only(told: Explanation) -> None:
    text = render_explain.text(replace(told, base=None, hunks=()))
    assert text.startswith("demo/all/one, instructions: 460 Ir\n")
    assert "2. Where its cost lies" in text
    assert "There is no base to compare with." in text


def test_where_a_figure_lies_in_history() -> None:
    def past(*costs: int) -> tuple[Past, ...]:
        return tuple(
            Past(f"2026-01-{day:02}T00:00:00Z", f"c{day}", Figure(cost, 1))
            for day, cost in enumerate(costs, 1)
        )

    assert was.told((), Figure(5, 1)) == (
        "no figure of this case was recorded yet"
    )
    assert was.told(past(90, 100), Figure(120, 1)) == (
        "120 lies above all 2 recorded, the highest is 100 of 2026-01-02"
        " (c2); it is +20 (+20 %) from the last, 100 of 2026-01-02 (c2)"
    )
    assert "below all 2 recorded" in was.told(past(90, 100), Figure(80, 1))
    assert "among all 2 recorded, 90 of 2026-01-01 (c1) to 100" in was.told(
        past(90, 100), Figure(95, 1)
    )
    assert "at the one recorded; it is 0 (0 %)" in was.told(
        past(90), Figure(90, 1)
    )


def test_reasons_when_nothing_touches() -> None:
    change = hunks.parse((recorded.FOLDER / "change.diff").read_text())
    far = [hunks.Range("f", "demo.c", 90, 95)]
    touched, why = reasons.touches(change, True, far, far)
    assert [one.functions for one in touched] == [(), ()]
    assert "no hunk touches these functions, only their files" in why
    other = [hunks.Range("f", "other.c", 1, 5)]
    touched, why = reasons.touches(change, True, other, other)
    assert touched == () and "not even their files" in why
    _, why = reasons.touches(hunks.Difference(), True, far, far)
    assert why == "no line differs between base and head"
    _, why = reasons.touches(change, False, [], [])
    assert "the difference lies in libraries" in why
