/* SPDX-License-Identifier: MIT */
/* The short path of a read: what envelope_store writes, front to back, once.
 * It accepts or declines; only the complete path rejects. */
#include "envelope/envelope.h"

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
 * Where the short path stands.  `slack` is what the input holds beyond the
 * shortest possible rest, so one subtraction stands for each check of the
 * bytes left, and a marker may be read without any.
 */
struct once {
    const uint8_t *p;
    size_t slack;
};

/* Take n bytes that the shortest rest does not have. */
static inline bool once_spend(struct once *o, size_t n)
{
    if (n > o->slack)
        return false;
    o->slack -= n;
    return true;
}

/* 94, then c4/c5/c6 with a whole block. */
static inline bool once_block(struct once *o, size_t size,
                              struct envelope_view *view)
{
    size_t head_size, data_size;

    if (size < 3 + REST_MIN || o->p[0] != MARK_ARRAY_4)
        return false;
    switch (o->p[1]) {
    case MARK_BIN8:
        head_size = 3;
        data_size = o->p[2];
        break;
    case MARK_BIN16:
        head_size = 4;
        data_size = load_be16(o->p + 2);
        break;
    case MARK_BIN32:
        head_size = 6;
        data_size = load_be32(o->p + 2);
        break;
    default:
        return false;
    }
    if (size < head_size + REST_MIN || data_size > size - head_size - REST_MIN)
        return false;
    view->data = o->p + head_size;
    view->data_size = data_size;
    view->data_span = data_size;
    view->data_is_array = false;
    o->p = view->data + data_size;
    o->slack = size - head_size - REST_MIN - data_size;
    return true;
}

/* 98, then eight of 00-7f or cc xx. */
static inline bool once_checksum(struct once *o, struct envelope_view *view)
{
    uint64_t sum = 0;

    if (*o->p++ != MARK_ARRAY_8)
        return false;
    for (int i = 0; i < ENVELOPE_CHECKSUM_SIZE; i++) {
        uint8_t byte = *o->p++;
        if (byte > FIXINT_LAST) {
            if (byte != MARK_UINT8 || !once_spend(o, 1))
                return false;
            byte = *o->p++;
        }
        sum = sum << 8 | byte;
    }
    view->checksum = sum;
    return true;
}

/* 00-7f, cc, cd or ce. */
static inline bool once_size(struct once *o, struct envelope_view *view)
{
    uint8_t mark = *o->p++;

    if (mark <= FIXINT_LAST) {
        view->original_size = mark;
        return true;
    }
    size_t width = mark == MARK_UINT8    ? 1
                   : mark == MARK_UINT16 ? 2
                   : mark == MARK_UINT32 ? 4
                                         : SIZE_MAX;
    if (!once_spend(o, width))
        return false;
    view->original_size = width == 1   ? o->p[0]
                          : width == 2 ? load_be16(o->p)
                                       : load_be32(o->p);
    o->p += width;
    return true;
}

/* a0-bf, d9, da or db, then UTF-8. */
static inline bool once_format(struct once *o, struct envelope_view *view)
{
    uint8_t mark = *o->p++;
    size_t width = 0;
    size_t size = mark & (FIXSTR_LAST - FIXSTR_FIRST);

    if (mark < FIXSTR_FIRST || mark > FIXSTR_LAST) {
        if (mark < MARK_STR8 || mark > MARK_STR32)
            return false;
        width = (size_t)1 << (mark - MARK_STR8);
        if (!once_spend(o, width))
            return false;
        size = width == 1   ? o->p[0]
               : width == 2 ? load_be16(o->p)
                            : load_be32(o->p);
    }
    if (!once_spend(o, size))
        return false;
    view->format = (const char *)o->p + width;
    view->format_size = size;
    return envelope_format_valid(view->format, size);
}

bool envelope_decode_once(const uint8_t *in, size_t in_size,
                          struct envelope_view *view)
{
    struct once o = {.p = in, .slack = 0};
    struct envelope_view found;

    if (!once_block(&o, in_size, &found) || !once_checksum(&o, &found) ||
        !once_size(&o, &found) || !once_format(&o, &found))
        return false;
    *view = found;
    return true;
}

enum envelope_kind envelope_decode(const uint8_t *in, size_t in_size,
                                   const struct alloc *alloc,
                                   struct envelope_view *view,
                                   struct envelope_error *error)
{
    if (in_size > ENVELOPE_COMPRESSED_MAX)
        return envelope_fail(error, ENVELOPE_INPUT_TOO_LARGE);
    if (LIKELY(envelope_decode_once(in, in_size, view)))
        return ENVELOPE_OK;
    return envelope_decode_full(in, in_size, alloc, view, error);
}
