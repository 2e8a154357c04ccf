#!/usr/bin/python3
"""plumb-dec msgpack: verdicts, exit statuses and inputs of every kind."""

import json
import os
import subprocess

import msgpack
import pytest

COMMAND = "msgpack"
OK, REJECTED, USAGE, UNREADABLE = 0, 1, 2, 3


def verdict(done: subprocess.CompletedProcess) -> dict:
    """The JSON of a run, which printed nothing else."""
    assert done.stderr == b""
    lines = done.stdout.decode().splitlines()
    assert len(lines) == 1
    return json.loads(lines[0])


def test_accepted_text(run, tmp_path):
    (tmp_path / "a.msgpack").write_bytes(b"\x92\xc0\x91\x80\xff\xff")
    done = run("a.msgpack")
    assert done.returncode == OK
    assert done.stdout.decode() == (
        "a.msgpack: accepted\n"
        "  items  4\n"
        "  depth  3 of at most 100\n"
        "  bytes  4 of 6\n")


def test_accepted_json(run):
    done = run("-", "--json", "--depth", "3", stdin=b"\x92\xc0\x91\x80\xff")
    assert done.returncode == OK
    assert verdict(done) == {
        "file": "-", "size": 5, "max_depth": 3, "verdict": "accepted",
        "items": 4, "depth": 3, "document_size": 4}


@pytest.mark.parametrize("document, depth, at, reason", [
    ("", 100, 0, "ends before the document is complete"),
    ("93c0da00", 100, 2, "ends inside a length prefix"),
    ("9301c102", 100, 2, "contains the reserved marker 0xc1"),
    ("91919190", 3, 3, "nests deeper than 3 levels"),
    ("90", 0, 0, "nests deeper than 0 levels"),
    ("92c0a361", 100, 2, "declares more bytes than the input holds"),
    ("93c091c0", 100, 2, "declares more elements than the input can back"),
])
def test_rejections_name_offset_and_reason(run, document, depth, at, reason):
    data = bytes.fromhex(document)
    done = run("-", f"--depth={depth}", stdin=data)
    assert done.returncode == REJECTED
    assert done.stdout.decode() == (
        f"-: rejected at byte {at} of {len(data)}: {reason}\n")
    done = run("-", "--json", f"--depth={depth}", stdin=data)
    assert done.returncode == REJECTED
    assert verdict(done) == {
        "file": "-", "size": len(data), "max_depth": depth,
        "verdict": "rejected", "fault_at": at, "reason": reason}


def items_of(value) -> int:
    """Items of a value, as another library's view of it."""
    if isinstance(value, dict):
        return 1 + sum(items_of(k) + items_of(v) for k, v in value.items())
    if isinstance(value, list):
        return 1 + sum(map(items_of, value))
    return 1


def depth_of(value) -> int:
    """Collections on the longest way down."""
    if isinstance(value, dict):
        return 1 + max(map(depth_of, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth_of, value), default=0)
    return 0


@pytest.mark.parametrize("value", [
    None, 5, "text", [], {}, [[]], {"": {}}, list(range(300)),
    {"a": [1, {"b": [b"x" * 300, "y" * 70000]}], "c": -1.5},
    [[[[[[[[[[[[1], 2], 3]]]]]]]]]],
])
def test_counts_agree_with_another_library(run, value):
    data = msgpack.packb(value)
    done = run("-", "--json", stdin=data)
    assert done.returncode == OK
    seen = verdict(done)
    assert seen["items"] == items_of(value)
    assert seen["depth"] == depth_of(value)
    assert seen["document_size"] == len(data) == seen["size"]


def test_large_input_through_a_pipe_and_from_a_file(run, tmp_path):
    data = msgpack.packb([b"z" * 1000] * 9000)
    (tmp_path / "large").write_bytes(data)
    for done in (run("-", "--json", stdin=data), run("large", "--json")):
        assert done.returncode == OK
        assert verdict(done)["document_size"] == len(data)


def test_a_file_that_says_it_is_empty(run):
    """Files of /proc have size 0 and bytes; text is a row of fixints."""
    done = run("/proc/self/status", "--json")
    assert done.returncode == OK
    seen = verdict(done)
    assert seen["size"] > 100
    assert (seen["items"], seen["document_size"]) == (1, 1)


@pytest.mark.parametrize("args", [
    (), ("a", "b"), ("-", "--depth"), ("-", "--depth", "x"),
    ("-", "--depth", "-1"), ("-", "--depth", "18446744073709551616"),
    ("-", "--depth", ""), ("-", "--other"),
])
def test_usage(run, args):
    done = run(*args)
    assert done.returncode == USAGE
    assert done.stdout == b""
    assert b"usage: plumb-dec msgpack FILE|- [--depth N]" in done.stderr


def test_the_largest_bound_is_a_bound(run):
    done = run("-", "--json", f"--depth={2**64 - 1}", stdin=b"\x91" * 5000
               + b"\xc0")
    assert done.returncode == OK
    assert verdict(done)["depth"] == 5000


def test_unreadable(run, tmp_path):
    for name, why in (("absent", b"No such file"), (".", b"directory")):
        done = run(name)
        assert done.returncode == UNREADABLE
        assert done.stdout == b""
        assert why in done.stderr


def test_output_that_cannot_be_written(plumb_dec):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([plumb_dec, "msgpack", "-"], input=b"\xc0",
                              stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == UNREADABLE
    assert b"standard output" in done.stderr


def test_names_are_json_text(run, tmp_path):
    for name in ('q"\\\n', "Größe", os.fsdecode(b"no-utf8-\xff")):
        (tmp_path / name).write_bytes(b"\xc0")
        done = run(name, "--json")
        assert done.returncode == OK
        want = name if name.isprintable() or "\n" in name else "no-utf8-\ufffd"
        assert verdict(done)["file"] == want


def test_help_and_unknown_commands(plumb_dec):
    done = subprocess.run([plumb_dec, "--help"], capture_output=True)
    assert done.returncode == OK
    assert b"plumb-dec msgpack FILE" in done.stdout
    for args in ([], ["nothing"]):
        done = subprocess.run([plumb_dec, *args], capture_output=True)
        assert done.returncode == USAGE
        assert b"plumb-dec msgpack FILE" in done.stderr
