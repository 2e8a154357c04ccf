/* SPDX-License-Identifier: MIT */
/* Real tiles in tests: there, or a test that is loudly skipped. */
#ifndef MVT_TESTS_MVT_TILES_CHECK_H
#define MVT_TESTS_MVT_TILES_CHECK_H

#include "testkit/testkit.h"

#include <stdio.h>
#include <stdlib.h>

#include "mvt/sample/mvt_tiles.h"

/** Skip the running test for want of the package; fails it where the
 * environment says that all is set up: CI. */
static inline void skip_without_tiles(void)
{
    if (getenv("CI") != NULL)
        CHECK_FAIL("no %s: run make setup", MVT_TILES_FOLDER);
    print_message("\n*** skipped: no %s; make setup brings it ***\n\n",
                  MVT_TILES_FOLDER);
    skip();
}

static inline struct mvt_tiles real_tiles(enum mvt_tile_set set)
{
    struct mvt_tiles tiles;

    if (!mvt_tiles_list(set, &tiles))
        skip_without_tiles();
    return tiles;
}

static inline uint8_t *read_tile(const char *path, size_t *size)
{
    uint8_t *data = mvt_tiles_read(path, size);

    if (data == NULL)
        CHECK_FAIL("cannot read %s", path);
    return data;
}

/** The bytes of a conformance tile's file, for free(), with room for one more;
 * skips the test without the package. */
static inline uint8_t *read_fixture(int number, const char *name, size_t *size)
{
    char path[160];

    snprintf(path, sizeof(path), MVT_TILES_FOLDER "/fixtures/%03d/%s", number,
             name);
    uint8_t *data = mvt_tiles_read(path, size);
    if (data == NULL)
        skip_without_tiles();
    return data;
}

#endif
