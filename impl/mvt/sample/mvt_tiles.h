/* SPDX-License-Identifier: MIT */
/* Where the real tiles lie that `make setup` brings, and the sets of them that
 * are measured. */
#ifndef MVT_SAMPLE_MVT_TILES_H
#define MVT_SAMPLE_MVT_TILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"

/** The package's folder, and the list of its real tiles: lines of a size, a
 * space and a path.  From the project's root, where tests start. */
#define MVT_TILES_FOLDER "node_modules/@mapbox/mvt-fixtures"
#define MVT_TILES_LIST   "data/mvt-tiles.txt"

/** A tile's file. */
struct mvt_tile_file {
    char *path; /* from the project's root */
    size_t size;
};

/** Some tiles, in byte order of their paths or as a set asks for. */
struct mvt_tiles {
    struct mvt_tile_file *files;
    size_t count;
};

/** Which of the real tiles. */
enum mvt_tile_set {
    MVT_TILES_REAL,   /* all 207, by path */
    MVT_TILES_DECODE, /* by size: 10 smallest, 20 from the middle, 3 largest */
    MVT_TILES_ENCODE, /* the same without the 3 largest */
};

/** Take a set from the text of MVT_TILES_LIST.  false: it is no such text, or
 * there is no memory. */
MUST_CHECK bool mvt_tiles_parse(const char *text, size_t size,
                                enum mvt_tile_set set, struct mvt_tiles *out);

/** Like mvt_tiles_parse, for the list where it lies.  false also when the
 * tiles are not there. */
MUST_CHECK bool mvt_tiles_list(enum mvt_tile_set set, struct mvt_tiles *out);

void mvt_tiles_free(struct mvt_tiles *tiles);

/** A file's bytes, for free(), with room for one more; NULL when it cannot be
 * read. */
uint8_t *mvt_tiles_read(const char *path, size_t *size);

#endif
