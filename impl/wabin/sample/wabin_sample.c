/* SPDX-License-Identifier: MIT */
/* Trees like those of the protocol: stanzas from a few bytes to 256 KiB. */
#include "wabin/sample/wabin_sample.h"

#include "base/prng.h"
#include "wabin/wabin_build.h"
#include "wabin/wabin_number.h"

/** A tree being built; failed stays set once there is no memory. */
struct builder {
    struct wabin_doc *doc;
    uint64_t seed; /* as given */
    uint64_t rng;
    bool failed;
};

const char *wabin_sample_name(enum wabin_sample sample)
{
    static const char *const names[WABIN_SAMPLE_COUNT] = {
#define X(name, text) [name] = text,
        WABIN_SAMPLE_LIST(X)
#undef X
    };
    return names[sample];
}

/* ---- texts ------------------------------------------------------------- */

/* A character of the same kind; the first of a number is never 0. */
static char draw(struct builder *b, char c, bool first)
{
    if (c >= '0' && c <= '9')
        return (char)(first ? '1' + prng_below(&b->rng, 9)
                            : '0' + prng_below(&b->rng, 10));
    if (c >= 'A' && c <= 'F')
        return (char)('A' + prng_below(&b->rng, 6));
    return c;
}

/* Text whose first `drawn` characters the seed may change. */
static struct wabin_str vary(struct builder *b, const char *text, size_t drawn)
{
    struct wabin_str copy = WABIN_STR("");
    char *c;

    if (!wabin_doc_copy(b->doc, wabin_str(text, strlen(text)), &copy))
        b->failed = true;
    if (b->seed == 0 || b->failed)
        return copy;
    c = (char *)(uintptr_t)copy.data; /* just made, ours to write */
    for (size_t i = 0; i < copy.size && i < drawn; i++)
        c[i] = draw(b, c[i], i == 0);
    return copy;
}

static struct wabin_str plain(const char *text)
{
    return wabin_str(text, strlen(text));
}

/* An id: all of it may vary. */
static struct wabin_str id(struct builder *b, const char *text)
{
    return vary(b, text, SIZE_MAX);
}

/* A JID's text: digits of the user may vary. */
static struct wabin_str jid_text(struct builder *b, const char *text)
{
    return vary(b, text, strcspn(text, ":@"));
}

/* "number" before some text. */
static struct wabin_str numbered(struct builder *b, uint64_t number,
                                 const char *behind)
{
    char text[64];
    size_t size = wabin_put_decimal(number, text);
    struct wabin_str copy = WABIN_STR("");

    memcpy(text + size, behind, strlen(behind) + 1);
    if (!wabin_doc_copy(b->doc, plain(text), &copy))
        b->failed = true;
    return copy;
}

/* ---- nodes ------------------------------------------------------------- */

/* Nowhere to write once memory is out: one node takes it all. */
static struct wabin_node *new_node(struct builder *b, const char *tag)
{
    struct wabin_node *node = wabin_node_new(b->doc, plain(tag));
    b->failed |= node == NULL;
    return node;
}

static void attr(struct builder *b, struct wabin_node *node, const char *key,
                 struct wabin_str value)
{
    b->failed = b->failed || !wabin_push_attr(b->doc, node, plain(key),
                                              wabin_value_text(value));
}

/* count children with one tag, or NULL. */
static struct wabin_node *children(struct builder *b, struct wabin_node *node,
                                   size_t count, const char *tag)
{
    struct wabin_node *list =
        b->failed ? NULL : wabin_new_children(b->doc, node, count);

    b->failed |= list == NULL;
    for (size_t i = 0; list != NULL && i < count; i++)
        list[i].tag = plain(tag);
    return list;
}

static void bytes(struct builder *b, struct wabin_node *node, uint8_t value,
                  size_t size)
{
    uint8_t *data = size != 0 ? wabin_doc_take(b->doc, size) : NULL;

    if (data == NULL) {
        b->failed |= size != 0;
        wabin_set_bytes(node, "", 0);
        return;
    }
    for (size_t i = 0; i < size; i++)
        data[i] = b->seed == 0 ? value : (uint8_t)prng_below(&b->rng, 256);
    wabin_set_bytes(node, data, size);
}

/* ---- the samples ------------------------------------------------------- */

static void add_small(struct builder *b, struct wabin_node *message)
{
    attr(b, message, "to", plain("user@s.whatsapp.net"));
    attr(b, message, "id", id(b, "12345"));
    attr(b, message, "type", plain("text"));
}

static void add_ack(struct builder *b, struct wabin_node *ack)
{
    attr(b, ack, "to", jid_text(b, "5511999990000@s.whatsapp.net"));
    attr(b, ack, "id", id(b, "3EB0A1B2C3D4E5F60718"));
    attr(b, ack, "class", plain("message"));
}

/* An encrypted copy of a message for one device. */
static void add_enc(struct builder *b, struct wabin_node *to)
{
    struct wabin_node *enc = children(b, to, 1, "enc");

    if (enc == NULL)
        return;
    attr(b, enc, "v", plain("2"));
    attr(b, enc, "type", plain("msg"));
    bytes(b, enc, 0xab, 128);
}

/* A message head with width recipients, whose addresses the caller adds. */
static struct wabin_node *add_recipients(struct builder *b,
                                         struct wabin_node *message,
                                         const char *group, size_t width)
{
    attr(b, message, "to", jid_text(b, group));
    attr(b, message, "id", id(b, "3EB0A1B2C3D4E5F60718"));
    attr(b, message, "type", plain("text"));
    struct wabin_node *list = children(b, message, 1, "participants");
    return list != NULL ? children(b, list, width, "to") : NULL;
}

static void add_fanout(struct builder *b, struct wabin_node *message)
{
    struct wabin_node *to =
        add_recipients(b, message, "5511999990000@g.us", 8);
    char address[] = "5511999990000:i@s.whatsapp.net";

    for (size_t i = 0; i < 8 && !b->failed; i++) {
        address[strcspn(address, ":") + 1] = (char)('0' + i);
        attr(b, &to[i], "jid", jid_text(b, address));
        add_enc(b, &to[i]);
    }
}

static void add_group(struct builder *b, struct wabin_node *message,
                      size_t width)
{
    struct wabin_node *to =
        add_recipients(b, message, "120363000000000001@g.us", width);

    for (size_t i = 0; i < width && !b->failed; i++) {
        struct wabin_jid jid = {
            .user = numbered(b, UINT64_C(5511999990000) + i / 4, ""),
            .device = (uint16_t)(i % 4),
            .server = WABIN_SERVER_PN,
        };
        b->failed = b->failed || !wabin_push_attr(b->doc, &to[i], plain("jid"),
                                                  wabin_value_jid(jid));
        add_enc(b, &to[i]);
    }
}

static void add_large(struct builder *b, struct wabin_node *iq)
{
    attr(b, iq, "to", plain("server@s.whatsapp.net"));
    attr(b, iq, "id", plain("abcdef"));
    attr(b, iq, "type", plain("get"));
    attr(b, iq, "xmlns", plain("usync"));
    struct wabin_node *both = children(b, iq, 2, "usync");
    if (both == NULL)
        return;
    attr(b, &both[0], "sid", plain("message:1"));
    attr(b, &both[0], "mode", plain("query"));
    attr(b, &both[0], "last", plain("true"));
    struct wabin_node *query = children(b, &both[0], 1, "query");
    if (query != NULL)
        children(b, query, 1, "business");
    both[1].tag = plain("list");
    struct wabin_node *item = children(b, &both[1], 20, "item");
    for (uint8_t i = 0; i < 20 && !b->failed; i++) {
        attr(b, &item[i], "index", numbered(b, i, ""));
        bytes(b, &item[i], i, 32);
    }
}

static void add_attr(struct builder *b, struct wabin_node *iq)
{
    attr(b, iq, "xmlns", plain("test:ns"));
    attr(b, iq, "type", plain("result"));
    attr(b, iq, "id", plain("abc123"));
    attr(b, iq, "from", plain("server@s.whatsapp.net"));
    attr(b, iq, "has_flag", plain("true"));
    attr(b, iq, "timestamp", id(b, "1700000000"));
}

#define SENTENCE "Lorem ipsum with email user@example.com in text. "

static void add_long_string(struct builder *b, struct wabin_node *message)
{
    attr(b, message, "to", jid_text(b, "1234567890@s.whatsapp.net"));
    attr(b, message, "id", id(b, "ABC123DEF456"));
    attr(b, message, "type", plain("text"));
    wabin_set_text(message,
                   plain(SENTENCE SENTENCE SENTENCE SENTENCE SENTENCE SENTENCE
                             SENTENCE SENTENCE SENTENCE SENTENCE SENTENCE));
}

static void add_user(struct builder *b, struct wabin_node *user, size_t i)
{
    attr(b, user, "jid", numbered(b, i, "@s.whatsapp.net"));
    struct wabin_node *both = children(b, user, 2, "devices");
    if (both == NULL)
        return;
    both[1].tag = plain("contact");
    attr(b, &both[1], "type", plain("in"));
    struct wabin_node *list = children(b, &both[0], 1, "device-list");
    struct wabin_node *device =
        list != NULL ? children(b, list, 3, "device") : NULL;
    for (size_t d = 0; d < 3 && !b->failed; d++)
        attr(b, &device[d], "id", numbered(b, d, ""));
}

static void add_usync(struct builder *b, struct wabin_node *iq)
{
    attr(b, iq, "type", plain("result"));
    struct wabin_node *usync = children(b, iq, 1, "usync");
    struct wabin_node *list =
        usync != NULL ? children(b, usync, 1, "list") : NULL;
    struct wabin_node *user =
        list != NULL ? children(b, list, 50, "user") : NULL;
    for (size_t i = 0; i < 50 && !b->failed; i++)
        add_user(b, &user[i], i);
}

static void add_jid_heavy(struct builder *b, struct wabin_node *message)
{
    attr(b, message, "from", jid_text(b, "15551234567@s.whatsapp.net"));
    attr(b, message, "to", jid_text(b, "15559876543@s.whatsapp.net"));
    attr(b, message, "participant", jid_text(b, "15555555555@s.whatsapp.net"));
    attr(b, message, "recipient", jid_text(b, "15556666666@s.whatsapp.net"));
    attr(b, message, "notify", jid_text(b, "15557777777@s.whatsapp.net"));
    attr(b, message, "id", id(b, "ABCDEF123456"));
    attr(b, message, "type", plain("text"));
}

static void add_huge_bytes(struct builder *b, struct wabin_node *message)
{
    attr(b, message, "to", plain("server@s.whatsapp.net"));
    attr(b, message, "id", plain("huge-binary"));
    bytes(b, message, 0x5a, 262144);
}

static void add_many_children(struct builder *b, struct wabin_node *iq)
{
    attr(b, iq, "to", plain("server@s.whatsapp.net"));
    attr(b, iq, "id", plain("many-children"));
    struct wabin_node *item = children(b, iq, 2048, "item");
    for (size_t i = 0; i < 2048 && !b->failed; i++) {
        attr(b, &item[i], "index", numbered(b, i, ""));
        attr(b, &item[i], "type", plain("entry"));
        wabin_set_text(&item[i], plain("ok"));
    }
}

static void add(struct builder *b, struct wabin_node *root,
                enum wabin_sample sample)
{
    static void (*const adders[WABIN_SAMPLE_COUNT])(struct builder *,
                                                    struct wabin_node *) = {
        [WABIN_SAMPLE_SMALL] = add_small,
        [WABIN_SAMPLE_ACK] = add_ack,
        [WABIN_SAMPLE_FANOUT] = add_fanout,
        [WABIN_SAMPLE_LARGE] = add_large,
        [WABIN_SAMPLE_ATTR] = add_attr,
        [WABIN_SAMPLE_LONG_STRING] = add_long_string,
        [WABIN_SAMPLE_USYNC] = add_usync,
        [WABIN_SAMPLE_JID_HEAVY] = add_jid_heavy,
        [WABIN_SAMPLE_HUGE_BYTES] = add_huge_bytes,
        [WABIN_SAMPLE_MANY_CHILDREN] = add_many_children,
    };

    if (adders[sample] != NULL)
        adders[sample](b, root);
    else /* group8, group32, group128, group512 */
        add_group(b, root, (size_t)8 << 2 * (sample - WABIN_SAMPLE_GROUP_8));
}

const struct wabin_node *wabin_sample_tree(struct wabin_doc *doc,
                                           enum wabin_sample sample,
                                           uint64_t seed)
{
    struct builder b = {.doc = doc, .seed = seed, .rng = seed};
    bool iq = sample == WABIN_SAMPLE_LARGE || sample == WABIN_SAMPLE_ATTR ||
              sample == WABIN_SAMPLE_USYNC ||
              sample == WABIN_SAMPLE_MANY_CHILDREN;
    struct wabin_node *root =
        new_node(&b, iq                           ? "iq"
                     : sample == WABIN_SAMPLE_ACK ? "ack"
                                                  : "message");

    if (root != NULL)
        add(&b, root, sample);
    return b.failed ? NULL : root;
}
