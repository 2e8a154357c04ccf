/* SPDX-License-Identifier: MIT */
/* The dictionary by number, and by text through a hash without collisions
 * that tokens.py finds; both are constant data. */
#include "wabin/wabin_token.h"

#include "base/cursor.h"

struct token_slot {
    uint16_t token; /* 0: empty */
    uint16_t check; /* bits of the hash that neither bucket nor slot uses */
};

#include "wabin/wabin_token_hash.inc"

#define SINGLE(number, text) [number] = {text, sizeof(text) - 1},
#define DOUBLE(dict, index, text)                                             \
    [236 + 256 * (dict) + (index)] = {text, sizeof(text) - 1},

const struct wabin_str wabin_token_texts[WABIN_TOKEN_COUNT] = {
#include "wabin/tokens.def"
};

/*
 * Up to 16 bytes the loads cover the whole text, so only equal texts have
 * equal loads; beyond that the middle word keeps the tokens apart.
 */
static ALWAYS_INLINE uint64_t token_hash(const uint8_t *text, size_t size)
{
    uint64_t first, last;

    if (size >= 8) {
        first = load_le64(text);
        last = load_le64(text + size - 8);
        last += 3 * load_le64(text + size / 2 - 4);
    } else if (size >= 4) {
        first = load_le32(text);
        last = load_le32(text + size - 4);
    } else {
        first = (uint64_t)text[0] | (uint64_t)text[size / 2] << 8;
        last = text[size - 1];
    }
    first ^= (uint64_t)size << 57 ^ last * TOKEN_HASH_LAST;
    first ^= first >> 32;
    return first * TOKEN_HASH_ALL;
}

uint32_t wabin_token_find(struct wabin_str text)
{
    if (text.size - 1 >= WABIN_TOKEN_SIZE_MAX) /* the empty text too */
        return 0;
    uint64_t hash = token_hash((const uint8_t *)text.data, text.size);
    size_t at =
        (hash >> 24 ^ token_steps[hash >> 56]) % ARRAY_COUNT(token_slots);
    struct token_slot slot = token_slots[at];
    if (slot.check != (uint16_t)(hash >> 35))
        return 0;
    return wabin_str_equal(wabin_token_texts[slot.token], text) ? slot.token
                                                                : 0;
}
