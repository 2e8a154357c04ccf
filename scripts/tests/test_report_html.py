"""The report page: self-contained, escaped, the same bytes each time."""

import re
import shutil
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from plumblib import history, report_html
from plumblib.history import Entry, Fault, History
from plumblib.judge import Terms, exit_code, judge
from plumblib.records import CaseResult, Figure, Report, Revision
from plumblib.report_html import Subject
from samples import HEAD, TOOLCHAIN, case, measurement

pytest.importorskip("jinja2")
pytest.importorskip("matplotlib")
pytestmark = pytest.mark.skipif(
    shutil.which("gnuplot") is None, reason="gnuplot is not installed"
)

EVIL = "<script>alert('1')</script>"
BASE = Revision("cd" * 20, f"before {EVIL}", False)
EMPTY = {"area", "base", "br", "hr", "img", "input", "link", "meta"}


class Page(HTMLParser):
    """All elements of a page; refuses ends that close nothing."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def about(*heads: CaseResult, points: int = 0, kind: str = "gate") -> Subject:
    """A report of these cases against ones of 100 instructions."""
    base = {one.info.id: case(one.info.id) for one in heads}
    cases = judge(base, measurement(*heads), Terms())
    report = Report(
        kind=kind,
        title="against baselines",
        base=BASE,
        head=HEAD,
        toolchain=TOOLCHAIN,
        cases=cases,
        exit_code=exit_code(cases, kind, False),
    )
    entries = tuple(
        Entry(
            f"2026-01-{day:02}T00:00:00Z",
            BASE,
            TOOLCHAIN,
            {one.info.id: {"instructions": Figure(day, 1)} for one in heads},
        )
        for day in range(1, points + 1)
    )
    return Subject("demo", report, History(entries))


@pytest.mark.parametrize("points", [0, 1, 20])
def test_equal_records_give_equal_bytes(points: int) -> None:
    subject = about(case("demo/a_b/1@x"), case("demo/c/1", 120), points=points)
    assert report_html.html(subject) == report_html.html(subject)
    assert report_html.markdown(subject) == report_html.markdown(subject)


def test_the_page_needs_no_network() -> None:
    text = report_html.html(about(case("demo/a/1"), points=3))
    page = Page(text)
    for tag, attrs in page.elements:
        assert tag not in {"link", "iframe", "object", "embed", "base"}
        for name in "src", "href", "xlink:href", "srcset", "action", "data":
            value = attrs.get(name)
            assert value is None or value.startswith("#"), (tag, name, value)
    assert "@import" not in text
    assert all(
        target.startswith("#") for target in re.findall(r"url\(([^)]*)", text)
    )
    (policy,) = (
        attrs["content"]
        for tag, attrs in page.elements
        if attrs.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy is not None and policy.startswith("default-src 'none'")


def test_ids_are_unique_and_links_lead_somewhere() -> None:
    page = Page(
        report_html.html(
            about(*(case(f"demo/c_{at}/1") for at in range(9)), points=2)
        )
    )
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    for _, attrs in page.elements:
        for name in "href", "xlink:href":
            link = attrs.get(name)
            assert link is None or link.removeprefix("#") in ids


def test_the_words_of_others_are_escaped() -> None:
    subject = about(
        case("demo/a/1", failure=EVIL), case("demo/b/1"), points=1
    )
    subject = replace(
        subject,
        project=EVIL,
        about={"demo/a/1": EVIL, "demo/b/1": EVIL},
        history=replace(subject.history, faults=(Fault(7, EVIL),)),
        report=replace(
            subject.report,
            title=EVIL,
            notices=(EVIL,),
            floor=EVIL,
            head=Revision("ab" * 20, EVIL, True),
            toolchain=replace(
                TOOLCHAIN, compiler=EVIL, objects={EVIL: EVIL}
            ),
        ),
    )
    text = report_html.html(subject)
    assert text.count("<script>") == text.count("</script>") == 1
    page = Page(text)
    assert " ".join(page.words).count(EVIL) >= 10
    assert EVIL not in report_html.markdown(subject)


def test_every_case_has_its_verdict_figures_and_plot() -> None:
    page = Page(
        report_html.html(
            about(
                case("demo/a/1", 100),
                case("demo/b/1", 1_300, heap_calls=2),
                case("demo/c/1", failure="run: died"),
                points=2,
            )
        )
    )
    words = [word.strip() for word in page.words if word.strip()]
    for expected in (
        "failed: 1 slower, 1 not-measured, 1 same",
        "same",
        "1,300",
        "+1,200",
        "+1,200 %",
        "head: run: died",
        "glibc 2.36",
        f"git checkout {'ab' * 20}\nplumb gate\nplumb report",
    ):
        assert expected in words
    pictures = [tag for tag, _ in page.elements if tag == "svg"]
    assert len(pictures) == 1 + 3


def test_a_change_of_the_heap_shows_both_sides() -> None:
    report = about(case("demo/a/1")).report
    base = {"demo/a/1": case("demo/a/1", heap_calls=1)}
    head = measurement(case("demo/a/1", heap_calls=3))
    report = replace(report, cases=judge(base, head, Terms()))
    text = report_html.html(Subject("demo", report, history.History()))
    assert "1 → 3" in text


def test_no_cases_and_no_git_are_said() -> None:
    subject = about()
    report = replace(subject.report, base=None, head=Revision("", "", False))
    text = report_html.html(replace(subject, report=report))
    assert "no cases" in text
    assert "outside git" in text
    assert "git checkout" not in text


def test_how_to_reproduce_names_the_base() -> None:
    subject = about(case("demo/a/1"), kind="vs-base")
    assert report_html.commands(subject).splitlines() == [
        f"git checkout {'ab' * 20}",
        f"plumb vs-base {'cd' * 20}",
        "plumb report",
    ]


def test_markdown_is_a_table_of_all_cases() -> None:
    lines = report_html.markdown(
        about(case("demo/a/1", 101), case("demo/b/1"))
    ).splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 4
    assert len({line.count("|") for line in table}) == 1
    assert table[2].startswith("| `demo/a/1` | slower | 100 | 101 | +1 |")
