/* SPDX-License-Identifier: MIT */
/* plumb-dec envelope: the fields of a storage envelope and whether it reads,
 * decrypted first if a master key is given.  Keys are never printed. */
#include "tools/plumb_dec.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "envelope/envelope.h"
#include "envelope/envelope_crypt.h"
#include "tools/plumb_dec_io.h"

struct options {
    const char *path;
    const char *key_hex; /* NULL: not encrypted */
    const char *tenant;
    const char *aad_hex;
    bool is_json;
};

/* What is printed about an envelope. */
struct findings {
    struct envelope_error error; /* the first that failed; kind OK: none */
    size_t envelope_size;        /* after decryption */
    bool has_fields;
    struct envelope_view fields; /* borrow from the input */
};

static bool parse_options(int argc, char **argv, struct options *options)
{
    const struct plumb_dec_option list[] = {
        {"key-hex", NULL, &options->key_hex},
        {"tenant", NULL, &options->tenant},
        {"aad-hex", NULL, &options->aad_hex},
        {"json", &options->is_json, NULL},
    };

    *options = (struct options){.tenant = "default", .aad_hex = ""};
    return plumb_dec_options(argc, argv, list, ARRAY_COUNT(list),
                             &options->path);
}

/* Decode pairs of digits in place; false when the text is something else. */
static bool hex_in_place(char *text, size_t *size)
{
    *size = strlen(text) / 2;
    for (size_t i = 0; i < *size; i++) {
        int high = plumb_dec_hex_digit(text[2 * i]);
        int low = plumb_dec_hex_digit(text[2 * i + 1]);

        if (high < 0 || low < 0)
            return false;
        text[i] = (char)(high << 4 | low);
    }
    return text[2 * *size] == '\0';
}

/* Decrypt the input in a buffer of its own, which takes its place; *error
 * says how that went. */
static void decrypt(const struct options *options,
                    struct envelope_bytes master, struct envelope_bytes aad,
                    struct plumb_dec_input *input,
                    struct envelope_error *error)
{
    const struct envelope_bytes sealed = {input->data, input->size};
    const struct envelope_bytes tenant = {(const uint8_t *)options->tenant,
                                          strlen(options->tenant)};
    struct envelope_keyring *ring = NULL;
    uint8_t *plain = malloc(input->size + 1);
    enum envelope_kind kind = ENVELOPE_OUT_OF_MEMORY;

    *error = (struct envelope_error){.kind = kind};
    if (plain != NULL)
        kind = envelope_keyring_new(master, NULL, 0, NULL, &ring, error);
    if (kind == ENVELOPE_OK)
        kind = envelope_keyring_decrypt(ring, tenant, sealed, aad, plain,
                                        input->size, NULL, error);
    envelope_keyring_free(ring);
    if (kind != ENVELOPE_OK) {
        free(plain);
        return;
    }
    *error = (struct envelope_error){.kind = ENVELOPE_OK};
    input->size -= ENVELOPE_SEAL_EXTRA;
    free(input->data);
    input->data = plain;
}

static enum plumb_dec_exit usage_of(const char *option)
{
    fprintf(stderr, "plumb-dec: %s: not what it should be\n", option);
    return plumb_dec_usage("envelope");
}

/* Decrypt if a key is given.  A key or data that is none is a mistake of the
 * command line; *error is the verdict on the input. */
static enum plumb_dec_exit open_input(const struct options *options,
                                      struct plumb_dec_input *input,
                                      struct envelope_error *error)
{
    uint8_t master[ENVELOPE_KEY_SIZE];
    enum plumb_dec_exit status = PLUMB_DEC_OK;
    char *aad = strdup(options->aad_hex);
    size_t aad_size = 0;

    if (aad == NULL) {
        perror("plumb-dec");
        status = PLUMB_DEC_UNREADABLE;
    } else if (!hex_in_place(aad, &aad_size)) {
        status = usage_of("--aad-hex");
    } else if (envelope_master_key_from_hex(
                   (struct envelope_bytes){(const uint8_t *)options->key_hex,
                                           strlen(options->key_hex)},
                   master, NULL) != ENVELOPE_OK) {
        status = usage_of("--key-hex");
    } else {
        decrypt(options, (struct envelope_bytes){master, sizeof(master)},
                (struct envelope_bytes){(const uint8_t *)aad, aad_size}, input,
                error);
    }
    explicit_bzero(master, sizeof(master));
    free(aad);
    return status;
}

/* The fields, then the whole read. */
static struct findings judge(const struct plumb_dec_input *input)
{
    struct findings f = {.error = {.kind = ENVELOPE_OK},
                         .envelope_size = input->size};
    struct envelope_buffer payload;

    f.has_fields = envelope_decode(input->data, input->size, NULL, &f.fields,
                                   &f.error) == ENVELOPE_OK;
    if (f.has_fields &&
        envelope_retrieve_data(input->data, input->size, NULL, &payload,
                               &f.error) == ENVELOPE_OK)
        envelope_buffer_free(NULL, &payload);
    return f;
}

static const char *encoding_of(const struct envelope_view *fields)
{
    return fields->array_span != 0 ? "array of integers" : "bytes";
}

static void print_text(const struct options *options, const struct findings *f)
{
    char reason[256];

    if (f->error.kind == ENVELOPE_OK) {
        printf("%s: sound\n", options->path);
    } else {
        envelope_error_text(&f->error, reason, sizeof(reason));
        printf("%s: rejected: %s\n", options->path, reason);
    }
    if (!f->has_fields)
        return;
    printf("  envelope         %zu bytes\n", f->envelope_size);
    printf("  compressed_data  %zu bytes, as %s\n", f->fields.data_size,
           encoding_of(&f->fields));
    printf("  checksum         %016" PRIx64 "\n", f->fields.checksum);
    printf("  original_size    %" PRIu32 " bytes\n", f->fields.original_size);
    printf("  format           ");
    plumb_dec_json_bytes(stdout, f->fields.format, f->fields.format_size);
    printf("\n");
}

static void print_json(const struct options *options, const struct findings *f)
{
    char reason[256];

    printf("{\"file\": ");
    plumb_dec_json_text(stdout, options->path);
    printf(", \"verdict\": \"%s\"",
           f->error.kind == ENVELOPE_OK ? "sound" : "rejected");
    if (f->error.kind != ENVELOPE_OK) {
        envelope_error_text(&f->error, reason, sizeof(reason));
        printf(", \"reason\": ");
        plumb_dec_json_text(stdout, reason);
    }
    if (f->has_fields) {
        printf(", \"envelope_size\": %zu, \"compressed_size\": %zu, "
               "\"encoding\": \"%s\", \"checksum\": \"%016" PRIx64
               "\", \"original_size\": %" PRIu32 ", \"format\": ",
               f->envelope_size, f->fields.data_size, encoding_of(&f->fields),
               f->fields.checksum, f->fields.original_size);
        plumb_dec_json_bytes(stdout, f->fields.format, f->fields.format_size);
    }
    printf("}\n");
}

static enum plumb_dec_exit report(const struct options *options,
                                  const struct findings *f)
{
    if (f->error.kind == ENVELOPE_OUT_OF_MEMORY) {
        fprintf(stderr, "plumb-dec: %s: out of memory\n", options->path);
        return PLUMB_DEC_UNREADABLE;
    }
    if (options->is_json)
        print_json(options, f);
    else
        print_text(options, f);
    return f->error.kind == ENVELOPE_OK ? PLUMB_DEC_OK : PLUMB_DEC_REJECTED;
}

enum plumb_dec_exit plumb_dec_envelope(int argc, char **argv)
{
    struct options options;
    struct plumb_dec_input input;
    struct findings f = {.error = {.kind = ENVELOPE_OK}};
    enum plumb_dec_exit status = PLUMB_DEC_OK;

    if (!parse_options(argc, argv, &options))
        return plumb_dec_usage("envelope");
    if (!plumb_dec_read(options.path, &input))
        return PLUMB_DEC_UNREADABLE;
    if (options.key_hex != NULL)
        status = open_input(&options, &input, &f.error);
    if (status == PLUMB_DEC_OK) {
        if (f.error.kind == ENVELOPE_OK)
            f = judge(&input);
        status = report(&options, &f);
    }
    plumb_dec_release(&input);
    return status;
}
