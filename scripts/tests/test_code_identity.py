"""Machine code compared without what the linker decided."""

import subprocess
from pathlib import Path

import pytest

from plumblib import code_identity

SOURCE = """
static int table[] = {1, 2, 3, 4};
__attribute__((noinline)) static int leaf(int n) { return table[n & 3]; }
__attribute__((noinline)) static int other(int n) { return n * 5; }
int outer(int n) { return leaf(n) + other(n); }
"""


def build(folder: Path, source: str, *flags: str) -> Path:
    folder.mkdir()
    (folder / "a.c").write_text(source)
    subprocess.run(
        ["gcc", "-O2", "-fPIC", "-shared", *flags, "a.c", "-o", "a.so"],
        cwd=folder, check=True,
    )
    return folder / "a.so"


def unlike(tmp_path: Path, base: str, head: str) -> list[str]:
    sides = [
        code_identity.read(build(tmp_path / name, source))
        for name, source in (("base", base), ("head", head))
    ]
    return code_identity.unlike(*sides, ["leaf", "other", "outer"])


def test_other_addresses_are_no_difference(tmp_path: Path) -> None:
    before = "static int more[100] = {1};\n" \
        "int first(int n) { return more[n] + n / 7; }\n"
    assert unlike(tmp_path, SOURCE, before + SOURCE) == []


def test_other_data_is_no_difference_of_code(tmp_path: Path) -> None:
    assert unlike(tmp_path, SOURCE, SOURCE.replace("1, 2", "3, 2")) == []


def test_one_other_constant_is_seen_in_its_function(tmp_path: Path) -> None:
    assert unlike(tmp_path, SOURCE, SOURCE.replace("n * 5", "n * 7")) == [
        "other"
    ]


def test_another_function_called_is_a_difference(tmp_path: Path) -> None:
    changed = SOURCE.replace("leaf(n) + other(n)", "leaf(n) + leaf(n + 1)")
    assert "outer" in unlike(tmp_path, SOURCE, changed)


def test_a_function_on_one_side_only_is_a_difference(tmp_path: Path) -> None:
    changed = SOURCE.replace("other", "renamed")
    assert unlike(tmp_path, SOURCE, changed) == ["other", "outer"]


def test_padding_behind_a_function_does_not_count(tmp_path: Path) -> None:
    sides = [
        code_identity.read(build(tmp_path / name, SOURCE, *flags))
        for name, flags in (
            ("base", ()), ("head", ("-falign-functions=128",))
        )
    ]
    assert code_identity.unlike(*sides, ["leaf", "other", "outer"]) == []


@pytest.mark.parametrize(
    "text, kept",
    [
        ("call   1840 <f>", "call <f>"),
        ("jmp    114f <g+0x1f>", "jmp <g+0x1f>"),
        ("call   1030 <free@plt>", "call <free@plt>"),
        ("lea    0x1dff(%rip),%rdi        # 3010 <_fini+0xdb0>",
         "lea (%rip),%rdi"),
        ("mov    0x3ecd(%rip),%rax        # 4fe8 <kept>",
         "mov (%rip),%rax <kept>"),
        ("mov    -0x10(%rbp),%eax", "mov -0x10(%rbp),%eax"),
        ("mov    $0x5,%eax", "mov $0x5,%eax"),
    ],
)
def test_what_is_kept_of_an_instruction(text: str, kept: str) -> None:
    assert code_identity.normal(text) == kept
