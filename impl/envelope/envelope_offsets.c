/* SPDX-License-Identifier: MIT */
/* The walk over a block's sequences, in search of an offset 0. */
#include "envelope/envelope_offsets.h"

/* From a token to the byte after its offset, for tokens whose sequence has no
 * length bytes; 0 for the others. */
#define ROW(n) n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, 0
static const uint8_t advances[256] = {
    ROW(3),  ROW(4),  ROW(5),  ROW(6),  ROW(7),  ROW(8),  ROW(9), ROW(10),
    ROW(11), ROW(12), ROW(13), ROW(14), ROW(15), ROW(16), ROW(17)};
#define ADVANCE_MAX 17

size_t envelope_offsets_walk(const uint8_t *block, size_t block_size,
                             size_t at, size_t until)
{
    /* Up to here a usual token's sequence is in the block with its offset. */
    const size_t usual_end =
        block_size > ADVANCE_MAX ? block_size - ADVANCE_MAX : 0;
    const size_t usual_until = until < usual_end ? until : usual_end;

    while (at < until) {
        uint8_t advance;
        while (at < usual_until && (advance = advances[block[at]]) != 0) {
            at += advance;
            if (UNLIKELY(offsets_load(block + at - OFFSETS_SIZE) == 0))
                return 0;
        }
        if (at < until)
            at = offsets_step(block, block_size, at);
        if (at == 0)
            return 0;
    }
    return at;
}
