/* SPDX-License-Identifier: MIT */
/* plumb-dec wabin: a binary-node frame as an indented tree or as JSON. */
#include "tools/plumb_dec.h"

#include <stdlib.h>

#include "tools/plumb_dec_io.h"
#include "wabin/wabin.h"

#define INDENT      2
#define SHOWN_BYTES 32 /* of a payload, in the tree */
#define REASON_MAX  512

struct options {
    const char *path;
    bool is_hex;
    bool is_json;
};

static bool parse_options(int argc, char **argv, struct options *options)
{
    const struct plumb_dec_option list[] = {
        {"hex", &options->is_hex, NULL},
        {"json", &options->is_json, NULL},
    };

    *options = (struct options){.path = NULL};
    return plumb_dec_options(argc, argv, list, ARRAY_COUNT(list),
                             &options->path);
}

/* ---- input ------------------------------------------------------------- */

static bool is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Replace hexadecimal text by its bytes, in place. */
static bool unhex(struct plumb_dec_input *input)
{
    size_t digits = 0;

    for (size_t i = 0; i < input->size; i++) {
        int digit = plumb_dec_hex_digit((char)input->data[i]);
        if (is_space(input->data[i]))
            continue;
        if (digit < 0)
            return false;
        uint8_t *byte = &input->data[digits / 2];
        *byte = (uint8_t)(digits % 2 == 0 ? digit << 4 : *byte | digit);
        digits++;
    }
    input->size = digits / 2;
    return digits % 2 == 0;
}

/* ---- the tree ---------------------------------------------------------- */

static void print_hex(struct wabin_str bytes, size_t most)
{
    for (size_t i = 0; i < bytes.size && i < most; i++)
        printf("%02x", (unsigned char)bytes.data[i]);
}

static void print_text(struct wabin_str text)
{
    plumb_dec_json_bytes(stdout, text.data, text.size);
}

/* A name is quoted only when it would not read as one. */
static void print_name(struct wabin_str name)
{
    bool is_plain = name.size != 0;

    for (size_t i = 0; i < name.size; i++)
        is_plain &= name.data[i] > ' ' && name.data[i] < 0x7f &&
                    name.data[i] != '"' && name.data[i] != '=';
    if (is_plain)
        fwrite(name.data, 1, name.size, stdout);
    else
        print_text(name);
}

/* A JID stands without quotes, which tells it from its text. */
static void print_value(struct wabin_doc *doc, const struct wabin_value *value)
{
    struct wabin_str text = wabin_value_as_text(doc, value);

    if (value->kind != WABIN_VALUE_JID) {
        print_text(text);
        return;
    }
    print_name(text.data != NULL ? text : WABIN_STR("?"));
    if (value->integrator != 0)
        printf("/%u", value->integrator);
}

static void print_tree(struct wabin_doc *doc, const struct wabin_node *node,
                       int depth)
{
    struct wabin_str bytes = wabin_content_bytes(node);

    printf("%*s", INDENT * depth, "");
    print_name(node->tag);
    for (uint32_t i = 0; i < node->attr_count; i++) {
        putchar(' ');
        print_name(node->attrs[i].key);
        putchar('=');
        print_value(doc, &node->attrs[i].value);
    }
    if (node->content == WABIN_TEXT) {
        printf(": ");
        print_text(wabin_content_text(node));
    } else if (node->content == WABIN_BYTES) {
        printf(": %zu bytes ", bytes.size);
        print_hex(bytes, SHOWN_BYTES);
        printf(bytes.size > SHOWN_BYTES ? "..." : "");
    }
    putchar('\n');
    for (size_t i = 0; node->content == WABIN_NODES && i < node->content_size;
         i++)
        print_tree(doc, &node->nodes[i], depth + 1);
}

/* ---- JSON -------------------------------------------------------------- */

static void print_json_value(const struct wabin_value *value)
{
    if (value->kind != WABIN_VALUE_JID) {
        print_text(value->text);
        return;
    }
    printf("{\"jid\": {\"user\": ");
    print_text(value->text);
    printf(", \"server\": ");
    print_text(wabin_server_text((enum wabin_server)value->server));
    printf(", \"agent\": %u, \"device\": %u, \"integrator\": %u}}",
           value->agent, value->device, value->integrator);
}

static void print_json_node(const struct wabin_node *node);

static void print_json_content(const struct wabin_node *node)
{
    switch (node->content) {
    case WABIN_BYTES:
        printf("{\"bytes\": \"");
        print_hex(wabin_content_bytes(node), SIZE_MAX);
        printf("\"}");
        break;
    case WABIN_TEXT:
        printf("{\"text\": ");
        print_text(wabin_content_text(node));
        printf("}");
        break;
    case WABIN_NODES:
        printf("{\"nodes\": [");
        for (size_t i = 0; i < node->content_size; i++) {
            printf(i != 0 ? ", " : "");
            print_json_node(&node->nodes[i]);
        }
        printf("]}");
        break;
    default:
        printf("null");
    }
}

static void print_json_node(const struct wabin_node *node)
{
    printf("{\"tag\": ");
    print_text(node->tag);
    printf(", \"attrs\": [");
    for (uint32_t i = 0; i < node->attr_count; i++) {
        printf(i != 0 ? ", [" : "[");
        print_text(node->attrs[i].key);
        printf(", ");
        print_json_value(&node->attrs[i].value);
        printf("]");
    }
    printf("], \"content\": ");
    print_json_content(node);
    printf("}");
}

/* ---- verdicts ---------------------------------------------------------- */

static void print_rejection(const struct options *options, size_t size,
                            const struct wabin_error *error)
{
    const char *kind = wabin_status_name(error->status);
    char reason[REASON_MAX];

    wabin_error_text(error, reason, sizeof(reason));
    if (!options->is_json) {
        printf("%s: rejected at byte %zu of %zu: %s: %s\n", options->path,
               error->at, size, kind, reason);
        return;
    }
    printf("{\"file\": ");
    plumb_dec_json_text(stdout, options->path);
    printf(", \"size\": %zu, \"verdict\": \"rejected\", \"fault_at\": %zu, "
           "\"kind\": \"%s\", \"reason\": ",
           size, error->at, kind);
    plumb_dec_json_text(stdout, reason);
    printf("}\n");
}

static void print_accepted(const struct options *options,
                           struct wabin_doc *doc, size_t size,
                           const struct wabin_node *root)
{
    if (!options->is_json) {
        print_tree(doc, root, 0);
        return;
    }
    printf("{\"file\": ");
    plumb_dec_json_text(stdout, options->path);
    printf(", \"size\": %zu, \"verdict\": \"accepted\", \"node\": ", size);
    print_json_node(root);
    printf("}\n");
}

/* Offsets count the frame's bytes, or those of the inflated nodes. */
static enum plumb_dec_exit judge(const struct options *options,
                                 const struct plumb_dec_input *input,
                                 struct wabin_doc *doc, struct wabin_buf *out)
{
    struct wabin_unpacker unpacker;
    struct wabin_nodes nodes = {0};
    const struct wabin_node *root;
    struct wabin_error error;
    size_t size = input->size;

    wabin_unpacker_init(&unpacker, WABIN_UNPACK_MAX, NULL);
    enum wabin_status status =
        wabin_unpack(&unpacker, input->data, size, out, &nodes, &error);
    wabin_unpacker_release(&unpacker);
    if (status == WABIN_OK) {
        bool is_inflated = nodes.data == out->data;
        size = is_inflated ? nodes.size : size;
        status = wabin_decode(doc, nodes.data, nodes.size, &root, &error);
        if (status != WABIN_OK && !is_inflated)
            error.at++;
    }
    if (status == WABIN_OK) {
        print_accepted(options, doc, input->size, root);
        return PLUMB_DEC_OK;
    }
    if (status == WABIN_NO_MEMORY || error.cause == WABIN_CAUSE_MEMORY) {
        fprintf(stderr, "plumb-dec: %s: out of memory\n", options->path);
        return PLUMB_DEC_UNREADABLE;
    }
    print_rejection(options, size, &error);
    return PLUMB_DEC_REJECTED;
}

enum plumb_dec_exit plumb_dec_wabin(int argc, char **argv)
{
    struct options options;
    struct plumb_dec_input input;
    struct wabin_doc doc;
    struct wabin_buf out = {0};

    if (!parse_options(argc, argv, &options))
        return plumb_dec_usage("wabin");
    if (!plumb_dec_read(options.path, &input))
        return PLUMB_DEC_UNREADABLE;
    if (options.is_hex && !unhex(&input)) {
        fprintf(stderr, "plumb-dec: %s: not whole bytes in hexadecimal\n",
                options.path);
        plumb_dec_release(&input);
        return PLUMB_DEC_UNREADABLE;
    }
    wabin_doc_init(&doc, NULL);
    enum plumb_dec_exit status = judge(&options, &input, &doc, &out);
    wabin_doc_release(&doc);
    wabin_buf_release(&out);
    plumb_dec_release(&input);
    return status;
}
