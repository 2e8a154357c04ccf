/* SPDX-License-Identifier: MIT */
/*
 * Random nodes against two other implementations, which run under Node.js:
 * both write the same bytes, and read ours as the same tree.  The packages
 * are fetched by `make wabin-peers`; without them, or without Node.js, the
 * test is skipped.
 */
#include "base/prng.h"
#include "wabin/tests/wabin_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FOLDER "data/wabin-peers"
#define SCRIPT "impl/wabin/tests/wabin_oracle.mjs"
#define NODES  2000
#define DEPTH  4

/* ---- random nodes -------------------------------------------------------
 * Only what JavaScript objects and both peers have in common: keys that are
 * no numbers and not repeated, no empty tags and values, an `@` in JIDs alone,
 * devices where the wire has a place for them. */

static struct wabin_str keep(struct wabin_doc *doc, const char *text,
                             size_t size)
{
    struct wabin_str copy;
    assert_true(wabin_doc_copy(doc, wabin_str(text, size), &copy));
    return copy;
}

static struct wabin_str draw(struct wabin_doc *doc, uint64_t *rng,
                             const char *set, size_t most)
{
    char text[256];
    size_t size = 1 + prng_below(rng, most);

    for (size_t i = 0; i < size; i++)
        text[i] = set[prng_below(rng, strlen(set))];
    return keep(doc, text, size);
}

static struct wabin_str token(uint64_t *rng)
{
    return wabin_token_texts[1 + prng_below(rng, WABIN_TOKEN_COUNT - 1)];
}

static struct wabin_str jid_text(struct wabin_doc *doc, uint64_t *rng)
{
    static const enum wabin_server servers[] = {
        WABIN_SERVER_PN,         WABIN_SERVER_LID,    WABIN_SERVER_HOSTED,
        WABIN_SERVER_HOSTED_LID, WABIN_SERVER_GROUP,  WABIN_SERVER_BROADCAST,
        WABIN_SERVER_NEWSLETTER, WABIN_SERVER_LEGACY, WABIN_SERVER_BOT,
        WABIN_SERVER_CALL};
    struct wabin_jid jid = {.user = draw(doc, rng, "0123456789", 18)};
    char text[64];

    jid.server = (uint8_t)servers[prng_below(rng, ARRAY_COUNT(servers))];
    if (wabin_server_domain(jid.server) >= 0)
        jid.device = (uint16_t)prng_below(rng, 100);
    return keep(doc, text,
                wabin_jid_format(&jid, WABIN_JID_FULL, text, sizeof(text)));
}

static struct wabin_str value(struct wabin_doc *doc, uint64_t *rng)
{
    switch (prng_below(rng, 7)) {
    case 0:
        return token(rng);
    case 1:
        return draw(doc, rng, "0123456789-.", 140);
    case 2:
        return draw(doc, rng, "0123456789ABCDEF", 140);
    case 3:
        return draw(doc, rng, "abcxyzABF019-._: ", 200);
    case 4:
        return keep(doc, "ol\xc3\xa1 \xe4\xb8\x96\xf0\x9f\x98\x80", 12);
    default:
        return jid_text(doc, rng);
    }
}

/* Keys are kept apart by their first letter. */
static struct wabin_str key(struct wabin_doc *doc, uint64_t *rng, size_t i)
{
    struct wabin_str rest = draw(doc, rng, "abcdefgxyz_019", 12);
    char text[16] = {(char)('g' + i)};

    memcpy(text + 1, rest.data, rest.size);
    return keep(doc, text, 1 + rest.size);
}

static void grow(struct wabin_doc *doc, uint64_t *rng, struct wabin_node *node,
                 unsigned depth)
{
    size_t attrs = prng_below(rng, 5);

    node->tag = prng_below(rng, 2) == 0
                    ? token(rng)
                    : draw(doc, rng, "abcxyzABF019-._", 20);
    for (size_t i = 0; i < attrs; i++)
        assert_true(wabin_push_attr(doc, node, key(doc, rng, i),
                                    wabin_value_text(value(doc, rng))));
    switch (prng_below(rng, depth < DEPTH ? 5 : 3)) {
    case 0:
        return;
    case 1: {
        struct wabin_str bytes = draw(doc, rng, "\x01\x80\xff\xc3 abc", 250);
        wabin_set_bytes(node, bytes.data, bytes.size);
        return;
    }
    case 2: {
        struct wabin_str text =
            prng_below(rng, 2) == 0 ? token(rng) : value(doc, rng);
        wabin_set_text(node, text);
        return;
    }
    default:
        break;
    }
    size_t count = 1 + prng_below(rng, 3);
    struct wabin_node *list = wabin_new_children(doc, node, count);
    assert_non_null(list);
    for (size_t i = 0; i < count; i++)
        grow(doc, rng, &list[i], depth + 1);
}

/* ---- nodes as JSON ------------------------------------------------------ */

static struct json_object *json_text(struct wabin_str s)
{
    return json_object_new_string_len(s.data, (int)s.size);
}

static struct json_object *json_hex(const uint8_t *bytes, size_t size)
{
    char *text = malloc(2 * size + 1);
    struct json_object *json;

    for (size_t i = 0; i < size; i++)
        sprintf(text + 2 * i, "%02x", bytes[i]);
    json = json_object_new_string_len(text, (int)(2 * size));
    free(text);
    return json;
}

static struct json_object *json_of(const struct wabin_node *node);

static struct json_object *json_of_content(const struct wabin_node *node)
{
    struct json_object *content = json_object_new_object(), *list;

    if (node->content == WABIN_NOTHING) {
        json_object_put(content);
        return NULL;
    }
    if (node->content == WABIN_BYTES) {
        json_object_object_add(
            content, "bytes",
            json_hex((const uint8_t *)node->data, node->content_size));
    } else if (node->content == WABIN_TEXT) {
        json_object_object_add(content, "text",
                               json_text(wabin_content_text(node)));
    } else {
        list = json_object_new_array();
        for (size_t i = 0; i < node->content_size; i++)
            json_object_array_add(list, json_of(&node->nodes[i]));
        json_object_object_add(content, "nodes", list);
    }
    return content;
}

static struct json_object *json_of(const struct wabin_node *node)
{
    struct json_object *json = json_object_new_object();
    struct json_object *attrs = json_object_new_array();

    for (uint32_t i = 0; i < node->attr_count; i++) {
        struct json_object *pair = json_object_new_array();
        json_object_array_add(pair, json_text(node->attrs[i].key));
        json_object_array_add(pair, json_text(node->attrs[i].value.text));
        json_object_array_add(attrs, pair);
    }
    json_object_object_add(json, "tag", json_text(node->tag));
    json_object_object_add(json, "attrs", attrs);
    json_object_object_add(json, "content", json_of_content(node));
    return json;
}

/* ---- answers ------------------------------------------------------------ */

/* Ours against a tree in which all values are text. */
static bool same(const struct wabin_node *ours, const struct wabin_node *other)
{
    if (!wabin_str_equal(ours->tag, other->tag) ||
        ours->attr_count != other->attr_count ||
        ours->content != other->content ||
        ours->content_size != other->content_size)
        return false;
    for (uint32_t i = 0; i < ours->attr_count; i++)
        if (!wabin_str_equal(ours->attrs[i].key, other->attrs[i].key) ||
            !wabin_value_is(&ours->attrs[i].value, other->attrs[i].value.text))
            return false;
    if (ours->content != WABIN_NODES)
        return ours->content == WABIN_NOTHING ||
               memcmp(ours->data, other->data, ours->content_size) == 0;
    for (size_t i = 0; i < ours->content_size; i++)
        if (!same(&ours->nodes[i], &other->nodes[i]))
            return false;
    return true;
}

/** How many nodes a peer writes, and reads, as we do. */
struct agreement {
    size_t written;
    size_t read;
};

static const char *const peers[] = {"baileys", "bridge"};

static bool same_bytes(struct json_object *peer, const struct wabin_buf *frame)
{
    if (vector_field(peer, "encoded") == NULL)
        return false;
    size_t size;
    uint8_t *bytes = vector_hex(peer, "encoded", &size);
    bool is_same =
        size == frame->size && memcmp(bytes, frame->data, size) == 0;
    free(bytes);
    return is_same;
}

/* Where the peers differ from each other, one of them must side with us. */
static void check_answer(const struct wabin_buf *frame, const char *line,
                         struct agreement *agreements)
{
    struct json_object *answer = json_tokener_parse(line);
    const struct wabin_node *ours;
    size_t written = 0, read = 0;
    struct wabin_doc doc;

    if (answer == NULL)
        CHECK_FAIL("no answer, but: %s", line);
    wabin_doc_init(&doc, NULL);
    CHECK_ENUM(
        wabin_status_name, WABIN_OK,
        wabin_decode_frame(&doc, frame->data, frame->size, &ours, NULL));
    for (size_t i = 0; i < ARRAY_COUNT(peers); i++) {
        struct json_object *peer = vector_field(answer, peers[i]);
        struct json_object *decoded = vector_field(peer, "decoded");
        bool writes = same_bytes(peer, frame);
        bool reads = decoded != NULL && same(ours, json_node(&doc, decoded));
        agreements[i].written += writes;
        agreements[i].read += reads;
        written += writes;
        read += reads;
    }
    if (written == 0 || read == 0)
        CHECK_FAIL("%zu peers write and %zu read the same as we: %s", written,
                   read, line);
    wabin_doc_release(&doc);
    json_object_put(answer);
}

/* ---- the run ------------------------------------------------------------ */

static void need_peers(void)
{
    int old = -1;

    if (access(FOLDER "/baileys/package.json", R_OK) == 0)
        old = system("node -e 'process.exit(+(parseInt("
                     "process.versions.node) < 20))' 2>/dev/null");
    if (old == 0)
        return;
    fprintf(stderr, "\n*** skipped: no peers in " FOLDER ", or no Node.js "
                    "20; run `make wabin-peers` ***\n\n");
    skip();
}

static void ask(const char *questions, struct wabin_buf *frames,
                struct wabin_doc *doc)
{
    FILE *file = fopen(questions, "w");
    uint64_t rng = 42;

    assert_non_null(file);
    for (size_t i = 0; i < NODES; i++) {
        struct wabin_node *node = wabin_node_new(doc, WABIN_STR(""));
        struct json_object *line = json_object_new_object();
        grow(doc, &rng, node, 0);
        CHECK_ENUM(wabin_status_name, WABIN_OK,
                   wabin_marshal_plain(node, &frames[i], NULL));
        json_object_object_add(line, "node", json_of(node));
        json_object_object_add(line, "frame",
                               json_hex(frames[i].data, frames[i].size));
        fprintf(file, "%s\n",
                json_object_to_json_string_ext(line, JSON_C_TO_STRING_PLAIN));
        json_object_put(line);
        wabin_doc_reset(doc);
    }
    assert_int_equal(0, fclose(file));
}

static void test_random_nodes(void **state)
{
    (void)state;
    static struct wabin_buf frames[NODES];
    struct agreement agreements[ARRAY_COUNT(peers)] = {0};
    char questions[] = "/tmp/wabin-oracle-XXXXXX", command[256];
    char *line = NULL;
    size_t room = 0, answers = 0;
    struct wabin_doc doc;

    need_peers();
    int fd = mkstemp(questions);
    assert_true(fd >= 0);
    close(fd);
    wabin_doc_init(&doc, NULL);
    ask(questions, frames, &doc);
    snprintf(command, sizeof(command), "node " SCRIPT " " FOLDER " < %s",
             questions);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    while (answers < NODES && getline(&line, &room, pipe) > 0)
        check_answer(&frames[answers++], line, agreements);
    CHECK_I64(0, pclose(pipe));
    CHECK_SIZE(NODES, answers);
    for (size_t i = 0; i < ARRAY_COUNT(peers); i++) {
        /* Not all: one of them does not know every server. */
        CHECK_BOOL(true, agreements[i].written >= NODES * 3 / 4);
        CHECK_BOOL(true, agreements[i].read >= NODES * 3 / 4);
        printf("%s writes %zu and reads %zu of %d nodes as we do\n", peers[i],
               agreements[i].written, agreements[i].read, NODES);
    }
    free(line);
    unlink(questions);
    for (size_t i = 0; i < NODES; i++)
        wabin_buf_release(&frames[i]);
    wabin_doc_release(&doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
