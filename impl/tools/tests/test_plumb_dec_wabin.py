#!/usr/bin/python3
"""plumb-dec wabin: trees, JSON, and failures with kind and offset."""

import json
import subprocess
import zlib
from pathlib import Path

import pytest

OK, REJECTED, USAGE, UNREADABLE = 0, 1, 2, 3
ACK = "00f8071b11faff875511999990000f0308fb0a3eb0a1b2c3d4e5f607181513"


@pytest.fixture
def run(plumb_dec: Path):
    """Run `plumb-dec wabin` on hexadecimal or other bytes."""

    def run_it(data: str | bytes, *args: str) -> subprocess.CompletedProcess:
        if isinstance(data, str):
            data, args = data.encode(), ("--hex", *args)
        return subprocess.run([plumb_dec, "wabin", "-", *args], input=data,
                              capture_output=True, timeout=60)

    return run_it


def test_tree(run):
    done = run(ACK)
    assert (done.returncode, done.stderr) == (OK, b"")
    assert done.stdout.decode() == (
        'ack to=5511999990000@s.whatsapp.net id="3EB0A1B2C3D4E5F60718" '
        'class="message"\n')


def test_tree_of_every_content(run):
    done = run("00 f802 78 f804"
               "f802 3f fc03 61ff62"
               "f802 3f ec00"
               "f803 3f fc036b2079 fc0301220a"
               "f801 fc00")
    assert done.returncode == OK
    assert done.stdout.decode() == (
        "update\n"
        "  item: 3 bytes 61ff62\n"
        '  item: "read-self"\n'
        '  item "k y"="\\u0001\\"\\u000a"\n'
        '  ""\n')


def test_long_payloads_are_cut_in_the_tree_only(run):
    frame = "00f80213fc28" + "ab" * 40
    tree = run(frame).stdout.decode()
    assert tree == f"message: 40 bytes {'ab' * 32}...\n"
    node = json.loads(run(frame, "--json").stdout)["node"]
    assert node["content"] == {"bytes": "ab" * 40}


def test_json(run):
    done = run(ACK, "--json")
    assert json.loads(done.stdout) == {
        "file": "-", "size": 31, "verdict": "accepted", "node": {
            "tag": "ack", "content": None, "attrs": [
                ["to", {"jid": {"user": "5511999990000",
                                "server": "s.whatsapp.net", "agent": 0,
                                "device": 0, "integrator": 0}}],
                ["id", "3EB0A1B2C3D4E5F60718"], ["class", "message"]]}}


def test_nul_in_text_stays(run):
    done = run("00f8031308fc03610062", "--json")
    assert json.loads(done.stdout)["node"]["attrs"] == [["id", "a\0b"]]


def test_compressed_frames_are_inflated(run):
    nodes = bytes.fromhex(ACK)[1:]
    done = run(b"\2" + zlib.compress(nodes))
    assert done.returncode == OK
    assert done.stdout == run(ACK).stdout
    done = run(b"\2" + zlib.compress(nodes + b"\0"))
    assert done.returncode == REJECTED
    assert b"rejected at byte 30 of 31: LeftoverData" in done.stdout


@pytest.mark.parametrize("frame, at, kind, reason", [
    ("", 0, "EmptyData", "Received empty data where payload was expected"),
    ("00", 1, "UnexpectedEof", "Unexpected end of binary data"),
    ("00f801f0", 3, "InvalidToken", "Invalid token read from stream: 240"),
    ("00f80213ff02 12de", 7, "InvalidToken",
     "Invalid token read from stream: 13"),
    ("02ffff", 1, "Zlib", "Zlib decompression error: data error"),
])
def test_rejections_name_offset_and_kind(run, frame, at, kind, reason):
    size = len(bytes.fromhex(frame))
    done = run(frame)
    assert done.returncode == REJECTED
    assert done.stdout.decode() == (
        f"-: rejected at byte {at} of {size}: {kind}: {reason}\n")
    done = run(frame, "--json")
    assert done.returncode == REJECTED
    assert json.loads(done.stdout) == {
        "file": "-", "size": size, "verdict": "rejected", "fault_at": at,
        "kind": kind, "reason": reason}


def test_bad_hexadecimal_and_usage(run, plumb_dec):
    for text in ("0", "00f", "zz"):
        done = run(text)
        assert done.returncode == UNREADABLE
        assert b"hexadecimal" in done.stderr
    done = subprocess.run([plumb_dec, "wabin"], capture_output=True)
    assert done.returncode == USAGE
    assert b"plumb-dec wabin FILE|- [--hex] [--json]" in done.stderr
