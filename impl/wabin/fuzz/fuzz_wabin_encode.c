/* SPDX-License-Identifier: MIT */
/* Any strings as tag, key, value, user and text: the planned encoding is the
 * plain one, and what has no `@` is decoded as it was. */
#include "base/utf8.h"
#include "testkit/fuzz.h"
#include "wabin/tests/wabin_kept.h"
#include "wabin/wabin.h"

/* The next string: a byte of size, then so many bytes as are there. */
static struct wabin_str next_string(const uint8_t **data, size_t *size)
{
    size_t n = *size != 0 ? **data : 0;

    if (*size != 0) {
        ++*data;
        --*size;
    }
    n = n < *size ? n : *size;
    struct wabin_str s = wabin_str((const char *)*data, n);
    *data += n;
    *size -= n;
    return utf8_valid((const uint8_t *)s.data, n) ? s : WABIN_STR("utf8");
}

static void check_node(const struct wabin_node *node)
{
    struct wabin_buf plain = {0}, exact = {0};
    const struct wabin_node *back;
    struct wabin_doc doc;

    wabin_doc_init(&doc, NULL);
    FUZZ_CHECK(wabin_marshal_plain(node, &plain, NULL) == WABIN_OK);
    FUZZ_CHECK(wabin_marshal_exact(node, &exact, NULL) == WABIN_OK);
    FUZZ_CHECK(plain.size == exact.size && exact.size == exact.capacity);
    FUZZ_CHECK(memcmp(plain.data, exact.data, plain.size) == 0);
    enum wabin_status status =
        wabin_decode_frame(&doc, plain.data, plain.size, &back, NULL);
    if (is_kept(node)) {
        FUZZ_CHECK(status == WABIN_OK);
        FUZZ_CHECK(wabin_str_equal(node->tag, back->tag));
        FUZZ_CHECK(wabin_str_equal(node->attrs[0].key, back->attrs[0].key));
        FUZZ_CHECK(wabin_str_equal(node->attrs[0].value.text,
                                   back->attrs[0].value.text));
    }
    wabin_doc_release(&doc);
    wabin_buf_release(&plain);
    wabin_buf_release(&exact);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wabin_attr attrs[2];
    struct wabin_node node = {.tag = next_string(&data, &size),
                              .attrs = attrs,
                              .attr_count = ARRAY_COUNT(attrs)};

    attrs[0].key = next_string(&data, &size);
    attrs[0].value = wabin_value_text(next_string(&data, &size));
    attrs[1].key = WABIN_STR("jid");
    struct wabin_jid jid = {.user = next_string(&data, &size)};
    jid.server = (uint8_t)(jid.user.size % WABIN_SERVER_COUNT);
    jid.device = size != 0 ? data[0] : 0;
    attrs[1].value = wabin_value_jid(jid);
    wabin_set_text(&node, next_string(&data, &size));
    check_node(&node);
    return 0;
}
