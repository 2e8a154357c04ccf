/* SPDX-License-Identifier: MIT */
/*
 * The walk itself, made for the document that is sound.
 *
 * In a complete document each item owed has a byte of its own, so nothing
 * has to compare claims with bytes at every item: it is enough never to read
 * past the end, and to come out at or before it when the last item is done.
 * The depth bound and the reserved marker are the only other rules.  What
 * does not come out that way is rejected, and msgpack_explain() walks it
 * again to name the rule that broke first.
 *
 * Each handler ends with its own jump to the next one (threaded code), so
 * that the branch predictor learns which marker follows which.  Timed in one
 * run, over eight seeds: a table of sizes, with one handler for all items
 * without a prefix, takes 1.55 times as long over a stream of records, and
 * 0.87 times as long over a random mix of all markers.  Real payloads repeat.
 */
#include "msgpack/msgpack.h"

#include <stdbool.h>
#include <string.h>

#include "base/cursor.h"
#include "msgpack/msgpack_internal.h"

/* Items owed from which a run of small integers is looked for. */
#define RUN_MIN 16

#define HIGH_BITS UINT64_C(0x8080808080808080)

/* True when the eight bytes at p are positive fixints. */
static ALWAYS_INLINE bool fixints8(const uint8_t *p)
{
    uint64_t bytes;

    memcpy(&bytes, p, sizeof(bytes));
    return (bytes & HIGH_BITS) == 0;
}

/* The offset behind the positive fixints that stand from `at` on, of which
 * the last few before end, less than eight, may be left out. */
static ALWAYS_INLINE uint64_t skip_fixints(const uint8_t *in, uint64_t at,
                                           uint64_t end)
{
    while (at <= end - 8 && fixints8(in + at))
        at += 8;
    return at;
}

/* The length prefix after the marker at p. */
static ALWAYS_INLINE uint64_t prefix16(const uint8_t *p)
{
    return load_be16(p + 1);
}

static ALWAYS_INLINE uint64_t prefix32(const uint8_t *p)
{
    return load_be32(p + 1);
}

/* On to the item at `at`.  The byte is read here and not at the one jump, so
 * that the compiler copies the jump into each handler. */
#define NEXT()                                                                \
    do {                                                                      \
        if (UNLIKELY(at >= in_size))                                          \
            goto broken;                                                      \
        marker = in[at];                                                      \
        goto dispatch;                                                        \
    } while (0)

/* An item of n bytes is done; it may run past the end. */
#define DONE(n)                                                               \
    do {                                                                      \
        at += (n);                                                            \
        if (--left == 0)                                                      \
            goto leave;                                                       \
        NEXT();                                                               \
    } while (0)

/* n bytes must be there before they are read. */
#define NEED(n)                                                               \
    do {                                                                      \
        if (UNLIKELY(at + (n) > in_size))                                     \
            goto broken;                                                      \
    } while (0)

/* A collection opens with a header of n bytes. */
#define OPEN(n, children)                                                     \
    do {                                                                      \
        child_count = (children);                                             \
        head_size = (n);                                                      \
        if (child_count == 0)                                                 \
            goto empty;                                                       \
        if (UNLIKELY(top == walk.now.limit))                                  \
            goto full;                                                        \
        *top = left;                                                          \
        top++;                                                                \
        left = child_count;                                                   \
        at += (n);                                                            \
        NEXT();                                                               \
    } while (0)

/* The handler of each marker, with that of positive fixints given. */
/* clang-format off */
#define HANDLERS(fixint)                                                      \
    {                                                                         \
        [0x00 ... 0x7f] = &&fixint,                                           \
        [0x80 ... 0x8f] = &&fixmap,                                           \
        [0x90 ... 0x9f] = &&fixarray,                                         \
        [0xa0 ... 0xbf] = &&fixstr,                                           \
        [0xc0] = &&fixed1, /* nil */                                          \
        [0xc1] = &&broken, /* reserved */                                     \
        [0xc2] = &&fixed1, [0xc3] = &&fixed1, /* false, true */               \
        [0xc4] = &&bytes8, [0xc5] = &&bytes16, [0xc6] = &&bytes32, /* bin */  \
        [0xc7] = &&ext8, [0xc8] = &&ext16, [0xc9] = &&ext32,                  \
        [0xca] = &&fixed5, [0xcb] = &&fixed9, /* float */                     \
        [0xcc] = &&fixed2, [0xcd] = &&fixed3, /* uint */                      \
        [0xce] = &&fixed5, [0xcf] = &&fixed9,                                 \
        [0xd0] = &&fixed2, [0xd1] = &&fixed3, /* int */                       \
        [0xd2] = &&fixed5, [0xd3] = &&fixed9,                                 \
        [0xd4] = &&fixed3, [0xd5] = &&fixed4, [0xd6] = &&fixed6, /* fixext */ \
        [0xd7] = &&fixed10, [0xd8] = &&fixed18,                               \
        [0xd9] = &&bytes8, [0xda] = &&bytes16, [0xdb] = &&bytes32, /* str */  \
        [0xdc] = &&array16, [0xdd] = &&array32,                               \
        [0xde] = &&map16, [0xdf] = &&map32,                                   \
        [0xe0 ... 0xff] = &&fixed1, /* negative fixint */                     \
    }
/* clang-format on */

/*
 * In registers, all of which a call may clobber: in, in_size, at, left, top,
 * handlers, and the marker at hand.  Two of gcc's passes are off: one splits
 * the only addition of a handler in two (8 % of a record stream), the other
 * spends five instructions on storing two pointers at once.
 */
#ifndef __clang__
__attribute__((optimize("no-forward-propagate", "no-tree-slp-vectorize")))
#endif
enum msgpack_fault
msgpack_document_size(const uint8_t *in, size_t in_size, size_t max_depth,
                      const struct alloc *alloc, size_t *size,
                      struct msgpack_error *error)
{
    /* Runs are looked for once a collection with a wide header is open: only
     * such a one can hold many small integers. */
    static const void *const few_handlers[256] = HANDLERS(fixed1);
    static const void *const many_handlers[256] = HANDLERS(fixint);
    const void *const *handlers = few_handlers;
    struct msgpack_walk walk;
    uint64_t *top = walk.own;
    uint64_t at = 0;
    uint64_t left = 1;
    uint64_t marker, head_size, child_count, end;
    enum msgpack_fault fault;

    walk.now.base = walk.own;
    walk.now.limit = walk.own + MSGPACK_INLINE_LEVELS;
    if (UNLIKELY(max_depth < MSGPACK_INLINE_LEVELS))
        walk.now.limit = walk.own + max_depth;
    walk.heap = NULL;
    walk.max_depth = max_depth;
    walk.alloc = alloc;
    walk.size = size;
    walk.error = error;
    NEXT();

dispatch:
    goto *handlers[marker];

fixint:
    if (left >= RUN_MIN && at + 8 <= in_size && fixints8(in + at))
        goto run;
fixed1:
    DONE(1);
fixed2:
    DONE(2);
fixed3:
    DONE(3);
fixed4:
    DONE(4);
fixed5:
    DONE(5);
fixed6:
    DONE(6);
fixed9:
    DONE(9);
fixed10:
    DONE(10);
fixed18:
    DONE(18);
fixstr:
    DONE(marker - 0x9f);
bytes8:
    NEED(2);
    DONE(2 + (uint64_t)in[at + 1]);
bytes16:
    NEED(3);
    DONE(3 + prefix16(in + at));
bytes32:
    NEED(5);
    DONE(5 + prefix32(in + at));
ext8:
    NEED(2);
    DONE(3 + (uint64_t)in[at + 1]);
ext16:
    NEED(3);
    DONE(4 + prefix16(in + at));
ext32:
    NEED(5);
    DONE(6 + prefix32(in + at));
fixmap:
    OPEN(1, 2 * marker - 0x100);
fixarray:
    OPEN(1, marker - 0x90);
array16:
    NEED(3);
    head_size = 3;
    child_count = prefix16(in + at);
    goto wide;
array32:
    NEED(5);
    head_size = 5;
    child_count = prefix32(in + at);
    goto wide;
map16:
    NEED(3);
    head_size = 3;
    child_count = 2 * prefix16(in + at);
    goto wide;
map32:
    NEED(5);
    head_size = 5;
    child_count = 2 * prefix32(in + at);
wide:
    handlers = many_handlers;
    OPEN(head_size, child_count);

empty:
    if (UNLIKELY(top == walk.now.limit))
        goto full;
    DONE(head_size);

run:
    if (UNLIKELY(left > in_size - at))
        goto broken;
    end = at + left; /* if all items still owed are fixints */
    at = skip_fixints(in, at + 8, end);
    left = end - at;
    if (left == 0)
        goto leave;
    NEXT();

leave:
    /* The innermost level owes nothing any more, and maybe those around. */
    if (UNLIKELY(top == walk.now.base))
        goto bottom;
    left = top[-1] - 1;
    top--;
    if (left == 0)
        goto leave;
    NEXT();

bottom:
    /* Of the inline levels: done.  Of those on the heap: on to the others. */
    if (LIKELY(walk.heap == NULL))
        goto complete;
    if (walk.now.base != walk.heap) {
        walk.in = in;
        walk.in_size = in_size;
        walk.at = at;
        return msgpack_complete_outside(&walk);
    }
    walk.now = walk.own_segment;
    top = walk.now.limit;
    /* Or else gcc keeps the segment in registers around `leave`. */
    __asm__ volatile("" ::: "memory");
    goto leave;

full:
    walk.in = in;
    walk.in_size = in_size;
    walk.at = at;
    walk.left = left;
    walk.top = top;
    walk.child_count = child_count;
    walk.head_size = head_size;
    fault = msgpack_open_outside(&walk);
    if (fault != MSGPACK_OK)
        return fault;
    handlers = many_handlers;
    in = walk.in;
    in_size = walk.in_size;
    at = walk.at;
    left = walk.left;
    top = walk.top;
    if (left == 0)
        goto leave;
    NEXT();

complete:
    if (UNLIKELY(at > in_size))
        goto broken;
    if (walk.size != NULL)
        *walk.size = (size_t)at;
    return MSGPACK_OK;

broken:
    walk.in = in;
    walk.in_size = in_size;
    walk.at = at;
    return msgpack_reject(&walk, MSGPACK_OK);
}

enum msgpack_fault msgpack_check(const uint8_t *in, size_t in_size,
                                 size_t max_depth, const struct alloc *alloc,
                                 struct msgpack_error *error)
{
    return msgpack_document_size(in, in_size, max_depth, alloc, NULL, error);
}
