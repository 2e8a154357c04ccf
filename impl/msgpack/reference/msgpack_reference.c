/* SPDX-License-Identifier: MIT */
/* The plain walk: one function a concern, steps in the specified order. */
#include "msgpack/reference/msgpack_reference.h"

#include <stdbool.h>
#include <string.h>

#include "base/cursor.h"

/* The open collections on the way to the current item: for each, the number
 * of its children that have not begun. */
struct levels {
    uint64_t *owed;
    size_t count;
    size_t capacity;
    const struct alloc *alloc;
};

/* What one marker stands for, as the format's table has it. */
struct item {
    uint64_t prefix_size;
    uint64_t payload_size;
    uint64_t child_count;
    bool is_collection;
};

/* Room for more levels.  Copies, because what a C library's realloc costs
 * depends on the heap's past, and a figure must repeat. */
static bool levels_grow(struct levels *levels)
{
    size_t capacity = levels->capacity == 0 ? 4 : 2 * levels->capacity;
    size_t old_size = levels->capacity * sizeof(*levels->owed);
    size_t new_size;
    uint64_t *grown;

    if (!size_mul(capacity, sizeof(*levels->owed), &new_size))
        return false;
    grown = alloc_get(levels->alloc, new_size);
    if (grown == NULL)
        return false;
    if (old_size != 0)
        memcpy(grown, levels->owed, old_size);
    alloc_put(levels->alloc, levels->owed, old_size);
    levels->owed = grown;
    levels->capacity = capacity;
    return true;
}

static bool levels_push(struct levels *levels, uint64_t owed)
{
    if (levels->count == levels->capacity && !levels_grow(levels))
        return false;
    levels->owed[levels->count++] = owed;
    return true;
}

/* Step 1: leave the subtrees that are finished. */
static void levels_drop(struct levels *levels)
{
    while (levels->count > 0 && levels->owed[levels->count - 1] == 0)
        levels->count--;
}

/* The number of length bytes after a marker. */
static uint64_t prefix_size_of(uint8_t marker)
{
    switch (marker) {
    case 0xc4: /* bin 8 */
    case 0xc7: /* ext 8 */
    case 0xd9: /* str 8 */
        return 1;
    case 0xc5:
    case 0xc8:
    case 0xda:
    case 0xdc: /* array 16 */
    case 0xde: /* map 16 */
        return 2;
    case 0xc6:
    case 0xc9:
    case 0xdb:
    case 0xdd:
    case 0xdf:
        return 4;
    default:
        return 0;
    }
}

/* The payload of markers c0 to df without what their prefix declares. */
static uint64_t fixed_payload_of(uint8_t marker)
{
    switch (marker) {
    case 0xc7: /* ext 8, 16, 32: the type byte */
    case 0xc8:
    case 0xc9:
    case 0xcc: /* uint 8 */
    case 0xd0: /* int 8 */
        return 1;
    case 0xcd:
    case 0xd1:
    case 0xd4: /* fixext 1: type and data, and so on */
        return 2;
    case 0xd5:
        return 3;
    case 0xca: /* float 32 */
    case 0xce:
    case 0xd2:
        return 4;
    case 0xd6:
        return 5;
    case 0xcb:
    case 0xcf:
    case 0xd3:
        return 8;
    case 0xd7:
        return 9;
    case 0xd8:
        return 17;
    default:
        return 0;
    }
}

/* The item of a marker whose length prefix, if it has one, says n. */
static struct item item_of(uint8_t marker, uint64_t n)
{
    struct item item = {.prefix_size = prefix_size_of(marker)};

    if (marker >= 0x80 && marker <= 0x9f) {
        item.is_collection = true;
        item.child_count =
            marker < 0x90 ? UINT64_C(2) * (marker & 15) : (marker & 15);
    } else if (marker >= 0xa0 && marker <= 0xbf) {
        item.payload_size = marker & 31;
    } else if (marker >= 0xdc && marker <= 0xdf) {
        item.is_collection = true;
        item.child_count = marker < 0xde ? n : 2 * n;
    } else {
        item.payload_size = fixed_payload_of(marker) + n;
    }
    return item;
}

static uint64_t read_prefix(const uint8_t *p, uint64_t prefix_size)
{
    switch (prefix_size) {
    case 1:
        return p[0];
    case 2:
        return load_be16(p);
    case 4:
        return load_be32(p);
    default:
        return 0;
    }
}

/* Steps 2 to 9 for the item at the cursor. */
static enum msgpack_fault step(struct cursor *in, uint64_t *pending,
                               struct levels *levels, size_t max_depth)
{
    uint8_t marker;

    if (cursor_take_u8(in, &marker) != ST_OK)
        return MSGPACK_UNEXPECTED_END;
    (*pending)--;
    if (levels->count > 0)
        levels->owed[levels->count - 1]--;
    if (marker == 0xc1)
        return MSGPACK_RESERVED_MARKER;
    if (cursor_left(in) < prefix_size_of(marker))
        return MSGPACK_TRUNCATED_PREFIX;

    uint64_t n = read_prefix(in->data + in->at, prefix_size_of(marker));
    struct item item = item_of(marker, n);
    if (item.is_collection && levels->count >= max_depth)
        return MSGPACK_TOO_DEEP;
    in->at += (size_t)item.prefix_size;
    if (item.payload_size > cursor_left(in))
        return MSGPACK_BYTES_OVERCLAIM;
    in->at += (size_t)item.payload_size;
    if (item.child_count > 0 && !levels_push(levels, item.child_count))
        return MSGPACK_OUT_OF_MEMORY;
    *pending += item.child_count;
    if (*pending > cursor_left(in))
        return MSGPACK_ELEMENTS_OVERCLAIM;
    return MSGPACK_OK;
}

enum msgpack_fault msgpack_reference_size(const uint8_t *in, size_t in_size,
                                          size_t max_depth,
                                          const struct alloc *alloc,
                                          size_t *size,
                                          struct msgpack_error *error)
{
    struct cursor cursor = cursor_init(in, in_size);
    struct levels levels = {.alloc = alloc};
    uint64_t pending = 1;
    enum msgpack_fault fault = MSGPACK_OK;
    size_t item_at = 0;

    while (pending != 0 && fault == MSGPACK_OK) {
        levels_drop(&levels);
        item_at = cursor.at;
        fault = step(&cursor, &pending, &levels, max_depth);
    }
    alloc_put(alloc, levels.owed, levels.capacity * sizeof(*levels.owed));
    if (fault == MSGPACK_OK && size != NULL)
        *size = cursor.at;
    if (fault != MSGPACK_OK && error != NULL)
        *error = (struct msgpack_error){
            .fault = fault, .max_depth = max_depth, .fault_at = item_at};
    return fault;
}
