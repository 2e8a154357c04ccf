/* SPDX-License-Identifier: MIT */
/* Looking things up in a tree, and comparing trees. */
#include "wabin/wabin_node.h"

bool wabin_value_is(const struct wabin_value *value, struct wabin_str text)
{
    if (value->kind == WABIN_VALUE_TEXT)
        return wabin_str_equal(value->text, text);
    const struct wabin_jid jid = wabin_value_get_jid(value);
    return wabin_jid_is_text(&jid, text);
}

const struct wabin_value *wabin_get_attr(const struct wabin_node *node,
                                         struct wabin_str key)
{
    for (uint32_t i = 0; i < node->attr_count; i++)
        if (wabin_str_equal(node->attrs[i].key, key))
            return &node->attrs[i].value;
    return NULL;
}

const struct wabin_node *wabin_children(const struct wabin_node *node,
                                        size_t *count)
{
    bool nodes = node->content == WABIN_NODES;
    *count = nodes ? node->content_size : 0;
    return nodes ? node->nodes : NULL;
}

const struct wabin_node *wabin_next_child(const struct wabin_node *node,
                                          struct wabin_str tag, size_t *at)
{
    size_t count;
    const struct wabin_node *children = wabin_children(node, &count);

    while (*at < count) {
        const struct wabin_node *child = &children[(*at)++];
        if (wabin_str_equal(child->tag, tag))
            return child;
    }
    return NULL;
}

const struct wabin_node *wabin_get_child(const struct wabin_node *node,
                                         struct wabin_str tag)
{
    size_t at = 0;
    return wabin_next_child(node, tag, &at);
}

const struct wabin_node *wabin_get_path(const struct wabin_node *node,
                                        const struct wabin_str *tags,
                                        size_t count)
{
    for (size_t i = 0; i < count && node != NULL; i++)
        node = wabin_get_child(node, tags[i]);
    return node;
}

static struct wabin_str content_of(const struct wabin_node *node,
                                   enum wabin_content content)
{
    if (node->content != content)
        return (struct wabin_str){0};
    return wabin_str(node->data, node->content_size);
}

struct wabin_str wabin_content_bytes(const struct wabin_node *node)
{
    return content_of(node, WABIN_BYTES);
}

struct wabin_str wabin_content_text(const struct wabin_node *node)
{
    return content_of(node, WABIN_TEXT);
}

static bool value_equal(const struct wabin_value *a,
                        const struct wabin_value *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == WABIN_VALUE_TEXT)
        return wabin_str_equal(a->text, b->text);
    const struct wabin_jid left = wabin_value_get_jid(a);
    const struct wabin_jid right = wabin_value_get_jid(b);
    return wabin_jid_equal(&left, &right);
}

static bool attrs_equal(const struct wabin_node *a, const struct wabin_node *b)
{
    if (a->attr_count != b->attr_count)
        return false;
    for (uint32_t i = 0; i < a->attr_count; i++)
        if (!wabin_str_equal(a->attrs[i].key, b->attrs[i].key) ||
            !value_equal(&a->attrs[i].value, &b->attrs[i].value))
            return false;
    return true;
}

static bool content_equal(const struct wabin_node *a,
                          const struct wabin_node *b)
{
    if (a->content != b->content || a->content_size != b->content_size)
        return false;
    if (a->content != WABIN_NODES)
        return a->content == WABIN_NOTHING ||
               wabin_str_equal(wabin_str(a->data, a->content_size),
                               wabin_str(b->data, b->content_size));
    for (size_t i = 0; i < a->content_size; i++)
        if (!wabin_node_equal(&a->nodes[i], &b->nodes[i]))
            return false;
    return true;
}

bool wabin_node_equal(const struct wabin_node *a, const struct wabin_node *b)
{
    return wabin_str_equal(a->tag, b->tag) && attrs_equal(a, b) &&
           content_equal(a, b);
}
