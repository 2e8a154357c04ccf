#!/usr/bin/python3
"""plumb-dec envelope: fields, verdicts, decryption, and that no key shows."""

import json

import pytest

COMMAND = "envelope"
OK, REJECTED, USAGE, UNREADABLE = 0, 1, 2, 3

BLOCK = "c4065068656c6c6f"
REST = "98cc9555cce8555c62ccdcccfd05a76d73677061636b"
HELLO = bytes.fromhex("94" + BLOCK + REST)
LEGACY = bytes.fromhex("94965068656c6c6f" + REST)

# An envelope of "hello" for tenant "t" under the master key 42 x 32, with
# instance id 1, counter 0 and the associated data "about".
MASTER = "42" * 32
AAD = b"about".hex()
SEALED = bytes.fromhex(
    "00000000000000010000000043276cf72f5632415ec9ed9f61e1f4ab0ab58977"
    "b4a0e9f198f6f5d70e67c5ad0360b75100451f0eedb983864cb31b")


def test_fields_as_text(run, tmp_path):
    (tmp_path / "a.env").write_bytes(HELLO + b"\xff")
    done = run("a.env")
    assert done.returncode == OK
    assert done.stdout.decode() == (
        "a.env: sound\n"
        "  envelope         32 bytes\n"
        "  compressed_data  6 bytes, as bytes\n"
        "  checksum         9555e8555c62dcfd\n"
        "  original_size    5 bytes\n"
        '  format           "msgpack"\n')


def test_fields_as_json(run):
    done = run("--json", "-", stdin=LEGACY)
    assert done.returncode == OK
    assert json.loads(done.stdout) == {
        "file": "-", "verdict": "sound", "envelope_size": len(LEGACY),
        "compressed_size": 6, "encoding": "array of integers",
        "checksum": "9555e8555c62dcfd", "original_size": 5,
        "format": "msgpack"}


def test_rejected_with_fields(run):
    done = run("-", stdin=HELLO.replace(b"hello", b"hallo"))
    assert done.returncode == REJECTED
    text = done.stdout.decode()
    assert text.startswith("-: rejected: integrity check failed\n")
    assert "original_size    5 bytes" in text


def test_rejected_without_fields(run):
    done = run("-", "--json", stdin=b"\x91\xc1")
    assert done.returncode == REJECTED
    assert json.loads(done.stdout) == {
        "file": "-", "verdict": "rejected",
        "reason": "deserialization failed: decode pre-scan: contains the "
                  "reserved marker 0xc1"}


def test_a_format_cannot_write_on_the_terminal(run):
    done = run("-", stdin=HELLO[:-8] + b"\xa4\x1b[2J")
    assert done.returncode == OK
    assert b"\x1b" not in done.stdout
    assert rb'"\u001b[2J"' in done.stdout


def test_decrypted(run):
    done = run("-", "--key-hex", MASTER, "--tenant", "t", "--aad-hex", AAD,
               stdin=SEALED)
    assert done.returncode == OK
    assert done.stdout.decode().startswith("-: sound\n  envelope         31")


@pytest.mark.parametrize("change", [
    ("--tenant", "u"), ("--aad-hex", "00"), ("--key-hex", "43" * 32)])
def test_another_key_tenant_or_aad(run, change):
    args = {"--key-hex": MASTER, "--tenant": "t", "--aad-hex": AAD}
    args[change[0]] = change[1]
    flat = [word for pair in args.items() for word in pair]
    done = run("-", *flat, stdin=SEALED)
    assert done.returncode == REJECTED
    assert done.stdout.decode() == (
        "-: rejected: Authentication verification failed\n")


def test_default_tenant_and_short_input(run):
    done = run("-", "--key-hex", MASTER, stdin=b"short")
    assert done.returncode == REJECTED
    assert b"Ciphertext too short" in done.stdout


def test_an_empty_tenant(run):
    done = run("-", "--key-hex", MASTER, "--tenant", "", stdin=SEALED)
    assert done.returncode == REJECTED
    assert b"Key derivation failed: Invalid salt length" in done.stdout


@pytest.mark.parametrize("key", ["", MASTER[1:], MASTER + "0", "g" * 64])
def test_no_key_is_shown(run, key):
    done = run("-", "--key-hex", key, stdin=SEALED)
    assert done.returncode == USAGE
    assert done.stdout == b""
    assert b"--key-hex: not what it should be" in done.stderr
    if key:
        assert key.encode() not in done.stderr


def test_no_key_is_shown_when_all_is_well(run):
    for extra in ([], ["--json"]):
        done = run("-", "--key-hex", MASTER, "--tenant", "t", "--aad-hex",
                   AAD, *extra, stdin=SEALED)
        assert done.returncode == OK
        assert MASTER.encode() not in done.stdout + done.stderr


@pytest.mark.parametrize("args", [
    [], ["a", "b"], ["--what", "a"], ["-", "--key-hex"],
    ["-", "--key-hex", MASTER, "--aad-hex", "0"],
    ["-", "--key-hex", MASTER, "--aad-hex", "xy"]])
def test_usage(run, args):
    done = run(*args)
    assert done.returncode == USAGE
    assert b"usage: plumb-dec envelope" in done.stderr


def test_unreadable(run):
    done = run("missing")
    assert done.returncode == UNREADABLE
    assert b"missing: No such file" in done.stderr
