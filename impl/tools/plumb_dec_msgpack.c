/* SPDX-License-Identifier: MIT */
/* plumb-dec msgpack: the verdict of the structural walk, and what it saw. */
#include "tools/plumb_dec.h"

#include <assert.h>
#include <getopt.h>

#include "msgpack/msgpack.h"
#include "tools/plumb_dec_io.h"

/* The bound of the storage envelope's readers. */
#define DEFAULT_DEPTH 100

struct options {
    const char *path;
    size_t max_depth;
    bool is_json;
};

/* What is printed about a document. */
struct verdict {
    struct msgpack_error error; /* fault MSGPACK_OK: accepted, and then: */
    size_t document_size;
    size_t item_count;
    size_t depth;
};

static bool parse_options(int argc, char **argv, struct options *options)
{
    static const struct option longs[] = {
        {"depth", required_argument, NULL, 'd'},
        {"json", no_argument, NULL, 'j'},
        {NULL, 0, NULL, 0},
    };
    int letter;

    *options = (struct options){.max_depth = DEFAULT_DEPTH};
    while ((letter = getopt_long(argc, argv, "", longs, NULL)) != -1) {
        if (letter == 'j') {
            options->is_json = true;
        } else if (letter != 'd') {
            return false;
        } else if (!plumb_dec_size(optarg, &options->max_depth)) {
            fprintf(stderr, "plumb-dec: --depth: \"%s\" is no number\n",
                    optarg);
            return false;
        }
    }
    if (optind + 1 != argc)
        return false;
    options->path = argv[optind];
    return true;
}

/* Headers of an accepted document stand one behind another. */
static size_t count_items(const uint8_t *in, size_t size)
{
    size_t count = 0;

    for (size_t at = 0; at < size; count++) {
        struct msgpack_head head;
        enum msgpack_fault fault = msgpack_head_read(in, size, at, &head);

        assert(fault == MSGPACK_OK);
        (void)fault;
        at += head.head_size + (size_t)head.payload_size;
    }
    return count;
}

/* The depth of a document is the least bound at which it is accepted. */
static enum msgpack_fault find_depth(const uint8_t *in, size_t size,
                                     size_t max_depth, size_t *depth)
{
    size_t low = 0, high = max_depth < size ? max_depth : size;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        enum msgpack_fault fault = msgpack_check(in, size, middle, NULL, NULL);

        if (fault == MSGPACK_OK)
            high = middle;
        else if (fault == MSGPACK_TOO_DEEP)
            low = middle + 1;
        else
            return fault;
    }
    *depth = low;
    return MSGPACK_OK;
}

static struct verdict judge(const struct plumb_dec_input *input,
                            size_t max_depth)
{
    struct verdict verdict = {.error = {.fault = MSGPACK_OK}};
    enum msgpack_fault fault =
        msgpack_document_size(input->data, input->size, max_depth, NULL,
                              &verdict.document_size, &verdict.error);

    if (fault != MSGPACK_OK)
        return verdict;
    verdict.item_count = count_items(input->data, verdict.document_size);
    verdict.error.fault = find_depth(input->data, verdict.document_size,
                                     max_depth, &verdict.depth);
    return verdict;
}

static void print_text(const struct options *options, size_t in_size,
                       const struct verdict *verdict)
{
    char reason[80];

    if (verdict->error.fault != MSGPACK_OK) {
        msgpack_error_text(&verdict->error, reason, sizeof(reason));
        printf("%s: rejected at byte %zu of %zu: %s\n", options->path,
               verdict->error.fault_at, in_size, reason);
        return;
    }
    printf("%s: accepted\n", options->path);
    printf("  items  %zu\n", verdict->item_count);
    printf("  depth  %zu of at most %zu\n", verdict->depth,
           options->max_depth);
    printf("  bytes  %zu of %zu\n", verdict->document_size, in_size);
}

static void print_json(const struct options *options, size_t in_size,
                       const struct verdict *verdict)
{
    char reason[80];

    printf("{\"file\": ");
    plumb_dec_json_text(stdout, options->path);
    printf(", \"size\": %zu, \"max_depth\": %zu", in_size, options->max_depth);
    if (verdict->error.fault == MSGPACK_OK) {
        printf(", \"verdict\": \"accepted\", \"items\": %zu, \"depth\": %zu, "
               "\"document_size\": %zu}\n",
               verdict->item_count, verdict->depth, verdict->document_size);
        return;
    }
    msgpack_error_text(&verdict->error, reason, sizeof(reason));
    printf(", \"verdict\": \"rejected\", \"fault_at\": %zu, \"reason\": ",
           verdict->error.fault_at);
    plumb_dec_json_text(stdout, reason);
    printf("}\n");
}

enum plumb_dec_exit plumb_dec_msgpack(int argc, char **argv)
{
    struct options options;
    struct plumb_dec_input input;

    if (!parse_options(argc, argv, &options))
        return plumb_dec_usage("msgpack");
    if (!plumb_dec_read(options.path, &input))
        return PLUMB_DEC_UNREADABLE;

    struct verdict verdict = judge(&input, options.max_depth);
    enum plumb_dec_exit status = PLUMB_DEC_OK;
    if (verdict.error.fault == MSGPACK_OUT_OF_MEMORY) {
        fprintf(stderr, "plumb-dec: %s: out of memory\n", options.path);
        status = PLUMB_DEC_UNREADABLE;
    } else {
        if (options.is_json)
            print_json(&options, input.size, &verdict);
        else
            print_text(&options, input.size, &verdict);
        if (verdict.error.fault != MSGPACK_OK)
            status = PLUMB_DEC_REJECTED;
    }
    plumb_dec_release(&input);
    return status;
}
