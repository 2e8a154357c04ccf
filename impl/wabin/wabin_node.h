/* SPDX-License-Identifier: MIT */
/* Nodes: the tree that decoding gives and encoding takes. */
#ifndef WABIN_NODE_H
#define WABIN_NODE_H

#include "wabin/wabin_jid.h"

/** What a value is. */
enum wabin_value_kind {
    WABIN_VALUE_TEXT,
    WABIN_VALUE_JID,
};

/** An attribute's value: text, or a JID whose user is the text. */
struct wabin_value {
    struct wabin_str text;
    uint16_t device;
    uint16_t integrator;
    uint8_t agent;
    uint8_t server; /* enum wabin_server */
    uint8_t kind;   /* enum wabin_value_kind */
};

struct wabin_attr {
    struct wabin_str key;
    struct wabin_value value;
};

/** What a node contains. */
enum wabin_content {
    WABIN_NOTHING,
    WABIN_BYTES,
    WABIN_TEXT,
    WABIN_NODES,
};

/**
 * A node.  In a decoded tree the texts and bytes point into the input, into
 * the dictionary's static storage, or into the doc; attributes and children
 * lie in the doc.  A tree made by hand may point anywhere.
 */
struct wabin_node {
    struct wabin_str tag;
    const struct wabin_attr *attrs; /* in order, duplicates kept */
    union {
        const char *data;               /* WABIN_BYTES, WABIN_TEXT */
        const struct wabin_node *nodes; /* WABIN_NODES */
    };
    size_t content_size; /* bytes, or nodes */
    uint32_t attr_count;
    uint16_t attr_spare; /* unused places behind attrs; see wabin_build.h */
    uint8_t content;     /* enum wabin_content */
};

/** A text value. */
static inline struct wabin_value wabin_value_text(struct wabin_str text)
{
    return (struct wabin_value){.text = text};
}

/** A structured JID as a value. */
static inline struct wabin_value wabin_value_jid(struct wabin_jid jid)
{
    return (struct wabin_value){
        .text = jid.user,
        .device = jid.device,
        .integrator = jid.integrator,
        .agent = jid.agent,
        .server = jid.server,
        .kind = WABIN_VALUE_JID,
    };
}

/** The JID of a WABIN_VALUE_JID. */
static inline struct wabin_jid wabin_value_get_jid(
    const struct wabin_value *value)
{
    return (struct wabin_jid){
        .user = value->text,
        .device = value->device,
        .integrator = value->integrator,
        .agent = value->agent,
        .server = value->server,
    };
}

/** The value is this text, or a JID whose text form it is. */
bool wabin_value_is(const struct wabin_value *value, struct wabin_str text);

/** The first value of a key, or NULL. */
const struct wabin_value *wabin_get_attr(const struct wabin_node *node,
                                         struct wabin_str key);

/** The children, *count of them; NULL when the content is no node list. */
const struct wabin_node *wabin_children(const struct wabin_node *node,
                                        size_t *count);

/** The first child with a tag, or NULL. */
const struct wabin_node *wabin_get_child(const struct wabin_node *node,
                                         struct wabin_str tag);

/** The first child with a tag behind *at, which starts as 0 and moves on;
 * NULL when there is none: all children of one tag, in order. */
const struct wabin_node *wabin_next_child(const struct wabin_node *node,
                                          struct wabin_str tag, size_t *at);

/** One wabin_get_child for each of `count` tags; NULL when a step fails, the
 * node itself when there are no steps. */
const struct wabin_node *wabin_get_path(const struct wabin_node *node,
                                        const struct wabin_str *tags,
                                        size_t count);

/** The content when it is bytes; data is NULL when it is not. */
struct wabin_str wabin_content_bytes(const struct wabin_node *node);

/** The content when it is text; data is NULL when it is not. */
struct wabin_str wabin_content_text(const struct wabin_node *node);

/** The same tree: tags, attributes in their order, contents and their kinds.
 * Two JIDs are the same as wabin_jid_equal says.
 * Stack: about 100 bytes a level. */
bool wabin_node_equal(const struct wabin_node *a, const struct wabin_node *b);

#endif
