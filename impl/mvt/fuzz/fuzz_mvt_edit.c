/* SPDX-License-Identifier: MIT */
/* A valid tile, made of the input's first two bytes, with a byte changed,
 * inserted or deleted for each four that follow: nearly valid, and still all
 * ways of reading agree. */
#include "testkit/fuzz.h"

#include <string.h>

#include "mvt/reference/mvt_agree.h"
#include "mvt/sample/mvt_sample.h"

#define TILE_SIZE 600

static void edit(uint8_t *tile, size_t *size, size_t capacity,
                 const uint8_t *e)
{
    size_t at = ((size_t)e[1] << 8 | e[2]) % (*size + 1);

    switch (e[0] % 4) {
    case 0:
        if (*size < capacity) {
            memmove(tile + at + 1, tile + at, *size - at);
            tile[at] = e[3];
            ++*size;
        }
        break;
    case 1:
        if (at < *size) {
            memmove(tile + at, tile + at + 1, *size - at - 1);
            --*size;
        }
        break;
    case 2:
        if (at < *size)
            tile[at] = e[3];
        break;
    default:
        if (at < *size)
            tile[at] ^= (uint8_t)(1u << e[3] % 8);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t tile[4096];
    struct mvt_bytes made;
    size_t tile_size;

    if (size < 2)
        return 0;
    FUZZ_CHECK(
        mvt_sample_tile((uint64_t)data[0] << 8 | data[1], TILE_SIZE, &made));
    FUZZ_CHECK(made.size < sizeof(tile));
    tile_size = made.size;
    memcpy(tile, made.data, made.size);
    mvt_bytes_free(&made);
    for (size_t i = 2; i + 4 <= size; i += 4)
        edit(tile, &tile_size, sizeof(tile), data + i);
    FUZZ_CHECK(mvt_agree(tile, tile_size) == NULL);
    return 0;
}
