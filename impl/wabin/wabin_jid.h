/* SPDX-License-Identifier: MIT */
/* JIDs: who or what a node is addressed to. */
#ifndef WABIN_JID_H
#define WABIN_JID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wabin/wabin_error.h"
#include "wabin/wabin_str.h"

/** The servers in their sort order, with their texts. */
#define WABIN_SERVER_LIST(X)                                                  \
    X(WABIN_SERVER_PN, "s.whatsapp.net")                                      \
    X(WABIN_SERVER_LID, "lid")                                                \
    X(WABIN_SERVER_GROUP, "g.us")                                             \
    X(WABIN_SERVER_BROADCAST, "broadcast")                                    \
    X(WABIN_SERVER_NEWSLETTER, "newsletter")                                  \
    X(WABIN_SERVER_HOSTED, "hosted")                                          \
    X(WABIN_SERVER_HOSTED_LID, "hosted.lid")                                  \
    X(WABIN_SERVER_MESSENGER, "msgr")                                         \
    X(WABIN_SERVER_INTEROP, "interop")                                        \
    X(WABIN_SERVER_BOT, "bot")                                                \
    X(WABIN_SERVER_LEGACY, "c.us")                                            \
    X(WABIN_SERVER_CALL, "call")

enum wabin_server {
#define X(name, text) name,
    WABIN_SERVER_LIST(X)
#undef X
        WABIN_SERVER_COUNT,
    WABIN_SERVER_NONE = 0xff,
};

/** A JID.  All zero is the empty user at s.whatsapp.net (give its user a
 * data pointer before handing it on: WABIN_STR("")). */
struct wabin_jid {
    struct wabin_str user; /* may be empty */
    uint16_t device;
    uint16_t integrator; /* interop only; never in the text */
    uint8_t agent;
    uint8_t server; /* enum wabin_server */
};

/** The text of a server below WABIN_SERVER_COUNT; static. */
struct wabin_str wabin_server_text(enum wabin_server server);

/** The server of a text, compared exactly, or WABIN_SERVER_NONE. */
enum wabin_server wabin_server_find(struct wabin_str text);

/** The domain byte of AD_JID, or -1 for a server that has none. */
int wabin_server_domain(enum wabin_server server);

/** Whether the text form shows the agent. */
bool wabin_server_shows_agent(enum wabin_server server);

/**
 * Parse text, borrowing the user from it.  Device and agent that are no
 * numbers never fail: the device is 0, the agent stays part of the user.
 *
 *   jid  out: untouched on failure
 *
 * Returns false when there is no `@`, when it comes first, and when the server
 * is unknown; wabin_jid_parse says why.
 */
MUST_CHECK bool wabin_jid_scan(struct wabin_str text, struct wabin_jid *jid);

/**
 * Like wabin_jid_scan, but a server name alone, with or without an `@` before
 * it, is a JID with an empty user, and failures are explained.
 *
 *   error  out on failure: WABIN_BAD_JID with its cause, borrowing from text;
 *          may be NULL
 */
MUST_CHECK enum wabin_status wabin_jid_parse(struct wabin_str text,
                                             struct wabin_jid *jid,
                                             struct wabin_error *error);

/** The text forms of a JID. */
enum wabin_jid_form {
    WABIN_JID_FULL,        /* user.agent:device@server */
    WABIN_JID_NON_AD,      /* user@server */
    WABIN_JID_PARTICIPANT, /* user.0:device@server, device 0 too */
};

/** Largest size of what follows the user in any text form. */
#define WABIN_JID_SUFFIX_MAX 25

/** Most bytes that any text form of a JID has. */
static inline size_t wabin_jid_bound(const struct wabin_jid *jid)
{
    return jid->user.size + WABIN_JID_SUFFIX_MAX;
}

/**
 * Write a JID as text, without a zero at the end.  An empty user leaves the
 * server's text alone.
 *
 *   out, size  caller's buffer; nothing is written when it is too small
 *
 * Returns the size of the text; wabin_jid_bound() bytes are always enough.
 */
size_t wabin_jid_format(const struct wabin_jid *jid, enum wabin_jid_form form,
                        char *out, size_t size);

/** Write all of a text form that follows a user which is not empty; at most
 * WABIN_JID_SUFFIX_MAX bytes.  Returns their number. */
size_t wabin_jid_suffix(const struct wabin_jid *jid, enum wabin_jid_form form,
                        char *out);

/** The text form equals text; nothing is built. */
bool wabin_jid_is_text(const struct wabin_jid *jid, struct wabin_str text);

/** The JID without agent and device. */
struct wabin_jid wabin_jid_non_ad(struct wabin_jid jid);

/** A device of the same user, hosted or not: the server moves within the
 * phone-number or the LID family. */
struct wabin_jid wabin_jid_with_device(struct wabin_jid jid, uint16_t device,
                                       bool hosted);

/** The same identity: user, server, device, integrator, and the agent where
 * the server shows it. */
bool wabin_jid_equal(const struct wabin_jid *a, const struct wabin_jid *b);

/** The same apart from the device. */
bool wabin_jid_same_chat(const struct wabin_jid *a, const struct wabin_jid *b);

/** The same user, server and device. */
bool wabin_jid_same_device(const struct wabin_jid *a,
                           const struct wabin_jid *b);

/** The same text form; all JIDs of a server without a user are the same. */
bool wabin_jid_same_text(const struct wabin_jid *a, const struct wabin_jid *b);

/** Bytes that wabin_jid_key needs. */
static inline size_t wabin_jid_key_size(const struct wabin_jid *jid)
{
    return jid->user.size + 6;
}

/** Write wabin_jid_key_size() bytes that are equal for two JIDs exactly when
 * wabin_jid_equal says so: the key of a map. */
void wabin_jid_key(const struct wabin_jid *jid, uint8_t *out);

bool wabin_jid_is_ad(const struct wabin_jid *jid);
bool wabin_jid_is_interop(const struct wabin_jid *jid);
bool wabin_jid_is_messenger(const struct wabin_jid *jid);
bool wabin_jid_is_group(const struct wabin_jid *jid);
bool wabin_jid_is_broadcast_list(const struct wabin_jid *jid);
bool wabin_jid_is_status_broadcast(const struct wabin_jid *jid);
bool wabin_jid_is_psa(const struct wabin_jid *jid);
bool wabin_jid_is_bot(const struct wabin_jid *jid);
bool wabin_jid_is_newsletter(const struct wabin_jid *jid);
bool wabin_jid_is_hosted(const struct wabin_jid *jid);
bool wabin_jid_is_empty(const struct wabin_jid *jid);

#endif
