/* SPDX-License-Identifier: MIT */
/* JIDs as values: servers, comparison and predicates. */
#include "wabin/wabin_jid.h"

#define HOSTED_DEVICE 99

static const struct wabin_str server_texts[WABIN_SERVER_COUNT] = {
#define X(name, text) [name] = {text, sizeof(text) - 1},
    WABIN_SERVER_LIST(X)
#undef X
};

struct wabin_str wabin_server_text(enum wabin_server server)
{
    return server_texts[server];
}

/* Servers of one size, so that a look-up compares with few; places without
 * one hold server 0, whose size differs. */
static const uint8_t servers_of_size[15][4] = {
    [3] = {WABIN_SERVER_LID, WABIN_SERVER_BOT},
    [4] = {WABIN_SERVER_GROUP, WABIN_SERVER_LEGACY, WABIN_SERVER_CALL,
           WABIN_SERVER_MESSENGER},
    [6] = {WABIN_SERVER_HOSTED},
    [7] = {WABIN_SERVER_INTEROP},
    [9] = {WABIN_SERVER_BROADCAST},
    [10] = {WABIN_SERVER_HOSTED_LID, WABIN_SERVER_NEWSLETTER},
    [14] = {WABIN_SERVER_PN},
};

enum wabin_server wabin_server_find(struct wabin_str text)
{
    if (text.size >= ARRAY_COUNT(servers_of_size))
        return WABIN_SERVER_NONE;
    for (size_t i = 0; i < ARRAY_COUNT(servers_of_size[0]); i++) {
        uint8_t server = servers_of_size[text.size][i];
        if (wabin_str_equal(server_texts[server], text))
            return server;
    }
    return WABIN_SERVER_NONE;
}

int wabin_server_domain(enum wabin_server server)
{
    switch (server) {
    case WABIN_SERVER_PN:
        return 0;
    case WABIN_SERVER_LID:
        return 1;
    case WABIN_SERVER_HOSTED:
        return 128;
    case WABIN_SERVER_HOSTED_LID:
        return 129;
    default:
        return -1;
    }
}

/* The servers without an agent are those with a domain byte. */
bool wabin_server_shows_agent(enum wabin_server server)
{
    return wabin_server_domain(server) < 0;
}

static unsigned shown_agent(const struct wabin_jid *jid)
{
    return wabin_server_shows_agent(jid->server) ? jid->agent : 0;
}

struct wabin_jid wabin_jid_non_ad(struct wabin_jid jid)
{
    jid.agent = 0;
    jid.device = 0;
    return jid;
}

struct wabin_jid wabin_jid_with_device(struct wabin_jid jid, uint16_t device,
                                       bool hosted)
{
    jid.device = device;
    switch (jid.server) {
    case WABIN_SERVER_PN:
    case WABIN_SERVER_HOSTED:
        jid.server = hosted ? WABIN_SERVER_HOSTED : WABIN_SERVER_PN;
        break;
    case WABIN_SERVER_LID:
    case WABIN_SERVER_HOSTED_LID:
        jid.server = hosted ? WABIN_SERVER_HOSTED_LID : WABIN_SERVER_LID;
        break;
    default:
        break;
    }
    return jid;
}

bool wabin_jid_same_chat(const struct wabin_jid *a, const struct wabin_jid *b)
{
    return a->server == b->server && a->integrator == b->integrator &&
           shown_agent(a) == shown_agent(b) &&
           wabin_str_equal(a->user, b->user);
}

bool wabin_jid_equal(const struct wabin_jid *a, const struct wabin_jid *b)
{
    return a->device == b->device && wabin_jid_same_chat(a, b);
}

bool wabin_jid_same_device(const struct wabin_jid *a,
                           const struct wabin_jid *b)
{
    return a->server == b->server && a->device == b->device &&
           wabin_str_equal(a->user, b->user);
}

/* Texts can be the same though their parts are not: "a.1" with no agent and
 * "a" with agent 1. */
bool wabin_jid_same_text(const struct wabin_jid *a, const struct wabin_jid *b)
{
    const struct wabin_jid *shorter = a->user.size <= b->user.size ? a : b;
    const struct wabin_jid *longer = shorter == a ? b : a;
    char suffix[WABIN_JID_SUFFIX_MAX], other[WABIN_JID_SUFFIX_MAX];

    if (a->user.size == 0 || b->user.size == 0)
        return a->user.size == b->user.size && a->server == b->server;
    size_t size = wabin_jid_suffix(shorter, WABIN_JID_FULL, suffix);
    size_t other_size = wabin_jid_suffix(longer, WABIN_JID_FULL, other);
    size_t overlap = longer->user.size - shorter->user.size;
    return overlap + other_size == size &&
           memcmp(shorter->user.data, longer->user.data, shorter->user.size) ==
               0 &&
           memcmp(suffix, longer->user.data + shorter->user.size, overlap) ==
               0 &&
           memcmp(suffix + overlap, other, other_size) == 0;
}

bool wabin_jid_is_text(const struct wabin_jid *jid, struct wabin_str text)
{
    char suffix[WABIN_JID_SUFFIX_MAX];

    if (jid->user.size == 0)
        return wabin_str_equal(server_texts[jid->server], text);
    if (text.size < jid->user.size ||
        memcmp(text.data, jid->user.data, jid->user.size) != 0)
        return false;
    size_t size = wabin_jid_suffix(jid, WABIN_JID_FULL, suffix);
    return wabin_str_equal(wabin_str(suffix, size),
                           wabin_str_from(text, jid->user.size));
}

void wabin_jid_key(const struct wabin_jid *jid, uint8_t *out)
{
    out[0] = jid->server;
    out[1] = (uint8_t)shown_agent(jid);
    out[2] = (uint8_t)(jid->device >> 8);
    out[3] = (uint8_t)jid->device;
    out[4] = (uint8_t)(jid->integrator >> 8);
    out[5] = (uint8_t)jid->integrator;
    memcpy(out + 6, jid->user.data, jid->user.size);
}

static bool user_is(const struct wabin_jid *jid, struct wabin_str user)
{
    return wabin_str_equal(jid->user, user);
}

static bool user_starts(const struct wabin_jid *jid, struct wabin_str start)
{
    return jid->user.size >= start.size &&
           memcmp(jid->user.data, start.data, start.size) == 0;
}

bool wabin_jid_is_ad(const struct wabin_jid *jid)
{
    return jid->device > 0 && wabin_server_domain(jid->server) >= 0;
}

bool wabin_jid_is_interop(const struct wabin_jid *jid)
{
    return jid->server == WABIN_SERVER_INTEROP && jid->integrator > 0;
}

bool wabin_jid_is_messenger(const struct wabin_jid *jid)
{
    return jid->server == WABIN_SERVER_MESSENGER && jid->device > 0;
}

bool wabin_jid_is_group(const struct wabin_jid *jid)
{
    return jid->server == WABIN_SERVER_GROUP;
}

bool wabin_jid_is_status_broadcast(const struct wabin_jid *jid)
{
    return jid->server == WABIN_SERVER_BROADCAST &&
           user_is(jid, WABIN_STR("status"));
}

bool wabin_jid_is_broadcast_list(const struct wabin_jid *jid)
{
    return jid->server == WABIN_SERVER_BROADCAST &&
           !wabin_jid_is_status_broadcast(jid);
}

bool wabin_jid_is_psa(const struct wabin_jid *jid)
{
    return (jid->server == WABIN_SERVER_PN ||
            jid->server == WABIN_SERVER_LEGACY) &&
           user_is(jid, WABIN_STR("0"));
}

bool wabin_jid_is_bot(const struct wabin_jid *jid)
{
    if (jid->server == WABIN_SERVER_BOT)
        return true;
    return jid->server == WABIN_SERVER_PN && jid->device == 0 &&
           (user_starts(jid, WABIN_STR("1313555")) ||
            user_starts(jid, WABIN_STR("131655500")));
}

bool wabin_jid_is_newsletter(const struct wabin_jid *jid)
{
    return jid->server == WABIN_SERVER_NEWSLETTER;
}

bool wabin_jid_is_hosted(const struct wabin_jid *jid)
{
    return jid->device == HOSTED_DEVICE ||
           jid->server == WABIN_SERVER_HOSTED ||
           jid->server == WABIN_SERVER_HOSTED_LID;
}

bool wabin_jid_is_empty(const struct wabin_jid *jid)
{
    return jid->user.size == 0;
}
