/* SPDX-License-Identifier: MIT */
/* The measured operations.  Each reads what its name says of every feature of
 * every tile, and adds it up. */
#include "mvt/mvt_case_state.h"
#include "mvt/reference/mvt_reference.h"
#include "mvt/reference/mvt_traverse.h"

/* What an operation reads of a feature. */
typedef uint64_t read_feature(const struct mvt_feature *f,
                              struct mvt_buffer *buffer);

static ALWAYS_INLINE uint64_t read_geometry(const struct mvt_feature *f,
                                            struct mvt_buffer *buffer)
{
    struct mvt_geometry g;
    uint64_t sum = 0;

    (void)buffer;
    if (mvt_feature_geometry(f, NULL, &g) == MVT_OK) {
        sum = mvt_sum_geometry(&g);
        mvt_geometry_free(&g, NULL);
    }
    return sum;
}

static ALWAYS_INLINE uint64_t read_geometry_buffer(const struct mvt_feature *f,
                                                   struct mvt_buffer *buffer)
{
    struct mvt_geometry g;

    return mvt_feature_geometry_buffer(f, buffer, &g) == MVT_OK
               ? mvt_sum_geometry(&g)
               : 0;
}

static ALWAYS_INLINE uint64_t read_properties(const struct mvt_feature *f,
                                              struct mvt_buffer *buffer)
{
    (void)buffer;
    return mvt_sum_properties(f);
}

static ALWAYS_INLINE uint64_t read_all(const struct mvt_feature *f,
                                       struct mvt_buffer *buffer)
{
    uint64_t id;

    mvt_feature_id(f, &id);
    return id + read_geometry(f, buffer) + mvt_sum_properties(f);
}

static ALWAYS_INLINE uint64_t read_all_buffer(const struct mvt_feature *f,
                                              struct mvt_buffer *buffer)
{
    uint64_t id;

    mvt_feature_id(f, &id);
    return id + read_geometry_buffer(f, buffer) + mvt_sum_properties(f);
}

static ALWAYS_INLINE uint64_t read_elements(const struct mvt_feature *f,
                                            struct mvt_buffer *buffer)
{
    struct mvt_elements tags, commands;

    (void)buffer;
    if (mvt_feature_tags(f, &tags) != MVT_OK ||
        mvt_feature_commands(f, &commands) != MVT_OK)
        return 0;
    return tags.count + commands.count +
           (tags.count == 0 ? 0 : tags.data[tags.count - 1]) +
           (commands.count == 0 ? 0 : commands.data[commands.count - 1]);
}

/* ---- tiles ---------------------------------------------------------------
 */

static ALWAYS_INLINE uint64_t read_tile(struct mvt_reader *reader,
                                        struct mvt_buffer *buffer,
                                        const struct mvt_case_tile *tile,
                                        read_feature *read)
{
    struct mvt_error error;
    uint64_t sum = 0;

    if (mvt_reader_open(reader, tile->data, tile->size, &error) != MVT_OK)
        return 0;
    for (size_t i = 0; i < mvt_reader_layer_count(reader); i++) {
        struct mvt_layer layer = mvt_reader_layer(reader, i);
        size_t count = mvt_layer_feature_count(layer);
        for (size_t j = 0; j < count; j++) {
            struct mvt_feature f = mvt_layer_feature(layer, j);
            sum += read(&f, buffer);
        }
    }
    return sum;
}

/* Each tile with a reader and a buffer of its own. */
static ALWAYS_INLINE uint64_t read_tiles(const struct mvt_case_state *st,
                                         read_feature *read)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < st->count; i++) {
        struct mvt_reader reader;
        struct mvt_buffer buffer;
        mvt_reader_init(&reader, &st->options);
        mvt_buffer_init(&buffer, NULL);
        sum += read_tile(&reader, &buffer, &st->tiles[i], read);
        mvt_buffer_free(&buffer);
        mvt_reader_free(&reader);
    }
    return sum;
}

/* Opening alone: no loop over the features. */
uint64_t mvt_run_open(void *state)
{
    const struct mvt_case_state *st = state;
    struct mvt_error error;
    uint64_t sum = 0;

    for (size_t i = 0; i < st->count; i++) {
        const struct mvt_case_tile *tile = &st->tiles[i];
        struct mvt_reader reader;
        mvt_reader_init(&reader, &st->options);
        sum += mvt_reader_open(&reader, tile->data, tile->size, &error) +
               reader.layer_count + reader.feature_count;
        mvt_reader_free(&reader);
    }
    return sum;
}

uint64_t mvt_run_geometry(void *state)
{
    return read_tiles(state, read_geometry);
}

uint64_t mvt_run_geometry_buffer(void *state)
{
    return read_tiles(state, read_geometry_buffer);
}

uint64_t mvt_run_properties(void *state)
{
    return read_tiles(state, read_properties);
}

uint64_t mvt_run_traverse(void *state)
{
    return read_tiles(state, read_all);
}

uint64_t mvt_run_traverse_buffer(void *state)
{
    return read_tiles(state, read_all_buffer);
}

uint64_t mvt_run_traverse_reused(void *state)
{
    struct mvt_case_state *st = state;
    uint64_t sum = 0;

    for (size_t i = 0; i < st->count; i++)
        sum += read_tile(&st->reader, &st->buffer, &st->tiles[i],
                         read_all_buffer);
    return sum;
}

uint64_t mvt_run_tags(void *state)
{
    return read_tiles(state, read_elements);
}

uint64_t mvt_run_to_tile(void *state)
{
    const struct mvt_case_state *st = state;
    struct mvt_error error;
    uint64_t sum = 0;

    for (size_t i = 0; i < st->count; i++) {
        struct mvt_reader reader;
        struct mvt_tile tile;
        mvt_reader_init(&reader, &st->options);
        if (mvt_reader_open(&reader, st->tiles[i].data, st->tiles[i].size,
                            &error) == MVT_OK &&
            mvt_reader_to_tile(&reader, NULL, &tile, &error) == MVT_OK) {
            sum += tile.layer_count + tile.layers[0].feature_count;
            mvt_tile_free(&tile);
        }
        mvt_reader_free(&reader);
    }
    return sum;
}

/* ---- writing -------------------------------------------------------------
 */

/* One writer for all tiles of all operations, as for a server's. */
uint64_t mvt_run_encode_borrowed(void *state)
{
    struct mvt_case_state *st = state;
    const uint8_t *data;
    size_t size;
    uint64_t sum = 0;

    for (size_t i = 0; i < st->count; i++)
        if (mvt_writer_tile(&st->writer, &st->tiles[i].owned, &data, &size) ==
            MVT_OK)
            sum += size + data[size / 2];
    return sum;
}

uint64_t mvt_run_encode_owned(void *state)
{
    struct mvt_case_state *st = state;
    const uint8_t *data;
    struct mvt_tile copy;
    size_t size;
    uint64_t sum = 0;

    for (size_t i = 0; i < st->count; i++)
        if (mvt_tile_copy(&st->tiles[i].owned, NULL, &copy) == MVT_OK &&
            mvt_writer_tile_owned(&st->writer, &copy, &data, &size) == MVT_OK)
            sum += size + data[size / 2];
    return sum;
}

/* ---- protobuf-c ----------------------------------------------------------
 */

static ALWAYS_INLINE uint64_t run_reference(const struct mvt_case_state *st,
                                            bool traverse)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < st->count; i++) {
        struct mvt_reference reference;
        if (!mvt_reference_open(&reference, st->tiles[i].data,
                                st->tiles[i].size))
            continue;
        sum += traverse ? mvt_reference_traverse(&reference) : 1;
        mvt_reference_free(&reference);
    }
    return sum;
}

uint64_t mvt_run_reference_open(void *state)
{
    return run_reference(state, false);
}

uint64_t mvt_run_reference_traverse(void *state)
{
    return run_reference(state, true);
}
