/* SPDX-License-Identifier: MIT */
/*
 * Reading a node's attributes as what they should be.
 *
 * A parser looks the first attribute of a key up.  What is wrong is collected,
 * so that a reader can ask for all it needs and look at the errors once, at
 * the end:
 *
 *     struct wabin_attrs attrs = wabin_attrs(node, doc, WABIN_BORROWED);
 *     struct wabin_jid from = wabin_attrs_jid(&attrs, WABIN_STR("from"));
 *     int64_t t = wabin_attrs_unix_time(&attrs, WABIN_STR("t"));
 *     if (wabin_attrs_finish(&attrs, &error) != WABIN_OK)
 *         ...
 *
 * Keys are borrowed as long as the parser and its errors.
 */
#ifndef WABIN_ATTRS_H
#define WABIN_ATTRS_H

#include "wabin/wabin_doc.h"
#include "wabin/wabin_node.h"

/** How a bad JID is reported: as text from a decoded tree, as its own kind of
 * error from a tree that somebody built. */
enum wabin_tree {
    WABIN_BORROWED,
    WABIN_OWNED,
};

/** A parser.  Its members are the module's. */
struct wabin_attrs {
    const struct wabin_node *node;
    struct wabin_doc *doc; /* for rendered JIDs and errors */
    enum wabin_tree tree;
    bool no_memory; /* something could not be rendered or collected */
    size_t count;   /* of errors */
    size_t capacity;
    struct wabin_error *errors;
};

/** A parser of a node's attributes.  The doc, which may be the node's own, is
 * written to only for JIDs asked for as text, and for errors. */
static inline struct wabin_attrs wabin_attrs(const struct wabin_node *node,
                                             struct wabin_doc *doc,
                                             enum wabin_tree tree)
{
    return (struct wabin_attrs){.node = node, .doc = doc, .tree = tree};
}

/** The value as text; data is NULL when there is none. */
struct wabin_str wabin_attrs_optional_string(struct wabin_attrs *attrs,
                                             struct wabin_str key);

/** Like wabin_attrs_optional_string, but WABIN_MISSING_ATTR when there is
 * none, which is not collected. */
MUST_CHECK enum wabin_status wabin_attrs_required_string(
    struct wabin_attrs *attrs, struct wabin_str key, struct wabin_str *text,
    struct wabin_error *error);

/** Whether there is a JID; text that is none is collected. */
MUST_CHECK bool wabin_attrs_optional_jid(struct wabin_attrs *attrs,
                                         struct wabin_str key,
                                         struct wabin_jid *jid);

/** The JID, or WABIN_MISSING_ATTR or WABIN_BAD_JID, which are not
 * collected. */
MUST_CHECK enum wabin_status wabin_attrs_required_jid(
    struct wabin_attrs *attrs, struct wabin_str key, struct wabin_jid *jid,
    struct wabin_error *error);

/** Like wabin_attrs_required_jid, but none is WABIN_OK with *present
 * false. */
MUST_CHECK enum wabin_status wabin_attrs_optional_jid_result(
    struct wabin_attrs *attrs, struct wabin_str key, bool *present,
    struct wabin_jid *jid, struct wabin_error *error);

/** The JID; none and a bad one are collected, and give the empty user at
 * s.whatsapp.net. */
struct wabin_jid wabin_attrs_jid(struct wabin_attrs *attrs,
                                 struct wabin_str key);

/** Like wabin_attrs_jid, without agent and device. */
struct wabin_jid wabin_attrs_non_ad_jid(struct wabin_attrs *attrs,
                                        struct wabin_str key);

/** Whether there is a truth value, one of `1 t T true True TRUE` and
 * `0 f F false False FALSE`; other text is collected. */
MUST_CHECK bool wabin_attrs_optional_bool_value(struct wabin_attrs *attrs,
                                                struct wabin_str key,
                                                bool *truth);

/** The truth value, false without one; other text is collected. */
bool wabin_attrs_optional_bool(struct wabin_attrs *attrs,
                               struct wabin_str key);

/** Like wabin_attrs_optional_bool, but none is collected. */
bool wabin_attrs_bool(struct wabin_attrs *attrs, struct wabin_str key);

/** Whether there is a number; other text is collected. */
MUST_CHECK bool wabin_attrs_optional_u64(struct wabin_attrs *attrs,
                                         struct wabin_str key,
                                         uint64_t *number);

/** Whether there is a time in seconds, with a sign; other text is
 * collected. */
MUST_CHECK bool wabin_attrs_optional_unix_time(struct wabin_attrs *attrs,
                                               struct wabin_str key,
                                               int64_t *seconds);

/** Like wabin_attrs_optional_unix_time, in milliseconds. */
MUST_CHECK bool wabin_attrs_optional_unix_milli(struct wabin_attrs *attrs,
                                                struct wabin_str key,
                                                int64_t *milliseconds);

/** The time in seconds; none and other text are collected, and give 0. */
int64_t wabin_attrs_unix_time(struct wabin_attrs *attrs, struct wabin_str key);

/** Like wabin_attrs_unix_time, in milliseconds. */
int64_t wabin_attrs_unix_milli(struct wabin_attrs *attrs,
                               struct wabin_str key);

/** Nothing has been collected. */
static inline bool wabin_attrs_ok(const struct wabin_attrs *attrs)
{
    return attrs->count == 0 && !attrs->no_memory;
}

/** WABIN_OK, or WABIN_ATTR_LIST with all that was collected so far, in order
 * (until the doc's reset), or WABIN_NO_MEMORY.  The parser goes on. */
MUST_CHECK enum wabin_status wabin_attrs_finish(
    const struct wabin_attrs *attrs, struct wabin_error *error);

#endif
