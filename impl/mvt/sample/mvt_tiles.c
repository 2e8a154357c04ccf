/* SPDX-License-Identifier: MIT */
/* Finding the real tiles. */
#include "mvt/sample/mvt_tiles.h"

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

/* The line at *at, which moves behind it.  false: it is none. */
static bool parse_line(const char *text, size_t size, size_t *at,
                       struct mvt_tile_file *out)
{
    const char *line = text + *at;
    const char *end = memchr(line, '\n', size - *at);
    const char *space =
        end == NULL ? NULL : memchr(line, ' ', (size_t)(end - line));
    char *after;

    if (space == NULL)
        return false;
    out->size = strtoul(line, &after, 10);
    if (after != space)
        return false;
    out->path = strndup(space + 1, (size_t)(end - space - 1));
    *at = (size_t)(end + 1 - text);
    return out->path != NULL;
}

static bool parse_all(const char *text, size_t size, struct mvt_tiles *out)
{
    size_t lines = 0, at = 0;

    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    *out = (struct mvt_tiles){.files = calloc(lines + 1, sizeof(*out->files))};
    while (out->files != NULL && at < size) {
        if (!parse_line(text, size, &at, &out->files[out->count])) {
            mvt_tiles_free(out);
            return false;
        }
        out->count++;
    }
    return out->files != NULL;
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

bool mvt_tiles_parse(const char *text, size_t size, enum mvt_tile_set set,
                     struct mvt_tiles *out)
{
    if (!parse_all(text, size, out))
        return false;
    qsort(out->files, out->count, sizeof(*out->files),
          set == MVT_TILES_REAL ? by_path : by_size);
    if (set == MVT_TILES_DECODE)
        keep_set(out, LARGEST);
    else if (set == MVT_TILES_ENCODE)
        keep_set(out, 0);
    return true;
}

bool mvt_tiles_list(enum mvt_tile_set set, struct mvt_tiles *out)
{
    size_t size;
    uint8_t *text = mvt_tiles_read(MVT_TILES_LIST, &size);
    bool listed =
        text != NULL && mvt_tiles_parse((const char *)text, size, set, out);

    free(text);
    return listed;
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
