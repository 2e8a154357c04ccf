/* SPDX-License-Identifier: MIT */
/* Decoding alone: the short path, and the complete one behind it. */
#include "envelope/envelope.h"

#include "envelope/envelope_once.h"

bool envelope_decode_once(const uint8_t *in, size_t in_size,
                          struct envelope_view *view)
{
    return envelope_once(in, in_size, view);
}

enum envelope_kind envelope_decode(const uint8_t *in, size_t in_size,
                                   const struct alloc *alloc,
                                   struct envelope_view *view,
                                   struct envelope_error *error)
{
    struct envelope_view found;

    if (in_size > ENVELOPE_COMPRESSED_MAX)
        return envelope_fail(error, ENVELOPE_INPUT_TOO_LARGE);
    if (LIKELY(envelope_decode_once(in, in_size, &found))) {
        *view = found;
        return ENVELOPE_OK;
    }
    return envelope_decode_full(in, in_size, alloc, view, error);
}
