/* SPDX-License-Identifier: MIT */
/* Nodes, each with its own blocks. */
#include "wabin/reference/wabin_ref_internal.h"

#include "wabin/wabin_wire.h"

static enum wabin_status take_node(struct ref_reader *r, unsigned depth,
                                   struct ref_node *node);

/* A block of zeroed elements: as many as there are, or as the bytes left can
 * hold. */
static enum wabin_status take_block(struct ref_reader *r, size_t count,
                                    size_t least, size_t size, void **block,
                                    size_t *room)
{
    size_t most = cursor_left(&r->c) / least;

    if (count > most)
        count = most;
    *block = NULL;
    *room = count;
    if (count == 0)
        return WABIN_OK;
    *block = alloc_get(r->alloc, count * size);
    if (*block == NULL)
        return ref_fail(r, WABIN_NO_MEMORY, r->c.at);
    memset(*block, 0, count * size);
    return WABIN_OK;
}

static enum wabin_status take_count(struct ref_reader *r, uint8_t tag,
                                    uint16_t *count)
{
    uint8_t small = 0;

    switch (tag) {
    case WIRE_LIST_EMPTY:
        *count = 0;
        return WABIN_OK;
    case WIRE_LIST_8:
        REF_TRY(ref_take_u8(r, &small));
        *count = small;
        return WABIN_OK;
    case WIRE_LIST_16:
        return ref_take_u16(r, count);
    default:
        ref_fail(r, WABIN_INVALID_TOKEN, r->c.at - 1);
        r->error->number = tag;
        return WABIN_INVALID_TOKEN;
    }
}

static enum wabin_status take_attr(struct ref_reader *r, struct ref_attr *attr)
{
    size_t at = r->c.at;
    uint8_t tag = 0;
    bool present = false;

    REF_TRY(ref_take_u8(r, &tag));
    REF_TRY(ref_take_string(r, tag, &attr->key, &present));
    if (!present)
        return ref_fail(r, WABIN_NON_STRING_KEY, at);
    REF_TRY(ref_take_u8(r, &tag));
    return ref_take_value(r, tag, &attr->value);
}

static void free_attr(struct ref_attr *attr, const struct alloc *alloc)
{
    ref_str_free(&attr->key, alloc);
    ref_str_free(&attr->value.text, alloc);
}

static enum wabin_status take_attrs(struct ref_reader *r, size_t count,
                                    struct ref_node *node)
{
    void *block;

    if (count == 0)
        return WABIN_OK;
    REF_TRY(take_block(r, count, 2, sizeof(struct ref_attr), &block,
                       &node->attr_room));
    node->attrs = block;
    for (size_t i = 0; i < count; i++) {
        /* Where there is no place, there are no bytes for it either. */
        struct ref_attr spare = {0};
        bool has_place = i < node->attr_room;
        enum wabin_status status =
            take_attr(r, has_place ? &node->attrs[i] : &spare);
        if (has_place)
            node->attr_count++;
        else
            free_attr(&spare, r->alloc);
        REF_TRY(status);
    }
    return WABIN_OK;
}

static enum wabin_status take_nodes(struct ref_reader *r, uint8_t tag,
                                    unsigned depth,
                                    struct ref_content *content)
{
    uint16_t count = 0;
    void *block;

    REF_TRY(take_count(r, tag, &count));
    REF_TRY(take_block(r, count, 3, sizeof(struct ref_node), &block,
                       &content->node_room));
    content->nodes = block;
    for (size_t i = 0; i < count; i++) {
        struct ref_node spare = {0};
        bool has_place = i < content->node_room;
        enum wabin_status status =
            take_node(r, depth, has_place ? &content->nodes[i] : &spare);
        if (has_place)
            content->node_count++;
        else
            wabin_ref_free(&spare, r->alloc);
        REF_TRY(status);
    }
    return WABIN_OK;
}

static enum wabin_status take_content(struct ref_reader *r, unsigned depth,
                                      struct ref_node *node)
{
    struct ref_content *content;
    uint8_t tag = 0;
    bool present;

    REF_TRY(ref_take_u8(r, &tag));
    if (tag == WIRE_LIST_EMPTY)
        return WABIN_OK;
    content = alloc_get(r->alloc, sizeof(*content));
    if (content == NULL)
        return ref_fail(r, WABIN_NO_MEMORY, r->c.at);
    *content = (struct ref_content){.kind = WABIN_TEXT};
    node->content = content;
    switch (tag) {
    case WIRE_LIST_8:
    case WIRE_LIST_16:
        content->kind = WABIN_NODES;
        return take_nodes(r, tag, depth + 1, content);
    case WIRE_BINARY_8:
    case WIRE_BINARY_20:
    case WIRE_BINARY_32:
        content->kind = WABIN_BYTES;
        return ref_take_binary(r, tag, &content->text.far);
    default:
        return ref_take_string(r, tag, &content->text, &present);
    }
}

static enum wabin_status take_node(struct ref_reader *r, unsigned depth,
                                   struct ref_node *node)
{
    size_t at = r->c.at, tag_at;
    uint16_t count = 0;
    uint8_t tag = 0;
    bool present = false;

    if (depth >= WABIN_DEPTH_MAX)
        return ref_fail(r, WABIN_MAX_DEPTH, at);
    REF_TRY(ref_take_u8(r, &tag));
    REF_TRY(take_count(r, tag, &count));
    if (count == 0)
        return ref_fail(r, WABIN_INVALID_NODE, at);
    tag_at = r->c.at;
    REF_TRY(ref_take_u8(r, &tag));
    REF_TRY(ref_take_string(r, tag, &node->tag, &present));
    if (!present)
        return ref_fail(r, WABIN_INVALID_NODE, tag_at);
    REF_TRY(take_attrs(r, (count - 1u) / 2, node));
    return count % 2 == 0 ? take_content(r, depth, node) : WABIN_OK;
}

enum wabin_status wabin_ref_decode(const uint8_t *in, size_t in_size,
                                   const struct alloc *alloc,
                                   struct ref_node *root,
                                   struct wabin_error *error)
{
    struct ref_reader r = {
        .c = cursor_init(in, in_size),
        .alloc = alloc,
        .error = error,
    };

    *root = (struct ref_node){0};
    REF_TRY(take_node(&r, 0, root));
    if (cursor_left(&r.c) == 0)
        return WABIN_OK;
    ref_fail(&r, WABIN_LEFTOVER_DATA, r.c.at);
    error->number = cursor_left(&r.c);
    return WABIN_LEFTOVER_DATA;
}

/* Blocks go in the reverse order of their making: the heap is left as it was
 * found, and the next decoding costs the same. */
static void free_content(struct ref_content *content,
                         const struct alloc *alloc)
{
    for (size_t i = content->node_count; i-- > 0;)
        wabin_ref_free(&content->nodes[i], alloc);
    alloc_put(alloc, content->nodes,
              content->node_room * sizeof(*content->nodes));
    ref_str_free(&content->text, alloc);
    alloc_put(alloc, content, sizeof(*content));
}

void wabin_ref_free(struct ref_node *root, const struct alloc *alloc)
{
    if (root->content != NULL)
        free_content(root->content, alloc);
    for (size_t i = 0; i < root->attr_count; i++)
        free_attr(&root->attrs[i], alloc);
    alloc_put(alloc, root->attrs, root->attr_room * sizeof(*root->attrs));
    ref_str_free(&root->tag, alloc);
    *root = (struct ref_node){0};
}

/* ---- comparison -------------------------------------------------------- */

static bool same_value(const struct ref_value *ref,
                       const struct wabin_value *value)
{
    return ref->kind == value->kind && ref->device == value->device &&
           ref->integrator == value->integrator &&
           ref->server == value->server &&
           wabin_str_equal(ref_text(&ref->text), value->text);
}

static bool same_attrs(const struct ref_node *ref,
                       const struct wabin_node *node)
{
    if (ref->attr_count != node->attr_count)
        return false;
    for (size_t i = 0; i < ref->attr_count; i++)
        if (!wabin_str_equal(ref_text(&ref->attrs[i].key),
                             node->attrs[i].key) ||
            !same_value(&ref->attrs[i].value, &node->attrs[i].value))
            return false;
    return true;
}

static bool same_content(const struct ref_content *ref,
                         const struct wabin_node *node)
{
    if (ref == NULL)
        return node->content == WABIN_NOTHING;
    if (ref->kind != node->content)
        return false;
    if (ref->kind != WABIN_NODES)
        return wabin_str_equal(ref_text(&ref->text),
                               wabin_str(node->data, node->content_size));
    if (ref->node_count != node->content_size)
        return false;
    for (size_t i = 0; i < ref->node_count; i++)
        if (!wabin_ref_equal(&ref->nodes[i], &node->nodes[i]))
            return false;
    return true;
}

bool wabin_ref_equal(const struct ref_node *ref, const struct wabin_node *node)
{
    return wabin_str_equal(ref_text(&ref->tag), node->tag) &&
           same_attrs(ref, node) && same_content(ref->content, node);
}
