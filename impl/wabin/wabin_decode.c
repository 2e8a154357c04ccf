/* SPDX-License-Identifier: MIT */
/*
 * Nodes of the wire.  Attributes and children go into the doc as arrays that
 * are taken when their count is read.  A count that the bytes left cannot hold
 * gets no array: the frame is lost, and what follows is read for its error
 * only, one element in the place of the other.
 */
#include "wabin/wabin_decode.h"

#include <assert.h>

#include "base/cursor.h"
#include "wabin/wabin_take.h"

/* A cold doc starts with a block in proportion to the frame. */
#define FIRST_SIZE_MAX 16384
#define FIRST_GROWTH   8

static const uint8_t *take_node(struct decoder *d, const uint8_t *p,
                                unsigned depth, struct wabin_node *node);

/* Whether count elements of at least `least` bytes can follow p. */
static ALWAYS_INLINE bool has_room(const struct decoder *d, const uint8_t *p,
                                   size_t count, size_t least)
{
    ptrdiff_t room = d->room_end - p;
    return LIKELY((ptrdiff_t)(count * least) <= room);
}

/* No array from here on: there is no room for anything. */
static COLD void lose(struct decoder *d)
{
    d->room_end = d->window.start;
}

/* An array in the doc, aligned. */
static ALWAYS_INLINE void *take_array(struct decoder *d, const uint8_t *p,
                                      size_t size)
{
    struct wabin_doc *doc = d->doc;
    char *at = (char *)(((uintptr_t)doc->at + 7) & ~(uintptr_t)7);

    if (UNLIKELY((ptrdiff_t)size > doc->end - at)) {
        if (!take_grow(d, size, p))
            return NULL;
        at = doc->at;
    }
    doc->at = at + size;
    return at;
}

/* The count of a list whose tag is at p. */
static ALWAYS_INLINE const uint8_t *take_count(struct decoder *d,
                                               const uint8_t *p, size_t *count)
{
    size_t left = (size_t)(d->window.end - p);

    if (UNLIKELY(left == 0))
        return take_fail(d, WABIN_EOF, p);
    if (LIKELY(*p == WIRE_LIST_8)) {
        if (UNLIKELY(left < 2))
            return take_fail(d, WABIN_EOF, p + 1);
        *count = p[1];
        return p + 2;
    }
    if (*p == WIRE_LIST_16) {
        if (left < 3)
            return take_fail(d, WABIN_EOF, p + 1);
        *count = load_be16(p + 1);
        return p + 3;
    }
    if (*p == WIRE_LIST_EMPTY) {
        *count = 0;
        return p + 1;
    }
    take_note_number(d, WABIN_INVALID_TOKEN, WABIN_CAUSE_NONE, *p, p);
    return NULL;
}

static ALWAYS_INLINE const uint8_t *take_attr(struct decoder *d,
                                              const uint8_t *p,
                                              struct wabin_attr *attr)
{
    const uint8_t *key = p;

    p = take_text(d, p, &attr->key);
    if (UNLIKELY(p == NULL))
        return NULL;
    if (UNLIKELY(attr->key.data == NULL))
        return take_fail(d, WABIN_NON_STRING_KEY, key);
    return take_value(d, p, &attr->value);
}

/* Attributes of a lost frame. */
static COLD const uint8_t *lose_attrs(struct decoder *d, const uint8_t *p,
                                      size_t count)
{
    struct wabin_attr attr;

    lose(d);
    while (p != NULL && count-- > 0)
        p = take_attr(d, p, &attr);
    return p;
}

static ALWAYS_INLINE const uint8_t *take_attrs(struct decoder *d,
                                               const uint8_t *p, size_t count,
                                               struct wabin_node *node)
{
    if (!has_room(d, p, count, ATTR_SIZE_MIN))
        return lose_attrs(d, p, count);
    struct wabin_attr *attr = take_array(d, p, count * sizeof(*attr));
    if (UNLIKELY(attr == NULL))
        return NULL;
    node->attrs = attr;
    node->attr_count = (uint32_t)count;
    for (struct wabin_attr *end = attr + count; attr != end; attr++) {
        p = take_attr(d, p, attr);
        if (UNLIKELY(p == NULL))
            return NULL;
    }
    return p;
}

/* Children of a lost frame. */
static COLD const uint8_t *lose_children(struct decoder *d, const uint8_t *p,
                                         unsigned depth, size_t count)
{
    struct wabin_node node;

    lose(d);
    while (p != NULL && count-- > 0)
        p = take_node(d, p, depth, &node);
    return p;
}

static const uint8_t *take_children(struct decoder *d, const uint8_t *p,
                                    unsigned depth, struct wabin_node *node)
{
    size_t count;

    p = take_count(d, p, &count);
    if (UNLIKELY(p == NULL))
        return NULL;
    node->content = WABIN_NODES;
    node->content_size = count;
    if (UNLIKELY(count == 0))
        return p;
    if (!has_room(d, p, count, NODE_SIZE_MIN))
        return lose_children(d, p, depth, count);
    struct wabin_node *child = take_array(d, p, count * sizeof(*child));
    if (UNLIKELY(child == NULL))
        return NULL;
    node->nodes = child;
    d->room_end -= count * NODE_SIZE_MIN;
    for (struct wabin_node *end = child + count; child != end; child++) {
        d->room_end += NODE_SIZE_MIN;
        p = take_node(d, p, depth, child);
        if (UNLIKELY(p == NULL))
            return NULL;
    }
    return p;
}

static ALWAYS_INLINE const uint8_t *take_content(struct decoder *d,
                                                 const uint8_t *p,
                                                 unsigned depth,
                                                 struct wabin_node *node)
{
    struct wabin_str content;

    if (UNLIKELY(p == d->window.end))
        return take_fail(d, WABIN_EOF, p);
    switch (*p) {
    case WIRE_LIST_EMPTY:
        return p + 1;
    case WIRE_LIST_8:
    case WIRE_LIST_16:
        return take_children(d, p, depth + 1, node);
    case WIRE_BINARY_8:
    case WIRE_BINARY_20:
    case WIRE_BINARY_32:
        p = take_binary(d, p, &content);
        node->content = WABIN_BYTES;
        break;
    default:
        p = take_text(d, p, &content);
        node->content = WABIN_TEXT;
    }
    if (UNLIKELY(p == NULL))
        return NULL;
    node->data = content.data;
    node->content_size = content.size;
    return p;
}

/* One node, of whose count the tag is one and each attribute two; a count
 * that is even has content too. */
static const uint8_t *take_node(struct decoder *d, const uint8_t *p,
                                unsigned depth, struct wabin_node *node)
{
    const uint8_t *start = p, *tag;
    size_t count;

    if (UNLIKELY(depth >= WABIN_DEPTH_MAX))
        return take_fail(d, WABIN_MAX_DEPTH, p);
    tag = take_count(d, p, &count);
    if (UNLIKELY(tag == NULL))
        return NULL;
    if (UNLIKELY(count == 0))
        return take_fail(d, WABIN_INVALID_NODE, start);
    *node = (struct wabin_node){0};
    p = take_text(d, tag, &node->tag);
    if (UNLIKELY(p == NULL))
        return NULL;
    if (UNLIKELY(node->tag.data == NULL))
        return take_fail(d, WABIN_INVALID_NODE, tag);
    if (count > 2) {
        p = take_attrs(d, p, (count - 1) / 2, node);
        if (UNLIKELY(p == NULL))
            return NULL;
    }
    return count % 2 != 0 ? p : take_content(d, p, depth, node);
}

/* ---- entry points ------------------------------------------------------ */

/* The first block of a doc that has none. */
static COLD bool start_doc(struct decoder *d)
{
    size_t size = (size_t)(d->window.end - d->window.start);
    size_t ahead = FIRST_GROWTH * size;

    if (size > FIRST_SIZE_MAX / FIRST_GROWTH)
        ahead = FIRST_SIZE_MAX;
    if (wabin_doc_grow(d->doc, sizeof(struct wabin_node), ahead))
        return true;
    take_note(d, WABIN_NO_MEMORY, d->window.start);
    return false;
}

/* The root and all below it, from p to the end of the window. */
static ALWAYS_INLINE enum wabin_status take_tree(
    struct decoder *d, const uint8_t *p, const struct wabin_node **root)
{
    struct wabin_node *node;

    if (d->doc->block == NULL && !start_doc(d))
        return d->error->status;
    node = take_array(d, p, sizeof(*node));
    if (node == NULL)
        return d->error->status;
    p = take_node(d, p, 0, node);
    if (UNLIKELY(p == NULL)) {
        if (d->error->status == WABIN_OK)
            take_note_half(d);
        return d->error->status;
    }
    if (p != d->window.end) {
        take_note_number(d, WABIN_LEFTOVER_DATA, WABIN_CAUSE_NONE,
                         (uint64_t)(d->window.end - p), p);
        return WABIN_LEFTOVER_DATA;
    }
    /* A lost frame has not got here: all claims were met. */
    assert(d->room_end == d->window.end);
    *root = node;
    return WABIN_OK;
}

/* Decode what follows the first `before` bytes. */
static ALWAYS_INLINE enum wabin_status decode(struct wabin_doc *doc,
                                              const uint8_t *in,
                                              size_t in_size, size_t before,
                                              const struct wabin_node **root,
                                              struct wabin_error *error)
{
    struct wabin_error unread;
    struct decoder d = {
        .doc = doc,
        .window = {.start = in, .end = in + in_size},
        .room_end = in + in_size,
        .error = error,
    };

    if (error == NULL)
        d.error = &unread;
    d.error->status = WABIN_OK;
    return take_tree(&d, in + before, root);
}

enum wabin_status wabin_decode(struct wabin_doc *doc, const uint8_t *in,
                               size_t in_size, const struct wabin_node **root,
                               struct wabin_error *error)
{
    return decode(doc, in, in_size, 0, root, error);
}

enum wabin_status wabin_decode_frame(struct wabin_doc *doc,
                                     const uint8_t *frame, size_t frame_size,
                                     const struct wabin_node **root,
                                     struct wabin_error *error)
{
    enum wabin_status status = wabin_check_plain(frame, frame_size, error);
    return status != WABIN_OK ? status
                              : decode(doc, frame, frame_size, 1, root, error);
}

enum wabin_status wabin_check_plain(const uint8_t *frame, size_t frame_size,
                                    struct wabin_error *error)
{
    struct wabin_error found = {.status = WABIN_OK};

    if (frame_size == 0) {
        found.status = WABIN_EMPTY_DATA;
    } else if (frame[0] != WIRE_FORMAT_PLAIN) {
        found.status = WABIN_FORMAT_BYTE;
        found.number = frame[0];
    } else if (frame_size == 1) {
        found.status = WABIN_EMPTY_DATA;
        found.at = 1;
    }
    if (error != NULL && found.status != WABIN_OK)
        *error = found;
    return found.status;
}
