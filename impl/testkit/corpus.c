/* SPDX-License-Identifier: MIT */
/* Corpus replay: the inputs of a fuzz target without a fuzzing engine. */
#include "testkit/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/guard.h"

/* Most cuts of one file; a longer one is cut in equal steps. */
#define CUTS_MAX 4096

void fuzz_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: property does not hold: %s\n", file, line,
            condition);
    abort();
}

/* A whole file as a malloced buffer, or NULL with a message. */
static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    uint8_t *bytes = NULL;
    long end = -1;

    if (f != NULL && fseek(f, 0, SEEK_END) == 0 && (end = ftell(f)) >= 0 &&
        fseek(f, 0, SEEK_SET) == 0 && (bytes = malloc((size_t)end + 1)) &&
        fread(bytes, 1, (size_t)end, f) == (size_t)end) {
        *size = (size_t)end;
    } else {
        perror(path);
        free(bytes);
        bytes = NULL;
    }
    if (f != NULL)
        fclose(f);
    return bytes;
}

/* Run the target on the first size bytes, in a guarded buffer that has room
 * for them. */
static void run_prefix(fuzz_target *target, uint8_t *room, size_t room_size,
                       const uint8_t *bytes, size_t size)
{
    uint8_t *input = room + room_size - size;

    memcpy(input, bytes, size);
    target(input, size);
}

static size_t replay_bytes(fuzz_target *target, const uint8_t *bytes,
                           size_t size)
{
    uint8_t *room = guard_new(size);
    size_t step = size / CUTS_MAX + 1;
    size_t run_count = 1;

    for (size_t cut = 0; cut < size; cut += step) {
        run_prefix(target, room, size, bytes, cut);
        run_count++;
    }
    run_prefix(target, room, size, bytes, size);
    guard_free(room, size);
    return run_count;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Runs of one file, 0 when it cannot be read. */
static size_t replay_file(fuzz_target *target, const char *folder,
                          const char *name)
{
    char path[4096];
    size_t size = 0;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    uint8_t *bytes = read_file(path, &size);
    if (bytes == NULL)
        return 0;
    size_t run_count = replay_bytes(target, bytes, size);
    free(bytes);
    return run_count;
}

size_t corpus_replay(const char *folder, fuzz_target *target)
{
    struct dirent **entries = NULL;
    int entry_count = scandir(folder, &entries, is_visible, alphasort);
    size_t run_count = 0;
    int readable = 1;

    if (entry_count < 0) {
        perror(folder);
        return 0;
    }
    if (entry_count == 0)
        fprintf(stderr, "%s: no corpus file\n", folder);
    for (int i = 0; i < entry_count; i++) {
        size_t runs =
            readable ? replay_file(target, folder, entries[i]->d_name) : 0;
        readable = readable && runs != 0;
        run_count += runs;
        free(entries[i]);
    }
    free(entries);
    return readable ? run_count : 0;
}
