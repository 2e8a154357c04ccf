/* SPDX-License-Identifier: MIT */
/* Building trees in a doc, and copying them there. */
#include "wabin/wabin_build.h"

#include "base/utf8.h"
#include "wabin/wabin_number.h"
#include "wabin/wabin_token.h"
#include "wabin/wabin_utf8.h"

struct wabin_node *wabin_node_new(struct wabin_doc *doc, struct wabin_str tag)
{
    struct {
        struct wabin_node node;
        struct wabin_attr attrs[WABIN_ATTRS_INLINE];
    } *both = wabin_doc_take(doc, sizeof(*both));

    if (both == NULL)
        return NULL;
    both->node = (struct wabin_node){
        .tag = tag,
        .attrs = both->attrs,
        .attr_spare = WABIN_ATTRS_INLINE,
    };
    return &both->node;
}

/* Twice the places; those in use are copied. */
static bool grow_attrs(struct wabin_doc *doc, struct wabin_node *node)
{
    size_t count = node->attr_count;
    size_t spare = count < WABIN_ATTRS_INLINE ? WABIN_ATTRS_INLINE : count;
    size_t size;

    if (spare > UINT16_MAX)
        spare = UINT16_MAX;
    if (count > UINT32_MAX - spare ||
        !size_mul(count + spare, sizeof(struct wabin_attr), &size))
        return false;
    struct wabin_attr *attrs = wabin_doc_take(doc, size);
    if (attrs == NULL)
        return false;
    if (count != 0)
        memcpy(attrs, node->attrs, count * sizeof(*attrs));
    node->attrs = attrs;
    node->attr_spare = (uint16_t)spare;
    return true;
}

/* The attributes of a node that was built lie in a doc, where they may be
 * written; the model shows them to readers as const. */
static struct wabin_attr *own_attr(struct wabin_node *node, uint32_t index)
{
    return (struct wabin_attr *)(uintptr_t)&node->attrs[index];
}

bool wabin_push_attr(struct wabin_doc *doc, struct wabin_node *node,
                     struct wabin_str key, struct wabin_value value)
{
    if (node->attr_spare == 0 && !grow_attrs(doc, node))
        return false;
    *own_attr(node, node->attr_count) =
        (struct wabin_attr){.key = key, .value = value};
    node->attr_count++;
    node->attr_spare--;
    return true;
}

bool wabin_set_attr(struct wabin_doc *doc, struct wabin_node *node,
                    struct wabin_str key, struct wabin_value value)
{
    for (uint32_t i = 0; i < node->attr_count; i++) {
        if (wabin_str_equal(node->attrs[i].key, key)) {
            own_attr(node, i)->value = value;
            return true;
        }
    }
    return wabin_push_attr(doc, node, key, value);
}

static struct wabin_value number_value(struct wabin_doc *doc, bool negative,
                                       uint64_t magnitude)
{
    char text[24];
    size_t size = 0;
    struct wabin_str copy = {0};

    if (negative)
        text[size++] = '-';
    size += wabin_put_decimal(magnitude, text + size);
    if (!wabin_doc_copy(doc, wabin_str(text, size), &copy))
        copy = (struct wabin_str){0};
    return wabin_value_text(copy);
}

struct wabin_value wabin_value_u64(struct wabin_doc *doc, uint64_t number)
{
    return number_value(doc, false, number);
}

struct wabin_value wabin_value_i64(struct wabin_doc *doc, int64_t number)
{
    bool negative = number < 0;
    return number_value(doc, negative,
                        negative ? 0 - (uint64_t)number : (uint64_t)number);
}

struct wabin_value wabin_value_bool(bool truth)
{
    return wabin_value_text(truth ? WABIN_STR("true") : WABIN_STR("false"));
}

void wabin_set_bytes(struct wabin_node *node, const void *data, size_t size)
{
    node->content = WABIN_BYTES;
    node->data = data;
    node->content_size = size;
}

void wabin_set_text(struct wabin_node *node, struct wabin_str text)
{
    node->content = WABIN_TEXT;
    node->data = text.data;
    node->content_size = text.size;
}

void wabin_set_nodes(struct wabin_node *node, const struct wabin_node *nodes,
                     size_t count)
{
    node->content = WABIN_NODES;
    node->nodes = nodes;
    node->content_size = count;
}

struct wabin_node *wabin_new_children(struct wabin_doc *doc,
                                      struct wabin_node *node, size_t count)
{
    struct wabin_node *children;
    size_t size;

    if (!size_mul(count, sizeof(*children), &size))
        return NULL;
    children = wabin_doc_take(doc, size);
    if (children == NULL)
        return NULL;
    memset(children, 0, size);
    for (size_t i = 0; i < count; i++)
        children[i].tag = WABIN_STR("");
    wabin_set_nodes(node, children, count);
    return children;
}

/* ---- copies ------------------------------------------------------------ */

/* A name that is a token needs no copy: the dictionary has its text. */
static bool copy_name(struct wabin_doc *doc, struct wabin_str name,
                      struct wabin_str *copy)
{
    uint32_t token = wabin_token_find(name);
    if (token == 0)
        return wabin_doc_copy(doc, name, copy);
    *copy = wabin_token_texts[token];
    return true;
}

static bool copy_attrs(struct wabin_doc *doc, const struct wabin_node *from,
                       struct wabin_node *to)
{
    if (from->attr_count == 0)
        return true;
    struct wabin_attr *attrs =
        wabin_doc_take(doc, from->attr_count * sizeof(*attrs));
    if (attrs == NULL)
        return false;
    for (uint32_t i = 0; i < from->attr_count; i++) {
        attrs[i] = from->attrs[i];
        if (!copy_name(doc, from->attrs[i].key, &attrs[i].key) ||
            !wabin_doc_copy(doc, from->attrs[i].value.text,
                            &attrs[i].value.text))
            return false;
    }
    to->attrs = attrs;
    to->attr_count = from->attr_count;
    return true;
}

static bool copy_node(struct wabin_doc *doc, const struct wabin_node *from,
                      struct wabin_node *to);

static bool copy_children(struct wabin_doc *doc, const struct wabin_node *from,
                          struct wabin_node *to)
{
    size_t count = from->content_size;

    if (count == 0) {
        wabin_set_nodes(to, NULL, 0);
        return true;
    }
    struct wabin_node *children = wabin_new_children(doc, to, count);
    if (children == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!copy_node(doc, &from->nodes[i], &children[i]))
            return false;
    return true;
}

static bool copy_node(struct wabin_doc *doc, const struct wabin_node *from,
                      struct wabin_node *to)
{
    struct wabin_str content;

    *to = (struct wabin_node){.content = from->content};
    if (!copy_name(doc, from->tag, &to->tag) || !copy_attrs(doc, from, to))
        return false;
    if (from->content == WABIN_NODES)
        return copy_children(doc, from, to);
    if (from->content == WABIN_NOTHING)
        return true;
    if (!wabin_doc_copy(doc, wabin_str(from->data, from->content_size),
                        &content))
        return false;
    to->data = content.data;
    to->content_size = content.size;
    return true;
}

struct wabin_node *wabin_copy(struct wabin_doc *doc,
                              const struct wabin_node *node)
{
    struct wabin_node *copy = wabin_doc_take(doc, sizeof(*copy));
    return copy != NULL && copy_node(doc, node, copy) ? copy : NULL;
}

/* ---- contents and values as text --------------------------------------- */

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* Bytes that are no text: out is as large as three times the input. */
static size_t replace_invalid(struct wabin_str bytes, char *out)
{
    char *at = out;

    for (;;) {
        size_t bad = 0, good = wabin_utf8_valid_up_to(bytes, &bad);
        memcpy(at, bytes.data, good);
        at += good;
        if (good == bytes.size)
            return (size_t)(at - out);
        memcpy(at, REPLACEMENT, sizeof(REPLACEMENT) - 1);
        at += sizeof(REPLACEMENT) - 1;
        bytes = wabin_str_from(bytes, bad == 0 ? bytes.size : good + bad);
    }
}

struct wabin_str wabin_content_as_text(struct wabin_doc *doc,
                                       const struct wabin_node *node)
{
    struct wabin_str content = wabin_str(node->data, node->content_size);
    size_t most;

    if (node->content != WABIN_BYTES)
        return wabin_content_text(node);
    if (utf8_valid((const uint8_t *)content.data, content.size))
        return content;
    if (!size_mul(content.size, sizeof(REPLACEMENT) - 1, &most))
        return (struct wabin_str){0};
    char *out = wabin_doc_chars(doc, most);
    if (out == NULL)
        return (struct wabin_str){0};
    size_t size = replace_invalid(content, out);
    doc->at = out + size;
    return wabin_str(out, size);
}

struct wabin_str wabin_value_as_text(struct wabin_doc *doc,
                                     const struct wabin_value *value)
{
    if (value->kind == WABIN_VALUE_TEXT)
        return value->text;
    const struct wabin_jid jid = wabin_value_get_jid(value);
    size_t most = wabin_jid_bound(&jid);
    char *out = wabin_doc_chars(doc, most);
    if (out == NULL)
        return (struct wabin_str){0};
    size_t size = wabin_jid_format(&jid, WABIN_JID_FULL, out, most);
    doc->at = out + size;
    return wabin_str(out, size);
}
