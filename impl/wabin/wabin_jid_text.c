/* SPDX-License-Identifier: MIT */
/* JIDs from text and to text. */
#include "wabin/wabin_jid.h"

#include "wabin/wabin_number.h"

#define NONE SIZE_MAX /* position of a character that is not there */

static size_t find_last(struct wabin_str s, char c)
{
    for (size_t i = s.size; i-- > 0;)
        if (s.data[i] == c)
            return i;
    return NONE;
}

static size_t find_first(struct wabin_str s, char c)
{
    const char *at = s.size != 0 ? memchr(s.data, c, s.size) : NULL;
    return at != NULL ? (size_t)(at - s.data) : NONE;
}

/* The number behind the last c of s, when there is one up to max. */
static size_t number_behind(struct wabin_str s, char c, uint64_t max,
                            uint64_t *number)
{
    size_t at = find_last(s, c);
    if (at == NONE || wabin_parse_u64(wabin_str_from(s, at + 1), max,
                                      number) != WABIN_NUMBER_OK)
        return NONE;
    return at;
}

bool wabin_jid_scan(struct wabin_str text, struct wabin_jid *jid)
{
    size_t at = find_first(text, '@');
    if (at == NONE || at == 0)
        return false;
    enum wabin_server server = wabin_server_find(wabin_str_from(text, at + 1));
    if (server == WABIN_SERVER_NONE)
        return false;

    struct wabin_str user = wabin_str_first(text, at);
    uint64_t device = 0, agent = 0;
    size_t colon = find_last(user, ':');
    if (colon != NONE) {
        if (wabin_parse_u64(wabin_str_from(user, colon + 1), UINT16_MAX,
                            &device) != WABIN_NUMBER_OK)
            device = 0;
        user.size = colon;
    }
    /* A dot belongs to a LID user; a phone number has its device behind the
     * dot when no colon gives it; everybody else has the agent there. */
    size_t dot = NONE;
    if (server == WABIN_SERVER_PN && colon == NONE)
        dot = number_behind(user, '.', UINT16_MAX, &device);
    else if (server != WABIN_SERVER_PN && server != WABIN_SERVER_LID)
        dot = number_behind(user, '.', UINT8_MAX, &agent);
    if (dot != NONE)
        user.size = dot;
    *jid = (struct wabin_jid){
        .user = user,
        .device = (uint16_t)device,
        .agent = (uint8_t)agent,
        .server = (uint8_t)server,
    };
    return true;
}

/* Why a text with a user and an unknown server is no JID. */
static COLD void explain(struct wabin_str user, struct wabin_str server,
                         struct wabin_error *error)
{
    uint64_t number = 0;
    size_t colon = find_last(user, ':');
    enum wabin_number_fault fault = WABIN_NUMBER_OK;

    if (colon != NONE) {
        fault = wabin_parse_u64(wabin_str_from(user, colon + 1), UINT16_MAX,
                                &number);
        user.size = colon;
    }
    error->text = server;
    error->fault = fault;
    if (fault != WABIN_NUMBER_OK) {
        error->cause = WABIN_CAUSE_DEVICE;
    } else if (number_behind(user, '.', UINT16_MAX, &number) != NONE &&
               number > UINT8_MAX) {
        error->cause = WABIN_CAUSE_AGENT;
        error->number = number;
    } else {
        error->cause = WABIN_CAUSE_SERVER;
    }
}

enum wabin_status wabin_jid_parse(struct wabin_str text, struct wabin_jid *jid,
                                  struct wabin_error *error)
{
    if (wabin_jid_scan(text, jid))
        return WABIN_OK;

    size_t at = find_first(text, '@');
    size_t user_size = at == NONE ? 0 : at;
    struct wabin_str server = at == NONE ? text : wabin_str_from(text, at + 1);
    enum wabin_server found = wabin_server_find(server);
    if (user_size == 0 && found != WABIN_SERVER_NONE) {
        *jid = (struct wabin_jid){
            .user = WABIN_STR(""),
            .server = (uint8_t)found,
        };
        return WABIN_OK;
    }
    if (error != NULL) {
        *error = (struct wabin_error){.status = WABIN_BAD_JID};
        if (user_size != 0) {
            explain(wabin_str_first(text, user_size), server, error);
        } else {
            error->cause = WABIN_CAUSE_NO_USER;
            error->text = server;
        }
    }
    return WABIN_BAD_JID;
}

size_t wabin_jid_suffix(const struct wabin_jid *jid, enum wabin_jid_form form,
                        char *out)
{
    bool full = form == WABIN_JID_FULL;
    size_t at = 0;

    if (form == WABIN_JID_PARTICIPANT) {
        out[at++] = '.';
        out[at++] = '0';
    } else if (full && jid->agent > 0 &&
               wabin_server_shows_agent(jid->server)) {
        out[at++] = '.';
        at += wabin_put_decimal(jid->agent, out + at);
    }
    if (form == WABIN_JID_PARTICIPANT || (full && jid->device > 0)) {
        out[at++] = ':';
        at += wabin_put_decimal(jid->device, out + at);
    }
    out[at++] = '@';
    struct wabin_str server = wabin_server_text(jid->server);
    memcpy(out + at, server.data, server.size);
    return at + server.size;
}

size_t wabin_jid_format(const struct wabin_jid *jid, enum wabin_jid_form form,
                        char *out, size_t size)
{
    char suffix[WABIN_JID_SUFFIX_MAX];
    struct wabin_str tail = wabin_server_text(jid->server);

    if (jid->user.size != 0)
        tail = wabin_str(suffix, wabin_jid_suffix(jid, form, suffix));
    size_t whole = jid->user.size + tail.size;
    if (whole > size)
        return whole;
    if (jid->user.size != 0)
        memcpy(out, jid->user.data, jid->user.size);
    memcpy(out + jid->user.size, tail.data, tail.size);
    return whole;
}
