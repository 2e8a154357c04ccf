/* SPDX-License-Identifier: MIT */
/* Frames that own their bytes, with a count of holders. */
#include "wabin/wabin_frame.h"

#include <stdatomic.h>
#include <stdlib.h>

struct wabin_frame {
    atomic_size_t holds;
    struct wabin_buf bytes;
    struct wabin_doc doc;
    const struct wabin_node *root;
};

/* What an error borrows from a doc that goes away is taken out of it. */
static void drop_text(struct wabin_error *error, const struct wabin_buf *bytes)
{
    uintptr_t text, start = (uintptr_t)bytes->data;

    if (error == NULL)
        return;
    text = (uintptr_t)error->text.data;
    if (text < start || text > start + bytes->size)
        error->text = WABIN_STR("");
}

enum wabin_status wabin_frame_new(struct wabin_buf *bytes,
                                  const struct wabin_doc_options *options,
                                  struct wabin_frame **frame,
                                  struct wabin_error *error)
{
    struct wabin_frame *made = alloc_get(bytes->alloc, sizeof(*made));
    enum wabin_status status;

    if (made == NULL) {
        if (error != NULL)
            *error = (struct wabin_error){.status = WABIN_NO_MEMORY};
        return WABIN_NO_MEMORY;
    }
    wabin_doc_init(&made->doc, options);
    status =
        wabin_decode(&made->doc, bytes->data, bytes->size, &made->root, error);
    if (status != WABIN_OK) {
        drop_text(error, bytes);
        wabin_doc_release(&made->doc);
        alloc_put(bytes->alloc, made, sizeof(*made));
        return status;
    }
    atomic_init(&made->holds, 1);
    made->bytes = *bytes;
    *bytes = (struct wabin_buf){.alloc = bytes->alloc};
    *frame = made;
    return WABIN_OK;
}

const struct wabin_node *wabin_frame_root(const struct wabin_frame *frame)
{
    return frame->root;
}

struct wabin_nodes wabin_frame_bytes(const struct wabin_frame *frame)
{
    return (struct wabin_nodes){frame->bytes.data, frame->bytes.size};
}

struct wabin_frame *wabin_frame_hold(struct wabin_frame *frame)
{
    atomic_fetch_add_explicit(&frame->holds, 1, memory_order_relaxed);
    return frame;
}

void wabin_frame_release(struct wabin_frame *frame)
{
    if (frame == NULL ||
        atomic_fetch_sub_explicit(&frame->holds, 1, memory_order_acq_rel) != 1)
        return;
    const struct alloc *alloc = frame->bytes.alloc;
    wabin_doc_release(&frame->doc);
    wabin_buf_release(&frame->bytes);
    alloc_put(alloc, frame, sizeof(*frame));
}

struct wabin_slice wabin_frame_share(struct wabin_frame *frame,
                                     struct wabin_str part)
{
    uintptr_t start = (uintptr_t)frame->bytes.data;
    uintptr_t at = (uintptr_t)part.data;

    /* In every build: a part that is not ours would be kept by nobody. */
    if (at < start || at - start > frame->bytes.size ||
        part.size > frame->bytes.size - (at - start))
        abort();
    return (struct wabin_slice){
        .bytes = {(const uint8_t *)part.data, part.size},
        .frame = wabin_frame_hold(frame),
    };
}

void wabin_slice_release(struct wabin_slice *slice)
{
    wabin_frame_release(slice->frame);
    *slice = (struct wabin_slice){0};
}
