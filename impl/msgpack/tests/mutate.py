#!/usr/bin/python3
"""Faults that the walk's tests must see, in the walk, its second pass, and
the plain twin.  `make mutation` runs this; it takes about a minute."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "testkit"))

from mutation import ROOT, Mutant, Suite, check  # noqa: E402

MSGPACK = "impl/msgpack"
WALK = f"{MSGPACK}/msgpack_walk.c"
LEVELS = f"{MSGPACK}/msgpack_levels.c"
EXPLAIN = f"{MSGPACK}/msgpack_explain.c"
INTERNAL = f"{MSGPACK}/msgpack_internal.h"
REFERENCE = f"{MSGPACK}/reference/msgpack_reference.c"


def sources(pattern: str) -> tuple[str, ...]:
    return tuple(str(p.relative_to(ROOT)) for p in sorted(ROOT.glob(pattern)))


SUITE = Suite(
    changing=(WALK, LEVELS, EXPLAIN, REFERENCE),
    fixed=(*sources("impl/base/*.c"), *sources("impl/testkit/*.c"),
           *sources(f"{MSGPACK}/sample/*.c")),
    tests=tuple(f"{MSGPACK}/tests/test_msgpack_{topic}.c" for topic in
                ("walk", "alloc", "depth", "envelope", "differential")),
)

# Where levels are stored, and when the storage changes.
STORAGE = [
    Mutant("seven inline levels", INTERNAL,
           "#define MSGPACK_INLINE_LEVELS 8",
           "#define MSGPACK_INLINE_LEVELS 7"),
    Mutant("nine inline levels", INTERNAL,
           "#define MSGPACK_INLINE_LEVELS 8",
           "#define MSGPACK_INLINE_LEVELS 9"),
    Mutant("spill after seven levels", WALK,
           "walk.now.limit = walk.own + MSGPACK_INLINE_LEVELS;",
           "walk.now.limit = walk.own + MSGPACK_INLINE_LEVELS - 1;"),
    Mutant("spill after nine levels", WALK,
           "walk.now.limit = walk.own + MSGPACK_INLINE_LEVELS;",
           "walk.now.limit = walk.own + MSGPACK_INLINE_LEVELS + 1;"),
    Mutant("innermost level one too far in", WALK,
           "left = top[-1] - 1;", "left = top[0] - 1;"),
    Mutant("innermost level one too far out", WALK,
           "left = top[-1] - 1;", "left = top[-2] - 1;"),
    Mutant("back from the heap one level short", WALK,
           "top = walk.now.limit;", "top = walk.now.limit - 1;"),
    Mutant("back from the heap with its limits", WALK,
           "walk.now = walk.own_segment;\n    top = walk.now.limit;",
           "top = walk.own_segment.limit;"),
    Mutant("heap entry one too far", LEVELS,
           "walk->top = walk->heap + used;",
           "walk->top = walk->heap + used + 1;"),
    Mutant("heap refilled where it was left", LEVELS,
           "        used = 0;\n", ""),
    Mutant("heap never grows", LEVELS,
           "used == walk->heap_count) && !heap_grow(walk)",
           "false) && !heap_grow(walk)"),
    Mutant("heap without bound by depth", LEVELS,
           "count > walk->max_depth - MSGPACK_INLINE_LEVELS", "false"),
    Mutant("heap without bound by input", LEVELS,
           "count > walk->in_size", "false"),
    Mutant("heap kept after acceptance", LEVELS,
           "    heap_release(walk);\n    if (walk->size != NULL)",
           "    if (walk->size != NULL)"),
    Mutant("heap kept after rejection", LEVELS,
           "    heap_release(walk);\n    fault =", "    fault ="),
    Mutant("memory for a document known to be short", LEVELS,
           "if (is_unbacked(walk))", "if (false && is_unbacked(walk))"),
    Mutant("memory refused to a sound document", LEVELS,
           "return owed > walk->in_size", "return owed >= walk->in_size"),
    Mutant("always on the heap", WALK,
           "walk.now.limit = walk.own + MSGPACK_INLINE_LEVELS;",
           "walk.now.limit = walk.own;"),
    Mutant("out of memory hides an earlier fault", EXPLAIN,
           "    for (;;) {\n",
           "    for (;;) {\n        if (fault == MSGPACK_OUT_OF_MEMORY) "
           "{ *fault_at = stop_at; return fault; }\n"),
]

# Leaving finished levels.
LEAVING = [
    Mutant("leaves one level at most", WALK,
           "    top--;\n    if (left == 0)\n        goto leave;\n",
           "    top--;\n"),
    Mutant("never leaves a level", WALK,
           "if (--left == 0)", "if (--left == 0 && top == walk.own)"),
    Mutant("leaves one level at most", REFERENCE,
           "while (levels->count > 0 && levels->owed",
           "if (levels->count > 0 && levels->owed"),
    Mutant("never leaves a level", REFERENCE,
           "        levels_drop(&levels);\n", ""),
]

# The depth bound.
DEPTH = [
    Mutant("small bound let through by one", WALK,
           "walk.now.limit = walk.own + max_depth;",
           "walk.now.limit = walk.own + max_depth + 1;"),
    Mutant("bound at the inline end let through by one", LEVELS,
           "if (used + (is_own ? 0 : MSGPACK_INLINE_LEVELS) == "
           "walk->max_depth)",
           "if (used + (is_own ? 0 : MSGPACK_INLINE_LEVELS) == "
           "walk->max_depth + 1)"),
    Mutant("bound forgets the inline levels", LEVELS,
           "is_own ? 0 : MSGPACK_INLINE_LEVELS", "0"),
    Mutant("empty collections not counted", WALK,
           "    if (UNLIKELY(top == walk.now.limit))\n        goto full;\n",
           ""),
    Mutant("empty collections not counted past the inline levels", LEVELS,
           "walk->max_depth)\n        return",
           "walk->max_depth && walk->child_count != 0)\n        return"),
    Mutant("bound not told to the second pass", EXPLAIN,
           "if (fault != MSGPACK_OK && at == stop_at)",
           "if (fault != MSGPACK_OK && fault != MSGPACK_TOO_DEEP && "
           "at == stop_at)"),
    Mutant("bound not inclusive", REFERENCE,
           "levels->count >= max_depth", "levels->count > max_depth"),
    Mutant("empty collections not counted", REFERENCE,
           "if (item.is_collection && levels->count",
           "if (item.child_count > 0 && levels->count"),
]

# What a header declares.
DECLARED = [
    Mutant("fixmap pair is one item", WALK,
           "OPEN(1, 2 * marker - 0x100);", "OPEN(1, marker - 0x80);"),
    Mutant("map 16 pair is one item", WALK,
           "child_count = 2 * prefix16(in + at);",
           "child_count = prefix16(in + at);"),
    Mutant("map 32 pair is one item", WALK,
           "child_count = 2 * prefix32(in + at);",
           "child_count = prefix32(in + at);"),
    Mutant("map 32 pairs in 32 bits", WALK,
           "child_count = 2 * prefix32(in + at);",
           "child_count = (uint32_t)(2 * prefix32(in + at));"),
    Mutant("ext 8 without its type byte", WALK,
           "DONE(3 + (uint64_t)in[at + 1]);",
           "DONE(2 + (uint64_t)in[at + 1]);"),
    Mutant("ext 16 without its type byte", WALK,
           "DONE(4 + prefix16(in + at));", "DONE(3 + prefix16(in + at));"),
    Mutant("ext 32 without its type byte", WALK,
           "DONE(6 + prefix32(in + at));", "DONE(5 + prefix32(in + at));"),
    Mutant("fixext 16 one byte short", WALK, "DONE(18);", "DONE(17);"),
    Mutant("fixstr one byte short", WALK,
           "DONE(marker - 0x9f);", "DONE(marker - 0xa0);"),
    Mutant("fixmap pair is one item", EXPLAIN,
           "2 * (marker & UINT64_C(15))", "(marker & UINT64_C(15))"),
    Mutant("map 16 pair is one item", EXPLAIN,
           "[0x1e] = {FORM_CHILDREN, 2, 2}", "[0x1e] = {FORM_CHILDREN, 2, 1}"),
    Mutant("map 32 pair is one item", EXPLAIN,
           "[0x1f] = {FORM_CHILDREN, 4, 2}", "[0x1f] = {FORM_CHILDREN, 4, 1}"),
    Mutant("ext 8 without its type byte", EXPLAIN,
           "[0x07] = {FORM_BYTES, 1, 1}", "[0x07] = {FORM_BYTES, 1, 0}"),
    Mutant("ext 16 without its type byte", EXPLAIN,
           "[0x08] = {FORM_BYTES, 2, 1}", "[0x08] = {FORM_BYTES, 2, 0}"),
    Mutant("ext 32 without its type byte", EXPLAIN,
           "[0x09] = {FORM_BYTES, 4, 1}", "[0x09] = {FORM_BYTES, 4, 0}"),
    Mutant("fixmap pair is one item", REFERENCE,
           "UINT64_C(2) * (marker & 15)", "(uint64_t)(marker & 15)"),
    Mutant("wide map pair is one item", REFERENCE, "n : 2 * n", "n : n"),
    Mutant("ext 8 without its type byte", REFERENCE,
           "    case 0xc7: /* ext 8, 16, 32: the type byte */\n", ""),
    Mutant("ext 16 without its type byte", REFERENCE,
           "the type byte */\n    case 0xc8:\n", "the type byte */\n"),
    Mutant("ext 32 without its type byte", REFERENCE,
           "    case 0xc9:\n    case 0xcc:", "    case 0xcc:"),
]

# Claims against bytes, and reading no byte that is not there.
BACKING = [
    Mutant("marker read past the end", WALK,
           "if (UNLIKELY(at >= in_size))", "if (UNLIKELY(at > in_size))"),
    Mutant("prefix read past the end", WALK,
           "at + (n) > in_size", "at + (n) > in_size + 1"),
    Mutant("last payload may pass the end", WALK,
           "complete:\n    if (UNLIKELY(at > in_size))",
           "complete:\n    if (UNLIKELY(false))"),
    Mutant("last payload may pass the end after a spill", LEVELS,
           "if (walk->at > walk->in_size)", "if (false)"),
    Mutant("run taken on claims alone", WALK,
           "if (UNLIKELY(left > in_size - at))", "if (UNLIKELY(false))"),
    Mutant("run looked for without its bytes", WALK,
           "at + 8 <= in_size && ", ""),
    Mutant("run past its collection", WALK, "at <= end - 8", "at <= end"),
    Mutant("run of more than fixints", WALK,
           "UINT64_C(0x8080808080808080)", "UINT64_C(0x0080808080808080)"),
    Mutant("elements not judged at scalars", EXPLAIN,
           "if (pending > in_size - at)",
           "if (head.child_count != 0 && pending > in_size - at)"),
    Mutant("elements let through by one", EXPLAIN,
           "if (pending > in_size - at)", "if (pending > in_size - at + 1)"),
    Mutant("bytes let through by one", EXPLAIN,
           "head.payload_size > in_size - at",
           "head.payload_size > in_size - at + 1"),
    Mutant("prefix let through by one", EXPLAIN,
           "in_size - at - 1 < wide.prefix_size",
           "in_size - at < wide.prefix_size"),
    Mutant("reserved marker after the prefix", EXPLAIN,
           "[0x01] = {FORM_RESERVED, 0, 0}", "[0x01] = {FORM_BYTES, 0, 0}"),
    Mutant("elements not judged at scalars", REFERENCE,
           "if (*pending > cursor_left(in))",
           "if (item.is_collection && *pending > cursor_left(in))"),
    Mutant("bytes let through by one", REFERENCE,
           "item.payload_size > cursor_left(in)",
           "item.payload_size > cursor_left(in) + 1"),
    Mutant("depth judged before the prefix", REFERENCE,
           "    if (cursor_left(in) < prefix_size_of(marker))",
           "    if (marker >= 0xdc && marker <= 0xdf && levels->count >= "
           "max_depth)\n        return MSGPACK_TOO_DEEP;\n"
           "    if (cursor_left(in) < prefix_size_of(marker))"),
]

if __name__ == "__main__":
    sys.exit(check(SUITE, STORAGE + LEAVING + DEPTH + DECLARED + BACKING))
