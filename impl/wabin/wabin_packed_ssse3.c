/* SPDX-License-Identifier: MIT */
/*
 * Packed strings by byte shuffles: 16 half bytes index a register that holds
 * the alphabet.  A value of fewer than 16 bytes is read with what stands
 * behind it, or else with what stands before it, so that the usual id of 7 to
 * 10 bytes is one step without a loop; what that writes too much falls into
 * the slack behind the output.
 */
#include "wabin/wabin_packed.h"

#if defined(__x86_64__)

#include <tmmintrin.h>

#include "base/macros.h"

#define STEP 16

#define SSSE3 __attribute__((target("ssse3")))

/* 16 packed bytes become 32 characters.  Gives one bit a byte that has a half
 * without a character: the only characters with a high bit. */
SSSE3 static ALWAYS_INLINE unsigned step(__m128i bytes, __m128i glyphs,
                                         char *out)
{
    const __m128i low_half = _mm_set1_epi8(15);
    __m128i high = _mm_and_si128(_mm_srli_epi16(bytes, 4), low_half);
    __m128i low = _mm_and_si128(bytes, low_half);

    high = _mm_shuffle_epi8(glyphs, high);
    low = _mm_shuffle_epi8(glyphs, low);
    _mm_storeu_si128((__m128i_u *)out, _mm_unpacklo_epi8(high, low));
    _mm_storeu_si128((__m128i_u *)(out + STEP), _mm_unpackhi_epi8(high, low));
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(high, low));
}

SSSE3 static inline __m128i load(const void *from)
{
    return _mm_loadu_si128((const __m128i_u *)from);
}

/* Moves the last n of 16 bytes to the front: the indices from shifts[16 - n]
 * on. */
static const uint8_t shifts[2 * STEP] = {
    0,    1,    2,    3,    4,    5,    6,    7,    8,    9,    10,
    11,   12,   13,   14,   15,   0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
};

SSSE3 static const uint8_t *unpack_long(const uint8_t *in, size_t in_size,
                                        __m128i glyphs, char *out)
{
    size_t last = in_size - STEP; /* the last step overlaps the one before */
    unsigned bad = 0;

    for (size_t at = 0; at < last; at += STEP)
        bad |= step(load(in + at), glyphs, out + 2 * at);
    bad |= step(load(in + last), glyphs, out + 2 * last);
    return bad == 0 ? in + in_size : NULL;
}

SSSE3 const uint8_t *wabin_unpack_ssse3(const uint8_t *in, size_t in_size,
                                        const struct wabin_window *window,
                                        const struct wabin_alphabet *alphabet,
                                        char *out)
{
    __m128i glyphs = load(alphabet->glyphs), bytes;

    if (UNLIKELY(in_size >= STEP))
        return unpack_long(in, in_size, glyphs, out);
    if (window->end - in >= STEP)
        bytes = load(in);
    else if (in + in_size - window->start >= STEP)
        bytes = _mm_shuffle_epi8(load(in + in_size - STEP),
                                 load(shifts + STEP - in_size));
    else
        return wabin_unpack_table(in, in_size, window, alphabet, out);
    unsigned bad = step(bytes, glyphs, out) & ((1u << in_size) - 1);
    return LIKELY(bad == 0) ? in + in_size : NULL;
}

#endif
