#!/usr/bin/python3
"""tokens.py: the dictionary is sound, its hash table is up to date, and a
place that differs is named."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
TOOL = ROOT / "impl/wabin/tokens.py"
PEERS = ROOT / "data/wabin-peers/baileys"


def run(*args: object) -> subprocess.CompletedProcess:
    return subprocess.run([TOOL, *args], capture_output=True, text=True)


def test_the_hash_table_is_that_of_the_dictionary():
    done = run("hash", "--check")
    assert (done.returncode, done.stdout) == (
        0, "wabin_token_hash.inc: up to date\n")


def test_the_dictionary_is_sound():
    done = run("check")
    assert (done.returncode, done.stdout) == (0, "")


def test_a_place_that_differs_is_named(tmp_path):
    rows = []
    for line in (ROOT / "impl/wabin/tokens.def").read_text().splitlines():
        kind, _, rest = line.partition("(")
        if kind == "SINGLE":
            index, text = rest[:-1].split(", ")
            rows.append(f"S\t{index}\t{text[1:-1]}")
        elif kind == "DOUBLE":
            dictionary, index, text = rest[:-1].split(", ")
            rows.append(f"{dictionary}\t{index}\t{text[1:-1]}")
    table = tmp_path / "tokens.tsv"
    table.write_text("\n".join(rows) + "\n")
    done = run("check", "--tsv", table)
    assert (done.returncode, done.stdout) == (
        0, "table: 1259 places, 0 differ\n")
    rows[8] = "S\t9\tbroadcast"
    table.write_text("\n".join(rows) + "\n")
    done = run("check", "--tsv", table)
    assert done.returncode == 1
    assert "token 9: 'notification', there 'broadcast'" in done.stdout


def test_the_package_has_the_same_dictionary():
    if not PEERS.is_dir():
        pytest.skip(f"no {PEERS}; run `make wabin-peers`")
    done = run("check", "--baileys", PEERS)
    assert (done.returncode, done.stdout) == (
        0, "baileys: 1259 places, 0 differ\n")
