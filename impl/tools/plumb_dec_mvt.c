/* SPDX-License-Identifier: MIT */
/* plumb-dec mvt: a vector tile as text, as JSON, or in numbers. */
#include "tools/plumb_dec_mvt.h"

#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "tools/plumb_dec.h"
#include "tools/plumb_dec_io.h"

/* What is printed. */
enum form { FORM_DUMP, FORM_JSON, FORM_STATS };

struct options {
    const char *path;
    enum form form;
};

static bool parse_options(int argc, char **argv, struct options *options)
{
    static const struct option longs[] = {
        {"json", no_argument, NULL, 'j'},
        {"stats", no_argument, NULL, 's'},
        {NULL, 0, NULL, 0},
    };
    int letter;

    *options = (struct options){.form = FORM_DUMP};
    while ((letter = getopt_long(argc, argv, "", longs, NULL)) != -1) {
        if (letter != 'j' && letter != 's')
            return false;
        options->form = letter == 'j' ? FORM_JSON : FORM_STATS;
    }
    if (optind + 1 != argc)
        return false;
    options->path = argv[optind];
    return true;
}

/* ---- gzip ----------------------------------------------------------------
 */

static bool is_gzip(const struct plumb_dec_input *input)
{
    return input->size >= 2 && input->data[0] == 0x1f &&
           input->data[1] == 0x8b;
}

/* Unpack into a block that doubles.  zlib counts input in 32 bits. */
static bool inflate_all(z_stream *z, struct plumb_dec_input *out)
{
    size_t capacity = 65536;
    int status = Z_OK;

    *out = (struct plumb_dec_input){.data = malloc(capacity)};
    while (out->data != NULL && status == Z_OK) {
        if (out->size == capacity) {
            uint8_t *grown = realloc(out->data, capacity * 2);
            if (grown == NULL)
                break;
            out->data = grown;
            capacity *= 2;
        }
        size_t room = capacity - out->size;
        z->next_out = out->data + out->size;
        z->avail_out = room > UINT_MAX ? UINT_MAX : (uInt)room;
        uInt before = z->avail_out;
        status = inflate(z, Z_NO_FLUSH);
        out->size += before - z->avail_out;
    }
    return status == Z_STREAM_END;
}

/* Replace a gzip file by what it holds.  false: it is damaged, or there is no
 * memory; a message has been printed. */
static bool unpack_gzip(struct plumb_dec_input *input)
{
    z_stream z = {.next_in = input->data};
    struct plumb_dec_input out = {0};
    bool unpacked;

    if (input->size > UINT_MAX || inflateInit2(&z, 16 + MAX_WBITS) != Z_OK) {
        fprintf(stderr, "Error: too large to unpack\n");
        return false;
    }
    z.avail_in = (uInt)input->size;
    unpacked = inflate_all(&z, &out);
    if (!unpacked)
        fprintf(stderr, "Error: gzip data ends or is damaged at byte %lu\n",
                z.total_in);
    inflateEnd(&z);
    if (!unpacked) {
        free(out.data);
        return false;
    }
    plumb_dec_release(input);
    *input = out;
    return true;
}

/* ---- statistics ----------------------------------------------------------
 */

/* Bytes that an open tile holds, counted on their way to the C library. */
static void *count_alloc(void *ctx, size_t size)
{
    *(size_t *)ctx += size;
    return malloc(size);
}

static void *count_resize(void *ctx, void *p, size_t old_size, size_t size)
{
    *(size_t *)ctx += size - old_size;
    return realloc(p, size);
}

static void count_release(void *ctx, void *p, size_t size)
{
    *(size_t *)ctx -= size;
    free(p);
}

static void print_stats(const struct mvt_reader *r, size_t packed_size,
                        size_t heap_size)
{
    size_t keys = 0, values = 0;

    for (size_t i = 0; i < mvt_reader_layer_count(r); i++) {
        keys += mvt_layer_key_count(mvt_reader_layer(r, i));
        values += mvt_layer_value_count(mvt_reader_layer(r, i));
    }
    printf("layers    %zu\n", mvt_reader_layer_count(r));
    printf("features  %zu\n", r->feature_count);
    printf("keys      %zu\n", keys);
    printf("values    %zu\n", values);
    printf("bytes     %zu\n", r->tile_size);
    if (packed_size != r->tile_size)
        printf("gzip      %zu\n", packed_size);
    printf("heap      %zu\n", heap_size);
}

/* ---- the command ---------------------------------------------------------
 */

static bool put(void *ctx, const char *text, size_t size)
{
    return fwrite(text, 1, size, ctx) == size;
}

static enum plumb_dec_exit print_error(const struct mvt_error *error,
                                       const struct plumb_dec_input *input)
{
    char text[512];

    mvt_error_text(error, input->data, text, sizeof(text));
    fprintf(stderr, "Error: %s\n", text);
    if (error->fault == MVT_NO_MEMORY)
        return PLUMB_DEC_UNREADABLE;
    size_t at = error->fault == MVT_DECODE ? error->wire.at : error->layer_at;
    fprintf(stderr, "  at byte %zu of %zu\n", at, input->size);
    return PLUMB_DEC_REJECTED;
}

static bool print_form(const struct mvt_reader *r, enum form form,
                       size_t packed_size, size_t heap_size)
{
    switch (form) {
    case FORM_JSON:
        return plumb_dec_mvt_json(stdout, r);
    case FORM_STATS:
        print_stats(r, packed_size, heap_size);
        return true;
    default: /* what cannot be written is found at the end */
        return mvt_dump(r, put, stdout, NULL) != MVT_NO_MEMORY;
    }
}

static enum plumb_dec_exit read_tile(const struct plumb_dec_input *input,
                                     enum form form, size_t packed_size)
{
    size_t heap_size = 0;
    struct alloc counting = {.alloc = count_alloc,
                             .resize = count_resize,
                             .release = count_release,
                             .ctx = &heap_size};
    struct mvt_options options = {.alloc = &counting};
    enum plumb_dec_exit status = PLUMB_DEC_OK;
    struct mvt_error error;
    struct mvt_reader r;

    mvt_reader_init(&r, &options);
    if (mvt_reader_open(&r, input->data, input->size, &error) != MVT_OK) {
        status = print_error(&error, input);
    } else if (!print_form(&r, form, packed_size, heap_size)) {
        fprintf(stderr, "Error: out of memory\n");
        status = PLUMB_DEC_UNREADABLE;
    }
    mvt_reader_free(&r);
    return status;
}

enum plumb_dec_exit plumb_dec_mvt(int argc, char **argv)
{
    struct plumb_dec_input input;
    struct options options;
    enum plumb_dec_exit status = PLUMB_DEC_REJECTED;

    if (!parse_options(argc, argv, &options))
        return plumb_dec_usage("mvt");
    if (!plumb_dec_read(options.path, &input))
        return PLUMB_DEC_UNREADABLE;
    size_t packed_size = input.size;
    if (!is_gzip(&input) || unpack_gzip(&input))
        status = read_tile(&input, options.form, packed_size);
    plumb_dec_release(&input);
    return status;
}
