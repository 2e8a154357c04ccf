/* SPDX-License-Identifier: MIT */
/* The tiles of a case, and the digests of what operations make of them. */
#include "mvt/mvt_case_state.h"

#include "mvt/sample/mvt_sample.h"

/* ---- setup ---------------------------------------------------------------
 */

static bool load_real(const struct bench_setup *s, enum mvt_tile_set set,
                      struct mvt_case_state *st)
{
    struct mvt_tiles files;
    size_t size;
    const char *list = bench_file(s, MVT_TILES_LIST, &size);

    if (!mvt_tiles_parse(list, size, set, &files))
        return false;
    st->tiles = bench_buffer(s, files.count * sizeof(*st->tiles));
    for (; st->count < files.count; st->count++) {
        struct mvt_case_tile *tile = &st->tiles[st->count];
        tile->data = bench_file(s, files.files[st->count].path, &tile->size);
    }
    mvt_tiles_free(&files);
    return true;
}

static bool make_synthetic(const struct bench_setup *s, size_t size,
                           struct mvt_case_state *st)
{
    struct mvt_bytes bytes;

    if (!mvt_sample_tile(s->seed, size, &bytes))
        return false;
    st->tiles = bench_buffer(s, sizeof(*st->tiles));
    st->tiles[0].data = bench_input(s, bytes.data, bytes.size);
    st->tiles[0].size = bytes.size;
    st->count = 1;
    mvt_bytes_free(&bytes);
    return true;
}

void *mvt_case_setup(const struct bench_setup *s)
{
    const struct mvt_case_input *input = s->arg;
    struct mvt_case_state *st = bench_buffer(s, sizeof(*st));

    if (input->synth_size != 0) {
        if (!make_synthetic(s, input->synth_size, st))
            return bench_fail(s, "no memory for a synthetic tile");
    } else if (!load_real(s, input->set, st)) {
        return bench_fail(s, MVT_TILES_LIST " is no list of tiles");
    }
    st->options.path = input->path;
    mvt_reader_init(&st->reader, &st->options);
    mvt_buffer_init(&st->buffer, NULL);
    mvt_writer_init(&st->writer, NULL);
    return st;
}

void *mvt_case_setup_owned(const struct bench_setup *s)
{
    struct mvt_case_state *st = mvt_case_setup(s);
    struct mvt_error error;

    for (size_t i = 0; st != NULL && i < st->count; i++) {
        struct mvt_case_tile *tile = &st->tiles[i];
        if (mvt_reader_open(&st->reader, tile->data, tile->size, &error) !=
                MVT_OK ||
            mvt_reader_to_tile(&st->reader, NULL, &tile->owned, &error) !=
                MVT_OK) {
            mvt_case_teardown(st);
            return bench_fail(s, "a tile has no owned form");
        }
    }
    return st;
}

void mvt_case_teardown(void *state)
{
    struct mvt_case_state *st = state;

    for (size_t i = 0; i < st->count; i++)
        mvt_tile_free(&st->tiles[i].owned);
    mvt_reader_free(&st->reader);
    mvt_buffer_free(&st->buffer);
    mvt_writer_free(&st->writer);
}

/* ---- digests -------------------------------------------------------------
 */

static bool put_text(void *ctx, const char *text, size_t size)
{
    bench_digest(ctx, text, size);
    return true;
}

void mvt_work_read(void *state, const struct bench_digest *d)
{
    struct mvt_case_state *st = state;
    struct bench_digest digest = *d;
    struct mvt_error error;

    for (size_t i = 0; i < st->count; i++) {
        enum mvt_fault fault = mvt_reader_open(&st->reader, st->tiles[i].data,
                                               st->tiles[i].size, &error);
        if (fault == MVT_OK)
            fault = mvt_dump(&st->reader, put_text, &digest, NULL);
        bench_digest_u64(d, fault);
    }
}

void mvt_work_write(void *state, const struct bench_digest *d)
{
    struct mvt_case_state *st = state;
    const uint8_t *data;
    size_t size;

    for (size_t i = 0; i < st->count; i++)
        if (mvt_writer_tile(&st->writer, &st->tiles[i].owned, &data, &size) ==
            MVT_OK)
            bench_digest(d, data, size);
}

static void put_elements(const struct bench_digest *d,
                         const struct mvt_elements *e)
{
    bench_digest_u64(d, e->count);
    if (e->count != 0)
        bench_digest(d, e->data, e->count * sizeof(*e->data));
}

void mvt_work_tags(void *state, const struct bench_digest *d)
{
    struct mvt_case_state *st = state;
    struct mvt_elements tags, commands;
    struct mvt_error error;

    for (size_t i = 0; i < st->count; i++) {
        if (mvt_reader_open(&st->reader, st->tiles[i].data, st->tiles[i].size,
                            &error) != MVT_OK)
            continue;
        for (size_t k = 0; k < st->reader.feature_count; k++) {
            struct mvt_feature f = {.reader = &st->reader,
                                    .record = &st->reader.features[k]};
            if (mvt_feature_tags(&f, &tags) != MVT_OK ||
                mvt_feature_commands(&f, &commands) != MVT_OK)
                continue;
            put_elements(d, &tags);
            put_elements(d, &commands);
        }
    }
}
