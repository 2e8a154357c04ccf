#!/usr/bin/python3
"""plumb-dec mvt: the dump, JSON, statistics, gzip, and exit statuses."""

import gzip
import json

COMMAND = "mvt"
OK, REJECTED, USAGE, UNREADABLE = 0, 1, 2, 3

# A layer with a polygon that has an id and a property, and a feature without
# a type whose only tag has no partner.
TILE = bytes.fromhex(
    "1a30 0a0161 7802"
    "1213 0807 12020000 1803 2209 09000012020202020f"
    "1203 120109"
    "1a016b 2209 0a07 7622c3a90a3041"
    "288020")

DUMP = """\
layer: 0
  name: a
  version: 2
  extent: 4096
  feature: 0
    id: 7
    geometry: RING[count=4](0 0,1 1,2 2,0 0)[OUTER]
    properties:
      k = "v\\"é\\n0A"
  feature: 1
    id: (none)
    geometry: <invalid geometry: invalid geometry command stream>
    properties:
      <invalid property: invalid feature tags length: 1>
"""


def test_dump(run):
    done = run("-", stdin=TILE)
    assert done.returncode == OK
    assert done.stdout.decode() == DUMP
    assert done.stderr == b""


def test_gzip_is_recognised(run):
    done = run("-", stdin=gzip.compress(TILE))
    assert done.returncode == OK
    assert done.stdout.decode() == DUMP


def test_damaged_gzip(run):
    done = run("-", stdin=gzip.compress(TILE)[:-12])
    assert done.returncode == REJECTED
    assert done.stdout == b""
    assert b"gzip" in done.stderr


def test_json(run):
    done = run("--json", "-", stdin=TILE)
    assert done.returncode == OK
    layer, = json.loads(done.stdout)["layers"]
    polygon, empty = layer.pop("features")
    assert layer == {"name": "a", "version": 2, "extent": 4096}
    assert polygon == {
        "type": "Feature", "id": 7,
        "geometry": {"type": "Polygon",
                     "coordinates": [[[0, 0], [1, 1], [2, 2], [0, 0]]]},
        "properties": {"k": 'v"é\n0A'},
    }
    assert empty == {
        "type": "Feature", "geometry": None, "properties": {},
        "errors": ["invalid geometry command stream",
                   "invalid feature tags length: 1"],
    }


def test_stats(run):
    done = run("--stats", "-", stdin=TILE)
    figures = dict(line.split() for line in done.stdout.decode().splitlines())
    heap = int(figures.pop("heap"))
    assert figures == {"layers": "1", "features": "2", "keys": "1",
                       "values": "1", "bytes": str(len(TILE))}
    assert 0 < heap < 1200  # the least room that a reader begins with


def test_empty_tile(run):
    done = run("-")
    assert (done.returncode, done.stdout, done.stderr) == (OK, b"", b"")


def test_error_names_offset_and_reason(run):
    done = run("-", stdin=b"\x1a\x05\x0a\x01\x61\x78\x82")
    assert done.returncode == REJECTED
    assert done.stdout == b""
    assert done.stderr.decode() == (
        "Error: protobuf decode error: unexpected end of buffer\n"
        "  at byte 6 of 7\n")
    done = run("-", stdin=b"\x1a\x05\x0a\x01\x61\x78\x04")
    assert done.stderr.decode() == (
        "Error: unsupported layer version 4 for layer a\n"
        "  at byte 0 of 7\n")
    done = run("-", stdin=b"\x1a\x05\x0a\x01\x61\x78\x02\x1a\x02\x78\x02")
    assert done.stderr.decode() == (
        "Error: missing required layer name\n"
        "  at byte 7 of 11\n")


def test_usage(run):
    assert run().returncode == USAGE
    assert run("--colour", "-").returncode == USAGE
    assert run("a", "b").returncode == USAGE
    assert run("no/such/file").returncode == UNREADABLE
