"""What a difference is called, for each kind of evidence."""

from dataclasses import replace
from fractions import Fraction

from samples import figure

from plumblib import diagnose
from plumblib.decompose import FunctionRow
from plumblib.diagnose import Evidence, SideFinding
from plumblib.explanation import Cause, SiteRow
from plumblib.perturb import CIRCUMSTANCE, LAYOUT
from plumblib.profiles import LIBRARY, OWN
from plumblib.records import Finding


def row(
    name: str = "walk",
    part: str = OWN,
    calls: tuple[int, int] = (64, 64),
    cost: tuple[int, int] = (640, 704),
) -> FunctionRow:
    old_calls, new_calls = map(Fraction, calls)
    old, new = map(Fraction, cost)
    return FunctionRow(
        part, "", "a.c", name, "", old_calls, new_calls, old, new,
        Fraction(0), new - old, old, new,
    )


def moved(
    perturbation: str = "env-1",
    kind: str = CIRCUMSTANCE,
    change: int = 3,
    fault: bool = True,
) -> SideFinding:
    finding = Finding(
        "t/a/b", perturbation, kind, fault, figure(change), "walk (suite.so)"
    )
    return SideFinding("head", finding)


REAL = Evidence(
    "Ir", figure(1000), figure(1064), unlike_code=("walk",), rows=(row(),)
)


def cause(seen: Evidence) -> Cause:
    found, sentence = diagnose.diagnose(seen)
    assert sentence.startswith(f"{found.value}: ")
    return found


def test_a_real_difference_names_its_function() -> None:
    found, sentence = diagnose.diagnose(REAL)
    assert found is Cause.REAL
    assert sentence == (
        "real: +64 Ir (+6.40 %), most of it in `walk` (+64: called 64 times"
        " as before, each +1)"
    )


def test_no_difference() -> None:
    assert cause(replace(REAL, head=REAL.base, rows=())) is Cause.NONE


def test_other_work_comes_before_everything() -> None:
    seen = replace(REAL, work=("input", "work"), moves=(moved(),))
    found, sentence = diagnose.diagnose(seen)
    assert found is Cause.NOT_SAME_WORK
    assert "the input and the work of the case changed" in sentence


def test_what_wanders_is_named_with_the_largest_move() -> None:
    seen = replace(REAL, moves=(moved(), moved("stack-16", LAYOUT, -9)))
    found, sentence = diagnose.diagnose(seen)
    assert found is Cause.NONDETERMINISTIC
    assert (
        "head moves by -9 under `stack-16`: walk (suite.so); so do 1 more"
        in sentence
    )


def test_a_difference_of_0_may_still_wander() -> None:
    seen = replace(REAL, head=REAL.base, moves=(moved(),))
    assert cause(seen) is Cause.NONDETERMINISTIC


def test_another_toolchain_is_an_environment() -> None:
    seen = replace(REAL, toolchain=("flags: '-O2' in base, '-O3' in head",))
    found, sentence = diagnose.diagnose(seen)
    assert found is Cause.ENVIRONMENT
    assert "'-O3' in head" in sentence and "`walk`" in sentence


def test_the_same_code_is_an_environment_or_data() -> None:
    found, sentence = diagnose.diagnose(replace(REAL, unlike_code=()))
    assert found is Cause.ENVIRONMENT
    assert "byte-identical on both sides" in sentence
    # not compared is not the same
    assert cause(replace(REAL, unlike_code=None)) is Cause.REAL


LIBRARY_ROW = row("memcpy", LIBRARY)


def test_within_the_layout_band_of_a_library() -> None:
    seen = replace(REAL, rows=(LIBRARY_ROW,), band=Fraction(64))
    assert cause(seen) is Cause.LAYOUT
    assert cause(replace(seen, band=Fraction(63))) is Cause.REAL
    now = (moved("heap", LAYOUT, -70, fault=False),)
    assert cause(replace(seen, band=Fraction(0), moves=now)) is Cause.LAYOUT


def test_own_code_has_no_band() -> None:
    seen = replace(REAL, band=Fraction(1000))
    assert cause(seen) is Cause.REAL
    more_calls = row("walk", OWN, (64, 65), (640, 640))
    rows = (LIBRARY_ROW, more_calls)
    assert cause(replace(seen, rows=rows)) is Cause.REAL


def test_without_a_base_there_is_only_a_cost() -> None:
    found, sentence = diagnose.diagnose(replace(REAL, base=None))
    assert found is Cause.NEW and "1,064 Ir" in sentence


def test_heap_names_the_call_site() -> None:
    site = SiteRow(
        ("grow (a.c:7)", "put (a.c:20)"), ("grow", "put"),
        *map(Fraction, (1, 2, 64, 128)),
    )
    seen = Evidence("calls", figure(1), figure(2), sites=(site,))
    assert diagnose.diagnose(seen) == (
        Cause.REAL,
        "real: +1 calls (+100 %), most of it requested in grow (a.c:7)",
    )


def test_calls_in_words() -> None:
    words = diagnose.calls
    assert words(row(calls=(0, 3))) == "called 3 times, was not called before"
    assert words(row(calls=(3, 0))) == "no longer called, was 3 times"
    assert words(row(calls=(1, 1))) == "called once as before, each +64"
    assert words(row(calls=(2, 3), cost=(20, 30))) == (
        "+1 calls to 3, each as dear as before"
    )
    assert words(row(calls=(2, 4), cost=(20, 48))) == (
        "+2 calls to 4, each +2"
    )
