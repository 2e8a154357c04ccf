/* SPDX-License-Identifier: MIT */
/* The short path of a read: what envelope_store writes, front to back, once.
 * It accepts or declines; only the complete path rejects.  Here for the reads
 * to have it inside them, so that what it finds stays in registers. */
#ifndef ENVELOPE_ENVELOPE_ONCE_H
#define ENVELOPE_ENVELOPE_ONCE_H

#include "base/cursor.h"
#include "envelope/envelope_internal.h"

/* MessagePack specification, section "Formats". */
#define MARK_ARRAY_4 0x94
#define MARK_ARRAY_8 0x98
#define MARK_BIN8    0xc4
#define MARK_BIN16   0xc5
#define MARK_BIN32   0xc6
#define MARK_UINT8   0xcc
#define MARK_UINT16  0xcd
#define MARK_UINT32  0xce
#define MARK_STR8    0xd9
#define MARK_STR16   0xda
#define MARK_STR32   0xdb
#define FIXINT_LAST  0x7f
#define FIXSTR_FIRST 0xa0
#define FIXSTR_LAST  0xbf

/* After the block at least: the array's marker, eight fixints, a fixint and
 * an empty fixstr. */
#define REST_MIN (1 + ENVELOPE_CHECKSUM_SIZE + 1 + 1)

/*
 * The short path keeps a position and its slack: the bytes that the input
 * holds beyond the shortest possible rest.  So one subtraction stands for
 * each check of the bytes left, and a marker is read without any.
 */
static ALWAYS_INLINE bool spend(size_t *slack, size_t n)
{
    return !__builtin_sub_overflow(*slack, n, slack);
}

/* c4, c5 or c6, and a length.  Gives the size of both, or 0; p[0..4] can be
 * read. */
static ALWAYS_INLINE size_t block_head(const uint8_t *p, size_t *data_size)
{
    if (p[0] == MARK_BIN8) {
        *data_size = p[1];
        return 2;
    }
    if (p[0] == MARK_BIN16) {
        *data_size = load_be16(p + 1);
        return 3;
    }
    if (p[0] == MARK_BIN32) {
        *data_size = load_be32(p + 1);
        return 5;
    }
    return 0;
}

/* Eight of 00-7f or cc xx; with `ample` slack there is enough for any.  Gives
 * what follows, or NULL. */
static ALWAYS_INLINE const uint8_t *take_bytes(const uint8_t *p, bool ample,
                                               size_t *slack,
                                               uint64_t *checksum)
{
    const uint8_t *const start = p;
    uint64_t sum = 0;

#pragma GCC unroll 8
    for (int i = 0; i < ENVELOPE_CHECKSUM_SIZE; i++) {
        uint64_t byte;
        if (LIKELY(*p == MARK_UINT8)) { /* half of them are */
            if (!ample && !spend(slack, 1))
                return NULL;
            byte = p[1];
            p += 2;
        } else {
            /* Read it again: to compare it above needs no register. */
            __asm__("" : "+r"(p));
            byte = *p++;
            if (byte > FIXINT_LAST)
                return NULL;
        }
        sum = sum << 8 | byte;
        /* Put together now: keeping eight bytes apart takes registers. */
        __asm__("" : "+r"(sum));
    }
    if (ample)
        *slack -= (size_t)(p - start) - ENVELOPE_CHECKSUM_SIZE;
    *checksum = sum;
    return p;
}

/* The same near the input's end. */
static NOINLINE const uint8_t *take_last_bytes(const uint8_t *p, size_t *slack,
                                               uint64_t *checksum)
{
    return take_bytes(p, false, slack, checksum);
}

/* 98, then the checksum's bytes.  Gives what follows, or NULL. */
static ALWAYS_INLINE const uint8_t *take_checksum(const uint8_t *p,
                                                  size_t *slack,
                                                  uint64_t *checksum)
{
    if (*p++ != MARK_ARRAY_8)
        return NULL;
    if (LIKELY(*slack >= ENVELOPE_CHECKSUM_SIZE))
        return take_bytes(p, true, slack, checksum);

    size_t left = *slack; /* copies, so that the others need no memory */
    uint64_t sum = 0;
    p = take_last_bytes(p, &left, &sum);
    *slack = left;
    *checksum = sum;
    return p;
}

/* 00-7f, cc, cd or ce.  Gives what follows, or NULL. */
static ALWAYS_INLINE const uint8_t *take_size(const uint8_t *p, size_t *slack,
                                              uint32_t *size)
{
    uint8_t mark = *p++;

    if (mark <= FIXINT_LAST) {
        *size = mark;
        return p;
    }
    if (mark == MARK_UINT16 && spend(slack, 2)) {
        *size = load_be16(p);
        return p + 2;
    }
    if (mark == MARK_UINT32 && spend(slack, 4)) {
        *size = load_be32(p);
        return p + 4;
    }
    if (mark == MARK_UINT8 && spend(slack, 1)) {
        *size = *p;
        return p + 1;
    }
    return NULL;
}

/* a0-bf, d9, da or db, then a text.  Gives the text, or NULL. */
static ALWAYS_INLINE const char *take_format(const uint8_t *p, size_t *slack,
                                             size_t *size)
{
    uint8_t mark = *p++;

    *size = (size_t)mark - FIXSTR_FIRST;
    if (UNLIKELY(*size > FIXSTR_LAST - FIXSTR_FIRST)) {
        if (mark == MARK_STR8 && spend(slack, 1)) {
            *size = *p;
            p += 1;
        } else if (mark == MARK_STR16 && spend(slack, 2)) {
            *size = load_be16(p);
            p += 2;
        } else if (mark == MARK_STR32 && spend(slack, 4)) {
            *size = load_be32(p);
            p += 4;
        } else {
            return NULL;
        }
    }
    return spend(slack, *size) ? (const char *)p : NULL;
}

/** envelope_decode_once, to be part of a read. */
static ALWAYS_INLINE bool envelope_once(const uint8_t *in, size_t in_size,
                                        struct envelope_view *view)
{
    size_t head_size, data_size, format_size, slack = in_size;
    uint64_t checksum;
    uint32_t original_size;
    const char *format;
    const uint8_t *p = in;

    /* The shortest rest holds the longest head of a block, and more. */
    if (!spend(&slack, 1 + REST_MIN) || *p++ != MARK_ARRAY_4)
        return false;
    head_size = block_head(p, &data_size);
    if (head_size == 0 || !spend(&slack, head_size + data_size))
        return false;
    p = take_checksum(p + head_size + data_size, &slack, &checksum);
    if (p == NULL)
        return false;
    p = take_size(p, &slack, &original_size);
    if (p == NULL)
        return false;
    format = take_format(p, &slack, &format_size);
    if (format == NULL)
        return false;
    /* One by one: a whole struct would be cleared first. */
    view->data = in + 1 + head_size;
    view->data_size = data_size;
    view->array_span = 0;
    view->checksum = checksum;
    view->original_size = original_size;
    view->format = format;
    view->format_size = format_size;
    /* Last, so that nothing is kept over the call. */
    return envelope_format_valid(format, format_size);
}

#endif
