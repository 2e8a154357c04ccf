/* SPDX-License-Identifier: MIT */
/* Packed strings by table: both directions. */
#include "wabin/wabin_packed.h"

#define NIBBLE_GLYPH(half)                                                    \
    ((half) < 10    ? '0' + (half)                                            \
     : (half) == 10 ? '-'                                                     \
     : (half) == 11 ? '.'                                                     \
     : (half) == 15 ? '\0'                                                    \
                    : WABIN_NO_GLYPH)
#define HEX_GLYPH(half) ((half) < 10 ? '0' + (half) : 'A' + (half)-10)

#define GLYPHS4(of, h) of(h), of((h) + 1), of((h) + 2), of((h) + 3)
#define GLYPHS16(of)                                                          \
    {                                                                         \
        GLYPHS4(of, 0), GLYPHS4(of, 4), GLYPHS4(of, 8), GLYPHS4(of, 12)       \
    }

#define PAIR(of, byte)                                                        \
    {                                                                         \
        of((byte) >> 4), of((byte)&15)                                        \
    }
#define PAIRS4(of, b)                                                         \
    PAIR(of, b), PAIR(of, (b) + 1), PAIR(of, (b) + 2), PAIR(of, (b) + 3)
#define PAIRS16(of, b)                                                        \
    PAIRS4(of, b), PAIRS4(of, (b) + 4), PAIRS4(of, (b) + 8),                  \
        PAIRS4(of, (b) + 12)
#define PAIRS64(of, b)                                                        \
    PAIRS16(of, b), PAIRS16(of, (b) + 16), PAIRS16(of, (b) + 32),             \
        PAIRS16(of, (b) + 48)
#define PAIRS256(of)                                                          \
    {                                                                         \
        PAIRS64(of, 0), PAIRS64(of, 64), PAIRS64(of, 128), PAIRS64(of, 192)   \
    }

const struct wabin_alphabet wabin_nibbles = {
    .glyphs = GLYPHS16(NIBBLE_GLYPH),
    .pairs = PAIRS256(NIBBLE_GLYPH),
};

const struct wabin_alphabet wabin_hex = {
    .glyphs = GLYPHS16(HEX_GLYPH),
    .pairs = PAIRS256(HEX_GLYPH),
};

static inline uint16_t put_pair(const struct wabin_alphabet *alphabet,
                                uint8_t byte, char *out)
{
    uint16_t pair;

    memcpy(&pair, alphabet->pairs[byte], sizeof(pair));
    memcpy(out, &pair, sizeof(pair));
    return pair;
}

/* Characters are ASCII and the marker is not: one bit gathers whether any
 * pair held it. */
const uint8_t *wabin_unpack_table(const uint8_t *in, size_t in_size,
                                  const struct wabin_window *window,
                                  const struct wabin_alphabet *alphabet,
                                  char *out)
{
    const uint8_t *end = in + in_size;
    unsigned seen = 0;

    (void)window;
    for (; end - in >= 4; in += 4, out += 8) {
        seen |= put_pair(alphabet, in[0], out);
        seen |= put_pair(alphabet, in[1], out + 2);
        seen |= put_pair(alphabet, in[2], out + 4);
        seen |= put_pair(alphabet, in[3], out + 6);
    }
    for (; in != end; in++, out += 2)
        seen |= put_pair(alphabet, in[0], out);
    return (seen & 0x8080) == 0 ? in : NULL;
}

wabin_unpack_fn *wabin_unpack_fastest(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("ssse3"))
        return wabin_unpack_ssse3;
#endif
    return wabin_unpack_table;
}

unsigned wabin_bad_half(const uint8_t *in, size_t in_size,
                        const struct wabin_alphabet *alphabet, size_t *byte_at)
{
    for (size_t i = 0; i < in_size; i++) {
        *byte_at = i;
        if (alphabet->pairs[in[i]][0] == WABIN_NO_GLYPH)
            return in[i] >> 4;
        if (alphabet->pairs[in[i]][1] == WABIN_NO_GLYPH)
            return in[i] & 15;
    }
    return 0;
}

#define IS_NIBBLE 1
#define IS_HEX    2

/** What a character can be packed as, and its half byte. */
struct half {
    uint8_t packings;
    uint8_t value;
};

#define DIGIT(c, v)  [c] = {IS_NIBBLE | IS_HEX, v}
#define LETTER(c, v) [c] = {IS_HEX, v}

static const struct half halves[256] = {
    DIGIT('0', 0),   DIGIT('1', 1),           DIGIT('2', 2),
    DIGIT('3', 3),   DIGIT('4', 4),           DIGIT('5', 5),
    DIGIT('6', 6),   DIGIT('7', 7),           DIGIT('8', 8),
    DIGIT('9', 9),   LETTER('A', 10),         LETTER('B', 11),
    LETTER('C', 12), LETTER('D', 13),         LETTER('E', 14),
    LETTER('F', 15), ['-'] = {IS_NIBBLE, 10}, ['.'] = {IS_NIBBLE, 11},
};

static ALWAYS_INLINE unsigned packings_of(char c)
{
    return halves[(unsigned char)c].packings;
}

enum wabin_packing wabin_packing(struct wabin_str text)
{
    const char *c = text.data, *end = c + text.size;
    unsigned packings = IS_NIBBLE | IS_HEX;

    for (; end - c >= 4; c += 4) {
        packings &= packings_of(c[0]) & packings_of(c[1]) & packings_of(c[2]) &
                    packings_of(c[3]);
        if (packings == 0)
            return WABIN_RAW;
    }
    for (; c != end; c++)
        packings &= packings_of(*c);
    return packings & IS_NIBBLE ? WABIN_NIBBLES
           : packings & IS_HEX  ? WABIN_HEX
                                : WABIN_RAW;
}

void wabin_pack_text(struct wabin_str text, uint8_t *out)
{
    const unsigned char *c = (const unsigned char *)text.data;
    size_t pairs = text.size / 2;

    for (size_t i = 0; i < pairs; i++)
        out[i] = (uint8_t)(halves[c[2 * i]].value << 4 |
                           halves[c[2 * i + 1]].value);
    if (text.size % 2 != 0)
        out[pairs] = (uint8_t)(halves[c[2 * pairs]].value << 4 | 15);
}
