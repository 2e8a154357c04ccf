#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Keep the token dictionary and its hash table true to their sources.

    tokens.py check [--baileys PATH] [--tsv PATH]
    tokens.py write --baileys PATH
    tokens.py hash [--check]

`tokens.def` holds the protocol's dictionary, version 3.  `check` compares it
with other copies of the dictionary: the npm package baileys (a folder or the
.tgz that `npm pack baileys@7.0.0-rc14` makes; only its lib/WABinary is read)
or a table of three tab-separated columns.  `write` makes tokens.def anew from
the package.  `hash` makes wabin_token_hash.inc, the perfect hash that the
encoder looks tokens up in, from tokens.def.
"""

import argparse
import re
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
DEF = HERE / "tokens.def"
INC = HERE / "wabin_token_hash.inc"
CONSTANTS = "lib/WABinary/constants.js"

SINGLE_COUNT = 236
DOUBLE_COUNT = 256
DICTIONARIES = 4
TEXT_SIZE_MAX = 48

Tokens = dict[int, str]  # by number: see wabin_token.h

DEF_HEAD = """\
/* SPDX-License-Identifier: MIT */
/*
 * The token dictionary, version 3: constants of the protocol, the same in
 * every implementation.  SINGLE(tag byte, text), then
 * DOUBLE(dictionary, index byte, text).  tokens.py checks and remakes it.
 */
/* clang-format off */
"""

# The hash of wabin_token.c; both sides must agree bit for bit.
MASK64 = (1 << 64) - 1
MULTIPLY_LAST = 0x9E3779B97F4A7C15
MULTIPLY_ALL = 0x91B7584A2265B1F5
BUCKETS = 256
SLOTS = 2048


def token_number(dictionary: int | None, index: int) -> int:
    """Number of a token: its tag byte, or 236 + 256 x dictionary + index."""
    if dictionary is None:
        return index
    return SINGLE_COUNT + DOUBLE_COUNT * dictionary + index


def read_def(path: Path) -> Tokens:
    """The dictionary as tokens.def has it."""
    tokens: Tokens = {}
    line = re.compile(r'(?:SINGLE\(|DOUBLE\((\d), )(\d+), "([^"\\]+)"\)$')
    for number, text in enumerate(path.read_text().splitlines(), 1):
        if not text.startswith(("SINGLE", "DOUBLE")):
            continue
        match = line.match(text)
        if match is None:
            raise ValueError(f"{path}:{number}: no token: {text}")
        dictionary = None if match[1] is None else int(match[1])
        tokens[token_number(dictionary, int(match[2]))] = match[3]
    return tokens


def read_tsv(path: Path) -> Tokens:
    """The dictionary from lines of `S` or a digit, index, text."""
    tokens: Tokens = {}
    for line in path.read_text().splitlines():
        kind, index, text = line.split("\t")
        dictionary = None if kind == "S" else int(kind)
        tokens[token_number(dictionary, int(index))] = text
    return tokens


def read_package(path: Path) -> str:
    """The package's constants, from a folder or a .tgz."""
    if path.is_dir():
        root = path / "package" if (path / "package").is_dir() else path
        return (root / CONSTANTS).read_text()
    with tarfile.open(path) as archive:
        member = archive.extractfile(f"package/{CONSTANTS}")
        if member is None:
            raise ValueError(f"{path}: {CONSTANTS} is no file")
        return member.read().decode()


def js_lists(source: str, name: str) -> list[list[str]]:
    """The innermost lists of strings of `export const NAME = [...]`."""
    start = source.index(f"export const {name} = [")
    body = source[start : source.index("];", start)]
    strings = r"'[^'\\]*'"
    lists = re.findall(rf"\[\s*((?:{strings}\s*,?\s*)+)", body)
    return [[s[1:-1] for s in re.findall(strings, text)] for text in lists]


def read_baileys(path: Path) -> Tokens:
    """The dictionary of the npm package."""
    source = read_package(path)
    (single,) = js_lists(source, "SINGLE_BYTE_TOKENS")
    tokens = {i: text for i, text in enumerate(single) if i > 0}
    for d, texts in enumerate(js_lists(source, "DOUBLE_BYTE_TOKENS")):
        tokens |= {token_number(d, i): text for i, text in enumerate(texts)}
    return tokens


def faults(tokens: Tokens) -> list[str]:
    """What the encoder relies on and this dictionary does not have."""
    count = SINGLE_COUNT - 1 + DICTIONARIES * DOUBLE_COUNT
    found = []
    if sorted(tokens) != list(range(1, count + 1)):
        found.append(f"{len(tokens)} of {count} places are filled")
    if len(set(tokens.values())) != len(tokens):
        found.append("a text stands in two places")
    for number, text in tokens.items():
        if not re.fullmatch(rf"[!-?A-~]{{1,{TEXT_SIZE_MAX}}}", text):
            found.append(f"token {number} is not plain text: {text!r}")
    return found


def render_def(tokens: Tokens) -> str:
    """The text of tokens.def."""
    lines = []
    for number, text in sorted(tokens.items()):
        if number < SINGLE_COUNT:
            lines.append(f'SINGLE({number}, "{text}")')
        else:
            d, index = divmod(number - SINGLE_COUNT, DOUBLE_COUNT)
            lines.append(f'DOUBLE({d}, {index}, "{text}")')
    return DEF_HEAD + "\n".join(lines) + "\n"


def token_hash(text: bytes) -> int:
    """The 64-bit hash of a text of 1 to 48 bytes, as token_hash() in C."""
    size = len(text)
    if size >= 8:
        at = size // 2 - 4
        first = int.from_bytes(text[:8], "little")
        last = int.from_bytes(text[-8:], "little")
        last += 3 * int.from_bytes(text[at : at + 8], "little")
    elif size >= 4:
        first = int.from_bytes(text[:4], "little")
        last = int.from_bytes(text[-4:], "little")
    else:
        first = text[0] | text[size >> 1] << 8
        last = text[-1]
    mixed = first ^ size << 57 ^ (last * MULTIPLY_LAST & MASK64)
    mixed ^= mixed >> 32
    return mixed * MULTIPLY_ALL & MASK64


def place(tokens: Tokens) -> tuple[list[int], list[tuple[int, int]]]:
    """Steps of the buckets and (token, check) of the slots, no two tokens
    in one slot."""
    buckets: list[list[tuple[int, int]]] = [[] for _ in range(BUCKETS)]
    for number, text in tokens.items():
        value = token_hash(text.encode())
        buckets[value >> 56].append((number, value))
    steps = [0] * BUCKETS
    slots = [(0, 0)] * SLOTS
    order = sorted(range(BUCKETS), key=lambda b: -len(buckets[b]))
    for b in order:
        for step in range(SLOTS):
            where = [(v >> 24 ^ step) % SLOTS for _, v in buckets[b]]
            free = all(slots[w] == (0, 0) for w in where)
            if free and len(set(where)) == len(where):
                break
        else:
            raise ValueError(f"bucket {b} does not fit; change a multiplier")
        steps[b] = step
        for (number, value), w in zip(buckets[b], where):
            slots[w] = (number, value >> 35 & 0xFFFF)
    return steps, slots


def rows(items: list[str]) -> str:
    """Items separated by commas, in lines of at most 78 columns."""
    lines, line = [], "   "
    for item in items:
        if len(line) + len(item) + 2 > 78:
            lines.append(line)
            line = "   "
        line += f" {item},"
    return "\n".join([*lines, line])


def render_hash(tokens: Tokens) -> str:
    """The text of wabin_token_hash.inc."""
    steps, slots = place(tokens)
    return (
        "/* SPDX-License-Identifier: MIT */\n"
        "/* Made by `tokens.py hash` from tokens.def; not for editing. */\n"
        "/* clang-format off */\n"
        f"#define TOKEN_HASH_LAST 0x{MULTIPLY_LAST:x}u\n"
        f"#define TOKEN_HASH_ALL 0x{MULTIPLY_ALL:x}u\n\n"
        f"static const uint16_t token_steps[{BUCKETS}] = {{\n"
        + rows([str(step) for step in steps])
        + f"\n}};\n\nstatic const struct token_slot token_slots[{SLOTS}] = {{\n"
        + rows([f"{{{number}, {check}}}" for number, check in slots])
        + "\n};\n"
    )


def compare(name: str, ours: Tokens, theirs: Tokens) -> int:
    """Print where two dictionaries differ; the number of places."""
    places = sorted(ours.keys() | theirs.keys())
    wrong = [p for p in places if ours.get(p) != theirs.get(p)]
    for p in wrong[:10]:
        print(f"{name}: token {p}: {ours.get(p)!r}, there {theirs.get(p)!r}")
    print(f"{name}: {len(places)} places, {len(wrong)} differ")
    return len(wrong)


def check(args: argparse.Namespace) -> int:
    """Compare tokens.def with itself and with what was named."""
    tokens = read_def(DEF)
    found = faults(tokens)
    for fault in found:
        print(f"tokens.def: {fault}")
    wrong = len(found)
    if args.baileys:
        wrong += compare("baileys", tokens, read_baileys(args.baileys))
    if args.tsv:
        wrong += compare("table", tokens, read_tsv(args.tsv))
    return 1 if wrong else 0


def write(args: argparse.Namespace) -> int:
    """Make tokens.def from the package."""
    tokens = read_baileys(args.baileys)
    found = faults(tokens)
    for fault in found:
        print(f"{args.baileys}: {fault}")
    if not found:
        DEF.write_text(render_def(tokens))
    return 1 if found else 0


def make_hash(args: argparse.Namespace) -> int:
    """Make the hash table, or see whether it is the one of tokens.def."""
    text = render_hash(read_def(DEF))
    if not args.check:
        INC.write_text(text)
        return 0
    same = INC.read_text() == text
    print(f"{INC.name}: {'up to date' if same else 'not that of tokens.def'}")
    return 0 if same else 1


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description="the token dictionary")
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("check", help="compare with other copies")
    verb.add_argument("--baileys", type=Path)
    verb.add_argument("--tsv", type=Path)
    verb.set_defaults(act=check)
    verb = verbs.add_parser("write", help="make tokens.def")
    verb.add_argument("--baileys", type=Path, required=True)
    verb.set_defaults(act=write)
    verb = verbs.add_parser("hash", help="make the hash table")
    verb.add_argument("--check", action="store_true")
    verb.set_defaults(act=make_hash)
    args = parser.parse_args(argv)
    return args.act(args)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
