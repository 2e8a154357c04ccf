/* SPDX-License-Identifier: MIT */
/* Which trees encoding keeps: a rule that tests and fuzz targets share. */
#ifndef WABIN_TESTS_WABIN_KEPT_H
#define WABIN_TESTS_WABIN_KEPT_H

#include "wabin/wabin_node.h"

static inline bool has_at_sign(struct wabin_str s)
{
    return s.size != 0 && memchr(s.data, '@', s.size) != NULL;
}

/** Whether a decoded tree, once encoded, is decoded to what encodes the same:
 * it has no text that looks like a JID, no interop JID with an integrator,
 * which the wire shows only one way, and no list of no children, which comes
 * back as no content. */
static inline bool is_kept(const struct wabin_node *node)
{
    if (has_at_sign(node->tag))
        return false;
    for (uint32_t i = 0; i < node->attr_count; i++) {
        const struct wabin_attr *attr = &node->attrs[i];
        if (has_at_sign(attr->key) || has_at_sign(attr->value.text) ||
            (attr->value.kind == WABIN_VALUE_JID &&
             attr->value.integrator != 0))
            return false;
    }
    if (node->content == WABIN_TEXT)
        return !has_at_sign(wabin_content_text(node));
    if (node->content != WABIN_NODES)
        return true;
    for (size_t i = 0; i < node->content_size; i++)
        if (!is_kept(&node->nodes[i]))
            return false;
    return node->content_size != 0;
}

#endif
