/* SPDX-License-Identifier: MIT */
/* Finding the real tiles. */
#include "mvt/sample/mvt_tiles.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Sizes of the sets' parts. */
#define SMALLEST 10
#define MIDDLE   20
#define LARGEST  3

static int by_path(const void *a, const void *b)
{
    const struct mvt_tile_file *x = a, *y = b;
    return strcmp(x->path, y->path);
}

static int by_size(const void *a, const void *b)
{
    const struct mvt_tile_file *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return strcmp(x->path, y->path);
}

static bool add_file(struct mvt_tiles *tiles, const char *path)
{
    struct mvt_tile_file *file = &tiles->files[tiles->count];
    struct stat about;

    if (stat(path, &about) != 0)
        return false;
    file->path = strdup(path);
    if (file->path == NULL)
        return false;
    file->size = (size_t)about.st_size;
    tiles->count++;
    return true;
}

static bool list_real(struct mvt_tiles *out)
{
    glob_t found;
    bool is_whole = true;

    if (glob(MVT_TILES_FOLDER "/real-world/*/*.mvt", 0, NULL, &found) != 0)
        return false;
    *out = (struct mvt_tiles){.files =
                                  calloc(found.gl_pathc, sizeof(*out->files))};
    if (out->files == NULL)
        is_whole = false;
    for (size_t i = 0; is_whole && i < found.gl_pathc; i++)
        is_whole = add_file(out, found.gl_pathv[i]);
    globfree(&found);
    if (!is_whole)
        mvt_tiles_free(out);
    return is_whole;
}

/* Keep the files whose position a set wants, in their order. */
static void keep_set(struct mvt_tiles *tiles, size_t largest)
{
    size_t n = tiles->count, kept = 0, start = 0;

    if (n <= SMALLEST + MIDDLE + largest)
        return;
    start = (n - MIDDLE) / 2;
    if (start < SMALLEST)
        start = SMALLEST;
    if (start > n - largest - MIDDLE)
        start = n - largest - MIDDLE;
    for (size_t i = 0; i < n; i++) {
        if (i < SMALLEST || (i >= start && i < start + MIDDLE) ||
            i >= n - largest)
            tiles->files[kept++] = tiles->files[i];
        else
            free(tiles->files[i].path);
    }
    tiles->count = kept;
}

bool mvt_tiles_list(enum mvt_tile_set set, struct mvt_tiles *out)
{
    if (!list_real(out))
        return false;
    qsort(out->files, out->count, sizeof(*out->files),
          set == MVT_TILES_REAL ? by_path : by_size);
    if (set == MVT_TILES_DECODE)
        keep_set(out, LARGEST);
    else if (set == MVT_TILES_ENCODE)
        keep_set(out, 0);
    return true;
}

void mvt_tiles_free(struct mvt_tiles *tiles)
{
    for (size_t i = 0; i < tiles->count; i++)
        free(tiles->files[i].path);
    free(tiles->files);
    *tiles = (struct mvt_tiles){0};
}

uint8_t *mvt_tiles_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    struct stat about;

    if (file == NULL)
        return NULL;
    if (fstat(fileno(file), &about) == 0) {
        *size = (size_t)about.st_size;
        data = malloc(*size + 1);
    }
    if (data != NULL && fread(data, 1, *size, file) != *size) {
        free(data);
        data = NULL;
    }
    fclose(file);
    return data;
}
