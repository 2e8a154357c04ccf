/* SPDX-License-Identifier: MIT */
/* The ways to encode: buffers that grow, that are planned, and sinks. */
#include "wabin/wabin_encode.h"

#include "wabin/wabin_encode_internal.h"

#define SINK_ROOM 1024 /* bytes gathered before a sink is called */

void wabin_buf_release(struct wabin_buf *buf)
{
    alloc_put(buf->alloc, buf->data, buf->capacity);
    buf->data = NULL;
    buf->size = buf->capacity = 0;
}

static COLD bool out_of_memory(struct encoder *e)
{
    e->error.status = WABIN_NO_MEMORY;
    return false;
}

static void set_room(struct encoder *e, uint8_t *start, size_t size)
{
    e->start = e->at = start;
    e->end = start + size;
}

static enum wabin_status finish(const struct encoder *e, bool done,
                                struct wabin_error *error)
{
    if (done)
        return WABIN_OK;
    if (error != NULL)
        *error = e->error;
    return e->error.status;
}

/* ---- buffers ----------------------------------------------------------- */

/* Double the buffer until size more bytes fit. */
static bool grow_buf(struct encoder *e, size_t size)
{
    struct wabin_buf *buf = e->ctx;
    size_t used = (size_t)(e->at - e->start), least, capacity;

    if (!size_add(used, size, &least) ||
        !size_mul(buf->capacity, 2, &capacity))
        return out_of_memory(e);
    if (capacity < least)
        capacity = least;
    uint8_t *data =
        alloc_resize(buf->alloc, buf->data, buf->capacity, capacity);
    if (data == NULL)
        return out_of_memory(e);
    buf->data = data;
    buf->capacity = capacity;
    set_room(e, data, capacity);
    e->at += used;
    return true;
}

static bool reserve(struct wabin_buf *buf, size_t capacity)
{
    buf->data = alloc_get(buf->alloc, capacity);
    buf->capacity = buf->data != NULL ? capacity : 0;
    return buf->data != NULL;
}

static enum wabin_status no_memory(struct wabin_error *error)
{
    if (error != NULL)
        *error = (struct wabin_error){.status = WABIN_NO_MEMORY};
    return WABIN_NO_MEMORY;
}

enum wabin_status wabin_marshal_into(const struct wabin_node *node,
                                     struct wabin_buf *out,
                                     struct wabin_error *error)
{
    struct encoder e = {.more = grow_buf, .ctx = out};
    bool done;

    out->size = 0;
    if (out->capacity == 0 && !reserve(out, WABIN_CAPACITY_MIN))
        return no_memory(error);
    set_room(&e, out->data, out->capacity);
    done = encode_frame(&e, node);
    if (done)
        out->size = (size_t)(e.at - e.start);
    return finish(&e, done, error);
}

/* A new buffer of some capacity, which goes again after a failure. */
static enum wabin_status marshal_new(const struct wabin_node *node,
                                     size_t capacity, struct wabin_buf *out,
                                     struct wabin_error *error)
{
    wabin_buf_release(out);
    if (!reserve(out, capacity))
        return no_memory(error);
    enum wabin_status status = wabin_marshal_into(node, out, error);
    if (status != WABIN_OK)
        wabin_buf_release(out);
    return status;
}

enum wabin_status wabin_marshal_plain(const struct wabin_node *node,
                                      struct wabin_buf *out,
                                      struct wabin_error *error)
{
    return marshal_new(node, WABIN_CAPACITY_MIN, out, error);
}

enum wabin_status wabin_marshal_auto(const struct wabin_node *node,
                                     struct wabin_buf *out,
                                     struct wabin_error *error)
{
    return marshal_new(node, wabin_capacity_estimate(node), out, error);
}

/* ---- estimates --------------------------------------------------------- */

/* A tree is large when something at its root is. */
#define LARGE_ATTRS    24
#define LARGE_CONTENT  8192
#define LARGE_CHILDREN 64

#define GUESS_BASE       1040
#define GUESS_ATTR       24
#define GUESS_CONTENT    8 /* beside the bytes themselves */
#define GUESS_CHILD      96
#define GUESS_GRANDCHILD 40
#define GUESS_CHILDREN   32 /* children that are looked at */

static bool is_large(const struct wabin_node *node)
{
    if (node->attr_count >= LARGE_ATTRS)
        return true;
    if (node->content != WABIN_NODES)
        return node->content_size >= LARGE_CONTENT;
    if (node->content_size >= LARGE_CHILDREN)
        return true;
    for (size_t i = 0; i < node->content_size; i++)
        if (node->nodes[i].content == WABIN_NODES &&
            node->nodes[i].content_size >= LARGE_CHILDREN)
            return true;
    return false;
}

static size_t guess_node(const struct wabin_node *node)
{
    size_t guess = node->tag.size + GUESS_ATTR * (size_t)node->attr_count;

    if (node->content == WABIN_BYTES || node->content == WABIN_TEXT)
        guess += node->content_size + GUESS_CONTENT;
    return guess;
}

size_t wabin_capacity_estimate(const struct wabin_node *node)
{
    size_t guess = GUESS_BASE + guess_node(node), count;

    if (!is_large(node))
        return WABIN_CAPACITY_MIN;
    const struct wabin_node *child = wabin_children(node, &count);
    guess += GUESS_CHILD * count;
    if (count > GUESS_CHILDREN)
        count = GUESS_CHILDREN;
    for (; count > 0 && guess < WABIN_CAPACITY_MAX; count--, child++) {
        guess += guess_node(child);
        if (child->content == WABIN_NODES)
            guess += GUESS_GRANDCHILD * child->content_size;
    }
    return guess < WABIN_CAPACITY_MAX ? guess : WABIN_CAPACITY_MAX;
}

/* ---- plans ------------------------------------------------------------- */

/* The planned size is all there is. */
static bool no_more(struct encoder *e, size_t size)
{
    (void)size;
    e->error.status = WABIN_PLAN_MISMATCH;
    return false;
}

enum wabin_status plan_write(const struct plan *plan,
                             const struct wabin_node *node,
                             struct wabin_buf *out, struct wabin_error *error)
{
    struct encoder e = {
        .more = no_more,
        .note = plan_notes(plan),
        .notes_end = plan_notes(plan) + plan->count,
    };
    bool done;

    if (!reserve(out, plan->size))
        return no_memory(error);
    set_room(&e, out->data, out->capacity);
    done = encode_frame(&e, node);
    if (done && (e.at != e.end || e.note != e.notes_end))
        done = no_more(&e, 0);
    if (done)
        out->size = out->capacity;
    else
        wabin_buf_release(out);
    return finish(&e, done, error);
}

enum wabin_status wabin_marshal_exact(const struct wabin_node *node,
                                      struct wabin_buf *out,
                                      struct wabin_error *error)
{
    struct plan plan;
    enum wabin_status status;

    wabin_buf_release(out);
    if (plan_make(&plan, node, out->alloc))
        status = plan_write(&plan, node, out, error);
    else
        status = no_memory(error);
    plan_release(&plan);
    return status;
}

/* ---- sinks ------------------------------------------------------------- */

static bool hand_on(struct encoder *e, size_t size)
{
    const struct wabin_sink *sink = e->ctx;
    enum status st;

    (void)size;
    if (e->at == e->start)
        return true;
    st = sink->put(sink->ctx, e->start, (size_t)(e->at - e->start));
    e->at = e->start;
    if (st == ST_OK)
        return true;
    const char *why = status_text(st);
    e->error.status = WABIN_IO;
    e->error.text = wabin_str(why, strlen(why));
    return false;
}

enum wabin_status wabin_marshal_sink(const struct wabin_node *node,
                                     const struct wabin_sink *sink,
                                     struct wabin_error *error)
{
    /* more() only reads it, as a sink */
    struct encoder e = {.more = hand_on, .ctx = (void *)(uintptr_t)sink};
    uint8_t gathered[SINK_ROOM];
    bool done;

    set_room(&e, gathered, sizeof(gathered));
    done = encode_frame(&e, node);
    /* What was written before a failure goes out too, unless the sink was
     * the failure. */
    if (e.error.status != WABIN_IO) {
        struct encoder rest = e;
        if (!hand_on(&rest, 0)) {
            e.error = rest.error;
            done = false;
        }
    }
    return finish(&e, done, error);
}
