"""Shards become one run, or nothing: never a mixture."""

from dataclasses import replace
from pathlib import Path

import pytest
from plumblib import codec, merging
from plumblib.cli import main
from plumblib.errors import NotComparable, UsageError
from plumblib.records import Claim, Measurement, Revision
from samples import HEAD, TOOLCHAIN, case, measured_on, measurement

DECLARED = ("demo/a/1", "demo/b/1", "demo/c/1")
CLAIMS = (Claim("demo/a/1", "demo/b/1", "instructions", 0, 9, "why"),)
ONE = measured_on(1, case("demo/b/1"), declared=DECLARED, claims=CLAIMS)
TWO = measured_on(
    2,
    case("demo/a/1"),
    case("demo/c/1", failure="run: died"),
    declared=DECLARED,
    claims=CLAIMS,
    toolchain=replace(
        TOOLCHAIN, objects=TOOLCHAIN.objects | {"libz.so.1": "ff"}
    ),
)


def test_all_cases_of_all_shards() -> None:
    whole = merging.merge({"one": ONE, "two": TWO})
    assert list(whole.cases) == ["demo/a/1", "demo/b/1", "demo/c/1"]
    assert whole.cases["demo/c/1"].failure == "run: died"
    assert whole.made_at == TWO.made_at
    assert whole.toolchain == TWO.toolchain  # with the libraries of both
    assert whole.claims == CLAIMS
    assert whole.declared == DECLARED
    assert merging.merge({"two": TWO, "one": ONE}) == whole
    assert merging.merge({"one": ONE}) == ONE


@pytest.mark.parametrize(
    ("other", "kind", "expected"),
    [
        (ONE, UsageError, "two: demo/b/1 is in one too"),
        (replace(TWO, project="else"), UsageError, "its project is not"),
        (
            replace(TWO, revision=replace(HEAD, dirty=True)),
            UsageError,
            "its revision is not",
        ),
        (
            replace(TWO, revision=Revision("ef" * 20, "", False)),
            UsageError,
            "efef",
        ),
        (replace(TWO, declared=()), UsageError, "its declared is not"),
        (
            replace(TWO, toolchain=replace(TOOLCHAIN, flags="-O3")),
            NotComparable,
            "its flags is not that of one: -O3, not -O2",
        ),
        (
            replace(
                TWO, toolchain=replace(TOOLCHAIN, objects={"libc.so.6": "b"})
            ),
            NotComparable,
            "its objects is not",
        ),
    ],
)
def test_what_does_not_belong_together_is_refused(
    other: Measurement, kind: type[Exception], expected: str
) -> None:
    with pytest.raises(kind) as refused:
        merging.merge({"one": ONE, "two": other})
    assert expected in str(refused.value)


def test_the_command(tmp_path: Path) -> None:
    codec.save(tmp_path / "one.json", ONE)
    codec.save(tmp_path / "two.json", TWO)
    one, two, out = (
        str(tmp_path / name) for name in ("one.json", "two.json", "all.json")
    )
    assert main(["merge", one, one, "-o", out]) == 2
    assert not Path(out).exists()
    assert main(["merge", one, two, "-o", out]) == 0
    whole = codec.load(Path(out), Measurement)
    assert whole == merging.merge({"one": ONE, "two": TWO})
    three = measurement(case("demo/x/1"), toolchain=TOOLCHAIN)
    codec.save(tmp_path / "three.json", three)
    assert main(["merge", one, str(tmp_path / "three.json"), "-o", out]) == 2
    assert codec.load(Path(out), Measurement) == whole
