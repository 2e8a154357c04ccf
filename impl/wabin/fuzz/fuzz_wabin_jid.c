/* SPDX-License-Identifier: MIT */
/* Any text as a JID: what is accepted has a text form, which is accepted
 * again as the same JID and is its own text form. */
#include "testkit/fuzz.h"
#include "wabin/wabin.h"

#include <stdlib.h>

static struct wabin_str format(const struct wabin_jid *jid)
{
    size_t most = wabin_jid_bound(jid);
    char *text = malloc(most);

    FUZZ_CHECK(text != NULL);
    size_t size = wabin_jid_format(jid, WABIN_JID_FULL, text, most);
    FUZZ_CHECK(size <= most);
    FUZZ_CHECK(wabin_jid_format(jid, WABIN_JID_FULL, NULL, 0) == size);
    return wabin_str(text, size);
}

static void check_accepted(const struct wabin_jid *jid)
{
    struct wabin_str text = format(jid);
    struct wabin_jid back;

    FUZZ_CHECK(wabin_jid_is_text(jid, text));
    FUZZ_CHECK(wabin_jid_same_text(jid, jid));
    FUZZ_CHECK(wabin_jid_equal(jid, jid));
    FUZZ_CHECK(wabin_jid_parse(text, &back, NULL) == WABIN_OK);
    FUZZ_CHECK(wabin_jid_same_text(jid, &back) ||
               /* a number behind a dot moves: "a.1.2" with agent 0 */
               back.user.size < jid->user.size);
    free((void *)(uintptr_t)text.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wabin_str text = wabin_str((const char *)data, size);
    struct wabin_jid jid, scanned;
    struct wabin_error error = {.status = WABIN_OK};
    char message[32];
    bool scans = wabin_jid_scan(text, &scanned);

    if (wabin_jid_parse(text, &jid, &error) != WABIN_OK) {
        FUZZ_CHECK(!scans && error.status == WABIN_BAD_JID);
        wabin_error_text(&error, message, sizeof(message));
        return 0;
    }
    FUZZ_CHECK(!scans || wabin_jid_equal(&jid, &scanned));
    FUZZ_CHECK(scans || jid.user.size == 0);
    FUZZ_CHECK(jid.server < WABIN_SERVER_COUNT && jid.integrator == 0);
    check_accepted(&jid);
    return 0;
}
