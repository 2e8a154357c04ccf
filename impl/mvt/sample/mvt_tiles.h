/* SPDX-License-Identifier: MIT */
/* Where the real tiles lie that `make setup` brings, and the sets of them that
 * are measured. */
#ifndef MVT_SAMPLE_MVT_TILES_H
#define MVT_SAMPLE_MVT_TILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"

/** The package's folder, from the project's root, where programs start. */
#define MVT_TILES_FOLDER "node_modules/@mapbox/mvt-fixtures"

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

/** List a set.  false: the package is not there, or there is no memory. */
MUST_CHECK bool mvt_tiles_list(enum mvt_tile_set set, struct mvt_tiles *out);

void mvt_tiles_free(struct mvt_tiles *tiles);

/** A file's bytes, for free(); NULL when it cannot be read. */
uint8_t *mvt_tiles_read(const char *path, size_t *size);

#endif
