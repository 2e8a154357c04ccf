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

/* Equality of two texts of one size, by overlapping words. */
static ALWAYS_INLINE bool same_bytes(const uint8_t *a, const uint8_t *b,
                                     size_t size)
{
    if (size >= 8) {
        uint64_t differ = load_le64(a + size - 8) ^ load_le64(b + size - 8);
        for (size_t at = 0; at < size - 8; at += 8)
            differ |= load_le64(a + at) ^ load_le64(b + at);
        return differ == 0;
    }
    if (size >= 4)
        return load_le32(a) == load_le32(b) &&
               load_le32(a + size - 4) == load_le32(b + size - 4);
    return a[0] == b[0] && a[size / 2] == b[size / 2] &&
           a[size - 1] == b[size - 1];
}

uint32_t wabin_token_find(struct wabin_str text)
{
    const uint8_t *bytes = (const uint8_t *)text.data;

    if (text.size - 1 >= WABIN_TOKEN_SIZE_MAX) /* the empty text too */
        return 0;
    uint64_t hash = token_hash(bytes, text.size);
    size_t at =
        (hash >> 24 ^ token_steps[hash >> 56]) % ARRAY_COUNT(token_slots);
    struct token_slot slot = token_slots[at];
    if (slot.check != (uint16_t)(hash >> 35))
        return 0;
    const struct wabin_str *token = &wabin_token_texts[slot.token];
    if (token->size != text.size ||
        !same_bytes((const uint8_t *)token->data, bytes, text.size))
        return 0;
    return slot.token;
}
