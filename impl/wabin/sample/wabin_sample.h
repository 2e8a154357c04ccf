/* SPDX-License-Identifier: MIT */
/* The trees that the codec is tested and measured with. */
#ifndef WABIN_SAMPLE_WABIN_SAMPLE_H
#define WABIN_SAMPLE_WABIN_SAMPLE_H

#include "wabin/wabin_doc.h"
#include "wabin/wabin_node.h"

/** Samples with their names in case ids. */
#define WABIN_SAMPLE_LIST(X)                                                  \
    X(WABIN_SAMPLE_SMALL, "small")                                            \
    X(WABIN_SAMPLE_ACK, "ack")                                                \
    X(WABIN_SAMPLE_FANOUT, "fanout")                                          \
    X(WABIN_SAMPLE_LARGE, "large")                                            \
    X(WABIN_SAMPLE_ATTR, "attr")                                              \
    X(WABIN_SAMPLE_LONG_STRING, "longstring")                                 \
    X(WABIN_SAMPLE_USYNC, "usync")                                            \
    X(WABIN_SAMPLE_JID_HEAVY, "jidheavy")                                     \
    X(WABIN_SAMPLE_HUGE_BYTES, "hugebytes")                                   \
    X(WABIN_SAMPLE_MANY_CHILDREN, "manychildren")                             \
    X(WABIN_SAMPLE_GROUP_8, "group8")                                         \
    X(WABIN_SAMPLE_GROUP_32, "group32")                                       \
    X(WABIN_SAMPLE_GROUP_128, "group128")                                     \
    X(WABIN_SAMPLE_GROUP_512, "group512")

enum wabin_sample {
#define X(name, text) name,
    WABIN_SAMPLE_LIST(X)
#undef X
        WABIN_SAMPLE_COUNT,
};

const char *wabin_sample_name(enum wabin_sample sample);

/**
 * Build a sample's tree.
 *
 *   doc   holds all of it
 *   seed  0: the published tree; any other: digits, upper-case hex digits and
 *         payload bytes of ids, users and contents are drawn anew, so that
 *         sizes and ways of writing stay and branches do not repeat
 *
 * Returns NULL when there is no memory.  All numbers are fictitious.
 */
const struct wabin_node *wabin_sample_tree(struct wabin_doc *doc,
                                           enum wabin_sample sample,
                                           uint64_t seed);

#endif
