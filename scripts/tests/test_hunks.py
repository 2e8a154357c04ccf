"""git's diff read back: lines that move, functions that are touched."""

import recorded
import pytest

from plumblib import hunks
from plumblib.hunks import Difference, Hunk, Range
from plumblib.symbolize import Frame

CHANGE = """\
diff --git a/sub/a.c b/sub/a.c
index 86e7936..50ee9a9 100644
--- a/sub/a.c
+++ b/sub/a.c
@@ -10,0 +11,2 @@ int f(void)
+    one();
+    two();
@@ -20,3 +23 @@ int g(void)
---- looks like a header
-    three();
-    four();
++++ looks like one too
@@ -40 +40,0 @@ int h(void)
-    five();
diff --git a/sub/old name.c b/sub/new.c
similarity index 90%
rename from sub/old name.c
rename to sub/new.c
index 86e7936..50ee9a9 100644
--- a/sub/old name.c\t
+++ b/sub/new.c
@@ -5 +5 @@
-x
+y
diff --git a/sub/moved.c b/sub/there.c
similarity index 100%
rename from sub/moved.c
rename to sub/there.c
diff --git a/sub/gone.c b/sub/gone.c
deleted file mode 100644
--- a/sub/gone.c
+++ /dev/null
@@ -1,2 +0,0 @@
-a
-b
diff --git a/sub/fresh.c b/sub/fresh.c
new file mode 100644
--- /dev/null
+++ b/sub/fresh.c
@@ -0,0 +1 @@
+a
\\ No newline at end of file
"""


@pytest.fixture
def change() -> Difference:
    return hunks.parse(CHANGE, "sub/")


def test_hunks_are_read(change: Difference) -> None:
    assert [hunk.place for hunk in change.hunks] == [
        "a.c:11", "a.c:23", "a.c:40", "new.c:5", "gone.c:1", "fresh.c:1"
    ]
    assert change.hunks[1] == Hunk(
        "a.c", "a.c", 20, 3, 23, 1,
        ("---- looks like a header",
         "-    three();", "-    four();", "++++ looks like one too"),
    )
    assert change.renamed == (
        ("old name.c", "new.c"), ("moved.c", "there.c")
    )
    assert change.hunks[3].old_file == "old name.c"
    assert change.hunks[4].new_file == "" == change.hunks[5].old_file


def test_quoted_names() -> None:
    text = (
        'diff --git "a/tab\\there.c" "b/tab\\there.c"\n'
        '--- "a/tab\\there.c"\n+++ "b/tab\\there.c"\n@@ -1 +1 @@\n-a\n+b\n'
    )
    (hunk,) = hunks.parse(text).hunks
    assert hunk.new_file == "tab\there.c"


@pytest.mark.parametrize(
    "file, line, there",
    [
        ("a.c", 10, ("a.c", 10)),  # the lines were added after it
        ("a.c", 11, ("a.c", 13)),
        ("a.c", 19, ("a.c", 21)),
        ("a.c", 20, None),
        ("a.c", 22, None),
        ("a.c", 23, ("a.c", 23)),
        ("a.c", 39, ("a.c", 39)),
        ("a.c", 40, None),
        ("a.c", 41, ("a.c", 40)),
        ("old name.c", 4, ("new.c", 4)),
        ("old name.c", 5, ("new.c", 5)),  # changed in its place
        ("moved.c", 7, ("there.c", 7)),
        ("other.c", 7, ("other.c", 7)),
        ("gone.c", 1, None),
    ],
)
def test_lines_of_base_in_head(
    change: Difference,
    file: str,
    line: int,
    there: tuple[str, int] | None,
) -> None:
    assert change.head_place(file, line) == there


def test_frames_move_together_or_not_at_all(change: Difference) -> None:
    inner, outer = Frame("inl", "other.c", 3), Frame("f", "a.c", 11)
    assert hunks.moved_frames(change, (inner, outer)) == (
        inner, Frame("f", "a.c", 13)
    )
    changed = Frame("g", "a.c", 21)
    assert hunks.moved_frames(change, (inner, changed)) is None


@pytest.mark.parametrize(
    "base, head, touched",
    [
        (Range("f", "a.c", 8, 12), Range("f", "a.c", 8, 14), ["a.c:11"]),
        (Range("g", "a.c", 22, 30), Range("g", "a.c", 22, 29), ["a.c:23"]),
        # the line above the first is its declaration or brace
        (Range("g", "a.c", 23, 30), Range("g", "a.c", 24, 29), ["a.c:23"]),
        (Range("g", "a.c", 24, 30), Range("g", "a.c", 25, 29), []),
        (Range("h", "a.c", 38, 41), Range("h", "a.c", 38, 40), ["a.c:40"]),
        # behind its last line
        (Range("e", "a.c", 5, 10), Range("e", "a.c", 5, 10), []),
        (Range("f", "b.c", 8, 12), Range("f", "b.c", 8, 14), []),
    ],
)
def test_functions_are_touched(
    change: Difference, base: Range, head: Range, touched: list[str]
) -> None:
    found = hunks.touching(change, [base], [head])
    assert [hunk.place for hunk, _ in found] == touched
    assert all(names == (base.function,) for _, names in found)


def test_a_stray_instruction_moves_no_range() -> None:
    outer = Frame("outer", "a.c", 20)
    code = [
        (Frame("outer", "a.c", 10),),
        (Frame("inner", "a.c", 3), outer),
        (Frame("inner", "a.c", 5), outer),
        (outer,),
        (Frame("inner", "a.c", 20), outer),  # of outer, by its line
    ]
    assert hunks.ranges(code) == [
        Range("inner", "a.c", 3, 5), Range("outer", "a.c", 10, 20)
    ]


def test_ranges_reach_over_all_inlined_code() -> None:
    lines = recorded.profile("before").lines
    found = hunks.ranges(
        frames for place in lines for frames in lines[place]
    )
    by_name = {one.function: one for one in found}
    assert by_name["twist"].file == "twist.h"
    assert by_name["even"].first <= 14 <= by_name["even"].last
    assert by_name["even"].last < by_name["odd"].first


def test_the_recorded_change_touches_both_functions() -> None:
    change = hunks.parse((recorded.FOLDER / "change.diff").read_text())
    sides = [
        hunks.ranges(
            frames for lines in recorded.profile(side).lines.values()
            for frames in lines
        )
        for side in ("before", "after")
    ]
    found = hunks.touching(change, *sides)
    assert [names for _, names in found] == [("mix",), ("run",)]
