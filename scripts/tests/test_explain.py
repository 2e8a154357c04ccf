"""`plumb explain` on a project that is not ours, for real."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from repo import commit, init

import foreign
from plumblib import schema
from plumblib.cli import main
from plumblib.explanation import SCHEMA

SOURCE = r"""
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline, noclone))

APART static uint64_t quick(uint64_t n)
{
    return n * 3;
}

static inline uint64_t twist(uint64_t n)
{
    return (n * 2654435761u) ^ (n >> 7);
}

APART static uint64_t slow(uint64_t n)
{
    return twist(n) + 1;
}

APART static uint64_t keep(const char *text, size_t size)
{
    char *copy = malloc(size);
    memcpy(copy, text, size);
    __asm__ volatile("" : "+r"(copy) : : "memory");
    uint64_t first = (unsigned char)copy[0];
    free(copy);
    return first;
}

static uint64_t walk(void *state)
{
    uint64_t sum = state != NULL;
    for (uint64_t i = 0; i < 8; i++)
        sum += quick(i) + slow(sum);
    return sum + keep("some text", 10);
}

static const struct bench_case cases[] = {
    {.id = "demo/walk/x", .about = "a walk", .iters = 10, .run = walk},
    %(more)s
};
"""


class Answer:
    """What one run of `plumb explain` gave."""

    def __init__(
        self, root: Path, capsys: pytest.CaptureFixture[str], *words: str
    ) -> None:
        output = root.parent / "answer" / "told.json"
        self.code = main(
            ["-C", str(root), "explain", "demo/walk/x", "--base", "main",
             "--json", "-o", str(output), *words]
        )
        told = capsys.readouterr()
        self.err = told.err
        if output.exists():
            assert told.out == output.read_text()
        self.raw = json.loads(output.read_text()) if output.exists() else {}
        if self.raw:
            schema.check(self.raw, SCHEMA, "told.json")

    def check(self, question: str) -> dict[str, object]:
        return next(
            one for one in self.raw["checks"] if one["question"] == question
        )


@pytest.fixture
def root(tmp_path: Path) -> Path:
    found = init(tmp_path / "A project")
    foreign.make(found, SOURCE % {"more": ""})
    commit(found, "a project")
    return found


def change(root: Path, old: str, new: str) -> None:
    path = root / "cases.c"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_a_slowed_function_is_named_first(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(root, "return twist(n) + 1;",
           "uint64_t more = twist(n ^ 1);\n"
           '    __asm__ volatile("nop\\nnop" : : "r"(more));\n'
           "    return twist(n) + 1;")
    found = Answer(root, capsys)
    assert found.code == 0, found.err
    assert found.raw["cause"] == "real"
    first = found.raw["rows"][0]
    assert (first["name"], first["file"]) == ("slow", "cases.c")
    assert first["base_calls"] == first["head_calls"] == 8
    assert first["by_calls"] == 0 and first["by_cost"] >= 16
    assert [caller["name"] for caller in first["callers"]] == ["walk"]
    inlined = [line for line in first["lines"] if len(line["frames"]) == 2]
    assert inlined[0]["frames"][0][0] == "twist"
    (hunk,) = [h for h in found.raw["hunks"] if "slow" in h["functions"]]
    assert any("nop" in line for line in hunk["lines"])
    assert all(check["good"] for check in found.raw["checks"])
    assert "slow" in str(found.check("machine code that ran")["answer"])
    assert found.check("perturbed")["answer"] == "moved by 0 under 13"
    assert "`slow`" in found.raw["sentence"]
    _check_pictures(root.parent / "answer", found.raw)


def _check_pictures(folder: Path, raw: dict) -> None:
    """All that comes beside a report is whole and says the same."""
    names = {path.name for path in folder.iterdir()}
    assert names == {
        "told.json", "told.flame.svg", "told.speedscope.json",
        "told.base.collapsed", "told.head.collapsed",
    }
    ElementTree.parse(folder / "told.flame.svg")
    scope = json.loads((folder / "told.speedscope.json").read_text())
    sums = [profile["endValue"] for profile in scope["profiles"]]
    assert sums[1] - sums[0] == raw["head"]["total"] - raw["base"]["total"]
    head = (folder / "told.head.collapsed").read_text()
    assert "walk;slow " in head and "walk;keep;malloc" in head


def test_more_calls_are_told_from_dearer_calls(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(root, "i < 8; i++)", "i < 9; i++)")
    found = Answer(root, capsys, "--quick")
    rows = {row["name"]: row for row in found.raw["rows"]}
    assert rows["slow"]["head_calls"] == 9
    assert rows["slow"]["by_calls"] > 0 == rows["slow"]["by_cost"]
    # what the operation gives is another value now
    assert found.raw["cause"] == "not the same work" and found.code == 1
    assert not found.check("same work")["good"]


def test_heap_changes_by_call_site(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(root, "char *copy = malloc(size);",
           "free(malloc(size));\n    char *volatile more = malloc(100);\n"
           "    free(more);\n    char *copy = malloc(size);")
    found = Answer(root, capsys, "--metric", "heap")
    assert found.code == 0, found.err
    assert found.raw["cause"] == "real"
    first = found.raw["sites"][0]
    assert first["functions"] == ["keep", "walk"]
    assert first["frames"][0].startswith("keep (cases.c:")
    grown = first["head_calls"] - first["base_calls"]
    assert grown == (
        found.raw["head"]["total"] - found.raw["base"]["total"]
    ) >= 1
    assert "keep" in found.raw["hunks"][0]["functions"]


def test_the_same_code_with_other_data_is_no_change_of_code(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rounds are data here: one more, and no instruction differs."""
    loop = "for (uint64_t i = 0; i < 8; i++)"
    change(root, loop, loop.replace("8", "rounds"))
    change(root, "static uint64_t walk",
           "static volatile uint64_t rounds = 8;\n\nstatic uint64_t walk")
    change(root, "return sum + keep", "return sum * 0 + 1 + keep")
    commit(root, "rounds are data")
    change(root, "rounds = 8", "rounds = 9")
    found = Answer(root, capsys, "--quick")
    assert found.raw["cause"] == "environment" and found.code == 1
    assert "byte-identical on both sides" in found.raw["sentence"]
    assert not found.check("machine code that ran")["good"]


def test_a_function_that_moved_to_another_file_is_the_same(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (root / "cases.c").read_text()
    at = text.index("APART static uint64_t slow")
    end = text.index("APART static uint64_t keep")
    (root / "part.h").write_text(
        text[at:end].replace("+ 1;", "+ 1 + (n >> 60);")
    )
    (root / "cases.c").write_text(
        text[:at] + '#include "part.h"\n\n' + text[end:]
    )
    found = Answer(root, capsys, "--quick")
    (row,) = found.raw["rows"]
    assert (row["name"], row["file"]) == ("slow", "part.h")
    assert row["base_calls"] == row["head_calls"] == 8


def test_a_wandering_case_names_its_function(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(root, "return n * 3;",
           "for (char **e = environ; *e != NULL; e++)\n        n++;\n"
           "    return n * 3;")
    change(root, "#include <stdlib.h>",
           "#include <stdlib.h>\n#include <unistd.h>\n"
           "extern char **environ;")
    found = Answer(root, capsys)
    assert found.code == 1
    # a loop over the environment gives another value, too
    assert found.raw["cause"] in ("nondeterministic", "not the same work")
    assert "quick (" in found.check("perturbed")["answer"]


def test_a_new_case_is_explained_without_a_base(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(root, "demo/walk/x", "demo/walk/y")
    commit(root, "renamed")
    change(root, "demo/walk/y", "demo/walk/x")
    found = Answer(root, capsys, "--quick")
    assert found.raw["base"] is None and found.raw["cause"] == "new"
    assert found.raw["rows"][0]["base_cost"] == 0
    assert found.code == 0


def test_red_rows_are_explained_in_short(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["-C", str(root)]
    assert main([*words, "accept"]) == 0
    commit(root, "budgets")
    change(root, "return twist(n) + 1;",
           "uint64_t more = twist(n ^ 1);\n"
           '    __asm__ volatile("nop" : : "r"(more));\n'
           "    return twist(n) + 1;")
    capsys.readouterr()
    assert main([*words, "vs-base", "HEAD"]) == 1
    told = capsys.readouterr().out
    assert "demo/walk/x:\n    real: +" in told
    assert "most of it in slow (+" in told
    assert "called 8 times as before" in told
    assert "1 hunk of the change in slow: cases.c:" in told
    assert "twist, inlined in slow at cases.c:" in told

    assert main([*words, "gate", "--json"]) == 1
    why = json.loads(capsys.readouterr().out)["why"]
    assert why["demo/walk/x"][0].startswith(("slow: ", "walk: "))
    assert any(line.startswith("slow: ") for line in why["demo/walk/x"])


def test_an_unknown_case_is_refused_with_what_is_near(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(root, "demo/walk/x", "demo/walk/xx")
    found = Answer(root, capsys, "--quick")
    assert found.code == 2
    assert "demo/walk/x: no such case; near it: demo/walk/xx" in found.err
